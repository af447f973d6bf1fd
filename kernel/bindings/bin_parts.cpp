// The door to what parts of a column tell of where its bins are cut.
#include "../coded/bin_parts.hpp"
#include "door.hpp"
#include "doors.hpp"

namespace boxwood {
namespace {

using namespace coded;

// Calls work(pointer, length) on float64 or float32 values, without the GIL.
template <class Work>
auto on_values(nb::handle values, const Work& work) {
  const auto run = [&]<class T>(In<T> given) {
    nb::gil_scoped_release release;
    return work(given.data(), given.size());
  };
  return nb::isinstance<In<float>>(values) ? run(array_view<float>(values)) : run(array_view<double>(values));
}

Stretches stretches_from(const In<std::uint64_t>& start, const In<std::uint64_t>& last) {
  if (start.size() != last.size()) throw std::invalid_argument("every stretch must have a start and a last key");
  for (std::size_t s = 0; s < start.size(); ++s)
    if (start.data()[s] > last.data()[s] || (s > 0 && start.data()[s] <= last.data()[s - 1])) throw std::invalid_argument("stretches must ascend and lie apart");
  return {start.data(), last.data(), start.size()};
}

nb::object cells(nb::handle values) {
  return to_numpy(on_values(values, [](const auto* x, std::size_t n) { return count_cells(x, n); }));
}

nb::object starts() {
  std::vector<std::uint64_t> out;
  for (std::uint32_t cell = 0; cell < CELLS; ++cell) out.push_back(start_of_cell(cell));
  return to_numpy(std::move(out));
}

nb::tuple ends_of_keys(nb::handle values, In<std::uint64_t> start, In<std::uint64_t> last) {
  const Stretches stretches = stretches_from(start, last);
  KeyEnds ends = on_values(values, [&](const auto* x, std::size_t n) { return key_ends(x, n, stretches); });
  return nb::make_tuple(to_numpy(std::move(ends.least)), to_numpy(std::move(ends.most)));
}

nb::object pieces(nb::handle values, In<std::uint64_t> start, In<std::uint64_t> last, In<std::int32_t> shift, std::size_t width) {
  const Stretches stretches = stretches_from(start, last);
  if (shift.size() != stretches.size) throw std::invalid_argument("every stretch must have a shift");
  for (std::size_t s = 0; s < shift.size(); ++s)
    if (shift.data()[s] < 0 || shift.data()[s] > 63) throw std::invalid_argument("a shift must be 0 to 63");
  return to_numpy(on_values(values, [&](const auto* x, std::size_t n) { return count_pieces(x, n, stretches, shift.data(), width); }));
}

nb::tuple ends_of_bins(nb::handle values, In<double> cuts) {
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (!(cuts.data()[i - 1] < cuts.data()[i])) throw std::invalid_argument("cuts must ascend");
  ValueEnds ends = on_values(values, [&](const auto* x, std::size_t n) { return value_ends(x, n, cuts.data(), cuts.size()); });
  return nb::make_tuple(to_numpy(std::move(ends.first)), to_numpy(std::move(ends.last)));
}

}  // namespace

void open_bin_parts(nb::module_& m) {
  m.def("bin_cells", &cells, "values"_a, "Rows in each cell of the order of values, int64.");
  m.def("bin_cell_starts", &starts, "The least key of each cell, uint64.");
  m.def("bin_key_ends", &ends_of_keys, "values"_a, "start"_a, "last"_a, "Least and greatest key inside each stretch of keys.");
  m.def("bin_pieces", &pieces, "values"_a, "start"_a, "last"_a, "shift"_a, "width"_a, "Rows in each piece of each stretch of keys, int64.");
  m.def("bin_ends", &ends_of_bins, "values"_a, "cuts"_a, "Least and greatest value of each bin.");
}

}  // namespace boxwood

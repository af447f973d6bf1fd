// The door to what parts of a column tell of where its bins are cut.
#include "encode/bin_parts.hpp"
#include "bindings/binding.hpp"
#include "bindings/bindings.hpp"

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

nb::object cells(nb::handle values) {
  return to_numpy(on_values(values, [](const auto* x, std::size_t n) { return count_cells(x, n); }));
}

nb::tuple ends_of_cells() {
  std::vector<std::uint64_t> start, last;
  for (std::uint32_t cell = 0; cell < CELLS; ++cell)
    start.push_back(start_of_cell(cell)), last.push_back(last_of_cell(cell));
  return nb::make_tuple(to_numpy(std::move(start)), to_numpy(std::move(last)));
}

nb::tuple parts(nb::handle values, In<std::uint64_t> start, In<std::uint64_t> last, In<std::int32_t> shift,
                std::size_t width) {
  const std::size_t size = start.size();
  if (last.size() != size || shift.size() != size)
    throw std::invalid_argument("every stretch must have a start, a last key and a shift");
  for (std::size_t s = 0; s < size; ++s)
    if (start.data()[s] > last.data()[s] || (s > 0 && start.data()[s] <= last.data()[s - 1]) || shift.data()[s] < 0 ||
        shift.data()[s] > 63)
      throw std::invalid_argument("stretches must ascend and lie apart, with shifts of 0 to 63");
  const Stretches stretches{start.data(), last.data(), shift.data(), size, width};
  std::vector<std::uint64_t> least, most;
  std::vector<std::int64_t> rows;
  for (const Cuts::Part& part :
       on_values(values, [&](const auto* x, std::size_t n) { return count_parts(x, n, stretches); })) {
    least.push_back(part.least);
    most.push_back(part.most);
    rows.push_back(static_cast<std::int64_t>(part.rows));
  }
  return nb::make_tuple(to_numpy(std::move(least)), to_numpy(std::move(most)), to_numpy(std::move(rows)));
}

nb::tuple ends_of_bins(nb::handle values, In<double> cuts) {
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (!(cuts.data()[i - 1] < cuts.data()[i])) throw std::invalid_argument("cuts must ascend");
  ValueEnds ends =
      on_values(values, [&](const auto* x, std::size_t n) { return value_ends(x, n, cuts.data(), cuts.size()); });
  return nb::make_tuple(to_numpy(std::move(ends.first)), to_numpy(std::move(ends.last)));
}

}  // namespace

void open_bin_parts(nb::module_& m) {
  m.def("bin_cells", &cells, "values"_a, "Rows in each cell of the order of values, int64.");
  m.def("bin_cell_ends", &ends_of_cells, "Least and greatest key of each cell, uint64.");
  m.def("bin_parts", &parts, "values"_a, "start"_a, "last"_a, "shift"_a, "width"_a,
        "Least key, greatest key and rows of each part of each stretch of keys.");
  m.def("bin_ends", &ends_of_bins, "values"_a, "cuts"_a, "Least and greatest value of each bin.");
}

}  // namespace boxwood

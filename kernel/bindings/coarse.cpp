// The door to coarse codes and samples of data that are read in parts.
#include "../coarse.hpp"
#include "door.hpp"
#include "doors.hpp"

namespace boxwood {
namespace {

template <class T>
nb::object codes_of(In<T> values, In<double> cuts) {
  std::vector<std::uint16_t> codes(values.size());
  {
    nb::gil_scoped_release release;
    CoarseCodes(cuts.data(), cuts.size()).code(values.data(), values.size(), codes.data());
  }
  return to_numpy(std::move(codes));
}

nb::object coarse_codes(nb::handle values, In<double> cuts) {
  if (cuts.size() > MOST_CUTS) throw std::invalid_argument("a column may have at most 4095 cuts");
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (!(cuts.data()[i - 1] < cuts.data()[i])) throw std::invalid_argument("cuts must ascend");
  if (nb::isinstance<In<float>>(values)) return codes_of(array_view<float>(values), cuts);
  return codes_of(array_view<double>(values), cuts);
}

template <class T>
nb::object hashes_of(In<T> values, std::uint64_t limit) {
  std::vector<std::uint64_t> hashes;
  std::vector<double> kept;
  {
    nb::gil_scoped_release release;
    small_hashes(values.data(), values.size(), limit, hashes, kept);
  }
  return nb::make_tuple(to_numpy(std::move(hashes)), to_numpy(std::move(kept)));
}

nb::object hashes_below(nb::handle values, std::uint64_t limit) {
  if (nb::isinstance<In<float>>(values)) return hashes_of(array_view<float>(values), limit);
  return hashes_of(array_view<double>(values), limit);
}

}  // namespace

void open_coarse(nb::module_& m) {
  m.def("coarse_codes", &coarse_codes, "values"_a, "cuts"_a);
  m.def("small_hashes", &hashes_below, "values"_a, "limit"_a);
}

}  // namespace boxwood

// The door to coarse codes and samples of data that are read in parts.
#include "bindings/binding.hpp"
#include "bindings/bindings.hpp"
#include "encode/coarse_codes.hpp"

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
nb::object told(In<T> values, std::uint64_t limit) {
  Look look;
  {
    nb::gil_scoped_release release;
    look = look_at(values.data(), values.size(), limit);
  }
  return nb::make_tuple(to_numpy(std::move(look.hashes)), look.missing, look.infinite, look.is_short);
}

nb::object look(nb::handle values, std::uint64_t limit) {
  if (nb::isinstance<In<float>>(values)) return told(array_view<float>(values), limit);
  return told(array_view<double>(values), limit);
}

nb::object values_of(In<std::uint64_t> hashes) {
  std::vector<double> values;
  for (std::size_t i = 0; i < hashes.size(); ++i) values.push_back(value_of(hashes.data()[i]));
  return to_numpy(std::move(values));
}

}  // namespace

void open_coarse(nb::module_& m) {
  m.def("coarse_codes", &coarse_codes, "values"_a, "cuts"_a);
  m.def("look", &look, "values"_a, "limit"_a);
  m.def("values_of", &values_of, "hashes"_a);
}

}  // namespace boxwood

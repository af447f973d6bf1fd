// A response as a dictionary of arrays (statistics/exact.py), read without a copy.
// Invariant: every array has one value a sample and class codes are in range; the caller keeps the dictionary alive.
#pragma once

#include "bindings/binding.hpp"
#include "response/moments.hpp"

namespace boxwood {

inline ResponseColumns read_response(const nb::dict& d, std::size_t n, std::vector<double>& factors) {
  const auto array = [&]<class T>(T, const char* name) -> const T* {
    const nb::handle given = PyDict_GetItemString(d.ptr(), name);
    if (!given.is_valid() || given.is_none()) return nullptr;
    const auto a = array_view<T>(given);
    if (a.size() != n) throw std::invalid_argument(std::string(name) + " must have one value a sample");
    return a.data();
  };
  ResponseColumns y;
  using Kind = ResponseColumns::Kind;
  y.kind = named<Kind>(d["kind"], {{"classes", Kind::classes}, {"mean", Kind::mean}, {"rate", Kind::rate}});
  y.codes = array(std::int32_t{}, "codes");
  y.weight = array(std::int64_t{}, "weight");
  y.unit = nb::cast<double>(d["unit"]);
  if (y.kind != Kind::classes) {
    y.high = array(std::int64_t{}, "high");
    y.low = array(std::int64_t{}, "low");
    y.log = array(std::int64_t{}, "log");
    y.center = nb::cast<double>(d["center"]);
    y.scale = nb::cast<double>(d["scale"]);
    y.low_scale = nb::cast<double>(d["low_scale"]);
    y.log_scale = nb::cast<double>(d["log_scale"]);
  }
  factors = nb::cast<std::vector<double>>(d["factors"]);
  y.n_classes = nb::cast<int>(d["n_classes"]);
  y.factors = factors.empty() ? nullptr : factors.data();
  if (y.kind != Kind::classes) return y;
  for (std::size_t i = 0; i < n; ++i)
    require(y.codes[i] >= 0 && y.codes[i] < y.n_classes, "a class code is out of range");
  return y;
}

}  // namespace boxwood

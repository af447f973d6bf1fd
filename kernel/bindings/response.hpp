// A response as a dictionary of arrays (statistics/exact.py), read without a copy.
// Invariant: every array has one value a sample and class codes are in range; the caller keeps the dictionary alive.
#pragma once

#include "bindings/settings.hpp"
#include "response/response_columns.hpp"

namespace boxwood {

inline ResponseColumns read_response(const nb::dict& d, std::size_t n) {
  using Y = ResponseColumns;
  using Kind = Y::Kind;
  Y y;
  const auto array = [&]<class T>(const T*& to, const char* name, std::size_t size) {
    const nb::object given = d[name];
    if (given.is_none()) return;
    const auto a = array_view<T>(given);
    if (a.size() != size) throw std::invalid_argument(std::string(name) + " must have one value a sample");
    to = a.data();
  };
  y.kind = named<Kind>(d["kind"], {{"classes", Kind::classes},
                                   {"mean", Kind::mean},
                                   {"rate", Kind::rate},
                                   {"several", Kind::several},
                                   {"quantile", Kind::quantiles}});
  set_members(y, d, "unit", &Y::unit, "center", &Y::center, "scale", &Y::scale, "low_scale", &Y::low_scale, "log_scale",
              &Y::log_scale, "power", &Y::power, "n_classes", &Y::n_classes);
  array(y.codes, "codes", n);
  array(y.weight, "weight", n);
  array(y.high, "high", n);
  array(y.low, "low", n);
  array(y.log, "log", n);
  if (y.kind == Kind::several) {
    y.n_columns = nb::cast<int>(d["n_columns"]);
    const auto columns = static_cast<std::size_t>(y.n_columns);
    array(y.rows, "rows", n * columns);
    array(y.lows, "lows", n * columns);
    for (const auto& [to, name] : {std::pair{&y.factors, "factors"}, {&y.centers, "centers"}, {&y.scales, "scales"}})
      array(*to, name, columns);
    return y;
  }
  array(y.factors, "factors", static_cast<std::size_t>(y.n_classes));
  if (y.kind == Kind::quantiles) {
    set_members(y, d, "n_levels", &Y::n_levels, "above", &Y::above, "below", &Y::below);
    array(y.values, "values", n);
    array(y.levels, "levels", static_cast<std::size_t>(y.n_levels));
  }
  for (std::size_t i = 0; i < n && y.kind == Kind::classes; ++i)
    require(y.codes[i] >= 0 && y.codes[i] < y.n_classes, "a class code is out of range");
  return y;
}

}  // namespace boxwood

// The number of rows between two knots, and at the ends of a column, where knots are not allowed.
// Invariant: the spans depend on the parent and the feature alone, never on the step, so knots stay where they are.
// Cost: constant. Source: Friedman 1991, equations 43 and 45; their use of the whole numbers as earth has it
// (docs/mars.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace boxwood::mars {

struct SpanRule {
  int between = 0;  // 0: by the formula; > 0: as given; < 0: this many knots
  int at_end = 0;  // 0: by the formula; > 0: as given
  double widen = 2.0;  // how much wider the ends are for products
  bool by_weight = false;  // a row of weight 3 is three rows, and units of columns do not count; earth does neither
};

struct Spans {
  std::size_t between = 1, at_end = 1, start = 1;
};

// `live`: rows (or weight) where the parent is positive; `n`: all rows (or weight); `p`: features; `product`: whether
// the new term is a product.
inline Spans spans(const SpanRule& rule, std::size_t n, std::size_t p, double live, bool product) {
  const auto features = static_cast<double>(p), rows = std::max(live, 1.0);
  long at_end = rule.at_end > 0 ? rule.at_end : static_cast<long>(7.32193 + std::log(features) / 0.69315);
  if (product) at_end += std::lround(rule.widen * static_cast<double>(at_end));
  at_end = std::max(1L, std::min(at_end, static_cast<long>(n / 2) - 1));
  const long all = static_cast<long>(n);
  Spans out;
  if (rule.between < 0) {
    const long knots = 1L - rule.between;
    const long between = (all + knots - 1) / knots;
    long start = between;
    while (start < at_end) start += between;
    out = {static_cast<std::size_t>(between), static_cast<std::size_t>(at_end),
           static_cast<std::size_t>(std::max(1L, start - 1))};
    return out;
  }
  long between = rule.between > 0 ? rule.between : static_cast<long>((2.9702 + std::log(features * rows)) / 1.7329);
  between = std::max(1L, between);
  const long middle = std::max(0L, all - 2 * at_end);
  long first = middle / 2;
  if (middle > between) {
    const long count = middle / between;
    first = middle == count * between ? between / 2 : (middle - count * between) / 2;
  }
  out = {static_cast<std::size_t>(between), static_cast<std::size_t>(at_end),
         static_cast<std::size_t>(std::max(1L, at_end + first))};
  return out;
}

}  // namespace boxwood::mars

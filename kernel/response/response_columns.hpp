// The response as whole numbers: sums are exact and the same in any order.
// Invariant: a sum never overflows its type (statistics/exact.py sizes the fixed point).
#pragma once

#include <cstdint>

#include "encode/wide.hpp"
#include "response/measures.hpp"

namespace boxwood {

// The nearest double: of one word, as nearly all sums are, in a step instead of a call.
inline double as_double(Wide x) {
  const auto word = static_cast<std::int64_t>(x);
  return word == x ? static_cast<double>(word) : static_cast<double>(x);
}
inline double as_double(std::int64_t x) { return static_cast<double>(x); }

// The response of the samples, as statistics/exact.py describes it. Pointers are indexed by sample.
struct ResponseColumns {
  enum class Kind { classes, mean, rate, several, quantiles } kind = Kind::classes;
  int n_classes = 0;
  const std::int32_t* codes = nullptr;
  const std::int64_t* weight = nullptr;  // nullptr = 1 each
  const std::int64_t *high = nullptr, *low = nullptr, *log = nullptr;
  const double* factors = nullptr;  // nullptr = 1 each
  const double *values = nullptr, *levels = nullptr;  // of quantiles: y itself; which ones a node predicts
  int n_levels = 0;
  double above = 1, below = 1;  // what distances of rows above and below the first one weigh
  double unit = 1, center = 0, scale = 1, low_scale = 1, log_scale = 1;
  double power = 1;  // of the deviance of rates
  // Of several responses: so many numbers, or classes in all (then as many as n_classes), row by row, and their units.
  int n_columns = 0;
  const std::int64_t *rows = nullptr, *lows = nullptr;
  const double *centers = nullptr, *scales = nullptr;

  std::int64_t weight_of(std::uint32_t s) const { return weight ? weight[s] : 1; }
  int moments() const {
    if (kind == Kind::quantiles) return 2 + n_levels;
    if (kind == Kind::several && n_classes == 0) return 3 * n_columns;
    return n_classes > 0 ? n_classes : kind == Kind::mean ? 3 : 4;
  }
  // Words of a table's entry: class weights; weight and sum; weight, exposure and events (response/words.hpp).
  std::size_t words_of_entry() const {
    return kind == Kind::classes ? static_cast<std::size_t>(n_classes) : kind == Kind::mean ? 4 : 7;
  }
  // Words of a node, and its ends, which do not add up.
  std::size_t words_of_node() const {
    return kind == Kind::classes ? 1 + static_cast<std::size_t>(n_classes) : kind == Kind::mean ? 18 : 11;
  }
  std::size_t ends_of_node() const { return kind == Kind::classes ? 0 : kind == Kind::mean ? 4 : 3; }
  // What a node with a line of Tree.moments has as its mean: of two classes, the share of the second.
  double mean(const double* moments) const {
    if (kind == Kind::rate) return moments[2] / moments[1];
    if (kind == Kind::mean) return moments[0] * moments[1] / moments[0];  // rounded as statistics/ does
    const double mass[2] = {moments[0] * factor_of(factors, 0), moments[1] * factor_of(factors, 1)};
    return mass[1] / (mass[0] + mass[1]);
  }
  // The same as limits of means are counted (response/node_stats.hpp).
  double limit(double mean) const {
    return kind == Kind::mean ? (mean - center) / scale : kind == Kind::rate ? mean * (scale / low_scale) : mean;
  }
  // Decrease in whole-number units -> in true units of weight times measure.
  double true_decrease(double decrease) const {
    return (kind == Kind::mean        ? decrease * scale * scale
            : kind == Kind::rate      ? decrease * low_scale
            : kind == Kind::quantiles ? decrease * scale
                                      : decrease) *
           unit;
  }
};

}  // namespace boxwood

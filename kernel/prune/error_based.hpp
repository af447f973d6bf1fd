// Estimated errors of a leaf on new rows: the upper confidence limit of a binomial rate, as C4.5 computes it.
// Invariant: no state; errors and weights are real numbers, because shares of rows count.
// Cost: one square root, or one exponential where there are no whole errors.
// Source: Quinlan (1993), C4.5, section 4.2, and the program's release 8 (stats.c), from its description.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace boxwood {

struct Pessimism {
  double log_confidence;  // ln CF
  double squared_z;  // squared normal deviate of CF
  bool two_thirds;  // release 8 where nearly all rows are errors; else their whole rest
  bool last_largest;  // which of two branches with equally much weight is the largest

  // What is added to `errors` among `weight` rows to reach the upper limit.
  double added(double weight, double errors) const {
    if (!(weight > 0.0)) return 0.0;
    if (errors < 1e-6) return none_seen(weight);
    if (errors < 0.9999) {
      const double least = none_seen(weight);
      return least + errors * (some_seen(weight, 1.0) - least);
    }
    return some_seen(weight, errors);
  }

  double limit(double weight, double errors) const { return errors + added(weight, errors); }

  // The limit of a leaf with these class weights, in multiples of `unit`.
  double limit_of(const std::int64_t* classes, std::size_t n_classes, double unit) const {
    std::int64_t total = 0, most = 0;
    for (std::size_t c = 0; c < n_classes; ++c) {
      total += classes[c];
      most = std::max(most, classes[c]);
    }
    return limit(static_cast<double>(total) * unit, static_cast<double>(total - most) * unit);
  }

 private:
  // The exact limit U of no errors: (1 - U)^N = CF.
  double none_seen(double weight) const { return -weight * std::expm1(log_confidence / weight); }

  // Normal approximation with continuity correction.
  double some_seen(double weight, double errors) const {
    const double e = errors + 0.5, rest = weight - errors, c = squared_z;
    if (e >= weight) return two_thirds ? 0.67 * rest : std::max(rest, 0.0);
    const double p = (e + c / 2 + std::sqrt(c * (e * (1.0 - e / weight) + c / 4))) / (weight + c);
    return weight * p - errors;
  }
};

}  // namespace boxwood

// The response as whole numbers: sums are exact and the same in any order.
// Invariant: a sum never overflows its type (statistics/exact.py sizes the fixed point; see the bounds at each policy).
// A policy computes how much impurity a partition in two of some sums (Int[width]) takes away. `impurity`: weight times
// impurity of a group, up to a part that is the same however the rows are grouped.
#pragma once

#include <cmath>
#include <cstdint>

#include "response/measures.hpp"

namespace boxwood {

using Wide = __int128;

// The response of the samples, as statistics/exact.py describes it. Pointers are indexed by sample.
struct ResponseColumns {
  enum class Kind { classes, mean, rate } kind = Kind::classes;
  int n_classes = 0;
  const std::int32_t* codes = nullptr;
  const std::int64_t* weight = nullptr;  // nullptr = 1 each
  const std::int64_t *high = nullptr, *low = nullptr, *log = nullptr;
  const double* factors = nullptr;  // nullptr = 1 each
  double unit = 1, center = 0, scale = 1, low_scale = 1, log_scale = 1;

  std::int64_t weight_of(std::uint32_t s) const { return weight ? weight[s] : 1; }
  int moments() const { return kind == Kind::classes ? n_classes : kind == Kind::mean ? 3 : 4; }
};

// Two classes, every weight 1: counts below 2^31.
template <class Measure>
struct TwoCounts {
  using Int = std::int64_t;
  const Measure* measure;

  int width() const { return 2; }
  double decrease(const Int* left, const Int* total) const { return measure->two(left, total); }
  double impurity(const Int* sum) const {
    return measure->impurity_of_counts(2, sum[0] + sum[1], [&](int k) { return sum[k]; });
  }
  double mean(const Int* sum) const { return static_cast<double>(sum[1]) / static_cast<double>(sum[0] + sum[1]); }
};

// Any number of classes, whole weights (their sum fits 62 bits), optional factors for priors and costs.
template <class Measure>
struct Classes {
  using Int = std::int64_t;
  int n_classes;
  const double* factors;
  const Measure* measure;

  int width() const { return n_classes; }
  double decrease(const Int* left, const Int* total) const { return measure->many(left, total, n_classes, factors); }
  double impurity(const Int* sum) const {
    return measure->impurity(n_classes, [&](int k) { return mass(sum, k); });
  }
  double mass(const Int* sum, int k) const { return static_cast<double>(sum[k]) * factor_of(factors, k); }
  // Two classes: share of the second; more: mean class number (rpart's order of children).
  double mean(const Int* sum) const {
    double mass = 0, first = 0;
    for (int k = 0; k < n_classes; ++k) {
      const double w = static_cast<double>(sum[k]) * (factors ? factors[k] : 1.0);
      mass += w;
      first += k * w;
    }
    return first / mass;
  }
};

// A numeric target, counted from the node's rounded mean, so that between-sums do not cancel. Narrow: weights 1 and at
// most 2^21 samples.
template <class Integer, bool weighted>
struct Mean {
  using Int = Integer;

  int width() const { return 2; }
  // Between sum of squares (SL n - S nl)^2 / (n nl nr).
  double decrease(const Int* left, const Int* total) const {
    const double n = static_cast<double>(total[0]), l = static_cast<double>(left[0]);
    if (weighted && !(n - l > 0)) return 0.0;  // a side so light that it vanishes beside the other
    const double d = static_cast<double>(left[1]) * n - static_cast<double>(total[1]) * l;
    return d * d / (n * l * (n - l));
  }
  double impurity(const Int* sum) const {
    const double s = static_cast<double>(sum[1]);
    return sum[0] == 0 ? 0.0 : -s * s / static_cast<double>(sum[0]);
  }
  // Quotient and remainder separately, so that equal means of unequal groups are equal doubles; an empty side has no
  // mean.
  double mean(const Int* sum) const {
    if (sum[0] == 0) return std::nan("");
    return static_cast<double>(sum[1] / sum[0]) + static_cast<double>(sum[1] % sum[0]) / static_cast<double>(sum[0]);
  }
};

// Events d in exposure t: Poisson deviance.
struct Rate {
  using Int = Wide;

  int width() const { return 2; }
  double decrease(const Int* left, const Int* total) const {
    const double t = static_cast<double>(total[0]), d = static_cast<double>(total[1]);
    const double tl = static_cast<double>(left[0]), dl = static_cast<double>(left[1]);
    if (!(tl > 0) || !(t - tl > 0)) return 0.0;  // a side so light that it vanishes beside the other
    // Rates relative to the node's, so that nothing large cancels.
    const double inverse = d > 0 ? t / d : 0.0;
    return std::max(0.0, 2 * (d_log_rate(dl, tl, inverse) + d_log_rate(d - dl, t - tl, inverse)));
  }
  double impurity(const Int* sum) const {
    return -2 * d_log_rate(static_cast<double>(sum[1]), static_cast<double>(sum[0]));
  }
  double mean(const Int* sum) const { return static_cast<double>(sum[1]) / static_cast<double>(sum[0]); }
  static double d_log_rate(double d, double t, double inverse = 1.0) {
    return d > 0 ? d * std::log(d / t * inverse) : 0.0;
  }
};

}  // namespace boxwood

// What the rows of a class weigh where errors are peeled: whole numbers, or numbers of many digits with factors of
// classes. Invariant: sums are whole and exact; only the mass of a class is rounded, as the measure rounds it. Cost:
// none for counts, a conversion and a product for weights.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace boxwood {

// Rows that count one, or whole weights, that add up to few digits: no two different decreases are a tie.
template <int N>
struct PeeledCounts {
  static constexpr int W = N;
  using Sum = std::int32_t;
  using Lead = std::int32_t;
  // Less than any lead: a stretch without a cut. Leads of up to MOST may be added to it.
  static constexpr Lead NO_CUT = -(std::int32_t{1} << 30);
  static constexpr std::int64_t MOST = std::int64_t{1} << 29;
  static constexpr bool HAS_TIES = false;

  explicit PeeledCounts(const double*, int) {}
  Lead mass(Sum sum, int) const { return sum; }
};

// Any weights and factors: decreases that differ by less than the rule of ties doubts are equal.
template <int N>
struct PeeledWeights {
  static constexpr int W = N;
  using Sum = std::int64_t;
  using Lead = double;
  static constexpr Lead NO_CUT = -std::numeric_limits<double>::infinity();
  static constexpr bool HAS_TIES = true;

  PeeledWeights(const double* of_classes, int n_classes) {
    std::fill_n(factors, W, 1.0);
    if (of_classes) std::copy_n(of_classes, n_classes, factors);
  }
  Lead mass(Sum sum, int k) const { return static_cast<double>(sum) * factors[k]; }

  double factors[W];
};

}  // namespace boxwood

// The table of one (parent, feature): sums of parent x column over the rows between two knots.
// Invariant: a table is a sum over rows, so tables of parts of the rows, taken with the same knots, add up to the table of all;
// the scan that follows reads tables only.
// Cost: one cache line of a block a row of positive parent. Source: Friedman 1991, equation 52, summed by interval instead of by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "basis.hpp"

namespace boxwood::mars {

// Rows where the parent is not 0, by value of the feature from high to low.
struct LiveRows {
  std::vector<std::uint32_t> row;
  std::vector<double> x, parent;

  void reserve(std::size_t n) {
    row.resize(n);
    x.resize(n);
    parent.resize(n);
    count = 0;
  }
  void add(std::uint32_t r, double value, double p) {
    row[count] = r;
    x[count] = value;
    parent[count++] = p;
  }
  std::size_t count = 0;
};

// Interval k holds the rows end[k-1] .. end[k] of LiveRows; its cut is the knot below them, the last cut the least value.
struct Intervals {
  std::vector<double> cut;
  std::vector<std::uint32_t> end;
  std::size_t size() const { return cut.size(); }
};

// For every interval and lane: the sum of p q, then the sum of p (x - cut) q. `table` holds 2 * LANES numbers an interval.
BOXWOOD_WIDE static void interval_sums(const double* block, const std::uint32_t* row, const double* x, const double* parent,
                                       const double* cut, const std::uint32_t* end, std::size_t n_intervals, double* table) {
  std::size_t i = 0;
  for (std::size_t k = 0; k < n_intervals; ++k) {
    double plain[LANES] = {}, hinge[LANES] = {};
    for (; i < end[k]; ++i) {
      const double* q = block + static_cast<std::size_t>(row[i]) * LANES;
      const double p = parent[i], d = p * (x[i] - cut[k]);
      for (std::size_t j = 0; j < LANES; ++j) {
        plain[j] += p * q[j];
        hinge[j] += d * q[j];
      }
    }
    double* out = table + k * 2 * LANES;
    for (std::size_t j = 0; j < LANES; ++j) {
      out[j] = plain[j];
      out[LANES + j] = hinge[j];
    }
  }
}

// Turns a table into the inner products of the columns with the hinges p max(0, x - cut[k]), in the second half of each entry;
// moving the cut down by `step` lengthens every hinge above it by step. The first half becomes the sums of p q above the cut.
BOXWOOD_WIDE static void hinge_products(const double* cut, std::size_t n_intervals, double* table) {
  for (std::size_t k = 1; k < n_intervals; ++k) {
    const double step = cut[k - 1] - cut[k];
    const double* above = table + (k - 1) * 2 * LANES;
    double* here = table + k * 2 * LANES;
    for (std::size_t j = 0; j < LANES; ++j) {
      here[LANES + j] += above[LANES + j] + step * above[j];
      here[j] += above[j];
    }
  }
}

}  // namespace boxwood::mars

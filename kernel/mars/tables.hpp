// The table of one (parent, feature): sums of parent x column over the rows between two knots.
// Invariant: a table is a sum over rows, so tables of parts of the rows, taken with the same knots, add up to the table
// of all; the scan that follows reads tables only. Cost: one cache line of a block and two of the table a live row.
// Source: Friedman 1991, equation 52, summed by interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mars/basis.hpp"
#include "mars/rows.hpp"

namespace boxwood::mars {

// A parent: its value at every row, and the rows where it is not 0.
struct Parent {
  Large<double> value;
  Large<std::uint32_t> live;
  double n_positive = 0.0;  // rows where it is above 0, or their weight
  double mean_square = 1.0;  // by weight, over the live rows

  // Finds the rest from `value`.
  void list(const Rows& rows, bool by_weight) {
    live.resize(value.size());
    std::size_t count = 0;
    double square = 0.0, weight = 0.0;
    n_positive = 0.0;
    for (std::size_t r = 0; r < value.size(); ++r) {
      const double w = by_weight ? rows.weight(r) : 1.0;
      live[count] = static_cast<std::uint32_t>(r);
      n_positive += value[r] > 0.0 ? w : 0.0;
      if (value[r] == 0.0) continue;
      ++count;
      square += value[r] * value[r];
      weight += w;
    }
    live.resize(count);
    mean_square = by_weight && count > 0 ? square / weight : 1.0;
  }
};

// Buffers of one thread.
struct Scratch {
  RankSet positive, starts;  // ranks where the parent is above 0; first ranks of the intervals
  Large<std::uint32_t> interval;  // of every live row
  Large<double> weight;  // by rank, of all rows
  Large<double> table;  // 2 * LANES numbers an interval: sums of p q, then of p (x - cut) q

  // Upper bound of its memory.
  static std::size_t bytes(std::size_t n, bool weighted, std::size_t knots) {
    return n * (sizeof(std::uint32_t) + sizeof(double) * (weighted ? 1 : 0)) + n / 2 +
           knots * 2 * LANES * sizeof(double);
  }
};

// The interval of every live row.
BOXWOOD_CLONES static void find_intervals(const Ranks& rank, const RankSet& starts, const Parent& parent,
                                          std::uint32_t* interval) {
  const std::uint64_t* words = starts.words.data();
  const std::uint32_t* above = starts.above.data();
  for (std::size_t i = 0; i < parent.live.size(); ++i) {
    interval[i] = members_above(words, above, rank[parent.live[i]]);
  }
}

BOXWOOD_CLONES static void interval_sums(const double* block, const std::uint32_t* live, const double* parent,
                                         const std::uint32_t* interval, const double* x, const double* cut,
                                         std::size_t n_live, double* table) {
  for (std::size_t i = 0; i < n_live; ++i) {
    const std::size_t row = live[i], k = interval[i];
    const double* q = block + row * LANES;
    double* entry = table + k * 2 * LANES;
    const double p = parent[row], d = p * (x[row] - cut[k]);
    double sum[LANES];  // a copy: the table might overlap q, and compilers do not vectorise such stores
    for (std::size_t j = 0; j < LANES; ++j) sum[j] = entry[j] + p * q[j];
    for (std::size_t j = 0; j < LANES; ++j) entry[j] = sum[j];
    for (std::size_t j = 0; j < LANES; ++j) sum[j] = entry[LANES + j] + d * q[j];
    for (std::size_t j = 0; j < LANES; ++j) entry[LANES + j] = sum[j];
  }
}

// Turns a table into the inner products of the columns with the hinges p max(0, x - cut[k]), in the second half of each
// entry; moving the cut down by `step` lengthens every hinge above it by step. The first half becomes the sums of p q
// above the cut.
BOXWOOD_CLONES static void hinge_products(const double* cut, std::size_t n_intervals, double* table) {
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

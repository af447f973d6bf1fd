// The loops over one feature's bins: what each edge takes away, and which bins may hide a better cut.
// Invariant: a bin that could hold the winner is always marked (bounds allow for rounding); gains of edges are
// rough, computed exactly later. Cost: 1-3 ns a bin in wide registers. Source: the decrease is convex in the sums of
// the left side, so inside a bin it is largest at a corner of the possible sums (two classes); or sqrt(decrease), a
// norm of the difference of means, leaves its chord by at most sigma sqrt(k (c - k)).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "encode/coding.hpp"
#include "parallel/simd_clones.hpp"

namespace boxwood::coded {

using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int STEP = BINS + 1;  // edges of a feature: sums below each bin, and the total

// One node's two-class totals as the loops over bins read them.
struct PairTotals {
  double n, ones, least;  // least: rows each side must have
};

inline double rows_of(u64 cell) { return static_cast<std::int32_t>(cell); }
inline double ones_of(u64 cell) { return static_cast<std::int32_t>(cell >> 32); }

// 2 d^2 / (n l r) at every edge; -1 where no cut is allowed. `cells`: rows in the lower half, ones in the upper.
BOXWOOD_CLONES inline void pair_edges(const u64* cells, const PairTotals& of, double* rough) {
  const double n = of.n, ones = of.ones, least = of.least, unit = 2 / n;
  for (int b = 0; b < BINS; ++b) {
    const double l = rows_of(cells[b]), d = ones_of(cells[b]) * n - l * ones, r = n - l;
    const double gain = d * d * unit / (l * r);
    rough[b] = ((l >= least) & (r >= least)) ? gain : -1.0;
  }
}

// Whether a corner of the possible sums inside a bin attains `threshold` = decrease * n / 2.
BOXWOOD_CLONES inline bool pair_bins(const u64* cells, const PairTotals& of, double threshold,
                                     std::uint8_t* candidates) {
  const double n = of.n, ones = of.ones, least = of.least;
  int any = 0;
  for (int b = 0; b < BINS; ++b) {
    const double l = rows_of(cells[b]), l1 = ones_of(cells[b]), to = rows_of(cells[b + 1]), to1 = ones_of(cells[b + 1]);
    const double inside = to1 - l1, a = l + inside, z = to - inside;
    const double da = to1 * n - a * ones, dz = l1 * n - z * ones;
    const int attained = (da * da >= threshold * (a * (n - a))) | (dz * dz >= threshold * (z * (n - z)));
    const int can = attained & (to - l > 1) & (to > least) & (n - l > least);
    candidates[b] = static_cast<std::uint8_t>(can);
    any |= can;
  }
  return any != 0;
}

// What the loops over one feature's bins compute: what every edge takes away, and what bounds the cuts inside.
struct EdgeScan {
  double gains[STEP];
  double rows[STEP], mass[STEP];  // below each edge: their number, and what they weigh
  double squares[BINS];  // c times the sum of squared differences from the bin's mean
  double left[STEP], right[STEP];  // of classes, what each side adds up: squares, or weight times impurity
};

// How far the sums of a bin's c rows may leave the chord: max over k of k (c - k) (1 / l + 1 / r), from above.
inline double most_deviation(double c, double before, double after) {
  const double most = c * c / 4;
  return (most < before * c ? most / before : c) + (most < after * c ? most / after : c);
}

// What a cut must attain: the root of its decrease, and the rows on each side.
struct Attained {
  double root, least;
};

// Whether the larger of the edges' norms plus how far a cut inside deviates from between them attains `root`. It
// deviates at most c^2 / 4 (1 / l + 1 / r), and at most 2 c. Squares are compared, so that it is one loop in wide
// registers.
BOXWOOD_CLONES inline bool norm_bins(const EdgeScan& of, const Attained& threshold, std::uint8_t* candidates) {
  const double n = of.rows[BINS], total = of.mass[BINS], least = threshold.least,
               needed = threshold.root > 0 ? threshold.root * threshold.root * (1 - 1e-8) : 0;
  int any = 0;
  for (int b = 0; b < BINS; ++b) {
    const double l = of.mass[b], to = of.mass[b + 1], c = to - l, r = total - to;
    const double gain = of.gains[b] > of.gains[b + 1] ? of.gains[b] : of.gains[b + 1];
    const double even = of.squares[b] * (l + r) / (4 * (l * r)), most = 2 * of.squares[b] / c;
    const double deviation = even < most ? even : most, rest = needed - gain - deviation;
    const int attained = !(rest > 0) | !(4 * gain * deviation < rest * rest);
    const double before = of.rows[b], after = of.rows[b + 1];
    const int can = attained & (after - before > 1) & (after > least) & (n - before > least);
    candidates[b] = static_cast<std::uint8_t>(can);
    any |= can;
  }
  return any != 0;
}

// The greatest of the numbers at the edges between bins, none of them NaN; eight at a time.
BOXWOOD_CLONES inline double greatest_inside(const double* of_edges) {
  double most[8];
  for (int k = 0; k < 8; ++k) most[k] = of_edges[k + 1];
  for (int b = 8; b < BINS; b += 8)
    for (int k = 0; k < 8; ++k) most[k] = of_edges[b + k] > most[k] ? of_edges[b + k] : most[k];
  return *std::max_element(most, most + 8);
}

// a / l + b / r - whole at every edge, never below 0.
BOXWOOD_CLONES inline void square_gains(double whole, EdgeScan& out) {
  const double n = out.mass[BINS];
  for (int b = 0; b < STEP; ++b) {
    const double l = out.mass[b], r = n - l;
    const double gain = out.left[b] / (l > 0 ? l : 1) + out.right[b] / (r > 0 ? r : 1) - whole;
    out.gains[b] = gain > 0 ? gain : 0;
  }
  for (int b = 0; b < BINS; ++b) {
    const double c = out.mass[b + 1] - out.mass[b], about = c * c - out.squares[b];
    out.squares[b] = (about > 0 ? about : 0) + 1e-12 * c * c;
  }
}

// A class in a node: its mass, and what each of its rows counts.
struct ClassOfNode {
  double mass, factor;
};
inline double number(u32 count) { return static_cast<std::int32_t>(count); }
inline double number(i64 sum) { return static_cast<double>(sum); }

// Adds a class to the masses below each edge, to the sums of squares of either side, and to those inside each bin.
template <class Count>
BOXWOOD_INLINE void add_counts(const Count* below, const ClassOfNode& of, EdgeScan& out) {
  for (int b = 0; b < STEP; ++b) {
    const double l = of.factor * number(below[b]), r = of.mass - l;
    out.mass[b] += l;
    out.left[b] += l * l;
    out.right[b] += r * r;
  }
  for (int b = 0; b < BINS; ++b) {
    const double c = of.factor * number(below[b + 1] - below[b]);
    out.squares[b] += c * c;
  }
}
BOXWOOD_CLONES inline void add_class(const u32* below, const ClassOfNode& of, EdgeScan& out) {
  add_counts(below, of, out);
}
BOXWOOD_CLONES inline void add_class(const i64* below, const ClassOfNode& of, EdgeScan& out) {
  add_counts(below, of, out);
}

// One node's totals as the loops over bins read them: mass, its sum about the node's mean, and the rows each side must
// get.
struct MeanSides {
  double n, total, least;
};

// What the edges of one feature take away by the mean, `sums` below each edge; -1 in `rough` where no cut is allowed.
BOXWOOD_CLONES inline void mean_gains(const double* sums, const MeanSides& of, EdgeScan& out, double* rough) {
  const double n = of.n, total = of.total, least = of.least, all = out.rows[BINS];
  for (int b = 0; b < STEP; ++b) {
    const double l = out.mass[b], d = sums[b] * n - total * l, w = n * l * (n - l), gain = d * d / (w > 0 ? w : 1);
    out.gains[b] = w > 0 ? gain : 0;
  }
  for (int b = 0; b < BINS; ++b) {
    const double l = out.rows[b], r = all - l;
    rough[b] = ((l >= least) & (r >= least) & (l > 0) & (r > 0)) ? out.gains[b] : -1.0;
  }
}

// From sums of squares below each edge and sums inside each bin. `tolerance`: how far the squares may be off.
BOXWOOD_CLONES inline void spread_inside(const double* squares_below, const double* sums_inside, double tolerance,
                                         EdgeScan& out) {
  for (int b = 0; b < BINS; ++b) {
    const double c = out.mass[b + 1] - out.mass[b], sum = sums_inside[b],
                 here = squares_below[b + 1] - squares_below[b] + tolerance;
    const double about = here * c - sum * sum;
    out.squares[b] = (about > 0 ? about : 0.0) + 1e-12 * here * c;
  }
}

// Which bins hold a cut that keeps enough rows on both sides and satisfies `can_attain(bin)`. `rows(b)`: below edge b.
template <class RowsBelow, class CanExceed>
bool each_bin(const RowsBelow& rows, i64 n, i64 least, const CanExceed& can_attain, std::uint8_t* candidates) {
  bool any = false;
  for (int b = 0; b < BINS; ++b) {
    const i64 l = rows(b), to = rows(b + 1);
    candidates[b] = to - l > 1 && to > least && n - l > least && can_attain(b, l, to);
    any = any || candidates[b];
  }
  return any;
}

}  // namespace boxwood::coded

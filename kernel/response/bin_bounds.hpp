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

// Bounds by the norm of the difference of means: rows and one number a bin, as the loops over bins read them.
struct BinSums {
  double rows[STEP];  // below each edge
  double mass[STEP];  // what these rows weigh, where that is not their number
  double squares[BINS];  // c times the sum of squared differences from the bin's mean
};

// How far the sums of a bin's c rows may leave the chord: max over k of k (c - k) (1 / l + 1 / r), from above.
inline double strayed(double c, double before, double after) {
  const double most = c * c / 4;
  return (most < before * c ? most / before : c) + (most < after * c ? most / after : c);
}

// What a cut must attain: the root of its decrease, and the rows on each side.
struct Attained {
  double root, least;
};

// Bins that norm_bins marks, and perhaps more; neither divides nor takes a root, so that it is one loop in wide
// registers. A root is at most any of its tangents, how far a cut strays at most c^2 / 4 (1 / l + 1 / r), and at
// most 2 c.
BOXWOOD_CLONES inline int norm_suspects(const BinSums& of, const double* gains, const Attained& threshold,
                                        const double* mass, std::uint8_t* suspect) {
  const double n = of.rows[BINS], total = mass[BINS], least = threshold.least,
               root = threshold.root > 0 ? threshold.root * (1 - 1e-9) : 0;
  const double a = root / 4, z = root / 16, half = root > 0 ? 0.5 / root : 0, half_a = 4 * half, half_z = 16 * half;
  int any = 0;
  for (int b = 0; b < BINS; ++b) {
    const double l = mass[b], to = mass[b + 1], c = to - l, r = total - to, squares = of.squares[b];
    const double gain = gains[b] > gains[b + 1] ? gains[b] : gains[b + 1];
    const double one = gain * half + root / 2, two = gain * half_a + a / 2, three = gain * half_z + z / 2;
    const double low = one < two ? one : two, edge = low < three ? low : three;
    const double gap = (root - edge) * (1 - 1e-8), far = gap * gap;
    const int can = (gap <= 0) | ((4 * far * (l * r) <= squares * (l + r)) & (far * c <= 2 * squares));
    const double before = of.rows[b], after = of.rows[b + 1];
    const int wants = can & (after - before > 1) & (after > least) & (n - before > least);
    suspect[b] = static_cast<std::uint8_t>(wants);
    any |= wants;
  }
  return any;
}

// Whether max of the edges' norms plus how far a cut inside strays from between them attains `root`.
inline bool norm_bins(const BinSums& of, const double* gains, const Attained& threshold, const double* mass,
                      std::uint8_t* candidates) {
  if (!norm_suspects(of, gains, threshold, mass, candidates)) return false;
  if (!(threshold.root > 0)) return true;
  const double total = mass[BINS];
  int any = 0;
  for (int b = 0; b < BINS; ++b) {
    if (!candidates[b]) continue;
    const double c = mass[b + 1] - mass[b];
    const double edge = std::sqrt(std::max(gains[b], gains[b + 1]));
    const double gap = (threshold.root - edge) * (1 - 1e-9);
    const int can = (gap <= 0) | (of.squares[b] * strayed(c, mass[b], total - mass[b + 1]) >= gap * gap * (c * c));
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
BOXWOOD_CLONES inline void square_gains(const double* rows, const double* left, const double* right, double whole,
                                        double* gains) {
  const double n = rows[BINS];
  for (int b = 0; b < STEP; ++b) {
    const double l = rows[b], r = n - l;
    const double gain = left[b] / (l > 0 ? l : 1) + right[b] / (r > 0 ? r : 1) - whole;
    gains[b] = gain > 0 ? gain : 0;
  }
}

BOXWOOD_CLONES inline void add_squares(const u32* counts, double total, double* rows, double* left, double* right,
                                       double* inside) {
  for (int b = 0; b < STEP; ++b) {
    const double l = static_cast<std::int32_t>(counts[b]), r = total - l;
    rows[b] += l;
    left[b] += l * l;
    right[b] += r * r;
  }
  for (int b = 0; b < BINS; ++b) {
    const double c = static_cast<std::int32_t>(counts[b + 1] - counts[b]);
    inside[b] += c * c;
  }
}

// What the loops over one feature's bins compute: gains at every edge, and what bounds the cuts inside.
struct EdgeScan {
  double gains[STEP];
  BinSums bins;
};

// One node's totals as the loops over bins read them: mass, its sum about the node's mean, and the rows each side must
// get.
struct MeanSides {
  double n, total, least;
};

// What the edges of one feature take away by the mean, rows and mass below an edge and their sums known; -1 in `rough`
// where no cut is allowed.
BOXWOOD_CLONES inline void mean_gains(const double* rows, const double* mass, const double* sums, const MeanSides& of,
                                      double* gains, double* rough) {
  const double n = of.n, total = of.total, least = of.least, all = rows[BINS];
  for (int b = 0; b < STEP; ++b) {
    const double l = mass[b], d = sums[b] * n - total * l, w = n * l * (n - l), gain = d * d / (w > 0 ? w : 1);
    gains[b] = w > 0 ? gain : 0;
  }
  for (int b = 0; b < BINS; ++b) {
    const double l = rows[b], r = all - l;
    rough[b] = ((l >= least) & (r >= least) & (l > 0) & (r > 0)) ? gains[b] : -1.0;
  }
}

// From sums and sums of squares below each edge: of each bin c times the sum of squared differences from its mean.
// `slop`: how far the squares may be off.
BOXWOOD_CLONES inline void spread_inside(const double* rows, const double* squares_below, const double* sums_inside,
                                         double slop, double* squares) {
  for (int b = 0; b < BINS; ++b) {
    const double c = rows[b + 1] - rows[b], sum = sums_inside[b], here = squares_below[b + 1] - squares_below[b] + slop;
    const double about = here * c - sum * sum;
    squares[b] = (about > 0 ? about : 0.0) + 1e-12 * here * c;
  }
}

// Which bins hold a cut that keeps enough rows on both sides and satisfies `can_exceed(bin)`. `rows(b)`: below edge b.
template <class RowsBelow, class CanExceed>
bool each_bin(const RowsBelow& rows, i64 n, i64 least, const CanExceed& can_exceed, std::uint8_t* candidates) {
  bool any = false;
  for (int b = 0; b < BINS; ++b) {
    const i64 l = rows(b), to = rows(b + 1);
    candidates[b] = to - l > 1 && to > least && n - l > least && can_exceed(b, l, to);
    any = any || candidates[b];
  }
  return any;
}

}  // namespace boxwood::coded

// The loops over one feature's bins: what each edge takes away, and which bins may hide a better cut.
// Invariant: a bin that could hold the winner is always wanted (bounds leave room for rounding); edges are rough, judged exactly later.
// Cost: 1-3 ns a bin in wide registers.
// Source: the decrease is convex in the sums of the left side, so inside a bin it is largest at a corner of what can be reached
// (two classes); or sqrt(decrease), a norm of the difference of means, leaves its chord by at most sigma sqrt(k (c - k)).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "clones.hpp"
#include "coding.hpp"

namespace boxwood::coded {

using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int STEP = BINS + 1;  // edges of a feature: sums below each bin, and the total

// One node's two-class totals as the loops over bins read them.
struct PairTotals {
  double n, ones, least;  // least: rows each side must get
};

inline double rows_of(u64 cell) { return static_cast<std::int32_t>(cell); }
inline double ones_of(u64 cell) { return static_cast<std::int32_t>(cell >> 32); }

// 2 d^2 / (n l r) at every edge; -1 where no cut may stand. `cells`: rows in the lower half, ones in the upper.
BOXWOOD_CLONES inline void pair_edges(const u64* cells, const PairTotals& of, double* rough) {
  const double n = of.n, ones = of.ones, least = of.least, unit = 2 / n;
  for (int b = 0; b < BINS; ++b) {
    const double l = rows_of(cells[b]), d = ones_of(cells[b]) * n - l * ones, r = n - l;
    const double gain = d * d * unit / (l * r);
    rough[b] = ((l >= least) & (r >= least)) ? gain : -1.0;
  }
}

// Whether a corner of what can be reached inside a bin attains `bar` = decrease * n / 2.
BOXWOOD_CLONES inline bool pair_bins(const u64* cells, const PairTotals& of, double bar, std::uint8_t* wanted) {
  const double n = of.n, ones = of.ones, least = of.least;
  int any = 0;
  for (int b = 0; b < BINS; ++b) {
    const double l = rows_of(cells[b]), l1 = ones_of(cells[b]), to = rows_of(cells[b + 1]), to1 = ones_of(cells[b + 1]);
    const double inside = to1 - l1, a = l + inside, z = to - inside;
    const double da = to1 * n - a * ones, dz = l1 * n - z * ones;
    const int reached = (da * da >= bar * (a * (n - a))) | (dz * dz >= bar * (z * (n - z)));
    const int may = reached & (to - l > 1) & (to > least) & (n - l > least);
    wanted[b] = static_cast<std::uint8_t>(may);
    any |= may;
  }
  return any != 0;
}

// Bounds by the norm of the difference of means: rows and one number a bin, as the loops over bins read them.
struct BinSums {
  double rows[STEP];     // below each edge
  double squares[BINS];  // c times the sum of squared differences from the bin's mean
};

// How far the sums of a bin's c rows may leave the chord: max over k of k (c - k) (1 / l + 1 / r), from above.
inline double strayed(double c, i64 before, i64 after) {
  const double most = c * c / 4;
  return std::min(most / static_cast<double>(std::max<i64>(before, 1)), c) + std::min(most / static_cast<double>(std::max<i64>(after, 1)), c);
}

// Whether max of the edges' norms plus how far a cut inside may stray from between them attains `root`.
BOXWOOD_CLONES inline bool norm_bins(const BinSums& of, const double* gains, double root, double least, std::uint8_t* wanted) {
  const double n = of.rows[BINS];
  int any = 0;
  for (int b = 0; b < BINS; ++b) {
    const double l = of.rows[b], to = of.rows[b + 1], c = to - l, r = n - to, most = c * c / 4;
    const double at_left = most / (l > 1 ? l : 1), at_right = most / (r > 1 ? r : 1);
    const double strayed = (at_left < c ? at_left : c) + (at_right < c ? at_right : c);
    const double edge = std::sqrt(gains[b] > gains[b + 1] ? gains[b] : gains[b + 1]);
    const double gap = (root - edge) * (1 - 1e-9);
    const int may = (gap <= 0) | (of.squares[b] * strayed >= gap * gap * (c * c));
    const int wants = may & (c > 1) & (to > least) & (n - l > least);
    wanted[b] = static_cast<std::uint8_t>(wants);
    any |= wants;
  }
  return any != 0;
}

// a / l + b / r - whole at every edge, never below 0.
BOXWOOD_CLONES inline void square_gains(const double* rows, const double* left, const double* right, double whole, double* gains) {
  const double n = rows[BINS];
  for (int b = 0; b < STEP; ++b) {
    const double l = rows[b], r = n - l;
    const double gain = left[b] / (l > 0 ? l : 1) + right[b] / (r > 0 ? r : 1) - whole;
    gains[b] = gain > 0 ? gain : 0;
  }
}

BOXWOOD_CLONES inline void add_squares(const u32* counts, double total, double* rows, double* left, double* right, double* inside) {
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

// What the loops over one feature's bins leave behind: gains at every edge, and what bounds the cuts inside.
struct Outlook {
  double gains[STEP];
  BinSums bins;
};

}  // namespace boxwood::coded

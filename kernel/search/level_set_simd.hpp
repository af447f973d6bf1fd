// What every set of a few levels takes away by Gini, eight sets at a time.
// Invariant: sets stand in Gray-code order, the last level in none; eight that follow each other differ only in the
// first three levels. Cost: about a step of wide registers for eight sets, and one more for each level where a later
// level moves.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "parallel/simd_clones.hpp"
#include "search/gray_code.hpp"

namespace boxwood::set_lanes {

constexpr std::size_t LANES = 8;
constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr int LOW = 3;  // levels that differ within eight sets

// Of eight sets of the first three levels.
struct Lanes {
  double has[LOW][LANES], squares[LANES], along[LANES], mass[LANES], rows[LANES];
};

// What is asked, of a node and its levels. `products`: of all pairs of levels, `stride` numbers a level.
struct Asked {
  const double *products, *with_all, *mass;  // by level
  std::size_t stride;
  double n, of_all;  // the node's mass, its sum of squares
  double doubt, per_share;  // of a set: doubt + per_share (1 / l + 1 / r)
  const std::int64_t* rows;
  double all_rows, least_rows;
};

// What stands left of all sets at hand; `with`: its products with all levels.
struct Left {
  double squares, along, mass, rows;
  double* with;
};

// The sets of eight that follow each other; `odd`: among eights of odd number the third level starts on the left.
inline Lanes low_sets(const Asked& of, bool odd) {
  Lanes out{};
  for (std::size_t i = 0; i < LANES; ++i) {
    const std::uint64_t set = subset(i) ^ (odd ? 4 : 0);
    for (int g = 0; g < LOW; ++g) {
      if (!(set >> g & 1)) continue;
      out.has[g][i] = 1;
      out.along[i] += of.with_all[g];
      out.mass[i] += of.mass[g];
      out.rows[i] += static_cast<double>(of.rows[g]);
      for (int h = 0; h < LOW; ++h)
        if (set >> h & 1) out.squares[i] += of.products[g * of.stride + h];
    }
  }
  return out;
}

// What each of eight sets takes away for sure, and at most, where both sides keep enough rows.
BOXWOOD_CLONES inline void look_at_eight(const Asked& asked, const Lanes& low, const Left& left, double* sure,
                                         double* most) {
  const Asked of = asked;
  const double c0 = 2 * left.with[0], c1 = 2 * left.with[1], c2 = 2 * left.with[2], whole = of.of_all / of.n;
  const double squares_left = left.squares, along_left = left.along, mass_left = left.mass, rows_left = left.rows;
  double about[LANES], doubt[LANES], enough[LANES];
  for (std::size_t i = 0; i < LANES; ++i) {
    const double squares =
        squares_left + low.squares[i] + (c0 * low.has[0][i] + c1 * low.has[1][i] + c2 * low.has[2][i]);
    const double rest = squares - 2 * (along_left + low.along[i]) + of.of_all, mass = mass_left + low.mass[i];
    const double a = 1 / mass, b = 1 / (of.n - mass);
    about[i] = squares * a + rest * b - whole;
    doubt[i] = of.doubt + of.per_share * (a + b);
  }
  for (std::size_t i = 0; i < LANES; ++i) {
    const double rows = rows_left + low.rows[i], rest = of.all_rows - rows;
    enough[i] = rows < rest ? rows : rest;
  }
  for (std::size_t i = 0; i < LANES; ++i) {
    // A side so light that its mass vanishes gives no number: then the measure must say.
    const double high = about[i] + doubt[i], least = about[i] - doubt[i];
    const double at_most = high == high ? high : INFINITE, at_least = least == least ? least : -INFINITE;
    most[i] = enough[i] < of.least_rows ? -INFINITE : at_most;
    sure[i] = enough[i] < of.least_rows ? -INFINITE : at_least;
  }
}

// `out` becomes the larger of both.
BOXWOOD_CLONES inline void raise_each(const double* by, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = by[i] > out[i] ? by[i] : out[i];
}

// Moves a level to the left or back.
inline void move(const Asked& of, std::size_t g, double sign, Left& left) {
  const double* with = of.products + g * of.stride;
  left.squares += sign * 2 * left.with[g] + with[g];
  left.along += sign * of.with_all[g];
  left.mass += sign * of.mass[g];
  left.rows += sign * static_cast<double>(of.rows[g]);
  for (std::size_t h = 0; h < of.stride; ++h) left.with[h] += sign * with[h];
}

// The most of some numbers.
inline double most_of(const std::vector<double>& numbers) {
  double most[LANES];
  std::copy_n(numbers.data(), LANES, most);
  for (std::size_t i = LANES; i < numbers.size(); i += LANES)
    for (std::size_t k = 0; k < LANES; ++k) most[k] = numbers[i + k] > most[k] ? numbers[i + k] : most[k];
  return *std::max_element(most, most + LANES);
}

// What sets take away, for sure and at most.
struct Reaches {
  std::vector<double> sure, most;
};

// All sets but the empty one, as many as `out` has room for.
inline void look(const Asked& of, Left left, Reaches& out) {
  const Lanes low[2] = {low_sets(of, false), low_sets(of, true)};
  Lanes first = low[0];
  first.rows[0] = -INFINITE;
  look_at_eight(of, first, left, out.sure.data(), out.most.data());
  for (std::size_t i = 1; i < out.most.size() / LANES; ++i) {
    const auto [g, sign] = moved_to(i);
    move(of, LOW + g, sign, left);
    look_at_eight(of, low[i & 1], left, &out.sure[i * LANES], &out.most[i * LANES]);
  }
}

}  // namespace boxwood::set_lanes

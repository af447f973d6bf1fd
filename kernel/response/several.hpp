// Several responses at once: numbers, each by its sum of squares, or classes, each by Gini. A class is a number too, 1
// in its rows and 0 in others, whose variances add up to Gini; so a row is a vector, of a column a number or a class,
// and a cut takes away the sum over the columns of what it takes away of each, times the column's factor.
// Invariant: sums are whole numbers; decreases are sums of doubles in the order of the columns; a bound never holds
// back a cut that would win. Cost: a cell is a word for each column and two or three beside, 16 bytes each with
// weights. Source: the root of a decrease is a norm of the difference of two means, of vectors as of numbers
// (response/bin_bounds.hpp).
#pragma once

#include "response/mean.hpp"
#include "response/several_scanner.hpp"

namespace boxwood::coded {

template <bool weighted>
struct SeveralSums {
  i64 n = 0, weight = 0;
  Wide squares = 0;
  std::vector<MeanSums<weighted>> of;  // of each column; none = all are 0
};

template <bool weighted_>
struct SeveralOf {
  static constexpr bool weighted = weighted_;
  static constexpr bool parts_exactly = !weighted, one_cell = false, has_low_parts = false;
  static constexpr bool has_many_classes = true, falls_in_rpart = false;
  using Cell = std::conditional_t<weighted, Wide, i64>;
  using Scanner = SeveralScanner<SeveralOf>;
  using Sums = SeveralSums<weighted>;
  using One = MeanOf<weighted>;

  // A column for each number or class, counted from its origin, then the squares of the row: the sum over the columns
  // of factor times square, rounded up.
  const i64* rows;
  int columns;
  const double* factors;
  double unit_of_squares;
  const i64* origins;
  bool are_classes;
  const i64* lows;  // below each number (statistics/exact.py), for means alone; nullptr = none
  const i64* weight_of = nullptr;  // nullptr = 1 each

  struct Rows {
    std::vector<i64> rows, lows, weight;
  };
  SeveralOf of(const u32* ids, u32 count, Rows& kept) const {
    SeveralOf here = *this;
    const auto step = static_cast<std::size_t>(columns);
    here.rows = taken(rows, ids, count, step + 1, kept.rows);
    here.lows = taken(lows, ids, count, step, kept.lows);
    here.weight_of = gathered(weight_of, ids, count, kept.weight);
    return here;
  }
  // Some rows of so many words, side by side.
  static const i64* taken(const i64* from, const u32* ids, u32 count, std::size_t step, std::vector<i64>& to) {
    if (!from) return nullptr;
    to.resize(std::max(to.size(), count * step));
    for (u32 i = 0; i < count; ++i) std::copy_n(from + ids[i] * step, step, to.data() + i * step);
    return to.data();
  }
  const i64* of_row(u32 id) const { return rows + id * (static_cast<std::size_t>(columns) + 1); }
  i64 w(u32 id) const { return weighted && weight_of ? weight_of[id] : 1; }
  double noise(const NodeStats&) const { return 2 * std::numeric_limits<double>::epsilon() * (3 * columns + 16); }
  static double tolerance(const Cell*) { return 0.0; }
  void prefetch(u32 id) const { BOXWOOD_PREFETCH(of_row(id), 3); }

  // The places of squares, rows and weight in a cell, after those of the columns.
  int place_of_squares() const { return columns; }
  int place_of_rows() const { return columns + 1; }
  int width() const { return columns + 2 + weighted; }
  i64 mass(const Cell* cell) const { return static_cast<i64>(cell[columns + 1 + weighted]); }
  struct Row {
    const i64* of;
    int columns;
    i64 weight;
  };
  Row row(u32 id) const { return {of_row(id), columns, w(id)}; }
  static void add(Cell* column, int bin, const Row& row, std::ptrdiff_t step) {
    for (int c = 0; c <= row.columns; ++c) column[c * step + bin] += static_cast<Cell>(row.of[c]) * row.weight;
    ++column[(row.columns + 1) * step + bin];
    if constexpr (weighted) column[(row.columns + 2) * step + bin] += row.weight;
  }
  static void add(Cell* column, int bin, const Row& row) { add(column, bin, row, STEP); }
  void add(Cell* cell, u32 id) const { add(cell, 0, row(id), 1); }
  i64 count(const Cell* cell) const { return static_cast<i64>(cell[place_of_rows()]); }

  void add(Sums& sums, u32 id) const {
    close(sums);
    const i64 *x = of_row(id), weight = w(id);
    const i64* low = lows ? lows + id * static_cast<std::size_t>(columns) : nullptr;
    for (int c = 0; c < columns; ++c) sums.of[static_cast<std::size_t>(c)].add(x[c], low ? low[c] : 0, weight);
    sums.squares += static_cast<Wide>(x[columns]) * weight;
    ++sums.n;
    sums.weight += weight;
  }
  void join(Sums& sums, const Sums& part) const {
    close(sums);
    for (std::size_t c = 0; c < part.of.size(); ++c) sums.of[c].join(part.of[c]);
    sums.squares += part.squares;
    sums.n += part.n;
    sums.weight += part.weight;
  }
  void remove(Sums& sums, const Sums& part) const {
    for (std::size_t c = 0; c < part.of.size(); ++c) sums.of[c] -= part.of[c];
    sums.squares -= part.squares;
    sums.n -= part.n;
    sums.weight -= part.weight;
  }
  void close(Sums& sums) const {
    if (sums.of.empty()) sums.of.resize(static_cast<std::size_t>(columns));
  }
  i64 weight(const Sums& sums) const { return sums.weight; }
  Sums sums_of(const Cell* cell, const NodeStats&) const {
    Sums sums;
    close(sums);
    sums.n = count(cell);
    sums.weight = mass(cell);
    sums.squares = cell[place_of_squares()];
    for (int c = 0; c < columns; ++c) {
      sums.of[static_cast<std::size_t>(c)].set_mass(sums.n, sums.weight);
      sums.of[static_cast<std::size_t>(c)].sum = cell[c];
    }
    return sums;
  }
  void fill(const Sums& sums, Cell* cell) const {
    std::fill_n(cell, width(), Cell{});
    for (std::size_t c = 0; c < sums.of.size(); ++c) cell[c] = static_cast<Cell>(sums.of[c].sum);
    cell[place_of_squares()] = static_cast<Cell>(sums.squares);
    cell[place_of_rows()] = sums.n;
    if constexpr (weighted) cell[columns + 2] = sums.weight;
  }

  NodeStats stats_of(const Sums& sums) const {
    NodeStats out;
    for (std::size_t c = 0; c < sums.of.size(); ++c) {
      const NodeStats one = One{nullptr, nullptr}.stats_of(sums.of[c]);
      out.pure = out.pure && one.pure;
      out.risk += factors[c] * one.risk;
    }
    out.scale = out.risk;
    return out;
  }
  int moments() const { return are_classes ? columns : 3 * columns; }
  // Of numbers weight, mean and squares of each, of classes the weight of each.
  void describe(const Sums& sums, const NodeStats&, const ResponseColumns& y, double* moments) const {
    for (std::size_t c = 0; c < sums.of.size(); ++c) {
      if (are_classes) {
        moments[c] = static_cast<double>(sums.of[c].sum + origins[c] * Wide{sums.weight}) * y.unit;
        continue;
      }
      ResponseColumns one = y;
      one.center = y.centers[c];
      one.scale = y.scales[c];
      const One here{nullptr, nullptr, nullptr, origins[c]};
      here.describe(sums.of[c], here.stats_of(sums.of[c]), one, moments + 3 * c);
    }
  }

  static double centred(Cell sum, i64 shift, i64 mass) { return as_double(sum - static_cast<Cell>(shift) * mass); }
  // The whole number nearest to a mean, half up; 0 of no mass.
  static i64 nearest(Wide sum, i64 mass) {
    if (mass == 0) return 0;
    const Share half_up = Share::of(2 * sum + mass, 2 * mass);
    return static_cast<i64>(half_up.whole - (half_up.rest < 0));
  }
  bool needs_sets() const { return true; }
  void place(const Cell* cell, const Cell* total, std::vector<double>& sums, std::vector<double>& masses) const {
    masses.push_back(static_cast<double>(mass(cell)));
    for (int c = 0; c < columns; ++c) {
      const i64 shift = nearest(total[c], mass(total));
      sums.push_back(std::sqrt(factors[c]) * centred(cell[c], shift, mass(cell)));
    }
  }
  double mean(const Cell* cell, const NodeStats&) const { return as_double(cell[0]) / static_cast<double>(mass(cell)); }
  double impurity(const Cell* cell, const NodeStats&) const {
    double out = 0;
    for (int c = 0; c < columns && mass(cell) > 0; ++c)
      out -= factors[c] * as_double(cell[c]) * as_double(cell[c]) / static_cast<double>(mass(cell));
    return out;
  }

  double drawn(const Sums&, const NodeStats&, const ValueLimits&) const { return 0.0; }  // means have no order

  // Sums are counted from the node's rounded means, so that they do not cancel.
  struct UpperBound {
    const SeveralOf* y;
    i64 n;
    double N, threshold = -1, root = -1;
    CellBuffer<i64> shift;
    Doubles total;  // of each column, about its shift

    UpperBound(const SeveralOf& y, const Sums& sums, const NodeStats&)
        : y(&y), n(sums.n), N(static_cast<double>(sums.weight)), shift(y.columns), total(y.columns) {
      for (int c = 0; c < y.columns; ++c) {
        const Wide sum = sums.of.empty() ? Wide{0} : sums.of[static_cast<std::size_t>(c)].sum;
        shift.data()[c] = nearest(sum, sums.weight);
        total.data()[c] = centred(static_cast<Cell>(sum), shift.data()[c], sums.weight);
      }
    }
    void set_threshold(double least) {
      threshold = least > 0 ? least * SURELY * N : -1;
      root = least > 0 ? std::sqrt(least) * SURELY : -1;
    }
    // Sum over the columns of factor times the square of the left side's sum about the node's mean, times N^2.
    // `sum(c)`: about the shift.
    template <class Sum>
    double off(const Sum& sum, double l) const {
      double out = 0;
      for (int c = 0; c < y->columns; ++c) {
        const double d = sum(c) * N - total.data()[c] * l;
        out += y->factors[c] * (d * d);
      }
      return out;
    }
    double off(const Cell* left) const {
      const i64 mass = y->mass(left);
      return off([&](int c) { return centred(left[c], shift.data()[c], mass); }, static_cast<double>(mass));
    }
    bool attains(double off, double l) const { return !(off < threshold * (l * (N - l))); }
    double gain(double off, double l) const { return l > 0 && N - l > 0 ? off / (N * l * (N - l)) : 0.0; }
    bool can_attain(const Cell* left, i64) const { return attains(off(left), static_cast<double>(y->mass(left))); }
    double exact(const Cell* left, i64) const { return gain(off(left), static_cast<double>(y->mass(left))); }
    bool bin_can_attain(const Cell* from, i64, const Cell* to, i64) const {
      const auto before = static_cast<double>(y->mass(from)), c = static_cast<double>(y->mass(to)) - before;
      const int at = y->place_of_squares();
      double spread = as_double(to[at] - from[at]) * y->unit_of_squares;
      const double all = spread;
      for (int k = 0; k < y->columns; ++k) {
        const double sum = as_double(to[k] - from[k]);
        spread -= y->factors[k] * sum * sum / c;
      }
      const double inside = std::max(spread, 0.0) / c + 1e-11 * all / c;
      const double deviation = std::sqrt(inside * most_deviation(c, before, N - before - c));
      return std::sqrt(std::max(exact(from, 0), exact(to, 0))) + deviation * (1 + 1e-9) >= root;
    }
    void edges(const Cell* column, i64 least, EdgeScan& out, double* rough) const {
      const Cell *rows = column + y->place_of_rows() * STEP, *squares = column + y->place_of_squares() * STEP,
                 *masses = weighted ? rows + STEP : rows;
      for (int b = 0; b < STEP; ++b) {
        out.rows[b] = as_double(rows[b]);
        out.mass[b] = as_double(masses[b]);
        out.gains[b] = 0;
      }
      double inside[BINS];
      for (int b = 0; b < BINS; ++b) {
        inside[b] = 0;
        out.squares[b] = as_double(squares[b + 1] - squares[b]) * y->unit_of_squares;
      }
      for (int c = 0; c < y->columns; ++c) add_column(column + c * STEP, masses, c, out, inside);
      const auto all = static_cast<double>(n), m = static_cast<double>(least);
      for (int b = 0; b < STEP; ++b) out.gains[b] = gain(out.gains[b], out.mass[b]);
      for (int b = 0; b < BINS; ++b) {
        const double c = out.mass[b + 1] - out.mass[b], l = out.rows[b], r = all - l;
        out.squares[b] = std::max(out.squares[b] * c - inside[b], 0.0) + 1e-11 * out.squares[b] * c;
        rough[b] = l >= m && r >= m && l > 0 && r > 0 ? out.gains[b] : -1.0;
      }
    }
    // Adds what the edges of one column are off, and the squares of the sums inside bins.
    void add_column(const Cell* sums, const Cell* masses, int c, EdgeScan& out, double* inside) const {
      const double factor = y->factors[c], all = total.data()[c];
      const auto from = static_cast<Cell>(shift.data()[c]);
      for (int b = 0; b < STEP; ++b) {
        const double d = as_double(static_cast<Cell>(sums[b] - from * masses[b])) * N - all * out.mass[b];
        out.gains[b] += factor * (d * d);
      }
      for (int b = 0; b < BINS; ++b) {
        const double sum = as_double(static_cast<Cell>(sums[b + 1] - sums[b]));
        inside[b] += factor * (sum * sum);
      }
    }
    bool bins(const Cell*, i64 least, const EdgeScan& out, std::uint8_t* candidates) const {
      return norm_bins(out, {root, static_cast<double>(least)}, candidates);
    }
  };
};

using SeveralResponse = SeveralOf<false>;
// Rows weigh different amounts, or there are more than the narrow sums hold.
using WeightedSeveralResponse = SeveralOf<true>;

}  // namespace boxwood::coded

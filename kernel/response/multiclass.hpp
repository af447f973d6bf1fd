// Three and more classes whose rows weigh one: as response/binary.hpp, a word of the cell for each class.
// Invariant: sums are whole numbers; a bound never holds back a cut that would win.
// Source: weight times impurity F is concave and homogeneous, so F(a + b) >= F(a) + F(b): a cut inside a bin leaves at
// least the impurity of the rows left of the bin and of those right of it.
#pragma once

#include "response/class_counts.hpp"

namespace boxwood::coded {

// Up to MOST_CLASSES classes: a cell is a row of counts.
struct MulticlassResponse : ClassCounts<std::uint8_t> {
  using Cell = u32;
  using Sums = ClassSums;
  static constexpr bool weighted = false;
  static constexpr bool parts_exactly = true;  // a node less one child is the other
  static constexpr bool one_word = false;  // a cell, of the columns of a feature
  using Buffer = CellBuffer<Cell>;

  MulticlassResponse of(const u32* ids, u32 count, Rows& rows) const { return gathered_rows(*this, ids, count, rows); }
  u32 bit(u32 id) const { return code[id] & 1; }
  int width() const { return n_classes; }
  i64 weight(const Sums& sums) const { return sums.n; }
  void describe(const Sums& sums, const NodeStats&, const ResponseColumns& y, double* moments) const {
    describe_sums(sums.of.data(), y, moments);
  }
  void add(Cell* cell, u32 id) const { ++cell[code[id]]; }
  // What a row adds: one to the column that begins there.
  using Row = std::ptrdiff_t;
  Row row(u32 id) const { return code[id] * std::ptrdiff_t{STEP}; }
  static void add(Cell* column, int bin, Row row) { ++column[row + bin]; }
  void take(const Cell* column, int bin, Cell* out) const {
    for (int k = 0; k < n_classes; ++k) out[k] = column[k * STEP + bin];
  }
  i64 count(const Cell* cell) const {
    u32 n = 0;
    for (int k = 0; k < n_classes; ++k) n += cell[k];
    return n;
  }
  void add(Sums& sums, u32 id) const {
    ++sums.of[code[id]];
    ++sums.n;
  }
  void join(Sums& sums, const Sums& part) const { join_classes(sums, part, n_classes); }
  void remove(Sums& sums, const Sums& part) const { remove_classes(sums, part, n_classes); }
  void close(Sums&) const {}
  NodeStats stats_of(const Sums& sums) const { return stats_of_sums(sums.of.data()); }
  double noise(const Sums& sums, const NodeStats& stats) const { return noise_of(sums.of.data(), stats); }
  Sums sums_of(const Cell* cell, const NodeStats&) const {
    Sums sums;
    for (int k = 0; k < n_classes; ++k) sums.n += sums.of[k] = cell[k];
    return sums;
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = Classes<ClassMeasure>;
  Policy policy() const { return {n_classes, nullptr, measure}; }
  void spread(const Cell* cell, const NodeStats&, i64* out) const { std::copy_n(cell, n_classes, out); }

  struct UpperBound {
    const MulticlassResponse* y;
    Sums total;
    bool gini, errors;
    int K;
    double n, threshold = -1, root = -1, of_node = 0;  // Gini: the sum of squares over n; else weight times impurity

    UpperBound(const MulticlassResponse& y, const Sums& sums, const NodeStats&)
        : y(&y),
          total(sums),
          gini(y.measure->is<Gini>()),
          errors(y.measure->is<ClassificationError>()),
          K(y.n_classes),
          n(static_cast<double>(sums.n)) {
      if (!gini) of_node = impurity(sums.n, [&](int k) { return sums.of[k]; });
      for (int k = 0; gini && k < K; ++k)
        of_node += static_cast<double>(sums.of[k]) * static_cast<double>(sums.of[k]) / n;
    }
    template <class Count>
    double impurity(i64 rows, const Count& count) const {
      return y->measure->impurity_of_counts(K, rows, count);
    }
    void set_threshold(double least) {
      threshold = least - y->measure->slack(of_node, n);
      root = least > 0 ? std::sqrt(least) * SURELY : -1;
    }
    // What `left` and the rows right of `to` leave of the impurity, as a decrease but for rounding; of one edge, its
    // own.
    double nearly(const Cell* left, i64 l, const Cell* to, i64 l_to) const {
      return of_node - impurity(l, [&](int k) { return left[k]; }) -
             impurity(total.n - l_to, [&](int k) { return total.of[k] - to[k]; });
    }
    // What a cut between two edges takes away at most, but for rounding.
    double most_inside(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      if (!errors) return nearly(from, l, to, l_to);
      const double right = ClassificationError::most_right(
          K, [&](int k) { return static_cast<double>(to[k]); },
          [&](int k) { return static_cast<double>(total.of[k] - from[k]); });
      return std::max(right - (n - of_node), 0.0);
    }
    struct Squares {
      double left = 0, right = 0;
    };
    Squares squares(const Cell* left) const {
      Squares out;
      for (int k = 0; k < K; ++k) {
        const auto lk = static_cast<double>(left[k]), rk = static_cast<double>(total.of[k] - left[k]);
        out.left += lk * lk;
        out.right += rk * rk;
      }
      return out;
    }
    // Without a division: all is multiplied by the rows of both sides; the threshold's slack is far above what that
    // rounds.
    bool squares_attain(double left, double right, i64 l) const {
      const auto here = static_cast<double>(l), there = static_cast<double>(total.n - l);
      return !(left * there + right * here < (threshold + of_node) * (here * there));
    }
    bool can_exceed(const Cell* left, i64 l) const {
      if (!gini) return !(nearly(left, l, left, l) < threshold);
      const Squares of = squares(left);
      return squares_attain(of.left, of.right, l);
    }
    bool bin_can_exceed(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      if (!gini) return !(most_inside(from, l, to, l_to) < threshold);
      const auto c = static_cast<double>(l_to - l);
      double inside = 0;
      for (int k = 0; k < K; ++k) inside += static_cast<double>(to[k] - from[k]) * static_cast<double>(to[k] - from[k]);
      const double spread = 1 - inside / (c * c);
      return std::sqrt(std::max(gain(from, l), gain(to, l_to)) + 1e-9) +
                 std::sqrt(spread * strayed(c, static_cast<double>(l), static_cast<double>(total.n - l_to))) >=
             root;
    }
    double gain(const Cell* left, i64 l) const {
      const Squares of = squares(left);
      const i64 r = total.n - l;
      return std::max((l > 0 ? of.left / static_cast<double>(l) : 0.0) +
                          (r > 0 ? of.right / static_cast<double>(r) : 0.0) - of_node,
                      0.0);
    }
    void edges(const Cell* column, i64 least, EdgeScan& out, double* rough) const {
      gini ? scan_squares(column, out) : scan_edges(column, out);
      for (int b = 0; b < BINS; ++b) {
        const double l = out.bins.rows[b], m = static_cast<double>(least);
        rough[b] = l >= m && n - l >= m ? out.gains[b] : -1.0;
      }
    }
    bool bins(const Cell* column, i64 least, const EdgeScan& out, std::uint8_t* candidates) const {
      if (gini) return norm_bins(out.bins, out.gains, {root, static_cast<double>(least)}, out.bins.rows, candidates);
      Cell from[MOST_CLASSES], to[MOST_CLASSES];
      const auto can_hold = [&](int b, i64 l, i64 l_to) {
        y->take(column, b, from);
        y->take(column, b + 1, to);
        return bin_can_exceed(from, l, to, l_to);
      };
      return each_bin([&](int b) { return static_cast<i64>(out.bins.rows[b]); }, total.n, least, can_hold, candidates);
    }
    void scan_squares(const Cell* column, EdgeScan& out) const {
      double left[STEP] = {}, right[STEP] = {};
      std::fill_n(out.bins.rows, STEP, 0.0);
      std::fill_n(out.bins.squares, BINS, 0.0);
      for (int k = 0; k < K; ++k)
        add_squares(column + k * STEP, static_cast<double>(total.of[k]), out.bins.rows, left, right, out.bins.squares);
      for (int b = 0; b < BINS; ++b) {
        const double c = out.bins.rows[b + 1] - out.bins.rows[b];
        out.bins.squares[b] = c * c - out.bins.squares[b];
      }
      square_gains(out.bins.rows, left, right, of_node, out.gains);
    }
    void scan_edges(const Cell* column, EdgeScan& out) const {
      Cell cell[MOST_CLASSES];
      for (int b = 0; b < STEP; ++b) {
        y->take(column, b, cell);
        const i64 l = y->count(cell);
        out.bins.rows[b] = static_cast<double>(l);
        out.gains[b] = std::max(nearly(cell, l, cell, l), 0.0);
      }
    }
    double exact(const Cell* left, i64) const {
      i64 sums[MOST_CLASSES];
      for (int k = 0; k < K; ++k) sums[k] = left[k];
      return y->measure->many(sums, total.of.data(), K, nullptr);
    }
  };
};

}  // namespace boxwood::coded

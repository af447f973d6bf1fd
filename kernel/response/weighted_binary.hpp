// Two classes whose rows weigh different amounts, or whose classes count by factors (priors, costs, class weights).
// Invariant: sums are whole numbers; a bound never holds back a cut that would win.
// Cost: a cell is 24 bytes; about 2 ns an entry of a small node's list.
// Source: the decrease is convex in the masses of the left side and grows when rows of the rarer class leave it, so
// inside a bin it is largest at a mixed corner of the possible sums; entropy by x ln x - x + 1 <= u^2 / 2 (1 + max(u,
// 0)), u = 1 - x.
#pragma once

#include <numbers>

#include "response/class_counts.hpp"

namespace boxwood::coded {

struct PairCell : Additive<PairCell> {
  i64 of[2], n;
  PairCell() = default;
  PairCell(i64 first, i64 second, i64 rows) : of{first, second}, n(rows) {}
  auto fields() { return std::tie(of[0], of[1], n); }
};

struct WeightedBinaryResponse : ClassCounts<std::uint8_t> {
  using Cell = PairCell;
  struct Sums : Additive<Sums> {
    i64 of[2] = {0, 0}, n = 0;
    auto fields() { return std::tie(of[0], of[1], n); }
  };
  static constexpr bool weighted = true;
  static constexpr bool parts_exactly = false;
  static constexpr bool one_word = true;  // a cell, of the columns of a feature
  using Buffer = CellBuffer<Cell>;

  WeightedBinaryResponse of(const u32* ids, u32 count, Rows& rows) const {
    return gathered_rows(*this, ids, count, rows);
  }
  double noise(const Sums& sums, const NodeStats& stats) const { return noise_of(sums.of, stats); }
  u32 bit(u32 id) const { return code[id]; }
  int width() const { return 1; }
  void add(Cell* cell, u32 id) const {
    cell->of[code[id]] += w(id);
    ++cell->n;
  }
  // What a row adds to one cell of a column.
  using Row = Cell;
  Row row(u32 id) const {
    Row out{0, 0, 0};
    add(&out, id);
    return out;
  }
  static void add(Cell* column, int bin, const Row& row) { column[bin] += row; }
  void take(const Cell* column, int bin, Cell* out) const { *out = column[bin]; }
  i64 count(const Cell* cell) const { return cell->n; }
  void add(Sums& sums, u32 id) const {
    sums.of[code[id]] += w(id);
    ++sums.n;
  }
  void join(Sums& sums, const Sums& part) const { sums += part; }
  void remove(Sums& sums, const Sums& part) const { sums -= part; }
  void close(Sums&) const {}
  Sums sums_of(const Cell* cell, const NodeStats&) const {
    Sums sums;
    for (int k = 0; k < 2; ++k) sums.of[k] = cell->of[k];
    sums.n = cell->n;
    return sums;
  }
  i64 weight(const Sums& sums) const { return sums.of[0] + sums.of[1]; }
  NodeStats stats_of(const Sums& sums) const { return stats_of_sums(sums.of); }
  void describe(const Sums& sums, const NodeStats&, const ResponseColumns& y, double* moments) const {
    describe_sums(sums.of, y, moments);
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = Classes<ClassMeasure>;
  Policy policy() const { return {2, factors, measure}; }
  void spread(const Cell* cell, const NodeStats&, i64* out) const { std::copy_n(cell->of, 2, out); }

  struct UpperBound {
    const WeightedBinaryResponse* y;
    bool gini, entropy;
    i64 total[2], n;
    double A, B, N, of_node, threshold = -1;  // masses of the classes and of the node; its weight times impurity
    mutable double seen = 0;  // the most that an edge takes away, of those computed so far

    UpperBound(const WeightedBinaryResponse& y, const Sums& sums, const NodeStats&)
        : y(&y),
          gini(y.measure->is<Gini>()),
          entropy(y.measure->is<Entropy>()),
          total{sums.of[0], sums.of[1]},
          n(sums.n),
          A(mass(0, total[0])),
          B(mass(1, total[1])),
          N(A + B),
          of_node(impurity(A, B)) {}
    double mass(int k, i64 sum) const { return y->mass(k, sum); }
    double impurity(double a, double b) const {
      return y->measure->impurity(2, [&](int k) { return k ? b : a; });
    }
    void set_threshold(double least) {
      threshold = least - y->measure->slack(of_node, N);
      if (gini) threshold = threshold > 0 ? threshold * N / 2 : -1;
    }
    // Whether the square of the difference of shares bounds the measure.
    bool by_square() const { return gini || entropy; }
    // Whether left masses a and b attain the threshold; entropy is bounded from above without a logarithm.
    bool attains(double a, double b) const {
      if (!by_square()) return !(nearly(a, b) < threshold);
      const double l = a + b, r = N - l, d = b * N - l * B;
      if (gini) return !(d * d < threshold * (l * r));
      if (!(l > 0) || !(r > 0)) return !(threshold > 0);
      const double p0 = A / N, p1 = B / N, off = std::abs(d) / N;
      const double in_left = l * (d > 0 ? p0 : p1), in_right = r * (d > 0 ? p1 : p0);
      const double even = N / (p0 * p1 * l * r), more = off * (1 / (in_left * in_left) + 1 / (in_right * in_right));
      return !(off * off * (even + more) < threshold * (2 * std::numbers::ln2));
    }
    double nearly(double a, double b) const {
      return of_node - impurity(a, b) - impurity(std::max(A - a, 0.0), std::max(B - b, 0.0));
    }
    bool can_exceed(const Cell* left, i64) const { return attains(mass(0, left->of[0]), mass(1, left->of[1])); }
    bool bin_can_exceed(const Cell* from, i64, const Cell* to, i64) const {
      const double a0 = mass(0, from->of[0]), a1 = mass(0, to->of[0]), b0 = mass(1, from->of[1]),
                   b1 = mass(1, to->of[1]);
      return attains(a0, b1) || attains(a1, b0);
    }
    double rough_edge(const Cell* left) const {
      const double a = mass(0, left->of[0]), b = mass(1, left->of[1]), l = a + b;
      if (!by_square()) return std::max(nearly(a, b), 0.0);
      const double d = b * N - l * B, square = d * d / (l * (N - l));
      if (gini) return 2 * square / N;
      // Where even chi-squared is less than what was seen, logarithms add nothing.
      const double most = square * N / (A * B * std::numbers::ln2);
      if (most < seen * (1 - 1e-6) - 1e-9 * N) return most;
      const double gain = exact(left, 0);
      seen = std::max(seen, gain);
      return gain;
    }
    void edges(const Cell* column, i64 least, EdgeScan&, double* rough) const {
      for (int b = 0; b < BINS; ++b) {
        const i64 l = column[b].n;
        rough[b] = l > 0 && l >= least && n - l >= least && l < n ? rough_edge(column + b) : -1.0;
      }
    }
    bool bins(const Cell* column, i64 least, const EdgeScan&, std::uint8_t* candidates) const {
      return each_bin([&](int b) { return column[b].n; }, n, least,
                      [&](int b, i64 l, i64 to) { return bin_can_exceed(column + b, l, column + b + 1, to); },
                      candidates);
    }
    double exact(const Cell* left, i64) const { return y->decrease(left->of, total); }
  };
};

}  // namespace boxwood::coded

// Two classes whose rows weigh one: a cell of a table, the sums of a node, and cheap bounds of which cuts, and
// which bins of cuts, cannot win. Invariant: sums are whole numbers; a bound never holds back a cut that would win.
// Cost: a cell is one word; a cut is bounded in constant time.
#pragma once

#include "response/class_counts.hpp"

namespace boxwood::coded {

// A cell is (rows, rows of the second class) in the halves of one word, so tables subtract without a borrow.
struct BinaryResponse : ClassCounts<std::uint8_t> {
  using Cell = u64;
  using Sums = ClassSums;
  static constexpr bool weighted = false;
  static constexpr bool parts_exactly = true;  // a node less one child is the other
  static constexpr bool one_word = true;  // a cell, of the columns of a feature
  using Buffer = CellBuffer<Cell>;

  BinaryResponse of(const u32* ids, u32 count, Rows& rows) const { return gathered_rows(*this, ids, count, rows); }
  u32 bit(u32 id) const { return code[id]; }
  int width() const { return 1; }
  i64 weight(const Sums& sums) const { return sums.n; }
  void describe(const Sums& sums, const NodeStats&, const ResponseColumns& y, double* moments) const {
    describe_sums(sums.of.data(), y, moments);
  }
  // What a row adds to one cell of a column.
  using Row = Cell;
  Row row(u32 id) const { return 1 + (static_cast<u64>(code[id]) << 32); }
  static void add(Cell* column, int bin, Row row) { column[bin] += row; }
  void add(Cell* cell, u32 id) const { *cell += row(id); }
  void take(const Cell* column, int bin, Cell* out) const { *out = column[bin]; }
  i64 count(const Cell* cell) const { return static_cast<u32>(*cell); }
  void add(Sums& sums, u32 id) const {
    sums.of[1] += code[id];
    ++sums.n;
  }
  void join(Sums& sums, const Sums& part) const { join_classes(sums, part, 2); }
  void remove(Sums& sums, const Sums& part) const { remove_classes(sums, part, 2); }
  void close(Sums& sums) const { sums.of[0] = sums.n - sums.of[1]; }
  NodeStats stats_of(const Sums& sums) const { return stats_of_sums(sums.of.data()); }
  double noise(const Sums& sums, const NodeStats& stats) const { return noise_of(sums.of.data(), stats); }
  Sums sums_of(const Cell* cell, const NodeStats&) const {
    Sums sums;
    sums.n = static_cast<u32>(*cell);
    sums.of[1] = static_cast<i64>(*cell >> 32);
    close(sums);
    return sums;
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = TwoCounts<ClassMeasure>;
  Policy policy() const { return {measure}; }
  void spread(const Cell* cell, const NodeStats&, i64* out) const {
    out[1] = static_cast<i64>(*cell >> 32);
    out[0] = static_cast<u32>(*cell) - out[1];
  }

  struct UpperBound {
    const BinaryResponse* y;
    i64 total[2], n, ones;
    bool gini;
    const double* logs;  // x log2 x, where entropy is looked up
    double threshold = -1, of_node = 0;

    UpperBound(const BinaryResponse& y, const Sums& sums, const NodeStats&)
        : y(&y),
          total{sums.of[0], sums.of[1]},
          n(sums.n),
          ones(sums.of[1]),
          gini(y.measure->is<Gini>()),
          logs(y.measure->logs()) {
      if (!gini) of_node = impurity(n, ones);
    }
    double impurity(i64 l, i64 l1) const {
      return y->measure->impurity_of_counts(2, l, [&](int k) { return k ? l1 : l - l1; });
    }
    void set_threshold(double least) {
      if (gini)
        threshold = least > 0 ? least * SURELY * static_cast<double>(n) / 2 : -1;
      else
        threshold = least - slack();
    }
    double slack() const { return y->measure->slack(of_node, static_cast<double>(n)); }
    bool attains(i64 l, i64 l1) const {
      if (!gini) return !(nearly(l, l1) < threshold);
      const auto d = static_cast<double>(l1 * n - l * ones);
      return !(d * d < threshold * static_cast<double>(l * (n - l)));
    }
    double nearly(i64 l, i64 l1) const {
      const i64 r = n - l, r1 = ones - l1;
      if (logs) return of_node - (logs[l] - logs[l1] - logs[l - l1]) - (logs[r] - logs[r1] - logs[r - r1]);
      return of_node - impurity(l, l1) - impurity(r, r1);
    }
    bool can_exceed(const Cell* left, i64 l) const { return attains(l, static_cast<i64>(*left >> 32)); }
    bool bin_can_exceed(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      const auto before = static_cast<i64>(*from >> 32), inside = static_cast<i64>(*to >> 32) - before;
      return attains(l + inside, before + inside) || attains(l_to - inside, before);
    }
    void edges(const Cell* column, i64 least, EdgeScan&, double* rough) const {
      if (gini) return pair_edges(column, totals(least), rough);
      for (int b = 0; b < BINS; ++b) {
        const i64 l = y->count(column + b);
        rough[b] = l >= least && n - l >= least ? std::max(nearly(l, static_cast<i64>(column[b] >> 32)), 0.0) : -1.0;
      }
    }
    bool bins(const Cell* column, i64 least, const EdgeScan&, std::uint8_t* candidates) const {
      if (gini) return pair_bins(column, totals(least), threshold, candidates);
      return each_bin([&](int b) { return y->count(column + b); }, n, least,
                      [&](int b, i64 l, i64 to) { return bin_can_exceed(column + b, l, column + b + 1, to); },
                      candidates);
    }
    PairTotals totals(i64 least) const {
      return {static_cast<double>(n), static_cast<double>(ones), static_cast<double>(least)};
    }
    double exact(const Cell* left, i64 l) const {
      const auto l1 = static_cast<i64>(*left >> 32);
      const i64 sums[2] = {l - l1, l1};
      return y->measure->two(sums, total);
    }
  };
};

}  // namespace boxwood::coded

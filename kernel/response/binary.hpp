// Two classes whose rows weigh one, as the search over codes needs them: a cell of a table, the sums of a node, and a
// gauge that tells cheaply which cuts, and which bins of cuts, cannot win. Invariant: sums are whole numbers; a gauge
// never holds back a cut that would win. Cost: a cell is one word; a cut is told in constant time.
#pragma once

#include "response/node_stats.hpp"

namespace boxwood::coded {

// A cell is (rows, rows of the second class) in the halves of one word, so tables subtract without a borrow.
template <class Measure>
struct TwoClasses {
  using Cell = u64;
  using Sums = ClassSums;
  const std::uint8_t* code;
  int n_classes;
  const Measure* measure;

  using Rows = ClassRows;
  static constexpr bool weighted = false;
  static constexpr bool parts_exactly = true;  // a node less one child is the other
  static constexpr int MOST_WORDS = 1;

  TwoClasses of(const u32* ids, u32 count, Rows& rows) const {
    TwoClasses here = *this;
    here.code = rows.gather(code, ids, count);
    return here;
  }
  u32 bit(u32 id) const { return code[id]; }
  int width() const { return 1; }
  int moments() const { return 2; }
  i64 weight(const Sums& sums) const { return sums.n; }
  void describe(const Sums& sums, const Judged&, const ResponseColumns& of, double* moments) const {
    describe_classes(sums.of.data(), 2, of, moments);
  }
  // What a row adds to one cell of a plane.
  using Row = Cell;
  Row row(u32 id) const { return 1 + (static_cast<u64>(code[id]) << 32); }
  static void add(Cell* plane, int bin, Row row) { plane[bin] += row; }
  void add(Cell* cell, u32 id) const { *cell += row(id); }
  void take(const Cell* plane, int bin, Cell* out) const { *out = plane[bin]; }
  i64 count(const Cell* cell) const { return static_cast<u32>(*cell); }
  void add(Sums& sums, u32 id) const {
    sums.of[1] += code[id];
    ++sums.n;
  }
  void join(Sums& sums, const Sums& part) const { join_classes(sums, part, 2); }
  void remove(Sums& sums, const Sums& part) const { remove_classes(sums, part, 2); }
  void close(Sums& sums) const { sums.of[0] = sums.n - sums.of[1]; }
  Judged judge(const Sums& sums) const { return judge_classes(NAME<Measure>, sums.of.data(), 2, nullptr); }
  Sums sums_of(const Cell* cell, const Judged&) const {
    Sums sums;
    sums.n = static_cast<u32>(*cell);
    sums.of[1] = static_cast<i64>(*cell >> 32);
    close(sums);
    return sums;
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = TwoCounts<Measure>;
  Policy policy(const Judged&) const { return {nullptr, measure}; }
  void spread(const Cell* cell, const Judged&, i64* out) const {
    out[1] = static_cast<i64>(*cell >> 32);
    out[0] = static_cast<u32>(*cell) - out[1];
  }
  int classes() const { return 2; }
  bool orders_levels() const { return true; }

  struct Gauge {
    const TwoClasses* y;
    i64 total[2], n, ones;
    double bar = -1, level = 0;

    Gauge(const TwoClasses& y, const Sums& sums, const Judged&)
        : y(&y), total{sums.of[0], sums.of[1]}, n(sums.n), ones(sums.of[1]) {
      if constexpr (std::is_same_v<Measure, Entropy>) level = x(total[0]) + x(total[1]) - x(n);
    }
    double x(i64 count) const {
      if constexpr (std::is_same_v<Measure, Entropy>) return y->measure->table[count];
      return 0.0;
    }
    void raise(double least) {
      if constexpr (std::is_same_v<Measure, Entropy>)
        bar = least - 1e-11 * (std::abs(level) + static_cast<double>(n) * 8);
      else if constexpr (std::is_same_v<Measure, ClassificationError>)
        bar = least;  // whole numbers: nothing is rounded
      else
        bar = least > 0 ? least * SURELY * static_cast<double>(n) / 2 : -1;
    }
    bool reaches(i64 l, i64 l1) const {
      if constexpr (std::is_same_v<Measure, Entropy>) {
        const i64 r1 = ones - l1;
        return !(x(l1) + x(l - l1) - x(l) + x(r1) + x(n - l - r1) - x(n - l) - level < bar);
      } else if constexpr (std::is_same_v<Measure, ClassificationError>) {
        return !(error(l, l1) < bar);
      } else {
        const auto d = static_cast<double>(l1 * n - l * ones);
        return !(d * d < bar * static_cast<double>(l * (n - l)));
      }
    }
    double error(i64 l, i64 l1) const {
      return static_cast<double>(std::max(l - l1, l1) + std::max(total[0] - l + l1, ones - l1) -
                                 std::max(total[0], ones));
    }
    bool may(const Cell* left, i64 l) const { return reaches(l, static_cast<i64>(*left >> 32)); }
    bool bin_may(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      const auto before = static_cast<i64>(*from >> 32), inside = static_cast<i64>(*to >> 32) - before;
      return reaches(l + inside, before + inside) || reaches(l_to - inside, before);
    }
    double rough_edge(const Cell* left, i64 l) const {
      const i64 l1 = static_cast<i64>(*left >> 32), r1 = ones - l1;
      if constexpr (std::is_same_v<Measure, ClassificationError>) return error(l, l1);
      return std::max(x(l1) + x(l - l1) - x(l) + x(r1) + x(n - l - r1) - x(n - l) - level, 0.0);
    }
    void edges(const Cell* plane, i64 least, Outlook&, double* rough) const {
      if constexpr (std::is_same_v<Measure, Gini>) return pair_edges(plane, totals(least), rough);
      for (int b = 0; b < BINS; ++b) {
        const i64 l = y->count(plane + b);
        rough[b] = l >= least && n - l >= least ? rough_edge(plane + b, l) : -1.0;
      }
    }
    bool bins(const Cell* plane, i64 least, const Outlook&, std::uint8_t* wanted) const {
      if constexpr (std::is_same_v<Measure, Gini>) return pair_bins(plane, totals(least), bar, wanted);
      bool any = false;
      for (int b = 0; b < BINS; ++b) {
        const i64 l = y->count(plane + b), to = y->count(plane + b + 1);
        wanted[b] = to - l > 1 && to > least && n - l > least && bin_may(plane + b, l, plane + b + 1, to);
        any = any || wanted[b];
      }
      return any;
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

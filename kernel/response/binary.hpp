// Two classes whose rows weigh one: a cell of a table, the sums of a node, and cheap bounds of which cuts, and
// which bins of cuts, cannot win. Invariant: sums are whole numbers; a bound never holds back a cut that would win.
// Cost: a cell is one word; a cut is bounded in constant time.
#pragma once

#include "response/class_counts.hpp"
#include "response/list_scanner.hpp"

#if defined(BOXWOOD_X86)
#include <emmintrin.h>
#endif

namespace boxwood::coded {

// How many of the entries up to each are marked, `sum` before the first; eight at a time.
inline void count_marks(const u32* entries, u32 count, u32 sum, std::uint16_t* out) {
  u32 i = 0;
#if defined(BOXWOOD_X86)
  const auto marks = [&](u32 at) {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(entries + at));
    return _mm_srli_epi32(_mm_slli_epi32(four, 16), 31);
  };
  __m128i before = _mm_set1_epi16(static_cast<short>(sum));
  for (; i + 8 <= count; i += 8) {
    __m128i sums = _mm_packs_epi32(marks(i), marks(i + 4));
    sums = _mm_add_epi16(sums, _mm_slli_si128(sums, 2));
    sums = _mm_add_epi16(sums, _mm_slli_si128(sums, 4));
    sums = _mm_add_epi16(_mm_add_epi16(sums, _mm_slli_si128(sums, 8)), before);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), sums);
    const __m128i upper = _mm_shufflehi_epi16(sums, 0xff);
    before = _mm_unpackhi_epi64(upper, upper);
  }
  sum = static_cast<u32>(_mm_extract_epi16(before, 0));
#endif
  for (; i < count; ++i) out[i] = static_cast<std::uint16_t>(sum += mark_of(entries[i]));
}

// Whether any cut attains threshold = decrease * n / 2; `ones`: rows of the second class at or before each cut. Whole
// numbers below 2^20, of which only squares and products are rounded: a margin of 2e-6 holds in single precision.
BOXWOOD_CLONES inline bool any_pair_attains(const std::uint16_t* ones, const ListCuts& cuts, int all, float threshold) {
  int any = 0;
  for (int i = 0; i < cuts.count; ++i) {
    const int l = cuts.before + i + 1;
    const auto d = static_cast<float>(ones[i] * cuts.n - l * all);
    any |= d * d >= threshold * static_cast<float>(l * (cuts.n - l));
  }
  return any != 0;
}

// A cell is (rows, rows of the second class) in the halves of one word, so tables subtract without a borrow.
struct BinaryResponse : ClassCounts<false> {
  using Cell = u64;
  using Sums = ClassSums<std::array<i64, 2>>;
  static constexpr bool one_cell = true, has_many_classes = false;

  BinaryResponse of(const u32* ids, u32 count, Rows& rows) const { return gathered_rows(*this, ids, count, rows); }
  int width() const { return 1; }
  void add(Cell* cell, u32 id) const { *cell += 1 + (static_cast<u64>(code[id]) << 32); }
  static i64 ones(const Cell* cell) { return static_cast<i64>(*cell >> 32); }
  i64 count(const Cell* cell) const { return static_cast<u32>(*cell); }
  void add(Sums& sums, u32 id) const {
    sums.of[1] += code[id];
    ++sums.n;
  }
  void close(Sums& sums) const { sums.of[0] = sums.n - sums.of[1]; }
  Sums sums_of(const Cell* cell, const NodeStats&) const {
    return {{count(cell) - ones(cell), ones(cell)}, count(cell)};
  }
  void fill(const Sums& sums, Cell* cell) const {
    *cell = static_cast<u64>(sums.n) + (static_cast<u64>(sums.of[1]) << 32);
  }
  void read(const SummedEntry& e, Cell* cell) const {
    *cell = static_cast<u64>(e.rows) + (static_cast<u64>(e.words[1]) << 32);
  }
  void read(const i64* words, const i64*, Sums& out) const { out = {{words[1], words[2]}, words[0]}; }
  double impurity(const Cell* cell, const NodeStats&) const {
    const auto of = [&](int k) { return k ? ones(cell) : count(cell) - ones(cell); };
    if (measure->logs()) return measure->impurity_of_counts(2, count(cell), of);
    return measure->impurity(2, [&](int k) { return static_cast<double>(of(k)); });
  }
  double mean(const Cell* cell, const NodeStats&) const {
    return static_cast<double>(ones(cell)) / static_cast<double>(count(cell));
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
        threshold = least - ClassMeasure::slack(of_node, static_cast<double>(n));
    }
    bool attains(i64 l, i64 l1) const {
      if (!gini) [[unlikely]]
        return !(nearly(l, l1) < threshold);
      const auto d = static_cast<double>(l1 * n - l * ones);
      return !(d * d < threshold * static_cast<double>(l * (n - l)));
    }
    double nearly(i64 l, i64 l1) const { return logs ? by_logs(l, l1) : by_impurity(l, l1); }
    double by_logs(i64 l, i64 l1) const {
      const i64 r = n - l, r1 = ones - l1;
      return of_node - (logs[l] - logs[l1] - logs[l - l1]) - (logs[r] - logs[r1] - logs[r - r1]);
    }
    // Not inlined, so that scans by other measures stay short.
    BOXWOOD_NOINLINE double by_impurity(i64 l, i64 l1) const {
      return of_node - impurity(l, l1) - impurity(n - l, ones - l1);
    }
    bool can_attain(const Cell* left, i64 l) const { return attains(l, BinaryResponse::ones(left)); }
    bool bin_can_attain(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      const i64 before = BinaryResponse::ones(from), inside = BinaryResponse::ones(to) - before;
      return attains(l + inside, before + inside) || attains(l_to - inside, before);
    }
    void edges(const Cell* column, i64 least, EdgeScan&, double* rough) const {
      if (gini) return pair_edges(column, totals(least), rough);
      for (int b = 0; b < BINS; ++b) {
        const i64 l = y->count(column + b);
        rough[b] = l >= least && n - l >= least ? std::max(nearly(l, BinaryResponse::ones(column + b)), 0.0) : -1.0;
      }
    }
    bool bins(const Cell* column, i64 least, const EdgeScan&, std::uint8_t* candidates) const {
      if (gini) return pair_bins(column, totals(least), threshold, candidates);
      return each_bin([&](int b) { return y->count(column + b); }, n, least,
                      [&](int b, i64 l, i64 to) { return bin_can_attain(column + b, l, column + b + 1, to); },
                      candidates);
    }
    PairTotals totals(i64 least) const {
      return {static_cast<double>(n), static_cast<double>(ones), static_cast<double>(least)};
    }
    double exact(const Cell* left, i64 l) const {
      const i64 l1 = BinaryResponse::ones(left), sums[2] = {l - l1, l1};
      return y->measure->two(sums, total);
    }
  };

  // Entries carry the class of their row.
  struct Scanner : ListScanner<BinaryResponse> {
    using ListScanner::ListScanner;
    std::uint16_t ones[SMALL];

    static const std::uint8_t* marks(const BinaryResponse& y) { return y.code; }
    void add(u32 entry) { cell += 1 + (u64{mark_of(entry)} << 32); }
    bool any_can_attain(const u32* entries, u32 cuts) {
      if (!bound.gini) return true;
      count_marks(entries, cuts, static_cast<u32>(BinaryResponse::ones(&cell)), ones);
      return any_pair_attains(ones,
                              {static_cast<int>(cuts), static_cast<int>(y.count(&cell)), static_cast<int>(bound.n)},
                              static_cast<int>(bound.ones), static_cast<float>(bound.threshold * (1 - 2e-6)));
    }
  };
};

}  // namespace boxwood::coded

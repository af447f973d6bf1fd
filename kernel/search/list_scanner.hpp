// A scan of one feature's sorted list in a small node: sums so far, which cuts can exceed the threshold, the exact
// decrease. Invariant: `can_attain` is false only when the cut cannot win, `any_can_attain` only when no cut of the
// list can; sums of doubles drift by less than the slack they are given. Cost: about 2 ns an entry, whatever the number
// of classes by Gini; less in a list without a cut that can exceed the threshold: 0.6 ns for two classes by Gini and
// for numbers that weigh one; two weighted classes and rates are bounded in one pass, too.
#pragma once

#include "parallel/simd_clones.hpp"
#include "response/binary.hpp"
#include "response/mean.hpp"
#include "response/multiclass.hpp"
#include "response/poisson.hpp"
#include "search/sorted_lists.hpp"

namespace boxwood::coded {

// The cuts of a list: how many, the rows to the left of the list, the rows of the node.
struct ListCuts {
  int count, before, n;
};

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
  for (; i < count; ++i) out[i] = static_cast<std::uint16_t>(sum += Lists::mark_of(entries[i]));
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

// The same of sums of numbers, `total` and `threshold` as MeanResponse's bound has them.
BOXWOOD_CLONES inline bool any_mean_attains(const i64* sums, const ListCuts& cuts, double total, double threshold) {
  int any = 0;
  for (int i = 0; i < cuts.count; ++i) {
    const int l = cuts.before + i + 1;
    const double d = static_cast<double>(sums[i]) * cuts.n - total * l;
    any |= d * d >= threshold * static_cast<double>(l * (cuts.n - l));
  }
  return any != 0;
}

// Two sums at or before each cut; those of the node, and what a cut must attain, but for the drift of sums of doubles.
struct PairSums {
  double first[SMALL], second[SMALL];
};
struct PairBound {
  double first, second, threshold, drift, skew = 0;
};

// Whether any cut attains the threshold; sums are of masses: of both classes, and of the second one. As
// UpperBound::squares_attain of response/multiclass.hpp.
BOXWOOD_CLONES inline bool any_mass_attains(const PairSums& sums, u32 count, const PairBound& node) {
  int any = 0;
  for (u32 i = 0; i < count; ++i) {
    const double l = sums.first[i], l1 = sums.second[i], l0 = l - l1;
    const double r = node.first - l, r1 = node.second - l1, r0 = r - r1;
    any |= !((l0 * l0 + l1 * l1) * r + (r0 * r0 + r1 * r1) * l < node.threshold * (l * r) - node.drift);
  }
  return any != 0;
}

// The same; sums are of exposure and of events. The bound of response/poisson.hpp, its divisors multiplied out.
BOXWOOD_CLONES inline bool any_rate_attains(const PairSums& sums, u32 count, const PairBound& node) {
  const double rate = node.second / node.first;
  int any = 0;
  for (u32 i = 0; i < count; ++i) {
    const double in_left = sums.first[i] * rate, off = sums.second[i] - in_left, far = std::abs(off) + node.drift;
    const double left = std::max(in_left - node.drift, 0.0), right = std::max(node.second - in_left - node.drift, 0.0);
    const double rarer = off > 0 ? right : left, product = left * right, square = rarer * rarer;
    any |= !(far * far * ((left + right) * square + node.skew * far * product) < node.threshold * product * square);
  }
  return any != 0;
}

template <class R>
struct CellScanner {
  typename R::UpperBound bound;
  const R& y;
  typename R::Cell cell{};

  CellScanner(const R& y, const typename R::Sums& sums, const NodeStats& stats) : bound(y, sums, stats), y(y) {}
  // Nothing, or the rows of `first`, are left of the first cut.
  void start() { cell = {}; }
  void start(const typename R::Sums& first) { y.fill(first, &cell); }
  void add(u32 entry) { y.add(&cell, Lists::id_of(entry)); }
  bool can_attain(i64 l) const { return bound.can_attain(&cell, l); }
  double exact(i64 l) const { return bound.exact(&cell, l); }
};

template <class R>
struct Scanner : CellScanner<R> {
  using CellScanner<R>::CellScanner;
};

template <>
struct Scanner<BinaryResponse> : CellScanner<BinaryResponse> {
  using CellScanner::CellScanner;
  std::uint16_t ones[SMALL];

  void add(u32 entry) { cell += 1 + (u64{Lists::mark_of(entry)} << 32); }
  bool any_can_attain(const u32* entries, u32 cuts) {
    if (!bound.gini) return true;
    auto sum = static_cast<u32>(BinaryResponse::ones(&cell));
    count_marks(entries, cuts, sum, ones);
    return any_pair_attains(ones, {static_cast<int>(cuts), static_cast<int>(y.count(&cell)), static_cast<int>(bound.n)},
                            static_cast<int>(bound.ones), static_cast<float>(bound.threshold * (1 - 2e-6)));
  }
};

template <>
struct Scanner<PoissonResponse> : CellScanner<PoissonResponse> {
  using CellScanner::CellScanner;

  bool any_can_attain(const u32* entries, u32 cuts) const {
    PairSums at;
    double exposure = as_double(cell.exposure), events = as_double(cell.events);
    for (u32 i = 0; i < cuts; ++i) {
      const u32 id = Lists::id_of(entries[i]);
      const auto w = static_cast<double>(y.w(id));
      at.first[i] = exposure += w * static_cast<double>(y.exposure[id]);
      at.second[i] = events += w * static_cast<double>(y.events[id]);
    }
    return any_rate_attains(at, cuts, {bound.T, bound.D, bound.threshold / bound.unit, 1e-12 * bound.D, bound.skew});
  }
};

// The sums of squares of either side, by Gini, or of terms that are looked up by count, are kept up with the rows.
template <bool weighted, bool many>
struct Scanner<MulticlassOf<weighted, many>> {
  using R = MulticlassOf<weighted, many>;
  using Number = std::conditional_t<weighted, double, i64>;
  typename R::UpperBound bound;
  const R& y;
  CellBuffer<typename R::Cell> cells;
  typename R::Cell* const left;
  const double* const term;  // where counts are looked up
  const bool is_small;  // whole masses, so that every product of Gini::many is a whole number below 2^53
  struct Sides {
    Number mass = 0, left = 0, right = 0;
    double left_terms = 0, right_terms = 0;
  } none, sums;  // where nothing is on the left; now

  Scanner(const R& y, const typename R::Sums& sums, const NodeStats& stats)
      : bound(y, sums, stats),
        y(y),
        cells(y.width()),
        left(cells.data()),
        term(bound.counts ? bound.counts->terms() : nullptr),
        is_small(bound.gini && !y.factors && bound.N < 8192) {
    std::fill_n(left, y.width(), 0);
    none = sides();
  }
  Scanner(const Scanner&) = delete;
  void start() {
    std::fill_n(left, y.width(), 0);
    sums = none;
  }
  void start(const typename R::Sums& first) {
    y.fill(first, left);
    sums = sides();
  }
  Sides sides() const {
    Sides out;
    for (int k = 0; k < bound.K; ++k) {
      const i64 other = bound.total.of[k] - left[k];
      const Number l = mass_of(k, left[k]), r = mass_of(k, other);
      out.mass += l, out.left += l * l, out.right += r * r;
      if (term) out.left_terms += term[left[k]], out.right_terms += term[other];
    }
    return out;
  }
  Number mass_of(int k, i64 sum) const { return weighted ? static_cast<Number>(y.mass(k, sum)) : sum; }
  void add(u32 entry) {
    const u32 id = Lists::id_of(entry);
    const int k = y.code[id];
    const Number m = mass_of(k, y.w(id)), more = m * (2 * mass_of(k, left[k]) + m);
    const i64 l = left[k], r = bound.total.of[k] - l;
    if (term) sums.left_terms += term[l + 1] - term[l], sums.right_terms += term[r - 1] - term[r];
    left[k] += static_cast<typename R::Cell>(y.w(id));
    sums.mass += m, sums.left += more;
    sums.right += more - 2 * m * mass_of(k, bound.total.of[k]);
  }
  ClassSquares squares() const {
    return {static_cast<double>(sums.mass), static_cast<double>(sums.left), static_cast<double>(sums.right)};
  }
  bool can_attain(i64 l) const {
    if (term) return bound.terms_attain(l, sums.left_terms, sums.right_terms, 2.5e-13 * none.right_terms);
    if (!bound.gini) return bound.can_attain(left, l);
    return bound.squares_attain(squares(), weighted ? drift() : 0.0);
  }
  double drift() const { return 2e-12 * bound.whole * bound.N * bound.N; }
  bool any_can_attain(const u32* entries, u32 cuts) const
    requires(weighted)
  {
    if (!bound.gini || bound.K != 2) return true;
    PairSums at;
    double sum = sums.mass, ones = mass_of(1, left[1]);
    const double of_class[2] = {mass_of(0, 1), mass_of(1, 1)};
    for (u32 i = 0; i < cuts; ++i) {
      const u32 id = Lists::id_of(entries[i]);
      const double m = static_cast<double>(y.w(id)) * of_class[y.code[id]];
      at.first[i] = sum += m;
      at.second[i] = ones += y.code[id] * m;
    }
    return any_mass_attains(at, cuts, {bound.N, bound.total_of(1), bound.threshold + bound.whole, drift()});
  }
  double exact(i64 rows) const {
    const auto [l, of_left, of_right] = squares();
    const double n = bound.N, all = static_cast<double>(none.right), both = of_left + all - of_right;
    if (!is_small || !(l > 0) || !(n - l > 0)) return bound.exact(left, rows);
    return (of_left * n * n - n * l * both + all * l * l) / (n * l * (n - l));
  }
};

// Sums are counted from the node's rounded mean; wide ones are kept as a double too, for the bound.
template <bool weighted>
struct Scanner<MeanOf<weighted>> {
  using R = MeanOf<weighted>;
  typename R::UpperBound bound;
  const R& y;
  typename R::Int sum = 0;
  i64 weight = 0;
  double rough = 0, drift;  // the wide sum, and how far it times the node's mass may be off

  // Rounding of fewer than 2^11 sums, each at most sum |w d| <= sqrt(N scale).
  Scanner(const R& y, const typename R::Sums& sums, const NodeStats& stats)
      : bound(y, sums, stats), y(y), drift(1e-12 * std::sqrt(bound.N * bound.scale) * bound.N) {}
  void start() {
    sum = 0;
    weight = 0;
    rough = 0;
  }
  void start(const typename R::Sums& first) {
    typename R::Cell cell;
    y.fill(first, &cell);
    sum = R::centred(cell, bound.shift);
    weight = cell.mass();
    rough = static_cast<double>(sum);
  }
  void add(u32 entry) {
    const u32 id = Lists::id_of(entry);
    const i64 d = y.high[id] - bound.shift, w = y.w(id);
    sum += static_cast<typename R::Int>(d) * w;
    if constexpr (!weighted) return;
    weight += w;
    rough += static_cast<double>(d) * static_cast<double>(w);
  }
  bool any_can_attain(const u32* entries, u32 cuts)
    requires(!weighted)
  {
    i64 sums[SMALL];
    auto at = static_cast<i64>(sum);
    for (u32 i = 0; i < cuts; ++i) sums[i] = at += y.high[Lists::id_of(entries[i])] - bound.shift;
    return any_mean_attains(sums, {static_cast<int>(cuts), static_cast<int>(weight), static_cast<int>(bound.n)},
                            bound.total, bound.threshold);
  }
  bool can_attain(i64 l) const {
    if constexpr (!weighted)
      return bound.attains(static_cast<double>(sum) * bound.N - bound.total * static_cast<double>(l),
                           static_cast<double>(l));
    const auto mass = static_cast<double>(weight);
    return bound.attains(std::abs(rough * bound.N - bound.total * mass) + drift, mass);
  }
  double exact(i64 l) const {
    typename R::Cell cell{};
    cell.n = l;
    if constexpr (weighted) cell.weight = weight;
    using Sum = decltype(cell.sum);
    cell.sum = static_cast<Sum>(sum) + static_cast<Sum>(bound.shift) * static_cast<Sum>(cell.mass());
    return bound.exact(&cell, l);
  }
};

}  // namespace boxwood::coded

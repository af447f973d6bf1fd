// The scan of a sorted list by classes: what each side adds up is kept up with the rows.
// Invariant: as in response/list_scanner.hpp. Cost: about 2 ns an entry, whatever the number of classes by Gini; two
// weighted classes by Gini are bounded in one pass.
#pragma once

#include "response/class_squares.hpp"
#include "response/list_scanner.hpp"

namespace boxwood::coded {

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

// The sums of squares of either side, by Gini, or of terms that are looked up by count, are kept up with the rows.
template <class R>
struct MulticlassScanner : PlainScanner {
  static constexpr bool weighted = R::weighted;
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

  MulticlassScanner(const R& y, const typename R::Sums& sums, const NodeStats& stats)
      : bound(y, sums, stats),
        y(y),
        cells(y.width()),
        left(cells.data()),
        term(bound.counts ? bound.counts->terms() : nullptr),
        is_small(bound.gini && !y.factors && bound.N < 8192) {
    std::fill_n(left, y.width(), 0);
    none = sides();
  }
  MulticlassScanner(const MulticlassScanner&) = delete;
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
    const u32 id = id_of(entry);
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
  bool any_can_attain(const u32* entries, u32 cuts) const {
    if (!weighted || !bound.gini || bound.K != 2) return true;
    PairSums at;
    double sum = sums.mass, ones = mass_of(1, left[1]);
    const double of_class[2] = {static_cast<double>(mass_of(0, 1)), static_cast<double>(mass_of(1, 1))};
    for (u32 i = 0; i < cuts; ++i) {
      const u32 id = id_of(entries[i]);
      const double m = static_cast<double>(y.w(id)) * of_class[y.code[id]];
      at.first[i] = sum += m;
      at.second[i] = ones += y.code[id] * m;
    }
    return any_mass_attains(at, cuts, {bound.N, bound.total_of(1), bound.threshold + bound.whole, drift()});
  }
  void take_left(i64, typename R::Cell* out) const { std::copy_n(left, y.width(), out); }
  double exact(i64 rows) const {
    const auto [l, of_left, of_right] = squares();
    const double n = bound.N, all = static_cast<double>(none.right), both = of_left + all - of_right;
    if (!is_small || !(l > 0) || !(n - l > 0)) return bound.exact(left, rows);
    return (of_left * n * n - n * l * both + all * l * l) / (n * l * (n - l));
  }
};

}  // namespace boxwood::coded

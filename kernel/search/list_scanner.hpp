// A scan of one feature's sorted list in a small node: sums so far, which cuts can exceed the threshold, the exact
// decrease. Invariant: `can_exceed` is false only when the cut cannot win. Cost: about 2 ns an entry.
#pragma once

#include "response/binary.hpp"
#include "response/mean.hpp"
#include "response/multiclass.hpp"
#include "search/sorted_lists.hpp"

namespace boxwood::coded {

template <class R>
struct Scanner;

template <>
struct Scanner<BinaryResponse> {
  using R = BinaryResponse;
  R::UpperBound bound;
  u64 cell = 0;

  Scanner(const R& y, const ClassSums& sums, const NodeStats& stats) : bound(y, sums, stats) {}
  void start(const ClassSums& first) { cell = static_cast<u64>(first.n) + (static_cast<u64>(first.of[1]) << 32); }
  void add(u32 entry, u32) { cell += 1 + (static_cast<u64>(entry >> 15 & 1) << 32); }
  bool can_exceed(i64 l) const { return bound.can_exceed(&cell, l); }
  double exact(i64 l) const { return bound.exact(&cell, l); }
};

template <>
struct Scanner<MulticlassResponse> {
  using R = MulticlassResponse;
  R::UpperBound bound;
  const R& y;
  ClassSums total;
  std::array<u32, MOST_CLASSES> left{};
  i64 left_squares = 0, right_squares = 0;
  Scanner(const R& y, const ClassSums& sums, const NodeStats& stats) : bound(y, sums, stats), y(y), total(sums) {}
  void start(const ClassSums& first) {
    left_squares = right_squares = 0;
    for (int k = 0; k < y.n_classes; ++k) {
      left[k] = static_cast<u32>(first.of[k]);
      left_squares += first.of[k] * first.of[k];
      right_squares += (total.of[k] - first.of[k]) * (total.of[k] - first.of[k]);
    }
  }
  void add(u32, u32 id) {
    const int k = y.code[id];
    const i64 more = 2 * static_cast<i64>(left[k]++) + 1;  // the right side loses 2 (total - left) - 1 of the class
    left_squares += more;
    right_squares += more - 2 * total.of[k];
  }
  bool can_exceed(i64 l) const {
    if (!bound.gini) return bound.can_exceed(left.data(), l);
    return bound.squares_attain(static_cast<double>(left_squares), static_cast<double>(right_squares), l);
  }
  double exact(i64 l) const { return bound.exact(left.data(), l); }
};

template <>
struct Scanner<MeanResponse> {
  MeanResponse::UpperBound bound;
  const MeanResponse& y;
  MeanCell<false> cell{};
  Scanner(const MeanResponse& y, const MeanSums<false>& sums, const NodeStats& stats) : bound(y, sums, stats), y(y) {}
  i64 centred(const MeanSums<false>& sums) const {
    return static_cast<i64>(sums.sum - static_cast<Wide>(bound.shift) * sums.n);
  }
  void start(const MeanSums<false>& first) { cell.sum = static_cast<u64>(centred(first)); }
  void add(u32, u32 id) { cell.sum += static_cast<u64>(y.high[id] - bound.shift); }
  bool can_exceed(i64 l) const {
    const double d = static_cast<double>(static_cast<i64>(cell.sum)) * static_cast<double>(bound.n) -
                     bound.total * static_cast<double>(l);
    return !(d * d < bound.threshold * static_cast<double>(l * (bound.n - l)));
  }
  double exact(i64 l) const {
    MeanCell<false> about{};
    about.n = l;
    about.sum = cell.sum + static_cast<u64>(bound.shift) * static_cast<u64>(l);
    return bound.exact(&about, l);
  }
};

}  // namespace boxwood::coded

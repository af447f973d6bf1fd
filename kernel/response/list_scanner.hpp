// The scan of one feature's sorted list in a small node: sums so far, which cuts can exceed the threshold, the exact
// decrease. Each response has such a Scanner; this is the one of those that have none of their own.
// Invariant: `can_attain` is false only when the cut cannot win, `any_can_attain` only when no cut of the list can, and
// `most` is never exceeded; sums of doubles drift by less than the slack they are given. Cost: about 2 ns an entry;
// less in a list without a cut that can exceed the threshold, where the response bounds all cuts in one pass.
#pragma once

#include "parallel/simd_clones.hpp"
#include "response/node_stats.hpp"

namespace boxwood::coded {

constexpr u32 SMALL = 1024;  // rows of a list

// An entry of a list is (rank, mark, id): the mark is a bit of the row that the response chooses.
constexpr u32 ENTRY_ID = 0x7fff;
inline u32 id_of(u32 entry) { return entry & ENTRY_ID; }
inline u32 mark_of(u32 entry) { return entry >> 15 & 1; }

// The cuts of a list: how many, the rows to the left of the list, the rows of the node.
struct ListCuts {
  int count, before, n;
};

// Two sums at or before each cut; those of the node, and what a cut must attain, but for the drift of sums of doubles.
struct PairSums {
  double first[SMALL], second[SMALL];
};
struct PairBound {
  double first, second, threshold, drift, skew = 0;
};

// What a scanner of no further knowledge tells of a list.
struct PlainScanner {
  // A bit of each id that entries are to carry; nullptr = none.
  template <class R>
  static const std::uint8_t* marks(const R&) {
    return nullptr;
  }
  // No partition of some rows in two takes away more, but for rounding of a few parts in 10^15: children that are pure.
  template <class R>
  static double most(const R&, const u32*, u32, const NodeStats& stats) {
    return stats.risk;
  }
  // Whether any of the first `cuts` cuts can attain the threshold.
  static bool any_can_attain(const u32*, u32) { return true; }
};

template <class R>
struct ListScanner : PlainScanner {
  typename R::UpperBound bound;
  const R& y;
  typename R::Cell cell{};

  ListScanner(const R& y, const typename R::Sums& sums, const NodeStats& stats) : bound(y, sums, stats), y(y) {}
  // Nothing, or the rows of `first`, are left of the first cut.
  void start() { cell = {}; }
  void start(const typename R::Sums& first) { y.fill(first, &cell); }
  void add(u32 entry) { y.add(&cell, id_of(entry)); }
  bool can_attain(i64 l) const { return bound.can_attain(&cell, l); }
  double exact(i64 l) const { return bound.exact(&cell, l); }
  void take_left(i64, typename R::Cell* out) const { *out = cell; }
};

}  // namespace boxwood::coded

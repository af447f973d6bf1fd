// Who votes for a surrogate: the rows of a large node whose branch the split knows, and the cells of bins that count
// them by branch. Invariant: counts and weights are whole numbers. Cost: a cell is 8 bytes, 4 of few rows, 24 where
// rows weigh.
#pragma once

#include "search/rows_view.hpp"

namespace boxwood::coded {

// Rows by branch in one bin; of weight one, so many in each half of a word.
struct VoteCell {
  u64 rows = 0;
  i64 weight[2] = {0, 0};
  void add(int branch, i64 w) {
    ++rows;
    weight[branch] += w;
  }
  void add(const VoteCell& o) {
    rows += o.rows;
    weight[0] += o.weight[0];
    weight[1] += o.weight[1];
  }
  i64 count() const { return static_cast<i64>(rows); }
  i64 of(int branch) const { return weight[branch]; }
};
struct CountCell {
  u64 rows = 0;
  static CountCell of_rows(i64 rows0, i64 rows1) { return {static_cast<u64>(rows0) | static_cast<u64>(rows1) << 32}; }
  void add(int branch, i64) { rows += u64{1} << (32 * branch); }
  void add(const CountCell& o) { rows += o.rows; }
  i64 count() const { return of(0) + of(1); }
  i64 of(int branch) const { return static_cast<u32>(rows >> (32 * branch)); }
};
// The same while it is counted, for few rows: half the memory, so that the cells of twenty features stay in the first
// cache.
struct NarrowCell {
  static constexpr u32 MOST = 65'535;
  u32 rows = 0;
  void add(int branch, i64) { rows += 1u << (16 * branch); }
  CountCell widened() const { return {(rows & MOST) | u64{rows >> 16} << 32}; }
};

// Added to the branch of a row that a surrogate sends.
constexpr std::uint8_t SETTLED = 4;

// Rows of one node, and what the split made of them. `branch`: of the row at each place, 0, 1, or more where the split
// does not know.
struct Voters {
  const u32* ids;
  std::uint8_t* branch;
  u32 count;
  const i64* weight;  // by id, nullptr = 1 each
  i64 w(u32 at) const { return weight ? weight[ids[at]] : 1; }
};

// A way to part the voting rows: code below `code`, or equal to it and (`whole` or value <= below).
struct VotedCut {
  i64 agreed = -1, rows = 0;
  bool flipped = false, whole = true;
  Code code = 0;
  double below = 0;
};

}  // namespace boxwood::coded

// Where the ids of a node stand, and how a split partitions them.
// Invariant: children are written to the buffer that does not hold their parent. Cost: 8 bytes a row.
#pragma once

#include "search/cut_sides.hpp"

namespace boxwood::coded {

// Ids of one set of rows, each node a range of one of two buffers.
struct Ids {
  ArenaArray<u32> side[2];
  void start(u32 count, const u32* rows) {
    for (auto& ids : side) ids = arena_array<u32>(count);
    for (u32 i = 0; i < count; ++i) side[0][i] = rows ? rows[i] : i;
  }
  u32* of(const Span& span) { return side[span.depth & 1].get() + span.begin; }
};

// The children of a node: children from left to right, a third one for rows without a value under an own branch.
struct Partitioned {
  u32 count[MOST_BRANCHES] = {};
  std::int32_t missing = STAYS, n_branches = 2;
  u32 below = NO_ROW, above = NO_ROW;  // rows whose values are about the cut
};

}  // namespace boxwood::coded

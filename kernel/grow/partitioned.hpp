// Where the ids of a node stand, and what became of them when it was parted.
// Invariant: children are written to the buffer that their parent does not stand in. Cost: 8 bytes a row.
#pragma once

#include "search/cut_sides.hpp"

namespace boxwood::coded {

// Ids of one set of rows, each node a stretch in one of two buffers.
struct Ids {
  Room<u32> side[2];
  void start(u32 count, const u32* rows) {
    for (auto& ids : side) ids = room_for<u32>(count);
    for (u32 i = 0; i < count; ++i) side[0][i] = rows ? rows[i] : i;
  }
  u32* of(const Span& span) { return side[span.depth & 1].get() + span.begin; }
};

// What became of a node's rows: children from left to right, a third one for rows without a value under an own branch.
template <class R>
struct Parted {
  typename R::Sums sums[MOST_BRANCHES];
  u32 count[MOST_BRANCHES] = {};
  std::int32_t missing = STAYS, n_branches = 2;
  u32 below = NO_ROW, above = NO_ROW;  // rows whose values are about the cut
};

}  // namespace boxwood::coded

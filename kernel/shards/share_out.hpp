// Parts of rows down a tree that divides rows of unknown value among the branches (C4.5).
// Invariant: a part's share depends on its own weight and the node's known weights alone, as in memory
// (multiway/partition.hpp): any shards, any levels at a time, the same parts. Parts of weight 0 end. Cost: one descent
// a part. Source: docs/c45.md.
#pragma once

#include "multiway/whole_share.hpp"
#include "predict/route.hpp"
#include "shards/words.hpp"

namespace boxwood::sharded {

struct RowPart {
  u32 row;
  std::int32_t node;
  i64 weight;
};

// `known`: weight of the known values that go to each node from its parent.
inline void distribute(const Descent& descent, const TreeView& tree, const std::int32_t* n_children, const i64* known,
                       const RowPart& given, std::vector<RowPart>& out) {
  std::vector<RowPart> waiting{given};
  while (!waiting.empty()) {
    RowPart part = waiting.back();
    waiting.pop_back();
    std::uint8_t flags = 0;
    part.node = descent.end(part.node, part.row, flags);
    if (!(flags & ROUTE_SHARED)) {
      out.push_back(part);
      continue;
    }
    const std::int32_t first = tree.first_child[part.node], last = first + n_children[part.node];
    i64 whole = 0;
    for (std::int32_t child = first; child < last; ++child) whole += known[child];
    for (std::int32_t child = first; child < last; ++child) {
      if (known[child] == 0) continue;
      const i64 share = share_of(part.weight, known[child], whole);
      if (share > 0) waiting.push_back({part.row, child, share});
    }
  }
}

}  // namespace boxwood::sharded

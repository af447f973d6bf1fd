// Nodes as they are grown, in the order they were met; put into level order at the end.
// Invariant: the two children of a record stand next to each other; a subtree's record 0 is its root.
// Cost: about 60 bytes a node and its moments.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "grow/grown_nodes.hpp"
#include "search/cut_sides.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

// A runner-up of a split.
struct Competitor {
  std::int32_t feature = -1;
  bool flipped = false;  // branch 0 is the upper side
  u32 below = NO_ROW, above = NO_ROW;  // rows whose values are about the cut
  std::int32_t n_levels = 0;  // of a set of levels, which has no cut
  std::size_t first_level = 0;
  double score = 0.0;
};

// A node whose rows differ in the fine half of the response alone: its subtree is grown separately, by that half.
struct FineNode {
  std::int32_t record, depth;
  std::vector<u32> rows;  // of the learning set
};

struct Records {
  // One line of the cache.
  struct Node {
    std::int32_t first_child = -1, feature = -1;
    std::int32_t n_levels = 0;  // of a set of levels
    std::int32_t n_surrogates = 0;
    std::size_t first_level = 0, first_surrogate = 0;
    u32 rows = 0;
    u32 below = NO_ROW, above = NO_ROW;  // rows whose values are about the cut, read when all nodes are known
    std::int16_t missing = STAYS;
    std::uint8_t n_children = 0;
    bool heuristic : 1 = false, flipped : 1 = false;
    bool continued : 1 = false;  // in the subtree of number `feature`
    u32 first_competitor = 0, n_competitors = 0;
    double score = std::numeric_limits<double>::quiet_NaN();
  };
  static_assert(sizeof(Node) == 64 || sizeof(void*) < 8);
  std::vector<Node> nodes;
  std::vector<double> moments;
  std::vector<LevelBranch> levels;
  std::vector<Surrogate> surrogates;
  std::vector<Competitor> competitors;
  std::vector<FineNode> fine;
  std::vector<Records> subtrees;

  std::int32_t size() const { return static_cast<std::int32_t>(nodes.size()); }

  // All that a leaf of these records is the root of, which is grown by itself.
  void continue_in(std::int32_t leaf, Records subtree) {
    nodes[static_cast<std::size_t>(leaf)].continued = true;
    nodes[static_cast<std::size_t>(leaf)].feature = static_cast<std::int32_t>(subtrees.size());
    subtrees.push_back(std::move(subtree));
  }
  std::size_t nodes_in_all() const {
    return std::accumulate(subtrees.begin(), subtrees.end(), nodes.size(),
                           [](std::size_t n, const Records& each) { return n + each.nodes_in_all() - 1; });
  }
};

// The same records level by level, so that they are read in order when the tree is put together.
inline Records level_by_level(Records from) {
  constexpr std::size_t AHEAD = 16;
  const std::size_t n = from.nodes.size(), width = from.moments.size() / n;
  Records out;
  out.nodes.reserve(n);
  out.moments.reserve(from.moments.size());
  const auto take = [&](std::size_t record) {
    out.nodes.push_back(from.nodes[record]);
    const double* moments = &from.moments[record * width];
    for (std::size_t k = 0; k < width; ++k) out.moments.push_back(moments[k]);
  };
  take(0);
  for (std::size_t t = 0; t < out.nodes.size(); ++t) {
    if (t + AHEAD < out.nodes.size() && out.nodes[t + AHEAD].first_child >= 0) {
      const auto next = static_cast<std::size_t>(out.nodes[t + AHEAD].first_child);
      BOXWOOD_PREFETCH(&from.nodes[next], 3);
      BOXWOOD_PREFETCH(&from.nodes[next + 1], 3);
      BOXWOOD_PREFETCH(&from.moments[next * width], 3);
    }
    const std::int32_t first = out.nodes[t].first_child;
    if (first < 0) continue;
    out.nodes[t].first_child = static_cast<std::int32_t>(out.nodes.size());
    for (int c = 0; c < out.nodes[t].n_children; ++c)
      take(static_cast<std::size_t>(first) + static_cast<std::size_t>(c));
  }
  out.levels = std::move(from.levels);
  out.surrogates = std::move(from.surrogates);
  out.competitors = std::move(from.competitors);
  out.subtrees = std::move(from.subtrees);
  return out;
}

// Where the splits of a node begin in a table of splits.
struct RaggedPlace {
  u32 rows = 0, breaks = 0, index = 0;

  template <class One>
  void add(const One& one) {
    ++rows;
    breaks += one.n_levels == 0;
    index += one.n_levels == 0 ? 2 : static_cast<u32>(one.n_levels);
    require_index_fits(index);
  }
};

// Where node t of the tree stands among the records, and where what belongs to it stands among the tree's arrays.
struct Place {
  const Records* in;
  std::int32_t record, parent;
  std::int32_t first_child = -1;
  RaggedPlace split{}, surrogates{}, competitors{};
};

// The nodes of a tree, of subtrees too, in level order.
inline std::vector<Place> breadth_first(const Records& top) {
  std::vector<Place> order;
  order.reserve(top.nodes_in_all());
  const auto append = [&](const Records* in, std::int32_t record, std::int32_t parent) {
    while (in->nodes[record].continued) in = &in->subtrees[in->nodes[std::exchange(record, 0)].feature];
    order.push_back({in, record, parent});
  };
  append(&top, 0, -1);
  Place at{};
  for (std::size_t t = 0; t < order.size(); ++t) {
    const Records* in = order[t].in;
    const Records::Node& node = in->nodes[order[t].record];
    order[t].split = at.split;
    order[t].surrogates = at.surrogates;
    order[t].competitors = at.competitors;
    for (std::int32_t i = 0; i < node.n_surrogates; ++i)
      at.surrogates.add(in->surrogates[node.first_surrogate + static_cast<std::size_t>(i)]);
    for (u32 i = 0; i < node.n_competitors; ++i) at.competitors.add(in->competitors[node.first_competitor + i]);
    if (node.first_child < 0) continue;
    order[t].first_child = static_cast<std::int32_t>(order.size());
    at.split.add(node);
    for (std::int32_t c = 0; c < node.n_children; ++c) append(in, node.first_child + c, static_cast<std::int32_t>(t));
  }
  return order;
}

}  // namespace boxwood::coded

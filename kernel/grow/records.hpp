// Nodes as they are grown, in the order of growth; put into level order at the end.
// Invariant: the two children of a record are neighbours; a subtree's record 0 is its root.
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
  double drawn = 0.0;  // the threshold, where cuts are random
};

// A node whose rows differ in the low half of the response alone: its subtree is grown separately, by that half.
struct LowNode {
  std::int32_t record;
  Inherited inherited;
  std::vector<u32> rows;  // of the learning set
};

struct Records {
  // One line of the cache.
  struct Node {
    std::int32_t first_child = -1, feature = -1;
    std::int32_t n_levels = 0;  // of a set of levels
    std::int32_t n_surrogates = 0;
    std::size_t first_level = 0, first_surrogate = 0;  // the first is that of the threshold, if it was drawn
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
  std::vector<double> moments;  // of every node; where they are many, of the last one
  PackedRows packed_moments;  // of every node, where they are many
  u32 number = 0;  // of these rows among those of the tree
  std::vector<LevelBranch> levels;
  std::vector<double> drawn;  // thresholds of random cuts, of the nodes in order that have one
  std::vector<Surrogate> surrogates;
  std::vector<Competitor> competitors;
  std::vector<LowNode> by_low;
  std::vector<Records> subtrees;

  std::int32_t size() const { return static_cast<std::int32_t>(nodes.size()); }

  // The moments of the next node, in the order of the records; `write(line)` fills their line.
  template <class Write>
  void add_moments(std::size_t width, const Write& write) {
    moments.resize((is_packed(width) ? 0 : moments.size()) + width);
    write(&moments[moments.size() - width]);
    if (is_packed(width)) packed_moments.add(moments);
  }
  static bool is_packed(std::size_t width) { return width > 8; }
  // Takes the packed moments of all records.
  void move_packed(std::vector<PackedRows>& to) {
    number = static_cast<u32>(to.size());
    to.push_back(std::move(packed_moments));
    for (Records& each : subtrees) each.move_packed(to);
  }

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

// The same records in no more memory than they need.
inline Records compact(Records records) {
  records.packed_moments.shrink_to_fit();
  records.nodes.shrink_to_fit();
  records.moments.shrink_to_fit();
  records.surrogates.shrink_to_fit();
  return records;
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

// Where a node of the tree is among the records.
struct Place {
  const Records* in;
  std::int32_t record, parent;
  std::int32_t first_child = -1;
};
// Where what belongs to a node is in the tree's arrays.
struct TablePlaces {
  RaggedPlace split, surrogates, competitors;
};
// The nodes of a tree in level order, and the tables of the first node of each piece of them.
struct Order {
  std::vector<Place> nodes;
  std::vector<TablePlaces> pieces;
  TablePlaces end;
};

// The nodes of a tree, of subtrees too, in level order.
inline Order breadth_first(const Records& top) {
  Order order;
  order.nodes.reserve(top.nodes_in_all());
  const auto append = [&](const Records* in, std::int32_t record, std::int32_t parent) {
    while (in->nodes[record].continued) in = &in->subtrees[in->nodes[std::exchange(record, 0)].feature];
    order.nodes.push_back({in, record, parent});
  };
  append(&top, 0, -1);
  TablePlaces& at = order.end;
  for (std::size_t t = 0; t < order.nodes.size(); ++t) {
    const Records* in = order.nodes[t].in;
    const Records::Node& node = in->nodes[order.nodes[t].record];
    if (t % PIECE == 0) order.pieces.push_back(at);
    for (std::int32_t i = 0; i < node.n_surrogates; ++i)
      at.surrogates.add(in->surrogates[node.first_surrogate + static_cast<std::size_t>(i)]);
    for (u32 i = 0; i < node.n_competitors; ++i) at.competitors.add(in->competitors[node.first_competitor + i]);
    if (node.first_child < 0) continue;
    order.nodes[t].first_child = static_cast<std::int32_t>(order.nodes.size());
    at.split.add(node);
    for (std::int32_t c = 0; c < node.n_children; ++c) append(in, node.first_child + c, static_cast<std::int32_t>(t));
  }
  return order;
}

}  // namespace boxwood::coded

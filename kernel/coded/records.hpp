// Nodes as they are grown, in the order they were met; put into level order at the end.
// Invariant: the two children of a record stand next to each other; a subtree's record 0 is its root.
// Cost: about 60 bytes a node and its moments.
#pragma once

#include <cmath>
#include <vector>

#include "../grown_nodes.hpp"
#include "view.hpp"

namespace boxwood::coded {

constexpr u32 NO_ROW = 0xFFFFFFFFu;

struct Records {
  struct Node {
    std::int32_t first_child = -1, feature = -1, missing = STAYS;
    u32 rows = 0;
    u32 below = NO_ROW, above = NO_ROW;  // rows whose values are about the cut, read when all nodes are known
    double cut = 0.0, score = std::numeric_limits<double>::quiet_NaN();
  };
  std::vector<Node> nodes;
  std::vector<double> moments;

  std::int32_t size() const { return static_cast<std::int32_t>(nodes.size()); }
};

// SPECS 0.4, as cut_between in columns.hpp for plain values.
inline double cut_value(double a, double b, bool by_rank) {
  const double middle = a + (b - a) / 2;
  return by_rank || (std::isfinite(a) && std::isfinite(b) && middle < b && std::isfinite(middle)) ? middle : a;
}

// Where node t of the tree stands among the records, and how many nodes before it are split.
struct Place {
  const Records* in;
  std::int32_t record, parent, inner_before;
};

// Subtree b continues record below[b] of the top.
inline std::vector<Place> breadth_first(const Records& top, const std::vector<std::int32_t>& below, const std::vector<Records>& subtrees) {
  std::vector<std::int32_t> subtree_of(top.nodes.size(), -1);
  std::size_t total = top.nodes.size();
  for (std::size_t b = 0; b < below.size(); ++b) {
    subtree_of[below[b]] = static_cast<std::int32_t>(b);
    total += subtrees[b].nodes.size() - 1;
  }
  std::vector<Place> order;
  order.reserve(total);
  const auto settled = [&](const Records* in, std::int32_t record, std::int32_t parent) {
    if (in == &top && subtree_of[record] >= 0) return Place{&subtrees[subtree_of[record]], 0, parent, 0};
    return Place{in, record, parent, 0};
  };
  order.push_back(settled(&top, 0, -1));
  for (std::size_t t = 0; t < order.size(); ++t) {
    const auto [in, record, parent, none] = order[t];
    order[t].inner_before = static_cast<std::int32_t>((order.size() - 1) / 2);
    const std::int32_t child = in->nodes[record].first_child;
    for (std::int32_t c = 0; child >= 0 && c < 2; ++c) order.push_back(settled(in, child + c, static_cast<std::int32_t>(t)));
  }
  return order;
}

// What turns records into a tree: their order, the values behind rows, how cuts are read.
struct Writing {
  const std::vector<Place>& order;
  const Codes& codes;
  bool by_rank;
  int width;

  void prefetch(std::size_t t) const {
    if (t >= order.size()) return;
    const Records::Node& node = order[t].in->nodes[order[t].record];
    if (node.below == NO_ROW) return;
    codes.prefetch(node.feature, node.below);
    codes.prefetch(node.feature, node.above);
  }
  double cut(const Records::Node& node) const {
    if (node.below == NO_ROW) return node.cut;
    return cut_value(codes.value(node.feature, node.below), codes.value(node.feature, node.above), by_rank);
  }
};

inline void write_node(const Writing& writing, std::size_t t, GrownNodes& to) {
  const int width = writing.width;
  const auto [in, record, parent, inner] = writing.order[t];
  const Records::Node& node = in->nodes[record];
  const bool is_inner = node.first_child >= 0;
  to.parent[t] = parent;
  to.first_child[t] = is_inner ? 2 * inner + 1 : -1;
  to.n_children[t] = is_inner ? 2 : 0;
  to.rows[t] = node.rows;
  std::copy_n(&in->moments[static_cast<std::size_t>(record) * width], width, &to.moments[t * width]);
  to.missing[t] = node.missing;
  to.score[t] = node.score;
  SplitRows& splits = to.splits;
  splits.feature[t] = node.feature;
  splits.n_positions[t] = is_inner ? 2 : 0;
  splits.breaks_start[t + 1] = inner + is_inner;
  splits.index_start[t + 1] = 2 * (inner + is_inner);
  if (!is_inner) return;
  splits.breaks[inner] = writing.cut(node);
  splits.position[2 * inner + 1] = splits.index[2 * inner + 1] = 1;
}

inline GrownNodes in_level_order(const Writing& writing, Team& team) {
  constexpr u32 AHEAD = 16;
  const std::size_t n = writing.order.size(), inner = (n - 1) / 2;
  GrownNodes out;
  for (auto* list : {&out.parent, &out.first_child, &out.n_children, &out.missing, &out.splits.feature, &out.splits.n_positions}) list->resize(n);
  for (auto* list : {&out.surrogate_start, &out.competitor_start, &out.splits.breaks_start, &out.splits.index_start}) list->resize(n + 1);
  for (auto* list : {&out.splits.breaks, &out.splits.lows}) list->resize(inner);
  for (auto* list : {&out.splits.position, &out.splits.index}) list->resize(2 * inner);
  out.heuristic.resize(n);
  out.moments.resize(n * static_cast<std::size_t>(writing.width));
  out.score.resize(n);
  out.rows.resize(n);
  in_pieces(&team, static_cast<u32>(n), [&](u32 from, u32 to, int) {
    for (u32 t = from; t < to; ++t) {
      writing.prefetch(t + AHEAD);
      write_node(writing, t, out);
    }
  });
  return out;
}

}  // namespace boxwood::coded

// Nodes as they are grown, in the order they were met; put into level order at the end.
// Invariant: the two children of a record stand next to each other; a subtree's record 0 is its root.
// Cost: about 60 bytes a node and its moments.
#pragma once

#include <cmath>
#include <vector>

#include "../grown_nodes.hpp"
#include "view.hpp"

namespace boxwood::coded {

struct Records {
  struct Node {
    std::int32_t first_child = -1, feature = -1, missing = STAYS;
    u32 rows = 0;
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

inline void push_node(const Records& from, std::int32_t record, int width, GrownNodes& to) {
  const Records::Node& node = from.nodes[record];
  to.rows.push_back(node.rows);
  const auto* moments = &from.moments[static_cast<std::size_t>(record) * width];
  to.moments.insert(to.moments.end(), moments, moments + width);
  to.heuristic.push_back(0);
  to.missing.push_back(node.missing);
  to.score.push_back(node.score);
  if (node.feature >= 0)
    to.splits.push_cut(node.feature, {node.cut, 0.0});
  else
    to.splits.push_empty();
  to.competitor_start.push_back(0);
  to.surrogate_start.push_back(0);
}

// Subtree b continues record below[b] of the top.
inline GrownNodes in_level_order(const Records& top, const std::vector<std::int32_t>& below, const std::vector<Records>& subtrees, int width) {
  struct Place {
    const Records* in;
    std::int32_t record, parent;
  };
  std::vector<std::int32_t> subtree_of(top.nodes.size(), -1);
  std::size_t total = top.nodes.size();
  for (std::size_t b = 0; b < below.size(); ++b) {
    subtree_of[below[b]] = static_cast<std::int32_t>(b);
    total += subtrees[b].nodes.size() - 1;
  }
  std::vector<Place> order;
  order.reserve(total);
  const auto settle = [&](Place place) {
    if (place.in == &top && subtree_of[place.record] >= 0) return Place{&subtrees[subtree_of[place.record]], 0, place.parent};
    return place;
  };
  order.push_back(settle({&top, 0, -1}));
  GrownNodes out;
  out.reserve(total, width);
  for (std::size_t t = 0; t < order.size(); ++t) {
    const auto [in, record, parent] = order[t];
    const std::int32_t child = in->nodes[record].first_child;
    out.parent.push_back(parent);
    out.first_child.push_back(child < 0 ? -1 : static_cast<std::int32_t>(order.size()));
    out.n_children.push_back(child < 0 ? 0 : 2);
    push_node(*in, record, width, out);
    for (std::int32_t c = 0; child >= 0 && c < 2; ++c) order.push_back(settle({in, child + c, static_cast<std::int32_t>(t)}));
  }
  return out;
}

}  // namespace boxwood::coded

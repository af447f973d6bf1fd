// Puts subtrees that were grown apart into one tree in level order.
// Invariant: children become contiguous and parents stand before them, whoever grew which part in which order.
// Cost: linear in the size of the tree.
#pragma once

#include <cmath>

#include "grow/grown_nodes.hpp"

namespace boxwood {

// Records in the order nodes were met, splits in the order they were found: row i of the splits belongs to
// described[i].
struct Growing {
  GrownNodes nodes;
  std::vector<std::int32_t> described;

  // One more node, not yet described; its moments and rows are the caller's to add.
  std::int32_t add_record(std::int32_t parent) {
    nodes.parent.push_back(parent);
    nodes.first_child.push_back(-1);
    nodes.n_children.push_back(0);
    return static_cast<std::int32_t>(nodes.parent.size()) - 1;
  }

  // Row of the splits of each record, -1 for a leaf that nobody described.
  std::vector<std::int32_t> split_rows() const {
    std::vector<std::int32_t> row(nodes.size(), -1);
    for (std::size_t i = 0; i < described.size(); ++i) row[described[i]] = static_cast<std::int32_t>(i);
    return row;
  }
};

inline void copy_node(const GrownNodes& from, std::int32_t record, std::int32_t row, GrownNodes& to) {
  const std::ptrdiff_t width = static_cast<std::ptrdiff_t>(from.moments.size() / from.rows.size());
  to.rows.push_back(from.rows[record]);
  to.moments.insert(to.moments.end(), from.moments.begin() + record * width,
                    from.moments.begin() + (record + 1) * width);
  if (row < 0) {
    to.heuristic.push_back(0);
    to.missing.push_back(STAYS);
    to.score.push_back(std::nan(""));
    to.splits.push_empty();
    to.competitor_start.push_back(to.competitor_start.back());
    to.surrogate_start.push_back(to.surrogate_start.back());
    return;
  }
  to.heuristic.push_back(from.heuristic[row]);
  to.missing.push_back(from.missing[row]);
  to.score.push_back(from.score[row]);
  to.splits.push_row(from.splits, row);
  for (std::int32_t c = from.competitor_start[row]; c < from.competitor_start[row + 1]; ++c) {
    to.competitors.push_row(from.competitors, c);
    to.competitor_score.push_back(from.competitor_score[c]);
  }
  for (std::int32_t s = from.surrogate_start[row]; s < from.surrogate_start[row + 1]; ++s) {
    to.surrogates.push_row(from.surrogates, s);
    to.agreement.push_back(from.agreement[s]);
    to.adjusted.push_back(from.adjusted[s]);
  }
  to.competitor_start.push_back(static_cast<std::int32_t>(to.competitor_score.size()));
  to.surrogate_start.push_back(static_cast<std::int32_t>(to.agreement.size()));
}

// Breadth-first over the top and the subtrees below it: subtree b begins at record below[b] of the top.
inline GrownNodes in_level_order(const Growing& top, const std::vector<std::int32_t>& below,
                                 const std::vector<Growing>& subtrees) {
  struct Place {
    const Growing* in;
    std::int32_t record, parent;
  };
  std::vector<std::int32_t> subtree_of(top.nodes.size(), -1);
  for (std::size_t b = 0; b < below.size(); ++b) subtree_of[below[b]] = static_cast<std::int32_t>(b);
  std::vector<std::vector<std::int32_t>> rows_of;
  for (const Growing& subtree : subtrees) rows_of.push_back(subtree.split_rows());
  rows_of.push_back(top.split_rows());
  const auto settle = [&](Place place) {
    if (place.in == &top && subtree_of[place.record] >= 0)
      return Place{&subtrees[subtree_of[place.record]], 0, place.parent};
    return place;
  };
  std::vector<Place> order{settle({&top, 0, -1})};
  GrownNodes out;
  for (std::size_t t = 0; t < order.size(); ++t) {
    const auto [in, record, parent] = order[t];
    const std::int32_t n_children = in->nodes.n_children[record];
    out.parent.push_back(parent);
    out.first_child.push_back(n_children ? static_cast<std::int32_t>(order.size()) : -1);
    out.n_children.push_back(n_children);
    const std::size_t block = in == &top ? subtrees.size() : in - subtrees.data();
    copy_node(in->nodes, record, rows_of[block][record], out);
    for (std::int32_t c = 0; c < n_children; ++c)
      order.push_back(settle({in, in->nodes.first_child[record] + c, static_cast<std::int32_t>(t)}));
  }
  return out;
}

}  // namespace boxwood

// A tree grown level by level: what describes the nodes of a level, and the levels one after the other.
// Invariant: the children of a level's nodes, in order, are the nodes of the next level.
// Cost: linear in the size of the tree.
#pragma once

#include <cmath>
#include <optional>

#include "grow/grown_nodes.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood {

// The split of a node, its competitors (best first), where missing values go, and the number of children.
template <class Split>
struct Chosen {
  Split split;
  std::vector<Split> competitors;
  std::int32_t missing = STAYS, n_children = 0;
};

// Appends the rows of leaves, until there are `n` nodes.
inline void describe_leaves(std::size_t n, GrownNodes& level) {
  level.heuristic.resize(n, 0);
  level.n_children.resize(n, 0);
  level.missing.resize(n, STAYS);
  level.score.resize(n, std::nan(""));
  level.splits.push_empty(n);
  level.competitor_start.resize(n + 1, level.competitor_start.back());
  level.surrogate_start.resize(n + 1, 0);
}

// Appends the row of a node, split or not; `push(split, rows)` writes one split.
template <class Split, class Push>
void describe_node(const std::optional<Chosen<Split>>& found, const Push& push, GrownNodes& level) {
  if (!found) return describe_leaves(level.splits.size() + 1, level);
  level.heuristic.push_back(0);
  level.n_children.push_back(found->n_children);
  level.missing.push_back(found->missing);
  level.score.push_back(found->split.score);
  push(found->split, level.splits);
  for (const Split& other : found->competitors) {
    push(other, level.competitors);
    level.competitor_score.push_back(other.score);
  }
  level.competitor_start.push_back(static_cast<std::int32_t>(level.competitor_score.size()));
  level.surrogate_start.push_back(0);
}

inline void append_level(GrownNodes& tree, const GrownNodes& level) {
  const auto before = static_cast<std::int32_t>(tree.competitor_score.size());
  join_starts(tree.competitor_start, level.competitor_start, before);
  tree.splits.append(level.splits);
  tree.competitors.append(level.competitors);
  join(tree.n_children, level.n_children);
  join(tree.rows, level.rows);
  join(tree.moments, level.moments);
  join(tree.heuristic, level.heuristic);
  join(tree.missing, level.missing);
  join(tree.score, level.score);
  join(tree.log_p, level.log_p);
  join(tree.competitor_score, level.competitor_score);
  tree.surrogate_start.resize(tree.rows.size() + 1, 0);
}

// The whole tree by the two steps of a level, every node open.
template <class Grower>
GrownNodes grow_levels(Grower& grower, ThreadPool& pool) {
  GrownNodes tree;
  for (grower.root(pool); grower.level.size() > 0; grower.route(pool)) {
    grower.best_splits(std::vector<std::uint8_t>(grower.level.size(), 1), pool);
    append_level(tree, grower.level);
  }
  tree.parent.assign(tree.size(), -1);
  std::int32_t next = 1;
  for (std::size_t t = 0; t < tree.size(); ++t) {
    tree.first_child.push_back(tree.n_children[t] > 0 ? next : -1);
    for (std::int32_t c = 0; c < tree.n_children[t]; ++c) tree.parent[next++] = static_cast<std::int32_t>(t);
  }
  return tree;
}

}  // namespace boxwood

// What a game of Shapley values reads: the tree, where rows go at its nodes, and the references.
// Invariant: reads only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "predict/route.hpp"

namespace boxwood {

// A tree with what a TreeView lacks, one entry a node. A branch is a child, or STAYS: what stays at the node.
struct GameTree {
  const TreeView& view;
  const std::int32_t* n_children;
  const double* share;  // of a node among its siblings, by weight: how a missing value is shared out
  const double* cover;  // of a node in its parent: by weight, rows that stayed there included
  const double* stays;  // share of the rows of a node that stayed there
  const double* prediction;  // `width` numbers a node
  std::size_t n_nodes, width;

  std::int32_t feature(std::int32_t node) const { return view.splits.feature[node]; }
  std::int32_t child(std::int32_t node, std::int32_t branch) const { return view.first_child[node] + branch; }
  double share_of(std::int32_t node, std::int32_t branch) const {
    return branch == STAYS ? 0.0 : share[child(node, branch)];
  }
  double cover_of(std::int32_t node, std::int32_t branch) const {
    return branch == STAYS ? stays[node] : cover[child(node, branch)];
  }
};

// Where the rows of a table go at a node: a branch, or SHARED.
class Router {
 public:
  const std::size_t columns;

  Router(const GameTree& tree, const std::vector<ColumnView>& given)
      : columns(given.size()), tree_(tree), descent_(tree.view, given) {}

  std::int32_t route(std::int32_t node, std::size_t row) const {
    std::uint8_t flags = 0;
    const std::int32_t route = descent_.route(node, row, flags);
    if (route != SHARED) return route;
    const double* first = tree_.share + tree_.child(node, 0);
    return std::any_of(first, first + tree_.n_children[node], [](double x) { return x > 0.0; }) ? SHARED : STAYS;
  }

 private:
  const GameTree& tree_;
  const Descent descent_;
};

// What rows are compared with: some background rows, or the cover of the tree, which follows all branches by weight.
class References {
 public:
  References() = default;
  References(const GameTree& tree, const Router& rows, std::size_t count)
      : rows_(&rows), count_(count), known_(tree.n_nodes * count <= MOST_KNOWN ? tree.n_nodes * count : 0) {}

  bool by_cover() const { return rows_ == nullptr; }
  std::size_t count() const { return count_; }
  // Found once for a node where there are few nodes and rows.
  std::int32_t route(std::int32_t node, std::size_t row) {
    if (known_.empty()) return rows_->route(node, row);
    std::int32_t& known = known_[static_cast<std::size_t>(node) * count_ + row];
    if (known == 0) known = rows_->route(node, row) - BEFORE_ALL;
    return known + BEFORE_ALL;
  }

 private:
  static constexpr std::size_t MOST_KNOWN = std::size_t{1} << 20;  // 4 MiB a thread
  static constexpr std::int32_t BEFORE_ALL = STAYS - 1;

  const Router* rows_ = nullptr;
  std::size_t count_ = 1;
  std::vector<std::int32_t> known_;  // less BEFORE_ALL; 0 = not yet
};

}  // namespace boxwood

// What a game of Shapley values reads: the tree, where rows go at its nodes, and the references.
// Invariant: reads only. Cost: a route a node and reference, found once for a block of references.
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
  Router(const GameTree& tree, const std::vector<ColumnView>& columns) : tree_(tree), descent_(tree.view, columns) {}

  std::int32_t route(std::int32_t node, std::size_t row) const {
    std::uint8_t met = 0;
    const std::int32_t route = descent_.route(node, row, met);
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
  References(const GameTree& tree, const Router& rows, std::size_t first, std::size_t count, ThreadPool& pool)
      : size_(count), routes_(count * tree.n_nodes) {
    pool.run(tree.n_nodes, [&](std::size_t node, int) {
      const auto id = static_cast<std::int32_t>(node);
      if (tree.feature(id) < 0) return;
      for (std::size_t i = 0; i < count; ++i) routes_[node * count + i] = rows.route(id, first + i);
    });
  }

  // How many rows the routes of a tree may be kept of at a time: 64 MiB.
  static std::size_t at_most(const GameTree& tree) {
    return std::max<std::size_t>(1, (std::size_t{1} << 24) / tree.n_nodes);
  }

  bool by_cover() const { return routes_.empty(); }
  std::size_t size() const { return size_; }
  const std::int32_t* routes(std::int32_t node) const {
    return routes_.data() + static_cast<std::size_t>(node) * size_;
  }

 private:
  std::size_t size_ = 1;
  std::vector<std::int32_t> routes_;
};

}  // namespace boxwood

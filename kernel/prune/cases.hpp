// The cases that a tree is pruned by, and their paths down it.
// Invariant: a case takes the branch of predict/route.hpp; the tree and the columns are only read.
// Cost: a comparison where a node cuts numbers once, else that of a descent.
#pragma once

#include "predict/route.hpp"

namespace boxwood {

// A row, or a part of one, with its class.
struct Case {
  std::uint32_t row;
  std::int32_t y;
  std::int64_t weight;
};

class CaseRouter {
 public:
  CaseRouter(const TreeView& tree, const std::int32_t* n_children, std::size_t nodes,
             const std::vector<ColumnView>& columns)
      : tree_(tree), n_children_(n_children), descent_(tree, columns) {
    for (std::size_t t = 0; t < nodes; ++t) cuts_.push_back(one_cut(t, columns));
  }

  std::size_t size() const { return cuts_.size(); }
  bool is_leaf(std::size_t node) const { return tree_.splits.feature[node] < 0; }
  std::int32_t n_children(std::int32_t node) const { return n_children_[node]; }
  std::int32_t child(std::int32_t node, std::size_t branch) const {
    return tree_.first_child[node] + static_cast<std::int32_t>(branch);
  }

  // Branch of a row at an inner node: its value's, a surrogate's, or where missing values go (perhaps SHARED, STAYS).
  std::int32_t route(std::int32_t node, std::uint32_t row) const {
    const OneCut& cut = cuts_[node];
    const double value = cut.values ? cut.values[static_cast<std::ptrdiff_t>(row) * cut.stride] : std::nan("");
    if (!std::isnan(value)) return value <= cut.at ? cut.low : cut.high;
    std::uint8_t flags = 0;
    return descent_.route(node, row, flags);
  }

 private:
  // A split that is one cut of doubles with a branch on either side; else `values` is nullptr.
  struct OneCut {
    const double* values = nullptr;
    std::ptrdiff_t stride = 1;
    double at = 0.0;
    std::int32_t low = 0, high = 0;
  };

  OneCut one_cut(std::size_t t, const std::vector<ColumnView>& columns) const {
    const SplitView& splits = tree_.splits;
    const std::int32_t first = splits.breaks_start[t], at = splits.index_start[t];
    if (is_leaf(t) || splits.breaks_start[t + 1] - first != 1 || splits.index_start[t + 1] - at != 2) return {};
    const ColumnView& column = columns[splits.feature[t]];
    if (column.lows || splits.lows[first] != 0.0) return {};
    return {column.values, column.stride, splits.breaks[first], splits.index[at], splits.index[at + 1]};
  }

  const TreeView& tree_;
  const std::int32_t* n_children_;
  const Descent descent_;
  std::vector<OneCut> cuts_;
};

}  // namespace boxwood

// A tree whose breaks are codes of a table, so that coded rows are routed without their values being looked up.
// Invariant: a coded row takes the branch that its values take (predict/route.hpp); the table is only read.
// Cost: one bisection of a column's values for each break, once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ranges>
#include <vector>

#include "encode/columns.hpp"
#include "predict/route.hpp"

namespace boxwood {

// A row, or a part of one, with its class.
struct Case {
  std::uint32_t row;
  std::int32_t y;
  std::int64_t weight;
};

class RankTree {
 public:
  // What a TreeView does not hold; `n_children` and `n_positions`: of each node.
  struct Sizes {
    std::size_t n_nodes, n_surrogates;
    const std::int32_t *n_children, *n_positions;
  };

  // `by_rank`: the breaks are codes already.
  RankTree(const TreeView& tree, const Sizes& sizes, const std::vector<Column>& columns, bool by_rank)
      : table_(columns), sizes_(sizes), tree_(tree), descent_(tree_, columns_) {
    for (const Column& column : columns) {
      columns_.emplace_back();
      columns_.back().codes = column.codes.data();
      columns_.back().nominal = column.kind == Kind::nominal;
    }
    code_breaks(tree_.splits, sizes.n_nodes, by_rank, breaks_[0]);
    code_breaks(tree_.surrogates, sizes.n_surrogates, by_rank, breaks_[1]);
    lows_.assign(std::max(breaks_[0].size(), breaks_[1].size()), 0.0);
    tree_.splits.lows = tree_.surrogates.lows = lows_.data();
    for (std::size_t t = 0; t < sizes.n_nodes; ++t) cuts_.push_back(one_cut(t));
  }
  RankTree(const RankTree&) = delete;
  RankTree& operator=(const RankTree&) = delete;

  std::size_t size() const { return sizes_.n_nodes; }
  bool is_leaf(std::size_t node) const { return tree_.splits.feature[node] < 0; }
  std::int32_t n_children(std::int32_t node) const { return sizes_.n_children[node]; }
  std::int32_t child(std::int32_t node, std::size_t branch) const {
    return tree_.first_child[node] + static_cast<std::int32_t>(branch);
  }

  // Branch of a row at an inner node: its value's, a surrogate's, or where missing values go (perhaps SHARED, STAYS).
  std::int32_t route(std::int32_t node, std::uint32_t row) const {
    const OneCut& cut = cuts_[node];
    if (cut.codes && cut.codes[row] != MISSING) return cut.codes[row] < cut.first_above ? cut.low : cut.high;
    std::uint8_t met = 0;
    return descent_.route(node, row, met);
  }

  // Which rows some node may share out: a value is missing, or has no branch, where missing values are shared.
  std::vector<char> may_be_shared(const std::vector<Case>& cases) const {
    std::vector<char> found(cases.size(), 0);
    const std::vector<std::vector<char>> shared = shared_codes();
    for (std::size_t j = 0; j < shared.size(); ++j) {
      if (shared[j].empty()) continue;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::uint32_t code = table_[j].codes[cases[i].row];
        found[i] |= code == MISSING ? shared[j].back() : shared[j][columns_[j].nominal ? code : 0];
      }
    }
    return found;
  }

 private:
  // A split that is one cut with a branch on either side; else `codes` is nullptr.
  struct OneCut {
    const std::uint32_t* codes = nullptr;
    std::uint32_t first_above = 0;
    std::int32_t low = 0, high = 0;
  };

  OneCut one_cut(std::size_t t) const {
    const SplitView& splits = tree_.splits;
    const std::int32_t j = splits.feature[t], at = splits.index_start[t];
    if (j < 0 || columns_[j].nominal || splits.breaks_start[t + 1] - splits.breaks_start[t] != 1 ||
        splits.index_start[t + 1] - at != 2)
      return {};
    const double first_above = splits.breaks[splits.breaks_start[t]] + 0.5;
    return {columns_[j].codes, static_cast<std::uint32_t>(first_above), splits.index[at], splits.index[at + 1]};
  }

  // Replaces the breaks of splits by numbers between codes.
  void code_breaks(SplitView& splits, std::size_t size, bool by_rank, std::vector<double>& breaks) const {
    if (size > 0) breaks.resize(static_cast<std::size_t>(splits.breaks_start[size]));
    for (std::size_t s = 0; s < size; ++s)
      for (std::int32_t at = splits.breaks_start[s]; at < splits.breaks_start[s + 1]; ++at)
        breaks[at] = first_above(table_[splits.feature[s]], splits.breaks[at], splits.lows[at], by_rank) - 0.5;
    splits.breaks = breaks.data();
  }

  // The first code whose value lies above a break.
  static double first_above(const Column& column, double cut, double low, bool by_rank) {
    if (by_rank || column.kind != Kind::numeric)
      return std::clamp(std::floor(cut) + 1.0, 0.0, static_cast<double>(column.n_codes));
    const auto codes = std::views::iota(0u, column.n_codes);
    return *std::ranges::partition_point(
        codes, [&](std::uint32_t code) { return !is_below({cut, low}, value_at(column, code)); });
  }

  // Of each column: whether each level (or, of an ordered column, any value) may be shared out, and missing values
  // last; empty where no node shares.
  std::vector<std::vector<char>> shared_codes() const {
    std::vector<std::vector<char>> shared(table_.size());
    const SplitView& splits = tree_.splits;
    for (std::size_t t = 0; t < sizes_.n_nodes; ++t) {
      const std::int32_t j = splits.feature[t];
      if (j < 0 || tree_.missing[t] != SHARED) continue;
      std::vector<char>& codes = shared[j];
      if (codes.empty()) codes.assign(columns_[j].nominal ? table_[j].n_codes + 1 : 2, 0);
      codes.back() = 1;
      const std::int32_t *first = splits.position + splits.index_start[t],
                         *last = splits.position + splits.index_start[t + 1];
      if (last - first == sizes_.n_positions[t]) continue;
      if (!columns_[j].nominal) codes.front() = 1;
      for (std::uint32_t level = 0; columns_[j].nominal && level < table_[j].n_codes; ++level)
        if (!std::binary_search(first, last, static_cast<std::int32_t>(level))) codes[level] = 1;
    }
    return shared;
  }

  const std::vector<Column>& table_;
  const Sizes sizes_;
  TreeView tree_;
  std::vector<ColumnView> columns_;
  std::vector<double> breaks_[2], lows_;
  std::vector<OneCut> cuts_;
  const Descent descent_;
};

}  // namespace boxwood

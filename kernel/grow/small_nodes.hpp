// Subtrees of few rows: every feature is sorted once, then lists are only scanned and partitioned, all in the cache.
// Where nodes draw features, each sorts its own instead, unless surrogates need all lists.
// Invariant: a node's children search only the features that are not constant in it.
// Cost: sorting about 4 ns a value; then about 2 ns a value and level.
#pragma once

#include "grow/describe.hpp"
#include "search/feature_draw.hpp"
#include "search/list_search.hpp"
#include "surrogate/list_surrogates.hpp"

namespace boxwood::coded {

inline std::vector<std::int32_t> columns_in_order(const Codes& codes) {
  std::vector<std::int32_t> out = numbers_below(codes.columns());
  std::sort(out.begin(), out.end(), [&](auto a, auto b) { return codes.place(a) < codes.place(b); });
  return out;
}

template <class R>
class SmallGrower {
 public:
  using Task = SmallNode<R>;

  SmallGrower(const Rules& rules, const Codes& codes)
      : rules_(rules),
        describer_{rules},
        codes_(codes),
        lists_(codes),
        search_(y_, rules_, codes, lists_),
        surrogates_(codes),
        sorts_anew_(rules.settings->max_features > 0 && !rules.uses_surrogates()),
        draw_(rules_, columns_in_order(codes), [&](std::size_t j) { return codes.place(j); }) {}
  SmallGrower(const SmallGrower&) = delete;

  // Grows the subtree of some ids (at most SMALL) below `record`, which is already described.
  void grow(const R& y, const View& view, const u32* ids, const Task& root, Records& out) {
    out_ = &out;
    y_ = y.of(ids, root.count, rows_);
    lists_.start(view, ids, root.count, R::Scanner::marks(y_));
    active_.clear();
    if (sorts_anew_) active_.push_back(lists_.list_all(root.count));
    for (const std::int32_t j : sorts_anew_ ? std::span<const std::int32_t>{} : std::span(draw_.columns()))
      if (lists_.sort(static_cast<std::size_t>(j), root.count)) active_.push_back(j);
    Task task = root;
    task.begin = 0;
    split(task, 0, active_.size(), 0);
  }

 private:
  void split(Task& node, std::size_t first, std::size_t last, int side) {
    if (!rules_.is_open(node.stats, node.count)) return;
    const std::size_t begin = active_.size();
    sorts_anew_ ? active_.push_back(active_[first]) : drop_constants(node, first, last, side);
    const std::size_t end = active_.size();
    auto& found = find(node, begin, end, side);
    if (rules_.settings->order_by_mean)
      for (Candidate& one : found) orient(node, one, side);
    for (std::size_t i = 1; i < found.size(); ++i) describe_competitor(node, found[i], side);
    if (!found.empty()) branch(node, Candidate(found[0]), begin, end, side);
    active_.resize(begin);
  }

  // The best candidates of a node: of the features in a range of the stack, or of those that it draws until there is
  // one.
  std::vector<Candidate>& find(const Task& node, std::size_t first, std::size_t last, int side) {
    const std::span<const std::int32_t> active(active_.data() + first, active_.data() + last);
    if (rules_.settings->max_features == 0) return search_.find(node, active, side);
    if (sorts_anew_) lists_.sort_among(lists_.of(active[0], side) + node.begin, node.count);
    draw_.start(node.stats);
    while (true) {
      drawn_.clear();
      for (const std::int32_t j : draw_.next()) {
        u32* const list = lists_.of(j, side) + node.begin;
        const bool varies = sorts_anew_ ? lists_.sort(static_cast<std::size_t>(j), node.count, list)
                                        : std::ranges::find(active, j) != active.end();
        if (varies) drawn_.push_back(j);
      }
      auto& found = search_.find(node, drawn_, side);
      if (!found.empty() || draw_.is_over()) return found;
    }
  }

  // Features that still offer a split within the node, as a new range on top of the stack.
  void drop_constants(const Task& node, std::size_t first, std::size_t last, int side) {
    for (std::size_t a = first; a < last; ++a) {
      const std::int32_t j = active_[a];
      const u32* entries = lists_.of(j, side) + node.begin;
      if (rank_of(entries[0]) == rank_of(entries[node.count - 1])) continue;
      const u32 known = lists_.known(j, entries, node.count);
      if (known < node.count && !rules_.learns() && rank_of(entries[0]) == rank_of(entries[known - 1])) continue;
      active_.push_back(j);
    }
  }

  // Turns a candidate so that branch 0 has the lower mean.
  void orient(const Task& node, Candidate& one, int side) {
    std::vector<LevelBranch>* levels = search_.levels(one);
    if (!levels && one.left == one.known) return;
    const u32* entries = lists_.of(one.feature, side) + node.begin;
    const auto width = static_cast<std::size_t>(y_.width());
    std::vector<typename R::Cell> cells(2 * width);
    auto level = levels ? levels->begin() : std::vector<LevelBranch>::iterator{};
    for (u32 i = 0; i < one.known; ++i) {
      bool right = i >= one.left;
      if (levels) {
        while (level->level != lists_.level(one.feature, entries[i])) ++level;
        right = level->branch != 0;
      }
      y_.add(&cells[right ? width : 0], id_of(entries[i]));
    }
    if (!is_turned(y_, node.stats, cells.data(), cells.data() + width)) return;
    one.flipped = !levels;
    if (levels)
      for (auto& [number, branch] : *levels) branch = 1 - branch;
    if (one.missing >= 0) one.missing = 1 - one.missing;
  }

  // Rows whose values are about a cut.
  void find_rows_about(const Task& node, const Candidate& one, int side, u32& below, u32& above) const {
    if (one.groups) return;
    const u32* entries = lists_.of(one.feature, side) + node.begin;
    below = lists_.row(entries[one.left - 1]);
    if (one.left < one.known) above = lists_.row(entries[one.left]);
  }

  void describe_competitor(const Task& node, const Candidate& one, int side) {
    Competitor out;
    out.feature = one.feature;
    out.flipped = one.flipped;
    find_rows_about(node, one, side, out.below, out.above);
    out.score = describer_.score(one.decrease, y_.weight(node.sums));
    describer_.competitor(*out_, node.record, out, search_.levels(one));
  }

  // The children of a node, and which of its rows go where.
  struct Children {
    Task at[MOST_BRANCHES];
    std::int32_t n = 2, missing = STAYS;
    bool all_go = true;
  };

  void branch(const Task& node, const Candidate& best, std::size_t first, std::size_t last, int side) {
    const u32* entries = lists_.of(best.feature, side) + node.begin;
    const Lists::Range range{node.begin, node.count, side, active_.data() + first, active_.data() + last};
    Children children;
    inherited_ = node.stats.inherited.below(*rules_.settings, codes_.place(static_cast<std::size_t>(best.feature)));
    if (best.groups == 0 && best.known == node.count)
      partition_known(range, best, children);
    else
      partition_with_missing(best, range, children);
    u32 below = NO_ROW, above = NO_ROW;
    find_rows_about(node, best, side, below, above);
    const u32 rows[2] = {children.at[0].count, children.at[1].count};
    describer_.split(*out_, node.record,
                     {best.feature, below, above, best.decrease, y_.weight(node.sums),
                      rules_.branch_in_prediction(children.missing, rows), children.n, search_.levels(best),
                      best.flipped, best.heuristic, rules_.uses_surrogates() ? &surrogates_.found() : nullptr});
    const std::int32_t first_child = out_->nodes[node.record].first_child;
    bool open[MOST_BRANCHES] = {};
    for (int c = 0; c < children.n; ++c) {
      Task& child = children.at[c];
      child.record = first_child + c;
      y_.close(child.sums);
      child.stats = y_.stats_of(child.sums);
    }
    rules_.hand_on(node.stats, codes_.place(static_cast<std::size_t>(best.feature)), best.flipped,
                   std::span(children.at, static_cast<std::size_t>(children.n)),
                   [&](const Task& child, double* line) { y_.describe(child.sums, child.stats, *rules_.y, line); });
    for (int c = 0; c < children.n; ++c) {
      const Task& child = children.at[c];
      if (child.stats.by_low) keep_by_low(entries, node.count, c, child);
      describer_.node(y_, *out_, child.record, child.sums, child.stats);
      open[c] = rules_.is_open(child.stats, child.count);
    }
    if (!open[0] && !open[1] && !open[2]) return;
    if (children.n == 2 && children.all_go) {
      lists_.partition(range, children.at[0].count, open);
    } else {
      for (int c = 0; c < children.n; ++c)
        if (open[c]) lists_.partition_to(range, static_cast<std::uint8_t>(c), children.at[c].begin);
    }
    for (int c = 0; c < children.n; ++c)
      if (open[c]) split(children.at[c], first, last, 1 - side);
  }

  i64 weight_of(Task& child) const {
    y_.close(child.sums);
    return y_.weight(child.sums);
  }

  void partition_known(const Lists::Range& node, const Candidate& best, Children& children) {
    const u32* entries = lists_.of(best.feature, node.side) + node.begin;
    for (int upper = 0; upper < 2; ++upper) {
      const u32 from = upper ? best.left : 0, to = upper ? node.count : best.left;
      const int c = upper ^ static_cast<int>(best.flipped);
      for (u32 i = from; i < to; ++i) {
        const u32 id = id_of(entries[i]);
        lists_.branch()[id] = static_cast<std::uint8_t>(c);
        y_.add(children.at[c].sums, id);
      }
      children.at[c].count = to - from;
    }
    children.at[0].begin = node.begin;
    children.at[1].begin = node.begin + children.at[0].count;
    const i64 weight[2] = {weight_of(children.at[0]), weight_of(children.at[1])};
    children.missing = rules_.missing_branch(best.missing, weight, false);
    find_surrogates(best, node, weight);
  }

  void find_surrogates(const Candidate& best, const Lists::Range& node, const i64 weight[2]) {
    if (!rules_.uses_surrogates()) return;
    surrogates_.find(y_.weight_of, lists_, node, best.feature, best.known,
                     Rating::of(*rules_.settings, weight, inherited_));
  }

  void partition_with_missing(const Candidate& best, const Lists::Range& node, Children& children) {
    const u32* entries = lists_.of(best.feature, node.side) + node.begin;
    std::uint8_t* side = lists_.branch();
    const std::vector<LevelBranch>* levels = search_.levels(best);
    const LevelBranch* level = levels ? levels->data() : nullptr;
    const auto assign = [&](u32 entry, std::uint8_t branch) {
      side[id_of(entry)] = branch;
      y_.add(children.at[branch].sums, id_of(entry));
      ++children.at[branch].count;
    };
    for (u32 i = 0; i < best.known; ++i) {
      auto branch = static_cast<std::uint8_t>((i >= best.left) != best.flipped);
      if (levels) {
        while (level->level != lists_.level(best.feature, entries[i])) ++level;
        branch = static_cast<std::uint8_t>(level->branch);
      }
      assign(entries[i], branch);
    }
    const i64 weight[2] = {weight_of(children.at[0]), weight_of(children.at[1])};
    const bool has_missing = best.known < node.count;
    children.missing = rules_.missing_branch(best.missing, weight, has_missing);
    children.n = has_missing && rules_.own_branch() ? 3 : 2;
    for (u32 i = best.known; i < node.count; ++i) side[id_of(entries[i])] = MOST_BRANCHES;
    find_surrogates(best, node, weight);
    for (u32 i = best.known; i < node.count; ++i) {
      const std::uint8_t surrogate = side[id_of(entries[i])];
      if (surrogate < MOST_BRANCHES || children.missing != STAYS)
        assign(entries[i], surrogate < MOST_BRANCHES ? surrogate : static_cast<std::uint8_t>(children.missing));
      else
        children.all_go = false;
    }
    u32 begin = node.begin;
    for (Task& child : children.at) child.begin = std::exchange(begin, begin + child.count);
  }

  // Keeps a child for later whose rows all have the same high part but differ in their low parts.
  void keep_by_low(const u32* entries, u32 count, int c, const Task& child) {
    std::vector<u32> rows;
    for (u32 i = 0; i < count; ++i)
      if (lists_.branch()[id_of(entries[i])] == c) rows.push_back(id_of(entries[i]));
    if (!differ_in_low_parts(y_, rows.data(), child.count)) return;
    for (u32& row : rows) row = lists_.row(row);
    out_->by_low.push_back({child.record, child.stats.inherited, std::move(rows)});
  }

  const Rules rules_;
  const Describer describer_;
  const Codes& codes_;
  R y_{};
  typename R::Rows rows_;
  Lists lists_;
  ListSearch<R> search_;
  ListSurrogates<R::weighted> surrogates_;
  const bool sorts_anew_;
  FeatureDraw draw_;  // in the order of the learning set
  std::vector<std::int32_t> drawn_;
  Inherited inherited_;  // what the children of the node at hand have
  std::vector<std::int32_t> active_;  // a stack: each node's range lies above its parent's
  Records* out_ = nullptr;
};

}  // namespace boxwood::coded

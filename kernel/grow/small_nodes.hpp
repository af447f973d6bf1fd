// Subtrees of few rows: every feature is sorted once, then lists are only scanned and parted, all in the cache.
// Invariant: features that can offer nothing more stand outside the stretch of the stack that a node hands down.
// Cost: sorting about 4 ns a value; then about 2 ns a value and level.
#pragma once

#include "grow/describe.hpp"
#include "search/list_search.hpp"
#include "surrogate/list_surrogates.hpp"

namespace boxwood::coded {

// Thrown when a node needs the fine part of the response: the other grower takes over (rare: an outlier set the scale).
struct NeedsFine {};

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
        surrogates_(codes) {
    for (std::size_t j = 0; j < codes.columns(); ++j) in_order_.push_back(static_cast<std::int32_t>(j));
    std::sort(in_order_.begin(), in_order_.end(), [&](auto a, auto b) { return codes.place(a) < codes.place(b); });
  }
  SmallGrower(const SmallGrower&) = delete;

  // Grows the subtree of some ids (at most SMALL) below `record`, whose own facts are already there.
  void grow(const R& y, const View& view, const u32* ids, const Task& root, Records& out) {
    out_ = &out;
    y_ = y.of(ids, root.count, rows_);
    lists_.start(y_, view, ids);
    active_.clear();
    for (const std::int32_t j : in_order_)
      if (lists_.sort(static_cast<std::size_t>(j), root.count)) active_.push_back(j);
    Task task = root;
    task.begin = 0;
    split(task, 0, active_.size(), 0);
  }

 private:
  static u32 id_of(u32 entry) { return Lists<R>::id_of(entry); }

  void split(Task& node, std::size_t first, std::size_t last, int side) {
    if (!rules_.is_open(node.judged, node.count, node.depth)) return;
    drop_constants(node, first, last, side);
    const std::size_t begin = last_kept_, end = active_.size();
    const Best best = search_.find(node, active_.data() + begin, active_.data() + end, side);
    if (best.feature >= 0) branch(node, best, begin, end, side);
    active_.resize(begin);
  }

  // Features that still offer a split within the node, as a new stretch on top of the stack.
  void drop_constants(const Task& node, std::size_t first, std::size_t last, int side) {
    last_kept_ = active_.size();
    for (std::size_t a = first; a < last; ++a) {
      const std::int32_t j = active_[a];
      const u32* entries = lists_.of(j, side) + node.begin;
      if (rank_of(entries[0]) == rank_of(entries[node.count - 1])) continue;
      const u32 known = lists_.known(j, entries, node.count);
      if (known < node.count && !rules_.learns() && rank_of(entries[0]) == rank_of(entries[known - 1])) continue;
      active_.push_back(j);
    }
  }

  // The children of a node, and which of its rows go where.
  struct Children {
    Task at[MOST_BRANCHES];
    std::int32_t n = 2, missing = STAYS;
    bool all_go = true;
  };

  void branch(const Task& node, const Best& best, std::size_t first, std::size_t last, int side) {
    const u32* entries = lists_.of(best.feature, side) + node.begin;
    const typename Lists<R>::Stretch stretch{node.begin, node.count, side, active_.data() + first,
                                             active_.data() + last};
    Children children;
    if (best.groups == 0 && best.known == node.count && !rules_.uses_surrogates())
      send_known(node, best, entries, children);
    else
      send_with_gaps(best, stretch, children);
    describer_.split(*out_, node.record,
                     {best.feature, 0.0, best.decrease, y_.weight(node.sums), children.missing, children.n,
                      best.groups ? &search_.levels() : nullptr, best.heuristic,
                      rules_.uses_surrogates() ? &surrogates_.found() : nullptr});
    Records::Node& record = out_->nodes[node.record];
    if (!best.groups) {
      record.below = lists_.row(entries[best.left - 1]);
      if (best.left < best.known) record.above = lists_.row(entries[best.left]);
    }
    const std::int32_t first_child = record.first_child;
    bool open[MOST_BRANCHES] = {};
    for (int c = 0; c < children.n; ++c) {
      Task& child = children.at[c];
      child.depth = node.depth + 1;
      child.record = first_child + c;
      y_.close(child.sums);
      child.judged = y_.judge(child.sums);
      if (child.judged.fine && is_fine(entries, node.count, c)) throw NeedsFine{};
      describer_.node(y_, *out_, child.record, child.sums, child.judged);
      open[c] = rules_.is_open(child.judged, child.count, child.depth);
    }
    if (!open[0] && !open[1] && !open[2]) return;
    if (children.n == 2 && children.all_go) {
      lists_.part(stretch, children.at[0].count, open);
    } else {
      for (int c = 0; c < children.n; ++c)
        if (open[c]) lists_.part_to(stretch, static_cast<std::uint8_t>(c), children.at[c].begin);
    }
    for (int c = 0; c < children.n; ++c)
      if (open[c]) split(children.at[c], first, last, 1 - side);
  }

  i64 weight_of(Task& child) const {
    y_.close(child.sums);
    return y_.weight(child.sums);
  }

  void send_known(const Task& node, const Best& best, const u32* entries, Children& children) {
    for (int c = 0; c < 2; ++c) {
      const u32 from = c ? best.left : 0, to = c ? node.count : best.left;
      for (u32 i = from; i < to; ++i) {
        const u32 id = id_of(entries[i]);
        lists_.branch()[id] = static_cast<std::uint8_t>(c);
        y_.add(children.at[c].sums, id);
      }
      children.at[c].begin = node.begin + from;
      children.at[c].count = to - from;
    }
    const i64 weight[2] = {weight_of(children.at[0]), weight_of(children.at[1])};
    children.missing = rules_.missing_branch(best.missing, weight, false);
  }

  void send_with_gaps(const Best& best, const typename Lists<R>::Stretch& node, Children& children) {
    const u32* entries = lists_.of(best.feature, node.side) + node.begin;
    std::uint8_t* side = lists_.branch();
    auto level = search_.levels().begin();
    const auto send = [&](u32 entry, std::uint8_t branch) {
      side[id_of(entry)] = branch;
      y_.add(children.at[branch].sums, id_of(entry));
      ++children.at[branch].count;
    };
    for (u32 i = 0; i < best.known; ++i) {
      auto branch = static_cast<std::uint8_t>(i >= best.left);
      if (best.groups) {
        while (level->level != rank_of(entries[i])) ++level;
        branch = static_cast<std::uint8_t>(level->branch);
      }
      send(entries[i], branch);
    }
    const i64 weight[2] = {weight_of(children.at[0]), weight_of(children.at[1])};
    const bool has_missing = best.known < node.count;
    children.missing = rules_.missing_branch(best.missing, weight, has_missing);
    children.n = has_missing && rules_.own_branch() ? 3 : 2;
    for (u32 i = best.known; i < node.count; ++i) side[id_of(entries[i])] = MOST_BRANCHES;
    if (rules_.uses_surrogates()) {
      const Rating rating{{static_cast<double>(weight[0]), static_cast<double>(weight[1])},
                          rules_.settings->style,
                          rules_.settings->rpart_quirk};
      surrogates_.find(y_, lists_, node, best.feature, best.known, rating,
                       static_cast<std::size_t>(rules_.settings->max_surrogates));
    }
    for (u32 i = best.known; i < node.count; ++i) {
      const std::uint8_t surrogate = side[id_of(entries[i])];
      if (surrogate < MOST_BRANCHES || children.missing != STAYS)
        send(entries[i], surrogate < MOST_BRANCHES ? surrogate : static_cast<std::uint8_t>(children.missing));
      else
        children.all_go = false;
    }
    u32 begin = node.begin;
    for (Task& child : children.at) child.begin = std::exchange(begin, begin + child.count);
  }

  bool is_fine(const u32* entries, u32 count, int c) const {
    if constexpr (requires { y_.low; }) {
      const i64* low = nullptr;
      for (u32 i = 0; i < count; ++i) {
        const u32 id = id_of(entries[i]);
        if (lists_.branch()[id] != c) continue;
        if (low && y_.low[id] != *low) return true;
        low = &y_.low[id];
      }
    }
    return false;
  }

  const Rules rules_;
  const Describer describer_;
  const Codes& codes_;
  R y_{};
  typename R::Rows rows_;
  Lists<R> lists_;
  SmallSearch<R> search_;
  ListSurrogates<R> surrogates_;
  std::vector<std::int32_t> in_order_;  // features in the order of the learning set
  std::vector<std::int32_t> active_;  // a stack: each node's stretch stands above its parent's
  std::size_t last_kept_ = 0;
  Records* out_ = nullptr;
};

}  // namespace boxwood::coded

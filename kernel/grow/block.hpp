// Subtrees that fit the cache: the rows of a block are copied together, then grown by one worker, depth first.
// Invariant: what is grown does not depend on where a block begins.
// Cost: 2 bytes a value of the block; one copy.
#pragma once

#include "grow/large_nodes.hpp"

namespace boxwood::coded {

// In the last three levels of a tree, and where each node sorts anew, bins are counted down to so many rows.
constexpr u32 LAST_LEVELS = 256;

// One worker's memory for blocks: the rows of a block copied together, so that they stay in the cache.
template <class R>
class BlockGrower {
 public:
  using Open = typename LargeGrower<R>::Open;

  BlockGrower(const R& y, const Rules& rules, const Codes& codes, u32 small_rows)
      : y_(y), rules_(rules), codes_(codes), small_rows_(small_rows), small_(rules, codes) {}

  // Grows everything below one node; record 0 is that node.
  Records grow(const u32* rows, const Open& root, InterruptCheck& interrupts, bool polls) {
    Records out = grow_by_high(rows, root, interrupts, polls);
    for (LowNode& node : std::exchange(out.by_low, {}))
      out.continue_in(node.record, grow_by_low(node, interrupts, polls));
    return out;
  }

 private:
  // What follows below a node by the low half of the response.
  Records grow_by_low(LowNode& node, InterruptCheck& interrupts, bool polls) const {
    if constexpr (R::has_low_parts) {
      std::sort(node.rows.begin(), node.rows.end());
      const R y = y_.of_low_parts(node.rows[0]);
      Open root{{0, static_cast<u32>(node.rows.size()), 0, 0}, {}, {}, nullptr};
      for (const u32 row : node.rows) y.add(root.sums, row);
      root.stats = y.stats_of(root.sums);
      root.stats.inherited = node.inherited;
      return BlockGrower(y, rules_.by_low_parts(), codes_, small_rows_).grow(node.rows.data(), root, interrupts, polls);
    }
    return {};
  }

  Records grow_by_high(const u32* rows, const Open& root, InterruptCheck& interrupts, bool polls) {
    Records out;
    out.nodes.resize(1);
    Describer{rules_}.node(y_, out, 0, root.sums, root.stats);
    const u32 count = root.span.count;
    if (root.stats.by_low && differ_in_low_parts(y_, rows, count))
      out.by_low.push_back({0, root.stats.inherited, {rows, rows + count}});
    if (!rules_.is_open(root.stats, count)) return out;
    if (count <= small_at(root.stats.inherited.depth)) {
      const View whole{&codes_, codes_.row(0), nullptr};
      small_.grow(y_, whole, rows, {0, count, 0, root.sums, root.stats}, out);
      return out;
    }
    copy(rows, count);
    Ids ids;
    ids.start(count, nullptr);
    if (root.span.side == 1) ids.side[0].swap(ids.side[1]);
    const View view{&codes_, local_codes_.data(), rows};
    LargeGrower<R> large(local_y_, rules_, view, ids, nullptr);
    std::vector<Open> stack;
    stack.push_back({{0, count, root.span.side, 0}, root.sums, root.stats, nullptr});
    while (!stack.empty()) {
      if (polls) interrupts.poll();
      interrupts.check();
      Open node = std::move(stack.back());
      stack.pop_back();
      if (node.stats.by_low && differ_in_low_parts(local_y_, ids.of(node.span), node.span.count)) {
        std::vector<u32>& kept = out.by_low.emplace_back(LowNode{node.span.record, node.stats.inherited, {}}).rows;
        for (u32 i = 0; i < node.span.count; ++i) kept.push_back(view.row(ids.of(node.span)[i]));
      }
      if (!rules_.is_open(node.stats, node.span.count)) continue;
      if (node.span.count <= small_at(node.stats.inherited.depth)) {
        small_.grow(local_y_, view, ids.of(node.span), {0, node.span.count, node.span.record, node.sums, node.stats},
                    out);
        continue;
      }
      auto children = large.split(node, out);
      if (!children) {
        large.recycle(std::move(node.table));
        continue;
      }
      large.assign_tables(node, *children, small_at(node.stats.inherited.depth + 1));
      for (auto child = children->rbegin(); child != children->rend(); ++child) stack.push_back(std::move(*child));
    }
    return out;
  }

  // Sorting pays where levels follow; for the last three bins are counted down to fewer rows.
  u32 small_at(std::int32_t depth) const {
    const i64 left = rules_.settings->max_depth < 0 ? 64 : rules_.settings->max_depth - depth;
    if (rules_.settings->random_cuts) return 0;
    const bool sorts_once = rules_.settings->max_features == 0 || rules_.uses_surrogates();
    return left > 3 && sorts_once ? small_rows_ : std::min(small_rows_, LAST_LEVELS);
  }

  void copy(const u32* rows, u32 count) {
    constexpr u32 AHEAD = 12;
    const std::size_t p = codes_.columns();
    local_codes_.resize(std::max<std::size_t>(local_codes_.size(), count * p));
    for (u32 i = 0; i < count; ++i) {
      if (i + AHEAD < count) {
        const Code* later = codes_.row(rows[i + AHEAD]);
        BOXWOOD_PREFETCH(later, 3);
        BOXWOOD_PREFETCH(later + p - 1, 3);
      }
      std::copy_n(codes_.row(rows[i]), p, &local_codes_[i * p]);
    }
    local_y_ = y_.of(rows, count, local_rows_);
  }

  const R y_;
  const Rules rules_;
  const Codes& codes_;
  const u32 small_rows_;
  SmallGrower<R> small_;
  R local_y_{};
  std::vector<Code> local_codes_;
  typename R::Rows local_rows_;
};

}  // namespace boxwood::coded

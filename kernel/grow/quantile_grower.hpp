// Grows the whole tree by quantiles: nodes of many rows by the pool, feature by feature, then whole subtrees, each by
// one worker. Ids are in order of y, and every node keeps them so.
// Invariant: the tree is the one of the level loop (src/boxwood/growing/grow.py), for any pool. Cost: that of
// search/quantile_search.hpp, and a copy of the codes.
#pragma once

#include <deque>

#include "grow/level_order.hpp"
#include "grow/partition.hpp"
#include "search/quantile_search.hpp"

namespace boxwood::coded {

// A node of a tree by quantiles, described.
template <class Int>
struct OpenQuantiles {
  Span span;
  typename QuantileRows<Int>::Sums sums;
  NodeStats stats;
};

// Splits nodes: search, partition, describe.
template <class Int>
class QuantileGrower {
 public:
  using Open = OpenQuantiles<Int>;

  QuantileGrower(const QuantileRows<Int>& y, const Rules& rules, const View& view, Ids& ids, ThreadPool* pool)
      : y_(y),
        rules_(rules),
        describer_{rules},
        view_(view),
        ids_(ids),
        search_(y.levels, rules_, view, pool),
        draw_(rules_, numbers_below(view.columns()), [&](std::size_t j) { return view.all->place(j); }),
        partition_(y.rows.weight.data(), rules_, view, ids, pool),
        set_(y.levels) {}

  Open open(const Span& span) {
    take_rows(span);
    set_.start(rows_, [](u32) { return true; });
    Open out{span, y_.sums_of(rows_, set_.loss()), {}};
    out.stats = y_.stats_of(out.sums, rows_.is_pure());
    return out;
  }

  // The children of a node, described, or nothing.
  std::vector<Open> split(const Open& node, Records& out) {
    take_rows(node.span);
    auto& found = find(node);
    if (found.empty()) return {};
    for (std::size_t i = 1; i < found.size(); ++i) describe_competitor(node, found[i], out);
    const Candidate cut = found[0];
    std::vector<LevelBranch>* levels = search_.levels(cut);
    partition_.codes_for(node.span.count);
    const Partitioned parts = partition_.partition(node.span, node.stats, cut, levels, -1);
    describer_.split(out, node.span.record,
                     {cut.feature, parts.below, parts.above, cut.decrease, y_.weight(node.sums), parts.missing,
                      parts.n_branches, levels, false, cut.heuristic, partition_.surrogates(), cut.below});
    std::vector<Open> children;
    u32 begin = node.span.begin;
    const std::int32_t first = out.nodes[node.span.record].first_child;
    for (int c = 0; c < parts.n_branches; ++c) {
      const u32 from = std::exchange(begin, begin + parts.count[c]);
      children.push_back(open({from, parts.count[c], 1 - node.span.side, first + c}));
      describer_.node(y_, out, first + c, children.back().sums, children.back().stats);
    }
    rules_.hand_on(node.stats, view_.all->place(static_cast<std::size_t>(cut.feature)), false, std::span(children),
                   [&](const Open& child, double* line) { y_.describe(child.sums, child.stats, *rules_.y, line); });
    return children;
  }

  // Everything below one node, whose record is the first.
  Records grow(Open root, InterruptCheck& interrupts, bool polls) {
    Records out;
    out.nodes.resize(1);
    root.span.record = 0;
    describer_.node(y_, out, 0, root.sums, root.stats);
    std::vector<Open> stack{std::move(root)};
    while (!stack.empty()) {
      if (polls) interrupts.poll();
      interrupts.check();
      const Open node = std::move(stack.back());
      stack.pop_back();
      if (!rules_.is_open(node.stats, node.span.count)) continue;
      std::vector<Open> children = split(node, out);
      for (auto child = children.rbegin(); child != children.rend(); ++child) stack.push_back(std::move(*child));
    }
    return out;
  }

 private:
  // The best candidates of a node: of all its features, or of those that it draws until there is one.
  std::vector<Candidate>& find(const Open& node) {
    draw_.start(node.stats);
    while (true) {
      const auto features = draw_.next();
      auto& found = search_.find({ids_.of(node.span), node.span.count, rows_, node.stats}, features);
      if (!found.empty() || draw_.is_over()) return found;
    }
  }

  void take_rows(const Span& span) {
    rows_.clear();
    const u32* ids = ids_.of(span);
    for (u32 i = 0; i < span.count; ++i) rows_.add(y_.rows, ids[i]);
  }

  void describe_competitor(const Open& node, const Candidate& cut, Records& out) {
    const std::vector<LevelBranch>* levels = search_.levels(cut);
    Competitor one;
    one.feature = cut.feature;
    one.drawn = cut.below;
    one.score = describer_.score(cut.decrease, y_.weight(node.sums));
    if (levels)
      one.n_levels = static_cast<std::int32_t>(levels->size());
    else
      find_rows_about(node, cut, one);
    describer_.competitor(out, node.span.record, one, levels);
  }

  void find_rows_about(const Open& node, const Candidate& cut, Competitor& one) const {
    const auto j = static_cast<std::size_t>(cut.feature);
    const u32* ids = ids_.of(node.span);
    u32 below = NO_ROW, above = NO_ROW;
    for (u32 i = 0; i < node.span.count; ++i) {
      if (view_.code(j, ids[i]) == view_.all->missing_code(j)) continue;
      const bool right = is_above(view_, cut, view_.code(j, ids[i]), ids[i]);
      u32& about = right ? above : below;
      const double value = view_.value(j, ids[i]);
      if (about == NO_ROW || (right ? value < view_.value(j, about) : value > view_.value(j, about))) about = ids[i];
    }
    one.below = view_.row(below);
    if (above != NO_ROW) one.above = view_.row(above);
  }

  const QuantileRows<Int>& y_;
  const Rules rules_;
  const Describer describer_;
  const View view_;
  Ids& ids_;
  QuantileSearch<Int> search_;
  FeatureDraw draw_;
  Partition<true> partition_;
  ShrinkingSet<Int> set_;
  OrderedRows<Int> rows_;  // of the node at hand
};

// `y`: its rows are in order of y; `rows`: those of the learning set behind them.
template <class Int>
GrownNodes grow(const QuantileRows<Int>& y, Rules rules, const Codes& codes, const std::vector<u32>& rows,
                ThreadPool& pool) {
  constexpr u32 BLOCK = 32768;  // rows up to which a subtree is grown by one worker
  using Open = OpenQuantiles<Int>;
  const auto count = static_cast<u32>(rows.size());
  std::vector<Code> local(count * codes.columns());
  for (u32 i = 0; i < count; ++i) std::copy_n(codes.row(rows[i]), codes.columns(), &local[i * codes.columns()]);
  const View view{&codes, local.data(), rows.data()};
  Ids ids;
  ids.start(count, nullptr);
  QuantileGrower<Int> whole(y, rules, view, ids, &pool);
  Open root = whole.open({0, count, 0, 0});
  rules.start_root(y.weight(root.sums), root.stats);
  root.stats.inherited = rules.inherited_at_root();
  QuantileGrower<Int> large(y, rules, view, ids, &pool);
  Records top;
  top.nodes.resize(1);
  Describer{rules}.node(y, top, 0, root.sums, root.stats);
  std::deque<Open> queue{std::move(root)};
  std::vector<Open> blocks;
  const u32 least = pool.size() > 1 ? std::min(BLOCK, count / (2 * static_cast<u32>(pool.size()))) : count;
  while (!queue.empty()) {
    pool.interrupts().poll();
    pool.interrupts().check();
    Open node = std::move(queue.front());
    queue.pop_front();
    if (!rules.is_open(node.stats, node.span.count)) continue;
    if (node.span.count <= least) {
      blocks.push_back(std::move(node));
      continue;
    }
    for (Open& child : large.split(node, top)) queue.push_back(std::move(child));
  }
  std::vector<Records> subtrees(blocks.size());
  std::vector<std::unique_ptr<QuantileGrower<Int>>> growers(static_cast<std::size_t>(pool.size()));
  pool.run(blocks.size(), [&](std::size_t b, int worker) {
    auto& grower = growers[static_cast<std::size_t>(worker)];
    if (!grower) grower = std::make_unique<QuantileGrower<Int>>(y, rules, view, ids, nullptr);
    subtrees[b] = compact(grower->grow(blocks[b], pool.interrupts(), worker == 0));
  });
  for (std::size_t b = 0; b < blocks.size(); ++b) top.continue_in(blocks[b].span.record, std::move(subtrees[b]));
  return in_level_order(std::move(top), codes, rules, pool);
}

}  // namespace boxwood::coded

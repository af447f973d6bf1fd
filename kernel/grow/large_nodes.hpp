// Nodes of many rows: count, search, partition, describe.
// Invariant: a child's table is counted or what remains of its parent's; ids of a node keep their order.
// Cost: about 1 ns a row and feature of the smaller child, and a few passes over the node's rows.
#pragma once

#include <optional>

#include "grow/partition.hpp"
#include "grow/small_nodes.hpp"
#include "search/feature_draw.hpp"
#include "search/random_search.hpp"
#include "search/table_search.hpp"

namespace boxwood::coded {

// Nodes of more than SMALL rows: search, partition, describe.
template <class R>
class LargeGrower {
 public:
  using Sums = typename R::Sums;
  using Table = BinTable<R>;

  struct Open {
    Span span;
    Sums sums;
    NodeStats stats;
    std::unique_ptr<Table> table;
  };

  LargeGrower(const R& y, const Rules& rules, const View& view, Ids& ids, ThreadPool* pool)
      : y_(y),
        rules_(rules),
        describer_{rules},
        view_(view),
        ids_(ids),
        pool_(pool),
        draw_(rules_, numbers_below(view.columns()), [&](std::size_t j) { return view.all->place(j); }),
        search_(y, rules, *view.all, pool),
        random_(y, rules_, view_),
        sides_(y_, view_),
        partition_(y_.weight_of, rules_, view_, ids, pool) {}

  // Splits a node; its children, described, or nothing.
  std::optional<std::vector<Open>> split(Open& node, Records& out) {
    auto& found = find(node);
    if (found.empty()) return std::nullopt;
    Candidate& cut = found[0];
    std::vector<LevelBranch>* levels = levels_of(cut);
    if (rules_.settings->order_by_mean) {
      sides_.count(ids_.of(node.span), node.span.count, cut, levels);
      orient(node.stats, cut, levels);
    }
    for (std::size_t i = 1; i < found.size(); ++i) describe_competitor(node, found[i], out);
    const std::int32_t read = is_random() ? -1 : search_.read_feature();
    const Partitioned parts = partition_.partition(node.span, node.stats, cut, levels, read);
    describer_.split(out, node.span.record,
                     {cut.feature, parts.below, parts.above, cut.decrease, y_.weight(node.sums), parts.missing,
                      parts.n_branches, levels, cut.flipped, cut.heuristic, partition_.surrogates(), cut.below});
    std::vector<Open> children(static_cast<std::size_t>(parts.n_branches));
    u32 begin = node.span.begin;
    for (int c = 0; c < parts.n_branches; ++c)
      children[c].span = {std::exchange(begin, begin + parts.count[c]), parts.count[c], 1 - node.span.side,
                          out.nodes[node.span.record].first_child + c};
    sum_up(node, children);
    for (Open& child : children) {
      child.stats = y_.stats_of(child.sums);
      describer_.node(y_, out, child.span.record, child.sums, child.stats);
    }
    rules_.hand_on(node.stats, view_.all->place(static_cast<std::size_t>(cut.feature)), cut.flipped,
                   std::span(children),
                   [&](const Open& child, double* line) { y_.describe(child.sums, child.stats, *rules_.y, line); });
    return children;
  }

  // Gives tables to the children that go on as large nodes: all but the largest are counted, that one is what remains
  // of the parent's.
  void assign_tables(Open& parent, std::vector<Open>& children, u32 least) {
    if (rules_.settings->max_features > 0 || is_random() || parent.table->bytes() > MOST_BYTES)
      return recycle(std::move(parent.table));
    std::size_t largest = 0;
    u32 count_of_all = 0;
    for (std::size_t c = 0; c < children.size(); ++c) {
      count_of_all += children[c].span.count;
      if (children[c].span.count > children[largest].span.count) largest = c;
    }
    const bool remains = count_of_all == parent.span.count && wants(children[largest], least);
    std::vector<std::unique_ptr<Table>> tables(children.size());
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (remains ? c == largest : !wants(children[c], least)) continue;
      tables[c] = count(children[c].span, parent.table->features());
      if (remains) parent.table->subtract(*tables[c]);
    }
    if (remains)
      tables[largest] = std::move(parent.table);
    else
      buffers_.push_back(std::move(parent.table));
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (wants(children[c], least))
        children[c].table = std::move(tables[c]);
      else
        recycle(std::move(tables[c]));
    }
  }
  bool wants(const Open& node, u32 least) const {
    return node.span.count > least && rules_.is_open(node.stats, node.span.count);
  }
  void recycle(std::unique_ptr<Table> table) {
    if (table) buffers_.push_back(std::move(table));
  }

 private:
  static constexpr std::size_t MOST_BYTES = std::size_t{1} << 26;  // larger tables are counted anew by every node

  bool is_random() const { return rules_.settings->random_cuts; }
  std::vector<LevelBranch>* levels_of(const Candidate& cut) {
    return is_random() ? random_.levels(cut) : search_.levels(cut);
  }

  // The best candidates of a node: of all its features, or of those that it draws until there is one.
  std::vector<Candidate>& find(Open& node) {
    const bool is_counted = node.table != nullptr;
    draw_.start(node.stats);
    while (true) {
      const auto features = draw_.next();
      if (!is_counted && !is_random()) {
        recycle(std::move(node.table));
        node.table = count(node.span, features);
      }
      const u32 *ids = ids_.of(node.span), n = node.span.count;
      Code* codes = partition_.codes_for(n);
      auto& found = is_random() ? random_.find({ids, n}, features, node.sums, node.stats)
                                : search_.find(view_, *node.table, ids, n, node.sums, node.stats, codes);
      if (!found.empty() || draw_.is_over()) return found;
    }
  }

  std::unique_ptr<Table> count(const Span& span, std::span<const std::int32_t> features) {
    auto table = fresh(features);
    const u32* ids = ids_.of(span);
    if (pool_ && pool_->size() > 1) {
      count_in_pieces(ids, span.count, *table);
    } else {
      table->add(y_, view_, ids, span.count);
    }
    table->sum_up();
    return table;
  }

  // What the rows of children add up to; the larger of two that have all rows is what the other leaves of their parent.
  void sum_up(const Open& node, std::vector<Open>& children) {
    const u32 lefts = children[0].span.count, rights = children[1].span.count;
    const bool exact = R::parts_exactly && lefts + rights == node.span.count;
    const std::size_t rest = lefts < rights;
    for (std::size_t c = 0; c < children.size(); ++c)
      if (!exact || c != rest) children[c].sums = sums_of(children[c].span);
    if (!exact) return;
    children[rest].sums = node.sums;
    y_.remove(children[rest].sums, children[1 - rest].sums);
  }
  Sums sums_of(const Span& span) {
    const u32* ids = ids_.of(span);
    std::vector<Sums> pieces((span.count + PIECE - 1) / PIECE);
    in_pieces(pool_, span.count, [&](u32 from, u32 to, int) {
      for (u32 i = from; i < to; ++i) y_.add(pieces[from / PIECE], ids[i]);
    });
    Sums sums{};
    for (const Sums& piece : pieces) y_.join(sums, piece);
    y_.close(sums);
    return sums;
  }

  // Turns a candidate whose sides have been counted, so that branch 0 has the lower mean.
  void orient(const NodeStats& stats, Candidate& cut, std::vector<LevelBranch>* levels) const {
    if ((!levels && sides_.above() == NO_ROW) || !sides_.is_turned(stats)) return;
    cut.flipped = !levels;
    if (levels)
      for (auto& [level, branch] : *levels) branch = 1 - branch;
    if (cut.missing >= 0) cut.missing = 1 - cut.missing;
  }

  void describe_competitor(const Open& node, Candidate& cut, Records& out) {
    std::vector<LevelBranch>* levels = levels_of(cut);
    sides_.count(ids_.of(node.span), node.span.count, cut, levels);
    if (rules_.settings->order_by_mean) orient(node.stats, cut, levels);
    const double score = describer_.score(cut.decrease, y_.weight(node.sums));
    describer_.competitor(out, node.span.record,
                          {cut.feature, cut.flipped, sides_.below(), sides_.above(), 0, 0, score, cut.below}, levels);
  }

  // A table to count some features.
  std::unique_ptr<Table> fresh(std::span<const std::int32_t> features) {
    if (buffers_.empty()) buffers_.push_back(std::make_unique<Table>(*view_.all, y_.width()));
    auto table = std::move(buffers_.back());
    buffers_.pop_back();
    table->clear(features);
    return table;
  }

  void count_in_pieces(const u32* ids, u32 count, Table& out) {
    std::vector<std::unique_ptr<Table>> parts(pool_->size());
    for (std::size_t m = 1; m < parts.size(); ++m) parts[m] = fresh(out.features());
    in_pieces(pool_, count, [&](u32 from, u32 to, int worker) {
      (worker ? *parts[worker] : out).add(y_, view_, ids + from, to - from);
    });
    for (std::size_t m = 1; m < parts.size(); ++m) {
      out.merge(*parts[m]);
      buffers_.push_back(std::move(parts[m]));
    }
  }

  const R y_;
  const Rules rules_;
  const Describer describer_;
  const View view_;
  Ids& ids_;
  ThreadPool* pool_;
  FeatureDraw draw_;
  TableSearch<R> search_;
  RandomSearch<R> random_;
  CutSides<R> sides_;
  std::vector<std::unique_ptr<Table>> buffers_;
  Partition<R::weighted> partition_;
};

}  // namespace boxwood::coded

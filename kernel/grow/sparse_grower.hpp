// Grows trees from sparse columns: the entries of a node stand together, column by column, each in order of value.
// Invariant: the tree is the one that grower.hpp grows from the same values. Cost: per level about 10 ns an entry that
// is not zero, and a few ns a row.
#pragma once

#include "grow/large_nodes.hpp"
#include "grow/level_order.hpp"
#include "surrogate/sparse_surrogates.hpp"

namespace boxwood::coded {

// What TreeWriter reads of sparse columns, in which splits name ranks.
struct SparseCuts {
  const SparseColumns& columns;
  bool by_rank;  // cuts are midpoints of ranks

  std::int32_t place(std::int32_t j) const { return j; }
  std::uint32_t levels(std::int32_t) const { return 0; }
  void prefetch(std::int32_t, u32) const {}
  Cut cut_about(std::int32_t j, u32 below, u32 above) const {
    const auto value = [&](u32 rank) { return by_rank ? static_cast<double>(rank) : columns.value(j, rank); };
    const double low = value(below), high = above == MISSING ? std::numeric_limits<double>::quiet_NaN() : value(above);
    if (by_rank) return {std::isnan(high) ? low : low + (high - low) / 2, 0.0};
    return {cut_between(low, high), 0.0};
  }
};

template <class R>
class SparseGrower {
 public:
  using Sums = typename R::Sums;

  // `rows`: to learn from, ascending.
  SparseGrower(const R& y, const Rules& rules, const SparseColumns& columns, const std::vector<u32>& rows)
      : y_(y),
        rules_(rules),
        describer_{rules},
        columns_(columns),
        search_(y, rules, columns),
        surrogates_(y, columns),
        branch_(columns.rows(), MOST_BRANCHES) {
    for (const u32 row : rows) branch_[row] = 0;
    rows_[0] = rows_[1] = rows;
    std::size_t size = 0;
    std::vector<u32> counts;
    for (std::size_t j = 0; j < columns.columns(); ++j) {
      counts.push_back(0);
      for (const SparseEntry& entry : columns.column(j)) counts.back() += branch_[entry.row] == 0;
      size += counts.back();
    }
    for (auto& entries : entries_) entries.resize(size);
    SparseEntry* out = entries_[0].data();
    for (u32 j = 0; j < counts.size(); ++j) {
      add_range(j, counts[j], out, root_.ranges);
      for (const SparseEntry& entry : columns.column(j))
        if (branch_[entry.row] == 0) *out++ = entry;
    }
    root_.count = static_cast<u32>(rows.size());
  }

  // Grows everything below a node of all these rows; record 0 is that node.
  Records grow(const Sums& sums, const NodeStats& stats, std::int32_t depth, InterruptCheck& interrupts) {
    Records out;
    out.nodes.resize(1);
    out.moments.resize(y_.moments());
    describer_.node(y_, out, 0, sums, stats);
    root_.sums = sums;
    root_.stats = stats;
    root_.depth = depth;
    root_.side = 0;
    std::vector<Node> stack;
    stack.push_back(std::move(root_));
    while (!stack.empty()) {
      interrupts.poll();
      interrupts.check();
      Node node = std::move(stack.back());
      stack.pop_back();
      if (!rules_.is_open(node.stats, node.count, node.depth)) continue;
      drop_constants(node);
      auto& found = search_.find(node.ranges, node.count, node.sums, node.stats);
      if (found.empty()) continue;
      for (std::size_t i = 1; i < found.size(); ++i) {
        const SparseCut& cut = found[i];
        const double score = describer_.score(cut.decrease, y_.weight(node.sums));
        describer_.competitor(out, node.record, {cut.feature, cut.flipped, cut.below, cut.above, 0, 0, score}, nullptr);
      }
      split(node, found[0], out, stack);
    }
    grow_fine(out, interrupts);
    return out;
  }

 private:
  // Rows and entries from a place on, in one of two buffers; children are written to the other one.
  struct Node {
    u32 begin = 0, count = 0;
    std::size_t entries = 0;
    int side = 0;
    std::int32_t depth = 0, record = 0;
    Sums sums;
    NodeStats stats;
    std::vector<SparseRange> ranges;
  };

  static void add_range(u32 column, u32 count, const SparseEntry* entries, std::vector<SparseRange>& to) {
    if (count > 0) to.push_back({column, count, count, entries});
  }

  // Columns that offer no split of a node offer none below it.
  void drop_constants(Node& node) const {
    std::erase_if(node.ranges, [&](SparseRange& range) {
      while (range.known > 0 && range.entries[range.known - 1].rank == MISSING) --range.known;
      const bool zeros = range.count < node.count, missing = range.known < range.count;
      if (range.known == 0) return !zeros || !rules_.learns();
      const bool one = !zeros && range.entries[0].rank == range.entries[range.known - 1].rank;
      return one && !(missing && rules_.learns());
    });
  }

  void split(Node& node, const SparseCut& cut, Records& out, std::vector<Node>& stack) {
    const u32* rows = rows_[node.side].data() + node.begin;
    const SparseRange& range = node.ranges[cut.range];
    for (u32 i = 0; i < node.count; ++i) branch_[rows[i]] = cut.branch(columns_.zero(range.column));
    unknown_.clear();
    for (u32 i = 0; i < range.count; ++i) {
      const SparseEntry& entry = range.entries[i];
      branch_[entry.row] = i < range.known ? cut.branch(entry.rank) : static_cast<std::uint8_t>(MOST_BRANCHES);
      if (i >= range.known) unknown_.push_back(entry.row);
    }
    Node children[MOST_BRANCHES];
    const auto add = [&](u32 row) {
      if (branch_[row] >= MOST_BRANCHES) return;
      y_.add(children[branch_[row]].sums, row);
      ++children[branch_[row]].count;
    };
    for (u32 i = 0; i < node.count; ++i) add(rows[i]);
    BranchCounts known;
    for (int c = 0; c < 2; ++c) {
      y_.close(children[c].sums);
      known.weight[c] = y_.weight(children[c].sums);
      known.rows[c] = children[c].count;
    }
    std::int32_t missing = rules_.missing_branch(cut.missing, known.weight, !unknown_.empty());
    if (rules_.uses_surrogates()) {
      surrogates_.find(node.ranges, cut.range, node.count, branch_.data(), known,
                       Rating::of(*rules_.settings, known.weight));
      surrogates_.route(node.ranges, unknown_, branch_.data());
    }
    for (const u32 row : unknown_) {
      if (branch_[row] >= MOST_BRANCHES && missing != STAYS) branch_[row] = static_cast<std::uint8_t>(missing);
      add(row);
    }
    const int n = !unknown_.empty() && rules_.own_branch() ? 3 : 2;
    const u32 counts[2] = {children[0].count, children[1].count};
    describer_.split(out, node.record,
                     {cut.feature, cut.below, cut.above, cut.decrease, y_.weight(node.sums),
                      rules_.branch_in_prediction(missing, counts), n, nullptr, cut.flipped, false,
                      rules_.uses_surrogates() ? &surrogates_.found() : nullptr});
    for (int c = 0; c < n; ++c) {
      Node& child = children[c];
      child.record = out.nodes[node.record].first_child + c;
      child.depth = node.depth + 1;
      y_.close(child.sums);
      child.stats = y_.stats_of(child.sums);
    }
    partition(node, children, n);
    for (int c = n - 1; c >= 0; --c) {
      Node& child = children[c];
      const u32* of_child = rows_[child.side].data() + child.begin;
      if (child.stats.fine && is_fine(y_, of_child, child.count))
        out.fine.push_back({child.record, child.depth, {of_child, of_child + child.count}});
      describer_.node(y_, out, child.record, child.sums, child.stats);
      stack.push_back(std::move(child));
    }
  }

  // Takes rows to where those of each child stand, and entries where the child will be split.
  void partition(const Node& node, Node* children, int n) {
    std::size_t sizes[MOST_BRANCHES + 1] = {};
    for (const SparseRange& range : node.ranges)
      for (u32 i = 0; i < range.count; ++i) ++sizes[branch_[range.entries[i].row]];
    u32* rows[MOST_BRANCHES + 1] = {};
    SparseEntry* out[MOST_BRANCHES + 1] = {};
    u32 begin = node.begin;
    std::size_t entries = node.entries;
    for (int c = 0; c < n; ++c) {
      Node& child = children[c];
      child.begin = begin;
      child.entries = entries;
      child.side = 1 - node.side;
      rows[c] = rows_[child.side].data() + begin;
      if (rules_.is_open(child.stats, child.count, child.depth)) out[c] = entries_[child.side].data() + entries;
      begin += child.count;
      entries += sizes[c];
    }
    for (u32 i = 0; i < node.count; ++i) {
      const u32 row = rows_[node.side][node.begin + i];
      if (branch_[row] < MOST_BRANCHES) *rows[branch_[row]]++ = row;
    }
    for (const SparseRange& range : node.ranges) {
      const SparseEntry* first[MOST_BRANCHES] = {out[0], out[1], out[2]};
      for (u32 i = 0; i < range.count; ++i) {
        const SparseEntry entry = range.entries[i];
        if (SparseEntry*& to = out[branch_[entry.row]]) *to++ = entry;
      }
      for (int c = 0; c < n; ++c)
        add_range(range.column, static_cast<u32>(out[c] - first[c]), first[c], children[c].ranges);
    }
  }

  // Nodes that were put aside, by the fine half of the response.
  void grow_fine(Records& out, InterruptCheck& interrupts) const {
    if constexpr (requires { y_.low; }) {
      for (FineNode& node : std::exchange(out.fine, {})) {
        std::sort(node.rows.begin(), node.rows.end());
        const R y = y_.of_low_parts(node.rows[0]);
        Sums sums;
        for (const u32 row : node.rows) y.add(sums, row);
        SparseGrower fine(y, rules_.of_fine_nodes(), columns_, node.rows);
        out.graft(node.record, fine.grow(sums, y.stats_of(sums), node.depth, interrupts));
      }
    }
  }

  const R y_;
  const Rules rules_;
  const Describer describer_;
  const SparseColumns& columns_;
  SparseSearch<R> search_;
  SparseSurrogates<R> surrogates_;
  std::vector<std::uint8_t> branch_;  // of each row of the learning set
  std::vector<u32> rows_[2], unknown_;
  std::vector<SparseEntry> entries_[2];
  Node root_;
};

// `y` is indexed by row of the columns; `rows` are those to learn from, ascending.
template <class R>
GrownNodes grow_sparse(const R& y, Rules rules, const SparseColumns& columns, const std::vector<u32>& rows,
                       ThreadPool& pool) {
  typename R::Sums sums;
  for (const u32 row : rows) y.add(sums, row);
  y.close(sums);
  const NodeStats stats = y.stats_of(sums);
  if constexpr (requires { y.low; })
    if (stats.fine && is_fine(y, rows.data(), static_cast<u32>(rows.size()))) {
      rules.fine = true;
      return grow_sparse(y.of_low_parts(rows[0]), rules, columns, rows, pool);
    }
  const Settings& settings = *rules.settings;
  const bool stands_alone = settings.root_weight < 0;
  rules.start(stands_alone ? static_cast<double>(y.weight(sums)) * rules.y->unit : settings.root_weight,
              stands_alone ? rules.coarse(stats.risk) : settings.root_risk);
  const Records records =
      level_by_level(SparseGrower<R>(y, rules, columns, rows).grow(sums, stats, 0, pool.interrupts()));
  const auto order = breadth_first(records, {}, {});
  const SparseCuts cuts{columns, settings.rank_cuts};
  GrownNodes out = in_level_order(TreeWriter<SparseCuts>{order, cuts, y.moments()}, pool);
  out.root_weight = rules.root_weight;
  out.root_risk = rules.root_risk;
  return out;
}

}  // namespace boxwood::coded

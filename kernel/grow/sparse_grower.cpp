// Grows trees from sparse columns: the entries of a node are together, column by column, each in order of value.
// Invariant: the tree is the one that grower.hpp grows from the same values. Cost: per level about 10 ns an entry that
// is not zero, and a few ns a row.
#include "grow/sparse_grower.hpp"

#include "grow/describe.hpp"
#include "grow/level_order.hpp"
#include "surrogate/sparse_surrogates.hpp"

namespace boxwood::coded {
namespace {

// What TreeWriter reads of sparse columns, in which splits name ranks.
struct SparseCuts {
  const SparseColumns& columns;
  bool by_rank;  // cuts are midpoints of ranks

  std::int32_t place(std::int32_t j) const { return j; }
  std::uint32_t levels(std::int32_t) const { return 0; }
  void prefetch(std::int32_t, u32) const {}
  bool keeps_drawn(std::int32_t) const { return false; }
  Cut cut_about(std::int32_t j, u32 below, u32 above, bool is_short) const {
    const auto value = [&](u32 rank) { return by_rank ? static_cast<double>(rank) : columns.value(j, rank); };
    return {above == MISSING ? value(below) : cut_between(value(below), value(above), is_short), 0.0};
  }
};

class SparseGrower {
 public:
  SparseGrower(SparseNodes& nodes, const SparseColumns& columns, const std::vector<u32>& rows)
      : nodes_(nodes),
        rules_(nodes.rules),
        describer_{rules_},
        columns_(columns),
        surrogates_(*rules_.y, columns),
        branch_(columns.rows(), MOST_BRANCHES) {
    for (const u32 row : rows) branch_[row] = 0;
    rows_[0] = rows_[1] = rows;
    std::vector<u32> counts;
    for (std::size_t j = 0; j < columns.columns(); ++j) {
      counts.push_back(0);
      for (const SparseEntry& entry : columns.column(j)) counts.back() += branch_[entry.row] == 0;
    }
    for (auto& entries : entries_) entries.resize(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    SparseEntry* out = entries_[0].data();
    for (u32 j = 0; j < counts.size(); ++j) {
      add_range(j, counts[j], out, root_.ranges);
      for (const SparseEntry& entry : columns.column(j))
        if (branch_[entry.row] == 0) *out++ = entry;
    }
    root_.count = static_cast<u32>(rows.size());
    for (const u32 row : rows) root_.weight += rules_.y->weight_of(row);
  }

  // Grows everything below a node of all these rows; record 0 is that node.
  Records grow(const Inherited& inherited, InterruptCheck& interrupts) {
    Records out;
    out.nodes.resize(1);
    describe(root_, out);
    root_.stats.inherited = inherited;
    std::vector<Node> stack;
    stack.push_back(std::move(root_));
    while (!stack.empty()) {
      interrupts.poll();
      interrupts.check();
      Node node = std::move(stack.back());
      stack.pop_back();
      if (!is_open(node)) continue;
      drop_constants(node);
      auto& found = nodes_.find(node.ranges, rows_of(node), node.count, node.stats);
      if (found.empty()) continue;
      for (std::size_t i = 1; i < found.size(); ++i) {
        const Candidate& cut = found[i];
        const double score = describer_.score(cut.decrease, node.weight);
        describer_.competitor(out, node.record, {cut.feature, cut.flipped, cut.last_left, cut.first_right, 0, 0, score},
                              nullptr);
      }
      split(node, found[0], out, stack);
    }
    for (LowNode& node : std::exchange(out.by_low, {})) {
      const auto low_parts = nodes_.low_parts(node.rows.data(), static_cast<u32>(node.rows.size()));
      out.continue_in(node.record, SparseGrower(*low_parts, columns_, node.rows).grow(node.inherited, interrupts));
    }
    return out;
  }

 private:
  // Rows and entries from a place on, in one of two buffers; children are written to the other one.
  struct Node {
    u32 begin = 0, count = 0;
    std::size_t entries = 0;
    int side = 0;
    std::int32_t record = 0;
    i64 weight = 0;
    NodeStats stats;
    std::vector<SparseRange> ranges;
  };

  static void add_range(u32 column, u32 count, const SparseEntry* entries, std::vector<SparseRange>& to) {
    if (count > 0) to.push_back({column, count, count, entries});
  }
  u32* rows_of(const Node& node) { return rows_[node.side].data() + node.begin; }
  bool is_open(const Node& node) const { return rules_.is_open(node.stats, node.count); }

  void describe(Node& node, Records& out) {
    out.nodes[static_cast<std::size_t>(node.record)].rows = node.count;
    out.add_moments(static_cast<std::size_t>(rules_.y->moments()),
                    [&](double* line) { node.stats = nodes_.describe(rows_of(node), node.count, line); });
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

  void split(Node& node, const Candidate& cut, Records& out, std::vector<Node>& stack) {
    const BranchCounts known = take_branches(node, cut);
    const std::int32_t missing = rules_.missing_branch(cut.missing, known.weight, !unknown_.empty());
    if (rules_.uses_surrogates()) {
      surrogates_.find(
          node.ranges, cut.feature, node.count, branch_.data(), known,
          Rating::of(*rules_.settings, known.weight, node.stats.inherited.below(*rules_.settings, cut.feature)));
      surrogates_.route(node.ranges, unknown_, branch_.data());
    }
    for (const u32 row : unknown_)
      if (branch_[row] >= MOST_BRANCHES && missing != STAYS) branch_[row] = static_cast<std::uint8_t>(missing);
    const int n = !unknown_.empty() && rules_.own_branch() ? 3 : 2;
    Node children[MOST_BRANCHES];
    partition_rows(node, children, n);
    const u32 counts[2] = {children[0].count, children[1].count};
    describer_.split(out, node.record,
                     {cut.feature, cut.last_left, cut.first_right, cut.decrease, node.weight,
                      rules_.branch_in_prediction(missing, counts), n, nullptr, cut.flipped, false,
                      rules_.uses_surrogates() ? &surrogates_.found() : nullptr});
    for (int c = 0; c < n; ++c) {
      Node& child = children[c];
      child.record = out.nodes[node.record].first_child + c;
      describe(child, out);
    }
    rules_.hand_on(node.stats, cut.feature, cut.flipped, std::span(children, static_cast<std::size_t>(n)),
                   [&](const Node& child, double* line) { nodes_.describe(rows_of(child), child.count, line); });
    for (int c = 0; c < n; ++c) {
      const Node& child = children[c];
      if (child.stats.by_low && nodes_.low_parts(rows_of(child), child.count))
        out.by_low.push_back({child.record, child.stats.inherited, {rows_of(child), rows_of(child) + child.count}});
    }
    partition_entries(node, children, n);
    for (int c = n - 1; c >= 0; --c) stack.push_back(std::move(children[c]));
  }

  // The branch of each row whose value the cut knows; collects the other ones.
  BranchCounts take_branches(const Node& node, const Candidate& cut) {
    const auto of = [&](u32 rank) { return static_cast<std::uint8_t>((rank > cut.last_left) != cut.flipped); };
    const SparseRange& range = range_of(node.ranges, cut.feature);
    const u32* rows = rows_of(node);
    for (u32 i = 0; i < node.count; ++i) branch_[rows[i]] = of(columns_.zero(range.column));
    unknown_.clear();
    for (u32 i = 0; i < range.count; ++i) {
      const SparseEntry& entry = range.entries[i];
      branch_[entry.row] = i < range.known ? of(entry.rank) : static_cast<std::uint8_t>(MOST_BRANCHES);
      if (i >= range.known) unknown_.push_back(entry.row);
    }
    BranchCounts known;
    for (u32 i = 0; i < node.count; ++i) known.add(branch_[rows[i]], rules_.y->weight_of(rows[i]));
    return known;
  }

  // Takes rows to the places of each child's.
  void partition_rows(const Node& node, Node* children, int n) {
    const u32* rows = rows_of(node);
    for (u32 i = 0; i < node.count; ++i) {
      if (branch_[rows[i]] >= MOST_BRANCHES) continue;
      Node& child = children[branch_[rows[i]]];
      ++child.count;
      child.weight += rules_.y->weight_of(rows[i]);
    }
    u32* to[MOST_BRANCHES] = {};
    u32 begin = node.begin;
    for (int c = 0; c < n; ++c) {
      children[c].side = 1 - node.side;
      children[c].begin = std::exchange(begin, begin + children[c].count);
      to[c] = rows_of(children[c]);
    }
    for (u32 i = 0; i < node.count; ++i)
      if (branch_[rows[i]] < MOST_BRANCHES) *to[branch_[rows[i]]]++ = rows[i];
  }

  // Takes entries to the places of each child's that will be split.
  void partition_entries(const Node& node, Node* children, int n) {
    std::size_t sizes[MOST_BRANCHES + 1] = {};
    for (const SparseRange& range : node.ranges)
      for (u32 i = 0; i < range.count; ++i) ++sizes[branch_[range.entries[i].row]];
    SparseEntry* to[MOST_BRANCHES + 1] = {};
    std::size_t begin = node.entries;
    for (int c = 0; c < n; ++c) {
      children[c].entries = std::exchange(begin, begin + sizes[c]);
      if (is_open(children[c])) to[c] = entries_[1 - node.side].data() + children[c].entries;
    }
    for (const SparseRange& range : node.ranges) {
      const SparseEntry* first[MOST_BRANCHES] = {to[0], to[1], to[2]};
      for (u32 i = 0; i < range.count; ++i) {
        const SparseEntry entry = range.entries[i];
        if (SparseEntry*& next = to[branch_[entry.row]]) *next++ = entry;
      }
      for (int c = 0; c < n; ++c)
        add_range(range.column, static_cast<u32>(to[c] - first[c]), first[c], children[c].ranges);
    }
  }

  SparseNodes& nodes_;
  const Rules& rules_;
  const Describer describer_;
  const SparseColumns& columns_;
  SparseSurrogates surrogates_;
  std::vector<std::uint8_t> branch_;  // of each row of the learning set
  std::vector<u32> rows_[2], unknown_;
  std::vector<SparseEntry> entries_[2];
  Node root_;
};

}  // namespace

GrownNodes grow_sparse(SparseNodes& nodes, const SparseColumns& columns, const std::vector<u32>& rows,
                       ThreadPool& pool) {
  Rules& rules = nodes.rules;
  std::vector<double> moments(static_cast<std::size_t>(rules.y->moments()));
  const auto count = static_cast<u32>(rows.size());
  const NodeStats stats = nodes.describe(rows.data(), count, moments.data());
  if (const auto low = stats.by_low ? nodes.low_parts(rows.data(), count) : nullptr)
    return grow_sparse(*low, columns, rows, pool);
  i64 weight = 0;
  for (const u32 row : rows) weight += rules.y->weight_of(row);
  rules.start_root(weight, stats);
  Records records = SparseGrower(nodes, columns, rows).grow(rules.inherited_at_root(), pool.interrupts());
  return in_level_order(std::move(records), SparseCuts{columns, rules.settings->rank_cuts}, rules, pool);
}

}  // namespace boxwood::coded

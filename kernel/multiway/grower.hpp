// Grows multiway trees: the two steps of a level, or the whole tree at once, since all rows are in memory.
// Invariant: a node's split depends on its samples alone, so the level loop and `finish` give the same tree for any
// number of threads. Cost: about p * (scan + partition) a sample and level; large nodes share their columns among the
// threads, smaller ones are finished whole, depth first and without recursion, so that a subtree's lists stay in the
// cache.
#pragma once

#include "grow/assembly.hpp"
#include "multiway/partition.hpp"

namespace boxwood::multiway {

class Grower {
 public:
  // `shift`: bits by which weights are raised before they are shared out.
  Grower(const std::vector<Column>& columns, std::vector<std::uint32_t> rows, std::size_t n_rows,
         const ResponseColumns& y, const Settings& settings, bool weighted, int shift, int threads)
      : columns_(columns),
        rows_(std::move(rows)),
        n_rows_(n_rows),
        y_(y),
        shift_(shift),
        unit_(std::ldexp(y.unit, -shift)),
        search_(columns, y, settings, {weighted, unit_, all_rows(settings)}, all_rows(settings), threads),
        scratch_(threads) {
    if (settings.data_cuts && rows_.size() != n_rows) find_present();
  }

  GrownNodes level;  // the current level: nodes after root and route, splits after best_splits

  void root(Team& team) {
    nodes_.clear();
    nodes_.push_back(start(team));
    describe_level();
  }

  void best_splits(const std::vector<std::uint8_t>& open, Team& team) {
    found_.assign(nodes_.size(), {});
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (open[i] && search_.is_open(nodes_[i].weights))
        found_[i].splits = search_.split(nodes_[i].block, nodes_[i].weights, found_[i].alive, &team, 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) describe_splits(level, nodes_[i], found_[i].splits);
  }

  void route(Team& team) {
    std::vector<Pending> next;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!found_[i].splits) continue;
      for (auto& child : children_of(nodes_[i], found_[i].splits->split, found_[i].alive, &team, 0))
        next.push_back(std::move(child));
      nodes_[i].block = Block();
    }
    nodes_ = std::move(next);
    describe_level();
  }

  GrownNodes finish(Team& team) {
    Growing top;
    std::vector<Pending> queue, small;
    queue.push_back(start(team));
    add_record(top, queue[0], -1);
    for (std::size_t at = 0; at < queue.size(); ++at) {
      Pending parent = std::move(queue[at]);
      if (!is_large(parent, team)) {
        small.push_back(std::move(parent));
        continue;
      }
      for (auto& child : branch(top, parent, &team, 0)) queue.push_back(std::move(child));
    }
    std::stable_sort(small.begin(), small.end(),
                     [](const Pending& a, const Pending& b) { return a.weights.rows > b.weights.rows; });
    std::vector<std::int32_t> below;
    for (const Pending& pending : small) below.push_back(pending.record);
    std::vector<Growing> subtrees(small.size());
    team.run(small.size(), [&](std::size_t i, int member) { subtrees[i] = subtree(small[i], member, team.watch()); });
    return in_level_order(top, below, subtrees);
  }

 private:
  struct Pending {
    NodeWeights weights;
    Block block;
    std::int32_t record = 0;
  };
  struct Found {
    std::optional<RankedSplits> splits;
    std::vector<char> alive;
  };
  struct Scratch {
    Partition partition;
    Partition::Scratch lists;
    std::vector<char> alive, open;
    std::vector<std::uint32_t> slots;
  };

  std::size_t all_rows(const Settings& settings) const {
    return settings.root_rows ? settings.root_rows : rows_.size();
  }

  Pending start(Team& team) {
    Pending node;
    node.block = root_block(columns_, rows_, n_rows_, y_, shift_, search_.information().weighted(), team);
    node.weights.classes.assign(static_cast<std::size_t>(search_.n_classes()), 0);
    for (std::size_t s = 0; s < rows_.size(); ++s)
      node.weights.classes[static_cast<std::size_t>(y_.codes[s])] += y_.weight_of(static_cast<std::uint32_t>(s))
                                                                     << shift_;
    for (const std::int64_t w : node.weights.classes) node.weights.weight += w;
    node.weights.rows = static_cast<std::uint32_t>(rows_.size());
    search_.set_root(node.weights);
    return node;
  }

  bool is_large(const Pending& node, const Team& team) const {
    const std::size_t work = static_cast<std::size_t>(node.weights.rows) * node.block.columns.size();
    return team.size() > 1 && work > 200'000 &&
           node.weights.rows > rows_.size() / (8 * static_cast<std::size_t>(team.size()));
  }

  void describe_level() {
    level = {};
    for (const Pending& node : nodes_) describe(level, node.weights);
  }

  void describe(GrownNodes& grown, const NodeWeights& node) const {
    grown.rows.push_back(node.rows);
    for (int k = 0; k < y_.n_classes; ++k)
      grown.moments.push_back(static_cast<double>(node.classes[static_cast<std::size_t>(k)]) * unit_);
  }

  void add_record(Growing& growing, Pending& pending, std::int32_t parent) const {
    pending.record = growing.add_record(parent);
    describe(growing.nodes, pending.weights);
  }

  // Tree.missing of a split node: shared, or the branch of missing values, or the heaviest one.
  std::int32_t missing_of(const Block& block, const SplitCandidate& split) const {
    if (search_.settings().unknown == Unknown::fractional) return SHARED;
    if (split.has_own_branch) return split.n_branches;
    std::vector<std::int64_t> weights(static_cast<std::size_t>(split.n_branches), 0);
    const Entry* entries = block.list(split.slot);
    const std::uint32_t known = block.known(split.slot);
    for (std::uint32_t i = 0; i < known; ++i)
      weights[split.branch_of(code_of(entries[i]))] += block.weight_of(entries[i]);
    return static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  }

  void describe_splits(GrownNodes& grown, const Pending& node, const std::optional<RankedSplits>& found) const {
    grown.heuristic.push_back(0);
    grown.missing.push_back(found ? missing_of(node.block, found->split) : STAYS);
    grown.score.push_back(found ? found->split.score : std::nan(""));
    if (found) {
      push(grown.splits, found->split);
      for (const SplitCandidate& other : found->competitors) {
        push(grown.competitors, other);
        grown.competitor_score.push_back(other.score);
      }
    } else {
      grown.splits.push_empty();
    }
    grown.competitor_start.push_back(static_cast<std::int32_t>(grown.competitor_score.size()));
    grown.surrogate_start.push_back(0);
  }

  void push(SplitRows& rows, const SplitCandidate& split) const {
    const Column& column = columns_[static_cast<std::size_t>(split.feature)];
    if (split.is_cut) return rows.push_cut(split.feature, cut_at(split, column));
    std::vector<std::int32_t> branches(column.n_codes);
    for (std::uint32_t v = 0; v < column.n_codes; ++v) branches[v] = static_cast<std::int32_t>(split.branch_of(v));
    rows.push_levels(split.feature, branches, column.kind == Kind::ordinal);
  }

  // The midpoint, or C4.5's largest value of the learning set that is not above it (SPECS 0.4).
  Cut cut_at(const SplitCandidate& split, const Column& column) const {
    Candidate between;
    between.below = split.below;
    between.above = split.above;
    const bool by_rank = search_.settings().rank_cuts;
    const Cut middle = cut_of(between, column, by_rank);
    if (!search_.settings().data_cuts || column.kind != Kind::numeric) return middle;
    const auto value = [&](std::uint32_t code) {
      if (by_rank) return Cut{static_cast<double>(code), 0.0};
      return Cut{column.values[code], column.lows.empty() ? 0.0 : column.lows[code]};
    };
    std::uint32_t low = split.below, high = split.above;  // value(low) <= middle < value(high)
    while (high - low > 1) {
      const std::uint32_t code = low + (high - low) / 2;
      (is_below(middle, value(code)) ? high : low) = code;
    }
    if (!present_.empty())
      while (!present_[static_cast<std::size_t>(split.feature)][low]) --low;
    return value(low);
  }

  // Which values occur in the training rows, where these are not all rows of the table.
  void find_present() {
    for (const Column& column : columns_) {
      present_.emplace_back(column.n_codes, false);
      for (const std::uint32_t row : rows_)
        if (column.codes[row] != MISSING) present_.back()[column.codes[row]] = true;
    }
  }

  // Splits one node if it may be split: children get records; those that may be split further are returned with their
  // blocks.
  std::vector<Pending> branch(Growing& growing, Pending& parent, Team* team, int member) {
    std::vector<Pending> open;
    std::optional<RankedSplits> found;
    auto& alive = scratch_[static_cast<std::size_t>(member)].alive;
    if (search_.is_open(parent.weights)) found = search_.split(parent.block, parent.weights, alive, team, member);
    if (!found) return open;
    growing.described.push_back(parent.record);
    describe_splits(growing.nodes, parent, found);
    auto children = children_of(parent, found->split, alive, team, member);
    parent.block = Block();
    const auto record = static_cast<std::size_t>(parent.record);
    growing.nodes.first_child[record] = static_cast<std::int32_t>(growing.nodes.size());
    growing.nodes.n_children[record] = static_cast<std::int32_t>(children.size());
    for (Pending& child : children) {
      add_record(growing, child, parent.record);
      if (search_.is_open(child.weights)) open.push_back(std::move(child));
    }
    return open;
  }

  // The children of a node; only those that may be split get their samples.
  std::vector<Pending> children_of(const Pending& parent, const SplitCandidate& split, const std::vector<char>& alive,
                                   Team* team, int member) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(member)];
    Partition& partition = scratch.partition;
    partition.prepare(parent.block, parent.weights, split, search_);
    scratch.open.clear();
    for (const NodeWeights& child : partition.children) scratch.open.push_back(search_.is_open(child));
    scratch.slots.clear();
    for (std::uint32_t slot = 0; slot < alive.size(); ++slot)
      if (alive[slot] && !(slot == split.slot && is_used_up(split))) scratch.slots.push_back(slot);
    auto blocks = partition.make_blocks(parent.block, scratch.slots, scratch.open);
    if (std::find(scratch.open.begin(), scratch.open.end(), 1) != scratch.open.end())
      share(team, member, scratch.slots.size(), [&](std::size_t place, int m) {
        partition.split_list(parent.block, scratch.slots[place], place, blocks, scratch.open,
                             scratch_[static_cast<std::size_t>(m)].lists);
      });
    std::vector<Pending> children;
    for (std::size_t c = 0; c < blocks.size(); ++c)
      children.push_back({std::move(partition.children[c]), std::move(blocks[c]), 0});
    return children;
  }

  // ID3 step 6: a nominal feature is tested once on a path.
  bool is_used_up(const SplitCandidate& split) const {
    const auto j = static_cast<std::size_t>(split.feature);
    return search_.is_multiway(j) && search_.settings().once && !search_.is_grouped(j);
  }

  Growing subtree(Pending& root, int member, Watch& watch) {
    Growing growing;
    std::vector<Pending> stack;
    add_record(growing, root, -1);
    stack.push_back(std::move(root));
    while (!stack.empty()) {
      if (member == 0) watch.poll();
      watch.check();
      Pending pending = std::move(stack.back());
      stack.pop_back();
      auto children = branch(growing, pending, nullptr, member);
      for (auto child = children.rbegin(); child != children.rend(); ++child) stack.push_back(std::move(*child));
    }
    return growing;
  }

  const std::vector<Column>& columns_;
  const std::vector<std::uint32_t> rows_;
  const std::size_t n_rows_;
  const ResponseColumns y_;
  const int shift_;
  const double unit_;
  Search search_;
  std::vector<Scratch> scratch_;
  std::vector<std::vector<bool>> present_;  // of each column: codes that occur; empty = all
  std::vector<Pending> nodes_;
  std::vector<Found> found_;
};

}  // namespace boxwood::multiway

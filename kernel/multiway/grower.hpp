// Grows multiway trees: the two steps of a level, or the whole tree at once, since all rows are in memory.
// Invariant: a node's split depends on its samples alone, so any number of threads gives the same tree.
// Cost: about p * (one or two scans + partition) a sample and level.
#pragma once

#include <ranges>

#include "multiway/partition.hpp"

namespace boxwood::multiway {

class Grower {
 public:
  // `lists`, `uses_up`: see root_block. `shift`: bits by which weights are raised before they are shared out.
  Grower(const std::vector<Column>& columns, Lists& lists, bool uses_up, std::vector<std::uint32_t> rows,
         std::size_t n_rows, const ResponseColumns& y, const Settings& settings, bool weighted, int shift, int threads)
      : columns_(columns),
        lists_(lists),
        uses_up_(uses_up),
        n_rows_(n_rows),
        rows_(std::move(rows)),
        y_(y),
        shift_(shift),
        unit_(std::ldexp(y.unit, -shift)),
        search_(columns, y, settings, {weighted, unit_, all_rows(settings)}, all_rows(settings)),
        scratch_(threads) {}

  GrownNodes level;  // the current level: nodes after root and route, splits after best_splits

  void root(ThreadPool& pool) {
    nodes_.clear();
    Pending root = start(pool);
    level = {};
    describe(root.weights, level.rows, level.moments);
    if (search_.is_open(root.weights)) nodes_.push_back(std::move(root));
  }

  // Once a level: a node's samples go to its children while they are in the cache. Large nodes come one by one, their
  // columns shared by the pool; the others side by side.
  void best_splits(const std::vector<std::uint8_t>& open, ThreadPool& pool) {
    found_.clear();
    found_.resize(nodes_.size());
    std::vector<std::size_t> small;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!open[nodes_[i].at]) continue;
      if (is_large(nodes_[i], pool))
        branch(i, &pool, 0);
      else
        small.push_back(i);
    }
    pool.run(small.size(), [&](std::size_t at, int worker) { branch(small[at], nullptr, worker); });
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      describe_leaves(nodes_[i].at, level);
      search_.describe(found_[i].split, [&](const SplitCandidate& split) { return cut_at(split); }, level);
    }
    describe_leaves(level.rows.size(), level);
  }

  void route(ThreadPool&) {
    nodes_.clear();
    level = {};
    for (Found& found : found_) {
      for (Pending& child : found.children) child.at += level.rows.size();
      std::ranges::move(found.children, std::back_inserter(nodes_));
      join(level.rows, found.rows);
      join(level.moments, found.moments);
      found = {};
    }
  }

  GrownNodes finish(ThreadPool& pool) { return grow_levels(*this, pool); }

 private:
  struct Pending {
    std::size_t at = 0;  // its number in the level, or among the children of its parent
    NodeWeights weights;
    Block block;
  };
  struct Found {
    std::optional<Chosen<SplitCandidate>> split;
    std::vector<std::int64_t> rows;  // of all children
    std::vector<double> moments;
    std::vector<Pending> children;  // those that may be split: most of many branches are empty
  };
  struct Scratch : Candidates::Scratch {
    Partition partition;
    Partition::Buffers buffers;
    std::vector<char> alive;
    std::vector<std::uint32_t> slots, open;
    std::vector<SplitCandidate> candidates;
    FeatureRows rows;
  };

  // Splits a node, if it can be split, and gives its samples to its children.
  void branch(std::size_t i, ThreadPool* pool, int worker) {
    Pending& node = nodes_[i];
    Found& found = found_[i];
    std::vector<char>& alive = scratch_[static_cast<std::size_t>(worker)].alive;
    found.split = split_of(node, alive, pool, worker);
    if (found.split) set_children(node, found, alive, pool, worker);
    node.block = Block();
  }

  // The split of a node, or nothing. `alive`: whether each of its columns may still distinguish samples below.
  std::optional<Chosen<SplitCandidate>> split_of(const Pending& node, std::vector<char>& alive, ThreadPool* pool,
                                                 int worker) {
    const Block& block = node.block;
    auto& candidates = scratch_[static_cast<std::size_t>(worker)].candidates;
    candidates.resize(block.columns.size());
    alive.assign(block.columns.size(), 1);
    share(pool, worker, candidates.size(), [&](std::size_t slot, int m) {
      alive[slot] = search_feature(node, slot, scratch_[static_cast<std::size_t>(m)], candidates[slot]);
    });
    return search_.ranked(block.columns, candidates,
                          [&](const SplitCandidate& split) { return split.weights_of(list_of(block, split.slot)); });
  }

  SortedList list_of(const Block& block, std::size_t slot) const {
    const Column& column = columns_[block.columns[slot]];
    return {block, block.list(slot), block.known(slot), column.kind == Kind::numeric ? column.values.data() : nullptr};
  }

  bool search_feature(const Pending& node, std::size_t slot, Scratch& scratch, SplitCandidate& out) const {
    const Block& block = node.block;
    out.slot = static_cast<std::uint32_t>(slot);
    const SortedList list = list_of(block, slot);
    FeatureRows& rows = scratch.rows;
    rows.missing_rows = static_cast<std::int64_t>(block.size - list.size());
    rows.missing.assign(node.weights.classes.size(), 0);
    for (std::size_t i = list.size(); i < block.size; ++i)
      rows.missing[block.class_of(list.entries[i])] += block.weight_of(list.entries[i]);
    rows.set_known(node.weights);
    return search_.evaluate(block.columns[slot], list, rows, node.weights, scratch, out);
  }

  std::size_t all_rows(const Settings& settings) const {
    return settings.root_rows ? settings.root_rows : rows_.size();
  }

  Pending start(ThreadPool& pool) {
    Pending node;
    node.block = root_block(lists_, uses_up_, n_rows_, rows_, y_, shift_, search_.information().weighted(), pool);
    if (search_.settings().data_cuts && rows_.size() != n_rows_) find_present(node.block);
    node.weights.classes.assign(static_cast<std::size_t>(search_.n_classes()), 0);
    for (std::size_t s = 0; s < rows_.size(); ++s)
      node.weights.classes[static_cast<std::size_t>(y_.codes[s])] += y_.weight_of(static_cast<std::uint32_t>(s))
                                                                     << shift_;
    for (const std::int64_t w : node.weights.classes) node.weights.weight += w;
    node.weights.rows = static_cast<std::int64_t>(rows_.size());
    search_.set_root(node.weights);
    return node;
  }

  bool is_large(const Pending& node, const ThreadPool& pool) const {
    const std::size_t work = static_cast<std::size_t>(node.weights.rows) * node.block.columns.size();
    return pool.size() > 1 && work > 200'000 &&
           static_cast<std::size_t>(node.weights.rows) > rows_.size() / (8 * static_cast<std::size_t>(pool.size()));
  }

  void describe(const NodeWeights& node, std::vector<std::int64_t>& rows, std::vector<double>& moments) const {
    rows.push_back(node.rows);
    for (int k = 0; k < y_.n_classes; ++k)
      moments.push_back(static_cast<double>(node.classes[static_cast<std::size_t>(k)]) * unit_);
  }

  // The midpoint, or C4.5's largest value of the learning set that is not above it.
  Cut cut_at(const SplitCandidate& split) const {
    const Column& column = columns_[static_cast<std::size_t>(split.feature)];
    const auto value = [&](std::uint32_t code) {
      return search_.settings().rank_cuts ? Cut{static_cast<double>(code), 0.0} : value_at(column, code);
    };
    const Cut middle =
        search_.settings().rank_cuts
            ? Cut{(value(split.below).value + value(split.above).value) / 2, 0.0}
            : cut_between(column, split.below, split.above, search_.settings().has_short_cuts(split.feature));
    if (!search_.settings().data_cuts || column.kind != Kind::numeric) return middle;
    const auto codes = std::views::iota(split.below, split.above);
    const auto is_low = [&](std::uint32_t code) { return !is_below(middle, value(code)); };
    std::uint32_t low = *std::ranges::partition_point(codes, is_low) - 1;
    if (!present_.empty())
      while (!present_[static_cast<std::size_t>(split.feature)][low]) --low;
    return value(low);
  }

  // Which values occur in the training rows, where these are not all rows of the table.
  void find_present(const Block& block) {
    present_.clear();
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      present_.emplace_back(columns_[j].n_codes, false);
      for (std::size_t i = 0; i < block.known(j); ++i) present_.back()[code_of(block.list(j)[i])] = true;
    }
  }

  // The children of a node; only those that may be split get their samples.
  void set_children(Pending& parent, Found& found, const std::vector<char>& alive, ThreadPool* pool, int worker) {
    const SplitCandidate& split = found.split->split;
    Scratch& scratch = scratch_[static_cast<std::size_t>(worker)];
    Partition& partition = scratch.partition;
    partition.prepare(parent.block, parent.weights, *found.split, search_.n_classes());
    scratch.open.clear();
    for (std::size_t c = 0; c < partition.children.size(); ++c) {
      describe(partition.children[c], found.rows, found.moments);
      if (search_.is_open(partition.children[c])) scratch.open.push_back(static_cast<std::uint32_t>(c));
    }
    scratch.slots.clear();
    for (std::uint32_t slot = 0; slot < alive.size(); ++slot)
      if (alive[slot] && !(slot == split.slot && is_used_up(split))) scratch.slots.push_back(slot);
    auto blocks = partition.make_blocks(parent.block, scratch.slots, scratch.open);
    if (!blocks.empty())
      share(pool, worker, scratch.slots.size(), [&](std::size_t place, int m) {
        partition.split_list(parent.block, scratch.slots[place], place, blocks,
                             scratch_[static_cast<std::size_t>(m)].buffers);
      });
    for (std::size_t c = 0; c < blocks.size(); ++c)
      found.children.push_back({scratch.open[c], std::move(partition.children[scratch.open[c]]), std::move(blocks[c])});
  }

  // ID3 step 6: a nominal feature is tested once on a path.
  bool is_used_up(const SplitCandidate& split) const {
    const auto j = static_cast<std::size_t>(split.feature);
    return search_.is_multiway(j) && search_.settings().once && !search_.is_grouped(j);
  }

  const std::vector<Column>& columns_;
  Lists& lists_;
  const bool uses_up_;
  const std::size_t n_rows_;
  const std::vector<std::uint32_t> rows_;
  const ResponseColumns y_;
  const int shift_;
  const double unit_;
  Candidates search_;
  std::vector<Scratch> scratch_;
  std::vector<std::vector<bool>> present_;  // of each column: codes that occur; empty = all
  std::vector<Pending> nodes_;
  std::vector<Found> found_;
};

}  // namespace boxwood::multiway

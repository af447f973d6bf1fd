// Grows multiway trees: the two questions of a level and, since it holds all rows, the whole tree at once.
// Invariant: a node's split depends on its samples alone, so the level loop and `finish` give the same tree for any
// team. Cost: about p * (scan + partition) a sample and level; large nodes share their columns among the team, smaller
// ones are finished whole, depth first and without recursion, so that a subtree's lists stay in the cache.
#pragma once

#include "grow/assembly.hpp"
#include "multiway/parting.hpp"

namespace boxwood::multiway {

class GrowerBase {
 public:
  virtual ~GrowerBase() = default;
  virtual void root(Team& team) = 0;
  virtual void best_splits(const std::vector<std::uint8_t>& open, Team& team) = 0;
  virtual void route(Team& team) = 0;
  virtual GrownNodes finish(Team& team) = 0;
  GrownNodes level;  // the current level: facts after root and route, splits after best_splits
};

template <class Measure>
class Grower final : public GrowerBase {
 public:
  // `shift`: bits by which weights are raised before they are shared out.
  Grower(const std::vector<Column>& columns, std::vector<std::uint32_t> rows, std::size_t n_rows,
         const ResponseColumns& y, const Settings& settings, int shift, int members)
      : columns_(columns),
        rows_(std::move(rows)),
        n_rows_(n_rows),
        y_(y),
        shift_(shift),
        unit_(std::ldexp(y.unit, -shift)),
        search_(columns, y, settings, unit_, settings.root_rows ? settings.root_rows : rows_.size(), members),
        scratch_(members) {
    if (settings.data_cuts && rows_.size() != n_rows) find_held();
  }

  void root(Team& team) override {
    nodes_.clear();
    nodes_.push_back(start(team));
    describe_level();
  }

  void best_splits(const std::vector<std::uint8_t>& open, Team& team) override {
    found_.clear();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      found_.emplace_back();
      if (!open[i] || !search_.is_open(nodes_[i].facts)) continue;
      found_[i].split = search_.split(nodes_[i].block, nodes_[i].facts, found_[i].alive, &team, 0);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      describe_split(level, found_[i].split, missing_of(nodes_[i], found_[i].split));
  }

  void route(Team& team) override {
    std::vector<Pending> next;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!found_[i].split) continue;
      for (auto& child : part(nodes_[i], found_[i].split->split, found_[i].alive, &team, 0))
        next.push_back(std::move(child));
      nodes_[i].block = Block();
    }
    nodes_ = std::move(next);
    describe_level();
  }

  GrownNodes finish(Team& team) override {
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
                     [](const Pending& a, const Pending& b) { return a.facts.rows > b.facts.rows; });
    std::vector<std::int32_t> below;
    for (const Pending& pending : small) below.push_back(pending.record);
    std::vector<Growing> subtrees(small.size());
    team.run(small.size(), [&](std::size_t i, int member) { subtrees[i] = subtree(small[i], member, team.watch()); });
    return in_level_order(top, below, subtrees);
  }

 private:
  struct Pending {
    Facts facts;
    Block block;
    std::int32_t record = 0;
  };
  struct Answer {
    std::optional<Found> split;
    std::vector<char> alive;
  };
  struct Scratch {
    Parting parting;
    std::vector<char> alive, wanted;
    std::vector<std::uint32_t> slots;
    std::vector<Entry> spare;
  };

  Pending start(Team& team) {
    Pending node;
    node.block = root_block(columns_, rows_, n_rows_, y_, shift_, Measure::weighted, team);
    node.facts.classes.assign(static_cast<std::size_t>(search_.n_classes()), 0);
    for (std::size_t s = 0; s < rows_.size(); ++s)
      node.facts.classes[static_cast<std::size_t>(y_.codes[s])] += y_.weight_of(static_cast<std::uint32_t>(s))
                                                                   << shift_;
    for (const std::int64_t w : node.facts.classes) node.facts.weight += w;
    node.facts.rows = static_cast<std::uint32_t>(rows_.size());
    search_.set_root(node.facts);
    return node;
  }

  bool is_large(const Pending& node, const Team& team) const {
    const std::size_t work = static_cast<std::size_t>(node.facts.rows) * node.block.columns.size();
    return team.size() > 1 && work > 200'000 &&
           node.facts.rows > rows_.size() / (8 * static_cast<std::size_t>(team.size()));
  }

  void describe_level() {
    level = {};
    for (const Pending& node : nodes_) describe(level, node.facts);
  }

  void describe(GrownNodes& grown, const Facts& facts) const {
    grown.rows.push_back(facts.rows);
    for (int k = 0; k < y_.n_classes; ++k)
      grown.moments.push_back(static_cast<double>(facts.classes[static_cast<std::size_t>(k)]) * unit_);
  }

  void add_record(Growing& growing, Pending& pending, std::int32_t parent) const {
    pending.record = growing.add_record(parent);
    describe(growing.nodes, pending.facts);
  }

  // Tree.missing of a split node: shared, or the branch of missing values, or the heaviest one.
  std::int32_t missing_of(const Pending& node, const std::optional<Found>& found) {
    if (!found) return STAYS;
    const Offer& split = found->split;
    if (search_.settings().unknown == Unknown::fractional) return SHARED;
    if (split.has_own_branch) return split.n_branches;
    std::vector<std::int64_t> weights(static_cast<std::size_t>(split.n_branches), 0);
    const Entry* entries = node.block.list(split.slot);
    const std::uint32_t known = node.block.known(split.slot);
    for (std::uint32_t i = 0; i < known; ++i)
      weights[split.branch_of(code_of(entries[i]))] += node.block.weight_of(entries[i]);
    return static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  }

  void describe_split(GrownNodes& grown, const std::optional<Found>& found, std::int32_t missing) const {
    grown.heuristic.push_back(0);
    grown.missing.push_back(missing);
    grown.score.push_back(found ? found->split.score : std::nan(""));
    if (found) {
      push(grown.splits, found->split);
      for (const Offer& other : found->competitors) {
        push(grown.competitors, other);
        grown.competitor_score.push_back(other.score);
      }
    } else {
      grown.splits.push_empty();
    }
    grown.competitor_start.push_back(static_cast<std::int32_t>(grown.competitor_score.size()));
    grown.surrogate_start.push_back(0);
  }

  void push(SplitRows& rows, const Offer& offer) const {
    const Column& column = columns_[static_cast<std::size_t>(offer.feature)];
    if (offer.is_cut) return rows.push_cut(offer.feature, cut_at(offer, column));
    std::vector<std::int32_t> branches(column.n_codes);
    for (std::uint32_t v = 0; v < column.n_codes; ++v) branches[v] = static_cast<std::int32_t>(offer.branch_of(v));
    rows.push_levels(offer.feature, branches, column.kind == Kind::ordinal);
  }

  // The midpoint, or C4.5's largest value of the learning set that is not above it (SPECS 0.4).
  Cut cut_at(const Offer& offer, const Column& column) const {
    Candidate between;
    between.below = offer.below;
    between.above = offer.above;
    const bool by_rank = search_.settings().rank_cuts;
    const Cut middle = cut_of(between, column, by_rank);
    if (!search_.settings().data_cuts || column.kind != Kind::numeric) return middle;
    const auto value = [&](std::uint32_t code) {
      if (by_rank) return Cut{static_cast<double>(code), 0.0};
      return Cut{column.values[code], column.lows.empty() ? 0.0 : column.lows[code]};
    };
    std::uint32_t low = offer.below, high = offer.above;  // value(low) <= middle < value(high)
    while (high - low > 1) {
      const std::uint32_t code = low + (high - low) / 2;
      const Cut at = value(code);
      (at.value < middle.value || (at.value == middle.value && at.low <= middle.low) ? low : high) = code;
    }
    if (!held_.empty())
      while (!held_[static_cast<std::size_t>(offer.feature)][low]) --low;
    return value(low);
  }

  // Which values occur among the rows learned from, where these are not all rows of the table.
  void find_held() {
    for (const Column& column : columns_) {
      held_.emplace_back(column.n_codes, false);
      for (const std::uint32_t row : rows_)
        if (column.codes[row] != MISSING) held_.back()[column.codes[row]] = true;
    }
  }

  // Splits one node if it may be split: children get records; those that may be split further are returned with their
  // blocks.
  std::vector<Pending> branch(Growing& growing, Pending& parent, Team* team, int member) {
    std::vector<Pending> open;
    std::optional<Found> found;
    auto& alive = scratch_[static_cast<std::size_t>(member)].alive;
    if (search_.is_open(parent.facts)) found = search_.split(parent.block, parent.facts, alive, team, member);
    if (!found) return open;
    growing.described.push_back(parent.record);
    describe_split(growing.nodes, found, missing_of(parent, found));
    auto children = part(parent, found->split, alive, team, member);
    parent.block = Block();
    growing.nodes.first_child[static_cast<std::size_t>(parent.record)] =
        static_cast<std::int32_t>(growing.nodes.size());
    growing.nodes.n_children[static_cast<std::size_t>(parent.record)] = static_cast<std::int32_t>(children.size());
    for (Pending& child : children) {
      add_record(growing, child, parent.record);
      if (search_.is_open(child.facts)) open.push_back(std::move(child));
    }
    return open;
  }

  // The children of a node; only those that may be split get their samples.
  std::vector<Pending> part(const Pending& parent, const Offer& split, const std::vector<char>& alive, Team* team,
                            int member) {
    auto& scratch = scratch_[static_cast<std::size_t>(member)];
    Parting& parting = scratch.parting;
    parting.prepare(parent.block, parent.facts, split, search_);
    scratch.wanted.clear();
    for (const Facts& child : parting.children) scratch.wanted.push_back(search_.is_open(child));
    scratch.slots.clear();
    for (std::uint32_t slot = 0; slot < alive.size(); ++slot)
      if (alive[slot] && !(slot == split.slot && is_spent(split))) scratch.slots.push_back(slot);
    const auto& slots = scratch.slots;
    auto blocks = parting.make_blocks(parent.block, slots, scratch.wanted);
    const auto part_one = [&](std::size_t place, int m) {
      parting.part(parent.block, slots[place], place, blocks, scratch.wanted,
                   scratch_[static_cast<std::size_t>(m)].spare);
    };
    if (std::find(scratch.wanted.begin(), scratch.wanted.end(), 1) != scratch.wanted.end()) {
      if (team) {
        team->run(slots.size(), part_one);
      } else {
        for (std::size_t place = 0; place < slots.size(); ++place) part_one(place, member);
      }
    }
    std::vector<Pending> children;
    for (std::size_t c = 0; c < blocks.size(); ++c)
      children.push_back({std::move(parting.children[c]), std::move(blocks[c]), 0});
    return children;
  }

  // ID3 step 6: a nominal feature is tested once on a path.
  bool is_spent(const Offer& split) const {
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
  Search<Measure> search_;
  std::vector<Scratch> scratch_;
  std::vector<std::vector<bool>> held_;
  std::vector<Pending> nodes_;
  std::vector<Answer> found_;
};

}  // namespace boxwood::multiway

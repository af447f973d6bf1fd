// Grows: the two questions of a level (best splits, route) and, since it holds all rows, the whole tree at once.
// Invariant: a node's split depends on its samples alone, so the level loop and `finish` give the same tree for any
// team. Cost: about p * (scan + surrogates + partition) a sample and level; large nodes share their columns among the
// team, smaller ones are finished whole, depth first, so that a subtree's lists stay in the cache.
#pragma once

#include "general/search.hpp"
#include "grow/assembly.hpp"

namespace boxwood {

class GrowerBase {
 public:
  virtual ~GrowerBase() = default;
  virtual void root(Team& team) = 0;
  virtual void best_splits(const std::vector<std::uint8_t>& open, Team& team) = 0;
  virtual void route(Team& team) = 0;
  virtual GrownNodes finish(Team& team) = 0;
  GrownNodes level;  // the current level: facts after root and route, splits after best_splits
};

template <class P>
class Grower final : public GrowerBase {
 public:
  Grower(P policy, std::unique_ptr<Samples> samples, const ResponseColumns& response, const Settings& settings,
         int members)
      : samples_(std::move(samples)), y_(response), search_(policy, *samples_, response, settings, members) {}

  void root(Team& team) override {
    samples_->start(team);
    nodes_ = {Node{0, static_cast<std::uint32_t>(samples_->size()), 0}};
    collect_facts();
    search_.set_root(facts_[0]);
  }

  void best_splits(const std::vector<std::uint8_t>& open, Team& team) override {
    found_.assign(nodes_.size(), std::nullopt);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (open[i] && search_.is_open(nodes_[i], facts_[i])) found_[i] = search_.split(nodes_[i], facts_[i], &team, 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) describe_split(level, found_[i], facts_[i]);
  }

  void route(Team& team) override {
    std::vector<Node> next;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!found_[i]) continue;
      const auto children = samples_->part_ids(nodes_[i], found_[i]->split.n_branches);
      const std::vector<char> wanted(children.size(), 1);
      part_columns(nodes_[i], children, wanted, &team, 0);
      next.insert(next.end(), children.begin(), children.end());
    }
    nodes_ = std::move(next);
    collect_facts();
  }

  GrownNodes finish(Team& team) override {
    root(team);
    Growing top;
    std::vector<Pending> queue{{nodes_[0], facts_[0], 0}}, small;
    add_record(top, queue[0], -1);
    for (std::size_t at = 0; at < queue.size(); ++at) {
      if (!is_large(queue[at].node, team) || is_peeled(queue[at])) {
        small.push_back(std::move(queue[at]));
        continue;
      }
      const Pending parent = std::move(queue[at]);
      for (auto& child : branch(top, parent, &team, 0)) queue.push_back(std::move(child));
    }
    std::stable_sort(small.begin(), small.end(),
                     [](const Pending& a, const Pending& b) { return a.node.count > b.node.count; });
    std::vector<Growing> blocks(small.size());
    team.run(small.size(), [&](std::size_t i, int member) { blocks[i] = subtree(small[i], member, team.watch()); });
    std::vector<std::int32_t> below;
    for (const Pending& pending : small) below.push_back(pending.record);
    return in_level_order(top, below, blocks);
  }

 private:
  // A node whose facts are known; its record is row `record` of the nodes being grown.
  struct Pending {
    Node node;
    NodeFacts facts;
    std::int32_t record;
    bool in_chain = false;  // its sibling took few rows off
  };

  // Fewer rows are scanned sooner than a peeler is built for them.
  static constexpr std::uint32_t FEW = 256;

  // A node that is not to be split has no lists to build from.
  bool is_peeled(const Pending& pending) const {
    return pending.in_chain && pending.node.count >= FEW && search_.is_open(pending.node, pending.facts) &&
           search_.may_peel(pending.node);
  }

  bool is_large(const Node& node, const Team& team) const {
    const std::size_t work = static_cast<std::size_t>(node.count) * samples_->n_columns();
    return team.size() > 1 && work > 200'000 && node.count > samples_->size() / (8 * team.size());
  }

  void collect_facts() {
    level = {};
    facts_.assign(nodes_.size(), {});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      facts_[i].collect(y_, search_.settings(), samples_->ids(nodes_[i]), nodes_[i].count);
      describe(level, nodes_[i], facts_[i]);
    }
  }

  void describe(GrownNodes& grown, const Node& node, const NodeFacts& facts) const {
    grown.rows.push_back(node.count);
    grown.moments.resize(grown.moments.size() + y_.moments());
    facts.moments(y_, grown.moments.data() + grown.moments.size() - y_.moments());
  }

  void add_record(Growing& growing, Pending& pending, std::int32_t parent) const {
    pending.record = growing.add_record(parent);
    describe(growing.nodes, pending.node, pending.facts);
  }

  void describe_split(GrownNodes& grown, const std::optional<Found>& found, const NodeFacts& facts) const {
    const auto score = [&](const Candidate& c) {
      return facts.true_decrease(y_, c.decrease) / (static_cast<double>(facts.weight) * y_.unit);
    };
    grown.heuristic.push_back(found && found->split.heuristic);
    grown.missing.push_back(found ? found->missing : STAYS);
    grown.score.push_back(found ? score(found->split) : std::nan(""));
    if (found) {
      grown.splits.push(found->split, samples_->column(found->split.feature), search_.settings().rank_cuts);
      for (const auto& other : found->competitors) {
        grown.competitors.push(other, samples_->column(other.feature), search_.settings().rank_cuts);
        grown.competitor_score.push_back(score(other));
      }
      for (const auto& surrogate : found->surrogates) {
        grown.surrogates.push(surrogate.split, samples_->column(surrogate.split.feature), search_.settings().rank_cuts);
        grown.agreement.push_back(surrogate.agreement);
        grown.adjusted.push_back(surrogate.adjusted);
      }
    } else {
      grown.splits.push_empty();
    }
    grown.competitor_start.push_back(static_cast<std::int32_t>(grown.competitor_score.size()));
    grown.surrogate_start.push_back(static_cast<std::int32_t>(grown.agreement.size()));
  }

  // Splits one node if it may be split: children get records and their samples are put in place; returns the children.
  std::vector<Pending> branch(Growing& growing, const Pending& parent, Team* team, int member) {
    std::optional<Found> found;
    if (search_.is_open(parent.node, parent.facts)) found = search_.split(parent.node, parent.facts, team, member);
    growing.described.push_back(parent.record);
    describe_split(growing.nodes, found, parent.facts);
    std::vector<Pending> children;
    if (!found) return children;
    const auto nodes = samples_->part_ids(parent.node, found->split.n_branches);
    growing.nodes.first_child[parent.record] = static_cast<std::int32_t>(growing.nodes.size());
    growing.nodes.n_children[parent.record] = static_cast<std::int32_t>(nodes.size());
    std::vector<char> wanted;
    for (const Node& node : nodes) {
      children.push_back({node, {}, 0, node.count > parent.node.count / 16 * 15});
      children.back().facts.collect(y_, search_.settings(), samples_->ids(node), node.count);
      add_record(growing, children.back(), parent.record);
      wanted.push_back(search_.is_open(node, children.back().facts));
    }
    if (std::find(wanted.begin(), wanted.end(), 1) != wanted.end())
      part_columns(parent.node, nodes, wanted, team, member);
    return children;
  }

  void part_columns(const Node& node, const std::vector<Node>& children, const std::vector<char>& wanted, Team* team,
                    int member) {
    share(team, member, samples_->n_columns(),
          [&](std::size_t j, int) { samples_->part_column(j, node, children, wanted); });
  }

  Growing subtree(const Pending& root, int member, Watch& watch) {
    Growing growing;
    std::vector<Pending> stack{root};
    add_record(growing, stack[0], -1);
    while (!stack.empty()) {
      if (member == 0) watch.poll();
      watch.check();
      const Pending pending = std::move(stack.back());
      stack.pop_back();
      if (is_peeled(pending)) {
        peel(growing, pending, stack, member, watch);
        continue;
      }
      auto children = branch(growing, pending, nullptr, member);
      for (auto child = children.rbegin(); child != children.rend(); ++child) stack.push_back(std::move(*child));
    }
    return growing;
  }

  // Splits a node and what remains of it when the lesser side is off, until half of its rows are gone; the sides go on
  // the stack.
  void peel(Growing& growing, Pending rest, std::vector<Pending>& stack, int member, Watch& watch) {
    const auto peeler = search_.peeler(rest.node, rest.facts);
    for (const std::uint32_t enough = rest.node.count / 2; rest.node.count > enough;) {
      watch.check();
      PeeledCut cut;
      std::optional<Found> found;
      if (search_.is_open(rest.node, rest.facts)) found = search_.split(*peeler, rest.node, rest.facts, member, cut);
      growing.described.push_back(rest.record);
      describe_split(growing.nodes, found, rest.facts);
      if (!found) return;
      const bool is_below = cut.rows_below <= rest.node.count - cut.rows_below;
      const auto taken = peeler->side(cut, is_below);
      auto [lesser, larger] = parts(rest, taken);
      growing.nodes.first_child[rest.record] = static_cast<std::int32_t>(growing.nodes.size());
      growing.nodes.n_children[rest.record] = 2;
      add_record(growing, is_below ? lesser : larger, rest.record);
      add_record(growing, is_below ? larger : lesser, rest.record);
      peeler->take(taken, search_.is_open(lesser.node, lesser.facts) ? samples_->room_for(lesser.node, taken)
                                                                     : std::vector<Entry*>{});
      stack.push_back(std::move(lesser));
      rest = std::move(larger);
    }
    const auto left = peeler->rest();
    peeler->take(left, samples_->room_for(rest.node, left));
    stack.push_back(std::move(rest));
  }

  // The children of a node from which samples are taken; the stretch of the lesser one comes first.
  std::pair<Pending, Pending> parts(const Pending& whole, const std::vector<std::uint32_t>& taken) const {
    const Node& node = whole.node;
    const auto count = static_cast<std::uint32_t>(taken.size());
    Pending lesser{{node.begin, count, node.depth + 1}, {}, 0},
        larger{{node.begin + count, node.count - count, node.depth + 1}, {}, 0, true};
    lesser.facts.collect(y_, search_.settings(), taken.data(), count);
    larger.facts.classes = whole.facts.classes;
    for (std::size_t k = 0; k < lesser.facts.classes.size(); ++k) larger.facts.classes[k] -= lesser.facts.classes[k];
    larger.facts.settle_classes(y_, search_.settings());
    return {std::move(lesser), std::move(larger)};
  }

  std::unique_ptr<Samples> samples_;
  ResponseColumns y_;
  Search<P> search_;
  std::vector<Node> nodes_;
  std::vector<NodeFacts> facts_;
  std::vector<std::optional<Found>> found_;
};

}  // namespace boxwood

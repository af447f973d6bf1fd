// Best split of one node: a candidate from every column, ranked; its surrogates; the branch of every sample.
// Invariant: columns are ranked in their order with the tie rule, so the result does not depend on who searched which
// column. Cost: one pass over the node's list a column, a second for surrogates.
#pragma once

#include <optional>

#include "general/branches.hpp"
#include "general/column_search.hpp"
#include "general/local_classes.hpp"

namespace boxwood {

template <class P>
class Search {
 public:
  Search(P policy, Samples& samples, const ResponseColumns& response, const Settings& settings, int members)
      : policy_(policy),
        samples_(samples),
        y_(response),
        settings_(settings),
        choice_(response, settings),
        branches_(samples, response, settings, choice_, members),
        members_(members, Member{{samples_, y_, settings_, choice_}, {}, {}}) {
    if (y_.kind == ResponseColumns::Kind::classes && y_.n_classes > FEW_CLASSES)
      local_codes_.reset(new std::int32_t[samples.size()]);
  }

  const Settings& settings() const { return settings_; }

  void set_root(const NodeFacts& root) { choice_.set_root(root); }

  bool is_open(const Node& node, const NodeFacts& facts) const {
    return !facts.pure && node.count >= settings_.min_samples_split &&
           (settings_.max_depth < 0 || node.depth < settings_.max_depth) &&
           settings_.asks_below(facts.true_decrease(y_, facts.risk));
  }

  // The split of a node, every sample's branch marked; nothing when no admissible split is good enough.
  // `team` shares the columns among its members; without it the calling `member` does all.
  std::optional<Found> split(const Node& node, const NodeFacts& facts, Team* team, int member) {
    auto& candidates = fresh_candidates(member);
    const P policy = at_node(node, facts, member);
    if (team) {
      team->run(candidates.size(), [&](std::size_t j, int m) {
        members_[m].columns.search(policy, j, node, facts, NOTHING, candidates[j]);
      });
    } else {
      one_by_one(facts, candidates, [&](std::size_t j, double least) {
        members_[member].columns.search(policy, j, node, facts, least, candidates[j]);
      });
    }
    auto ranked = choice_.rank(candidates);
    if (ranked.empty()) return std::nullopt;
    Found found;
    found.split = std::move(*ranked[0]);
    for (std::size_t i = 1; i < ranked.size(); ++i) found.competitors.push_back(std::move(*ranked[i]));
    branches_.decide(node, found, team, member);
    return found;
  }

  // Whether a node's best split is known to a peeler: by errors, for which no others stand in.
  bool may_peel(const Node& node) const {
    const bool counts_errors = y_.kind == ResponseColumns::Kind::classes && settings_.measure.is<ClassificationError>();
    const bool stands_alone = settings_.max_competitors == 0 && !settings_.order_by_mean &&
                              (settings_.policy != Policy::surrogate || settings_.max_surrogates == 0);
    if (!counts_errors || !stands_alone || y_.n_classes > PEELED_CLASSES || node.count > PEELED_ROWS) return false;
    const bool sends_missing = settings_.policy == Policy::learned || settings_.policy == Policy::majority;
    for (std::size_t j = 0; j < samples_.n_columns(); ++j)
      if (!sends_missing && samples_.known(j, node) < node.count) return false;
    return true;
  }

  std::unique_ptr<Peeler> peeler(const Node& node, const NodeFacts& facts) const {
    return peeler_of(samples_, node, facts, y_, settings_.policy == Policy::learned);
  }

  // The split of a node whose rows a peeler holds, and where its column is cut.
  std::optional<Found> split(const Peeler& peeler, const Node& node, const NodeFacts& facts, int member,
                             PeeledCut& cut) {
    auto& candidates = fresh_candidates(member);
    one_by_one(facts, candidates, [&](std::size_t j, double least) {
      members_[member].columns.search(policy_, j, peeler, node, facts, least, candidates[j]);
    });
    const auto ranked = choice_.rank(candidates);
    if (ranked.empty()) return std::nullopt;
    Found found;
    found.split = std::move(*ranked[0]);
    const auto j = static_cast<std::size_t>(found.split.feature);
    if (const PeeledLevels* levels = peeler.levels(j)) {
      cut = cut_of_levels(*levels, found.split, y_.n_classes);
    } else {
      cut = peeler.cut(j, settings_.min_samples_leaf);
      found.split.below = cut.below;
      found.split.above = cut.above;
      found.split.missing = cut.missing;
    }
    found.missing = choice_.missing_branch(found.split, cut.weight, cut.rows_missing > 0);
    if (cut.rows_missing > 0) cut.missing = found.missing;
    if (cut.missing == 0) cut.rows_below += cut.rows_missing;
    return found;
  }

 private:
  static constexpr int FEW_CLASSES = 4;  // are not numbered anew
  static constexpr double NOTHING = ColumnSearch<P>::NOTHING;

  struct Member {
    ColumnSearch<P> columns;
    LocalClasses classes;
    std::vector<Candidate> candidates;
  };

  std::vector<Candidate>& fresh_candidates(int member) {
    auto& candidates = members_[member].candidates;
    candidates.resize(samples_.n_columns());
    for (auto& candidate : candidates) candidate.feature = -1;
    return candidates;
  }

  P at_node(const Node& node, const NodeFacts& facts, int member) {
    if constexpr (requires(P p) { p.present; }) {
      if (local_codes_)
        return among_present(policy_, facts, samples_.ids(node), node.count, members_[member].classes,
                             local_codes_.get());
    }
    return policy_at(policy_, facts);
  }

  // Searches one column after another, where the next ones are only asked for what beats those before.
  template <class SearchOne>
  void one_by_one(const NodeFacts& facts, std::vector<Candidate>& candidates, const SearchOne& search_one) const {
    const bool bounds =
        y_.kind == ResponseColumns::Kind::classes && settings_.max_competitors == 0 && !settings_.correct_levels;
    const double most = bounds && settings_.feature_costs.empty() ? choice_.most(facts) : -NOTHING;
    double best = NOTHING, least = NOTHING;
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      if (bounds && best > NOTHING) least = choice_.needed(facts, best, j);
      search_one(j, least);
      if (candidates[j].feature < 0 || !(candidates[j].compared > bar_above(best, 1.0))) continue;
      best = candidates[j].compared;
      if (bar_above(best, 1.0) >= most) return;  // no column can do better by more than rounding
    }
  }

  const P policy_;
  Samples& samples_;
  const ResponseColumns y_;
  const Settings settings_;
  Choice choice_;
  Branches branches_;
  std::vector<Member> members_;
  std::unique_ptr<std::int32_t[]> local_codes_;  // of each sample among the classes of its node, where that pays
};

}  // namespace boxwood

// Best split of one node: a candidate from every feature, ranked; its surrogates; the branch of every sample.
// Invariant: features are ranked in column order with the tie rule, so the result does not depend on who searched which column.
// Cost: one pass over the node's list a feature, a second for surrogates.
#pragma once

#include <optional>

#include "choice.hpp"
#include "local_classes.hpp"
#include "peeling/peeler.hpp"
#include "subset.hpp"
#include "surrogates.hpp"

namespace boxwood {

// What the search found for one node.
struct Found {
  Candidate split;
  std::vector<Candidate> competitors;
  std::vector<Surrogate> surrogates;
  std::int32_t missing = STAYS;
};

template <class P>
class Search {
 public:
  using Int = typename P::Int;

  Search(P policy, Samples& samples, const Response& response, const Settings& settings, int members)
      : policy_(policy), samples_(samples), y_(response), settings_(settings),
        surrogate_search_(samples, settings_, response.weight), scratch_(members), choice_(response, settings) {
    if (y_.kind == Response::Kind::classes && y_.n_classes > FEW_CLASSES) local_codes_.reset(new std::int32_t[samples.size()]);
  }

  const Settings& settings() const { return settings_; }

  void set_root(const NodeFacts& root) { choice_.set_root(root); }

  bool is_open(const Node& node, const NodeFacts& facts) const {
    return !facts.pure && node.count >= settings_.min_samples_split &&
           (settings_.max_depth < 0 || node.depth < settings_.max_depth);
  }

  // The split of a node, every sample's branch marked; nothing when no admissible split is good enough.
  // `team` shares the columns among its members; without it the calling `member` does all.
  std::optional<Found> split(const Node& node, const NodeFacts& facts, Team* team, int member) {
    auto& candidates = scratch_[member].candidates;
    candidates.resize(samples_.n_columns());
    for (auto& candidate : candidates) candidate.feature = -1;
    const P policy = at_node(node, facts, member);
    if (team) {
      team->run(candidates.size(), [&](std::size_t j, int m) { search(policy, j, node, facts, {m, NOTHING}, candidates[j]); });
    } else {
      one_by_one(facts, candidates, [&](std::size_t j, double least) { search(policy, j, node, facts, {member, least}, candidates[j]); });
    }
    auto ranked = choice_.rank(candidates);
    if (ranked.empty()) return std::nullopt;
    Found found;
    found.split = std::move(*ranked[0]);
    for (std::size_t i = 1; i < ranked.size(); ++i) found.competitors.push_back(std::move(*ranked[i]));
    decide(node, found, team, member);
    return found;
  }

  // Whether a node's best split is known to a peeler: by errors, for which no others stand in.
  bool may_peel(const Node& node) const {
    const bool counts_errors = y_.kind == Response::Kind::classes && settings_.measure == MeasureName::error;
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
  std::optional<Found> split(const Peeler& peeler, const Node& node, const NodeFacts& facts, int member, PeeledCut& cut) {
    auto& of_columns = scratch_[member].candidates;
    of_columns.resize(samples_.n_columns());
    for (auto& candidate : of_columns) candidate.feature = -1;
    one_by_one(facts, of_columns, [&](std::size_t j, double least) {
      const PeeledLevels* levels = peeler.levels(j);
      levels ? search(j, *levels, facts, {member, least}, of_columns[j]) : search(j, peeler, node, facts, of_columns[j]);
    });
    const auto ranked = choice_.rank(of_columns);
    if (ranked.empty()) return std::nullopt;
    Found found;
    found.split = std::move(*ranked[0]);
    const auto j = static_cast<std::size_t>(found.split.feature);
    if (const PeeledLevels* levels = peeler.levels(j)) {
      cut = described(*levels, found.split);
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

  template <class Task>
  void each_column(Team* team, int member, const Task& task) {
    if (team) {
      team->run(samples_.n_columns(), task);
    } else {
      for (std::size_t j = 0; j < samples_.n_columns(); ++j) task(j, member);
    }
  }

 private:
  static constexpr int FEW_CLASSES = 4;  // are not numbered anew
  static constexpr double NOTHING = -std::numeric_limits<double>::infinity();

  struct Scratch {
    LocalClasses classes;
    std::vector<Candidate> candidates;
    std::vector<Surrogate> surrogates;
    std::vector<Int> known, missing, sums;
    Groups<P> groups;
    SubsetRoom subsets;
  };

  P at_node(const Node& node, const NodeFacts& facts, int member) {
    if constexpr (requires(P p) { p.present; }) {
      if (local_codes_)
        return among_present(policy_, facts, samples_.ids(node), node.count, scratch_[member].classes, local_codes_.get());
    }
    return policy_at(policy_, facts);
  }

  // Searches one column after another, where the next ones are only asked for what beats those before.
  template <class SearchOne>
  void one_by_one(const NodeFacts& facts, std::vector<Candidate>& candidates, const SearchOne& search_one) const {
    const bool bounds = y_.kind == Response::Kind::classes && settings_.max_competitors == 0 && !settings_.correct_levels;
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

  // Who searches, and what a decrease must exceed to matter.
  struct Asking {
    int member;
    double least;
  };

  void search(const P& policy, std::size_t j, const Node& node, const NodeFacts& facts, const Asking& asking, Candidate& out) {
    const std::uint32_t known = samples_.known(j, node);
    const Entry* entries = samples_.entries(j, node);
    const bool has_missing = known < node.count;
    if (known == 0) return;
    const bool constant = code_of(entries[0]) == code_of(entries[known - 1]);
    if (constant && !(has_missing && settings_.policy == Policy::learned)) return;
    Scratch& scratch = scratch_[asking.member];
    scratch.known.assign(policy.width(), Int{0});
    scratch.missing.assign(policy.width(), Int{0});
    totals_of(policy, facts, scratch.known.data());
    for (std::uint32_t i = known; i < node.count; ++i) policy.add(scratch.missing.data(), sample_of(entries[i]));
    for (int k = 0; k < policy.width(); ++k) scratch.known[k] -= scratch.missing[k];
    Trial<P> trial(policy, settings_, facts.scale);
    start(trial, scratch, known, node.count - known, asking, out);
    std::size_t groups = 0;
    if (samples_.column(j).kind == Kind::nominal) {
      scratch.groups.collect(policy, entries, known, least_of_level(j));
      groups = scratch.groups.size();
      SubsetSearch<P>(policy, settings_, y_.n_classes, scratch.subsets).search(scratch.groups, trial, out);
    } else {
      scan_cuts(policy, entries, known, trial, scratch.sums, out);
    }
    settle(trial, j, facts, groups, out);
    if (out.feature >= 0 && settings_.order_by_mean) order_by_mean(policy, entries, known, scratch, out);
  }

  // The same for sets of levels of a node that a peeler holds.
  void search(std::size_t j, const PeeledLevels& levels, const NodeFacts& facts, const Asking& asking, Candidate& out) {
    Scratch& scratch = scratch_[asking.member];
    const int width = policy_.width();
    scratch.known.assign(width, Int{0});
    scratch.missing.assign(width, Int{0});
    scratch.groups.start(width);
    std::int64_t known = 0, missing = 0;
    levels.each_level([&](std::uint32_t level, const std::int64_t* sums, std::uint32_t rows) {
      (level == MISSING ? missing : known) += rows;
      Int* into = level == MISSING ? scratch.missing.data() : scratch.groups.open(level);
      for (int k = 0; k < width; ++k) into[k] = static_cast<Int>(sums[k]);
      if (level == MISSING) return;
      scratch.groups.rows.back() = rows;
      for (int k = 0; k < width; ++k) scratch.known[k] += static_cast<Int>(sums[k]);
    });
    if (known == 0 || (scratch.groups.size() == 1 && !(missing > 0 && settings_.policy == Policy::learned))) return;
    if (least_of_level(j) > 1) scratch.groups.pool(least_of_level(j));
    Trial<P> trial(policy_, settings_, facts.scale);
    start(trial, scratch, known, missing, asking, out);
    SubsetSearch<P>(policy_, settings_, y_.n_classes, scratch.subsets).search(scratch.groups, trial, out);
    settle(trial, j, facts, scratch.groups.size(), out);
  }

  // The same for cuts of such a node: what the best one saves.
  void search(std::size_t j, const Peeler& peeler, const Node& node, const NodeFacts& facts, Candidate& out) const {
    const auto saved = peeler.saved(j, settings_.min_samples_leaf);
    if (!saved) return;
    out = {};
    out.decrease = std::max(*saved, 0.0);
    if (!choice_.good_enough(facts, out.decrease)) return;
    out.feature = static_cast<std::int32_t>(j);
    out.compared = choice_.compared(out, facts, 0, node.count);
  }

  // The sets of levels of a node that a peeler holds, as a cut.
  PeeledCut described(const PeeledLevels& levels, const Candidate& split) const {
    PeeledCut cut;
    cut.column = static_cast<std::size_t>(split.feature);
    cut.levels = split.levels;
    cut.missing = split.missing;
    auto at = split.levels.begin();
    levels.each_level([&](std::uint32_t level, const std::int64_t* sums, std::uint32_t rows) {
      if (level == MISSING) {
        cut.rows_missing = rows;
        return;
      }
      while (at->level != level) ++at;
      for (int k = 0; k < y_.n_classes; ++k) cut.weight[at->branch] += sums[k];
      if (at->branch == 0) cut.rows_below += rows;
    });
    return cut;
  }

  // Rows of a level, fewer of which are pooled.
  std::int64_t least_of_level(std::size_t j) const {
    return samples_.column(j).n_codes > settings_.pool_above ? settings_.min_samples_level : 1;
  }

  void start(Trial<P>& trial, const Scratch& scratch, std::int64_t known, std::int64_t missing, const Asking& asking, Candidate& out) const {
    trial.start(scratch.known.data(), scratch.missing.data(), known, missing);
    trial.ask_for(asking.least);
    out.heuristic = out.flipped = false;
    out.missing = STAYS;
    out.levels.clear();
  }

  // What a trial has found is a candidate if it is good enough.
  void settle(const Trial<P>& trial, std::size_t j, const NodeFacts& facts, std::size_t groups, Candidate& out) const {
    if (!trial.found) return;
    out.decrease = std::max(trial.best, 0.0);
    if (!choice_.good_enough(facts, out.decrease)) return;
    out.feature = static_cast<std::int32_t>(j);
    out.n_branches = trial.rows_missing() > 0 && settings_.policy == Policy::own_branch ? 3 : 2;
    out.compared = choice_.compared(out, facts, groups, trial.rows_known());
  }

  void order_by_mean(const P& policy, const Entry* entries, std::uint32_t known, Scratch& scratch, Candidate& out) const {
    scratch.sums.assign(policy.width(), Int{0});
    for_each_branch(entries, known, out, [&](std::uint32_t s, int branch) {
      if (branch == 0) policy.add(scratch.sums.data(), s);
    });
    for (int k = 0; k < policy.width(); ++k) scratch.known[k] -= scratch.sums[k];
    if (out.above == MISSING && out.levels.empty()) return;
    if (!(policy.mean(scratch.sums.data()) >= policy.mean(scratch.known.data()))) return;  // equal means are turned, as by rpart
    if (out.levels.empty()) out.flipped = true;
    for (auto& [level, branch] : out.levels) branch = 1 - branch;
    if (out.missing == 0 || out.missing == 1) out.missing = 1 - out.missing;
  }

  // Calls visit(sample, branch) for every known sample of a node's list.
  template <class Visit>
  static void for_each_branch(const Entry* entries, std::uint32_t known, const Candidate& split, const Visit& visit) {
    if (split.levels.empty()) {
      for (std::uint32_t i = 0; i < known; ++i)
        visit(sample_of(entries[i]), (code_of(entries[i]) > split.below) != split.flipped);
      return;
    }
    auto at = split.levels.begin();
    for (std::uint32_t i = 0; i < known; ++i) {
      while (at->level != code_of(entries[i])) ++at;
      visit(sample_of(entries[i]), at->branch);
    }
  }

  // Marks every sample's branch: known ones by the split, the others by surrogates and the missing-value policy.
  void decide(const Node& node, Found& found, Team* team, int member) {
    const std::size_t j = found.split.feature;
    const Entry* entries = samples_.entries(j, node);
    const std::uint32_t known = samples_.known(j, node);
    std::uint8_t* branch = samples_.branch();
    double weight[2] = {0, 0};
    std::int64_t sums[2] = {0, 0};
    for_each_branch(entries, known, found.split, [&](std::uint32_t s, int b) {
      branch[s] = static_cast<std::uint8_t>(b);
      sums[b] += y_.weight_of(s);
    });
    for (int b = 0; b < 2; ++b) weight[b] = static_cast<double>(sums[b]);
    for (std::uint32_t i = known; i < node.count; ++i) branch[sample_of(entries[i])] = Samples::UNKNOWN;
    if (settings_.policy == Policy::surrogate && settings_.max_surrogates > 0)
      find_surrogates(node, weight, known == node.count && !y_.weight, found, team, member);
    found.missing = choice_.missing_branch(found.split, sums, known < node.count);
    for (std::uint32_t i = known; i < node.count; ++i) {
      const std::uint32_t s = sample_of(entries[i]);
      branch[s] = stand_in(s, found);
    }
    if (settings_.rpart_quirk && settings_.policy == Policy::surrogate && !settings_.stay) most_rows(node, found);
  }

  std::uint8_t stand_in(std::uint32_t s, const Found& found) const {
    for (const auto& surrogate : found.surrogates) {
      const Candidate& split = surrogate.split;
      const std::uint32_t code = samples_.code(split.feature, s);
      if (code == MISSING) continue;
      if (split.levels.empty()) return is_above(samples_.column(split.feature), code, split) != split.flipped;
      const auto at = std::lower_bound(split.levels.begin(), split.levels.end(), code,
                                       [](const LevelBranch& l, std::uint32_t c) { return l.level < c; });
      if (at != split.levels.end() && at->level == code) return static_cast<std::uint8_t>(at->branch);
    }
    return found.missing == STAYS ? Samples::STAY : static_cast<std::uint8_t>(found.missing);
  }

  // As prediction will see it: the value against the cut, which may lie above values that did not vote for it.
  bool is_above(const Column& column, std::uint32_t code, const Candidate& split) const {
    if (settings_.rank_cuts || column.kind != Kind::numeric) return code > split.below;
    const Cut cut = cut_of(split, column, false);
    const double low = column.lows.empty() ? 0.0 : column.lows[code];
    return column.values[code] > cut.value || (column.values[code] == cut.value && low > cut.low);
  }

  // rpart predicts a row that no surrogate knows by the child with more rows (compat; SPECS 5.8).
  void most_rows(const Node& node, Found& found) const {
    std::int64_t rows[2] = {0, 0};
    const std::uint32_t* ids = samples_.ids(node);
    for (std::uint32_t i = 0; i < node.count; ++i)
      if (samples_.branch()[ids[i]] < 2) ++rows[samples_.branch()[ids[i]]];
    found.missing = rows[0] == rows[1] ? STAYS : rows[1] > rows[0] ? 1 : 0;
  }

  void find_surrogates(const Node& node, const double weight[2], bool all_vote, Found& found, Team* team, int member) {
    auto& all = scratch_[member].surrogates;
    all.resize(samples_.n_columns());
    each_column(team, member, [&](std::size_t j, int) {
      const bool kept = static_cast<std::int32_t>(j) != found.split.feature &&
                        surrogate_search_.search(j, node, weight, all_vote, all[j]);
      if (!kept) all[j].split.feature = -1;
    });
    for (auto& surrogate : all) {
      if (surrogate.split.feature < 0) continue;
      auto at = found.surrogates.begin();
      while (at != found.surrogates.end() && !(surrogate.agreement > at->agreement)) ++at;
      found.surrogates.insert(at, surrogate);
      if (found.surrogates.size() > static_cast<std::size_t>(settings_.max_surrogates)) found.surrogates.pop_back();
    }
  }

  const P policy_;
  Samples& samples_;
  const Response y_;
  const Settings settings_;
  SurrogateSearch surrogate_search_;
  std::vector<Scratch> scratch_;
  std::unique_ptr<std::int32_t[]> local_codes_;  // of each sample among the classes of its node, where that pays
  Choice choice_;
};

}  // namespace boxwood

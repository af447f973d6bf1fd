// The best split that one column offers to a node: a cut or two sets of levels, from its list or from what a peeler
// knows of it. Invariant: the candidate depends on the node's rows alone; what cannot beat `least` may be left out.
// Cost: one pass over the node's list; nothing that grows with the rows where a peeler holds them.
#pragma once

#include "general/branches.hpp"
#include "general/peeling/peeler.hpp"
#include "search/level_sets.hpp"

namespace boxwood {

template <class P>
class ColumnSearch {
 public:
  static constexpr double NOTHING = -std::numeric_limits<double>::infinity();

  // All of them must outlive it. A member of a team has its own.
  ColumnSearch(const Samples& samples, const ResponseColumns& response, const Settings& settings, const Choice& choice)
      : samples_(samples), y_(response), settings_(settings), choice_(choice) {}

  // `least`: what a decrease must exceed to matter.
  void search(const P& policy, std::size_t j, const Node& node, const NodeFacts& facts, double least, Candidate& out) {
    const std::uint32_t known = samples_.known(j, node);
    const Entry* entries = samples_.entries(j, node);
    const bool has_missing = known < node.count;
    if (known == 0) return;
    const bool constant = code_of(entries[0]) == code_of(entries[known - 1]);
    if (constant && !(has_missing && settings_.policy == Policy::learned)) return;
    known_.assign(policy.width(), Int{0});
    missing_.assign(policy.width(), Int{0});
    totals_of(policy, facts, known_.data());
    for (std::uint32_t i = known; i < node.count; ++i) policy.add(missing_.data(), sample_of(entries[i]));
    for (int k = 0; k < policy.width(); ++k) known_[k] -= missing_[k];
    Trial<P> trial(policy, settings_, facts.scale);
    start(trial, known, node.count - known, least, out);
    std::size_t groups = 0;
    if (samples_.column(j).kind == Kind::nominal) {
      groups_.collect(policy, entries, known, least_of_level(j));
      groups = groups_.size();
      SubsetSearch<P>(policy, settings_, y_.n_classes, subsets_).search(groups_, trial, out);
    } else {
      scan_cuts(policy, entries, known, trial, sums_, out);
    }
    settle(trial, j, facts, groups, out);
    if (out.feature >= 0 && settings_.order_by_mean) order_by_mean(policy, entries, known, out);
  }

  // The same for a node that a peeler holds.
  void search(const P& policy, std::size_t j, const Peeler& peeler, const Node& node, const NodeFacts& facts,
              double least, Candidate& out) {
    const PeeledLevels* levels = peeler.levels(j);
    levels ? search_sets(policy, j, *levels, facts, least, out) : search_cuts(j, peeler, node, facts, out);
  }

 private:
  using Int = typename P::Int;

  void search_sets(const P& policy, std::size_t j, const PeeledLevels& levels, const NodeFacts& facts, double least,
                   Candidate& out) {
    const int width = policy.width();
    known_.assign(width, Int{0});
    missing_.assign(width, Int{0});
    groups_.start(width);
    std::int64_t known = 0, missing = 0;
    levels.each_level([&](std::uint32_t level, const std::int64_t* sums, std::uint32_t rows) {
      (level == MISSING ? missing : known) += rows;
      Int* into = level == MISSING ? missing_.data() : groups_.open(level);
      for (int k = 0; k < width; ++k) into[k] = static_cast<Int>(sums[k]);
      if (level == MISSING) return;
      groups_.rows.back() = rows;
      for (int k = 0; k < width; ++k) known_[k] += static_cast<Int>(sums[k]);
    });
    if (known == 0 || (groups_.size() == 1 && !(missing > 0 && settings_.policy == Policy::learned))) return;
    if (least_of_level(j) > 1) groups_.pool(least_of_level(j));
    Trial<P> trial(policy, settings_, facts.scale);
    start(trial, known, missing, least, out);
    SubsetSearch<P>(policy, settings_, y_.n_classes, subsets_).search(groups_, trial, out);
    settle(trial, j, facts, groups_.size(), out);
  }

  // What the best cut saves; where it lies is asked of the column that wins.
  void search_cuts(std::size_t j, const Peeler& peeler, const Node& node, const NodeFacts& facts,
                   Candidate& out) const {
    const auto saved = peeler.saved(j, settings_.min_samples_leaf);
    if (!saved) return;
    out = {};
    out.decrease = std::max(*saved, 0.0);
    if (!choice_.good_enough(facts, out.decrease)) return;
    out.feature = static_cast<std::int32_t>(j);
    out.compared = choice_.compared(out, facts, 0, node.count);
  }

  // Rows of a level, fewer of which are pooled.
  std::int64_t least_of_level(std::size_t j) const {
    return samples_.column(j).n_codes > settings_.pool_above ? settings_.min_samples_level : 1;
  }

  void start(Trial<P>& trial, std::int64_t known, std::int64_t missing, double least, Candidate& out) const {
    trial.start(known_.data(), missing_.data(), known, missing);
    trial.ask_for(least);
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

  void order_by_mean(const P& policy, const Entry* entries, std::uint32_t known, Candidate& out) {
    sums_.assign(policy.width(), Int{0});
    each_branch(entries, known, out, [&](std::uint32_t s, int branch) {
      if (branch == 0) policy.add(sums_.data(), s);
    });
    for (int k = 0; k < policy.width(); ++k) known_[k] -= sums_[k];
    if (out.above == MISSING && out.levels.empty()) return;
    if (!(policy.mean(sums_.data()) >= policy.mean(known_.data()))) return;  // equal means are turned, as by rpart
    if (out.levels.empty()) out.flipped = true;
    for (auto& [level, branch] : out.levels) branch = 1 - branch;
    if (out.missing == 0 || out.missing == 1) out.missing = 1 - out.missing;
  }

  const Samples& samples_;
  const ResponseColumns& y_;
  const Settings& settings_;
  const Choice& choice_;
  std::vector<Int> known_, missing_, sums_;
  Groups<P> groups_;
  SubsetRoom subsets_;
};

}  // namespace boxwood

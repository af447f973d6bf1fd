// The merge step of CHAID for one feature in one node: categories that do not differ significantly become one group.
// Invariant: depends on the categories and their rows alone; at least two groups are left when there were two
// categories. Cost: see pairs.hpp; exhaustive merging adds one test of all groups a stage. Source: Kass 1980; Biggs, de
// Ville and Suen 1991.
#pragma once

#include <optional>

#include "chaid/pairs.hpp"

namespace boxwood::chaid {

class Merger {
 public:
  Merger(const Categories& categories, bool ordered, Test& test, const Settings& s, Interrupt interrupt)
      : categories_(categories), ordered_(ordered), test_(test), s_(s), interrupt_(interrupt) {}

  Groups merge() {
    const bool floating = ordered_ && categories_.has_missing();
    Groups groups(categories_, test_);
    for (std::uint32_t c = 0; c + floating < categories_.size(); ++c) groups.add({c});
    if (groups.size() > 2) s_.exhaustive ? merge_to_best_stage(groups) : merge_alike(groups);
    if (floating) place_missing(groups);
    return groups;
  }

  // Groups of these members, without their history.
  Groups regroup(const std::vector<Group>& given) const {
    Groups groups(categories_, test_);
    for (const Group& group : given) groups.add(group.members);
    if (ordered_) groups.sort_by_category();
    return groups;
  }

  // Groups with fewer cases join the most similar one; false when that would leave one group.
  bool absorb_small(Groups& groups, double least) {
    for (;;) {
      std::size_t small = 0;
      for (std::size_t g = 1; g < groups.size(); ++g)
        if (groups.cases(g) < groups.cases(small)) small = g;
      if (groups.cases(small) >= least - 1e-9) return true;
      if (groups.size() <= 2) return false;
      const std::size_t other = most_similar(groups, small);
      groups.merge(std::min(small, other), std::max(small, other));
    }
  }

 private:
  static constexpr std::size_t NONE = static_cast<std::size_t>(-1);
  static constexpr std::size_t MOST_CUT = 12;  // nominal groups of more categories are not cut again: up to 2^11 trials

  void merge_alike(Groups& groups) {
    Pairs pairs(groups, ordered_, interrupt_);
    std::size_t cuts_left =
        s_.splits_merged ? groups.size() : 0;  // merging and cutting could repeat each other for ever
    while (groups.size() > 2) {
      const auto best = pairs.best();
      if (!above_alpha(best.log_p, s_.log_alpha_merge)) return;
      groups.merge(best.a, best.b);
      pairs.merged(best.a, best.b);
      if (cuts_left > 0 && groups[best.a].members.size() >= 3 && cut_again(groups, best.a)) {
        --cuts_left;
        pairs.find_all();
      }
    }
  }

  static bool above_alpha(double log_p, double log_alpha) { return log_p > log_alpha + 1e-12; }

  // The most significant cut of a merged group in two is made if it is significant.
  bool cut_again(Groups& groups, std::size_t g) {
    const std::size_t m = groups[g].members.size();
    std::optional<std::pair<Group, Group>> best;
    double best_log_p = 1.0;
    const auto try_cut = [&](const std::vector<char>& leaves) {
      auto halves = groups.halves(g, leaves);
      const double log_p = groups.test_of(halves.first, halves.second).log_p();
      if (best && !surely_above(-log_p, -best_log_p)) return;
      best = std::move(halves);
      best_log_p = log_p;
    };
    if (ordered_) {
      std::vector<char> leaves(m, 1);
      for (std::size_t first = 0; first + 1 < m; ++first) {
        leaves[first] = 0;
        try_cut(leaves);
      }
    } else {
      if (m > MOST_CUT) return false;
      each_half(m, try_cut);
    }
    if (above_alpha(best_log_p, s_.log_alpha_split_merged)) return false;
    groups.cut(g, std::move(*best), !ordered_);
    return true;
  }

  // All divisions of m things in two, the smaller part staying: by its size, then in lexicographic order.
  template <class Try>
  static void each_half(std::size_t m, const Try& try_cut) {
    for (std::size_t size = 1; size <= m / 2; ++size) {
      std::vector<char> leaves(m, 1);
      std::fill(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(size), 0);
      do {
        if (2 * size == m && leaves[0]) break;  // the rest are the same halves exchanged
        try_cut(leaves);
      } while (std::next_permutation(leaves.begin(), leaves.end()));
    }
  }

  // Merges down to two groups and keeps the stage whose table is most significant, the earlier on ties.
  void merge_to_best_stage(Groups& groups) {
    Groups best = groups;
    double best_log_p = groups.test_all().log_p();
    std::vector<Pairs::Best> merges;  // since the best stage
    Pairs pairs(groups, ordered_, interrupt_);
    while (groups.size() > 2) {
      merges.push_back(pairs.best());
      groups.merge(merges.back().a, merges.back().b);
      pairs.merged(merges.back().a, merges.back().b);
      const double stage = groups.test_all().log_p();
      if (!surely_above(-stage, -best_log_p)) continue;
      for (const auto& merge : std::exchange(merges, {})) best.merge(merge.a, merge.b);
      best_log_p = stage;
    }
    groups = std::move(best);
  }

  // Missing values of an ordered feature: with the most similar group, or alone if that is more significant.
  void place_missing(Groups& groups) {
    groups.add({static_cast<std::uint32_t>(categories_.size() - 1)});
    if (groups.size() < 3) return;
    const std::size_t last = groups.size() - 1;
    const double separate = groups.test_all().log_p();
    Groups together = groups;
    together.merge(most_similar(groups, last), last);
    if (!surely_above(-separate, -together.test_all().log_p())) groups = std::move(together);
  }

  // The group most similar to g among those it may join: neighbours in an ordered list, any group for missing values.
  std::size_t most_similar(const Groups& groups, std::size_t g) {
    std::size_t best = NONE;
    double best_log_p = 0.0;
    for (std::size_t other = 0; other < groups.size(); ++other) {
      if (other == g || !may_join(groups, g, other)) continue;
      const double log_p = groups.test_of(g, other).log_p();
      if (best != NONE && !surely_above(log_p, best_log_p)) continue;
      best = other;
      best_log_p = log_p;
    }
    return best;
  }

  bool may_join(const Groups& groups, std::size_t a, std::size_t b) const {
    return !ordered_ || a + 1 == b || b + 1 == a || groups.has_missing(a) || groups.has_missing(b);
  }

  const Categories& categories_;
  const bool ordered_;
  Test& test_;
  const Settings& s_;
  const Interrupt interrupt_;
};

}  // namespace boxwood::chaid

// Best partition of a nominal feature's present levels into two sets.
// Two classes, means and rates: order levels by mean, the best of k-1 cuts is the best of all subsets (Breiman et al.
// 1984, th. 4.5; Fisher 1958). More classes: every subset in Gray-code order up to `exhaustive_levels`, above that the
// k-1 cuts along the principal direction of the class shares (Coppersmith, Hong & Hosking 1999), marked heuristic. Of
// many classes it is told first about how much each set takes away, and the measure is asked for the few that may be
// the best. Cost: k log k, or 2^(k-1).
#pragma once

#include <bit>
#include <limits>
#include <numeric>

#include "search/level_set_bounds.hpp"
#include "search/principal_direction.hpp"
#include "search/trial.hpp"

namespace boxwood {

// Memory that one search after another may use.
struct SubsetRoom {
  LevelMasses levels;
  Principal principal;
  GiniSets by_gini;
  EntropySets by_entropy;
  std::vector<std::uint32_t> order;
  std::vector<double> key, most;
  std::vector<std::int32_t> side;
};

template <class P>
class SubsetSearch {
 public:
  using Int = typename P::Int;

  SubsetSearch(const P& policy, const Settings& settings, int n_classes, SubsetRoom& room)
      : policy_(policy),
        settings_(settings),
        many_classes_(n_classes > 2),
        levels_(room.levels),
        room_(room),
        order_(room.order),
        key_(room.key),
        most_(room.most),
        side_(room.side) {}

  // Searches the groups and writes the winner's levels into `out`.
  void search(const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    const std::size_t k = groups.size();
    side_.assign(k, 1);
    if constexpr (requires(const Int* sum) { policy_.mass(sum, 0); }) {
      many_classes_ ? among_many(groups, trial, out) : cut_along_means(groups, trial, out);
    } else {
      cut_along_means(groups, trial, out);
    }
    if (trial.offer_known_against_missing()) {
      side_.assign(k, 0);
      out.missing = 1;
    }
    if (!trial.found) return;
    out.levels.clear();
    for (const auto& [level, group] : groups.members) out.levels.push_back({level, side_[group]});
  }

 private:
  void cut_along_means(const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    key_.resize(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) key_[g] = policy_.mean(groups.sum(g));
    cut_along_keys(groups, trial, out);
  }

  void cut_along_keys(const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    order_.resize(key_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return key_[a] < key_[b]; });
    left_.assign(groups.width, Int{0});
    std::int64_t n_left = 0;
    std::size_t best = 0;
    for (std::size_t i = 1; i < order_.size(); ++i) {
      add(groups, order_[i - 1], n_left);
      if (!trial.offer(left_.data(), n_left)) continue;
      best = i;
      out.missing = trial.missing_branch;
      if (!(ceiling_ > trial.needed())) break;
    }
    for (std::size_t i = 0; i < best; ++i) side_[order_[i]] = 0;
  }

  void add(const Groups<P>& groups, std::size_t g, std::int64_t& n_left, int sign = 1) {
    for (int k = 0; k < groups.width; ++k) left_[k] += sign * groups.sum(g)[k];
    n_left += sign * groups.rows[g];
  }

  void among_many(const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    const bool is_long = groups.size() > static_cast<std::size_t>(settings_.exhaustive_levels);
    const bool counts_errors = settings_.measure.is<ClassificationError>();
    out.heuristic = is_long && groups.size() > 2;
    if (groups.size() < 2) return;
    if (counts_errors && !may_save(groups, trial)) return;
    levels_.collect(policy_, groups, trial.known(), trial.learns() ? trial.missing() : nullptr);
    const bool has_bounds = settings_.measure.is<Gini>() || settings_.measure.is<Entropy>();
    if (has_bounds && !may_reach(trial)) return;
    if (is_long) {
      room_.principal.start(levels_);
      room_.principal.places(key_);
      return cut_along_keys(groups, trial, out);
    }
    // Where errors are counted most sets tie, and a look is as dear as the number itself; so it is where there are few
    // sets.
    if (!has_bounds || groups.size() <= FEW || groups.size() > LOOKED_AT) return offer_all(groups, trial, out);
    settings_.measure.is<Gini>() ? offer_likely(room_.by_gini, groups, trial, out)
                                 : offer_likely(room_.by_entropy, groups, trial, out);
  }

  // Whether all groups apart take away what is needed.
  bool may_reach(const Trial<P>& trial) {
    if (settings_.measure.is<Gini>()) return may_reach(room_.by_gini, trial);
    if constexpr (requires { policy_.measure->logs(); })
      room_.by_entropy.look_up(policy_.weight || policy_.factors ? nullptr : policy_.measure->logs());
    return may_reach(room_.by_entropy, trial);
  }
  template <class Sets>
  bool may_reach(Sets& sets, const Trial<P>& trial) {
    sets.ask(levels_, !policy_.weight && !policy_.factors && trial.scale() < WHOLE);
    return !(sets.apart().most() < trial.needed());
  }

  // The most errors that two sets can save goes to `ceiling_`: what all groups apart save, and no more than the second
  // class has.
  bool may_save(const Groups<P>& groups, const Trial<P>& trial) {
    double largest = 0, second = 0, apart = 0;
    for (int k = 0; k < groups.width; ++k) {
      const double mass = policy_.mass(trial.known(), k) + (trial.learns() ? policy_.mass(trial.missing(), k) : 0.0);
      second = std::max(second, std::min(largest, mass));
      largest = std::max(largest, mass);
    }
    const auto add = [&](const Int* sum) {
      double most = 0;
      for (int k = 0; k < groups.width; ++k) most = std::max(most, policy_.mass(sum, k));
      apart += most;
    };
    for (std::size_t g = 0; g < groups.size(); ++g) add(groups.sum(g));
    if (trial.learns()) add(trial.missing());
    ceiling_ = std::min(second, apart - largest) + TIE / 5 * trial.scale();
    return ceiling_ > trial.needed();
  }

  template <class Sets>
  void offer_likely(Sets& sets, const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    sets.prepare();
    most_.assign(std::size_t{1} << (groups.size() - 1), -INFINITE);
    const std::int64_t missing = trial.learns() ? trial.rows_missing() : 0, all = trial.rows_known() + missing;
    double sure = sets.look(groups.rows, {0, all, settings_.min_samples_leaf}, false, most_);
    if (missing > 0)
      sure = std::max(sure, sets.look(groups.rows, {missing, all, settings_.min_samples_leaf}, true, most_));
    // Room for thousands of ties by the rule: nothing that could be chosen, or keep another out, is passed over.
    const double least = std::max(sure - 1e-8 * trial.scale(), trial.needed());
    offer_some(groups, trial, out, [&](std::uint64_t i) { return most_[i] >= least && most_[i] > trial.needed(); });
  }

  void offer_all(const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    left_.assign(groups.width, Int{0});
    std::int64_t n_left = 0;
    std::uint64_t best = 0;
    for (std::uint64_t i = 1; i < std::uint64_t{1} << (groups.size() - 1); ++i) {
      const auto [g, sign] = moved_to(i);
      for (int k = 0; k < groups.width; ++k) left_[k] += sign * groups.sum(g)[k];
      n_left += sign * groups.rows[g];
      if (!trial.offer(left_.data(), n_left)) continue;
      best = subset(i);
      out.missing = trial.missing_branch;
      if (!(ceiling_ > trial.needed())) break;
    }
    settle(best);
  }

  template <class May>
  void offer_some(const Groups<P>& groups, Trial<P>& trial, Candidate& out, const May& may_win) {
    std::uint64_t best = 0;
    for (std::uint64_t i = 1; i < most_.size(); ++i) {
      if (!may_win(i)) continue;
      left_.assign(groups.width, Int{0});
      std::int64_t n_left = 0;
      for (std::uint64_t bits = subset(i); bits; bits &= bits - 1) add(groups, std::countr_zero(bits), n_left);
      if (!trial.offer(left_.data(), n_left)) continue;
      best = subset(i);
      out.missing = trial.missing_branch;
    }
    settle(best);
  }

  void settle(std::uint64_t left) {
    for (std::size_t g = 0; g < side_.size(); ++g) side_[g] = left >> g & 1 ? 0 : 1;
  }

  static constexpr std::size_t FEW = 3;  // groups: a set or three are sooner computed than looked at
  static constexpr std::size_t LOOKED_AT =
      11;  // groups: of more, the sets' sums would round beyond what is doubted of them
  static constexpr double WHOLE = 1 << 24;  // a number whose square has no more digits than a double
  static constexpr double INFINITE = std::numeric_limits<double>::infinity();

  const P& policy_;
  const Settings& settings_;
  const bool many_classes_;
  LevelMasses& levels_;
  SubsetRoom& room_;
  std::vector<std::uint32_t>& order_;
  std::vector<double>&key_, &most_;
  std::vector<std::int32_t>& side_;
  std::vector<Int> left_;
  double ceiling_ = INFINITE;  // no two sets take more away
};

}  // namespace boxwood

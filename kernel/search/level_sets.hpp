// Best partition of a nominal feature's present levels into two sets.
// Two classes, means and rates: order levels by mean, the best of k-1 cuts is the best of all subsets (Breiman et al.
// 1984, th. 4.5; Fisher 1958). More classes: every subset in Gray-code order up to `exhaustive_levels`, above that the
// k-1 cuts along the principal direction of the class shares (Coppersmith, Hong & Hosking 1999), marked heuristic.
// Cost: k log k, or 2^(k-1).
#pragma once

#include <bit>
#include <numeric>

#include "search/principal_direction.hpp"
#include "search/trial.hpp"

namespace boxwood {

template <class P>
class SubsetSearch {
 public:
  using Int = typename P::Int;

  explicit SubsetSearch(const Settings& settings) : settings_(settings) {}

  // Offers sets of groups to the trial; the branches of the best go to `out`. Returns whether a better one may have
  // been missed.
  bool search(const P& policy, const Groups<P>& groups, Trial<P>& trial, std::vector<LevelBranch>& out) {
    side_.assign(groups.size(), 1);
    const bool along_direction = offer_sets(policy, groups, trial);
    if (trial.offer_known_against_missing()) side_.assign(groups.size(), 0);
    if (!trial.found) return false;
    out.clear();
    for (const auto& [level, group] : groups.members) out.push_back({level, side_[group]});
    return along_direction && groups.size() > 2;
  }

 private:
  // Returns whether sets are those along the principal direction only.
  bool offer_sets(const P& policy, const Groups<P>& groups, Trial<P>& trial) {
    if constexpr (requires { policy.n_classes; })
      if (policy.n_classes > 2) {
        const bool is_long = groups.size() > static_cast<std::size_t>(settings_.exhaustive_levels);
        is_long ? offer_along_direction(policy, groups, trial) : offer_all(groups, trial);
        return is_long;
      }
    offer_along_means(policy, groups, trial);
    return false;
  }

  void offer_along_means(const P& policy, const Groups<P>& groups, Trial<P>& trial) {
    key_.resize(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) key_[g] = policy.mean(groups.sum(g));
    offer_along_keys(groups, trial);
  }

  void offer_along_direction(const P& policy, const Groups<P>& groups, Trial<P>& trial) {
    if (groups.size() < 2) return;
    principal_.start(policy, groups, trial.known(), trial.learns() ? trial.missing() : nullptr);
    principal_.places(key_);
    offer_along_keys(groups, trial);
  }

  void offer_along_keys(const Groups<P>& groups, Trial<P>& trial) {
    order_.resize(key_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return key_[a] < key_[b]; });
    start(groups);
    std::size_t best = 0;
    for (std::size_t i = 1; i < order_.size(); ++i) {
      move(groups, order_[i - 1], 1);
      if (trial.offer(left_.data(), n_left_)) best = i;
    }
    for (std::size_t i = 0; i < best; ++i) side_[order_[i]] = 0;
  }

  // All sets without the last group; each differs from the one before in one group (Gray code).
  void offer_all(const Groups<P>& groups, Trial<P>& trial) {
    start(groups);
    std::uint64_t best = 0;
    for (std::uint64_t i = 1; i < std::uint64_t{1} << (groups.size() - 1); ++i) {
      const std::uint64_t set = i ^ (i >> 1);
      const int moved = std::countr_zero(i);
      move(groups, static_cast<std::size_t>(moved), set >> moved & 1 ? 1 : -1);
      if (trial.offer(left_.data(), n_left_)) best = set;
    }
    for (std::size_t g = 0; g < side_.size(); ++g)
      if (best >> g & 1) side_[g] = 0;
  }

  void start(const Groups<P>& groups) {
    left_.assign(groups.width, Int{0});
    n_left_ = 0;
  }
  // Moves a group to the left (1) or back (-1).
  void move(const Groups<P>& groups, std::size_t g, int sign) {
    for (int k = 0; k < groups.width; ++k) left_[k] += sign * groups.sum(g)[k];
    n_left_ += sign * groups.rows[g];
  }

  const Settings& settings_;
  Principal principal_;
  std::vector<std::uint32_t> order_;
  std::vector<double> key_;
  std::vector<std::int32_t> side_;  // branch of each group
  std::vector<Int> left_;
  std::int64_t n_left_ = 0;
};

}  // namespace boxwood

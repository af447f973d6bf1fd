// The best partition in two of one feature's values or levels, as partitions are offered one after the other.
// Invariant: a later partition replaces the best only when it is better by more than rounding (the tie rule).
// Cost: one decrease a partition. Source: missing directions as in SPECS 5.4 and the twin sources/reference.py.
#pragma once

#include <limits>
#include <vector>

#include "response/moments.hpp"
#include "response/settings.hpp"
#include "search/split.hpp"

namespace boxwood {

// The best partition in two met so far for one feature of one node, and the rules a new one must beat.
template <class P>
class Trial {
 public:
  using Int = typename P::Int;

  Trial(const P& policy, const Settings& settings, double scale)
      : policy_(policy), settings_(settings), scale_(scale), width_(policy.width()) {}

  // `known`: sums over rows with a known value; `missing`: over the others, `n_missing` of them.
  void start(const Int* known, const Int* missing, std::int64_t n_known, std::int64_t n_missing) {
    known_ = known;
    missing_ = missing;
    n_known_ = n_known;
    n_missing_ = n_missing;
    found = false;
    best = 0.0;
    threshold_ = -std::numeric_limits<double>::infinity();
    learned_ = settings_.policy == Policy::learned && n_missing > 0;
    offset_ = 0.0;
    if (n_missing == 0) return;
    all_.assign(known, known + width_);
    for (int k = 0; k < width_; ++k) all_[k] += missing[k];
    if (settings_.policy == Policy::own_branch) offset_ = policy_.decrease(known, all_.data());
  }

  // Only partitions above `least` count: less cannot win.
  void ask_for(double least) { threshold_ = least; }

  // Offers the partition with `left` on branch 0; true when it is the new best.
  bool offer(const Int* left, std::int64_t n_left) {
    if (learned_) return offer_learned(left, n_left);
    if (n_left < settings_.min_samples_leaf || n_known_ - n_left < settings_.min_samples_leaf) return false;
    return take(policy_.decrease(left, known_) + offset_, -1);
  }

  // "Known or missing" as a split of its own (learned direction).
  bool offer_known_against_missing() {
    if (!learned_ || n_known_ < settings_.min_samples_leaf || n_missing_ < settings_.min_samples_leaf) return false;
    return take(policy_.decrease(known_, all_.data()), 1);
  }

  // Whether missing values go to the better side.
  bool learns() const { return learned_; }
  const Int* missing() const { return missing_; }
  const Int* known() const { return known_; }

  bool found = false;
  double best = 0.0;
  int missing_branch = -1;  // set by the learned direction, else -1

 private:
  bool offer_learned(const Int* left, std::int64_t n_left) {
    bool better = false;
    const std::int64_t n_right = n_known_ - n_left, least = settings_.min_samples_leaf;
    if (n_left >= least && n_right + n_missing_ >= least) better = take(policy_.decrease(left, all_.data()), 1);
    if (n_left + n_missing_ >= least && n_right >= least) {
      with_.assign(left, left + width_);
      for (int k = 0; k < width_; ++k) with_[k] += missing_[k];
      better = take(policy_.decrease(with_.data(), all_.data()), 0) || better;
    }
    return better;
  }
  bool take(double decrease, int missing) {
    if (!(decrease > threshold_)) return false;
    found = true;
    best = decrease;
    missing_branch = missing;
    threshold_ = threshold_above(decrease, scale_);
    return true;
  }

  const P& policy_;
  const Settings& settings_;
  const double scale_;
  const int width_;
  const Int *known_ = nullptr, *missing_ = nullptr;
  std::int64_t n_known_ = 0, n_missing_ = 0;
  bool learned_ = false;
  double threshold_ = 0.0, offset_ = 0.0;
  std::vector<Int> all_, with_;
};

}  // namespace boxwood

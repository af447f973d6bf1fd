// The ranks that a node's features are known to reach while they are searched, by which bounds are compared.
// Invariant: never above what the features do reach, so no candidate that is kept in the end is left out.
// Cost: constant time for one candidate kept; one pass over the features for more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace boxwood::coded {

// The best rank known of each feature, and what a candidate must attain: its feature's best, and the last of as many
// features as the recipe keeps.
class KnownRanks {
 public:
  static constexpr double NOTHING = -std::numeric_limits<double>::infinity();

  void start(std::size_t features, std::size_t kept) {
    of_feature_.assign(features, NOTHING);
    kept_ = kept;
    least_ = NOTHING;
  }
  void raise(std::int32_t feature, double rank) {
    double& known = of_feature_[static_cast<std::size_t>(feature)];
    if (!(rank > known)) return;
    known = rank;
    if (!(rank > least_) || kept_ > of_feature_.size()) return;
    if (kept_ == 1) {
      least_ = rank;
      return;
    }
    sorted_ = of_feature_;
    std::nth_element(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(kept_ - 1), sorted_.end(),
                     std::greater<>());
    least_ = sorted_[kept_ - 1];
  }
  double least() const { return least_; }
  double of(std::int32_t feature) const { return std::max(least_, of_feature_[static_cast<std::size_t>(feature)]); }

 private:
  std::vector<double> of_feature_, sorted_;
  std::size_t kept_ = 1;
  double least_ = NOTHING;
};

}  // namespace boxwood::coded

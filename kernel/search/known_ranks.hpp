// The best ranks found so far of a node's features, with which upper bounds are compared.
// Invariant: never above what the features attain, so no candidate that is kept in the end is left out.
// Cost: constant time for one candidate kept; one pass over the features for more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace boxwood::coded {

// The best rank known of each feature, and the one that a further candidate must attain: the last of as many features
// as the recipe keeps.
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
    if (!(known > least_) || kept_ > of_feature_.size()) return;
    sorted_ = of_feature_;
    const auto last = sorted_.begin() + static_cast<std::ptrdiff_t>(kept_ - 1);
    std::nth_element(sorted_.begin(), last, sorted_.end(), std::greater<>());
    least_ = *last;
  }
  double least() const { return least_; }
  double of(std::int32_t feature) const { return std::max(least_, of_feature_[static_cast<std::size_t>(feature)]); }

 private:
  std::vector<double> of_feature_, sorted_;
  std::size_t kept_ = 1;
  double least_ = NOTHING;
};

}  // namespace boxwood::coded

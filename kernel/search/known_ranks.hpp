// The best ranks found so far of a node's features, with which upper bounds are compared.
// Invariant: never above what the features attain, so no candidate that is kept in the end is left out.
// Cost: constant time for one candidate kept; one pass over the features for more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace boxwood::coded {

// The best rank known of each feature, and the candidate that a further one must displace: the last of as many features
// as the recipe keeps. Of equal ranks the one of the earlier feature is kept.
class KnownRanks {
 public:
  static constexpr double NOTHING = -std::numeric_limits<double>::infinity();

  // `place(feature)`: in the learning set.
  template <class Place = std::identity>
  void start(std::size_t features, std::size_t kept, const Place& place = {}) {
    of_feature_.clear();
    for (std::size_t j = 0; j < features; ++j) of_feature_.emplace_back(NOTHING, -static_cast<std::int32_t>(place(j)));
    kept_ = kept;
    least_ = {NOTHING, 0};
  }
  void raise(std::int32_t feature, double rank) {
    Known& known = of_feature_[static_cast<std::size_t>(feature)];
    if (!(rank > known.first)) return;
    known.first = rank;
    if (!(known > least_) || kept_ > of_feature_.size()) return;
    if (kept_ == 1) {
      least_ = known;
      return;
    }
    sorted_ = of_feature_;
    std::nth_element(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(kept_ - 1), sorted_.end(),
                     std::greater<>());
    least_ = sorted_[kept_ - 1];
  }
  double least() const { return least_.first; }
  double of(std::int32_t feature) const {
    return std::max(least_.first, of_feature_[static_cast<std::size_t>(feature)].first);
  }
  double known(std::int32_t feature) const { return of_feature_[static_cast<std::size_t>(feature)].first; }
  // Whether the feature's best known candidate is among those kept.
  bool is_kept(std::int32_t feature) const { return known(feature) != NOTHING && known(feature) == of(feature); }
  // Whether a candidate of this feature that only equals the last one kept is left out, because it comes later.
  bool loses_ties(std::int32_t feature) const {
    const Known& known = of_feature_[static_cast<std::size_t>(feature)];
    return known < least_ && known.second < least_.second;
  }

 private:
  using Known = std::pair<double, std::int32_t>;  // rank, and minus the feature's place

  std::vector<Known> of_feature_, sorted_;
  std::size_t kept_ = 1;
  Known least_{NOTHING, 0};
};

}  // namespace boxwood::coded

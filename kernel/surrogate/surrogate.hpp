// A surrogate: the cut, or the set of levels, of another feature that agrees best with the branches a split sends its
// rows to (surrogate split). Invariant: twin of ../surrogates.hpp: agreements are whole weights, compared exactly; ties
// by the same rule. Cost: a few operations a surrogate. Source: Breiman et al. 1984, 5.3; SPECS 5.7.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "response/node_stats.hpp"
#include "search/split.hpp"

namespace boxwood::coded {

struct Surrogate {
  std::int32_t feature = -1, place = 0;  // as the codes number it; in the learning set
  bool flipped = false;  // branch 0 is the upper side
  u32 below = 0, above = 0;  // rows whose values are about the cut
  u32 rank = 0;  // in a small node: of the value below
  std::int32_t n_levels = 0;  // of a set of levels, which has no cut
  std::size_t first_level = 0;  // among the levels of whoever keeps it
  double agreement = 0.0, adjusted = 0.0;
};

// What rows that know a split's feature, and another one, weigh on each branch.
struct Votes {
  i64 weight[2] = {0, 0}, rows = 0;
  i64 most() const { return weight[0] > weight[1] ? weight[0] : weight[1]; }
};

// How agreements are told. `primary`: what the split itself sends to each branch.
struct Rating {
  double primary[2];
  int style;  // 0 = share of all rows that the split knows, 1 = of those that know both features

  double whole(const Votes& votes) const {
    return style == 0 ? primary[0] + primary[1]
                      : static_cast<double>(votes.weight[0]) + static_cast<double>(votes.weight[1]);
  }
  double agreement(i64 agreed, const Votes& votes) const { return static_cast<double>(agreed) / whole(votes); }
  // The share that the split itself sends to its heavier branch.
  double majority() const { return std::max(primary[0], primary[1]) / (primary[0] + primary[1]); }
  // False when the majority would do as well.
  bool rate(i64 agreed, const Votes& votes, Surrogate& out) const {
    const double majority = majority_of(votes);
    out.agreement = agreement(agreed, votes);
    out.adjusted = (out.agreement - majority) / (1 - majority);
    return out.adjusted > BETTER;
  }
  // No surrogate that agrees less is rated and has at least such an agreement; rounded down, so that some that do not
  // may agree as much.
  i64 needed(const Votes& votes, double least) const {
    const double majority = majority_of(votes), share = std::max(least, majority + BETTER * (1 - majority));
    return static_cast<i64>(share * whole(votes) * (1 - 1e-12)) - 1;
  }

 private:
  static constexpr double BETTER = 1e-10;

  double majority_of(const Votes& votes) const {
    const double w0 = style == 0 ? primary[0] : static_cast<double>(votes.weight[0]);
    const double w1 = style == 0 ? primary[1] : static_cast<double>(votes.weight[1]);
    return (w0 > w1 ? w0 : w1) / (w0 + w1);
  }
};

// The best surrogates of one split, best first; of equal ones the one of the earlier feature. They may be offered in
// any order.
class Surrogates {
 public:
  void start(std::size_t most) {
    most_ = most;
    kept_.clear();
    levels_.clear();
  }
  // Whether one of such an agreement might be kept.
  bool may_keep(double agreement) const { return kept_.size() < most_ || agreement >= kept_.back().agreement; }
  void offer(Surrogate one, const std::vector<LevelBranch>& levels) {
    if (!may_keep(one.agreement)) return;
    one.n_levels = static_cast<std::int32_t>(levels.size());
    one.first_level = levels_.size();
    levels_.insert(levels_.end(), levels.begin(), levels.end());
    offer(one);
  }
  void offer(const Surrogate& one) {
    const auto before = [](const Surrogate& a, const Surrogate& b) {
      return a.agreement != b.agreement ? a.agreement > b.agreement : a.place < b.place;
    };
    kept_.insert(std::upper_bound(kept_.begin(), kept_.end(), one, before), one);
    if (kept_.size() > most_) kept_.pop_back();
  }
  std::vector<Surrogate>& all() { return kept_; }
  const std::vector<Surrogate>& all() const { return kept_; }
  const LevelBranch* levels(const Surrogate& one) const { return &levels_[one.first_level]; }

 private:
  std::size_t most_ = 0;
  std::vector<Surrogate> kept_;
  std::vector<LevelBranch> levels_;
};

}  // namespace boxwood::coded

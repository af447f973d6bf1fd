// Sets of levels of a nominal feature, searched from what each level's rows add up to.
// Invariant: finds what search/level_sets.hpp finds, to the last bit; a feature is given up early only when no set of
// its levels can win. Cost: one pass over the levels present; k log k where their best partition surely lies along an
// order, else search/level_sets.hpp. Source: no partition in two takes away more than the one that keeps all levels
// apart, because impurity is concave.
#pragma once

#include "search/level_sets.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

template <class R>
class LevelSearch {
 public:
  using Cell = typename R::Cell;
  using P = typename R::Policy;
  using Int = typename P::Int;

  // One feature of one node.
  struct Asked {
    std::int32_t feature, place;
    u32 all_levels;  // of the column
    double best;  // rank of the best candidate of other features so far, or minus infinity
    const Cell* missing;
    i64 n_missing;
  };

  LevelSearch(const R& y, const Rules& rules) : y_(y), rules_(rules), policy_(y.policy()), sets_(*rules.settings) {}

  void start(const NodeStats& stats) {
    stats_ = &stats;
    policy_ = y_.policy();
    groups_.start(policy_.width());
  }
  // Levels in ascending order.
  void add(u32 level, const Cell* cell, i64 rows) {
    y_.spread(cell, *stats_, groups_.open(level));
    groups_.rows.back() = rows;
  }
  // The best set of levels, feature -1 when none can win; `levels` then says which level goes where.
  Candidate find(const Asked& asked, std::vector<LevelBranch>& levels) {
    groups_.pool(least_rows_of_level(*rules_.settings, asked.all_levels));
    Candidate out;
    out.groups = static_cast<u32>(groups_.size());
    add_up(asked);
    const double chance = rules_.by_chance(out.groups, known_, *stats_);
    const double needed = rules_.needed(asked.best, asked.place, chance, *stats_);
    if (known_ == 0 || !can_reach(asked, needed)) return out;
    Trial<P> trial(policy_, *rules_.settings, stats_->scale);
    trial.start(total_.data(), missing_.data(), known_, asked.n_missing);
    trial.ask_for(needed);
    out.heuristic = sets_.search(policy_, groups_, trial, levels);
    if (!trial.found) return out;
    out.feature = asked.feature;
    out.place = asked.place;
    out.known = known_;
    out.missing = trial.missing_branch;
    out.decrease = trial.best;
    return out;
  }

 private:
  void add_up(const Asked& asked) {
    total_.assign(groups_.width, Int{0});
    missing_.assign(groups_.width, Int{0});
    known_ = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      known_ += groups_.rows[g];
      for (int k = 0; k < groups_.width; ++k) total_[k] += groups_.sum(g)[k];
    }
    if (asked.n_missing > 0) y_.spread(asked.missing, *stats_, missing_.data());
  }

  // Whether the partition into all groups takes away what is needed; missing values are a group where they count.
  bool can_reach(const Asked& asked, double needed) {
    all_ = total_;
    double apart = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) apart += policy_.impurity(groups_.sum(g));
    if (asked.n_missing > 0 && (rules_.learns() || rules_.own_branch())) {
      apart += policy_.impurity(missing_.data());
      for (int k = 0; k < groups_.width; ++k) all_[k] += missing_[k];
    }
    const double whole = policy_.impurity(all_.data());
    return !(whole - apart + 1e-9 * (std::abs(whole) + std::abs(apart) + stats_->scale) < needed);
  }

  const R& y_;
  const Rules& rules_;
  P policy_;
  const NodeStats* stats_ = nullptr;
  Groups<P> groups_;
  SubsetSearch<P> sets_;
  i64 known_ = 0;
  std::vector<Int> total_, missing_, all_;
};

}  // namespace boxwood::coded

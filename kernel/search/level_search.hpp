// Sets of levels of a nominal feature, searched from what each level's rows add up to.
// Invariant: finds what search/level_sets.hpp finds, to the last bit; a feature is given up early only when no set of
// its levels can win. Cost: one pass over the levels present; k log k where their best partition surely lies along an
// order, else search/level_sets.hpp. Source: no partition in two takes away more than the one that keeps all levels
// apart, because impurity is concave.
#pragma once

#include "search/level_sets.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

// What a group adds to the decrease of the partition into all groups, less the same of the whole; false where none is
// known.
inline bool apart(const TwoCounts<ClassMeasure>& policy, const i64* sum, double& out) {
  if (policy.measure->is<Gini>()) {
    const auto ones = static_cast<double>(sum[1]);
    out = 2 * ones * ones / static_cast<double>(sum[0] + sum[1]);
    return true;
  }
  const double* x = policy.measure->logs();
  if (!x) return false;
  out = x[sum[0]] + x[sum[1]] - x[sum[0] + sum[1]];
  return true;
}
inline bool apart(const Mean<i64, false>&, const i64* sum, double& out) {
  const auto s = static_cast<double>(sum[1]);
  out = s * s / static_cast<double>(sum[0]);
  return true;
}
template <class P>
bool apart(const P&, const typename P::Int*, double&) {
  return false;
}

template <class R>
class LevelSearch {
 public:
  using Cell = typename R::Cell;
  using P = typename R::Policy;
  using Int = typename P::Int;

  // What is asked about one feature of one node.
  struct Asked {
    std::int32_t feature, place;
    u32 all_levels;  // of the column
    double best;  // rank of the best candidate of other features so far, or minus infinity
    const Cell* missing;
    i64 n_missing;
  };

  LevelSearch(const R& y, const Rules& rules) : y_(y), rules_(rules), policy_(y.policy({})) {}

  void start(const Judged& judged) {
    judged_ = &judged;
    policy_ = y_.policy(judged);
    groups_.start(policy_.width());
  }
  // Levels in ascending order.
  void add(u32 level, const Cell* cell, i64 rows) {
    y_.spread(cell, *judged_, groups_.open(level));
    groups_.rows.back() = rows;
  }
  // The best set of levels, feature -1 when none can win; `levels` then says which level goes where.
  Cut find(const Asked& asked, std::vector<LevelBranch>& levels) {
    const Settings& settings = *rules_.settings;
    if (settings.min_samples_level > 1 && asked.all_levels > settings.pool_above)
      groups_.pool(settings.min_samples_level);
    Cut out;
    out.groups = static_cast<u32>(groups_.size());
    add_up(asked);
    const double chance = rules_.by_chance(out.groups, known_, *judged_);
    const double needed = rules_.needed(asked.best, asked.place, chance, *judged_);
    if (known_ == 0 || !may_reach(asked, needed)) return out;
    Trial<P> trial(policy_, settings, judged_->scale);
    trial.start(total_.data(), missing_.data(), known_, asked.n_missing);
    trial.ask_for(needed);
    Candidate found;
    SubsetSearch<P>(policy_, settings, y_.classes(), room_).search(groups_, trial, found);
    if (!trial.found) return out;
    levels.swap(found.levels);
    out.feature = asked.feature;
    out.place = asked.place;
    out.known = known_;
    out.missing = found.missing;
    out.heuristic = found.heuristic;
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
    if (asked.n_missing > 0) y_.spread(asked.missing, *judged_, missing_.data());
  }

  // Whether all groups apart, rows without a value too where they have a say, take away what is needed.
  bool may_reach(const Asked& asked, double needed) {
    const bool with_missing = asked.n_missing > 0 && (rules_.learns() || rules_.own_branch());
    double reach = 0, part = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (!apart(policy_, groups_.sum(g), part)) return true;
      reach += part;
    }
    left_ = total_;
    if (with_missing) {
      apart(policy_, missing_.data(), part);
      reach += part;
      for (int k = 0; k < groups_.width; ++k) left_[k] += missing_[k];
    }
    apart(policy_, left_.data(), part);
    return !(reach - part + 1e-9 * (std::abs(reach) + std::abs(part) + judged_->scale) < needed);
  }

  const R& y_;
  const Rules& rules_;
  P policy_;
  const Judged* judged_ = nullptr;
  Groups<P> groups_;
  SubsetRoom room_;
  i64 known_ = 0;
  std::vector<Int> total_, missing_, left_;
};

}  // namespace boxwood::coded

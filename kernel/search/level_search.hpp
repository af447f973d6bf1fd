// The best partition of a nominal feature's present levels into two sets, from what each level's rows add up to.
// Two classes, means, rates: order levels by mean; the best of k-1 cuts, if it has enough rows, is the best of all
// subsets (Breiman et al. 1984, th. 4.5; Fisher 1958). More classes: all subsets in Gray-code order up to some levels,
// above that the k-1 cuts along the principal direction of the shares (Coppersmith, Hong & Hosking 1999), flagged.
// Invariant: a later partition wins only when it is better by more than rounding (the tie rule); a feature is given up
// early only when no set of its levels can win: no partition in two takes away more than the one that has a
// branch for each level, because impurity is concave. Cost: one pass over the levels present; k log k, or 2^(k-1).
#pragma once

#include <bit>
#include <numeric>

#include "search/level_groups.hpp"
#include "search/missing_direction.hpp"
#include "search/principal_direction.hpp"
#include "search/set_squares.hpp"

namespace boxwood::coded {

template <class R>
class LevelSearch {
 public:
  using Cell = typename R::Cell;

  // One feature of one node.
  struct Feature {
    std::int32_t feature, place;
    u32 all_levels;  // of the column
    double best;  // rank of the best candidate of other features so far, or minus infinity
    const Cell* missing;
  };

  LevelSearch(const R& y, const Rules& rules) : y_(y), rules_(rules), partition_(y, rules) {}

  void start(const NodeStats& stats) {
    stats_ = &stats;
    groups_.start(y_.width());
  }
  // Levels in ascending order.
  void add(u32 level, const Cell* cell) { groups_.add(level, cell); }
  // The best set of levels, feature -1 when none can win; `levels` is then the branch of each level.
  Candidate find(const Feature& of, std::vector<LevelBranch>& levels) {
    groups_.pool(least_rows_of_level(*rules_.settings, of.all_levels), [&](const Cell* c) { return y_.count(c); });
    missing_ = of.missing;
    total_.assign(groups_.width, Cell{});
    for (std::size_t g = 0; g < groups_.size(); ++g) move(total_, groups_.cell(g));
    all_ = total_;
    move(all_, missing_);
    best_ = {};
    best_.groups = static_cast<u32>(groups_.size());
    best_.known = y_.count(total_.data());
    const double chance = rules_.by_chance(best_.groups, best_.known, *stats_);
    threshold_ = rules_.needed(of.best, of.place, chance, *stats_);
    if (best_.known == 0 || !can_reach()) return best_;
    const typename R::UpperBound of_node{y_, y_.sums_of(all_.data(), *stats_), *stats_};
    partition_.start({y_, rules_, *stats_, of_node, y_.count(all_.data())});
    partition_.begin(best_.known, total_.data(), missing_, threshold_);
    side_.assign(groups_.size(), 1);
    const bool along_direction = offer_sets();
    if (partition_.offer_known(total_)) side_.assign(groups_.size(), 0);
    if (!partition_.found) return best_;
    best_.decrease = partition_.decrease;
    best_.missing = partition_.missing;
    best_.feature = of.feature;
    best_.place = of.place;
    best_.heuristic = along_direction && groups_.size() > 2;
    levels.clear();
    for (const auto& [level, group] : groups_.members) levels.push_back({level, side_[group]});
    return best_;
  }

 private:
  using Cells = std::vector<Cell>;
  static constexpr double SAME_PLACE = 1e-9;  // of shares along a direction of length 1

  // Adds a group to some sums, or takes it away (-1).
  void move(Cells& sums, const Cell* cell, int sign = 1) const {
    for (std::size_t k = 0; k < groups_.width; ++k) sign > 0 ? sums[k] += cell[k] : sums[k] -= cell[k];
  }

  // Whether the partition into all groups takes away what is needed; missing values are a group where they count.
  bool can_reach() {
    const bool counts = y_.count(missing_) > 0 && (rules_.learns() || rules_.own_branch());
    double of_groups = counts ? y_.impurity(missing_, *stats_) : 0.0;
    for (std::size_t g = 0; g < groups_.size(); ++g) of_groups += y_.impurity(groups_.cell(g), *stats_);
    const double whole = y_.impurity(counts ? all_.data() : total_.data(), *stats_);
    return !(whole - of_groups + 1e-9 * (std::abs(whole) + std::abs(of_groups) + stats_->scale) < threshold_);
  }

  // Returns whether sets are those along the principal direction only.
  bool offer_sets() {
    if constexpr (R::has_many_classes)
      if (y_.needs_sets()) {
        const bool is_long = groups_.size() > static_cast<std::size_t>(rules_.settings->exhaustive_levels);
        is_long ? offer_along_direction() : offer_all();
        return is_long;
      }
    key_.clear();  // rpart orders rates and shares from the highest down, which among equal ones is another order
    const double sign = rules_.settings->order_by_mean && R::falls_in_rpart ? -1.0 : 1.0;
    for (std::size_t g = 0; g < groups_.size(); ++g) key_.push_back(sign * y_.mean(groups_.cell(g), *stats_));
    order_by(key_, order_);
    offer_in_order();
    return false;
  }

  void offer_along_direction() {
    if (groups_.size() < 2) return;
    const std::vector<Cell>& counted = rules_.learns() ? all_ : total_;
    std::vector<double> sums, masses;
    for (std::size_t g = 0; g < groups_.size(); ++g) y_.place(groups_.cell(g), counted.data(), sums, masses);
    principal_.find(std::move(sums), std::move(masses), key_);
    order_by(key_, order_);
    bool joined = false;  // places that differ by rounding alone are equal, so that ties keep the order of levels
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const double below = key_[order_[i - 1]];
      double& key = key_[order_[i]];
      if (key != below && key - below < SAME_PLACE) key = below, joined = true;
    }
    if (joined) order_by(key_, order_);
    offer_in_order();
  }

  void offer_in_order() {
    left_.assign(groups_.width, Cell{});
    std::size_t best = 0;
    for (std::size_t i = 1; i < order_.size(); ++i) {
      move(left_, groups_.cell(order_[i - 1]));
      if (partition_.offer(left_)) best = i;
    }
    for (std::size_t i = 0; i < best; ++i) side_[order_[i]] = 0;
  }

  // All sets without the last group; each differs from the one before in one group (Gray code).
  void offer_all() {
    constexpr std::size_t FEW = 4;  // groups up to which sums of squares are not worth preparing
    const Direction<R>& direction = partition_.directions()[0];
    bool bounded = false;
    if constexpr (requires { direction.bound.has_exact_squares(); }) {
      bounded = groups_.size() > FEW && direction.n == best_.known && direction.bound.has_exact_squares();
      if (bounded) squares_.start(y_, groups_, total_.data());
    }
    std::uint64_t best = 0, summed = 0;
    left_.assign(groups_.width, Cell{});
    for (std::uint64_t i = 1; i < std::uint64_t{1} << (groups_.size() - 1); ++i) {
      const std::uint64_t set = i ^ (i >> 1);
      if (bounded) {
        const auto moved = static_cast<std::size_t>(std::countr_zero(i));
        squares_.move(moved, set >> moved & 1 ? 1 : -1);
        if constexpr (requires { direction.bound.has_exact_squares(); })
          if (!direction.bound.squares_attain(squares_.sums())) continue;
      }
      for (std::uint64_t others = std::exchange(summed, set) ^ set; others > 0; others &= others - 1) {
        const auto moved = static_cast<std::size_t>(std::countr_zero(others));
        move(left_, groups_.cell(moved), set >> moved & 1 ? 1 : -1);
      }
      if (partition_.offer(left_)) best = set;
    }
    for (std::size_t g = 0; g < side_.size(); ++g)
      if (best >> g & 1) side_[g] = 0;
  }

  const R& y_;
  const Rules& rules_;
  const NodeStats* stats_ = nullptr;
  const Cell* missing_ = nullptr;
  Groups<Cell> groups_;
  PrincipalDirection principal_;
  BestPartition<R> partition_;
  SetSquares squares_;
  Candidate best_;
  double threshold_ = 0;  // what a partition must exceed
  Cells total_, all_, left_;  // of known rows, and with those without a value
  std::vector<u32> order_;
  std::vector<double> key_;
  std::vector<std::int32_t> side_;  // branch of each group
};

}  // namespace boxwood::coded

// What every candidate must satisfy, the order in which candidates are compared, and where a missing value goes.
// Invariant: every engine (tables, lists, entries of sparse columns) uses these rules, so all choose alike to the last
// bit. Cost: a few operations a candidate.
#pragma once

#include <algorithm>
#include <numbers>
#include <vector>

#include "response/node_stats.hpp"
#include "search/split.hpp"

namespace boxwood::coded {

// A partition of a node in two: a cut (left is code below `code`, or equal to it and (`whole` or value <= below)), or
// sets of levels.
struct Candidate {
  std::int32_t feature = -1;  // as the codes number it
  std::int32_t missing = -1;  // branch of rows without a value, where the search decides it
  Code code = 0;
  bool whole = true, heuristic = false;
  bool flipped = false;  // branch 0 is the upper side
  double below = 0;  // where a code is cut in two: the greatest value on the left,
  u32 last_left = 0, first_right = 0;  // and the ids about the cut
  double decrease = 0, rank = 0;
  i64 left = 0, known = 0;  // rows with a value: on branch 0, in all
  u32 groups = 0;  // of levels, 0 for a cut
  std::int32_t place = 0;  // of the feature in the learning set
  std::int32_t levels = -1;  // which list of levels, for sets of levels
};

// In order of feature and position, as a full scan meets them.
inline void sort_by_place(std::vector<Candidate>& cuts) {
  std::sort(cuts.begin(), cuts.end(), [](const Candidate& a, const Candidate& b) {
    if (a.place != b.place) return a.place < b.place;
    return a.left != b.left ? a.left < b.left : a.missing > b.missing;
  });
}

// The candidates of a node's features, best first, no more than a recipe keeps. Offered in order of feature: a later
// one must be better by more than rounding to come before an earlier one.
template <class Found>
class Ranking {
 public:
  void start(std::size_t most) {
    most_ = most;
    kept_.clear();
  }
  void offer(const Found& candidate) {
    auto at = kept_.begin();
    while (at != kept_.end() && !(candidate.rank > threshold_above(at->rank, 1.0))) ++at;
    if (at == kept_.end() && is_full()) return;
    kept_.insert(at, candidate);
    if (kept_.size() > most_) kept_.pop_back();
  }
  bool is_full() const { return kept_.size() == most_; }
  // The rank that a further candidate must exceed.
  double threshold() const { return is_full() ? kept_.back().rank : -std::numeric_limits<double>::infinity(); }
  std::vector<Found>& kept() { return kept_; }

 private:
  std::size_t most_ = 1;
  std::vector<Found> kept_;
};

// The two sides of a partition of a node: what their rows add up to, of those that count.
template <class R>
struct PartitionSums {
  const R& y;
  const NodeStats& node;
  typename R::Sums left, right;
};

template <class R>
double mean_of(const R& y, const typename R::Sums& sums, const NodeStats& stats) {
  CellBuffer<typename R::Cell> cell(y.width());
  y.fill(sums, cell.data());
  return y.mean(cell.data(), stats);
}

// From the cells of the left side and of both.
template <class R>
PartitionSums<R> sides_of(const R& y, const typename R::Cell* left, const typename R::Cell* both,
                          const NodeStats& stats) {
  PartitionSums<R> out{y, stats, y.sums_of(left, stats), y.sums_of(both, stats)};
  y.remove(out.right, out.left);
  return out;
}

class BinRanges;

struct Rules {
  // So much of what means lose that are drawn to a node's limits counts against a split. Not all, because limits are
  // means of siblings that will be split themselves: chosen on half of the tables of benchmarks/monotone.py.
  static constexpr double LIMITED = 0.75;

  const Settings* settings;
  const ResponseColumns* y;
  double root_weight = 0, root_risk = 0;
  i64 least_weight = 0;  // of each side, in whole-number units; 0 = any
  bool by_low = false;  // decreases are in units of the low half of the response (response/mean.hpp)
  double least_good = -std::numeric_limits<double>::infinity();  // no decrease below is good enough
  double idle = -std::numeric_limits<double>::infinity();  // nodes of no more risk stay leaves
  const BinRanges* bin_ranges = nullptr;  // where cuts are random
  ValueLimits root_values{};

  void start(double weight, double risk) {
    root_weight = weight;
    root_risk = risk;
    least_weight = static_cast<i64>(std::ceil(settings->min_weight_fraction_leaf * (weight / y->unit) * (1 - 1e-9)));
    least_good = (settings->min_impurity_decrease - 1e-15) * weight / true_decrease(1.0);
    if (settings->min_share >= 0) least_good = std::max(least_good, settings->min_share * risk / in_high_parts(1.0));
    least_good -= 1e-9 * std::abs(least_good);
    if (settings->min_risk > 0) idle = settings->min_risk * (1 - 1e-9) / true_decrease(1.0);
  }

  // At the root of so much weight, or with what is given for a tree that this one continues.
  void start_root(i64 weight, const NodeStats& stats) {
    const bool is_whole_tree = settings->root_weight < 0;
    start(is_whole_tree ? static_cast<double>(weight) * y->unit : settings->root_weight,
          is_whole_tree ? in_high_parts(stats.risk) : settings->root_risk);
  }

  Inherited inherited_at_root() const {
    Inherited out;
    for (const int place : settings->used_above) out = out.below(*settings, place);
    out.depth = 0;
    out.path = mix(settings->seed + GOLDEN);
    for (const int branch : settings->branches_above) out.path = mixed(out.path, static_cast<std::uint64_t>(branch));
    out.values = root_values;
    return out;
  }

  // The same for nodes whose rows differ in the low half of the response alone.
  Rules by_low_parts() const {
    Rules out = *this;
    out.by_low = true;
    out.start(root_weight, root_risk);
    return out;
  }
  // Decrease -> in the units of nodes that are split by high parts.
  double in_high_parts(double decrease) const { return by_low ? std::ldexp(decrease, -2 * LOW_BITS) : decrease; }

  // Decrease in whole-number units -> in true units of weight times measure.
  double true_decrease(double decrease) const { return y->true_decrease(in_high_parts(decrease)); }

  // Whether a partition in two may be chosen, by the rows of either side and by their sums, of which `sign` is the
  // order of their means: `sides()` is called only where a limit reads more of them than `left` and `right`, their
  // numbers of rows.
  template <class MakeSides>
  bool admits(i64 left, i64 right, int sign, const MakeSides& sides) const {
    if (left < settings->min_samples_leaf || right < settings->min_samples_leaf) return false;
    return !reads_sums(sign) || admits_sums(sign, sides());
  }
  bool reads_sums(int sign) const { return least_weight > 0 || sign != 0 || settings->positive_rates; }
  template <class R>
  bool admits_sums(int sign, const PartitionSums<R>& sides) const {
    const auto& [y, node, left, right] = sides;
    if (y.weight(left) < least_weight || y.weight(right) < least_weight) return false;
    if (sign == 0 && !settings->positive_rates) return true;
    const double low = mean_of(y, left, node), high = mean_of(y, right, node);
    if (settings->positive_rates && !(low > 0 && high > 0)) return false;
    return !(sign * (low - high) > TIE * (std::abs(low) + std::abs(high)));  // equal but for rounding is in order
  }
  // Whether limits of means count in a node: not beside low parts, which are too small.
  bool limits_means(const NodeStats& node) const { return !by_low && node.inherited.values.any(); }
  // The decrease of a partition, less what means lose that are drawn to the node's limits.
  template <class MakeSides>
  double within_limits(double decrease, const NodeStats& node, const MakeSides& sides) const {
    return limits_means(node) ? decrease - LIMITED * lost(sides()) : decrease;
  }
  // What both sides lose more than the rows of both would lose together; never below 0 nor above the decrease.
  template <class R>
  double lost(const PartitionSums<R>& sides) const {
    const auto& [y, node, left, right] = sides;
    const auto drawn = [&](const typename R::Sums& sums) { return y.drawn(sums, node, node.inherited.values); };
    const double apart = drawn(left) + drawn(right);
    if (!(apart > 0)) return 0.0;
    typename R::Sums both = left;
    y.join(both, right);
    const double together = drawn(both);
    return std::isfinite(together) ? std::max(apart - together, 0.0) : 0.0;
  }
  int sign(std::int32_t place) const { return settings->monotonic.empty() ? 0 : settings->monotonic[place]; }
  // Whether a node may be split by a feature, by the features on its path.
  bool may_use(std::int32_t place, const NodeStats& stats) const { return stats.inherited.may_use(*settings, place); }
  bool good_enough(double decrease) const {
    if (settings->min_share >= 0 && !(in_high_parts(decrease) > settings->min_share * root_risk)) return false;
    return true_decrease(decrease) / root_weight + 1e-15 >= settings->min_impurity_decrease;
  }
  // Gives to the children of a node that is split by a feature, of which everything else is known, what they inherit.
  // `flipped`: child 0 is the upper side of a cut; `describe(child, line)` fills its line of Tree.moments.
  template <class Nodes, class Describe>
  void hand_on(const NodeStats& node, std::int32_t place, bool flipped, const Nodes& children,
               const Describe& describe) const {
    const Inherited inherited = node.inherited.below(*settings, place);
    for (std::size_t c = 0; c < children.size(); ++c) {
      children[c].stats.inherited = inherited;
      children[c].stats.inherited.path = mixed(inherited.path, c);
    }
    if (by_low || sign(place) == 0) return;
    std::vector<double> line(static_cast<std::size_t>(y->moments()));
    const auto limit = [&](std::size_t child) {
      describe(children[child], line.data());
      return inherited.values.nearest(y->limit(y->mean(line.data())));
    };
    const std::size_t smaller = (sign(place) < 0) != flipped;  // the child whose means should not exceed the other's
    children[smaller].stats.inherited.values.high = limit(1 - smaller);
    children[1 - smaller].stats.inherited.values.low = limit(smaller);
  }
  bool is_open(const NodeStats& stats, i64 rows) const {
    return !stats.pure && rows >= settings->min_samples_split &&
           (settings->max_depth < 0 || stats.inherited.depth < settings->max_depth) && !(stats.risk <= idle);
  }
  bool uses_surrogates() const { return settings->policy == Policy::surrogate && settings->max_surrogates > 0; }
  bool learns() const { return settings->policy == Policy::learned; }
  bool own_branch() const { return settings->policy == Policy::own_branch; }

  double cost(std::int32_t place) const {
    return settings->feature_costs.empty() ? 1.0 : settings->feature_costs[place];
  }
  // Whether decreases are whole numbers, by which features are ranked: errors of so few rows that one more is far above
  // rounding.
  bool counts_errors(const NodeStats& stats) const {
    return settings->measure.is<ClassificationError>() && !y->factors && settings->feature_costs.empty() &&
           !settings->correct_levels && stats.scale < 1e9 && !limits_means(stats);
  }
  // What unrelated levels would gain by chance, in units of score.
  double by_chance(u32 groups, i64 known, const NodeStats& stats) const {
    if (!settings->correct_levels || groups <= 2) return 0.0;
    return (static_cast<double>(groups) - 2) * (2 / std::numbers::pi) * (stats.risk / stats.scale) /
           static_cast<double>(known);
  }
  // The score features are ranked by. `groups`: of levels, 0 for a cut.
  double compared(double decrease, std::int32_t place, u32 groups, i64 known, const NodeStats& stats) const {
    double score = decrease / stats.scale;
    if (groups > 2) score -= by_chance(groups, known, stats);
    return settings->feature_costs.empty() ? score : score / settings->feature_costs[place];
  }
  // No cut below may be chosen, nor keep a later one out by the tie rule.
  double floor_of(const NodeStats& stats) const { return surely_below(least_good, stats.scale); }
  // The least decrease with which a feature may still win once `best` is the best rank so far (in units of score).
  double needed(double best, std::int32_t place, double chance, const NodeStats& stats) const {
    const double score = surely_below(best, 1.0) * cost(place) + chance;
    return std::max(surely_below(score * stats.scale, stats.scale), floor_of(stats));
  }

  // Where a row without a value of the split's feature goes: a branch, or STAYS. `weight`: of the rows with a value, by
  // branch.
  std::int32_t missing_branch(std::int32_t learned, const i64 weight[2], bool has_missing) const {
    const std::int32_t heavier = weight[1] > weight[0] ? 1 : 0;
    // Where features have an order, leaves alone predict.
    const bool leaves_only = !settings->monotonic.empty();
    if (settings->policy == Policy::surrogate)
      return settings->stay || (weight[0] == weight[1] && !leaves_only) ? STAYS : heavier;
    if (!has_missing) return heavier;
    if (learns()) return learned;
    return own_branch() ? 2 : heavier;
  }
  // rpart predicts a row for which no surrogate has a value by the child with more rows (compat).
  std::int32_t branch_in_prediction(std::int32_t missing, const u32 rows[2]) const {
    return !settings->predict_by_rows ? missing : rows[0] == rows[1] ? STAYS : rows[1] > rows[0] ? 1 : 0;
  }

  // Candidates that a node keeps: its split and the runners-up.
  std::size_t kept() const { return static_cast<std::size_t>(settings->max_competitors) + 1; }

  // Ranks candidates that are in order of feature and position, as a full scan would.
  void choose(const std::vector<Candidate>& cuts, const NodeStats& stats, Ranking<Candidate>& ranking) const {
    ranking.start(kept());
    Candidate of_feature;
    const auto close = [&] {
      if (of_feature.feature < 0) return;
      of_feature.decrease = std::max(of_feature.decrease, 0.0);
      if (!good_enough(of_feature.decrease)) return;
      of_feature.rank = compared(of_feature.decrease, of_feature.place, of_feature.groups, of_feature.known, stats);
      ranking.offer(of_feature);
    };
    for (const Candidate& cut : cuts) {
      if (cut.feature != of_feature.feature) {
        close();
        of_feature = cut;
      } else if (cut.decrease > threshold_above(of_feature.decrease, stats.scale)) {
        of_feature = cut;
      }
    }
    close();
  }
};

}  // namespace boxwood::coded

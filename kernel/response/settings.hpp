// The recipe of binary trees as the kernel reads it; twin of growing/recipe.py, written by
// growing/memory/kernel_form.py.
#pragma once

#include <cstdint>
#include <vector>

#include "response/class_measure.hpp"

namespace boxwood {

enum class Policy { surrogate, majority, learned, own_branch, error };

// What recipes of binary and of multiway trees share.
struct GrowthLimits {
  std::int64_t max_depth = -1;  // -1 = no limit
  std::int64_t min_samples_split = 2, min_samples_leaf = 1;
  double min_impurity_decrease = 0.0;
  int max_competitors = 4;
  bool rank_cuts = false;  // cuts are midpoints of codes, not of values: folds, whose choice no monotone map may change
  std::vector<bool> short_cuts;  // of each feature, whether midpoints are rounded; empty = of none

  bool has_short_cuts(std::int32_t feature) const {
    return !short_cuts.empty() && short_cuts[static_cast<std::size_t>(feature)];
  }
};

struct Settings : GrowthLimits {
  ClassMeasure measure;  // of responses that are classes
  int exhaustive_levels = 10;
  std::int64_t min_samples_level = 1, pool_above = 0;
  bool correct_levels = false;
  std::vector<double> feature_costs;  // empty = 1 each
  std::vector<int> monotonic;  // of each feature: 1 = rising means only, -1 = falling ones only, 0 = any; empty = any
  // Of each feature, a bit for each group that it belongs to: features on one path share a group; empty = one group.
  std::vector<std::uint64_t> groups;
  int features_on_path = 0;  // so many different ones at most; 0 = any number
  std::vector<int> used_above;  // on the path to the root, if it continues a tree
  std::vector<double> value_limits;  // of each tree, if it continues one: where its means should be, least and greatest
  int max_features = 0;  // that a node draws (search/feature_draw.hpp); 0 = it searches all
  bool random_cuts = false;  // of each feature one partition is drawn (search/random_search.hpp)
  std::uint64_t seed = 0;  // of all draws
  std::vector<int> branches_above;  // beside used_above
  bool order_by_mean = false;
  double min_share = -1.0;
  bool positive_rates = false;  // no branch may have a rate of 0
  double min_weight_fraction_leaf = 0.0;
  Policy policy = Policy::surrogate;
  int max_surrogates = 5, style = 0;
  bool stay = false, rpart_quirk = false, predict_by_rows = false;
  // Of the tree that this one continues; negative = it is a whole tree.
  double root_weight = -1.0, root_risk = 0.0;
  // Nodes of no more risk, in true units, stay leaves: in folds, where what lies below them is not needed.
  double min_risk = 0.0;
};

// The tie rule (docs/reproducibility.md), in units where `scale` is one.
constexpr double TIE = 1e-12;
inline double threshold_above(double best, double scale) { return best + TIE * (best > scale ? best : scale); }

}  // namespace boxwood

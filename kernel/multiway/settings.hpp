// The recipe of multiway trees as the kernel reads it: Multiway, InOrder and Gain of growing/ (sources/multiway.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood::multiway {

enum class Policy { error, majority, own_branch, fractional };

struct Settings {
  std::vector<std::int32_t> order;  // CLS: columns in the order of trial; empty = by gain
  bool ratio = false, above_average = false, charge = false, data_cuts = false;
  double epsilon = 0.0, slack = 0.0;
  bool once = true, grouping = false, ordinal_levels = false;
  bool count_rows = false;  // a cut also needs as many rows as twice its least weight (J48)
  double value_tolerance = 0.0;  // values that differ by no more are one (C4.5: 1e-5)
  std::int64_t max_depth = -1;  // -1 = no limit
  std::int64_t min_samples_split = 2, min_samples_leaf = 1;
  double min_impurity_decrease = 0.0, min_branch_weight = 0.0;
  Policy policy = Policy::error;
  int max_competitors = 4;
  bool rank_cuts = false;
  std::vector<bool> short_cuts;  // of each feature, whether midpoints are rounded; empty = of none
  double root_weight = -1.0;  // of the tree that this one becomes a part of; negative = itself
  std::size_t root_rows = 0;  // rows of its training set

  bool in_order() const { return !order.empty(); }
  bool has_short_cuts(std::int32_t feature) const {
    return !short_cuts.empty() && short_cuts[static_cast<std::size_t>(feature)];
  }
};

// Weights this close to a limit keep it, and scores this close are tied (docs/reproducibility.md).
constexpr double SLIGHT = 1e-9;
constexpr double TIE = 1e-12;
inline bool is_better(double score, double best) {
  const double size = best < 0 ? -best : best;
  return score > best + TIE * (size > 1.0 ? size : 1.0);
}

}  // namespace boxwood::multiway

// The recipe of multiway trees as the kernel reads it: Multiway, InOrder, Gain of growing/ (memory/multiway.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "response/settings.hpp"

namespace boxwood::multiway {

enum class Policy { error, majority, own_branch, fractional };

struct Settings : GrowthLimits {
  std::vector<std::int32_t> order;  // CLS: columns in the order of trial; empty = by gain
  bool ratio = false, above_average = false, charge = false, data_cuts = false;
  double epsilon = 0.0, slack = 0.0;
  bool once = true, grouping = false, ordinal_levels = false;
  bool count_rows = false;  // a cut also needs as many rows as twice its least weight (J48)
  double value_tolerance = 0.0;  // values that differ by no more are one (C4.5: 1e-5)
  double min_branch_weight = 0.0;
  Policy policy = Policy::error;
  double root_weight = -1.0;  // of the tree that this one becomes a part of; negative = itself
  std::size_t root_rows = 0;  // rows of its training set

  bool in_order() const { return !order.empty(); }
};

// Weights this close to a limit keep it, and scores this close are tied (docs/reproducibility.md).
constexpr double SLIGHT = 1e-9;
constexpr double TIE = 1e-12;
inline bool is_better(double score, double best) {
  const double size = best < 0 ? -best : best;
  return score > best + TIE * (size > 1.0 ? size : 1.0);
}

}  // namespace boxwood::multiway

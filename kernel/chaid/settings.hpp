// The recipe of CHAID as the kernel reads it: Merged and Significance of growing/ (memory/significance.py).
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "encode/columns.hpp"

namespace boxwood::chaid {

struct Settings {
  bool exhaustive = false;
  double log_alpha_merge = std::log(0.05);
  bool splits_merged = false;  // groups of three or more categories are cut again
  double log_alpha_split_merged = std::log(0.05);
  double min_segment = 0.0;
  int n_bins = 10;

  double log_alpha = std::log(0.05);
  bool likelihood_ratio = false;
  bool bonferroni = true;
  bool compare_logs = false;  // features are ranked by log p: else p's within 1e-12 of each other are equal
  bool biggs = false;  // exhaustive, nominal: Biggs's own multiplier
  bool case_weights = false;  // weights change expectations, not counts
  std::vector<double> scores;  // of an ordinal target; empty = nominal
  int max_iterations = 100;
  double tolerance = 1e-3;

  std::int64_t max_depth = -1;  // -1 = no limit
  double min_cases_split = 0.0,
         min_cases_leaf = 0.0;  // as min_segment: below 1, shares of all cases until `set_minimum_cases`
  int max_competitors = 0;
  bool rank_cuts = false;  // breaks in terms of codes, for folds

  // For a tree that becomes a part of another: cases of that one's root, and the greatest value in each bin of numeric
  // features.
  std::optional<double> all_cases;
  std::vector<std::vector<Cut>> ends;

  void set_minimum_cases(double cases_of_root) {
    for (double* least : {&min_segment, &min_cases_split, &min_cases_leaf})
      if (*least < 1.0) *least *= all_cases.value_or(cases_of_root);
  }
};

// The tie rule (docs/reproducibility.md): a later one must be better by more than rounding. Infinities are equal.
inline bool surely_above(double later, double best) {
  if (std::isinf(best) || std::isinf(later)) return later > best;
  return later > best + 1e-12 * std::fmax(1.0, std::fabs(best));
}

}  // namespace boxwood::chaid

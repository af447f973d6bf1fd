// Recipes as dictionaries (growing/memory/kernel_form.py, significance.py, multiway.py), read member by member.
#pragma once

#include "bindings/binding.hpp"
#include "chaid/settings.hpp"
#include "multiway/settings.hpp"
#include "response/settings.hpp"

namespace boxwood {

// (values, low parts)
inline std::vector<Cut> cuts_from(const nb::tuple& given) {
  const auto values = array_view<double>(given[0]), lows = array_view<double>(given[1]);
  require(values.size() == lows.size(), "every value must have a low part");
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < values.size(); ++i) cuts.push_back({values.data()[i], lows.data()[i]});
  return cuts;
}

inline nb::tuple cuts_out(const std::vector<Cut>& cuts) {
  std::vector<double> values, lows;
  for (const Cut& cut : cuts) values.push_back(cut.value), lows.push_back(cut.low);
  return arrays(std::move(values), std::move(lows));
}

// Sets members to the values of a dictionary; `given`: a name and the member it sets, again and again.
template <class S>
void set_members(S&, const nb::dict&) {}
template <class S, class T, class... Given>
void set_members(S& s, const nb::dict& d, const char* name, T S::* member, const Given&... given) {
  s.*member = nb::cast<T>(d[name]);
  set_members(s, d, given...);
}

inline void set_limits(GrowthLimits& s, const nb::dict& d) {
  using S = GrowthLimits;
  set_members(s, d, "max_depth", &S::max_depth, "min_samples_split", &S::min_samples_split, "min_samples_leaf",
              &S::min_samples_leaf, "min_impurity_decrease", &S::min_impurity_decrease, "max_competitors",
              &S::max_competitors, "rank_cuts", &S::rank_cuts, "short_cuts", &S::short_cuts);
}

inline Settings settings_from(const nb::dict& d) {
  using S = Settings;
  S s;
  set_limits(s, d);
  if (!d["measure"].is_none()) s.measure = ClassMeasure::named(nb::cast<std::string>(d["measure"]));
  s.policy = named<Policy>(d["policy"], {{"surrogate", Policy::surrogate},
                                         {"majority", Policy::majority},
                                         {"learned", Policy::learned},
                                         {"own_branch", Policy::own_branch},
                                         {"error", Policy::error}});
  set_members(s, d, "exhaustive_levels", &S::exhaustive_levels, "min_samples_level", &S::min_samples_level,
              "pool_above", &S::pool_above, "correct_levels", &S::correct_levels, "feature_costs", &S::feature_costs,
              "monotonic", &S::monotonic, "groups", &S::groups, "features_on_path", &S::features_on_path, "used_above",
              &S::used_above, "value_limits", &S::value_limits, "max_features", &S::max_features, "random_cuts",
              &S::random_cuts, "seed", &S::seed, "branches_above", &S::branches_above, "order_by_mean",
              &S::order_by_mean, "min_share", &S::min_share, "min_weight_fraction_leaf", &S::min_weight_fraction_leaf,
              "max_surrogates", &S::max_surrogates, "style", &S::style, "stay", &S::stay, "rpart_quirk",
              &S::rpart_quirk, "predict_by_rows", &S::predict_by_rows, "min_risk", &S::min_risk);
  set_members(s, d, "positive_rates", &S::positive_rates);
  const auto root = nb::cast<std::vector<double>>(d["root"]);
  if (root.size() == 2) s.root_weight = root[0], s.root_risk = root[1];
  return s;
}

namespace multiway {

inline Settings settings_from(const nb::dict& d) {
  using S = Settings;
  S s;
  set_limits(s, d);
  s.policy = named<Policy>(d["policy"], {{"fractional", Policy::fractional},
                                         {"own_branch", Policy::own_branch},
                                         {"majority", Policy::majority},
                                         {"error", Policy::error}});
  set_members(s, d, "order", &S::order, "ratio", &S::ratio, "above_average", &S::above_average, "charge", &S::charge,
              "data_cuts", &S::data_cuts, "epsilon", &S::epsilon, "slack", &S::slack, "once", &S::once, "grouping",
              &S::grouping, "count_rows", &S::count_rows, "ordinal_levels", &S::ordinal_levels, "value_tolerance",
              &S::value_tolerance, "min_branch_weight", &S::min_branch_weight);
  const auto root = nb::cast<std::vector<double>>(d["root"]);
  if (root.size() == 2) s.root_weight = root[0], s.root_rows = static_cast<std::size_t>(root[1]);
  return s;
}

}  // namespace multiway

namespace chaid {

inline Settings settings_from(const nb::dict& d) {
  using S = Settings;
  S s;
  set_members(s, d, "exhaustive", &S::exhaustive, "splits_merged", &S::splits_merged, "alpha", &S::log_alpha,
              "alpha_merge", &S::log_alpha_merge, "alpha_split_merged", &S::log_alpha_split_merged, "min_segment",
              &S::min_segment, "n_bins", &S::n_bins, "likelihood_ratio", &S::likelihood_ratio, "bonferroni",
              &S::bonferroni, "compare_logs", &S::compare_logs, "biggs", &S::biggs, "case_weights", &S::case_weights,
              "scores", &S::scores, "max_iterations", &S::max_iterations, "tolerance", &S::tolerance, "max_depth",
              &S::max_depth, "min_cases_split", &S::min_cases_split, "min_cases_leaf", &S::min_cases_leaf,
              "max_competitors", &S::max_competitors, "rank_cuts", &S::rank_cuts, "all_cases", &S::all_cases);
  for (double* level : {&s.log_alpha, &s.log_alpha_merge, &s.log_alpha_split_merged}) *level = std::log(*level);
  for (nb::handle h : nb::cast<nb::list>(d["ends"]))
    s.ends.push_back(h.is_none() ? std::vector<Cut>{} : cuts_from(nb::cast<nb::tuple>(h)));
  return s;
}

}  // namespace chaid

}  // namespace boxwood

// A recipe of binary splits as a dictionary (sources/memory.py), read.
#pragma once

#include "bindings/binding.hpp"
#include "response/settings.hpp"

namespace boxwood {

inline Settings settings_from(const nb::dict& d) {
  Settings s;
  const auto measure = nb::cast<std::string>(d["measure"]);
  if (measure != "variance" && measure != "poisson") s.measure = ClassMeasure::named(measure);
  s.policy = named<Policy>(d["policy"], {{"surrogate", Policy::surrogate},
                                         {"majority", Policy::majority},
                                         {"learned", Policy::learned},
                                         {"own_branch", Policy::own_branch},
                                         {"error", Policy::error}});
  s.exhaustive_levels = nb::cast<int>(d["exhaustive_levels"]);
  s.min_samples_level = nb::cast<std::int64_t>(d["min_samples_level"]);
  s.pool_above = nb::cast<std::int64_t>(d["pool_above"]);
  s.correct_levels = nb::cast<bool>(d["correct_levels"]);
  s.feature_costs = nb::cast<std::vector<double>>(d["feature_costs"]);
  s.order_by_mean = nb::cast<bool>(d["order_by_mean"]);
  s.min_share = nb::cast<double>(d["min_share"]);
  s.max_depth = nb::cast<std::int64_t>(d["max_depth"]);
  s.min_samples_split = nb::cast<std::int64_t>(d["min_samples_split"]);
  s.min_samples_leaf = nb::cast<std::int64_t>(d["min_samples_leaf"]);
  s.min_impurity_decrease = nb::cast<double>(d["min_impurity_decrease"]);
  s.max_surrogates = nb::cast<int>(d["max_surrogates"]);
  s.style = nb::cast<int>(d["style"]);
  s.stay = nb::cast<bool>(d["stay"]);
  s.rpart_quirk = nb::cast<bool>(d["rpart_quirk"]);
  s.max_competitors = nb::cast<int>(d["max_competitors"]);
  s.min_risk = nb::cast<double>(d["min_risk"]);
  s.rank_cuts = nb::cast<bool>(d["rank_cuts"]);
  const auto root = nb::cast<std::vector<double>>(d["root"]);
  if (root.size() == 2) s.root_weight = root[0], s.root_risk = root[1];
  return s;
}

}  // namespace boxwood

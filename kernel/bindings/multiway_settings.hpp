// A recipe of multiway splits as a dictionary (sources/multiway.py), read.
#pragma once

#include "bindings/binding.hpp"
#include "multiway/settings.hpp"

namespace boxwood::multiway {

inline Settings settings_from(const nb::dict& d) {
  Settings s;
  s.unknown = named<Unknown>(d["policy"], {{"fractional", Unknown::fractional},
                                           {"own_branch", Unknown::own_branch},
                                           {"majority", Unknown::majority},
                                           {"error", Unknown::error}});
  s.order = nb::cast<std::vector<std::int32_t>>(d["order"]);
  s.ratio = nb::cast<bool>(d["ratio"]);
  s.above_average = nb::cast<bool>(d["above_average"]);
  s.charge = nb::cast<bool>(d["charge"]);
  s.data_cuts = nb::cast<bool>(d["data_cuts"]);
  s.epsilon = nb::cast<double>(d["epsilon"]);
  s.slack = nb::cast<double>(d["slack"]);
  s.once = nb::cast<bool>(d["once"]);
  s.grouping = nb::cast<bool>(d["grouping"]);
  s.count_rows = nb::cast<bool>(d["count_rows"]);
  s.ordinal_levels = nb::cast<bool>(d["ordinal_levels"]);
  s.value_tolerance = nb::cast<double>(d["value_tolerance"]);
  s.max_depth = nb::cast<std::int64_t>(d["max_depth"]);
  s.min_samples_split = nb::cast<std::int64_t>(d["min_samples_split"]);
  s.min_samples_leaf = nb::cast<std::int64_t>(d["min_samples_leaf"]);
  s.min_impurity_decrease = nb::cast<double>(d["min_impurity_decrease"]);
  s.min_branch_weight = nb::cast<double>(d["min_branch_weight"]);
  s.max_competitors = nb::cast<int>(d["max_competitors"]);
  s.rank_cuts = nb::cast<bool>(d["rank_cuts"]);
  const auto root = nb::cast<std::vector<double>>(d["root"]);
  if (root.size() == 2) s.root_weight = root[0], s.root_rows = static_cast<std::size_t>(root[1]);
  return s;
}

}  // namespace boxwood::multiway

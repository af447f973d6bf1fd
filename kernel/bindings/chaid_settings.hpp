// What the bindings of CHAID read and return, in memory and over shards: settings from a dictionary, and cuts.
#pragma once

#include "bindings/binding.hpp"
#include "chaid/settings.hpp"

namespace boxwood::chaid {

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
  for (const Cut& cut : cuts) {
    values.push_back(cut.value);
    lows.push_back(cut.low);
  }
  return arrays(std::move(values), std::move(lows));
}

// From sources/significance.py.
inline Settings settings_from(const nb::dict& d) {
  Settings s;
  s.exhaustive = nb::cast<bool>(d["exhaustive"]);
  s.log_alpha_merge = std::log(nb::cast<double>(d["alpha_merge"]));
  s.splits_merged = !d["alpha_split_merged"].is_none();
  if (s.splits_merged) s.log_alpha_split_merged = std::log(nb::cast<double>(d["alpha_split_merged"]));
  s.min_segment = nb::cast<double>(d["min_segment"]);
  s.n_bins = nb::cast<int>(d["n_bins"]);
  s.log_alpha = std::log(nb::cast<double>(d["alpha"]));
  s.likelihood_ratio = nb::cast<bool>(d["likelihood_ratio"]);
  s.bonferroni = nb::cast<bool>(d["bonferroni"]);
  s.compare_logs = nb::cast<bool>(d["compare_logs"]);
  s.biggs = nb::cast<bool>(d["biggs"]);
  s.case_weights = nb::cast<bool>(d["case_weights"]);
  s.scores = nb::cast<std::vector<double>>(d["scores"]);
  s.max_iterations = nb::cast<int>(d["max_iterations"]);
  s.tolerance = nb::cast<double>(d["tolerance"]);
  s.max_depth = nb::cast<std::int64_t>(d["max_depth"]);
  s.min_cases_split = nb::cast<double>(d["min_cases_split"]);
  s.min_cases_leaf = nb::cast<double>(d["min_cases_leaf"]);
  s.max_competitors = nb::cast<int>(d["max_competitors"]);
  s.rank_cuts = nb::cast<bool>(d["rank_cuts"]);
  if (!d["all_cases"].is_none()) s.all_cases = nb::cast<double>(d["all_cases"]);
  for (nb::handle h : nb::cast<nb::list>(d["ends"]))
    s.ends.push_back(h.is_none() ? std::vector<Cut>{} : cuts_from(nb::cast<nb::tuple>(h)));
  return s;
}

}  // namespace boxwood::chaid

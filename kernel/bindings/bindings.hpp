// Every door by name; module.cpp opens them one after the other.
#pragma once

#include <nanobind/nanobind.h>

namespace boxwood {

void open_table(nanobind::module_& m);
void open_growth(nanobind::module_& m);
void open_coded(nanobind::module_& m);
void open_shards(nanobind::module_& m);
void open_level_search(nanobind::module_& m);
void open_sharded_chaid(nanobind::module_& m);
void open_merging(nanobind::module_& m);
void open_multiway(nanobind::module_& m);
void open_mars(nanobind::module_& m);
void open_nodes(nanobind::module_& m);
void open_plan(nanobind::module_& m);
void open_prediction(nanobind::module_& m);
void open_pruning(nanobind::module_& m);
void open_chaid(nanobind::module_& m);
void open_explaining(nanobind::module_& m);
void open_coarse(nanobind::module_& m);
void open_bin_parts(nanobind::module_& m);
void open_contents(nanobind::module_& m);

}  // namespace boxwood

// The compiled module: every file of this folder defines one of the functions declared here.
#include <nanobind/nanobind.h>

namespace boxwood {

void bind_table(nanobind::module_& m);
void bind_coded(nanobind::module_& m);
void bind_shards(nanobind::module_& m);
void bind_level_search(nanobind::module_& m);
void bind_sharded_chaid(nanobind::module_& m);
void bind_merging(nanobind::module_& m);
void bind_multiway(nanobind::module_& m);
void bind_mars(nanobind::module_& m);
void bind_nodes(nanobind::module_& m);
void bind_plan(nanobind::module_& m);
void bind_prediction(nanobind::module_& m);
void bind_pruning(nanobind::module_& m);
void bind_chaid(nanobind::module_& m);
void bind_explaining(nanobind::module_& m);
void bind_values(nanobind::module_& m);
void bind_contents(nanobind::module_& m);

}  // namespace boxwood

NB_MODULE(_kernel, m) {
  // A tree that lives until the interpreter ends, in a global or a cache, must not be reported as a leak.
  nanobind::set_leak_warnings(false);
  m.doc() = "The hot loops of boxwood: arrays in, arrays out.";
  boxwood::bind_table(m);
  boxwood::bind_coded(m);
  boxwood::bind_shards(m);
  boxwood::bind_level_search(m);
  boxwood::bind_sharded_chaid(m);
  boxwood::bind_merging(m);
  boxwood::bind_multiway(m);
  boxwood::bind_mars(m);
  boxwood::bind_nodes(m);
  boxwood::bind_plan(m);
  boxwood::bind_prediction(m);
  boxwood::bind_pruning(m);
  boxwood::bind_chaid(m);
  boxwood::bind_explaining(m);
  boxwood::bind_values(m);
  boxwood::bind_contents(m);
}

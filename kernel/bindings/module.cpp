// The compiled module: every file of this folder that binds something defines one of the functions declared here.
#include <nanobind/nanobind.h>

namespace boxwood {

using Binds = void(nanobind::module_& m);
Binds bind_table, bind_coded, bind_shards, bind_level_search, bind_multiway, bind_mars, bind_nodes, bind_plan,
    bind_prediction, bind_pruning, bind_leaf_order, bind_chaid, bind_values;

}  // namespace boxwood

NB_MODULE(_kernel, m) {
  using namespace boxwood;
  // A tree that lives until the interpreter ends, in a global or a cache, must not be reported as a leak.
  nanobind::set_leak_warnings(false);
  m.doc() = "The hot loops of boxwood: arrays in, arrays out.";
  for (Binds* bind : {bind_table, bind_coded, bind_shards, bind_level_search, bind_multiway, bind_mars, bind_nodes,
                      bind_plan, bind_prediction, bind_pruning, bind_leaf_order, bind_chaid, bind_values})
    bind(m);
}

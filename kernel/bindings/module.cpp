// The compiled module: opens every door.
#include "bindings/bindings.hpp"

NB_MODULE(_kernel, m) {
  // A tree that lives until the interpreter ends, in a global or a cache, is no leak to tell people about.
  nanobind::set_leak_warnings(false);
  m.doc() = "The hot loops of boxwood: arrays in, arrays out.";
  boxwood::open_table(m);
  boxwood::open_growth(m);
  boxwood::open_coded(m);
  boxwood::open_shards(m);
  boxwood::open_level_search(m);
  boxwood::open_sharded_chaid(m);
  boxwood::open_merging(m);
  boxwood::open_multiway(m);
  boxwood::open_mars(m);
  boxwood::open_nodes(m);
  boxwood::open_plan(m);
  boxwood::open_prediction(m);
  boxwood::open_pruning(m);
  boxwood::open_chaid(m);
  boxwood::open_explaining(m);
  boxwood::open_coarse(m);
  boxwood::open_bin_parts(m);
  boxwood::open_contents(m);
}

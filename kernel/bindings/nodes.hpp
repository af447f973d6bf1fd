// A grown tree whose arrays Python fetches by name.
// Invariant: an array is a view of memory owned here and keeps it alive; fetching it twice gives the same numbers.
#pragma once

#include "bindings/binding.hpp"

namespace boxwood {

class Nodes {
 public:
  explicit Nodes(GrownNodes&& nodes) : nodes_(std::move(nodes)) {}

  // `self` is the Python object of this one.
  static nb::object array(nb::handle_t<Nodes> self, const std::string& name);
  static nb::tuple table(nb::handle_t<Nodes> self, const std::string& name);
  nb::tuple root() const { return nb::make_tuple(nodes_.root_weight, nodes_.root_risk); }

 private:
  GrownNodes nodes_;
};

inline nb::object to_python(GrownNodes&& nodes) { return nb::cast(Nodes(std::move(nodes))); }

}  // namespace boxwood

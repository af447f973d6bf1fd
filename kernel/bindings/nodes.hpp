// A grown tree that stays in the kernel until Python asks for its arrays.
// Invariant: an array is a view of what is held here, and keeps it alive; asking twice gives the same numbers.
#pragma once

#include "bindings/binding.hpp"

namespace boxwood {

class Nodes {
 public:
  explicit Nodes(GrownNodes&& nodes) : nodes_(std::move(nodes)) {}

  // `self` is the Python object of this one.
  static nb::object array(nb::handle self, const std::string& name);
  static nb::tuple table(nb::handle self, const std::string& name);

 private:
  GrownNodes nodes_;
};

inline nb::object held(GrownNodes&& nodes) { return nb::cast(Nodes(std::move(nodes))); }

}  // namespace boxwood

// The classes that a node has, numbered anew, so that nodes of few classes do not pay for all.
// Invariant: present classes keep their order; a class without rows adds 0 to every sum, so every number stays what it
// was, to the last bit. Cost: a look for each row of the node.
#pragma once

#include <memory>
#include <vector>

#include "general/node_facts.hpp"

namespace boxwood {

// What the local numbers of one node mean; memory that one node after another may use.
struct LocalClasses {
  std::vector<int> present, number;
  std::vector<double> factors;
};

// The policy as it counts in this node alone. `codes`: of every sample; those of the node are written.
template <class M>
Classes<M> among_present(const Classes<M>& policy, const NodeFacts& facts, const std::uint32_t* ids,
                         std::uint32_t count, LocalClasses& room, std::int32_t* codes) {
  room.present.clear();
  room.factors.clear();
  room.number.resize(facts.classes.size());
  for (std::size_t k = 0; k < facts.classes.size(); ++k) {
    if (facts.classes[k] == 0) continue;
    room.number[k] = static_cast<int>(room.present.size());
    room.present.push_back(static_cast<int>(k));
    room.factors.push_back(factor_of(policy.factors, static_cast<int>(k)));
  }
  if (2 * room.present.size() > facts.classes.size()) return policy;
  for (std::uint32_t i = 0; i < count; ++i) codes[ids[i]] = room.number[policy.codes[ids[i]]];
  Classes<M> here = policy;
  here.n_classes = static_cast<int>(room.present.size());
  here.codes = codes;
  here.factors = policy.factors ? room.factors.data() : nullptr;
  here.present = room.present.data();
  return here;
}

}  // namespace boxwood

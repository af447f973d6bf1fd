// The nodes of a plan by links, for those who go down it.
// Invariant: read only.
// Cost: a node is read from one line of memory, of masked plans; from one or two of others.
#pragma once

#include "predict/plan.hpp"

#if defined(__GNUC__)
#define BOXWOOD_INLINE __attribute__((always_inline)) inline
#define BOXWOOD_PREFETCH(address) \
  __builtin_prefetch(address, 0, 2)  // into the second cache: so many would crowd out the first
#define BOXWOOD_UNROLL _Pragma("GCC unroll 16")
#else
#define BOXWOOD_INLINE inline
#define BOXWOOD_PREFETCH(address) static_cast<void>(address)
#define BOXWOOD_UNROLL
#endif

namespace boxwood {

// The nodes of a plan by links.
struct PlanNodes {
  const std::byte* first_node;

  explicit PlanNodes(const Plan& plan) : first_node(reinterpret_cast<const std::byte*>(plan.lines.data())) {}
  // Of a node: its cut, what leads on, what remains, and its mask (of masked plans alone).
  struct Node {
    const std::byte* first;

    BOXWOOD_INLINE const double& cut() const { return *reinterpret_cast<const double*>(first); }
    BOXWOOD_INLINE const PlanPair::Lead& lead() const {
      return *reinterpret_cast<const PlanPair::Lead*>(first + offsetof(PlanPair, lead));
    }
    BOXWOOD_INLINE const PlanPair::Tail& tail() const {
      return *reinterpret_cast<const PlanPair::Tail*>(first + offsetof(PlanPair, tail));
    }
    BOXWOOD_INLINE const double& mask() const {
      return *reinterpret_cast<const double*>(first + offsetof(MaskedPair, mask));
    }
  };
  BOXWOOD_INLINE Node operator[](std::uint32_t at) const { return {first_node + std::size_t{at} * 8}; }
};

}  // namespace boxwood

// The sets of a few things, in an order in which each differs from the one before in one thing (Gray code).
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

namespace boxwood {

// Subset i: bit g says whether thing g is in it.
inline std::uint64_t subset(std::uint64_t i) { return i ^ (i >> 1); }
// The thing in which subset i differs from the one before: 1 where it joins, -1 where it leaves.
inline std::pair<std::size_t, int> moved_to(std::uint64_t i) {
  const std::uint64_t flipped = subset(i) ^ subset(i - 1);
  return {std::countr_zero(flipped), subset(i) & flipped ? 1 : -1};
}

}  // namespace boxwood

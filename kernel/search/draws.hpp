// What follows from the hash of a node's path: the order of its features, a cut between two values, sides of levels.
// Twin: tests/oracle/draws.py. Cost: a few operations.
#pragma once

#include <algorithm>
#include <vector>

#include "response/node_stats.hpp"

namespace boxwood::coded {

// By which a node's features are ordered, and from which all follows that it draws of one; the numbers below are those
// of branches.
inline std::uint64_t draw_of(std::uint64_t path, std::int32_t place) {
  return mixed(path, static_cast<std::uint64_t>(place) + MOST_BRANCHES);
}

// At least the lower value and below the upper one.
inline double drawn_between(double least, double greatest, std::uint64_t key) {
  const double share = std::ldexp(static_cast<double>(mixed(key, 0) >> 11), -53);
  const double drawn = least * (1.0 - share) + greatest * share;
  return drawn >= least && drawn < greatest ? drawn : least;
}

// The branch of each of some groups, of which both have one.
inline std::vector<std::int32_t> drawn_sides(std::size_t groups, std::uint64_t key) {
  std::vector<std::int32_t> sides(groups);
  for (std::uint64_t trial = 0;; ++trial) {
    for (std::size_t g = 0; g < groups; ++g) sides[g] = static_cast<std::int32_t>(mixed(mixed(key, trial), g) & 1);
    if (std::ranges::count(sides, 0) % static_cast<std::ptrdiff_t>(groups) != 0) return sides;
  }
}

}  // namespace boxwood::coded

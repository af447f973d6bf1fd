// Sends rows down a tree of plain cuts by rank, several rows in flight.
// Invariant: a row ends where predict/route.hpp would send it; no value is missing. A leaf leads to itself.
// Cost: about 2 ns a row and level.
#pragma once

#include <array>
#include <vector>

#include "encode/columns.hpp"

namespace boxwood::coded {

// A cut in two; ranks above `cut` go to the node behind `next`.
struct RankStep {
  std::uint32_t cut = 0xFFFFFFFFu;
  std::int32_t feature = 0, next = 0;
};

// Nodes as the tree holds them.
struct RankTree {
  const std::int32_t *first_child, *feature, *breaks_start, *index_start, *position, *index;
  const double* breaks;
  std::size_t nodes;

  bool is_plain(std::size_t t) const {
    const std::int32_t at = index_start[t];
    return breaks_start[t + 1] - breaks_start[t] == 1 && index_start[t + 1] - at == 2 && position[at] == 0 &&
           position[at + 1] == 1 && index[at] == 0 && index[at + 1] == 1 && breaks[breaks_start[t]] >= 0;
  }
};

// Nothing when some node is no plain cut.
inline std::vector<RankStep> rank_steps(const RankTree& tree) {
  std::vector<RankStep> steps(tree.nodes);
  for (std::size_t t = 0; t < tree.nodes; ++t) {
    if (tree.first_child[t] < 0) {
      steps[t].next = static_cast<std::int32_t>(t);
      continue;
    }
    if (!tree.is_plain(t)) return {};
    steps[t] = {static_cast<std::uint32_t>(tree.breaks[tree.breaks_start[t]]), tree.feature[t], tree.first_child[t]};
  }
  return steps;
}

inline void land(const std::vector<RankStep>& steps, const std::vector<const std::uint32_t*>& ranks,
                 const std::uint32_t* rows, std::size_t count, std::int64_t* out) {
  constexpr std::size_t FLIGHT = 16;
  for (std::size_t from = 0; from < count; from += FLIGHT) {
    const std::size_t flying = std::min(FLIGHT, count - from);
    std::array<std::int32_t, FLIGHT> at{};
    for (std::int32_t moved = 1; moved;) {
      moved = 0;
      for (std::size_t k = 0; k < flying; ++k) {
        const RankStep step = steps[at[k]];
        const std::int32_t next = step.next + (ranks[step.feature][rows[from + k]] > step.cut);
        moved |= next ^ at[k];
        at[k] = next;
      }
    }
    std::copy_n(at.begin(), flying, out + from);
  }
}

}  // namespace boxwood::coded

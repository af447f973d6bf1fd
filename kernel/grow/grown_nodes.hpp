// The nodes of a grown tree as ragged arrays, the form in which they go to Python.
// Invariant: row t of every per-node array is node t, in level order.
#pragma once

#include <cstdint>
#include <vector>

#include "grow/packed_rows.hpp"
#include "search/split.hpp"

namespace boxwood {

// Nodes as ragged arrays; twin of the per-node arrays of tree/tree.py. Row t of every per-node array is node t.
struct GrownNodes {
  std::vector<std::int32_t> parent, first_child, n_children, missing, surrogate_start{0}, competitor_start{0};
  std::vector<std::uint8_t> heuristic;
  PackedTable packed_moments;  // until they are read, where they are many; `moments` is empty then
  std::vector<double> moments, score, agreement, adjusted, competitor_score;
  std::vector<std::int64_t> rows;
  SplitRows splits, surrogates, competitors;
  std::vector<double> log_p;  // ln of the adjusted p, where tests choose the splits
  double root_weight = 0.0, root_risk = 0.0;  // with which the decrease of a split is compared

  std::size_t size() const { return rows.size(); }
};

}  // namespace boxwood

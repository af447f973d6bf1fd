// The levels of a nominal feature that a node has, and what the rows of each add up to.
// Invariant: groups are in order of their levels, the pool of rare levels last. Cost: a few operations a level.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "encode/columns.hpp"
#include "response/settings.hpp"

namespace boxwood {

// Levels of a column that have fewer rows in a node go to one branch.
inline std::int64_t least_rows_of_level(const Settings& settings, std::size_t all_levels) {
  return static_cast<std::int64_t>(all_levels) > settings.pool_above ? settings.min_samples_level : 1;
}

// The places of keys in rising order; equal ones as they come.
inline void order_by(const std::vector<double>& keys, std::vector<std::uint32_t>& order) {
  order.resize(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
}

// The present levels of a feature in a node, as groups: one a level, rare levels pooled into a last one.
template <class Cell>
struct Groups {
  std::size_t width = 1;
  std::vector<Cell> cells;  // group-major, `width` each
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members;  // (level, group), by level

  std::size_t size() const { return cells.size() / width; }
  const Cell* cell(std::size_t g) const { return cells.data() + g * width; }

  void start(int cells_a_group) {
    width = static_cast<std::size_t>(cells_a_group);
    cells.clear();
    members.clear();
  }
  // One more level, above the others.
  void add(std::uint32_t level, const Cell* cell) {
    members.emplace_back(level, static_cast<std::uint32_t>(size()));
    cells.insert(cells.end(), cell, cell + width);
  }

  // Levels of fewer rows, as `count(cell)` tells, share a last group.
  template <class Count>
  void pool(std::int64_t min_rows, const Count& count) {
    if (min_rows <= 1) return;
    std::vector<Cell> kept, rare;
    for (auto& [level, group] : members) {
      const Cell* from = cell(group);
      const bool few = count(from) < min_rows;
      group = few ? MISSING : static_cast<std::uint32_t>(kept.size() / width);
      if (!few) kept.insert(kept.end(), from, from + width);
      if (!few) continue;
      rare.resize(width);
      for (std::size_t k = 0; k < width; ++k) rare[k] += from[k];
    }
    for (auto& [level, group] : members) group = std::min(group, static_cast<std::uint32_t>(kept.size() / width));
    cells = std::move(kept);
    cells.insert(cells.end(), rare.begin(), rare.end());
  }
};

}  // namespace boxwood

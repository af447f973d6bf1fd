// The levels of a nominal feature that a node has, and what the rows of each add up to.
// Invariant: groups stand in order of their levels, the pool of rare levels last. Cost: a few operations a level.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "encode/columns.hpp"
#include "response/settings.hpp"

namespace boxwood {

// Levels of a column that have fewer rows in a node go to one branch.
inline std::int64_t least_rows_of_level(const Settings& settings, std::size_t all_levels) {
  return static_cast<std::int64_t>(all_levels) > settings.pool_above ? settings.min_samples_level : 1;
}

// The present levels of a feature in a node, as groups: one a level, rare levels pooled into a last one.
template <class P>
struct Groups {
  using Int = typename P::Int;
  int width = 0;
  std::vector<Int> sums;  // group-major, `width` each
  std::vector<std::int64_t> rows;  // rows of each group
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members;  // (level, group), by level

  std::size_t size() const { return rows.size(); }
  Int* sum(std::size_t g) { return sums.data() + g * width; }
  const Int* sum(std::size_t g) const { return sums.data() + g * width; }

  void start(int sums_a_group) {
    width = sums_a_group;
    sums.clear();
    rows.clear();
    members.clear();
  }

  // A group for one more level, above the others; its sums, still 0, as are its rows.
  Int* open(std::uint32_t level) {
    members.emplace_back(level, static_cast<std::uint32_t>(rows.size()));
    rows.push_back(0);
    sums.resize(sums.size() + width, Int{0});
    return sum(rows.size() - 1);
  }

  // Levels of fewer rows share a last group.
  void pool(std::int64_t min_rows) {
    if (min_rows <= 1) return;
    Groups kept, rare;
    kept.width = rare.width = width;
    for (auto& [level, group] : members) {
      const bool few = rows[group] < min_rows;
      Groups& to = few ? rare : kept;
      Int* into = few && rare.size() > 0 ? rare.sum(0) : to.open(level);
      for (int k = 0; k < width; ++k) into[k] += sum(group)[k];
      to.rows.back() += rows[group];
      group = few ? MISSING : static_cast<std::uint32_t>(kept.size() - 1);
    }
    for (auto& [level, group] : members) group = std::min(group, static_cast<std::uint32_t>(kept.size()));
    rows = std::move(kept.rows);
    rows.insert(rows.end(), rare.rows.begin(), rare.rows.end());
    sums = std::move(kept.sums);
    sums.insert(sums.end(), rare.sums.begin(), rare.sums.end());
  }
};

}  // namespace boxwood

// The levels of a nominal feature that a node has, and what the rows of each add up to.
// Invariant: groups stand in order of their levels, the pool of rare levels last.
// Cost: a few operations a level.
#pragma once

#include <utility>
#include <vector>

#include "encode/columns.hpp"

namespace boxwood {

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
    std::vector<Int> pooled(width, Int{0}), kept_sums;
    std::vector<std::int64_t> kept_rows;
    std::vector<std::uint32_t> place(rows.size());
    std::int64_t pooled_rows = 0;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      if (rows[g] < min_rows) {
        pooled_rows += rows[g];
        for (int k = 0; k < width; ++k) pooled[k] += sum(g)[k];
        place[g] = MISSING;
      } else {
        place[g] = static_cast<std::uint32_t>(kept_rows.size());
        kept_rows.push_back(rows[g]);
        kept_sums.insert(kept_sums.end(), sum(g), sum(g) + width);
      }
    }
    const auto last = static_cast<std::uint32_t>(kept_rows.size());
    if (pooled_rows > 0) {
      kept_rows.push_back(pooled_rows);
      kept_sums.insert(kept_sums.end(), pooled.begin(), pooled.end());
    }
    for (auto& [level, group] : members) group = place[group] == MISSING ? last : place[group];
    rows = std::move(kept_rows);
    sums = std::move(kept_sums);
  }
};

}  // namespace boxwood

// Splits as data, as the search hands them to the tree: the ragged arrays of tree/split.py.
// Invariant: a cut has two positions, below and above; a set of levels lists the branches of its present levels.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "encode/columns.hpp"

namespace boxwood {

// Values of a node's `missing` that are not a branch: the row goes down all of them in fractions; it ends here.
constexpr std::int32_t SHARED = -1, STAYS = -2;

struct LevelBranch {
  std::uint32_t level;
  std::int32_t branch;
};

inline void require_index_fits(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::length_error("the tree's level sets exceed 2**31 entries; raise min_samples_leaf or lower max_depth");
}

template <class T>
void join(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}
// Of ragged arrays: where each row starts, behind those that end at `end`.
inline void join_starts(std::vector<std::int32_t>& to, const std::vector<std::int32_t>& from, std::int32_t end) {
  for (std::size_t i = 1; i < from.size(); ++i) to.push_back(end + from[i]);
}

// Twin of SplitTable in tree/split.py.
struct SplitRows {
  std::vector<std::int32_t> feature, breaks_start{0}, n_positions, index_start{0}, position, index;
  std::vector<double> breaks, lows;

  std::size_t size() const { return feature.size(); }

  // Rows without a split, until there are `n`.
  void push_empty(std::size_t n) {
    feature.resize(n, -1);
    n_positions.resize(n, 0);
    breaks_start.resize(n + 1, breaks_start.back());
    index_start.resize(n + 1, index_start.back());
  }
  void push_cut(std::int32_t tested, const Cut& cut, bool flipped = false) {
    feature.push_back(tested);
    n_positions.push_back(2);
    breaks.push_back(cut.value);
    lows.push_back(cut.low);
    position.insert(position.end(), {0, 1});
    index.push_back(flipped ? 1 : 0);
    index.push_back(flipped ? 0 : 1);
    close();
  }
  // A branch for every level; ordered ones are separated by breaks.
  void push_levels(std::int32_t tested, const std::vector<std::int32_t>& branches, bool ordered) {
    feature.push_back(tested);
    n_positions.push_back(static_cast<std::int32_t>(branches.size()));
    for (std::size_t v = 0; v < branches.size(); ++v) position.push_back(static_cast<std::int32_t>(v));
    join(index, branches);
    for (std::size_t v = 1; ordered && v < branches.size(); ++v) {
      breaks.push_back(static_cast<double>(v) - 0.5);
      lows.push_back(0.0);
    }
    close();
  }
  // A split with its breaks and the branches of the positions that have one.
  void push_listed(std::int32_t split_feature, std::uint32_t positions, const std::vector<Cut>& cuts,
                   const std::vector<LevelBranch>& listed) {
    feature.push_back(split_feature);
    n_positions.push_back(static_cast<std::int32_t>(positions));
    for (const Cut& cut : cuts) {
      breaks.push_back(cut.value);
      lows.push_back(cut.low);
    }
    for (const auto& [at, branch] : listed) {
      position.push_back(static_cast<std::int32_t>(at));
      index.push_back(branch);
    }
    close();
  }
  void append(const SplitRows& other) {
    require_index_fits(index.size() + other.index.size());
    join_starts(breaks_start, other.breaks_start, static_cast<std::int32_t>(breaks.size()));
    join_starts(index_start, other.index_start, static_cast<std::int32_t>(index.size()));
    join(feature, other.feature);
    join(n_positions, other.n_positions);
    join(breaks, other.breaks);
    join(lows, other.lows);
    join(position, other.position);
    join(index, other.index);
  }

 private:
  void close() {
    require_index_fits(index.size());
    breaks_start.push_back(static_cast<std::int32_t>(breaks.size()));
    index_start.push_back(static_cast<std::int32_t>(index.size()));
  }
};

}  // namespace boxwood

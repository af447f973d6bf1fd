// Sends rows down a tree: rows -> the node each one ends in, and what happened on the path.
// Invariant: reads only; a row's path depends on that row alone, so any chunking gives the same answer. No recursion.
// Cost: about 5 ns a level and row while the tree fits the cache.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parallel/thread_pool.hpp"
#include "search/split.hpp"

namespace boxwood {

struct SplitView {
  const std::int32_t *feature, *breaks_start, *index_start, *position, *index;
  const double *breaks, *lows;
};

struct TreeView {
  const std::int32_t *first_child, *missing, *surrogate_start;
  SplitView splits, surrogates;
  const std::int32_t* unseen;  // branch of a level that a node does not list; nullptr = as if missing
};

// A column of the rows to send down; `stride` is the distance of its values, so that a row-major table is read in
// place.
struct ColumnView {
  const double *values = nullptr, *lows = nullptr;
  std::ptrdiff_t stride = 1;
  const float* narrow = nullptr;  // takes the place of `values` in a column of single precision
  const std::int32_t* levels = nullptr;
  const std::uint32_t* codes = nullptr;  // a coded column, for trees with cuts by rank
  bool nominal = false;
};

// What happened to a row on its path, as bits.
enum RouteFlag : std::uint8_t {
  ROUTE_MISSING = 1,
  ROUTE_UNSEEN = 2,
  ROUTE_SURROGATE = 4,
  ROUTE_STAY = 8,
  ROUTE_SHARED = 16
};

class Descent {
 public:
  Descent(const TreeView& tree, const std::vector<ColumnView>& columns) : tree_(tree), columns_(columns) {}

  // From `node` to where the row ends, or to the first node that shares it out (predict/fractional.hpp goes on from
  // there).
  std::int32_t end(std::int32_t node, std::size_t row, std::uint8_t& flags) const {
    while (tree_.splits.feature[node] >= 0) {
      const std::int32_t branch = route(node, row, flags);
      if (branch < 0) {
        flags |= branch == SHARED ? ROUTE_SHARED : ROUTE_STAY;
        break;
      }
      node = tree_.first_child[node] + branch;
    }
    return node;
  }

  // Branch that a row takes at an inner node, or SHARED, or STAYS.
  std::int32_t route(std::int32_t node, std::size_t row, std::uint8_t& flags) const {
    const std::int32_t branch = branch_of(tree_.splits, node, row);
    return branch < 0 ? surrogate_branch(node, branch, row, flags) : branch;
  }

 private:
  static constexpr std::int32_t IS_MISSING = -1, IS_UNSEEN = -3;

  // Branch of a row at a split, or why there is none.
  std::int32_t branch_of(const SplitView& splits, std::int32_t s, std::size_t row) const {
    const ColumnView& column = columns_[splits.feature[s]];
    if (column.codes) {
      const std::uint32_t code = column.codes[row];
      if (code == MISSING) return IS_MISSING;
      return of_position(splits, s, column.nominal ? static_cast<std::int32_t>(code) : interval(splits, s, code, 0.0));
    }
    if (column.levels) {
      const std::int32_t level = column.levels[row];
      if (level < 0) return level == -1 ? IS_MISSING : IS_UNSEEN;
      return of_position(splits, s, column.nominal ? level : interval(splits, s, level, 0.0));
    }
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * column.stride;
    const double value = column.narrow ? static_cast<double>(column.narrow[at]) : column.values[at];
    if (std::isnan(value)) return IS_MISSING;
    return of_position(splits, s, interval(splits, s, value, column.lows ? column.lows[row] : 0.0));
  }

  // Branch of a level or interval among those listed, by bisection; straight away when every one up to it is listed.
  static std::int32_t of_position(const SplitView& splits, std::int32_t s, std::int32_t position) {
    const std::int32_t *first = splits.position + splits.index_start[s],
                       *last = splits.position + splits.index_start[s + 1];
    const std::int32_t* index = splits.index + splits.index_start[s];
    if (position < last - first && first[position] == position) return index[position];
    const std::int32_t* at = std::lower_bound(first, last, position);
    return at != last && *at == position ? index[at - first] : IS_UNSEEN;
  }

  // Number of breaks below the value: searchsorted(breaks, value, side="left") on (break, low) pairs.
  static std::int32_t interval(const SplitView& splits, std::int32_t s, double value, double low) {
    std::int32_t first = splits.breaks_start[s], count = splits.breaks_start[s + 1] - first;
    const std::int32_t start = first;
    while (count > 0) {
      const std::int32_t half = count / 2, at = first + half;
      const bool below = splits.breaks[at] < value || (splits.breaks[at] == value && splits.lows[at] < low);
      first = below ? at + 1 : first;
      count = below ? count - half - 1 : half;
    }
    return first - start;
  }

  std::int32_t surrogate_branch(std::int32_t node, std::int32_t why, std::size_t row, std::uint8_t& flags) const {
    flags |= why == IS_MISSING ? ROUTE_MISSING : ROUTE_UNSEEN;
    if (why == IS_UNSEEN && tree_.unseen) return tree_.unseen[node];
    for (std::int32_t s = tree_.surrogate_start[node]; s < tree_.surrogate_start[node + 1]; ++s) {
      const std::int32_t branch = branch_of(tree_.surrogates, s, row);
      if (branch < 0) continue;
      flags |= ROUTE_SURROGATE;
      return branch;
    }
    return tree_.missing[node];
  }

  const TreeView& tree_;
  const std::vector<ColumnView>& columns_;
};

// `which`: the rows to send down, nullptr = rows 0..rows-1; `start`: the node each of them is at, nullptr = the
// root.
inline void apply(const TreeView& tree, const std::vector<ColumnView>& columns, const std::uint32_t* which,
                  const std::int32_t* start, std::size_t rows, std::int32_t* leaf, std::uint8_t* flags,
                  ThreadPool& pool) {
  constexpr std::size_t CHUNK = 4096;
  const Descent descent(tree, columns);
  pool.run((rows + CHUNK - 1) / CHUNK, [&](std::size_t chunk, int) {
    const std::size_t end = std::min(rows, (chunk + 1) * CHUNK);
    for (std::size_t i = chunk * CHUNK; i < end; ++i) {
      std::uint8_t happened = 0;
      leaf[i] = descent.end(start ? start[i] : 0, which ? which[i] : i, happened);
      flags[i] = happened;
    }
  });
}

}  // namespace boxwood

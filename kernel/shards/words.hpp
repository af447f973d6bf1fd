// Tables as words that shards have added up (response/words.hpp), and as the search reads them.
// Invariant: entries keep their order. Cost: a few operations an entry.
#pragma once

#include <cstdint>
#include <vector>

#include "response/words.hpp"
#include "search/entry_table.hpp"
#include "surrogate/branch_taken.hpp"

namespace boxwood::sharded {

using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Rows and sums of the entries of a table, one after the other.
struct Entries {
  std::vector<i64> rows, words;
  std::vector<double> spread;  // means: sum of w d^2, good for bounds only
};

// Entries of a table, of `step` words each; `spread` is null but for means.
struct Given {
  const i64* rows;
  const i64* words;
  const double* spread;
  std::size_t count, step;

  SummedEntry entry(std::size_t e) const { return {rows[e], words + e * step, spread ? spread[e] : 0.0}; }
};

// Entries as the search reads them.
template <class Cell, class R>
coded::EntrySums<Cell> entry_sums(const R& y, const Given& given) {
  const auto width = static_cast<std::size_t>(y.width());
  coded::EntrySums<Cell> out;
  out.rows.assign(given.rows, given.rows + given.count);
  out.cells.resize(given.count * width);
  for (std::size_t e = 0; e < given.count; ++e) {
    out.weights.push_back(y.weight(given.entry(e)));
    y.read(given.entry(e), &out.cells[e * width]);
  }
  return out;
}

}  // namespace boxwood::sharded

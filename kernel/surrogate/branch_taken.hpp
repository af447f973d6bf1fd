// The branch that a split takes as the statistic of a table of bins (search/bin_table.hpp). It is no Response: cuts are
// compared by whole weights that agree (agreement.hpp), not by a decrease of impurity.
// Invariant: whole numbers; a row whose branch the split does not know adds nothing. Cost: a cell is one word where
// rows weigh one, else four.
#pragma once

#include "response/words.hpp"
#include "search/bin_table.hpp"
#include "surrogate/agreement.hpp"

namespace boxwood::coded {

template <bool weighted>
struct BranchTaken {
  using Cell = std::conditional_t<weighted, BranchCounts, u64>;  // rows of weight one: of each branch in half a word
  static constexpr bool one_cell = true;
  static double tolerance(const Cell*) { return 0.0; }

  const std::uint8_t* branch;  // by id: 0, 1, or more where the split does not know it
  const i64* weight_of;  // by id, nullptr = 1 each

  static int width() { return 1; }
  Cell row(u32 id) const {
    const int to = branch[id] & 1;
    const bool known = branch[id] < 2;
    if constexpr (weighted) {
      Cell out;
      out.weight[to] = !known ? 0 : weight_of ? weight_of[id] : 1;
      out.rows[to] = known;
      return out;
    } else {
      return u64{known} << (32 * to);
    }
  }
  void add(Cell* cell, u32 id) const { *cell += row(id); }

  // Words of an entry: weight on each branch, then rows on each.
  static i64 weight(const SummedEntry& e) { return e.words[0] + e.words[1]; }
  static void read(const SummedEntry& e, BranchCounts* cell) {
    *cell = {{e.words[0], e.words[1]}, {e.words[2], e.words[3]}};
  }

  static BranchCounts counts(const Cell& cell) {
    if constexpr (weighted) {
      return cell;
    } else {
      const i64 rows[2] = {static_cast<u32>(cell), static_cast<i64>(cell >> 32)};
      return {{rows[0], rows[1]}, {rows[0], rows[1]}};
    }
  }
};

}  // namespace boxwood::coded

// Surrogates of a split over sparse columns, and the branches they give to rows that the split does not know.
// Invariant: as in agreement.hpp; the rows of the node that a column does not list are one value, zero.
// Cost: two passes over the node's entries.
#pragma once

#include "search/sparse_search.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

template <class R>
class SparseSurrogates {
 public:
  SparseSurrogates(const R& y, const SparseColumns& columns) : y_(y), columns_(columns) {}

  const Surrogates& found() const { return found_; }

  // `branch`: of each row of the node, MOST_BRANCHES where the split does not know it; `all`: of those it knows.
  void find(const std::vector<SparseRange>& ranges, u32 split, u32 count, const std::uint8_t* branch,
            const BranchCounts& all, const Rating& rating) {
    found_.start(rating);
    for (u32 k = 0; k < ranges.size(); ++k)
      if (k != split) offer(ranges[k], count - ranges[k].count, branch, all, rating);
  }

  // Gives branches to the rows without one that a surrogate knows.
  void route(const std::vector<SparseRange>& ranges, const std::vector<u32>& rows, std::uint8_t* branch) const {
    constexpr std::uint8_t NO_VALUE_HERE = MOST_BRANCHES + 1;
    for (const Surrogate& one : found_.all()) {
      const auto column = static_cast<u32>(one.feature);
      const auto of = [&](u32 rank) { return static_cast<std::uint8_t>((rank > one.below) != one.flipped); };
      const auto at = std::lower_bound(ranges.begin(), ranges.end(), column,
                                       [](const SparseRange& range, u32 wanted) { return range.column < wanted; });
      for (u32 i = 0; i < at->count; ++i) {
        std::uint8_t& here = branch[at->entries[i].row];
        if (here == MOST_BRANCHES) here = i < at->known ? of(at->entries[i].rank) : NO_VALUE_HERE;
      }
      for (const u32 row : rows)
        if (branch[row] == MOST_BRANCHES)
          branch[row] = of(columns_.zero(column));
        else if (branch[row] == NO_VALUE_HERE)
          branch[row] = MOST_BRANCHES;
    }
  }

 private:
  void count(u32 row, const std::uint8_t* branch, BranchCounts& to) const {
    const std::uint8_t b = branch[row];
    if (b >= MOST_BRANCHES) return;
    i64 w = 1;
    if constexpr (R::weighted) w = y_.w(row);
    to.weight[b] += w;
    ++to.rows[b];
  }

  void offer(const SparseRange& range, u32 zeros, const std::uint8_t* branch, const BranchCounts& all,
             const Rating& rating) {
    BranchCounts known, missing;
    for (u32 i = 0; i < range.count; ++i) count(range.entries[i].row, branch, i < range.known ? known : missing);
    BranchCounts here, zero;
    for (int b = 0; b < 2; ++b) {
      here.weight[b] = all.weight[b] - missing.weight[b];
      here.rows[b] = all.rows[b] - missing.rows[b];
      zero.weight[b] = here.weight[b] - known.weight[b];
      zero.rows[b] = here.rows[b] - known.rows[b];
    }
    if (here.weight[0] == 0 || here.weight[1] == 0) return;  // all on one branch: nothing does better
    AgreementScan<u32> scan(here, here.majority());
    each_value(range, columns_.zero(range.column), zeros, [&](u32 rank, u32 from, u32 to) {
      BranchCounts counts = from == to ? zero : BranchCounts{};
      for (u32 i = from; i < to; ++i) count(range.entries[i].row, branch, counts);
      scan.next(rank, counts);
    });
    Surrogate one;
    if (!scan.found || !rating.rate(scan.best(), here, one)) return;
    one.feature = one.place = static_cast<std::int32_t>(range.column);
    one.flipped = scan.flipped;
    one.below = scan.below;
    one.above = scan.above;
    found_.offer(one);
  }

  const R y_;
  const SparseColumns& columns_;
  Surrogates found_;
};

}  // namespace boxwood::coded

// Surrogates of a split over sparse columns, and the branches they give to rows that the split does not know.
// Invariant: as in agreement.hpp; the rows of the node that a column does not list are one value, zero.
// Cost: two passes over the node's entries.
#pragma once

#include "search/sparse_search.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

class SparseSurrogates {
 public:
  SparseSurrogates(const ResponseColumns& y, const SparseColumns& columns) : y_(y), columns_(columns) {}

  const Surrogates& found() const { return found_; }

  // `branch`: of each row of the node, MOST_BRANCHES where the split does not know it; `all`: of those it knows.
  void find(const std::vector<SparseRange>& ranges, std::int32_t split, u32 count, const std::uint8_t* branch,
            const BranchCounts& all, const Rating& rating) {
    found_.start(rating);
    for (const SparseRange& range : ranges)
      if (range.column != static_cast<u32>(split) && rating.may_use(static_cast<std::int32_t>(range.column)))
        offer(range, count - range.count, branch, all, rating);
  }

  // Gives branches to the rows without one that a surrogate knows.
  void route(const std::vector<SparseRange>& ranges, const std::vector<u32>& rows, std::uint8_t* branch) const {
    constexpr std::uint8_t NO_VALUE_HERE = MOST_BRANCHES + 1;
    for (const Surrogate& one : found_.all()) {
      const SparseRange& range = range_of(ranges, one.feature);
      const auto of = [&](u32 rank) { return static_cast<std::uint8_t>((rank > one.below) != one.flipped); };
      for (u32 i = 0; i < range.count; ++i) {
        std::uint8_t& here = branch[range.entries[i].row];
        if (here == MOST_BRANCHES) here = i < range.known ? of(range.entries[i].rank) : NO_VALUE_HERE;
      }
      for (const u32 row : rows)
        if (branch[row] == MOST_BRANCHES)
          branch[row] = of(columns_.zero(range.column));
        else if (branch[row] == NO_VALUE_HERE)
          branch[row] = MOST_BRANCHES;
    }
  }

 private:
  void offer(const SparseRange& range, u32 zeros, const std::uint8_t* branch, const BranchCounts& all,
             const Rating& rating) {
    const auto count = [&](u32 from, u32 to) {
      BranchCounts counts;
      for (u32 i = from; i < to; ++i) counts.add(branch[range.entries[i].row], y_.weight_of(range.entries[i].row));
      return counts;
    };
    BranchCounts here = all, zero;
    here -= count(range.known, range.count);
    zero = here;
    zero -= count(0, range.known);
    if (here.weight[0] == 0 || here.weight[1] == 0) return;  // all on one branch: nothing does better
    AgreementScan<u32> scan(here, here.majority());
    each_value(range, columns_.zero(range.column), zeros,
               [&](u32 rank, u32 from, u32 to) { scan.next(rank, from == to ? zero : count(from, to)); });
    Surrogate one;
    if (!scan.found || !rating.rate(scan.best(), here, one)) return;
    one.feature = one.place = static_cast<std::int32_t>(range.column);
    one.flipped = scan.flipped;
    one.below = scan.below;
    one.above = scan.above;
    found_.offer(one);
  }

  const ResponseColumns& y_;
  const SparseColumns& columns_;
  Surrogates found_;
};

}  // namespace boxwood::coded

// The best cuts of a node over sparse columns: the rows of a node that a column does not list hold zero, so what they
// add up to is what the listed rows leave of the node.
// Invariant: finds what search/list_search.hpp finds in the same values. Cost: two passes over the node's entries.
#pragma once

#include "encode/sparse_columns.hpp"
#include "search/missing_direction.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

// The entries of one column in a node, those without a value last.
struct SparseRange {
  u32 column = 0, count = 0, known = 0;
  const SparseEntry* entries = nullptr;
};

// The best cut of a node by one column, between two ranks; `above` MISSING: all known values are below.
struct SparseCut {
  std::int32_t feature = -1, missing = -1;
  u32 range = 0;  // of the node's
  u32 below = 0, above = MISSING;
  bool flipped = false;
  double decrease = 0, rank = 0;

  std::uint8_t branch(u32 of_rank) const { return static_cast<std::uint8_t>((of_rank > below) != flipped); }
};

// Calls group(rank, first, last) for each value that rows of a node have, in rising order; the entries of zero, which
// `zeros` rows have, are none.
template <class Group>
void each_value(const SparseRange& range, u32 zero, u32 zeros, const Group& group) {
  bool zero_is_due = zeros > 0;
  for (u32 i = 0; i < range.known || zero_is_due;) {
    if (zero_is_due && (i == range.known || range.entries[i].rank > zero)) {
      zero_is_due = false;
      group(zero, i, i);
      continue;
    }
    const u32 first = i, rank = range.entries[i].rank;
    while (i < range.known && range.entries[i].rank == rank) ++i;
    group(rank, first, i);
  }
}

template <class R>
class SparseSearch {
 public:
  using Cell = typename R::Cell;

  SparseSearch(const R& y, const Rules& rules, const SparseColumns& columns)
      : y_(y), rules_(rules), columns_(columns) {}

  // The best candidates of a node of so many rows, best first; `ranges` in the order of the columns.
  std::vector<SparseCut>& find(const std::vector<SparseRange>& ranges, u32 count, const typename R::Sums& sums,
                               const NodeStats& stats) {
    const auto width = static_cast<std::size_t>(y_.width());
    for (Cells* cells : {&total_, &left_, &side_, &zero_, &missing_}) cells->assign(width, Cell{});
    y_.fill(sums, total_.data());
    count_ = count;
    stats_ = &stats;
    const Directions<R> directions{y_, rules_, stats, {y_, sums, stats}, count, 0};
    std::vector<Direction<R>> complete, partial;
    directions.each(count, total_.data(), [&](const Direction<R>& direction) { complete.push_back(direction); });
    ranking_.start(rules_.kept());
    // Children that are pure, and what rounding may add to them.
    const bool costs = !rules_.settings->feature_costs.empty();
    const double most = stats.risk * (1 + 1e-13) / stats.scale + y_.noise(stats);
    for (u32 k = 0; k < ranges.size(); ++k) {
      const SparseRange& range = ranges[k];
      const auto place = static_cast<std::int32_t>(range.column);
      add_up(range);
      if (range.known < range.count) {
        partial.clear();
        known_ = total_;
        for (std::size_t c = 0; c < width; ++c) known_[c] -= missing_[c];
        directions.each(count - (range.count - range.known), known_.data(),
                        [&](const Direction<R>& direction) { partial.push_back(direction); });
      }
      SparseCut cut = scan(range, range.known < range.count ? partial : complete,
                           rules_.needed(ranking_.threshold(), place, 0.0, stats));
      if (cut.feature < 0 || !rules_.good_enough(cut.decrease)) continue;
      cut.range = k;
      cut.rank = rules_.compared(cut.decrease, place, 0, range.known, stats);
      ranking_.offer(cut);
      if (!costs && ranking_.is_full() && threshold_above(ranking_.threshold(), 1.0) >= most) break;
    }
    if (rules_.settings->order_by_mean)
      for (SparseCut& cut : ranking_.kept()) orient(ranges[cut.range], cut);
    return ranking_.kept();
  }

 private:
  using Cells = std::vector<Cell>;

  // What the rows without a value add up to, and those that hold zero.
  void add_up(const SparseRange& range) {
    std::fill(missing_.begin(), missing_.end(), Cell{});
    std::fill(left_.begin(), left_.end(), Cell{});
    for (u32 i = 0; i < range.known; ++i) y_.add(left_.data(), range.entries[i].row);
    for (u32 i = range.known; i < range.count; ++i) y_.add(missing_.data(), range.entries[i].row);
    zero_ = total_;
    for (std::size_t c = 0; c < zero_.size(); ++c) {
      zero_[c] -= left_[c];
      zero_[c] -= missing_[c];
    }
  }

  void add_group(const SparseRange& range, u32 first, u32 last, Cells& to) const {
    if (first == last)
      for (std::size_t c = 0; c < to.size(); ++c) to[c] += zero_[c];
    for (u32 i = first; i < last; ++i) y_.add(to.data(), range.entries[i].row);
  }

  SparseCut scan(const SparseRange& range, std::vector<Direction<R>>& ways, double threshold) {
    SparseCut best;
    const auto raise = [&] {
      for (Direction<R>& way : ways) way.bound.set_threshold(threshold - way.offset);
    };
    i64 rows = 0;
    const auto offer = [&](u32 below, u32 above) {
      for (Direction<R>& way : ways) {
        const i64 l = rows + way.before;
        if (!rules_.allows(l, way.n - l) || (above == MISSING && way.before > 0)) continue;
        const Cells* left = &left_;
        if (way.before > 0) {
          side_ = left_;
          for (std::size_t c = 0; c < side_.size(); ++c) side_[c] += missing_[c];
          left = &side_;
        }
        if (!way.bound.can_exceed(left->data(), l)) continue;
        const double decrease = way.bound.exact(left->data(), l) + way.offset;
        if (!(decrease > threshold)) continue;
        best.feature = static_cast<std::int32_t>(range.column);
        best.missing = way.missing;
        best.below = below;
        best.above = above;
        best.decrease = std::max(decrease, 0.0);
        threshold = threshold_above(decrease, stats_->scale);
        raise();
      }
    };
    raise();
    std::fill(left_.begin(), left_.end(), Cell{});
    const u32 zeros = count_ - range.count;
    u32 last = MISSING;
    each_value(range, columns_.zero(range.column), zeros, [&](u32 rank, u32 from, u32 to) {
      if (rows > 0) offer(last, rank);
      add_group(range, from, to, left_);
      rows += from == to ? zeros : to - from;
      last = rank;
    });
    offer(last, MISSING);
    return best;
  }

  // Turns a cut so that branch 0 has the lower mean.
  void orient(const SparseRange& range, SparseCut& cut) {
    if (cut.above == MISSING) return;
    add_up(range);
    for (Cells* side : {&left_, &side_}) std::fill(side->begin(), side->end(), Cell{});
    each_value(range, columns_.zero(range.column), count_ - range.count,
               [&](u32 rank, u32 from, u32 to) { add_group(range, from, to, rank > cut.below ? side_ : left_); });
    if (!is_turned(y_, *stats_, left_.data(), side_.data())) return;
    cut.flipped = true;
    if (cut.missing >= 0) cut.missing = 1 - cut.missing;
  }

  const R y_;
  const Rules rules_;
  const SparseColumns& columns_;
  Cells total_, known_, left_, side_, zero_, missing_;
  Ranking<SparseCut> ranking_;
  const NodeStats* stats_ = nullptr;
  u32 count_ = 0;
};

}  // namespace boxwood::coded

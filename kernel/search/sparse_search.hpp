// The best cuts of a node over sparse columns: the rows of a node that a column does not list hold zero, so what they
// add up to is what the listed rows leave of the node.
// Invariant: finds what search/list_search.hpp finds in the same values. Cost: two passes over the node's entries.
#pragma once

#include "encode/sparse_columns.hpp"
#include "search/cut_scan.hpp"
#include "search/feature_draw.hpp"

namespace boxwood::coded {

// The entries of one column in a node, those without a value last.
struct SparseRange {
  u32 column = 0, count = 0, known = 0;
  const SparseEntry* entries = nullptr;
};

// Where the entries of a column are, or would be.
inline auto place_of(const std::vector<SparseRange>& ranges, std::int32_t feature) {
  return std::lower_bound(ranges.begin(), ranges.end(), static_cast<u32>(feature),
                          [](const SparseRange& range, u32 column) { return range.column < column; });
}
inline const SparseRange& range_of(const std::vector<SparseRange>& ranges, std::int32_t feature) {
  return *place_of(ranges, feature);
}

// Calls group(rank, first, last) for each value that rows of a node have, in rising order; the entries of zero, which
// `zeros` rows have, are none.
template <class Group>
void each_value(const SparseRange& range, u32 zero, u32 zeros, const Group& group) {
  bool zero_is_due = zeros > 0;
  for (u32 i = 0; i < range.known || zero_is_due;) {
    const bool is_zero = zero_is_due && (i == range.known || range.entries[i].rank > zero);
    const u32 first = i, rank = is_zero ? zero : range.entries[i].rank;
    zero_is_due = zero_is_due && !is_zero;
    while (!is_zero && i < range.known && range.entries[i].rank == rank) ++i;
    group(rank, first, i);
  }
}

// What a tree over sparse columns needs from its response (grow/sparse_grower.hpp). A candidate is a cut between two
// ranks, `last_left` and `first_right`, which is MISSING where all known values are below.
struct SparseNodes {
  Rules rules;

  explicit SparseNodes(const Rules& rules) : rules(rules) {}
  virtual ~SparseNodes() = default;
  // What follows from the sums of some rows, and their line of Tree.moments.
  virtual NodeStats describe(const u32* rows, u32 count, double* moments) const = 0;
  // The best candidates of a node, best first; `ranges` in the order of the columns.
  virtual std::vector<Candidate>& find(const std::vector<SparseRange>& ranges, const u32* rows, u32 count,
                                       const NodeStats& stats) = 0;
  // The response of some rows by their low parts, where high parts are all the same and low ones differ; else nullptr.
  virtual std::unique_ptr<SparseNodes> low_parts(const u32* rows, u32 count) const = 0;
};

template <class R>
class SparseSearch final : public SparseNodes {
 public:
  using Cell = typename R::Cell;

  SparseSearch(const R& y, const Rules& rules, const SparseColumns& columns)
      : SparseNodes(rules),
        y_(y),
        columns_(columns),
        scan_(y_, this->rules),
        draw_(this->rules, numbers_below(columns.columns()),
              [](std::size_t j) { return static_cast<std::int32_t>(j); }) {}

  NodeStats describe(const u32* rows, u32 count, double* moments) const override {
    const typename R::Sums sums = sums_of(rows, count);
    const NodeStats stats = y_.stats_of(sums);
    y_.describe(sums, stats, *rules.y, moments);
    return stats;
  }

  std::vector<Candidate>& find(const std::vector<SparseRange>& ranges, const u32* rows, u32 count,
                               const NodeStats& stats) override {
    const auto width = static_cast<std::size_t>(y_.width());
    for (Cells* cells : {&total_, &zero_, &missing_}) cells->assign(width, Cell{});
    const typename R::Sums sums = sums_of(rows, count);
    y_.fill(sums, total_.data());
    scan_.start(sums, stats);
    ranking_.start(rules.kept());
    if (rules.settings->max_features == 0) return search(ranges, count, stats);
    draw_.start(stats);
    while (true) {
      drawn_.clear();
      for (const std::int32_t j : draw_.next())
        if (const auto at = place_of(ranges, j); at != ranges.end() && at->column == static_cast<u32>(j))
          drawn_.push_back(*at);
      auto& found = search(drawn_, count, stats);
      if (!found.empty() || draw_.is_over()) return found;
    }
  }

  std::unique_ptr<SparseNodes> low_parts(const u32* rows, u32 count) const override {
    if constexpr (R::has_low_parts)
      if (differ_in_low_parts(y_, rows, count))
        return std::make_unique<SparseSearch>(y_.of_low_parts(rows[0]), rules.by_low_parts(), columns_);
    return nullptr;
  }

 private:
  using Cells = std::vector<Cell>;

  // The best candidates of some columns.
  std::vector<Candidate>& search(const std::vector<SparseRange>& ranges, u32 count, const NodeStats& stats) {
    // Children that are pure, and what rounding may add to them.
    const bool costs = !rules.settings->feature_costs.empty();
    const double most = stats.risk * (1 + 1e-13) / stats.scale + y_.noise(stats);
    for (const SparseRange& range : ranges) {
      const auto place = static_cast<std::int32_t>(range.column);
      if (!rules.may_use(place, stats)) continue;
      add_up(range);
      scan_.begin(range.count - range.known, missing_.data(), rules.needed(ranking_.threshold(), place, 0.0, stats),
                  rules.sign(place));
      each_value(range, columns_.zero(range.column), count - range.count, [&](u32 rank, u32 from, u32 to) {
        const u32 n = from == to ? count - range.count : to - from;
        scan_.next(rank, n, n, [&](Cells& cells) { add_group(range, from, to, cells); });
      });
      Candidate cut;
      if (!scan_.finish(cut) || !rules.good_enough(cut.decrease)) continue;
      cut.feature = cut.place = place;
      cut.last_left = scan_.below;
      cut.first_right = scan_.all_below ? MISSING : scan_.above;
      cut.rank = rules.compared(cut.decrease, place, 0, cut.known, stats);
      ranking_.offer(cut);
      if (!costs && ranking_.is_full() && threshold_above(ranking_.threshold(), 1.0) >= most) break;
    }
    return ranking_.kept();
  }

  typename R::Sums sums_of(const u32* rows, u32 count) const {
    typename R::Sums sums{};
    for (u32 i = 0; i < count; ++i) y_.add(sums, rows[i]);
    y_.close(sums);
    return sums;
  }

  // What the rows without a value add up to, and those that hold zero.
  void add_up(const SparseRange& range) {
    std::fill(missing_.begin(), missing_.end(), Cell{});
    known_.assign(missing_.size(), Cell{});
    for (u32 i = 0; i < range.known; ++i) y_.add(known_.data(), range.entries[i].row);
    for (u32 i = range.known; i < range.count; ++i) y_.add(missing_.data(), range.entries[i].row);
    for (std::size_t c = 0; c < zero_.size(); ++c) {
      zero_[c] = total_[c];
      zero_[c] -= known_[c];
      zero_[c] -= missing_[c];
    }
  }

  void add_group(const SparseRange& range, u32 first, u32 last, Cells& to) const {
    if (first == last)
      for (std::size_t c = 0; c < to.size(); ++c) to[c] += zero_[c];
    for (u32 i = first; i < last; ++i) y_.add(to.data(), range.entries[i].row);
  }

  const R y_;
  const SparseColumns& columns_;
  CutScan<R, u32> scan_;
  Cells total_, known_, zero_, missing_;
  Ranking<Candidate> ranking_;
  FeatureDraw draw_;
  std::vector<SparseRange> drawn_;
};

}  // namespace boxwood::coded

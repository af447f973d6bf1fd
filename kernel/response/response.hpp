// The contract of a response: what a row adds to a sum, what follows for a node from its sums, and how much a cut can
// gain at most. The search and the growers know a response by this concept alone (tests/architecture).
//
// A response is a statistic {ClassCounts, MeanSums, RateSums}, of rows of weight one or weighted, and a measure. What
// it guarantees:
// - Exactness. Sums are whole numbers, the same in any order and for any division among threads; `exact` is the twin of
//   the Python measure, computed from sums alone. A tree depends on nothing else.
// - Bounds. `can_attain`, `bin_can_attain`, `bins` and the lists' scanners may only rule out what cannot win: they are
//   false only if the exact decrease is surely below the threshold, however it was rounded. A bound that always answers
//   true is right, and slow.
// - Cost. A row is added in constant time; a cut is bounded without logarithm or division where possible.
#pragma once

#include <concepts>

#include "response/node_stats.hpp"

namespace boxwood::coded {

// Upper bounds of the cuts of one node by one feature. `sums` are those of the rows left of a cut.
template <class B, class R>
concept Bounds = requires(B bounds, const B known, const typename R::Cell* sums, i64 rows, EdgeScan& scan,
                          double* gains, std::uint8_t* bins) {
  // Only cuts of at least this decrease matter from now on; thresholds rise.
  bounds.set_threshold(0.0);
  // Whether a cut can attain the threshold; whether any between two edges can, whatever rows lie between them.
  { known.can_attain(sums, rows) } -> std::same_as<bool>;
  { known.bin_can_attain(sums, rows, sums, rows) } -> std::same_as<bool>;
  // About how much each edge of a feature's bins takes away, -1 where a side has too few rows.
  known.edges(sums, rows, scan, gains);
  // Marks the bins that may hold a cut that attains the threshold; false if there is none.
  { known.bins(sums, rows, std::as_const(scan), bins) } -> std::same_as<bool>;
  // The decrease itself, in whole-number units: the number by which cuts are chosen.
  { known.exact(sums, rows) } -> std::same_as<double>;
};

// The scan of one feature's sorted list, from the lowest entry on (response/list_scanner.hpp).
template <class S, class R>
concept ScansLists = requires(S scan, const S known, const R y, const typename R::Sums& sums, const NodeStats stats,
                              const u32* entries, u32 count, i64 rows, typename R::Cell* sums_left) {
  requires std::constructible_from<S, const R&, const typename R::Sums&, const NodeStats&>;
  requires std::same_as<decltype(scan.bound), typename R::UpperBound>;
  { S::marks(y) } -> std::same_as<const std::uint8_t*>;
  { S::most(y, entries, count, stats) } -> std::same_as<double>;
  // Nothing, or the rows of `sums`, are left of the first cut; then entries go left, one by one.
  scan.start();
  scan.start(sums);
  scan.add(count);
  { scan.any_can_attain(entries, count) } -> std::same_as<bool>;
  { known.can_attain(rows) } -> std::same_as<bool>;
  { known.exact(rows) } -> std::same_as<double>;
  // What the rows on the left add up to.
  known.take_left(rows, sums_left);
};

// What tables count of a row: the part of a response that the branch taken by a split has too
// (surrogate/branch_taken.hpp).
template <class R>
concept Statistic = std::copyable<R> && requires(const R y, typename R::Cell* cell, u32 id) {
  // A table has `width` bin columns a feature; a row adds to the cells of its bin: where a cell is not `one_cell`, at
  // the places that `row` gives in a column.
  { y.width() } -> std::same_as<int>;
  requires R::one_cell || requires { R::add(cell, 0, y.row(id)); };
  y.add(cell, id);
  // How far sums of doubles in a table of such rows in all may be off, in units of rounding.
  { R::tolerance(cell) } -> std::same_as<double>;
};

template <class R>
concept Response = Statistic<R> && requires(const R y, typename R::Rows& kept, typename R::Sums& sums,
                                            typename R::Cell* cell, const NodeStats stats,
                                            const ResponseColumns columns, const u32* ids, u32 id, double* moments) {
  // The response of some rows, copied together so that they stay in the cache; numbered from 0.
  { y.of(ids, id, kept) } -> std::same_as<R>;
  // Whether rows weigh; whether a node's sums less those of one child are the other's.
  { R::weighted } -> std::convertible_to<bool>;
  { R::parts_exactly } -> std::convertible_to<bool>;
  // Whether `of_low_parts` and `differ_in_low_parts` tell rows apart whose main numbers are all the same.
  { R::has_low_parts } -> std::convertible_to<bool>;
  requires !R::has_low_parts || requires {
    { y.of_low_parts(id) } -> std::same_as<R>;
  };
  requires !R::has_low_parts || requires {
    { y.differ_in_low_parts(ids, id) } -> std::same_as<bool>;
  };
  // Where there may be more than two classes, cells begin with sums by class: the best set of levels then need not
  // be a cut of their order by `mean`. Whether rpart orders levels from the highest mean down.
  // `needs_sets` tells whether there are; `place` appends what a group of levels adds up to by class, or by response,
  // and what it weighs, for an order of groups along their principal direction.
  { R::has_many_classes } -> std::convertible_to<bool>;
  requires !R::has_many_classes || requires(std::vector<double>& to) {
    { y.needs_sets() } -> std::same_as<bool>;
    y.place(cell, cell, to, to);
  };
  { R::falls_in_rpart } -> std::convertible_to<bool>;
  y.prefetch(id);

  // Rows in a cell.
  { y.count(cell) } -> std::same_as<i64>;
  // The sums of a node: rows and parts are added, a part removed; `close` ends a series of additions.
  y.add(sums, id);
  y.join(sums, sums);
  y.remove(sums, sums);
  y.close(sums);
  { y.weight(sums) } -> std::same_as<i64>;
  // Between a cell and what bounds read of sums.
  { y.sums_of(cell, stats) } -> std::same_as<typename R::Sums>;
  y.fill(sums, cell);
  // What follows from them: impurity, scale, whether the node is pure; and its line of Tree.moments.
  { y.stats_of(sums) } -> std::same_as<NodeStats>;
  { y.moments() } -> std::same_as<int>;
  y.describe(sums, stats, columns, moments);
  // How far two decreases of a node may be off together by rounding, in units of score.
  { y.noise(stats) } -> std::same_as<double>;

  // What sets of levels read of a group of rows: the mean, by which levels and children are ordered (two classes:
  // share of the second; more: mean class number); and weight times impurity, up to a part that is the same however
  // the rows are grouped.
  { y.mean(cell, stats) } -> std::same_as<double>;
  { y.impurity(cell, stats) } -> std::same_as<double>;
  // What rows lose where not their mean is predicted but what is nearest to it within limits, in units of the decrease.
  { y.drawn(sums, stats, stats.inherited.values) } -> std::same_as<double>;

  requires ScansLists<typename R::Scanner, R>;
  requires Bounds<typename R::UpperBound, R>;
  requires std::constructible_from<typename R::UpperBound, const R&, const typename R::Sums&, const NodeStats&>;
};

}  // namespace boxwood::coded

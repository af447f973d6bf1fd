// How to read one feature's bins in one node: as they are, or, where values are missing, over the known rows
// alone, or with the rows without a value on the right, or left (learned direction). Invariant: a bin column is
// like any other: entry b sums the rows left of bin b, the last entry all rows that count. Cost: nothing where no value
// is missing; else a copy of 257 cells a direction.
#pragma once

#include <optional>

#include "search/bin_table.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

// How to count the two sides of a cut.
template <class R>
struct Direction {
  std::int32_t missing;  // branch of rows without a value, -1 = not decided here
  typename R::UpperBound bound;
  i64 n;  // rows that count
  i64 before = 0;  // of them without a value, on the left
  double offset = 0;  // what an own branch for rows without a value takes away by itself
};

// The directions in which to search the features of one node, whose bound is `of_node`.
template <class R>
struct Directions {
  const R& y;
  const Rules& rules;
  const NodeStats stats;
  const typename R::UpperBound of_node;
  const i64 n;

  // Calls take(direction) for each of a feature's; `known` rows have a value and add up to `sums`.
  template <class Take>
  void each(i64 known, const typename R::Cell* sums, const Take& take) const {
    if (known == n) return take({-1, of_node, n});
    if (rules.learns()) {
      take({1, of_node, n});
      return take({0, of_node, n, n - known});
    }
    const double offset = rules.own_branch() ? of_node.exact(sums, known) : 0.0;
    take({-1, {y, y.sums_of(sums, stats), stats}, known, 0, offset});
  }
};

// The best partition in two of one feature's rows, of those that are offered; ties by the written rule.
template <class R>
class BestPartition {
 public:
  using Cell = typename R::Cell;
  using Cells = std::vector<Cell>;

  BestPartition(const R& y, const Rules& rules) : y_(y), rules_(rules), side_(static_cast<std::size_t>(y.width())) {}

  // The next node.
  void start(const Directions<R>& node) {
    node_.emplace(node);
    complete_.clear();
  }
  // The next feature: its rows with a value, what they and those without add up to, and what must be exceeded.
  // `sign`: the order of the sides' means.
  void begin(i64 known, const Cell* sums, const Cell* missing_rows, double threshold, int sign = 0) {
    sign_ = sign;
    known_ = sums;
    missing_rows_ = missing_rows;
    directions_ = known == node_->n ? &complete_ : &partial_;
    partial_.clear();
    if (directions_->empty()) node_->each(known, sums, [&](const Direction<R>& one) { directions_->push_back(one); });
    begin_again(threshold);
  }
  void begin_again(double threshold) {
    raise(threshold);
    found = false;
  }
  const std::vector<Direction<R>>& directions() const { return *directions_; }

  // The sums of a left side with the rows without a value that a direction counts there.
  const Cells& with_missing(const Direction<R>& direction, const Cells& left) {
    if (direction.before == 0) return left;  // NOLINT: a caller that passes a temporary copies the result
    side_ = left;
    for (std::size_t k = 0; k < side_.size(); ++k) side_[k] += missing_rows_[k];
    return side_;
  }
  // Whether a partition is the best so far, by any direction.
  bool offer(const Cells& left) {
    bool better = false;
    for (const Direction<R>& direction : *directions_) better = offer(direction, left, sign_) || better;
    return better;
  }
  // The same of all rows with a value, to be separated from those without.
  bool offer_known(const Cells& known) { return directions_->size() > 1 && offer((*directions_)[0], known, 0); }

  bool found = false;
  double decrease = 0;
  std::int32_t missing = -1;  // the branch of rows without a value

 private:
  bool offer(const Direction<R>& direction, const Cells& left, int sign) {
    const i64 l = y_.count(left.data()) + direction.before;
    const Cell* side = with_missing(direction, left).data();
    if (!rules_.admits(l, direction.n - l, sign, [&] { return sides(direction, side); })) return false;
    if (!direction.bound.can_attain(side, l)) return false;
    const double gain = rules_.within_limits(direction.bound.exact(side, l) + direction.offset, node_->stats,
                                             [&] { return sides(direction, side); });
    if (!(gain > threshold_)) return false;
    found = true;
    decrease = gain;
    missing = direction.missing;
    raise(threshold_above(gain, node_->stats.scale));
    return true;
  }
  // `left` as the direction counts it.
  PartitionSums<R> sides(const Direction<R>& direction, const Cell* left) const {
    Cells both(known_, known_ + y_.width());
    for (std::size_t k = 0; direction.missing >= 0 && k < both.size(); ++k) both[k] += missing_rows_[k];
    return sides_of(y_, left, both.data(), node_->stats);
  }
  void raise(double threshold) {
    threshold_ = threshold;
    for (Direction<R>& direction : *directions_) direction.bound.set_threshold(threshold - direction.offset);
  }

  const R& y_;
  const Rules& rules_;
  std::optional<Directions<R>> node_;
  std::vector<Direction<R>> complete_, partial_,
      *directions_ = nullptr;  // of features without missing values, and with
  const Cell *known_ = nullptr, *missing_rows_ = nullptr;
  Cells side_;
  double threshold_ = 0;
  int sign_ = 0;
};

// The same of a feature's column of bins.
template <class R>
struct MissingDirection : Direction<R> {
  std::int32_t feature;
  const typename R::Cell* column;
  i64 known;  // rows with a value
  int sign;  // the order of the means of both sides
  double best_edge = -1;  // roughly
};

// Makes the directions of all features that are cut. Bin columns that differ from the table's are kept here.
template <class R>
class MissingDirections {
 public:
  using Cell = typename R::Cell;

  MissingDirections(const R& y, const Rules& rules) : y_(y), rules_(rules) {}

  std::vector<MissingDirection<R>>& all() { return all_; }
  const std::vector<MissingDirection<R>>& all() const { return all_; }

  void start(const Codes& codes, const BinTable<R>& table, i64 n, const typename R::Sums& sums,
             const NodeStats& stats) {
    all_.clear();
    used_ = 0;
    NodeStats of_table = stats;
    of_table.tolerance = 2 * table.tolerance();
    const Directions<R> directions{y_, rules_, of_table, {y_, sums, of_table}, n};
    CellBuffer<Cell> cell(y_.width());
    for (const std::int32_t feature : table.features()) {
      const auto j = static_cast<std::size_t>(feature);
      if (codes.is_nominal(j)) break;
      if (!rules_.may_use(codes.place(j), stats)) continue;
      const Cell* column = table.column(j);
      take(y_, column, BINS - 1, cell.data());
      const i64 known = codes.has_missing(j) ? y_.count(cell.data()) : n;
      if (known == 0) continue;
      directions.each(known, cell.data(), [&](const Direction<R>& direction) {
        all_.push_back({direction, feature, column_of(direction, column, n), known, rules_.sign(codes.place(j))});
      });
    }
  }

  // Whether the limits of growth allow a cut with these sums and l rows on the left.
  bool admits(const MissingDirection<R>& direction, const NodeStats& stats, const Cell* left, i64 l) const {
    const int sign = l - direction.before < direction.known ? direction.sign : 0;  // of known values, not of gaps
    return rules_.admits(l, direction.n - l, sign, [&] { return sides(direction, stats, left); });
  }
  // What a cut with these sums and l rows on the left takes away.
  double decrease(const MissingDirection<R>& direction, const NodeStats& stats, const Cell* left, i64 l) const {
    return rules_.within_limits(direction.bound.exact(left, l) + direction.offset, stats,
                                [&] { return sides(direction, stats, left); });
  }
  // Sets the decreases of edges that the limits do not allow to -1, as of those that are surely below one that is
  // allowed, and the others exactly.
  void apply_limits(const MissingDirection<R>& direction, const NodeStats& stats, double* of_edges) const {
    if (!rules_.reads_sums(direction.sign) && !rules_.limits_means(stats)) return;
    CellBuffer<Cell> cell(y_.width());
    double least = 0;  // the best edge first, so that few others matter
    const auto apply = [&](int b) {
      double& here = of_edges[b];
      const bool may_win = here >= least;
      here = -1;
      if (!may_win) return;
      take(y_, direction.column, b, cell.data());
      const i64 l = y_.count(cell.data());
      if (!admits(direction, stats, cell.data(), l)) return;
      here = std::max(decrease(direction, stats, cell.data(), l) - direction.offset, 0.0);
      least = std::max(least, here - 1e-8 * (here + stats.scale));
    };
    const auto first = static_cast<int>(std::max_element(of_edges, of_edges + BINS) - of_edges);
    for (int i = 0; i < BINS; ++i) apply(i == 0 ? first : i <= first ? i - 1 : i);
  }

 private:
  PartitionSums<R> sides(const MissingDirection<R>& direction, const NodeStats& stats, const Cell* left) const {
    CellBuffer<Cell> both(y_.width());
    take(y_, direction.column, BINS, both.data());
    return sides_of(y_, left, both.data(), stats);
  }

  const Cell* column_of(const Direction<R>& direction, const Cell* column, i64 n) {
    if (direction.missing == 0) return with_missing_left(column);
    return direction.n < n ? without_missing(column) : column;
  }

  const Cell* without_missing(const Cell* column) {
    Cell* out = fresh(column);
    for (int k = 0; k < y_.width(); ++k) out[k * STEP + BINS] = out[k * STEP + BINS - 1];
    return out;
  }

  const Cell* with_missing_left(const Cell* column) {
    Cell* out = fresh(column);
    for (int k = 0; k < y_.width(); ++k) {
      Cell missing = column[k * STEP + BINS];
      missing -= column[k * STEP + BINS - 1];
      for (int b = 0; b < BINS; ++b) out[k * STEP + b] += missing;
    }
    return out;
  }

  Cell* fresh(const Cell* column) {
    if (used_ == kept_.size()) kept_.emplace_back();
    std::vector<Cell>& cells = kept_[used_++];
    cells.assign(column, column + static_cast<std::size_t>(STEP) * y_.width());
    return cells.data();
  }

  const R& y_;
  const Rules& rules_;
  std::vector<MissingDirection<R>> all_;
  std::vector<std::vector<Cell>> kept_;
  std::size_t used_ = 0;
};

}  // namespace boxwood::coded

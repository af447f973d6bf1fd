// The best cut of one feature at one node, from its values in rising order.
// Invariant: finds what a scan of all values finds. Cost: a few operations a value and missing direction.
#pragma once

#include "search/cut_sides.hpp"
#include "search/missing_direction.hpp"

namespace boxwood::coded {

// `Place` names a value.
template <class R, class Place>
class CutScan {
 public:
  using Cell = typename R::Cell;
  using Cells = std::vector<Cell>;

  CutScan(const R& y, const Rules& rules)
      : partition(y, rules), y_(y), rules_(rules), node_(y.width()), known_(y.width()), best_left_(y.width()) {}

  // The next node; `tolerance`: how far sums of doubles of its values may be off.
  void start(const typename R::Sums& sums, const NodeStats& stats, double tolerance = 0) {
    stats_ = stats;
    stats_.tolerance = tolerance;
    y_.fill(sums, node_.data());
    partition.start({y_, rules_, stats_, {y_, sums, stats_}, sums.n});
  }
  // The next feature: its rows without a value, what they add up to, and what the decrease of a cut must exceed.
  // `sign`: the order of the means of both sides.
  void begin(i64 rows_missing, const Cell* missing, double threshold, int sign) {
    known_ = node_;
    for (std::size_t k = 0; k < known_.size(); ++k) known_[k] -= missing[k];
    partition.begin(y_.count(node_.data()) - rows_missing, known_.data(), missing, threshold, sign);
    left_.assign(node_.size(), Cell{});
    rows_ = weight_ = 0;
  }
  // The next value, its rows and their weight; `add(sums)` adds what they add up to.
  template <class Add>
  void next(const Place& at, i64 rows, i64 weight, const Add& add) {
    if (rows_ > 0 && partition.offer(left_)) keep(&at);
    add(left_);
    rows_ += rows;
    weight_ += weight;
    last_ = at;
  }
  // The best cut, if any exceeds the threshold; branch 0 has the lower mean where the recipe orders by it.
  bool finish(Candidate& out) {
    if (partition.offer_known(left_)) keep(nullptr);
    if (!partition.found) return false;
    out.missing = partition.missing;
    out.decrease = std::max(partition.decrease, 0.0);
    out.left = left_rows_;
    out.known = rows_;
    if (!rules_.settings->order_by_mean || all_below) return true;
    for (std::size_t k = 0; k < left_.size(); ++k) left_[k] -= best_left_[k];
    out.flipped = is_turned(y_, stats_, best_left_.data(), left_.data());
    if (out.flipped && out.missing >= 0) out.missing = 1 - out.missing;
    return true;
  }

  BestPartition<R> partition;
  // About the best cut; with `all_below` it separates the rows without a value from all others.
  Place below{}, above{};
  bool all_below = false;
  i64 weight_left = 0;  // of the rows with a value on the lower side

 private:
  void keep(const Place* next) {
    below = last_;
    all_below = !next;
    above = next ? *next : last_;
    left_rows_ = rows_;
    weight_left = weight_;
    if (rules_.settings->order_by_mean) best_left_ = left_;
  }

  const R& y_;
  const Rules& rules_;
  NodeStats stats_;
  Cells node_, known_, left_, best_left_;
  i64 rows_ = 0, weight_ = 0, left_rows_ = 0;
  Place last_{};
};

}  // namespace boxwood::coded

// The ways to read one feature's bins in one node: as they are, or, where values are missing, over the known rows
// alone, or with the rows without a value sent right, or left (learned direction). Invariant: an aspect's plane is like
// any other: entry b sums the rows left of bin b, the last entry all rows that count. Cost: nothing where no value is
// missing; else a copy of 257 cells an aspect.
#pragma once

#include "search/bin_table.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

template <class R>
struct Aspect {
  using Cell = typename R::Cell;
  using Gauge = typename R::Gauge;

  std::int32_t feature;
  std::int32_t missing;  // branch of rows without a value, -1 = not decided here
  const Cell* plane;
  Gauge gauge;
  i64 n, known;  // rows that count; of them with a value
  i64 before = 0;  // rows without a value that stand on the left
  double offset = 0;  // what an own branch for rows without a value takes away by itself
  double best_edge = -1;  // roughly
};

// Makes the aspects of all features that are cut. Planes that differ from the table's are kept here.
template <class R>
class Aspects {
 public:
  using Cell = typename R::Cell;

  Aspects(const R& y, const Rules& rules) : y_(y), rules_(rules) {}

  std::vector<Aspect<R>>& all() { return all_; }

  void look(const Codes& codes, const BinTable<R>& table, i64 n, const typename R::Sums& sums, const Judged& judged) {
    all_.clear();
    used_ = 0;
    const typename R::Gauge of_node(y_, sums, judged);
    for (std::size_t j = 0; j < codes.cut_columns(); ++j) {
      const auto feature = static_cast<std::int32_t>(j);
      const i64 known = codes.has_gaps(j) ? rows(table.plane(j), BINS - 1) : n;
      if (known == 0) continue;
      if (known == n) {
        all_.push_back({feature, -1, table.plane(j), of_node, n, n});
      } else if (rules_.learns()) {
        all_.push_back({feature, 1, table.plane(j), of_node, n, known});
        all_.push_back({feature, 0, with_missing_left(table.plane(j)), of_node, n, known, n - known});
      } else {
        add_known(feature, table.plane(j), known, of_node, judged);
      }
    }
    if constexpr (requires(typename R::Gauge g) { g.slop; })
      for (auto& aspect : all_) aspect.gauge.slop = 2 * table.slop();
  }

 private:
  i64 rows(const Cell* plane, int b) const {
    typename R::Buffer cell(y_.width());
    y_.take(plane, b, cell.data());
    return y_.count(cell.data());
  }

  void add_known(std::int32_t feature, const Cell* plane, i64 known, const typename R::Gauge& of_node,
                 const Judged& judged) {
    typename R::Buffer buffer(y_.width());
    Cell* cell = buffer.data();
    y_.take(plane, BINS - 1, cell);
    Aspect<R> aspect{feature, -1, without_missing(plane), {y_, y_.sums_of(cell, judged), judged}, known, known};
    if (rules_.own_branch()) aspect.offset = of_node.exact(cell, known);
    all_.push_back(aspect);
  }

  const Cell* without_missing(const Cell* plane) {
    Cell* out = fresh(plane);
    for (int k = 0; k < y_.width(); ++k) out[k * STEP + BINS] = out[k * STEP + BINS - 1];
    return out;
  }

  const Cell* with_missing_left(const Cell* plane) {
    Cell* out = fresh(plane);
    for (int k = 0; k < y_.width(); ++k) {
      Cell missing = plane[k * STEP + BINS];
      missing -= plane[k * STEP + BINS - 1];
      for (int b = 0; b < BINS; ++b) out[k * STEP + b] += missing;
    }
    return out;
  }

  Cell* fresh(const Cell* plane) {
    if (used_ == kept_.size()) kept_.emplace_back();
    std::vector<Cell>& cells = kept_[used_++];
    cells.assign(plane, plane + static_cast<std::size_t>(STEP) * y_.width());
    return cells.data();
  }

  const R& y_;
  const Rules& rules_;
  std::vector<Aspect<R>> all_;
  std::vector<std::vector<Cell>> kept_;
  std::size_t used_ = 0;
};

}  // namespace boxwood::coded

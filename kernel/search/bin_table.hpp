// The table of a node: what the rows of each feature's bins add up to, kept as sums over all bins below; of a nominal
// feature, what the rows of each level add up to. Invariant: entry b of a feature sums the bins before b; tables of
// children add up to their parent's, so one is subtracted. Cost: about 1 ns a row and feature; features are taken a
// cache line of codes at a time.
#pragma once

#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "response/response.hpp"
#include "search/rows_view.hpp"

namespace boxwood::coded {

template <Statistic R, int SHIFT = 8>
class BinTable {
 public:
  static constexpr int BINS = 65536 >> SHIFT, STEP = BINS + 1;
  using Cell = typename R::Cell;

  BinTable(const Codes& codes, int width)
      : columns_(codes.columns()), coded_(codes.coded_columns()), cuts_(codes.cut_columns()), width_(width) {
    std::size_t size = cuts_ * STEP * width_;
    for (std::size_t j = cuts_; j < coded_; ++j) {
      levels_.push_back(size);
      size += (codes.levels(j) + std::size_t{1}) * width_;
    }
    cells_.resize(size);
    all_.resize(columns_);
    std::iota(all_.begin(), all_.end(), 0);
    features_ = all_;
  }
  BinTable(BinTable&&) = default;  // the features that are counted are referred to

  // Sums of one feature, a column of STEP edges for each word of a cell.
  const Cell* column(std::size_t feature) const { return &cells_[feature * STEP * width_]; }
  // Cells of a nominal feature, one a level and one for rows without.
  const Cell* levels(std::size_t feature) const { return &cells_[levels_[feature - cuts_]]; }
  // The features that are counted, in rising order.
  std::span<const std::int32_t> features() const { return features_; }
  double tolerance() const { return tolerance_; }
  std::size_t bytes() const { return cells_.size() * sizeof(Cell); }

  // Begins again, to count all features, or some of them.
  void clear() {
    std::memset(static_cast<void*>(cells_.data()), 0, cells_.size() * sizeof(Cell));
    tolerance_ = 0;
    features_ = all_;
  }
  void clear(std::span<const std::int32_t> some) {
    if (some.size() == all_.size()) return clear();
    tolerance_ = 0;
    features_ = some;
    each_range([&](std::size_t from, std::size_t count) {
      std::memset(static_cast<void*>(&cells_[from]), 0, count * sizeof(Cell));
    });
  }
  // Bins as they are; `sum_up` makes them sums.
  void add(const R& y, const View& view, const u32* ids, std::size_t count) {
    if (counts_some()) return add_some(y, view, ids, count);
    constexpr std::size_t LINE = 32, AHEAD = 12;
    const std::size_t columns = columns_, cuts = cuts_;
    for (std::size_t from = 0; from < coded_; from += LINE) {
      const std::size_t to = std::min(cuts, from + LINE), end = std::min(coded_, from + LINE);
      for (std::size_t i = 0; i < count; ++i) {
        const Code* later = view.codes + ids[i + AHEAD < count ? i + AHEAD : i] * columns;
        BOXWOOD_PREFETCH(later + from, 3);
        BOXWOOD_PREFETCH(later + end - 1, 3);
        const Code* code = view.codes + ids[i] * columns;
        if (from < to) add_row(y, ids[i], code, from, to);
        for (std::size_t j = std::max(from, cuts); j < end; ++j)
          y.add(&cells_[levels_[j - cuts] + code[j] * static_cast<std::size_t>(width_)], ids[i]);
      }
    }
  }
  void merge(const BinTable& other) {
    each_range([&](std::size_t from, std::size_t count) {
      for (std::size_t i = from; i < from + count; ++i) cells_[i] += other.cells_[i];
    });
  }
  void sum_up() {
    if (counts_some()) {
      for (const auto j : features_)
        if (is_cut(j)) sum_columns(static_cast<std::size_t>(j) * width_, width_);
    } else {
      sum_columns(0, cuts_ * width_);
    }
    set_tolerance(0.0, 1.3e-16);
  }
  // From the parent's table to the other child's.
  void subtract(const BinTable& child) {
    const double before = tolerance_ + child.tolerance_;
    set_tolerance(before, 4e-16);
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] -= child.cells_[i];
  }

 private:
  bool is_cut(std::int32_t j) const { return static_cast<std::size_t>(j) < cuts_; }
  bool counts_some() const { return features_.size() < all_.size(); }

  // Calls visit(from, count) for the cells of the features that are counted.
  template <class Visit>
  void each_range(const Visit& visit) const {
    if (!counts_some()) return visit(0, cells_.size());
    for (const auto j : features_) {
      const auto at = static_cast<std::size_t>(j);
      if (at < cuts_) {
        visit(at * STEP * width_, STEP * static_cast<std::size_t>(width_));
      } else if (at < coded_) {
        const std::size_t from = levels_[at - cuts_];
        visit(from, (at + 1 < coded_ ? levels_[at + 1 - cuts_] : cells_.size()) - from);
      }
    }
  }

  // The same for some features, one after the other: their codes are then in the cache.
  void add_some(const R& y, const View& view, const u32* ids, std::size_t count) {
    constexpr std::size_t AHEAD = 16, TOGETHER = 256;
    for (std::size_t begin = 0; begin < count; begin += TOGETHER) {
      const std::size_t end = std::min(count, begin + TOGETHER);
      for (const auto j : features_) {
        const auto at = static_cast<std::size_t>(j);
        if (at >= coded_) continue;
        Cell* cells = at < cuts_ ? &cells_[at * STEP * width_] + 1 : &cells_[levels_[at - cuts_]];
        for (std::size_t i = begin; i < end; ++i) {
          const Code* later = view.codes + ids[std::min(i + AHEAD, count - 1)] * columns_;
          BOXWOOD_PREFETCH(later + at, 3);
          const std::size_t code = view.codes[ids[i] * columns_ + at];
          if (at >= cuts_)
            y.add(cells + code * static_cast<std::size_t>(width_), ids[i]);
          else
            add_to_bin(y, cells, static_cast<int>(code >> SHIFT), ids[i]);
        }
      }
    }
  }
  BOXWOOD_INLINE static void add_to_bin(const R& y, Cell* column, int bin, u32 id) {
    if constexpr (R::one_cell)
      y.add(column + bin, id);
    else
      R::add(column, bin, y.row(id));
  }

  // So many columns from one on.
  void sum_columns(std::size_t k, std::size_t count) {
    const std::size_t end = k + count;
    for (; k + 4 <= end; k += 4) sum_together<4>(&cells_[k * STEP]);
    for (; k < end; ++k) sum_together<1>(&cells_[k * STEP]);
  }
  // Some columns side by side: what one adds up need not wait for the other.
  template <int TOGETHER>
  static void sum_together(Cell* column) {
    Cell sums[TOGETHER] = {};
    for (int b = 0; b < STEP; ++b)
      for (int k = 0; k < TOGETHER; ++k) column[k * STEP + b] = sums[k] += column[k * STEP + b];
  }

  // One row's bins of some features that are cut, four a step: what the row adds is read once, and a step's places are
  // fixed.
  BOXWOOD_INLINE void add_row(const R& y, u32 id, const Code* code, std::size_t from, std::size_t to) {
    if constexpr (R::one_cell) {
      Cell row{};
      y.add(&row, id);
      each_column(code, from, to, [&](Cell* column, int bin) { column[bin] += row; });
    } else {
      const auto row = y.row(id);
      each_column(code, from, to, [&](Cell* column, int bin) { R::add(column, bin, row); });
    }
  }
  template <class Add>
  BOXWOOD_INLINE void each_column(const Code* code, std::size_t from, std::size_t to, const Add& add) {
    const std::size_t step = R::one_cell ? STEP : STEP * static_cast<std::size_t>(width_);
    Cell* column = cells_.data() + from * step + 1;
    std::size_t j = from;
    for (; j + 4 <= to; j += 4, column += 4 * step)
      for (std::size_t k = 0; k < 4; ++k) add(column + k * step, code[j + k] >> SHIFT);
    for (; j < to; ++j, column += step) add(column, code[j] >> SHIFT);
  }

  void set_tolerance(double before, double unit) {
    if constexpr (R::one_cell)
      if (!features_.empty() && is_cut(features_[0]))
        tolerance_ = before + R::tolerance(column(static_cast<std::size_t>(features_[0])) + BINS) * unit;
  }

  std::size_t columns_, coded_, cuts_;
  int width_;
  std::vector<std::size_t> levels_;  // where the cells of each nominal feature begin
  std::vector<Cell> cells_;
  std::vector<std::int32_t> all_;
  std::span<const std::int32_t> features_;
  double tolerance_ = 0;
};

}  // namespace boxwood::coded

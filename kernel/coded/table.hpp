// The table of a node: what the rows of each feature's bins add up to, kept as sums over all bins below.
// Invariant: entry b of a feature sums the bins before b; tables of two children add up to their parent's, so one is subtracted.
// Cost: about 1 ns a row and feature; features are taken a cache line of codes at a time.
#pragma once

#include <cstring>
#include <vector>

#include "view.hpp"

namespace boxwood::coded {

template <class R>
class BinTable {
 public:
  using Cell = typename R::Cell;

  BinTable(std::size_t columns, int width) : columns_(columns), width_(width), cells_(columns * STEP * width) {}

  // Sums of one feature, a plane of STEP edges for each word of a cell.
  const Cell* plane(std::size_t feature) const { return &cells_[feature * STEP * width_]; }
  double slop() const { return slop_; }

  void clear() {
    std::memset(static_cast<void*>(cells_.data()), 0, cells_.size() * sizeof(Cell));
    slop_ = 0;
  }
  // Bins as they are; `sum_up` makes them sums.
  void add(const R& y, const View& view, const u32* ids, std::size_t count) {
    constexpr std::size_t LINE = 32, AHEAD = 12;
    for (std::size_t from = 0; from < columns_; from += LINE) {
      const std::size_t to = std::min(columns_, from + LINE);
      for (std::size_t i = 0; i < count; ++i) {
        if (i + AHEAD < count) __builtin_prefetch(view.codes + static_cast<std::size_t>(ids[i + AHEAD]) * columns_ + from);
        const Code* code = view.codes + static_cast<std::size_t>(ids[i]) * columns_;
        for (std::size_t j = from; j < to; ++j) y.add(&cells_[j * STEP * width_], (code[j] >> 8) + 1, ids[i]);
      }
    }
  }
  void merge(const BinTable& other) {
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] += other.cells_[i];
  }
  void sum_up() {
    for (std::size_t from = 0; from < cells_.size(); from += STEP)
      for (int b = 1; b < STEP; ++b) cells_[from + b] += cells_[from + b - 1];
    set_slop(0.0, 1.3e-16);
  }
  // From the parent's table to the other child's.
  void subtract(const BinTable& child) {
    const double before = slop_ + child.slop_;
    set_slop(before, 4e-16);
    for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i] -= child.cells_[i];
  }

 private:
  void set_slop(double before, double unit) {
    if constexpr (requires(Cell c) { c.squares; })
      slop_ = before + plane(0)[BINS].squares * unit * (static_cast<double>(plane(0)[BINS].n) + 1);
  }

  std::size_t columns_;
  int width_;
  std::vector<Cell> cells_;
  double slop_ = 0;
};

}  // namespace boxwood::coded

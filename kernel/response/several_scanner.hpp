// The scan of a sorted list by several responses: what is on the left is kept up with the rows.
// Invariant: as in response/list_scanner.hpp. Cost: a few operations a column and entry.
#pragma once

#include "response/list_scanner.hpp"

namespace boxwood::coded {

// Doubles of a node, one a column, side by side.
using Doubles = CellBuffer<double>;

// Without weights the sums of a list, about the node's means, are whole numbers that doubles hold.
template <class R>
struct SeveralScanner : PlainScanner {
  static constexpr bool weighted = R::weighted;
  using Cell = typename R::Cell;
  using Sums = typename R::Sums;
  typename R::UpperBound bound;
  const R& y;
  CellBuffer<Cell> cells;
  Doubles sums;
  double mass = 0;

  SeveralScanner(const R& y, const Sums& sums, const NodeStats& stats)
      : bound(y, sums, stats), y(y), cells(y.width()), sums(y.columns) {}
  SeveralScanner(const SeveralScanner&) = delete;
  void start() { start(Sums{}); }
  void start(const Sums& first) {
    y.fill(first, cells.data());
    mass = static_cast<double>(first.weight);
    for (int c = 0; c < y.columns; ++c)
      sums.data()[c] = R::centred(cells.data()[c], bound.shift.data()[c], first.weight);
  }
  void add(u32 entry) {
    if constexpr (weighted) {
      y.add(cells.data(), id_of(entry));
      mass = static_cast<double>(y.mass(cells.data()));
    } else {
      const i64* x = y.of_row(id_of(entry));
      for (int c = 0; c < y.columns; ++c) sums.data()[c] += static_cast<double>(x[c] - bound.shift.data()[c]);
      ++mass;
    }
  }
  double off() const {
    if constexpr (weighted) return bound.off(cells.data());
    return bound.off([&](int c) { return sums.data()[c]; }, mass);
  }
  void take_left(i64 rows, Cell* out) const {
    std::copy_n(cells.data(), y.width(), out);
    if constexpr (weighted) return;
    for (int c = 0; c < y.columns; ++c)
      out[c] = static_cast<Cell>(sums.data()[c]) + static_cast<Cell>(bound.shift.data()[c]) * rows;
    out[y.place_of_rows()] = rows;
  }
  bool can_attain(i64) const { return bound.attains(off(), mass); }
  double exact(i64) const { return bound.gain(off(), mass); }
};

}  // namespace boxwood::coded

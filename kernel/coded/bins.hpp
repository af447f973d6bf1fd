// A column cut into bins: how values find theirs, what codes they get.
// Invariant: a value's bin is the number of cuts at or below it. Cost: one look at a table; a search where a cut lies within a cell.
#pragma once

#include <algorithm>
#include <vector>

#include "cells.hpp"

namespace boxwood::coded {

constexpr std::uint32_t MOST_BINS = 65280;

class Bins {
 public:
  // `cuts`: ascending.
  explicit Bins(std::vector<double> cuts) : cuts_(std::move(cuts)), of_cell_(CELLS + 1) {
    std::uint32_t from = 0;  // the first cell not yet known
    for (std::size_t bin = 0; bin < cuts_.size(); ++bin) {
      const std::uint32_t cell = cell_of(cuts_[bin]);
      while (from < cell) of_cell_[from++] = code(bin);
      if (from == cell && ordered_bits(cuts_[bin]) != start_of_cell(cell)) of_cell_[from++] = CUT;
    }
    while (from < CELLS) of_cell_[from++] = code(cuts_.size());
    of_cell_[NO_CELL] = NOTHING;
  }

  std::size_t size() const { return cuts_.size() + 1; }
  // Codes of neighbouring bins lie so far apart; 256 where each bin can have a coarse bin of its own, but the one of missing values.
  std::uint32_t stride() const { return static_cast<std::uint32_t>(size() < BINS ? BINS : (MOST_BINS - 1) / (size() - 1)); }
  Code code(std::size_t bin) const { return static_cast<Code>(bin * stride()); }

  // From cells to codes, in place, `step` apart; `value(r)`: the value in row r. `plane`: for the upper bytes, or nullptr.
  template <class Value>
  void code_cells(Code* codes, std::size_t rows, std::size_t step, const Value& value, std::uint8_t* plane) const {
    if (plane) return code_each(codes, rows, step, value, [&](std::size_t r, Code code) { plane[r] = static_cast<std::uint8_t>(code >> 8); });
    code_each(codes, rows, step, value, [](std::size_t, Code) {});
  }

 private:
  template <class Value, class Then>
  void code_each(Code* codes, std::size_t rows, std::size_t step, const Value& value, const Then& then) const {
    const Code* of_cell = of_cell_.data();
    for (std::size_t r = 0; r < rows; ++r) {
      Code code = of_cell[codes[r * step]];
      if (code == CUT) [[unlikely]] code = this->code(std::upper_bound(cuts_.begin(), cuts_.end(), value(r)) - cuts_.begin());
      codes[r * step] = code;
      then(r, code);
    }
  }

  static constexpr Code CUT = 0xfffe;  // a cut lies in the cell; no bin has this code
  std::vector<double> cuts_;
  std::vector<Code> of_cell_;
};

}  // namespace boxwood::coded

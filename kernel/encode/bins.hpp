// A column cut into bins: how values find theirs, what codes they get.
// Invariant: a value's bin is the number of cuts at or below it. Cost: one look at a table; a search where a cut lies
// within a cell.
#pragma once

#include <algorithm>
#include <vector>

#include "encode/bin_cuts.hpp"
#include "encode/bin_extremes.hpp"

namespace boxwood::coded {

constexpr std::uint32_t MOST_BINS = 65280;

// Where the bins go besides: for each row the number of its bin, and whether its value may end it.
struct Beside {
  std::uint8_t* plane = nullptr;  // of marked bins
  Fringe* fringes = nullptr;
};

class Bins {
 public:
  // `met`: only values of these magnitudes will be asked about. `marked`: of at most 255 bins, whose codes then leave a
  // byte for the ends that may lie in a cell.
  Bins(Cuts::Found found, const Magnitudes& met, bool marked)
      : cuts_(std::move(found.cuts)), met_(met), marked_(marked), of_cell_(room_for<Code>(CELLS + 1)) {
    std::uint32_t from = 0;  // the first cell not yet known
    for (std::size_t bin = 0; bin < cuts_.size(); ++bin) {
      const std::uint32_t cell = cell_of(cuts_[bin]);
      fill(from, cell, code(bin));
      from = std::max(from, cell);
      if (from == cell && ordered_bits(cuts_[bin]) != start_of_cell(cell)) of_cell_[from++] = CUT;
    }
    fill(from, CELLS, code(cuts_.size()));
    of_cell_[NO_CELL] = NOTHING;
    if (!marked_) return;
    for (const double cut : cuts_) mark(cell_of(cut), FIRST);
    for (const std::uint16_t cell : found.last) mark(cell, LAST);
  }

  std::size_t size() const { return cuts_.size() + 1; }
  // Codes of neighbouring bins lie so far apart; 256 where each bin can have a coarse bin of its own, but the one of
  // missing values.
  std::uint32_t stride() const {
    return static_cast<std::uint32_t>(size() < BINS ? BINS : (MOST_BINS - 1) / (size() - 1));
  }
  Code code(std::size_t bin) const { return static_cast<Code>(bin * stride()); }

  // From cells to codes, in place, `step` apart; `value(r)`: the value in row r. Codes of marked bins keep the ends of
  // their cells.
  template <class Value>
  void code_cells(Code* codes, std::size_t rows, std::size_t step, const Value& value, const Beside& beside) const {
    const Code* of_cell = of_cell_.get();
    Code entries[AT_ONCE];
    for (std::size_t from = 0; from < rows; from += AT_ONCE) {
      const std::size_t to = std::min(rows, from + AT_ONCE);
      for (std::size_t r = from; r < to; ++r) {
        Code entry = of_cell[codes[r * step]];
        if (entry == CUT) [[unlikely]]
          entry = entry_of(value(r));
        codes[r * step] = entry;
        entries[r - from] = entry;
      }
      if (marked_) part_entries(entries, to - from, beside.plane + from, beside.fringes + from / 64);
    }
  }

 private:
  static constexpr std::size_t AT_ONCE = 512;

  void mark(std::uint16_t cell, std::uint8_t ends) {
    if (of_cell_[cell] != CUT) of_cell_[cell] |= ends;
  }
  // Of a value in a cell in which a cut lies.
  Code entry_of(double value) const {
    const Code code = this->code(bin_of(value));
    return marked_ ? code | FIRST | LAST : code;
  }

  // Without a jump, which would be guessed wrong every other time.
  std::size_t bin_of(double value) const {
    const std::size_t n = cuts_.size();
    std::size_t bin = 0;
    for (std::size_t half = std::bit_floor(n); half > 0; half /= 2) {
      const std::size_t at = std::min(bin + half, n);
      bin += half & (0 - static_cast<std::size_t>((bin + half <= n) & (cuts_[at - 1] <= value)));
    }
    return bin;
  }

  void fill(std::uint32_t from, std::uint32_t to, Code code) {
    each_met(from, to, [&](std::uint32_t begin, std::uint32_t end) {
      std::fill(of_cell_.get() + begin, of_cell_.get() + end, code);
    });
  }
  // Runs then(begin, end) for the runs of cells, among some, in stretches that were met.
  template <class Then>
  void each_met(std::uint32_t from, std::uint32_t to, const Then& then) const {
    constexpr std::uint32_t MIDDLE = 32768, NEAR = STRETCH;
    const auto low = static_cast<std::uint32_t>(met_.least * STRETCH),
               high = static_cast<std::uint32_t>((met_.most + 1) * STRETCH);
    const auto run = [&](std::uint32_t begin, std::uint32_t end) {
      begin = std::max(begin, from);
      end = std::min(end, to);
      if (begin < end) then(begin, end);
    };
    if (low < high) run(MIDDLE - high, MIDDLE - low);
    run(MIDDLE - NEAR, MIDDLE + NEAR);
    if (low < high) run(MIDDLE + low, MIDDLE + high);
  }

  static constexpr Code CUT = 0xfffe;  // a cut lies in the cell; no bin has this code
  std::vector<double> cuts_;
  Magnitudes met_;
  bool marked_;
  Room<Code> of_cell_;  // with the ends of its bin that may lie in it
};

// Codes of marked bins without the ends; a missing value stays.
BOXWOOD_CLONES inline void unmark(Code* codes, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) codes[i] = codes[i] < MOST_BINS ? codes[i] & 0xff00 : codes[i];
}

}  // namespace boxwood::coded

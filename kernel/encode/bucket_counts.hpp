// How many rows each cell of some columns holds.
// Invariant: no count is read, nor counted up, before it was set to 0; only stretches of cells where values come are.
// What parts of the rows are counted apart is added up when it is asked for. Cost: 0.5 ns a value; 256 bytes set for
// each stretch met, of each member.
#pragma once

#include "encode/coarse_buckets.hpp"
#include "parallel/arena.hpp"

namespace boxwood::coded {

// The counts of one member.
class CellCounts {
 public:
  explicit CellCounts(std::size_t columns) : counts_(room_for<std::uint32_t>(columns * SIZE)), met_(columns) {
    clear();
  }

  // Forgets all that was counted.
  void clear() { std::fill(met_.begin(), met_.end(), Magnitudes{}); }

  // Counts cells of column c, `step` apart, whose magnitudes are known.
  void add(std::size_t c, const std::uint16_t* cells, std::size_t rows, std::size_t step, const Magnitudes& of) {
    open(c, of);
    std::uint32_t* counts = this->counts(c);
    for (std::size_t r = 0; r < rows; ++r) ++counts[cells[r * step]];
  }

  const Magnitudes& met(std::size_t c) const { return met_[c]; }
  // The counts of the stretch that begins at a cell of column c; nullptr = none of its cells was met.
  const std::uint32_t* stretch(std::size_t c, std::uint32_t from) const {
    return met_[c].holds(from) ? counts(c) + from : nullptr;
  }

 private:
  static constexpr std::size_t SIZE = CELLS + 1;

  std::uint32_t* counts(std::size_t c) const { return counts_.get() + c * SIZE; }

  void open(std::size_t c, const Magnitudes& of) {
    Magnitudes& met = met_[c];
    if (met.covers(of)) return;
    Magnitudes wider = met;
    wider.join(of);
    for (std::uint32_t from = 0; from < SIZE; from += STRETCH)
      if (wider.holds(from) && !met.holds(from)) std::fill_n(counts(c) + from, STRETCH, 0u);
    met = wider;
  }

  Room<std::uint32_t> counts_;
  std::vector<Magnitudes> met_;  // of each column
};

}  // namespace boxwood::coded

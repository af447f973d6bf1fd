// The bins of a column, by the cuts between them: which bin a value falls into, and the values at the ends of each bin.
// Invariant: a value's bin is the number of cuts at or below it. Cost: a look at a table, and a bisection where a cut
// lies in the value's cell; about 2 ns a value.
#pragma once

#include "encode/cells.hpp"
#include "encode/columns.hpp"

namespace boxwood::coded {

constexpr std::uint32_t MOST_BINS = 65280;

class CutTable {
 public:
  // `cuts`: ascending.
  explicit CutTable(std::vector<double> cuts) : cuts_(std::move(cuts)), before_(CELLS + 1) {
    std::uint32_t from = 0;  // the first cell not yet known
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      const std::uint32_t cell = cell_of(cuts_[i]);
      // no value of a cell lies below a cut at its start
      const std::uint32_t end = ordered_bits(cuts_[i]) == start_of_cell(cell) ? cell : cell + 1;
      if (end > from) std::fill(before_.begin() + from, before_.begin() + end, static_cast<std::uint16_t>(i));
      from = std::max(from, end);
    }
    std::fill(before_.begin() + from, before_.end(), static_cast<std::uint16_t>(cuts_.size()));
  }

  std::size_t size() const { return cuts_.size(); }
  // The number of cuts at or below a value that is not NaN.
  std::size_t bin_of(double value) const { return bin_of(value, cell_of(value)); }
  // The same where its cell is known.
  std::size_t bin_of(double value, std::uint16_t cell) const {
    const std::size_t first = before_[cell], last = before_[cell + std::size_t{1}];
    if (first == last) [[likely]]
      return first;
    return static_cast<std::size_t>(std::upper_bound(cuts_.begin() + static_cast<std::ptrdiff_t>(first),
                                                     cuts_.begin() + static_cast<std::ptrdiff_t>(last), value) -
                                    cuts_.begin());
  }

 private:
  std::vector<double> cuts_;
  std::vector<std::uint16_t> before_;  // cuts below all values of each cell; behind the last cell, all
};

// Least and greatest value of each bin; infinities the wrong way round where it has none.
struct BinEnds {
  std::vector<double> first, last;

  explicit BinEnds(std::size_t bins)
      : first(bins, std::numeric_limits<double>::infinity()), last(bins, -std::numeric_limits<double>::infinity()) {}
  void add(std::size_t bin, double value) { join(bin, value, value); }
  void add(const BinEnds& o) {
    for (std::size_t bin = 0; bin < first.size(); ++bin) join(bin, o.first[bin], o.last[bin]);
  }
  // Midway between the greatest value of each bin and the least one of the next; behind the last bin its greatest
  // value.
  std::vector<double> thresholds() const {
    std::vector<double> out = last;
    for (std::size_t bin = 0; bin + 1 < out.size(); ++bin) out[bin] = cut_between(last[bin], first[bin + 1]);
    return out;
  }

 private:
  void join(std::size_t bin, double least, double most) {
    first[bin] = std::min(first[bin], least);
    last[bin] = std::max(last[bin], most);
  }
};

}  // namespace boxwood::coded

// The bins of a column, by the cuts between them: which bin a value falls into, and the values at the ends of each bin.
// Invariant: a value's bin is the number of cuts at or below it. Cost: a table lookup, and a comparison for each
// doubling of the cuts in the fullest cell; 2 to 5 ns a value.
#pragma once

#include "encode/cells.hpp"
#include "encode/columns.hpp"

namespace boxwood::coded {

constexpr std::uint32_t MOST_BINS = 255;  // each has a coarse bin of its own, and missing values have one more

class CutTable {
 public:
  // `cuts`: ascending. For few `values` they are bisected.
  explicit CutTable(std::vector<double> cuts, std::size_t values = FEW) : cuts_(std::move(cuts)), size_(cuts_.size()) {
    if (cuts_.empty()) return;
    values < FEW ? before_.assign({0, static_cast<std::uint16_t>(size_)}) : fill_cells();
    for (std::size_t at = 1; at < before_.size(); ++at)
      while (before_[at] >= before_[at - 1] + 2 * step_) step_ *= 2;
    cuts_.resize(size_ + 2 * step_, std::numeric_limits<double>::quiet_NaN());  // cuts that no value reaches
  }

  std::size_t size() const { return size_; }
  // The number of cuts at or below a value that is not NaN.
  std::size_t bin_of(double value) const { return bin_of(value, cell_of(value)); }
  // The same where its cell is known.
  std::size_t bin_of(double value, std::uint16_t cell) const {
    if (cuts_.empty()) return 0;
    const std::size_t at = std::clamp<std::size_t>(cell, first_, first_ + before_.size() - 2) - first_;
    std::size_t bin = before_[at];
    // As many steps for every cell, without a branch on the value; of few values, most lie in a cell with one cut.
    for (std::size_t step = step_; step > 1; step /= 2) bin += cuts_[bin + step - 1] <= value ? step : 0;
    return bin + (cuts_[bin] <= value);
  }

 private:
  static constexpr std::size_t FEW = 4096;

  void fill_cells() {
    first_ = std::max<std::uint32_t>(cell_of(cuts_.front()), 1) - 1;
    before_.reserve(cell_of(cuts_.back()) + std::size_t{3} - first_);
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
      const std::uint32_t cell = cell_of(cuts_[i]);
      // no value of a cell lies below a cut at its start
      const std::size_t end = (ordered_bits(cuts_[i]) == start_of_cell(cell) ? cell : cell + 1) - first_;
      if (end > before_.size()) before_.resize(end, static_cast<std::uint16_t>(i));
    }
    before_.resize(before_.capacity(), static_cast<std::uint16_t>(cuts_.size()));
  }

  std::vector<double> cuts_;
  std::size_t size_, step_ = 1;  // no cell has more than 2 step_ - 1 cuts
  std::uint32_t first_ = 0;  // the cell before that of the first cut
  std::vector<std::uint16_t> before_;  // cuts below all values of each cell from there to the one behind the last cut
};

// Least and greatest value of each bin; inverted infinities where it has none.
struct BinEnds {
  std::vector<double> first, last;

  explicit BinEnds(std::size_t bins) { resize(bins); }
  void resize(std::size_t bins) {
    first.resize(bins, std::numeric_limits<double>::infinity());
    last.resize(bins, -std::numeric_limits<double>::infinity());
  }
  // Almost no value is a new end of its bin, which branches make use of.
  void add(std::size_t bin, double value) {
    if (value < first[bin]) first[bin] = value;
    if (value > last[bin]) last[bin] = value;
  }
  void add(const BinEnds& o) {
    for (std::size_t bin = 0; bin < first.size(); ++bin) {
      first[bin] = std::min(first[bin], o.first[bin]);
      last[bin] = std::max(last[bin], o.last[bin]);
    }
  }
  // A short number between the greatest value of each bin and the least one of the next; behind the last bin its
  // greatest value.
  std::vector<double> thresholds() const {
    std::vector<double> out = last;
    for (std::size_t bin = 0; bin + 1 < out.size(); ++bin) out[bin] = cut_between(last[bin], first[bin + 1], true);
    return out;
  }
};

}  // namespace boxwood::coded

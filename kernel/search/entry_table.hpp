// One feature at one node as entries summed beforehand: its bins or levels, and the exact values of opened bins.
// Invariant: entries are in rising order; every opened bin is there whole, value by value, so that nothing is counted
// twice. Cost: one pass over the entries a walk.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "encode/columns.hpp"
#include "response/node_stats.hpp"

namespace boxwood::coded {

struct FeatureShape {
  Kind kind;
  u32 size;  // bins or levels
};

// One side of a cut: an exact value or level, or the last or first value of a bin that is still closed.
struct CutEnd {
  bool exact = true;
  Cut at;
  u32 bin = 0;

  // The values of a closed bin are known: its last one is below the cut, or its first one above.
  void resolve(u32 opened, const Cut& value) {
    if (!exact && bin == opened) *this = {true, value, bin};
  }
};

// Rows, weights, and what else the rows of each entry add up to: `width` cells each.
template <class Cell>
struct EntrySums {
  std::vector<i64> rows, weights;
  std::vector<Cell> cells;

  std::size_t width() const { return cells.size() / rows.size(); }
  const Cell* cell(std::size_t entry) const { return &cells[entry * width()]; }
};

template <class Cell>
struct EntryTable {
  EntrySums<Cell> bins;  // the last entry: missing values
  std::vector<std::uint8_t> opened;  // bins that are known value by value
  std::vector<Cut> values;  // of opened bins, rising
  std::vector<u32> bin_of;  // of each value
  EntrySums<Cell> exact;

  std::size_t size() const { return bins.rows.empty() ? 0 : bins.rows.size() - 1; }
  // Whether a cut inside a bin is possible.
  bool can_open(std::size_t bin) const { return bins.rows[bin] > 1 && (opened.empty() || !opened[bin]); }
  i64 rows_missing() const { return bins.rows.back(); }
  const Cell* cell(std::size_t bin) const { return bins.cell(bin); }
  const Cell* missing() const { return cell(size()); }

  void open(std::vector<Cut> of_value, std::vector<u32> bin_of_value, EntrySums<Cell> sums) {
    values = std::move(of_value);
    bin_of = std::move(bin_of_value);
    exact = std::move(sums);
    opened.assign(size(), 0);
    for (const u32 bin : bin_of) opened[bin] = 1;
  }

  // visit(end, rows, weight, cell) in rising order: closed bins as one entry, opened ones value by value.
  template <class Visit>
  void each(const Visit& visit) const {
    std::size_t v = 0;
    for (std::size_t b = 0; b < size(); ++b) {
      const u32 bin = static_cast<u32>(b);
      if (opened.empty() || !opened[b]) {
        if (bins.rows[b] > 0) visit(CutEnd{false, {}, bin}, bins.rows[b], bins.weights[b], cell(b));
        continue;
      }
      for (; v < values.size() && bin_of[v] == b; ++v)
        visit(CutEnd{true, values[v], bin}, exact.rows[v], exact.weights[v], exact.cell(v));
    }
  }
};

}  // namespace boxwood::coded

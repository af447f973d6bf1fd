// One feature at one node as the sum of all shards: its bins or levels, and the exact values of opened bins.
// Invariant: entries are in rising order; every opened bin is there whole, value by value, so that nothing is counted
// twice. Cost: one pass over the entries a walk.
#pragma once

#include "shards/level.hpp"

namespace boxwood::sharded {

// One side of a cut: an exact value or level, or the last or first value of a bin that is still closed.
struct End {
  bool exact = true;
  Cut at;
  u32 bin = 0;

  // The values of a closed bin are known: its last one is below the cut, or its first one above.
  void resolve(u32 opened, const Cut& value) {
    if (!exact && bin == opened) *this = {true, value, bin};
  }
};

template <class Cell>
struct EntrySums {
  std::vector<i64> rows, weights;
  std::vector<Cell> cells;  // `width` an entry

  // `y`: what the words are sums of (words.hpp).
  template <class R>
  void read_all(const R& y, const Given& given) {
    const auto width = static_cast<std::size_t>(y.width());
    rows.assign(given.rows, given.rows + given.count);
    weights.resize(given.count);
    cells.resize(given.count * width);
    for (std::size_t e = 0; e < given.count; ++e) {
      weights[e] = weight_of(y, given.entry(e));
      read(y, given.entry(e), &cells[e * width]);
    }
  }
};

template <class Cell>
struct FeatureTable {
  EntrySums<Cell> bins;  // the last entry: missing values
  std::vector<std::uint8_t> opened;  // bins that are known value by value
  std::vector<Cut> values;  // of opened bins, rising
  std::vector<u32> bin_of;  // of each value
  EntrySums<Cell> exact;

  std::size_t size() const { return bins.rows.empty() ? 0 : bins.rows.size() - 1; }
  std::size_t width() const { return bins.cells.size() / bins.rows.size(); }
  // Whether a cut may stand inside a bin.
  bool can_open(std::size_t bin) const { return bins.rows[bin] > 1 && (opened.empty() || !opened[bin]); }
  i64 rows_missing() const { return bins.rows.back(); }
  const Cell* cell(std::size_t bin) const { return &bins.cells[bin * width()]; }
  const Cell* missing() const { return cell(size()); }

  template <class R>
  void open(const R& y, const OpenedValues& given, const Given& sums) {
    values.clear();
    for (std::size_t v = 0; v < sums.count; ++v) values.push_back({given.value[v], given.low ? given.low[v] : 0.0});
    bin_of.assign(given.bin, given.bin + sums.count);
    opened.assign(size(), 0);
    for (const u32 bin : bin_of) opened[bin] = 1;
    exact.read_all(y, sums);
  }

  // visit(end, rows, weight, cell) in rising order: closed bins as one entry, opened ones value by value.
  template <class Visit>
  void each(const Visit& visit) const {
    std::size_t v = 0;
    for (std::size_t b = 0; b < size(); ++b) {
      const u32 bin = static_cast<u32>(b);
      if (opened.empty() || !opened[b]) {
        if (bins.rows[b] > 0) visit(End{false, {}, bin}, bins.rows[b], bins.weights[b], cell(b));
        continue;
      }
      for (; v < values.size() && bin_of[v] == b; ++v)
        visit(End{true, values[v], bin}, exact.rows[v], exact.weights[v], &exact.cells[v * width()]);
    }
  }
};

// A cut between two ends as a row of the tables of a grown level; `above` is null when every known value is below.
inline void push_cut(const FeatureShape& shape, std::int32_t feature, bool flipped, const End& below, const End* above,
                     SplitRows& to) {
  Column column;
  column.kind = shape.kind;
  if (shape.kind == Kind::ordinal) {
    to.push_cut(feature, above ? cut_between(column, below.bin, above->bin) : Cut{below.bin + 0.5, 0.0}, flipped);
    return;
  }
  if (above) {
    column.values = {below.at.value, above->at.value};
    column.lows = {below.at.low, above->at.low};
  }
  to.push_cut(feature, above ? cut_between(column, 0, 1) : below.at, flipped);
}

}  // namespace boxwood::sharded

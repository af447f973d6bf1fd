// Where columns are cut into bins of about equal numbers of rows, from counts alone.
// Invariant: cuts depend on nothing but how often each value occurs: not on the order of rows, not on who counts; counts of parts of
// the data add up. A value's bin is the number of cuts at or below it.
// Cost: about 2 ns a value; two more passes where a cell of the first count holds more rows than a bin should, and again within it.
#pragma once

#include <bit>
#include <unordered_set>

#include "../threads.hpp"
#include "clones.hpp"
#include "coding.hpp"
#include "room.hpp"

namespace boxwood::coded {

constexpr std::uint32_t CELLS = 65536, MOST_BINS = 65280;
constexpr std::uint64_t SMALLEST = std::uint64_t{896} << 7;  // magnitudes below 2**-127 share a cell, and those above 2**129

// The cell of a value, in the order of values: 128 cells for each power of two.
inline std::uint16_t cell_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  auto magnitude = static_cast<std::int32_t>((bits << 1) >> 46) - static_cast<std::int32_t>(SMALLEST);
  magnitude = magnitude < 0 ? 0 : magnitude > 32767 ? 32767 : magnitude;
  return static_cast<std::uint16_t>(bits >> 63 ? 32767 - magnitude : 32768 + magnitude);
}

// The least key (ordered_bits) of a cell.
inline std::uint64_t start_of_cell(std::uint32_t cell) {
  constexpr std::uint64_t ZERO = std::uint64_t{1} << 18;
  if (cell == 0) return 0;
  if (cell < 32768) return (ZERO - 1 - SMALLEST - (32767 - cell)) << 45;
  return (cell == 32768 ? ZERO : ZERO + SMALLEST + (cell - 32768)) << 45;
}

inline std::uint64_t last_of_cell(std::uint32_t cell) { return cell + 1 < CELLS ? start_of_cell(cell + 1) - 1 : ~std::uint64_t{0}; }

inline double value_of_key(std::uint64_t key) { return std::bit_cast<double>(key >> 63 ? key ^ std::uint64_t{1} << 63 : ~key); }

#define BOXWOOD_CELLS(T)                                                                                                        \
  BOXWOOD_CLONES inline bool cells_of(const T* values, std::ptrdiff_t step, std::size_t rows, std::uint16_t* out) {             \
    int missing = 0;                                                                                                            \
    for (std::size_t r = 0; r < rows; ++r) {                                                                                    \
      const double value = values[static_cast<std::ptrdiff_t>(r) * step];                                                       \
      missing |= value != value;                                                                                                \
      out[r] = cell_of(value);                                                                                                  \
    }                                                                                                                           \
    return missing != 0;                                                                                                        \
  }
BOXWOOD_CELLS(double)
BOXWOOD_CELLS(float)
#undef BOXWOOD_CELLS

class BinFinder {
 public:
  // At most `most` bins a column.
  BinFinder(const std::vector<RawColumn>& raw, std::size_t n, std::uint32_t most, Team& team) : raw_(raw), n_(n), most_(most), team_(team) {}

  // Cuts of each column, ascending; none where the column has at most `most` values.
  std::vector<std::vector<double>> cuts() {
    std::vector<std::vector<double>> out(raw_.size());
    for (std::size_t first = 0; first < raw_.size(); first += TOGETHER) {
      const std::size_t width = std::min(TOGETHER, raw_.size() - first);
      count(first, width);
      team_.run(width, [&](std::size_t c, int) { out[first + c] = cuts_of(raw_[first + c], take_cells(c)); });
    }
    return out;
  }

 private:
  static constexpr std::size_t TOGETHER = 16, CHUNK = 128, CHUNKS = 32, STRETCH = 64;
  static constexpr int MOST_ROUNDS = 9;

  // Keys from `start` to `last`.
  struct Cell {
    std::uint64_t start, last;
    std::uint64_t rows;
    bool single;  // all rows have one value
  };
  // A cell with more rows than a bin should have, seen closer.
  struct Zone {
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    int shift = 0;
    std::vector<std::uint32_t> counts;
  };

  void count(std::size_t first, std::size_t width) {
    if (counts_.empty()) {
      const std::size_t size = std::min(TOGETHER, raw_.size()) * CELLS;
      for (int m = 0; m < team_.size(); ++m) counts_.push_back(room_for<std::uint32_t>(size));
      team_.run(counts_.size(), [&](std::size_t m, int) { std::fill_n(counts_[m].get(), size, 0u); });
    }
    // A few rows at a time, so that they stay in the cache while column after column is counted.
    team_.run((n_ + CHUNK * CHUNKS - 1) / (CHUNK * CHUNKS), [&](std::size_t i, int member) {
      const std::size_t end = std::min(n_, (i + 1) * CHUNK * CHUNKS);
      for (std::size_t from = i * CHUNK * CHUNKS; from < end; from += CHUNK)
        for (std::size_t c = 0; c < width; ++c) count_values(raw_[first + c], from, std::min(CHUNK, end - from), counts_[member].get() + c * CELLS);
    });
  }

  static void count_values(const RawColumn& column, std::size_t from, std::size_t rows, std::uint32_t* counts) {
    std::uint16_t cells[CHUNK];
    const bool missing = column.narrow ? coded::cells_of(column.floats() + column.place(from), column.step, rows, cells)
                                       : coded::cells_of(column.doubles() + column.place(from), column.step, rows, cells);
    for (std::size_t r = 0; r < rows; ++r) ++counts[cells[r]];
    for (std::size_t r = 0; missing && r < rows; ++r) counts[cells[r]] -= std::isnan(column[from + r]);
  }

  // The cells that hold rows; what was counted is 0 again.
  std::vector<Cell> take_cells(std::size_t c) {
    std::vector<Cell> out;
    for (std::uint32_t from = 0; from < CELLS; from += STRETCH) {
      std::uint32_t rows[STRETCH] = {}, any = 0;
      for (const auto& counts : counts_) {
        const std::uint32_t* part = counts.get() + c * CELLS + from;
        for (std::size_t i = 0; i < STRETCH; ++i) any |= rows[i] += part[i];
      }
      if (any == 0) continue;
      for (const auto& counts : counts_) std::fill_n(counts.get() + c * CELLS + from, STRETCH, 0u);
      for (std::uint32_t i = 0; i < STRETCH; ++i) {
        if (rows[i] > 0) out.push_back({start_of_cell(from + i), last_of_cell(from + i), rows[i], false});
      }
    }
    return out;
  }

  std::vector<double> cuts_of(const RawColumn& column, std::vector<Cell> cells) const {
    if (cells.size() <= most_ && !has_more_values(column)) return {};
    std::uint64_t total = 0;
    for (const Cell& cell : cells) total += cell.rows;
    for (int round = 0; round < MOST_ROUNDS; ++round)
      if (!look_closer(column, total, cells)) break;
    std::vector<double> out;
    std::uint64_t before = 0, last = 0;
    for (const Cell& cell : cells) {
      const std::uint64_t bin = (2 * before + cell.rows) * most_ / (2 * total);  // of the middle of the cell
      if (before > 0 && bin != last) out.push_back(value_of_key(cell.start));
      last = bin;
      before += cell.rows;
    }
    return out;
  }

  bool has_more_values(const RawColumn& column) const {
    std::unordered_set<std::uint64_t> met;
    std::vector<std::uint64_t> in_cell(CELLS, 0);  // the value met last
    for (std::size_t i = 0; i < n_; ++i) {
      const double x = column[i];
      if (std::isnan(x)) continue;
      const std::uint64_t key = ordered_bits(x);
      if (std::exchange(in_cell[cell_of(x)], key) != key && met.insert(key).second && met.size() > most_) return true;
    }
    return false;
  }

  template <class Visit>
  void each_in(const RawColumn& column, const std::vector<Cell>& heavy, const Visit& visit) const {
    team_.watch().check();
    for (std::size_t i = 0; i < n_; ++i) {
      const double x = column[i];
      if (std::isnan(x)) continue;
      const std::uint64_t key = ordered_bits(x);
      const auto after = std::upper_bound(heavy.begin(), heavy.end(), key, [](std::uint64_t k, const Cell& cell) { return k < cell.start; });
      if (after != heavy.begin() && key <= (after - 1)->last) visit(static_cast<std::size_t>(after - heavy.begin()) - 1, key);
    }
  }

  // Cuts cells of more rows than a bin should have into smaller ones; false when there are none.
  bool look_closer(const RawColumn& column, std::uint64_t total, std::vector<Cell>& cells) const {
    std::vector<Cell> heavy;
    for (const Cell& cell : cells)
      if (cell.rows * most_ > total && !cell.single) heavy.push_back(cell);
    if (heavy.empty()) return false;
    std::vector<Zone> zones(heavy.size());
    each_in(column, heavy, [&](std::size_t z, std::uint64_t key) {
      zones[z].least = std::min(zones[z].least, key);
      zones[z].most = std::max(zones[z].most, key);
    });
    const int parts = zones.size() > 1024 ? 4 : 8;  // bits
    for (Zone& zone : zones) {
      zone.shift = std::max(0, static_cast<int>(std::bit_width(zone.most - zone.least)) - parts);
      zone.counts.resize(std::size_t{1} << parts);
    }
    each_in(column, heavy, [&](std::size_t z, std::uint64_t key) { ++zones[z].counts[(key - zones[z].least) >> zones[z].shift]; });
    std::vector<Cell> closer;
    std::size_t z = 0;
    for (const Cell& cell : cells) {
      if (z == heavy.size() || cell.start != heavy[z].start) {
        closer.push_back(cell);
        continue;
      }
      const Zone& zone = zones[z++];
      for (std::uint64_t i = 0; i < zone.counts.size(); ++i) {
        const std::uint64_t start = zone.least + (i << zone.shift), width = (std::uint64_t{1} << zone.shift) - 1;
        if (zone.counts[i] > 0) closer.push_back({start, std::min(start + width, zone.most), zone.counts[i], zone.shift == 0});
      }
    }
    cells.swap(closer);
    return true;
  }

  const std::vector<RawColumn>& raw_;
  std::size_t n_;
  std::uint32_t most_;
  Team& team_;
  std::vector<Room<std::uint32_t>> counts_;  // of each member
};

// A column cut into bins: how values find theirs, and the values at the ends of each.
class Bins {
 public:
  struct Ends {
    double first = std::numeric_limits<double>::infinity(), last = -first;
  };

  explicit Bins(std::vector<double> cuts) : cuts_(std::move(cuts)), of_cell_(CELLS), ends_(size()) {
    std::uint32_t from = 0;  // the first cell not yet known
    for (std::size_t bin = 0; bin < cuts_.size(); ++bin) {
      const std::uint32_t cell = cell_of(cuts_[bin]);
      while (from < cell) of_cell_[from++] = static_cast<std::uint16_t>(bin);
      if (from == cell && ordered_bits(cuts_[bin]) != start_of_cell(cell)) of_cell_[from++] = CUT;
    }
    while (from < CELLS) of_cell_[from++] = static_cast<std::uint16_t>(cuts_.size());
  }

  std::size_t size() const { return cuts_.size() + 1; }
  // Codes of neighbouring bins lie so far apart; 256 where each bin can have a coarse bin of its own, but the one of missing values.
  std::uint32_t stride() const { return static_cast<std::uint32_t>(size() < BINS ? BINS : (MOST_BINS - 1) / (size() - 1)); }
  std::uint32_t bin(std::uint16_t cell, double x) const {
    if (of_cell_[cell] != CUT) return of_cell_[cell];
    return static_cast<std::uint32_t>(std::upper_bound(cuts_.begin(), cuts_.end(), x) - cuts_.begin());
  }
  void join(const std::vector<Ends>& part) {
    for (std::size_t b = 0; b < ends_.size(); ++b) ends_[b] = {std::min(ends_[b].first, part[b].first), std::max(ends_[b].last, part[b].last)};
  }
  const std::vector<Ends>& ends() const { return ends_; }

 private:
  static constexpr std::uint16_t CUT = 0xFFFF;
  std::vector<double> cuts_;
  std::vector<std::uint16_t> of_cell_;  // CUT: a cut lies in the cell
  std::vector<Ends> ends_;
};

}  // namespace boxwood::coded

// What a shard adds up of its own rows: sums of nodes, tables of bins and levels, exact values inside some bins.
// Invariant: everything handed out adds up over shards (whole numbers), so the sum is the same for any shards in any
// order. Cost: one read of a column's codes and 1-3 ns a cell; a sort of the rows whose bins are opened.
#pragma once

#include <algorithm>
#include <limits>

#include "shards/words.hpp"

namespace boxwood::sharded {

// The samples of a shard and the place each is counted at: a requested node, or -1. A sample is a row, or with
// `rows` a part of the row that it names; columns are read by row, the response by sample.
struct Places {
  const std::int16_t* of = nullptr;
  std::size_t n = 0, count = 0;
  const u32* rows = nullptr;
  std::vector<u32>
      placed;  // the samples that are at a place, when some are not: a loop over them has no unpredictable branch
  bool all_placed = true;

  Places(const std::int16_t* places, std::size_t samples, std::size_t n_places)
      : of(places), n(samples), count(n_places) {
    std::size_t found = 0;
    for (std::size_t i = 0; i < n; ++i) found += of[i] >= 0;
    all_placed = found == n;
    if (all_placed) return;
    placed.resize(found + 1);
    for (std::size_t i = 0, at = 0; i < n; ++i) {
      placed[at] = static_cast<u32>(i);
      at += of[i] >= 0;
    }
    placed.pop_back();
  }
  std::size_t row(std::size_t i) const { return rows ? rows[i] : i; }
  // Every sample that is at a place, and the place.
  template <class Task>
  void each(const Task& task) const {
    if (all_placed)
      for (std::size_t i = 0; i < n; ++i) task(i, static_cast<std::size_t>(of[i]));
    else
      for (const u32 i : placed) task(std::size_t{i}, static_cast<std::size_t>(of[i]));
  }
};

// `Cell`: 32 bits do for rows that count one.
template <class Number>
struct ClassAdder {
  using Cell = Number;
  const std::int32_t* codes;
  const i64* weight;
  int n_classes;

  std::size_t stride() const { return static_cast<std::size_t>(n_classes) + (weight ? 1 : 0); }
  void add(Cell* at, std::size_t i, std::size_t) const {
    at[codes[i]] += static_cast<Cell>(weight ? weight[i] : 1);
    if (weight) ++at[n_classes];
  }
  void put(const Cell* at, Entries& out) const {
    i64 rows = 0;
    for (int k = 0; k < n_classes; ++k) rows += at[k];
    out.rows.push_back(weight ? at[n_classes] : rows);
    out.words.insert(out.words.end(), at, at + n_classes);
  }
};

// Classes with case weights: rows of each class, then their weights.
struct CaseAdder {
  using Cell = i64;
  const std::int32_t* codes;
  const i64* weight;
  int n_classes;

  std::size_t stride() const { return 2 * static_cast<std::size_t>(n_classes); }
  void add(Cell* at, std::size_t i, std::size_t) const {
    ++at[codes[i]];
    at[n_classes + codes[i]] += weight ? weight[i] : 1;
  }
  void put(const Cell* at, Entries& out) const {
    out.rows.push_back(std::accumulate(at, at + n_classes, i64{0}));
    out.words.insert(out.words.end(), at, at + stride());
  }
};

// A numeric target; by its low half where a node's high halves are all the same. `Squares`: exact ones are a
// LongSum; a double is good for bounds only.
template <class Squares>
struct MeanAdder {
  static constexpr bool is_exact = std::is_same_v<Squares, LongSum>;
  struct Cell {
    i64 rows = 0, weight = 0;
    Wide sum = 0;
    Squares squares{};
  };
  const i64 *high, *low, *weight;
  const std::uint8_t* by_low;  // of each place

  std::size_t stride() const { return 1; }
  void add(Cell* at, std::size_t i, std::size_t place) const {
    const i64 w = weight ? weight[i] : 1, d = by_low[place] ? low[i] : high[i];
    ++at->rows;
    at->weight += w;
    at->sum += static_cast<Wide>(w) * d;
    if constexpr (is_exact)
      at->squares.add(static_cast<Wide>(d) * d * w);
    else
      at->squares += static_cast<double>(w) * static_cast<double>(d) * static_cast<double>(d);
  }
  void put(const Cell* at, Entries& out) const {
    out.rows.push_back(at->rows);
    out.words.push_back(at->weight);
    put_wide(at->sum, out.words);
    if constexpr (is_exact)
      put_long(at->squares, out.words);
    else
      out.spread.push_back(at->squares);
  }
};

struct RateAdder {
  struct Cell {
    i64 rows = 0, weight = 0;
    Wide exposure = 0, events = 0;
  };
  const i64 *exposure, *events, *weight;

  std::size_t stride() const { return 1; }
  void add(Cell* at, std::size_t i, std::size_t) const {
    const i64 w = weight ? weight[i] : 1;
    ++at->rows;
    at->weight += w;
    at->exposure += static_cast<Wide>(w) * exposure[i];
    at->events += static_cast<Wide>(w) * events[i];
  }
  void put(const Cell* at, Entries& out) const {
    out.rows.push_back(at->rows);
    out.words.push_back(at->weight);
    put_wide(at->exposure, out.words);
    put_wide(at->events, out.words);
  }
};

// The branch a split takes as the response: weights of branches 0 and 1, and their rows; other rows do not count.
struct BranchAdder {
  struct Cell {
    i64 rows = 0, weight[2] = {0, 0}, of_branch[2] = {0, 0};
  };
  const std::uint8_t* branch;
  const i64* weight;

  std::size_t stride() const { return 1; }
  void add(Cell* at, std::size_t i, std::size_t) const {
    ++at->rows;
    if (branch[i] > 1) return;
    at->weight[branch[i]] += weight ? weight[i] : 1;
    ++at->of_branch[branch[i]];
  }
  void put(const Cell* at, Entries& out) const {
    out.rows.push_back(at->rows);
    out.words.insert(out.words.end(), {at->weight[0], at->weight[1], at->of_branch[0], at->of_branch[1]});
  }
};

// The table of one column: for every place its bins or levels, the missing values last. `cell_of(i)`: the cell of
// sample i.
template <class Adder, class CellOf>
Entries count(const Places& places, std::size_t cells, const CellOf& cell_of, const Adder& adder) {
  const std::size_t stride = adder.stride();
  std::vector<typename Adder::Cell> table(places.count * cells * stride);
  places.each([&](std::size_t i, std::size_t place) {
    adder.add(table.data() + (place * cells + cell_of(i)) * stride, i, place);
  });
  Entries out;
  for (std::size_t at = 0; at < places.count * cells; ++at) adder.put(table.data() + at * stride, out);
  return out;
}

// Exact values with their sums, by place and value; `start` has the first entry of each place.
struct Values {
  std::vector<i64> start{0};
  std::vector<double> value, low;  // whole numbers beyond 2**53 are value + low; low is empty where the column has none
  Entries entries;
};

// The values of a column: doubles with low parts or without, or floats in single precision.
struct ExactValues {
  const float* narrow = nullptr;
  const double *wide = nullptr, *lows = nullptr;

  double raw(std::size_t r) const { return narrow ? static_cast<double>(narrow[r]) : wide[r]; }
  double value(std::size_t r) const { return comparable(raw(r)); }
  double low(std::size_t r) const { return lows ? lows[r] : 0.0; }
  Cut at(std::size_t r) const { return {value(r), low(r)}; }
};

// A sample whose bin is opened.
struct OpenedRow {
  double value, low;
  u32 sample, place;

  bool is_tied(const OpenedRow& other) const {
    return place == other.place && value == other.value && low == other.low;
  }
};

// The samples of some bins by place and exact value; `opened[place * cells + bin]`: which.
inline std::vector<OpenedRow> opened_rows(const Places& places, std::size_t cells, const std::uint16_t* codes,
                                          const ExactValues& column, const std::uint8_t* opened) {
  std::vector<OpenedRow> out;
  places.each([&](std::size_t i, std::size_t place) {
    const std::size_t r = places.row(i);
    if (codes[r] == 0xFFFF || !opened[place * cells + codes[r]]) return;
    out.push_back({column.value(r), column.low(r), static_cast<u32>(i), static_cast<u32>(place)});
  });
  std::sort(out.begin(), out.end(), [](const OpenedRow& a, const OpenedRow& b) {
    if (a.place != b.place) return a.place < b.place;
    return a.value != b.value ? a.value < b.value : a.low < b.low;
  });
  return out;
}

// What those samples add up to; `lows`: whether their values have low parts.
template <class Adder>
Values count_values(std::size_t places, const std::vector<OpenedRow>& rows, bool lows, const Adder& adder) {
  Values out;
  std::vector<typename Adder::Cell> cell(adder.stride());
  std::size_t at = 0;
  for (std::size_t place = 0; place < places; ++place) {
    while (at < rows.size() && rows[at].place == place) {
      const OpenedRow& first = rows[at];
      std::fill(cell.begin(), cell.end(), typename Adder::Cell{});
      for (; at < rows.size() && rows[at].is_tied(first); ++at) adder.add(cell.data(), rows[at].sample, place);
      out.value.push_back(first.value);
      if (lows) out.low.push_back(first.low);
      adder.put(cell.data(), out.entries);
    }
    out.start.push_back(static_cast<i64>(out.value.size()));
  }
  return out;
}

}  // namespace boxwood::sharded

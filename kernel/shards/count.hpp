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

// Deviations from each node's rounded mean; of the fine half where a node's coarse halves are all the same.
struct MeanAdder {
  struct Cell {
    i64 rows = 0, weight = 0;
    Wide sum = 0;
    double spread = 0;
  };
  const i64 *high, *low, *weight;
  const i64* shift;  // of each place
  const std::uint8_t* fine;  // of each place

  std::size_t stride() const { return 1; }
  void add(Cell* at, std::size_t i, std::size_t place) const {
    const i64 w = weight ? weight[i] : 1, d = (fine[place] ? low[i] : high[i]) - shift[place];
    ++at->rows;
    at->weight += w;
    at->sum += static_cast<Wide>(w) * d;
    at->spread += static_cast<double>(w) * static_cast<double>(d) * static_cast<double>(d);
  }
  void put(const Cell* at, Entries& out) const {
    out.rows.push_back(at->rows);
    out.words.push_back(at->weight);
    put_wide(at->sum, out.words);
    out.spread.push_back(at->spread);
  }
};

struct PoissonAdder {
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

  double value(std::size_t r) const {
    return (narrow ? static_cast<double>(narrow[r]) : wide[r]) + 0.0;
  }  // + 0.0: one zero
};

// The rows of some bins by exact value; `opened[place * cells + bin]`: which.
template <class Adder>
Values count_values(const Places& places, std::size_t cells, const std::uint16_t* codes, const ExactValues& column,
                    const std::uint8_t* opened, const Adder& adder) {
  struct Item {
    double value;
    u32 sample;
    std::int16_t place;
  };
  const auto low = [&](const Item& item) { return column.lows ? column.lows[places.row(item.sample)] : 0.0; };
  std::vector<Item> items;
  places.each([&](std::size_t i, std::size_t place) {
    const std::size_t r = places.row(i);
    if (codes[r] == 0xFFFF || !opened[place * cells + codes[r]]) return;
    items.push_back({column.value(r), static_cast<u32>(i), static_cast<std::int16_t>(place)});
  });
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    if (a.place != b.place) return a.place < b.place;
    return a.value != b.value || !column.lows ? a.value < b.value : low(a) < low(b);
  });
  Values out;
  std::vector<typename Adder::Cell> cell(adder.stride());
  std::size_t at = 0;
  for (std::size_t place = 0; place < places.count; ++place) {
    while (at < items.size() && static_cast<std::size_t>(items[at].place) == place) {
      std::fill(cell.begin(), cell.end(), typename Adder::Cell{});
      const double value = items[at].value, rest = low(items[at]);
      for (; at < items.size() && static_cast<std::size_t>(items[at].place) == place && items[at].value == value;
           ++at) {
        if (column.lows && low(items[at]) != rest) break;
        adder.add(cell.data(), items[at].sample, place);
      }
      out.value.push_back(value);
      if (column.lows) out.low.push_back(rest);
      adder.put(cell.data(), out.entries);
    }
    out.start.push_back(static_cast<i64>(out.value.size()));
  }
  return out;
}

// A node of a numeric target: rows, weight, sums and sums of squares of both halves, and their ends.
struct MeanNode {
  i64 rows = 0, weight = 0;
  Wide high = 0, low = 0;
  LongSum high_squares, low_squares;
  i64 least[2], most[2];

  void add(const ResponseColumns& y, std::size_t i) {
    const i64 part[2] = {y.high[i], y.low[i]};
    const Wide w = y.weight_of(static_cast<u32>(i));
    for (int h = 0; h < 2; ++h) {
      least[h] = rows ? std::min(least[h], part[h]) : part[h];
      most[h] = rows ? std::max(most[h], part[h]) : part[h];
    }
    ++rows;
    weight += static_cast<i64>(w);
    high += w * part[0];
    low += w * part[1];
    high_squares.add(static_cast<Wide>(part[0]) * part[0] * w);
    low_squares.add(static_cast<Wide>(part[1]) * part[1] * w);
  }
  void put(std::vector<i64>& words, std::vector<i64>& ends) const {
    words.insert(words.end(), {rows, weight});
    put_wide(high, words);
    put_wide(low, words);
    put_long(high_squares, words);
    put_long(low_squares, words);
    if (rows)
      ends.insert(ends.end(), {least[0], most[0], least[1], most[1]});
    else
      ends.insert(ends.end(), {std::numeric_limits<i64>::max(), std::numeric_limits<i64>::min(),
                               std::numeric_limits<i64>::max(), std::numeric_limits<i64>::min()});
  }
};

// A node of counts: sums, and the first row's exposure and events; in a pure node all others have the same rate.
struct PoissonNode {
  i64 rows = 0, weight = 0, first[2] = {0, 0};
  Wide exposure = 0, events = 0, log = 0;
  bool pure = true;

  void add(const ResponseColumns& y, std::size_t i) {
    if (rows == 0) first[0] = y.high[i], first[1] = y.low[i];
    const Wide w = y.weight_of(static_cast<u32>(i));
    ++rows;
    weight += static_cast<i64>(w);
    exposure += w * y.high[i];
    events += w * y.low[i];
    log += w * y.log[i];
    pure = pure && static_cast<Wide>(y.low[i]) * first[0] == static_cast<Wide>(first[1]) * y.high[i];
  }
  void put(std::vector<i64>& words, std::vector<i64>& ends) const {
    words.insert(words.end(), {rows, weight});
    put_wide(exposure, words);
    put_wide(events, words);
    put_wide(log, words);
    ends.insert(ends.end(), {first[0], first[1], pure ? 1 : 0});
  }
};

struct ClassNode {
  i64 rows = 0;
  std::vector<i64> classes;

  void add(const ResponseColumns& y, std::size_t i) {
    classes.resize(static_cast<std::size_t>(y.n_classes));
    ++rows;
    classes[static_cast<std::size_t>(y.codes[i])] += y.weight_of(static_cast<u32>(i));
  }
  void put(const ResponseColumns& y, std::vector<i64>& words) const {
    words.push_back(rows);
    for (int k = 0; k < y.n_classes; ++k) words.push_back(classes.empty() ? 0 : classes[static_cast<std::size_t>(k)]);
  }
};

}  // namespace boxwood::sharded

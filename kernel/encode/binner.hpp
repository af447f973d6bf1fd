// Cuts columns of many values into bins and codes them by their bins.
// Invariant: as in encode/bin_cuts.hpp and bins.hpp; every row is counted, and nothing depends on who counts which.
// Cost: about 4 ns a value. The values are read twice, and once more as long as a cell holds more rows than a bin
// should; of few rows once, about 12 ns a value, and 16 bytes a row and worker twice.
#pragma once

#include <utility>

#include "encode/bin_cuts.hpp"
#include "encode/coded_columns.hpp"

namespace boxwood::coded {

class Binner {
 public:
  // At most `most` bins a column.
  Binner(CodedColumns& of, std::uint32_t most, ThreadPool& pool) : of_(of), most_(most), pool_(pool) {}

  // Columns of numbers that have more values than `most`.
  void bin(const std::vector<std::size_t>& columns) {
    if (of_.n <= FEW_ROWS) return bin_sorted(columns);
    for (auto first = columns.begin(); first != columns.end();) {
      const auto last = first + std::min<std::ptrdiff_t>(TOGETHER, columns.end() - first);
      columns_.assign(first, last);
      first = last;
      find_cuts();
      while (refine()) {
      }
      code();
    }
  }

 private:
  static constexpr std::ptrdiff_t TOGETHER = 32;  // columns at work at a time
  static constexpr std::size_t FEW_ROWS = 16'384;  // sooner sorted by cell than counted by part

  // What it takes to sort the rows of a column by cell.
  struct Sorter {
    CellCounts starts;
    std::vector<KeyedRow> given, sorted;
  };

  void bin_sorted(const std::vector<std::size_t>& columns) {
    std::vector<Sorter> of_worker(std::min<std::size_t>(columns.size(), static_cast<std::size_t>(pool_.size())));
    pool_.run(columns.size(), [&](std::size_t c, int worker) {
      Sorter& sorter = of_worker[worker];
      Cuts cuts(sort(columns[c], sorter), most_);
      cuts.refine(sorter.sorted);
      code(columns[c], cuts, sorter.sorted);
    });
  }

  // By rising cell, missing values last; the cells.
  std::vector<KeyRange> sort(std::size_t j, Sorter& by) const {
    by.starts.clear();
    by.given.resize(of_.n);
    of_.typed(j, 0, [&](const auto* values) {
      std::uint32_t row = 0;
      each_cell(values, of_.raw[j].step, of_.n, [&](double value, std::uint16_t cell) {
        by.given[row] = {ordered_bits(value), row, cell};
        by.starts.add(cell);
        ++row;
      });
    });
    std::vector<KeyRange> cells;
    cells.reserve(std::min<std::size_t>(of_.n, CELLS));
    std::uint32_t start = 0;
    by.starts.each([&](std::uint32_t cell, std::uint32_t rows) {
      if (cell != NO_CELL) cells.push_back({start_of_cell(cell), last_of_cell(cell), rows});
      by.starts[cell] = start;
      start += rows;
    });
    by.sorted.resize(of_.n);
    for (const KeyedRow& row : by.given) by.sorted[by.starts[row.cell]++] = row;
    return cells;
  }

  void code(std::size_t j, const Cuts& cuts, const std::vector<KeyedRow>& sorted) const {
    BinEnds ends(0);
    auto row = sorted.begin();
    cuts.each_bin([&](std::size_t bin, const KeyRange& range) {
      RangePart part;
      for (const auto end = row + static_cast<std::ptrdiff_t>(range.rows); row != end; ++row) {
        *of_.at(row->row, j) = static_cast<Code>(bin << 8);
        part.add({row->key, row->key, 1});
      }
      if (bin == ends.first.size()) ends.resize(bin + 1);
      ends.add(bin, value_of_key(part.least));
      ends.add(bin, value_of_key(part.most));
    });
    of_.missing[j] = row != sorted.end();
    for (; row != sorted.end(); ++row) *of_.at(row->row, j) = NOTHING;
    of_.bins[j].emplace(Binned{ends.thresholds()});
    of_.single[j] = true;
  }

  // Of each column a T: those of the workers, made by make(c), filled by fill(c, values, from, rows, T) and added up.
  template <class Make, class Fill>
  auto over_rows(const Make& make, const Fill& fill) {
    using T = decltype(make(0));
    std::vector<std::vector<T>> of_worker(static_cast<std::size_t>(pool_.size()));
    for (auto& mine : of_worker)
      for (std::size_t c = 0; c < columns_.size(); ++c) mine.push_back(make(c));
    each_chunk(of_, pool_, [&](std::size_t from, std::size_t rows, std::size_t, int worker) {
      for (std::size_t c = 0; c < columns_.size(); ++c)
        of_.typed(columns_[c], from, [&](const auto* values) { fill(c, values, from, rows, of_worker[worker][c]); });
    });
    pool_.run(columns_.size(), [&](std::size_t c, int) {
      for (std::size_t m = 1; m < of_worker.size(); ++m) of_worker[0][c].add(of_worker[m][c]);
    });
    return std::move(of_worker[0]);
  }

  void find_cuts() {
    const auto counts = over_rows([](std::size_t) { return CellCounts(); },
                                  [&](std::size_t c, const auto* values, std::size_t, std::size_t rows,
                                      CellCounts& mine) { mine.add(values, of_.raw[columns_[c]].step, rows); });
    cuts_.clear();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::vector<KeyRange> cells;
      counts[c].each([&](std::uint32_t cell, std::uint32_t rows) {
        if (cell == NO_CELL)
          of_.missing[columns_[c]] = 1;
        else
          cells.push_back({start_of_cell(cell), last_of_cell(cell), rows});
      });
      cuts_.emplace_back(std::move(cells), most_);
    }
  }

  // One pass over the columns with ranges of too many rows; false when there are none.
  bool refine() {
    std::vector<std::size_t> sizes(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) sizes[c] = cuts_[c].find_heavy();
    if (std::count(sizes.begin(), sizes.end(), 0u) == std::ssize(sizes)) return false;
    const auto parts =
        over_rows([&](std::size_t c) { return RangeParts(sizes[c]); },
                  [&](std::size_t c, const auto* values, std::size_t, std::size_t rows, RangeParts& mine) {
                    if (sizes[c] > 0) mine.count(values, of_.raw[columns_[c]].step, rows, cuts_[c].heavy());
                  });
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (sizes[c] > 0) cuts_[c].replace_heavy(parts[c]);
    return true;
  }

  void code() {
    std::vector<CutTable> tables;
    for (const Cuts& cuts : cuts_) tables.emplace_back(cuts.found(), of_.n);
    const auto ends = over_rows([&](std::size_t c) { return BinEnds(tables[c].size() + 1); },
                                [&](std::size_t c, const auto* values, std::size_t from, std::size_t rows,
                                    BinEnds& mine) { code(columns_[c], tables[c], values, from, rows, mine); });
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      of_.bins[columns_[c]].emplace(Binned{ends[c].thresholds()});
      of_.single[columns_[c]] = true;
    }
  }

  template <class T>
  void code(std::size_t j, const CutTable& table, const T* values, std::size_t from, std::size_t rows,
            BinEnds& ends) const {
    Code* out = of_.at(from, j);
    each_cell(values, of_.raw[j].step, rows, [&](double value, std::uint16_t cell) {
      if (cell == NO_CELL) {
        *out = of_.missing[j] ? NOTHING : 0;
      } else {
        const std::size_t bin = table.bin_of(value, cell);
        *out = static_cast<Code>(bin << 8);
        ends.add(bin, value);
      }
      out += of_.p;
    });
  }

  CodedColumns& of_;
  const std::uint32_t most_;
  ThreadPool& pool_;
  std::vector<std::size_t> columns_;  // at work
  std::vector<Cuts> cuts_;  // of each
};

}  // namespace boxwood::coded

// Cells of the number line: 65,535 ranges of numbers, in their order, 128 for each power of two; and how many rows
// of a column each cell holds.
// Invariant: x <= y implies cell_of(x) <= cell_of(y). Magnitudes below 2^-127 share a cell, and so do those above
// 2^129 (1 - 1/256). Counts of parts of the data add up. Cost: about 1 ns a value.
#pragma once

#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "encode/radix_sort.hpp"
#include "parallel/simd_clones.hpp"

namespace boxwood::coded {

constexpr std::uint32_t CELLS = 65535;  // of numbers
constexpr std::uint16_t NO_CELL = 65535;  // of NaN
constexpr std::uint64_t SMALLEST = std::uint64_t{896} << 7;

BOXWOOD_INLINE std::uint16_t cell_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  auto magnitude = static_cast<std::int32_t>((bits << 1) >> 46) - static_cast<std::int32_t>(SMALLEST);
  magnitude = magnitude < 0 ? 0 : magnitude > 32766 ? 32766 : magnitude;
  const std::int32_t sign = static_cast<std::int32_t>(bits >> 63), cell = 32768 + (magnitude ^ -sign);
  return static_cast<std::uint16_t>(value == value ? cell : NO_CELL);
}

// The least key (ordered_bits) of a cell.
inline std::uint64_t start_of_cell(std::uint32_t cell) {
  constexpr std::uint64_t ZERO = std::uint64_t{1} << 18;
  if (cell <= 1) return ordered_bits(-std::numeric_limits<double>::infinity());
  if (cell < 32768) return (ZERO - 1 - SMALLEST - (32767 - cell)) << 45;
  return (cell == 32768 ? ZERO : ZERO + SMALLEST + (cell - 32768)) << 45;
}

inline std::uint64_t last_of_cell(std::uint32_t cell) {
  return cell + 1 < CELLS ? start_of_cell(cell + 1) - 1 : ordered_bits(std::numeric_limits<double>::infinity());
}

BOXWOOD_CLONES inline void cells_of(const double* values, std::size_t n, std::uint16_t* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = cell_of(values[i]);
}

// Calls then(value, cell) for each of n values that lie `step` apart.
template <class T, class Then>
BOXWOOD_INLINE void each_cell(const T* values, std::ptrdiff_t step, std::size_t n, const Then& then) {
  constexpr std::size_t AT_ONCE = 512;
  double here[AT_ONCE];
  std::uint16_t cells[AT_ONCE];
  for (std::size_t from = 0; from < n; from += AT_ONCE) {
    const std::size_t count = std::min(AT_ONCE, n - from);
    for (std::size_t i = 0; i < count; ++i, values += step) here[i] = static_cast<double>(*values) + 0.0;
    cells_of(here, count, cells);
    for (std::size_t i = 0; i < count; ++i) then(here[i], cells[i]);
  }
}

// Rows of each cell of one column. Pages of cells that no value meets are never touched.
class CellCounts {
 public:
  CellCounts() : rows_(static_cast<std::uint32_t*>(std::calloc(CELLS + 1, sizeof(std::uint32_t)))) {
    if (!rows_) throw std::bad_alloc();
  }

  void add(std::uint16_t cell, std::uint32_t rows = 1) {
    rows_.get()[cell] += rows;
    filled_[cell / GROUP] = true;
  }
  // Values lie `step` apart.
  template <class T>
  void add(const T* values, std::ptrdiff_t step, std::size_t n) {
    each_cell(values, step, n, [&](double, std::uint16_t cell) { add(cell); });
  }
  void add(const CellCounts& other) {
    other.each([&](std::uint16_t cell, std::uint32_t rows) { add(cell, rows); });
  }

  std::uint32_t& operator[](std::uint16_t cell) { return rows_.get()[cell]; }
  void clear() {
    for (std::uint32_t group = 0; group < filled_.size(); ++group)
      if (std::exchange(filled_[group], false)) std::fill_n(rows_.get() + group * GROUP, GROUP, 0u);
  }

  // Calls then(cell, rows) for the cells that hold rows, ascending; missing values last. No branch tells which do.
  template <class Then>
  void each(const Then& then) const {
    std::array<std::uint32_t, GROUP> held;
    for (std::uint32_t group = 0; group < filled_.size(); ++group) {
      if (!filled_[group]) continue;
      std::uint32_t size = 0;
      for (std::uint32_t cell = group * GROUP; cell < (group + 1) * GROUP; ++cell) {
        held[size] = cell;
        size += rows_.get()[cell] > 0;
      }
      for (std::uint32_t i = 0; i < size; ++i) then(held[i], rows_.get()[held[i]]);
    }
  }

 private:
  static constexpr std::uint32_t GROUP = 64;
  struct Frees {
    void operator()(std::uint32_t* at) const { std::free(at); }
  };
  std::unique_ptr<std::uint32_t, Frees> rows_;
  std::array<bool, (CELLS + 1) / GROUP> filled_{};  // groups of cells that hold rows
};

}  // namespace boxwood::coded

// Cells of values: 65,535 stretches of the numbers, in their order, 128 for each power of two; and one for missing
// values. Invariant: x <= y implies cell_of(x) <= cell_of(y). Magnitudes below 2^-127 share a cell, and so do those
// above 2^129 (1 - 1/256). Cost: 0.3 ns a value where 16 columns lie side by side.
#pragma once

#include <bit>
#include <cstring>

#include "encode/coding.hpp"
#include "parallel/simd_clones.hpp"

namespace boxwood::coded {

constexpr std::uint32_t CELLS = 65535;  // of numbers
constexpr std::uint16_t NO_CELL = 65535;
constexpr std::uint64_t SMALLEST = std::uint64_t{896} << 7;

inline __attribute__((always_inline)) std::uint16_t cell_of(double value) {
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

inline double value_of_key(std::uint64_t key) {
  return std::bit_cast<double>(key >> 63 ? key ^ std::uint64_t{1} << 63 : ~key);
}

// Cells of W columns side by side; `step` values from row to row, `stride` cells.
template <int W, class T>
inline __attribute__((always_inline)) void cells_of_rows(const T* values, std::ptrdiff_t step, std::size_t rows,
                                                         std::uint16_t* out, std::size_t stride) {
  for (std::size_t r = 0; r < rows; ++r, values += step, out += stride)
    for (int c = 0; c < W; ++c) out[c] = cell_of(static_cast<double>(values[c]));
}

#define BOXWOOD_CELLS(T)                                                                                           \
  BOXWOOD_CLONES inline void cells_16(const T* values, std::ptrdiff_t step, std::size_t rows, std::uint16_t* out,  \
                                      std::size_t stride) {                                                        \
    cells_of_rows<16>(values, step, rows, out, stride);                                                            \
  }                                                                                                                \
  BOXWOOD_CLONES inline void cells_4(const T* values, std::ptrdiff_t step, std::size_t rows, std::uint16_t* out,   \
                                     std::size_t stride) {                                                         \
    cells_of_rows<4>(values, step, rows, out, stride);                                                             \
  }                                                                                                                \
  BOXWOOD_CLONES inline void cells_1(const T* values, std::ptrdiff_t step, std::size_t rows, std::uint16_t* out) { \
    if (step == 1) {                                                                                               \
      for (std::size_t r = 0; r < rows; ++r) out[r] = cell_of(static_cast<double>(values[r]));                     \
    } else {                                                                                                       \
      for (std::size_t r = 0; r < rows; ++r)                                                                       \
        out[r] = cell_of(static_cast<double>(values[static_cast<std::ptrdiff_t>(r) * step]));                      \
    }                                                                                                              \
  }
BOXWOOD_CELLS(double)
BOXWOOD_CELLS(float)
#undef BOXWOOD_CELLS

// Cells that are looked at together; most of them hold nothing.
constexpr std::size_t STRETCH = 64;

// Which stretches hold cells that were met: of numbers of either sign whose magnitudes lie between two, of those
// nearest to zero, and of missing values. A stretch is numbered by its distance from zero, 0 to 511.
struct Magnitudes {
  std::uint16_t least = 512, most = 0;  // neither zero nor missing
  bool any = false;

  static std::uint16_t number(std::uint32_t from) {
    return static_cast<std::uint16_t>(from < 32768 ? 511 - from / STRETCH : from / STRETCH - 512);
  }
  // Whether the stretch that begins at a cell is among them.
  bool holds(std::uint32_t from) const {
    const std::uint16_t at = number(from);
    return any && (at == 0 || from + STRETCH > NO_CELL || (at >= least && at <= most));
  }
  bool covers(const Magnitudes& o) const { return any && o.least >= least && o.most <= most; }
  void join(const Magnitudes& o) {
    least = std::min(least, o.least);
    most = std::max(most, o.most);
    any = any || o.any;
  }
};

// Of 16 columns side by side, `stride` cells from row to row; GCC and clang keep such arrays in registers.
BOXWOOD_CLONES inline void magnitudes_16(const std::uint16_t* cells, std::size_t rows, std::size_t stride,
                                         Magnitudes* out) {
  typedef std::uint16_t Lanes __attribute__((vector_size(32)));
  typedef std::int16_t Signed __attribute__((vector_size(32)));
  Lanes least = Lanes{} - 1;
  Signed most = Signed{} - 1;
  for (std::size_t r = 0; r < rows; ++r, cells += stride) {
    Lanes cell;
    std::memcpy(&cell, cells, sizeof(cell));
    const Lanes magnitude = (cell ^ 0x7fff ^ (Lanes)((Signed)cell >> 15)) & (Lanes)(cell != NO_CELL);
    const Lanes less = magnitude - 1;  // the greatest number for zero, and -1
    least = least < less ? least : less;
    most = most > (Signed)less ? most : (Signed)less;
  }
  for (int c = 0; c < 16; ++c) {
    out[c] = Magnitudes{};
    out[c].any = true;
    if (most[c] < 0) continue;
    out[c].least = static_cast<std::uint16_t>((least[c] + 1u) / STRETCH);
    out[c].most = static_cast<std::uint16_t>((most[c] + 1u) / STRETCH);
  }
}
// Of one column, its cells side by side; there is room for cells up to a whole 16.
inline Magnitudes magnitudes_1(std::uint16_t* cells, std::size_t rows) {
  const std::size_t lines = (rows + 15) / 16;
  std::fill(cells + rows, cells + lines * 16, NO_CELL);
  Magnitudes parts[16], out;
  magnitudes_16(cells, lines, 16, parts);
  for (const Magnitudes& part : parts) out.join(part);
  return out;
}

// Adds counts of a stretch; not 0 when it holds something.
BOXWOOD_CLONES inline std::uint32_t add_stretch(const std::uint32_t* counts, std::uint32_t* sums) {
  std::uint32_t any = 0;
  for (std::size_t i = 0; i < STRETCH; ++i) any |= sums[i] += counts[i];
  return any;
}

}  // namespace boxwood::coded

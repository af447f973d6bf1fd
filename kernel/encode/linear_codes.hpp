// Codes of many rows at once: columns that lie side by side go through one register together; bins are searched side by
// side. Invariant: the same codes on every processor, linear ones as linear_code gives them. Cost: 1-2 ns a value, 3
// where bins are searched.
#pragma once

#include "encode/coding.hpp"
#include "parallel/simd_clones.hpp"

namespace boxwood::coded {

// Parameters of W neighbouring columns, laid out so that one register holds the same parameter of all of them.
template <int W>
struct LinearGroup {
  std::array<double, W> center;
  std::array<std::array<float, W>, PIECES> start, slope;

  explicit LinearGroup(const Coding* codings) {
    for (int c = 0; c < W; ++c) {
      center[c] = codings[c].center;
      for (int piece = 0; piece < PIECES; ++piece) {
        start[piece][c] = codings[c].start[piece];
        slope[piece][c] = codings[c].slope[piece];
      }
    }
  }

  // One row; true when a value is missing.
  template <class T>
  inline __attribute__((always_inline)) bool code(const T* values, Code* out) const {
    std::array<float, W> x, sum{};
    std::array<std::int32_t, W> whole;
    int missing = 0;
    for (int c = 0; c < W; ++c) {
      missing |= values[c] != values[c];
      x[c] = static_cast<float>(static_cast<double>(values[c]) - center[c]);
    }
    for (int piece = 0; piece < PIECES; ++piece)
      for (int c = 0; c < W; ++c) {
        float v = (x[c] - start[piece][c]) * slope[piece][c];
        v = v > 0.0f ? v : 0.0f;
        sum[c] += v < PIECE_WIDTH ? v : PIECE_WIDTH;
      }
    for (int c = 0; c < W; ++c) whole[c] = static_cast<std::int32_t>(sum[c]);
    for (int c = 0; c < W; ++c) out[c] = static_cast<Code>(whole[c]);
    return missing != 0;
  }
};

// Rows of W values side by side, `step` values from row to row.
template <int W, class T>
inline __attribute__((always_inline)) bool code_rows(const LinearGroup<W>& group, const T* values, std::ptrdiff_t step,
                                                     std::size_t rows, Code* out, std::size_t stride) {
  bool missing = false;
  for (std::size_t r = 0; r < rows; ++r)
    missing |= group.code(values + static_cast<std::ptrdiff_t>(r) * step, out + r * stride);
  return missing;
}

// One column, `rows` values a step apart.
template <class T>
inline __attribute__((always_inline)) bool code_each(const Coding& coding, const T* values, std::ptrdiff_t step,
                                                     std::size_t rows, Code* out) {
  int missing = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const double value = values[static_cast<std::ptrdiff_t>(r) * step];
    missing |= value != value;
    out[r] = linear_code(coding, value);
  }
  return missing != 0;
}

// The same by name and type, since a template has no versions for several processors.
#define BOXWOOD_CODES(T)                                                                                               \
  BOXWOOD_CLONES inline bool code_rows_16(const LinearGroup<16>& group, const T* values, std::ptrdiff_t step,          \
                                          std::size_t rows, Code* out, std::size_t stride) {                           \
    return code_rows(group, values, step, rows, out, stride);                                                          \
  }                                                                                                                    \
  BOXWOOD_CLONES inline bool code_rows_4(const LinearGroup<4>& group, const T* values, std::ptrdiff_t step,            \
                                         std::size_t rows, Code* out, std::size_t stride) {                            \
    return code_rows(group, values, step, rows, out, stride);                                                          \
  }                                                                                                                    \
  BOXWOOD_CLONES inline bool code_column(const Coding& coding, const T* values, std::ptrdiff_t step, std::size_t rows, \
                                         Code* out) {                                                                  \
    return code_each(coding, values, step, rows, out);                                                                 \
  }
BOXWOOD_CODES(double)
BOXWOOD_CODES(float)
#undef BOXWOOD_CODES

// Bins and places within them; every round halves the stretches of all rows. NaN goes anywhere.
BOXWOOD_CLONES inline void search_each(const double* cuts, const double* slopes, const double* x, std::size_t rows,
                                       std::int32_t* bin, Code* out) {
  for (std::size_t r = 0; r < rows; ++r) bin[r] = 0;
  for (std::int32_t half = BINS / 2; half > 0; half /= 2)
    for (std::size_t r = 0; r < rows; ++r) bin[r] += cuts[bin[r] + half] <= x[r] ? half : 0;
  for (std::size_t r = 0; r < rows; ++r) {
    double v = (x[r] - (bin[r] ? cuts[bin[r]] : x[r])) * slopes[bin[r]];
    v = v > 0.0 ? v : 0.0;
    out[r] = static_cast<Code>(bin[r] << 8 | static_cast<std::int32_t>(v < 255.0 ? v : 255.0));
  }
}

}  // namespace boxwood::coded

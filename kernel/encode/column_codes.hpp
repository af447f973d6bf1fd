// Codes of one column, many rows at once.
// Invariant: the same codes on every processor, linear ones as linear_code gives them. Cost: 1-2 ns a value, 3 where
// bins are searched.
#pragma once

#include "encode/coding.hpp"
#include "parallel/simd_clones.hpp"

namespace boxwood::coded {

constexpr std::size_t CHUNK = 512;  // rows coded at once, at most

// Bins and places within them; every round halves the stretches of all rows.
template <class T>
inline __attribute__((always_inline)) bool search_bins(const Coding& by, const T* values, std::ptrdiff_t step,
                                                       std::size_t rows, Code* out) {
  const double *cuts = by.cuts.data(), *slopes = by.slopes.data();
  double x[CHUNK];
  std::int32_t bin[CHUNK];
  for (std::size_t r = 0; r < rows; ++r) {
    x[r] = static_cast<double>(values[static_cast<std::ptrdiff_t>(r) * step]);
    bin[r] = 0;
  }
  for (std::int32_t half = BINS / 2; half > 0; half /= 2)
    for (std::size_t r = 0; r < rows; ++r) bin[r] += cuts[bin[r] + half] <= x[r] ? half : 0;
  int missing = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    double v = (x[r] - (bin[r] ? cuts[bin[r]] : x[r])) * slopes[bin[r]];
    v = v > 0.0 ? v : 0.0;
    const std::int32_t code = bin[r] << 8 | static_cast<std::int32_t>(v < 255.0 ? v : 255.0);
    missing |= x[r] != x[r];
    out[r] = static_cast<Code>(x[r] != x[r] ? NOTHING : code);
  }
  return missing != 0;
}

template <class T>
inline __attribute__((always_inline)) bool code_linearly(const Coding& by, const T* values, std::ptrdiff_t step,
                                                         std::size_t rows, Code* out) {
  float x[CHUNK], sum[CHUNK];
  for (std::size_t r = 0; r < rows; ++r) {
    x[r] = static_cast<float>(static_cast<double>(values[static_cast<std::ptrdiff_t>(r) * step]) - by.center);
    sum[r] = 0.0f;
  }
  for (int piece = 0; piece < PIECES; ++piece) {
    const float start = by.start[piece], slope = by.slope[piece];
    for (std::size_t r = 0; r < rows; ++r) sum[r] += width_in_piece(x[r], start, slope);
  }
  int missing = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::int32_t code = static_cast<std::int32_t>(sum[r]);
    missing |= x[r] != x[r];
    out[r] = static_cast<Code>(x[r] != x[r] ? NOTHING : code);
  }
  return missing != 0;
}

// Codes of at most CHUNK values, `step` apart; whether one is missing. By name and type, since a template has no
// versions for several processors.
#define BOXWOOD_CODES(T)                                                                                              \
  BOXWOOD_CLONES inline bool linear_codes(const Coding& by, const T* values, std::ptrdiff_t step, std::size_t rows,   \
                                          Code* out) {                                                                \
    return code_linearly(by, values, step, rows, out);                                                                \
  }                                                                                                                   \
  BOXWOOD_CLONES inline bool searched_codes(const Coding& by, const T* values, std::ptrdiff_t step, std::size_t rows, \
                                            Code* out) {                                                              \
    return search_bins(by, values, step, rows, out);                                                                  \
  }
BOXWOOD_CODES(double)
BOXWOOD_CODES(float)
#undef BOXWOOD_CODES

}  // namespace boxwood::coded

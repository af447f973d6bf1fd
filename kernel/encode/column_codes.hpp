// Codes of one column, many rows at once.
// Invariant: the same codes on every processor. Cost: 1-2 ns a value, 2-3 where bins are looked up.
#pragma once

#include "encode/coding.hpp"
#include "parallel/simd_clones.hpp"

namespace boxwood::coded {

constexpr std::size_t CHUNK = 512;  // rows coded at once, at most

// How far into a linear piece a value lies; `x`: its difference from the center.
BOXWOOD_INLINE float width_in_piece(float x, float start, float slope) {
  float v = (x - start) * slope;
  v = v > 0.0f ? v : 0.0f;
  return v < PIECE_WIDTH ? v : PIECE_WIDTH;
}

template <class T>
BOXWOOD_INLINE bool code_linearly(const Coding& by, const T* values, std::ptrdiff_t step, std::size_t rows, Code* out) {
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

// Codes of at most CHUNK values by a linear map, `step` apart; whether one is missing. By name and type, since a
// template has no versions for several processors.
#define BOXWOOD_CODES(T)                                                                                            \
  BOXWOOD_CLONES inline bool linear_codes(const Coding& by, const T* values, std::ptrdiff_t step, std::size_t rows, \
                                          Code* out) {                                                              \
    return code_linearly(by, values, step, rows, out);                                                              \
  }
BOXWOOD_CODES(double)
BOXWOOD_CODES(float)
#undef BOXWOOD_CODES

// The same by bins; `unseen(value)`: a column of a bin for each value has none for this one.
template <class T, class Unseen>
bool bin_codes(const Coding& by, const T* values, std::ptrdiff_t step, std::size_t rows, Code* out,
               const Unseen& unseen) {
  const CutTable& bins = *by.bins;
  const double* begin = by.values.data();
  bool missing = false;
  const auto is_missing = [&](double value) {
    missing |= std::isnan(value);
    return std::isnan(value);
  };
  if (by.kind == Coding::Kind::single)
    each_cell(values, step, rows, [&](double value, std::uint16_t cell) {
      const std::size_t bin = bins.bin_of(value, cell);
      const bool known = begin[bin] == value;
      *out++ = known || !is_missing(value) ? static_cast<Code>(bin << 8) : NOTHING;
      if (!known && !std::isnan(value)) unseen(value);
    });
  else
    each_cell(values, step, rows, [&](double value, std::uint16_t cell) {
      const std::size_t bin = bins.bin_of(value, cell);
      const double within = (value - begin[bin]) * by.slopes[bin];
      const auto place = static_cast<std::size_t>(within > 0.0 ? std::min(within, 255.0) : 0.0);
      *out++ = is_missing(value) ? NOTHING : static_cast<Code>(bin << 8 | place);
    });
  return missing;
}

}  // namespace boxwood::coded

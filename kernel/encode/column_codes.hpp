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
  float x[CHUNK];
  for (std::size_t r = 0; r < rows; ++r)
    x[r] = static_cast<float>(static_cast<double>(values[static_cast<std::ptrdiff_t>(r) * step]) - by.center);
  int missing = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0.0f;
    for (int piece = 0; piece < PIECES; ++piece) sum += width_in_piece(x[r], by.start[piece], by.slope[piece]);
    const std::int32_t code = static_cast<std::int32_t>(sum);
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
      *out++ = static_cast<Code>(bin << 8);
      if (begin[bin] == value) [[likely]]
        return;
      if (is_missing(value))
        out[-1] = NOTHING;
      else
        unseen(value);
    });
  else
    each_cell(values, step, rows, [&](double value, std::uint16_t cell) {
      if (value == by.heavy) {
        *out++ = by.heavy_code;
        return;
      }
      const std::size_t bin = bins.bin_of(value, cell);
      const double within = (value - begin[bin]) * by.slopes[bin];
      const auto place = static_cast<std::size_t>(within > 0.0 ? std::min(within, 255.0) : 0.0);
      *out++ = is_missing(value) ? NOTHING : static_cast<Code>(bin << 8 | place);
    });
  return missing;
}

}  // namespace boxwood::coded

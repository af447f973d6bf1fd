// x log2 x of many numbers at a time, nearly.
// Invariant: within 1e-13 of x (1 + |log2 x|) for 0 <= x below 2^1000; numbers below 0 count as 0.
// Cost: about two dozen steps of wide registers for as many numbers as they hold.
// Source: log m = 2 artanh((m - 1) / (m + 1)), for m between the roots of 1/2 and 2.
#pragma once

#include <bit>
#include <cstdint>
#include <numbers>

#include "parallel/simd_clones.hpp"

namespace boxwood::log_lanes {

inline double x_log2_x_nearly(double x) {
  constexpr std::uint64_t HALF_ROOT = 0x3fe6a09e667f3bcd;  // the root of 1/2, its bits
  x = x > 1e-290 ? x : 0.0;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) - HALF_ROOT;
  // The exponent, read through the digits of 2^52 + 2^51.
  const double exponent =
      std::bit_cast<double>(((bits + (std::uint64_t{2048} << 52)) >> 52) % 4096 + 0x4338000000000000) - 0x1.8p52 - 2048;
  const double m = std::bit_cast<double>((bits & 0xfffffffffffff) + HALF_ROOT);
  const double s = (m - 1) / (m + 1), q = s * s;
  const double high = ((q / 17 + 1.0 / 15) * q + 1.0 / 13) * q + 1.0 / 11, low = (q / 9 + 1.0 / 7) * q + 1.0 / 5;
  const double sum = ((high * (q * q) + low) * q + 1.0 / 3) * q + 1;
  return x * (exponent + 2 * std::numbers::log2e * s * sum);
}

// By entropy, what each of `count` sets of levels takes away goes to `about`, which holds what both sides of all
// classes add.
BOXWOOD_CLONES inline void take_sides(const double* mass, double n, double of_all, std::size_t count, double* about) {
  for (std::size_t i = 0; i < count; ++i) about[i] += of_all - x_log2_x_nearly(mass[i]) - x_log2_x_nearly(n - mass[i]);
}

// What both sides of each of `count` partitions add.
BOXWOOD_CLONES inline void add_sides(const double* left, const double* both, std::size_t count, double* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = x_log2_x_nearly(left[i]) + x_log2_x_nearly(both[i] - left[i]);
}

BOXWOOD_CLONES inline double sum(const double* x, std::size_t count) {
  constexpr std::size_t LANES = 8;
  double sums[LANES] = {};
  std::size_t at = 0;
  for (; at + LANES <= count; at += LANES) {
    double terms[LANES];
    for (std::size_t i = 0; i < LANES; ++i) terms[i] = x_log2_x_nearly(x[at + i]);
    for (std::size_t i = 0; i < LANES; ++i) sums[i] += terms[i];
  }
  for (std::size_t i = 0; at + i < count; ++i) sums[i] += x_log2_x_nearly(x[at + i]);
  double all = 0;
  for (const double some : sums) all += some;
  return all;
}

}  // namespace boxwood::log_lanes

// A numeric target as whole numbers: y = center + (high + low / fine) * scale.
// Invariant: the bits that numpy gives for the same steps one after the other (fixed_point.py says which). Cost: 1 ns a
// value, most of it for memory.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "parallel/simd_clones.hpp"

namespace boxwood {

struct FixedPoint {
  double center, scale, fine;
};

BOXWOOD_CLONES inline void to_whole(const double* y, std::size_t n, const FixedPoint& by, std::int64_t* high,
                                    std::int64_t* low) {
  const double center = by.center, scale = by.scale, fine = by.fine;
  for (std::size_t i = 0; i < n; ++i) {
    const double scaled = (y[i] - center) / scale, whole = std::rint(scaled);
    high[i] = static_cast<std::int64_t>(whole);
    low[i] = static_cast<std::int64_t>(std::rint((scaled - whole) * fine));
  }
}

}  // namespace boxwood

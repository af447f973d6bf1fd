// A share of a whole weight, as a whole weight: how a row of unknown value is divided over branches (SPECS 4.3).
// Invariant: depends on the three numbers alone, so sums of shares do not depend on the order of rows.
// Cost: one 128-bit division.
#pragma once

#include <cstdint>

namespace boxwood {

// Weight w times part / whole, halves upwards; all positive, below 2**62.
inline std::int64_t share_of(std::int64_t w, std::int64_t part, std::int64_t whole) {
  using Large = unsigned __int128;
  return static_cast<std::int64_t>((2 * static_cast<Large>(w) * static_cast<Large>(part) + static_cast<Large>(whole)) /
                                   (2 * static_cast<Large>(whole)));
}

}  // namespace boxwood

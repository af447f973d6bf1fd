// A share of a whole weight, as a whole weight: how a row of unknown value is divided over branches (docs/c45.md).
// Invariant: depends on the three numbers alone, so sums of shares do not depend on the order of rows.
// Cost: one 128-bit division.
#pragma once

#include <cstdint>

#include "encode/wide.hpp"

namespace boxwood {

// Weight w times part / whole, halves upwards; all positive, below 2**62.
inline std::int64_t share_of(std::int64_t w, std::int64_t part, std::int64_t whole) {
  return static_cast<std::int64_t>((2 * static_cast<Wide>(w) * part + whole) / (2 * static_cast<Wide>(whole)));
}

}  // namespace boxwood

// A column where it lies: doubles a fixed step apart, or level numbers side by side; never copied.
// Invariant: the caller keeps the memory alive; -0.0 reads as 0.0; NaN and negative levels are missing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../columns.hpp"

namespace boxwood::coded {

constexpr std::uint32_t MOST_LEVELS = 65535;  // of a nominal or ordinal feature

struct RawColumn {
  const double* data = nullptr;
  std::ptrdiff_t step = 1;              // in doubles
  Kind kind = Kind::numeric;            // ordinal: the doubles are level numbers
  const std::int32_t* levels = nullptr; // nominal
  std::uint32_t n_levels = 0;           // nominal
  std::int32_t place = 0;               // number of the feature in the learning set

  double operator[](std::size_t row) const { return data[static_cast<std::ptrdiff_t>(row) * step] + 0.0; }
};

}  // namespace boxwood::coded

// A column where it lies: doubles or floats a fixed step apart, or level numbers side by side; never copied. A float is
// a double of the same value. Invariant: the caller keeps the memory alive; -0.0 reads as 0.0; NaN and negative levels
// are missing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "encode/columns.hpp"

namespace boxwood::coded {

constexpr std::uint32_t MOST_LEVELS = 65535;  // of a nominal feature

struct RawColumn {
  const void* data = nullptr;
  std::ptrdiff_t step = 1;  // in values
  bool narrow = false;  // floats
  Kind kind = Kind::numeric;  // ordinal: the doubles are level numbers
  const Column* exact = nullptr;  // the doubles are its codes: numbers that a double cannot hold
  const std::int32_t* levels = nullptr;  // nominal
  std::uint32_t n_levels = 0;  // nominal
  std::int32_t feature = 0;  // number of the column in the learning set

  // Columns that are cut come first, then levels that fit a code, then the others.
  int order() const { return kind != Kind::nominal ? 0 : n_levels <= MOST_LEVELS ? 1 : 2; }
  std::ptrdiff_t place(std::size_t row) const { return static_cast<std::ptrdiff_t>(row) * step; }
  const float* floats() const { return static_cast<const float*>(data); }
  const double* doubles() const { return static_cast<const double*>(data); }

  double operator[](std::size_t row) const {
    return (narrow ? static_cast<double>(floats()[place(row)]) : doubles()[place(row)]) + 0.0;
  }
  const void* at(std::size_t row) const {
    return narrow ? static_cast<const void*>(floats() + place(row)) : static_cast<const void*>(doubles() + place(row));
  }
};

}  // namespace boxwood::coded

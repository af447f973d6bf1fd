// A numeric column where it lies: doubles a fixed step apart, never copied.
// Invariant: the caller keeps the memory alive; -0.0 reads as 0.0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boxwood::coded {

struct RawColumn {
  const double* data = nullptr;
  std::ptrdiff_t step = 1;  // in doubles

  double operator[](std::size_t row) const { return data[static_cast<std::ptrdiff_t>(row) * step] + 0.0; }
};

}  // namespace boxwood::coded

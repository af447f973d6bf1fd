// A 64-bit hash, from which draws follow that do not depend on the order of anything.
#pragma once

#include <cstdint>

namespace boxwood {

constexpr std::uint64_t GOLDEN = 0x9E3779B97F4A7C15ull;

// Finaliser of a 64-bit mixing hash (constants of Stafford's variant 13, 2011).
inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// The hash of a number that follows others; a chain of them is a path.
inline std::uint64_t mixed(std::uint64_t before, std::uint64_t next) { return mix(before + GOLDEN * (next + 1)); }

}  // namespace boxwood

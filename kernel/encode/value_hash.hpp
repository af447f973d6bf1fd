// A hash of a number that can be undone (data/sample.py does), and one pass over the numbers of a column: those of
// small hash are a sample that depends on the values alone. Invariant: the hash depends on the value alone, 0.0 and
// -0.0 being one value. Cost: about 3 ns a value. Source of the mixer: Steele, Lea & Flood, Fast splittable
// pseudorandom number generators, 2014 (splitmix64).
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace boxwood {

inline std::uint64_t hash_of(double x) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x + 0.0) + 0x9e3779b97f4a7c15ULL;  // + 0.0 turns -0.0 into 0.0
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31);
}

// Whether float32 holds a number exactly; infinities and NaN count as held.
inline bool is_short(double x) {
  if (!std::isfinite(x)) return true;
  // what float32 cannot hold at all must not be converted
  return std::abs(x) <= static_cast<double>(std::numeric_limits<float>::max()) &&
         static_cast<double>(static_cast<float>(x)) == x;
}

// What one pass over a column's numbers finds: how many are missing or infinite, and whether float32 holds every one.
struct NumberTraits {
  std::size_t missing = 0, infinite = 0;
  bool is_short = true;
  std::vector<std::uint64_t> hashes;  // of every known value whose hash is below the limit, in the order of the values
};

template <class T>
NumberTraits traits_of(const T* values, std::size_t n, std::uint64_t limit) {
  NumberTraits traits;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(values[i]);
    traits.missing += std::isnan(x);
    traits.infinite += std::isinf(x);
    traits.is_short &= is_short(x);
    const std::uint64_t hash = hash_of(x);
    if (hash < limit && !std::isnan(x)) traits.hashes.push_back(hash);
  }
  return traits;
}

}  // namespace boxwood

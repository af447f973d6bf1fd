// Coarse codes by given cuts, and one look at new numbers, whose values of small hash give the cuts: for data read in
// parts. Invariant: the code is the number of cuts below the value, so x <= y implies code(x) <= code(y); NaN has a
// code of its own. A hash depends on the value alone, 0.0 and -0.0 being one value. Cost: two or three steps a value
// without a branch, ten where all cuts share a cell, eight values side by side: about 2 ns; about 2 ns for a look.
// Source of the mixer: Steele, Lea & Flood, Fast splittable pseudorandom number generators, 2014 (splitmix64).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "parallel/simd_clones.hpp"

namespace boxwood {

constexpr std::uint16_t MISSING_CODE = 65535;
constexpr std::size_t MOST_CUTS = 4095;

// Numbers fall into cells by sign, exponent and first digits of their float32; a cell knows how many cuts lie before
// it, and the few cuts inside are searched. Cuts end with NaN, which is below nothing, so that every search takes the
// same steps.
class CoarseCodes {
 public:
  CoarseCodes(const double* cuts, std::size_t n) : half_(0), before_(CELLS), cuts_(cuts, cuts + n) {
    std::vector<std::uint16_t> inside(CELLS);
    for (std::size_t i = 0; i < n; ++i) ++inside[cell_of(cuts[i])];
    for (std::size_t c = 1; c < CELLS; ++c) before_[c] = static_cast<std::uint16_t>(before_[c - 1] + inside[c - 1]);
    const std::size_t most = *std::max_element(inside.begin(), inside.end());
    if (most) half_ = std::bit_floor(most);
    cuts_.resize(n + 2 * half_, std::numeric_limits<double>::quiet_NaN());
  }

  template <class T>
  void code(const T* values, std::size_t n, std::uint16_t* out) const {
    constexpr std::size_t SIDE = 8;
    std::size_t i = 0;
    for (; i + SIDE <= n; i += SIDE) code_side<SIDE>(values + i, out + i);
    for (; i < n; ++i) code_side<1>(values + i, out + i);
  }

 private:
  static constexpr std::size_t CELLS = std::size_t{1} << 16;

  // Side by side, so that the steps of one need not wait for those of another.
  template <std::size_t SIDE, class T>
  void code_side(const T* values, std::uint16_t* out) const {
    std::array<std::size_t, SIDE> at;
    for (std::size_t k = 0; k < SIDE; ++k) at[k] = before_[cell_of(values[k])];
    for (std::size_t half = half_; half > 0; half /= 2)
      for (std::size_t k = 0; k < SIDE; ++k)
        at[k] += half &
                 (std::size_t{0} - static_cast<std::size_t>(cuts_[at[k] + half - 1] < static_cast<double>(values[k])));
    for (std::size_t k = 0; k < SIDE; ++k)
      out[k] = std::isnan(values[k]) ? MISSING_CODE : static_cast<std::uint16_t>(at[k]);
  }

  // Rises with the value, 0.0 and -0.0 being one.
  static std::size_t cell_of(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x + 0.0f);
    const std::uint32_t ordered =
        bits ^ (static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000U);
    return ordered >> 16;
  }
  static std::size_t cell_of(double x) {
    constexpr double most = std::numeric_limits<float>::max();  // what float32 cannot hold at all must not be converted
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const float tame = static_cast<float>(std::min(std::max(x, -most), most));
    return cell_of(x > most ? infinity : x < -most ? -infinity : tame);
  }

  std::size_t half_;
  std::vector<std::uint16_t> before_;
  std::vector<double> cuts_;
};

inline std::uint64_t hash_of(double x) {
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x + 0.0) + 0x9e3779b97f4a7c15ULL;  // + 0.0 turns -0.0 into 0.0
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31);
}

// The value whose hash it is: every step of the hash can be undone.
inline double value_of(std::uint64_t hash) {
  std::uint64_t bits = (hash ^ (hash >> 31) ^ (hash >> 62)) * 0x319642b2d24d8ec3ULL;
  bits = (bits ^ (bits >> 27) ^ (bits >> 54)) * 0x96de1b173f119089ULL;
  return std::bit_cast<double>((bits ^ (bits >> 30) ^ (bits >> 60)) - 0x9e3779b97f4a7c15ULL);
}

// What one look at a column's numbers tells: how many are missing or infinite, and whether float32 holds every one.
struct Look {
  std::size_t missing = 0, infinite = 0;
  bool is_short = true;
  std::vector<std::uint64_t> hashes;  // of every known value whose hash is below the limit, in the order of the values
};

constexpr std::size_t LOOK_BLOCK = 256;

// Of a block: how many values are missing, infinite, or more than float32 holds exactly.
struct BlockFacts {
  int missing = 0, infinite = 0, wide = 0;
};

#define BOXWOOD_LOOK(T)                                                                                      \
  BOXWOOD_CLONES inline BlockFacts facts_and_hashes(const T* values, std::size_t n, std::uint64_t* hashes) { \
    BlockFacts f;                                                                                            \
    for (std::size_t i = 0; i < n; ++i) {                                                                    \
      const double x = values[i], size = std::abs(x);                                                        \
      /* what float32 cannot hold at all must not be converted */                                            \
      const double tame = size <= static_cast<double>(std::numeric_limits<float>::max()) ? x : 0.0;          \
      f.missing += x != x;                                                                                   \
      f.infinite += size == std::numeric_limits<double>::infinity();                                         \
      f.wide += (static_cast<double>(static_cast<float>(tame)) != x) & (x == x);                             \
    }                                                                                                        \
    for (std::size_t i = 0; i < n; ++i) hashes[i] = hash_of(static_cast<double>(values[i]));                 \
    return f;                                                                                                \
  }
BOXWOOD_LOOK(double)
BOXWOOD_LOOK(float)
#undef BOXWOOD_LOOK

// Block by block: the hashes of one are made side by side, and few of them are below the limit.
template <class T>
Look look_at(const T* values, std::size_t n, std::uint64_t limit) {
  Look look;
  std::array<std::uint64_t, LOOK_BLOCK> hashes;
  std::size_t wide = 0;
  for (std::size_t from = 0; from < n; from += LOOK_BLOCK) {
    const std::size_t size = std::min(LOOK_BLOCK, n - from);
    const T* at = values + from;
    const BlockFacts facts = facts_and_hashes(at, size, hashes.data());
    look.missing += static_cast<std::size_t>(facts.missing);
    look.infinite += static_cast<std::size_t>(facts.infinite);
    wide += static_cast<std::size_t>(facts.wide);
    for (std::size_t i = 0; i < size; ++i) {
      if (hashes[i] < limit && !std::isnan(at[i])) look.hashes.push_back(hashes[i]);
    }
  }
  look.is_short = wide == look.infinite;  // float32 holds infinite numbers
  return look;
}

}  // namespace boxwood

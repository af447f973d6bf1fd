// Rows of a block through a crown (predict/top_levels.hpp) where registers hold four numbers.
// Invariant: every row arrives where steps would have led it.
// Cost: half an instruction a test and row.
#pragma once

#include <algorithm>
#include <array>

#include "parallel/simd_clones.hpp"
#include "predict/prefetch.hpp"

#if defined(BOXWOOD_X86)
#include <immintrin.h>
#endif

namespace boxwood::crown {

// A bit a row of a block.
using Bits = std::uint64_t;

// What the tests of a level say, of every row that of the test at which it arrives by its way through the levels
// before. The rows' ways part in `tests` first by the last level before, so that one half lies above the other.
// Overwrites them.
template <int LEVEL>
BOXWOOD_INLINE Bits on_the_way(Bits* tests, const Bits* way) {
  if constexpr (LEVEL == 0) {
    return tests[0];
  } else {
    constexpr std::size_t HALF = std::size_t{1} << (LEVEL - 1);
    for (std::size_t k = 0; k < HALF; ++k) tests[k] ^= (tests[k] ^ tests[k + HALF]) & way[LEVEL - 1];
    return on_the_way<LEVEL - 1>(tests, way);
  }
}

// The rows' ways: `above` and `stops` say for each test, counted from 1, which rows are above the cut, and which would
// stop.
struct Ways {
  Bits way[Crown::MOST_LEVELS], going[Crown::MOST_LEVELS];

  template <int LEVEL = 0>
  BOXWOOD_INLINE void find(const Crown& crown, Bits* above, Bits* stops) {
    if constexpr (LEVEL < Crown::MOST_LEVELS) {
      if (LEVEL == crown.depth) return;
      constexpr std::size_t FIRST = std::size_t{1} << LEVEL;
      way[LEVEL] = on_the_way<LEVEL>(above + FIRST, way);
      going[LEVEL] = ~Bits{0};
      if (crown.stops)
        going[LEVEL] = (LEVEL > 0 ? going[LEVEL - (LEVEL > 0)] : ~Bits{0}) & ~on_the_way<LEVEL>(stops + FIRST, way);
      find<LEVEL + 1>(crown, above, stops);
    }
  }
};

#if defined(BOXWOOD_X86)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called from afar
#define BOXWOOD_FOURS __attribute__((target("avx2")))

// Calls `holds(values)` for fours of rows, and brings the answers (all bits, or none) together.
template <class Holds>
BOXWOOD_FOURS BOXWOOD_INLINE Bits bits_of_fours(const double* values, const Holds& holds) {
  Bits bits = 0;
  for (int half = 0; half < 2; ++half, values += 32) {
    __m256i pairs[4];
    for (int k = 0; k < 4; ++k)
      pairs[k] =
          _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(holds(_mm256_loadu_pd(values + 8 * k))),
                                                _mm256_castpd_ps(holds(_mm256_loadu_pd(values + 8 * k + 4))), 0x88));
    const __m256i first = _mm256_packs_epi32(pairs[0], pairs[1]), second = _mm256_packs_epi32(pairs[2], pairs[3]);
    bits |= Bits{static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_packs_epi16(first, second)))} << 32 * half;
  }
  return bits;
}
// The row of a bit: what is brought together above goes by halves of registers.
constexpr std::size_t row_of_fours(std::size_t bit) {
  return bit / 32 * 32 + bit % 16 / 2 * 4 + bit / 16 % 2 * 2 + bit % 2;
}

// The bits of a byte as eight bytes.
inline constexpr std::array<std::uint64_t, 256> SPREAD = [] {
  std::array<std::uint64_t, 256> out{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (int bit = 0; bit < 8; ++bit) out[byte] |= std::uint64_t{byte >> bit & 1} << 8 * bit;
  return out;
}();

BOXWOOD_FOURS inline Bits above_of_fours(const Crown::Test& test, const double* values) {
  const __m256d cut = _mm256_set1_pd(test.cut),
                mask = _mm256_castsi256_pd(_mm256_set1_epi64x(static_cast<long long>(test.mask)));
  if (test.absent == Crown::Absent::above)
    return bits_of_fours(values, [&](__m256d v) BOXWOOD_FOURS { return _mm256_cmp_pd(v, cut, _CMP_NLE_UQ); });
  if (test.is_of_number())
    return bits_of_fours(values, [&](__m256d v) BOXWOOD_FOURS { return _mm256_cmp_pd(v, cut, _CMP_GT_OQ); });
  return bits_of_fours(values,
                       [&](__m256d v) BOXWOOD_FOURS { return _mm256_cmp_pd(_mm256_and_pd(v, mask), cut, _CMP_GT_OQ); });
}
BOXWOOD_FOURS inline Bits missing_of_fours(const double* values) {
  return bits_of_fours(values, [](__m256d v) BOXWOOD_FOURS { return _mm256_cmp_pd(v, v, _CMP_UNORD_Q); });
}
#undef BOXWOOD_FOURS
#pragma GCC diagnostic pop

// The test where each row of a block stops, or the place where it arrives.
inline void places_by_fours(const Crown& crown, const double* const* columns, std::uint8_t* place) {
  Bits above[Crown::TESTS] = {}, stops[Crown::TESTS] = {};
  for (std::size_t t = 1; t < crown.tests.size(); ++t) {
    const Crown::Test& test = crown.tests[t];
    above[t] = above_of_fours(test, columns[test.reading]);
    if (crown.stops) stops[t] = test.absent == Crown::Absent::outside ? missing_of_fours(columns[test.reading]) : 0;
  }
  Ways ways;
  ways.find(crown, above, stops);
  for (std::size_t i = 0; i < BLOCK; i += 8) {
    std::uint64_t at = SPREAD[255];  // of eight rows, a byte each
    for (int level = 0; level < crown.depth; ++level)
      at += (SPREAD[ways.going[level] >> i & 255] + SPREAD[(ways.way[level] & ways.going[level]) >> i & 255]) << level;
    for (std::size_t k = 0; k < 8; ++k) place[row_of_fours(i + k)] = static_cast<std::uint8_t>(at >> 8 * k);
  }
}
#endif

}  // namespace boxwood::crown

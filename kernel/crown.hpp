// The first steps of a block of rows at once: the tests at the top of a plan are made for all rows, whoever will need them.
// Invariant: a row begins where its own steps would have led it, or, if it lacks a number whose absence leads elsewhere, at the root.
// Cost: half an instruction a test and row, where registers hold four numbers; elsewhere there is no crown. A step takes a dozen.
#pragma once

#include <array>
#include <bit>

#include "ahead.hpp"
#include "coded/clones.hpp"

#if defined(BOXWOOD_X86)
#include <immintrin.h>
#endif

namespace boxwood {

namespace crown {

// A bit a row of a block, in an order of its own.
using Bits = std::uint64_t;

#if defined(BOXWOOD_X86)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called from afar
inline bool is_possible() {
  static const bool can = __builtin_cpu_supports("avx2");
  return can;
}

// Calls `holds(values)` for fours of rows, and brings the answers (all bits, or none) together.
#define BOXWOOD_FOURS __attribute__((target("avx2"))) inline
template <class Holds>
__attribute__((target("avx2"), always_inline)) inline Bits bits_of(const double* values, const Holds& holds) {
  Bits bits = 0;
  for (int half = 0; half < 2; ++half, values += 32) {
    __m256i pairs[4];
    for (int k = 0; k < 4; ++k)
      pairs[k] = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(holds(_mm256_loadu_pd(values + 8 * k))),
                                                       _mm256_castpd_ps(holds(_mm256_loadu_pd(values + 8 * k + 4))), 0x88));
    const __m256i first = _mm256_packs_epi32(pairs[0], pairs[1]), second = _mm256_packs_epi32(pairs[2], pairs[3]);
    bits |= Bits{static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_packs_epi16(first, second)))} << 32 * half;
  }
  return bits;
}
// The row of a bit: what is brought together above goes by halves of registers.
constexpr std::size_t row_of(std::size_t bit) { return bit / 32 * 32 + bit % 16 / 2 * 4 + bit / 16 % 2 * 2 + bit % 2; }

// Whether the values exceed the cut of a test; a missing one as the test says.
BOXWOOD_FOURS Bits above(const double* values, const Crown::Test& test) {
  const __m256d cut = _mm256_set1_pd(test.cut), mask = _mm256_castsi256_pd(_mm256_set1_epi64x(static_cast<long long>(test.mask)));
  if (test.absent == Crown::Absent::above)
    return bits_of(values, [&](__m256d v) __attribute__((target("avx2"))) { return _mm256_cmp_pd(v, cut, _CMP_NLE_UQ); });
  if (test.mask == ~std::uint64_t{0})
    return bits_of(values, [&](__m256d v) __attribute__((target("avx2"))) { return _mm256_cmp_pd(v, cut, _CMP_GT_OQ); });
  return bits_of(values, [&](__m256d v) __attribute__((target("avx2"))) { return _mm256_cmp_pd(_mm256_and_pd(v, mask), cut, _CMP_GT_OQ); });
}
BOXWOOD_FOURS Bits missing(const double* values) {
  return bits_of(values, [](__m256d v) __attribute__((target("avx2"))) { return _mm256_cmp_pd(v, v, _CMP_UNORD_Q); });
}
#undef BOXWOOD_FOURS
#pragma GCC diagnostic pop
#else
constexpr bool is_possible() { return false; }
constexpr std::size_t row_of(std::size_t bit) { return bit; }
inline Bits above(const double*, const Crown::Test&) { return 0; }
inline Bits missing(const double*) { return 0; }
#endif

// The bits of a byte as eight bytes.
inline constexpr std::array<std::uint64_t, 256> SPREAD = [] {
  std::array<std::uint64_t, 256> out{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (int bit = 0; bit < 8; ++bit) out[byte] |= std::uint64_t{byte >> bit & 1} << 8 * bit;
  return out;
}();

}  // namespace crown

// The crown of a plan: whole levels of tests that ask no table, as many as rows go in step anyway.
inline Crown crown_of(const Plan& plan) {
  const PlanNodes nodes(plan);
  Crown crown;
  crown.start = {0};
  if (plan.lead < Crown::DEPTH || !crown::is_possible()) return crown;
  for (int level = 0; level < Crown::DEPTH; ++level) {
    std::vector<std::uint32_t> below;
    for (const std::uint32_t at : crown.start) {
      const PlanPair::Lead& lead = nodes[at].lead();
      if (lead.first == IS_TABLE) return {};
      const std::uint32_t upper = lead.first + (lead.first != at), gone = nodes[at].tail().gone + 1;
      const auto absent = gone == lead.first ? Crown::Absent::below : gone == upper ? Crown::Absent::above : Crown::Absent::outside;
      const std::uint64_t mask = plan.masked ? std::bit_cast<std::uint64_t>(nodes[at].mask()) : ~std::uint64_t{0};
      crown.tests.push_back({nodes[at].cut(), mask, lead.feature, absent});
      crown.restarts = crown.restarts || absent == Crown::Absent::outside;
      below.insert(below.end(), {lead.first, upper});
    }
    crown.start = std::move(below);
  }
  return crown;
}

// Where the rows of a block begin, by the columns that the tests read.
inline void begin_at_crown(const Crown& crown, const double* const* columns, std::uint32_t* at) {
  crown::Bits above[Crown::TESTS], restart = 0;
  for (std::size_t t = 0; t < Crown::TESTS; ++t) {
    const Crown::Test& test = crown.tests[t];
    above[t] = crown::above(columns[test.reading], test);
    if (test.absent == Crown::Absent::outside) restart |= crown::missing(columns[test.reading]);
  }
  const auto choice = [](crown::Bits upper, crown::Bits if_upper, crown::Bits if_lower) { return (upper & if_upper) | (~upper & if_lower); };
  const crown::Bits first = above[0], second = choice(first, above[2], above[1]);
  const crown::Bits third = choice(first, choice(second, above[6], above[5]), choice(second, above[4], above[3]));
  const crown::Bits fourth = choice(first, choice(second, choice(third, above[14], above[13]), choice(third, above[12], above[11])),
                                    choice(second, choice(third, above[10], above[9]), choice(third, above[8], above[7])));
  const std::uint32_t* start = crown.start.data();
  for (std::size_t i = 0; i < BLOCK; i += 8) {
    const auto spread = [i](crown::Bits bits) { return crown::SPREAD[bits >> i & 255]; };
    const std::uint64_t way = 8 * spread(first) + 4 * spread(second) + 2 * spread(third) + spread(fourth);  // of eight rows, a byte each
    BOXWOOD_UNROLL
    for (std::size_t k = 0; k < 8; ++k) at[crown::row_of(i + k)] = start[way >> 8 * k & 255];
  }
  for (; restart != 0; restart &= restart - 1) at[crown::row_of(static_cast<std::size_t>(std::countr_zero(restart)))] = 0;
}

}  // namespace boxwood

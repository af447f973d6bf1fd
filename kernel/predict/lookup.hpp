// Looks into small tables of words for a block of rows, eight rows at a time, where registers hold whole tables.
// Invariant: the words are those that looks one by one find.
// Cost: three instructions for eight rows; a table in memory costs them three instructions a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "parallel/simd_clones.hpp"
#include "predict/prefetch.hpp"

#if defined(BOXWOOD_X86)
#include <immintrin.h>
#endif

namespace boxwood::looks {

constexpr std::size_t MOST = 32;  // entries of a table

#if defined(BOXWOOD_X86)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called from afar
#define BOXWOOD_EIGHTS __attribute__((target("avx512f,avx512dq,avx512bw")))

inline bool are_possible() {
  static const bool can = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  return can;
}

// A table in registers; what is beyond its size is never looked at.
struct Small {
  __m512d part[4];
  bool is_short;

  BOXWOOD_EIGHTS BOXWOOD_INLINE Small(const double* table, std::size_t size) : is_short(size <= 16) {
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t left = size > 8 * k ? size - 8 * k : 0;
      part[k] = _mm512_maskz_loadu_pd(static_cast<__mmask8>(left >= 8 ? 0xff : (1u << left) - 1), table + 8 * k);
    }
  }
  BOXWOOD_EIGHTS BOXWOOD_INLINE __m512d look(__m512i at) const {
    const __m512d first = _mm512_permutex2var_pd(part[0], at, part[1]);
    if (is_short) return first;
    const __mmask8 beyond = _mm512_test_epi64_mask(at, _mm512_set1_epi64(16));
    return _mm512_mask_blend_pd(beyond, first, _mm512_permutex2var_pd(part[2], at, part[3]));
  }
};

// Eight codes, with their sign. (With masks because gcc 12 warns of the plain forms.)
template <class T>
BOXWOOD_EIGHTS BOXWOOD_INLINE __m512i widened(const T* codes) {
  if constexpr (sizeof(T) == 1) {
    const __m128i some = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes));
    return std::is_signed_v<T> ? _mm512_maskz_cvtepi8_epi64(0xff, some) : _mm512_maskz_cvtepu8_epi64(0xff, some);
  } else if constexpr (sizeof(T) == 2) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes));
    return std::is_signed_v<T> ? _mm512_maskz_cvtepi16_epi64(0xff, some) : _mm512_maskz_cvtepu16_epi64(0xff, some);
  } else if constexpr (sizeof(T) == 4) {
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes));
    return std::is_signed_v<T> ? _mm512_maskz_cvtepi32_epi64(0xff, some) : _mm512_maskz_cvtepu32_epi64(0xff, some);
  } else {
    return _mm512_loadu_si512(codes);
  }
}

// The word of each code of a block; the last of the table is for all others.
template <class T>
BOXWOOD_EIGHTS inline void by_code(const T* codes, const double* table, std::size_t size, double* out) {
  const Small small(table, size);
  const __m512i last = _mm512_set1_epi64(static_cast<long long>(size - 1));
  for (std::size_t i = 0; i < BLOCK; i += 8)
    _mm512_storeu_pd(out + i, small.look(_mm512_maskz_min_epu64(0xff, widened(codes + i), last)));
}

// The words of numbers of a block by NumberMeanings::Table; returns whether all were known.
template <class Table>
BOXWOOD_EIGHTS inline bool by_number(const Table& table, double* values) {
  const Small numbers(table.numbers, table.mask + 1), words(table.words, table.mask + 1);
  const __m512i mask = _mm512_set1_epi64(static_cast<long long>(table.mask));
  const __m512d shift = _mm512_set1_pd(0x1.8p52);
  __mmask8 differ = 0;
  for (std::size_t i = 0; i < BLOCK; i += 8) {
    const __m512d value = _mm512_loadu_pd(values + i);
    const __m512i at = _mm512_and_si512(_mm512_castpd_si512(_mm512_add_pd(value, shift)), mask);
    differ |= _mm512_cmpneq_epi64_mask(_mm512_castpd_si512(numbers.look(at)), _mm512_castpd_si512(value));
    _mm512_storeu_pd(values + i, words.look(at));
  }
  return differ == 0;
}
#undef BOXWOOD_EIGHTS
#pragma GCC diagnostic pop
#else
constexpr bool are_possible() { return false; }
template <class T>
void by_code(const T*, const double*, std::size_t, double*) {}
template <class Table>
bool by_number(const Table&, double*) {
  return false;
}
#endif

}  // namespace boxwood::looks

// How many rows of the second class stand at or before each entry of a list.
// Invariant: the same counts whatever the processor has.
// Cost: about two instructions an entry where eight are added up at a time, else three, each of which waits for the one
// before.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace boxwood::coded {

// `ones`: rows of the second class before the list; bit 15 of an entry says whether its row is one.
inline void count_running(const std::uint32_t* entries, std::uint32_t count, std::uint16_t ones, std::uint16_t* out) {
  std::uint32_t i = 0;
#if defined(__SSE2__)
  const auto bits = [&](std::uint32_t at) {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(entries + at));
    return _mm_srli_epi32(_mm_slli_epi32(four, 16), 31);
  };
  __m128i before = _mm_set1_epi16(static_cast<short>(ones));
  for (; i + 8 <= count; i += 8) {
    __m128i sums = _mm_packs_epi32(bits(i), bits(i + 4));
    sums = _mm_add_epi16(sums, _mm_slli_si128(sums, 2));
    sums = _mm_add_epi16(sums, _mm_slli_si128(sums, 4));
    sums = _mm_add_epi16(sums, _mm_slli_si128(sums, 8));
    sums = _mm_add_epi16(sums, before);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), sums);
    const __m128i upper = _mm_shufflehi_epi16(sums, 0xff);
    before = _mm_unpackhi_epi64(upper, upper);
  }
  ones = static_cast<std::uint16_t>(_mm_extract_epi16(before, 0));
#endif
  for (; i < count; ++i) out[i] = ones = static_cast<std::uint16_t>(ones + (entries[i] >> 15 & 1));
}

}  // namespace boxwood::coded

// Rows of a block through a crown (predict/top_levels.hpp) where registers hold eight numbers, or sixty-four levels.
// Invariant: every row arrives where steps would have led it.
// Cost: an instruction a test of numbers for eight rows; three a test of levels for all.
#pragma once

#include "predict/top_levels_by_four.hpp"

#if defined(BOXWOOD_X86)

namespace boxwood::crown {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called from afar
#define BOXWOOD_EIGHTS __attribute__((target("avx512f,avx512dq,avx512bw,avx512cd,avx512bitalg")))

// Calls `holds(values)` for eights of rows: a byte of the answer for each of them.
template <class Holds>
BOXWOOD_EIGHTS BOXWOOD_INLINE void bits_of_eights(const double* values, Bits& out, const Holds& holds) {
  auto* bytes = reinterpret_cast<__mmask8*>(&out);
  BOXWOOD_UNROLL
  for (int k = 0; k < 8; ++k) _store_mask8(bytes + k, holds(_mm512_loadu_pd(values + 8 * k)));
}

// The entries of a block as bytes, from words with a bit for each.
BOXWOOD_EIGHTS inline void list(const double* words, std::uint8_t* entries) {
  const __m512i marks = _mm512_set1_epi64((1ll << 52) - 1), last = _mm512_set1_epi64(63);
  for (int k = 0; k < 8; ++k) {
    const __m512i marked = _mm512_and_si512(_mm512_castpd_si512(_mm512_loadu_pd(words + 8 * k)), marks);
    _mm512_mask_cvtepi64_storeu_epi8(entries + 8 * k, 0xff, _mm512_sub_epi64(last, _mm512_lzcnt_epi64(marked)));
  }
}

// What all tests say.
BOXWOOD_EIGHTS inline void ask_eights(const Crown& crown, const double* const* columns, Bits* above, Bits* stops) {
  alignas(64) std::uint8_t entries[Crown::MOST_LISTED][BLOCK];
  for (std::size_t k = 0; k < crown.listed.size(); ++k) list(columns[crown.listed[k]], entries[k]);
  for (std::size_t t = 1; t < crown.tests.size(); ++t) {
    const Crown::Test& test = crown.tests[t];
    const double* values = columns[test.reading];
    const __m512d cut = _mm512_set1_pd(test.cut);
    const __m512i marks = _mm512_set1_epi64(static_cast<long long>(test.mask & ~IN_LOW_BITS));
    if (test.list >= 0) {
      above[t] = _cvtmask64_u64(_mm512_bitshuffle_epi64_mask(marks, _mm512_load_si512(entries[test.list])));
    } else if (!test.is_of_number()) {
      bits_of_eights(values, above[t],
                     [&](__m512d v) BOXWOOD_EIGHTS { return _mm512_test_epi64_mask(_mm512_castpd_si512(v), marks); });
    } else if (test.absent == Crown::Absent::above) {
      bits_of_eights(values, above[t],
                     [&](__m512d v) BOXWOOD_EIGHTS { return _mm512_cmp_pd_mask(v, cut, _CMP_NLE_UQ); });
    } else {
      bits_of_eights(values, above[t],
                     [&](__m512d v) BOXWOOD_EIGHTS { return _mm512_cmp_pd_mask(v, cut, _CMP_GT_OQ); });
    }
    if (!crown.stops) continue;
    stops[t] = 0;
    if (test.absent == Crown::Absent::outside)
      bits_of_eights(values, stops[t], [](__m512d v) BOXWOOD_EIGHTS { return _mm512_cmp_pd_mask(v, v, _CMP_UNORD_Q); });
  }
}

// The test where each row of a block stops, or the place where it arrives.
BOXWOOD_EIGHTS inline void places_by_eights(const Crown& crown, const double* const* columns, std::uint8_t* place) {
  alignas(64) Bits above[Crown::TESTS], stops[Crown::TESTS];
  ask_eights(crown, columns, above, stops);
  Ways ways;
  ways.find(crown, above, stops);
  __m512i at = _mm512_set1_epi8(1);
  for (int level = 0; level < crown.depth; ++level) {
    const __m512i step = _mm512_set1_epi8(static_cast<char>(1 << level));
    const __mmask64 going = _cvtu64_mask64(ways.going[level]);
    at = _mm512_mask_add_epi8(at, going, at, step);
    at = _mm512_mask_add_epi8(at, _kand_mask64(going, _cvtu64_mask64(ways.way[level])), at, step);
  }
  _mm512_storeu_si512(place, at);
}
#undef BOXWOOD_EIGHTS
#pragma GCC diagnostic pop

}  // namespace boxwood::crown
#endif

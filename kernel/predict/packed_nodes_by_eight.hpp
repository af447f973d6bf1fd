// Rows of a block below a crown (predict/top_levels.hpp), eight at a time in step, where registers hold eight numbers.
// Invariant: every row ends where steps one by one lead it.
// Cost: a third of a nanosecond a row and step. Loads one by one bring eight numbers together in a third of the time of
// a gather.
#pragma once

#include "predict/top_levels_by_eight.hpp"

namespace boxwood::narrow {

// What makes marks a NaN, which no cut is.
constexpr std::uint64_t AS_NAN = std::uint64_t{0x7ff} << 52;

#if defined(BOXWOOD_X86)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called from afar
#define BOXWOOD_EIGHTS __attribute__((target("avx512f,avx512dq,avx512bw,avx512cd,avx512bitalg")))

using crown::Bits;

// Where rows are: a number of a node each, and which rows of the block they are.
struct Walkers {
  alignas(64) std::uint32_t at[BLOCK], before[BLOCK];
  std::uint8_t row[BLOCK];
};

// The nodes of four walkers, every other one.
BOXWOOD_EIGHTS BOXWOOD_INLINE __m512i four(const Narrow::Node* nodes, const std::uint32_t* at) {
  const auto one = [&](int i)
                       BOXWOOD_EIGHTS { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(nodes + at[i])); };
  const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(one(0)), one(2), 1);
  const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(one(4)), one(6), 1);
  return _mm512_maskz_inserti64x4(0xff, _mm512_castsi256_si512(low), high, 1);
}

// Eight doubles from anywhere.
template <class Where>
BOXWOOD_EIGHTS BOXWOOD_INLINE __m512d eight(const Where& where) {
  const auto two = [&](int i) BOXWOOD_EIGHTS { return _mm_loadh_pd(_mm_load_sd(where(i)), where(i + 1)); };
  const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(two(0)), two(2), 1);
  const __m256d high = _mm256_insertf128_pd(_mm256_castpd128_pd256(two(4)), two(6), 1);
  return _mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(low), high, 1);
}

// Takes a step with eight walkers from number `first` on; returns who lacks a number. `ALL`: walkers are the rows in
// their order.
template <bool ALL>
BOXWOOD_EIGHTS BOXWOOD_INLINE __mmask8 step(const Narrow::Node* nodes, const double* const* columns, Walkers& walkers,
                                            std::size_t first) {
  const std::uint32_t* at = walkers.before + first;
  const __m512i even = four(nodes, at), odd = four(nodes, at + 1);
  const __m512i cuts = _mm512_maskz_unpacklo_epi64(0xff, even, odd),
                next = _mm512_maskz_unpackhi_epi64(0xff, even, odd);
  const __m512d value =
      eight([&](std::size_t i) { return columns[nodes[at[i]].reading] + (ALL ? first + i : walkers.row[first + i]); });
  const __m512d cut = _mm512_castsi512_pd(cuts);
  const __m512i common = _mm512_and_si512(cuts, _mm512_castpd_si512(value));
  const __mmask8 of_levels = _mm512_cmp_pd_mask(cut, cut, _CMP_UNORD_Q);
  const __mmask8 marked = _mm512_mask_test_epi64_mask(of_levels, common, _mm512_set1_epi64((1ll << 52) - 1));
  const __mmask8 above = _kor_mask8(marked, _mm512_cmp_pd_mask(value, cut, _CMP_GT_OQ));
  const __m512i to = _mm512_mask_add_epi64(next, above, next, _mm512_set1_epi64(1));
  _mm256_store_si256(reinterpret_cast<__m256i*>(walkers.at + first), _mm512_maskz_cvtepi64_epi32(0xff, to));
  return _mm512_cmp_pd_mask(value, value, _CMP_UNORD_Q);
}

// Sends those on who lack a number; returns who of them did not come to a branch of the node.
inline Bits lack(const Narrow& narrow, Walkers& walkers, Bits missing) {
  Bits astray = 0;
  for (; missing; missing &= missing - 1) {
    const int i = std::countr_zero(missing);
    const std::uint32_t before = walkers.before[i], to = walkers.at[i] = narrow.gone[before];
    astray |= Bits{to - narrow.nodes[before].first > 1} << i;
  }
  return astray;
}

// A step of the first `count` walkers.
template <bool ALL, class Fetch>
BOXWOOD_EIGHTS BOXWOOD_INLINE Bits step_of_all(const Narrow& narrow, const double* const* columns, Walkers& walkers,
                                               std::size_t count, const Fetch& fetch) {
  const Narrow::Node* nodes = narrow.nodes.data();
  std::copy(walkers.at, walkers.at + BLOCK, walkers.before);
  Bits missing = 0;
  for (std::size_t i = 0; i < count; i += 16) {  // those beyond the last are somewhere
    missing |= Bits{_cvtmask8_u32(step<ALL>(nodes, columns, walkers, i))} << i;
    fetch();
    missing |= Bits{_cvtmask8_u32(step<ALL>(nodes, columns, walkers, i + 8))} << (i + 8);
    fetch();
  }
  return missing ? lack(narrow, walkers, missing) : 0;
}

// Goes on with some rows until all have arrived.
BOXWOOD_EIGHTS inline void finish(const Narrow& narrow, const double* const* columns, Walkers& walkers, Bits rows,
                                  std::uint32_t* at) {
  constexpr int STRIDE = 3;
  std::size_t left = 0;
  for (; rows; rows &= rows - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rows));
    walkers.row[left] = static_cast<std::uint8_t>(i);
    walkers.at[left] = at[i];
    left += narrow.nodes[at[i]].first != at[i];
  }
  while (left > 0) {
    for (int k = 0; k < STRIDE; ++k) step_of_all<false>(narrow, columns, walkers, left, [] {});
    const std::size_t count = left;
    left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t here = walkers.at[left] = walkers.at[i];
      at[walkers.row[left] = walkers.row[i]] = here;
      left += narrow.nodes[here].first != here;
    }
  }
}

// The ends of a block by its columns. `fetch(from, until)` asks for what some of the next rows need.
template <class Fetch>
BOXWOOD_EIGHTS inline void ends(const Plan& plan, const double* const* columns, const Fetch& fetch, std::uint32_t* at) {
  const Narrow& narrow = plan.narrow;
  alignas(64) std::uint8_t place[BLOCK];
  crown::places_by_eights(plan.crown, columns, place);
  Walkers walkers{};
  BOXWOOD_UNROLL
  for (std::size_t i = 0; i < BLOCK; ++i) walkers.at[i] = narrow.begins[place[i]];
  Bits astray = 0;
  const std::size_t share = narrow.steps > 3   ? 2
                            : narrow.steps > 0 ? (8 + narrow.steps - 1) / narrow.steps
                                               : BLOCK;  // rows, after eight
  std::size_t asked = 0;
  const auto fetch_share = [&]() __attribute__((always_inline)) {  // as a call, gcc drops it for having no effect
    if (asked < BLOCK) fetch(asked, std::min(asked + share, BLOCK));
    asked += share;
  };
  for (int k = 0; k < narrow.steps; ++k) astray |= step_of_all<true>(narrow, columns, walkers, BLOCK, fetch_share);
  if (narrow.steps == 0) fetch(0, BLOCK);
  std::copy(walkers.at, walkers.at + BLOCK, at);
  if (!narrow.is_sure) astray = ~Bits{0};
  if (astray) finish(narrow, columns, walkers, astray, at);
  for (std::size_t i = 0; i < BLOCK; ++i) at[i] = narrow.ends[at[i]];
}
#undef BOXWOOD_EIGHTS
#pragma GCC diagnostic pop
#endif

}  // namespace boxwood::narrow

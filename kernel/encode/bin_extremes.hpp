// Which rows have a value in the first or in the last cell of their bin: the least and the greatest value of a bin are
// among them. Invariant: whoever holds an end of its bin is marked; others of its cell are too, and all of a cell in
// which a cut lies. Cost: two bits a value; 0.1 ns a value to find those of some bins where 64 go in one step (AVX-512
// VBMI), about 0.7 elsewhere.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include "parallel/arena.hpp"
#include "search/list_partition.hpp"

namespace boxwood::coded {

constexpr std::uint8_t FIRST = 1, LAST = 2;  // ends of a bin

// Bits of 64 neighbouring rows of a column.
struct Fringe {
  std::uint64_t first, last;
};

// Of fewer than 64 rows the bits of the others are 0. `ends`: FIRST and LAST of each row.
inline Fringe fringe_of(const std::uint8_t* ends, std::size_t rows) {
  Fringe out{0, 0};
  std::size_t r = 0;
#if defined(BOXWOOD_X86)
  for (; r + 16 <= rows; r += 16) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(ends + r));
    out.first |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(here, 7))))
                 << r;
    out.last |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(here, 6)))) << r;
  }
#endif
  for (; r < rows; ++r) {
    out.first |= static_cast<std::uint64_t>(ends[r] & FIRST) << r;
    out.last |= static_cast<std::uint64_t>((ends[r] & LAST) / LAST) << r;
  }
  return out;
}

BOXWOOD_CLONES inline void part_bytes(const std::uint16_t* entries, std::size_t rows, std::uint8_t* upper,
                                      std::uint8_t* lower) {
  for (std::size_t r = 0; r < rows; ++r) {
    upper[r] = static_cast<std::uint8_t>(entries[r] >> 8);
    lower[r] = static_cast<std::uint8_t>(entries[r] & (FIRST | LAST));
  }
}

#if defined(BOXWOOD_X86)
BOXWOOD_VBMI inline void part_by_32(const std::uint16_t* entries, std::size_t rows, std::uint8_t* plane,
                                    Fringe* fringes) {
  const __m512i first = _mm512_set1_epi16(FIRST), last = _mm512_set1_epi16(LAST);
  for (std::size_t from = 0; from < rows; from += 32) {
    const auto here = static_cast<__mmask32>(rows - from >= 32 ? 0xffffffffu : (1u << (rows - from)) - 1);
    const __m512i entry = _mm512_maskz_loadu_epi16(here, entries + from);
    _mm256_mask_storeu_epi8(plane + from, here, _mm512_cvtepi16_epi8(_mm512_srli_epi16(entry, 8)));
    const std::uint64_t firsts = _mm512_test_epi16_mask(entry, first), lasts = _mm512_test_epi16_mask(entry, last);
    Fringe& out = fringes[from / 64];
    out = from % 64 ? Fringe{out.first | firsts << 32, out.last | lasts << 32} : Fringe{firsts, lasts};
  }
}
#endif

// Of at most 512 rows: their bins, which stand in the upper bytes, and the bits of their ends, which stand in the lower
// ones.
inline void part_entries(const std::uint16_t* entries, std::size_t rows, std::uint8_t* plane, Fringe* fringes) {
#if defined(BOXWOOD_X86)
  if (parts_sixteen()) return part_by_32(entries, rows, plane, fringes);
#endif
  std::uint8_t ends[512];
  part_bytes(entries, rows, plane, ends);
  for (std::size_t from = 0; from < rows; from += 64)
    fringes[from / 64] = fringe_of(ends + from, std::min<std::size_t>(64, rows - from));
}

// Rows that have a wanted end, as numbers from 0 on; how many. `bins`: of each row, readable up to a whole 64;
// `wanted`: ends of each bin.
inline std::size_t meet_one_by_one(const std::uint8_t* bins, const Fringe* fringes, std::size_t rows,
                                   const std::uint8_t* wanted, std::uint16_t* met) {
  std::size_t n = 0;
  for (std::size_t from = 0; from < rows; from += 64, ++fringes)
    for (std::uint64_t left = fringes->first | fringes->last; left != 0; left &= left - 1) {
      const auto r = static_cast<std::size_t>(std::countr_zero(left));
      const auto ends =
          static_cast<unsigned>(fringes->first >> r & 1) | static_cast<unsigned>(fringes->last >> r & 1) * LAST;
      met[n] = static_cast<std::uint16_t>(from + r);
      n += (wanted[bins[from + r]] & ends) != 0;
    }
  return n;
}

#if defined(BOXWOOD_X86)
BOXWOOD_VBMI inline std::size_t meet_by_64(const std::uint8_t* bins, const Fringe* fringes, std::size_t rows,
                                           const std::uint8_t* wanted, std::uint16_t* met) {
  const __m512i w0 = _mm512_loadu_si512(wanted), w1 = _mm512_loadu_si512(wanted + 64),
                w2 = _mm512_loadu_si512(wanted + 128), w3 = _mm512_loadu_si512(wanted + 192);
  const __m512i first = _mm512_set1_epi8(FIRST), last = _mm512_set1_epi8(LAST);
  std::size_t n = 0;
  for (std::size_t from = 0; from < rows; from += 64, ++fringes) {
    const __m512i bin = _mm512_loadu_si512(bins + from);
    const __m512i low = _mm512_permutex2var_epi8(w0, bin, w1), high = _mm512_permutex2var_epi8(w2, bin, w3);
    const __m512i ends = _mm512_mask_blend_epi8(_mm512_movepi8_mask(bin), low, high);
    std::uint64_t left =
        (_mm512_test_epi8_mask(ends, first) & fringes->first) | (_mm512_test_epi8_mask(ends, last) & fringes->last);
    for (; left != 0; left &= left - 1)
      met[n++] = static_cast<std::uint16_t>(from + static_cast<std::size_t>(std::countr_zero(left)));
  }
  return n;
}
#endif

inline std::size_t meet_ends(const std::uint8_t* bins, const Fringe* fringes, std::size_t rows,
                             const std::uint8_t* wanted, std::uint16_t* met) {
#if defined(BOXWOOD_X86)
  if (parts_sixteen()) return meet_by_64(bins, fringes, rows, wanted, met);
#endif
  return meet_one_by_one(bins, fringes, rows, wanted, met);
}

}  // namespace boxwood::coded

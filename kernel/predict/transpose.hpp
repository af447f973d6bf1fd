// Rows of a table of doubles turned into columns, eight by eight, where registers hold eight.
// Invariant: the values are those that reads one by one find; nothing is read but the columns asked for.
// Cost: forty instructions for eight rows of eight columns; one by one a load and a store a value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/simd_clones.hpp"
#include "predict/prefetch.hpp"

#if defined(BOXWOOD_X86)
#include <immintrin.h>
#endif

namespace boxwood {

// A column of doubles that lie apart, `step` bytes from row to row, and where a block of them is to go.
struct Apart {
  const std::byte* first;
  std::ptrdiff_t step;
  double* to;
};

// Columns that lie within eight doubles of each row: where each is to go, nullptr where it is not wanted.
struct Octet {
  const std::byte* first;
  std::ptrdiff_t step;
  std::array<double*, 8> to{};
};

namespace turning {

#if defined(BOXWOOD_X86)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is called from afar
#define BOXWOOD_EIGHTS __attribute__((target("avx512f,avx512dq")))

inline bool is_possible() {
  static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  return can;
}

// The columns of a block of rows from number `row` on.
BOXWOOD_EIGHTS inline void turn(const Octet& octet, std::size_t row) {
  unsigned wanted = 0;
  for (unsigned j = 0; j < 8; ++j) wanted |= static_cast<unsigned>(octet.to[j] != nullptr) << j;
  const auto mask = static_cast<__mmask8>(wanted);
  const std::byte* at = octet.first + static_cast<std::ptrdiff_t>(row) * octet.step;
  for (std::size_t i = 0; i < BLOCK; i += 8) {
    __m512d rows[8], pairs[8], fours[8];
    BOXWOOD_UNROLL
    for (int k = 0; k < 8; ++k, at += octet.step) rows[k] = _mm512_maskz_loadu_pd(mask, at);
    BOXWOOD_UNROLL
    for (int k = 0; k < 8; k += 2) {  // columns 0, 2, 4, 6 and 1, 3, 5, 7 of two rows
      pairs[k] = _mm512_maskz_unpacklo_pd(0xff, rows[k], rows[k + 1]);
      pairs[k + 1] = _mm512_maskz_unpackhi_pd(0xff, rows[k], rows[k + 1]);
    }
    BOXWOOD_UNROLL
    for (int k = 0; k < 2; ++k) {  // columns k, k + 4 and k + 2, k + 6 of four rows
      fours[k] = _mm512_maskz_shuffle_f64x2(0xff, pairs[k], pairs[k + 2], 0x88);
      fours[k + 2] = _mm512_maskz_shuffle_f64x2(0xff, pairs[k], pairs[k + 2], 0xdd);
      fours[k + 4] = _mm512_maskz_shuffle_f64x2(0xff, pairs[k + 4], pairs[k + 6], 0x88);
      fours[k + 6] = _mm512_maskz_shuffle_f64x2(0xff, pairs[k + 4], pairs[k + 6], 0xdd);
    }
    BOXWOOD_UNROLL
    for (int k = 0; k < 4; ++k) {
      if (octet.to[k])
        _mm512_storeu_pd(octet.to[k] + i, _mm512_maskz_shuffle_f64x2(0xff, fours[k], fours[k + 4], 0x88));
      if (octet.to[k + 4])
        _mm512_storeu_pd(octet.to[k + 4] + i, _mm512_maskz_shuffle_f64x2(0xff, fours[k], fours[k + 4], 0xdd));
    }
  }
}
#undef BOXWOOD_EIGHTS
#pragma GCC diagnostic pop
#else
constexpr bool is_possible() { return false; }
inline void turn(const Octet&, std::size_t) {}
#endif

}  // namespace turning

// Brings blocks of columns together by eights; a column with fewer than two neighbours is left to others.
class Turner {
 public:
  Turner() = default;
  explicit Turner(std::vector<Apart> columns) {
    if (!turning::is_possible()) return;
    std::stable_sort(columns.begin(), columns.end(), [](const Apart& a, const Apart& b) { return a.first < b.first; });
    for (std::size_t at = 0; at < columns.size();) {
      Octet octet{columns[at].first, columns[at].step, {}};
      std::size_t taken = 0;
      while (at + taken < columns.size() && take(columns[at + taken], octet)) ++taken;
      if (taken >= FEWEST) octets_.push_back(octet);
      at += taken;
    }
  }

  bool is_idle() const { return octets_.empty(); }
  bool brings(const double* to) const {
    return std::any_of(octets_.begin(), octets_.end(), [&](const Octet& octet) {
      return std::find(octet.to.begin(), octet.to.end(), to) != octet.to.end();
    });
  }
  // Brings a whole block from a row on.
  void bring(std::size_t row) const {
    for (const Octet& octet : octets_) turning::turn(octet, row);
  }

 private:
  static constexpr std::size_t FEWEST = 3;

  static bool take(const Apart& column, Octet& octet) {
    const auto at = static_cast<std::size_t>(column.first - octet.first), place = at / sizeof(double);
    if (column.step != octet.step || at % sizeof(double) != 0 || place >= octet.to.size() || octet.to[place])
      return false;
    octet.to[place] = column.to;
    return true;
  }

  std::vector<Octet> octets_;
};

}  // namespace boxwood

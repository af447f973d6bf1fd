// Which rows have a code in one of some ranges: a first look that drops most rows, sixteen features of a row at once.
// Invariant: no row is dropped that has one. Cost: a few instructions for each window of features; about 4 ns for a row
// of twenty.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "parallel/simd_clones.hpp"
#include "surrogate/branch_counts.hpp"

namespace boxwood::coded {

// Codes `first` to `last` of a feature.
struct Range {
  std::size_t feature;
  Code first, last;
};

class Sieve {
 public:
  // Rows of fewer features than a window are not sifted.
  void start(const View& view, const std::vector<Range>& ranges) {
    codes_ = view.codes;
    stride_ = view.columns();
    windows_.clear();
    if (stride_ < WIDTH) return;
    for (const Range& range : ranges) {
      const std::size_t at = std::min(range.feature / WIDTH * WIDTH, stride_ - WIDTH), k = range.feature - at;
      const auto has_room = [&](const Window& window) { return window.at == at && !window.is_asked[k]; };
      auto window = std::find_if(windows_.begin(), windows_.end(), has_room);
      if (window == windows_.end()) window = windows_.insert(window, Window{at, {}, {}, {}});
      window->first[k] = range.first;
      window->span[k] = static_cast<Code>(range.last - range.first);
      window->is_asked[k] = 0xffff;
    }
  }

  // Places, from `from` on, of rows that may be in a range; returns how many. `out`: room for all.
  u32 sift(const Voters& voters, u32 from, u32 to, u32* out) const { return sifted(*this, voters, {from, to}, out); }

 private:
  static constexpr std::size_t WIDTH = 16;
  using Several = std::array<Code, WIDTH>;
  struct Window {
    std::size_t at;
    Several first, span, is_asked;
  };
  struct Piece {
    u32 from, to;
  };

  BOXWOOD_CLONES static u32 sifted(const Sieve& sieve, const Voters& voters, Piece piece, u32* out) {
    constexpr u32 AHEAD = 16;
    const Window *first = sieve.windows_.data(), *last = first + sieve.windows_.size();
    u32 kept = 0;
    for (u32 i = piece.from; i < piece.to; ++i) {
      if (i + AHEAD < piece.to) {
        const Code* later = sieve.codes_ + voters.ids[i + AHEAD] * sieve.stride_;
        __builtin_prefetch(later);
        __builtin_prefetch(later + sieve.stride_ - 1);
      }
      const Code* codes = sieve.codes_ + voters.ids[i] * sieve.stride_;
      Several any{};
      for (const Window* window = first; window != last; ++window) look(*window, codes + window->at, any);
      std::uint64_t words[sizeof any / 8];
      std::memcpy(words, &any, sizeof any);
      std::uint64_t found = first == last;
      for (const std::uint64_t word : words) found |= word;
      out[kept] = i;
      kept += found != 0;
    }
    return kept;
  }

#if defined(__GNUC__)
  // Written out, as compilers lose their way in the plain loop.
  __attribute__((always_inline)) static inline void look(const Window& window, const Code* codes, Several& any) {
    using Wide [[gnu::vector_size(2 * WIDTH)]] = Code;
    Wide at, from, span, is_asked, found;
    std::memcpy(&at, codes, sizeof at);
    std::memcpy(&from, &window.first, sizeof at);
    std::memcpy(&span, &window.span, sizeof at);
    std::memcpy(&is_asked, &window.is_asked, sizeof at);
    std::memcpy(&found, &any, sizeof at);
    found |= reinterpret_cast<Wide>(static_cast<Wide>(at - from) <= span) & is_asked;
    std::memcpy(&any, &found, sizeof at);
  }
#else
  static void look(const Window& window, const Code* codes, Several& any) {
    for (std::size_t k = 0; k < WIDTH; ++k)
      if (static_cast<Code>(codes[k] - window.first[k]) <= window.span[k]) any[k] |= window.is_asked[k];
  }
#endif

  const Code* codes_ = nullptr;
  std::size_t stride_ = 0;
  std::vector<Window> windows_;
};

}  // namespace boxwood::coded

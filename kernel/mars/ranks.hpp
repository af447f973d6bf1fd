// The rank of every value of a column; and sets of ranks as bits.
// Invariant: equal values rank in the order of their rows.
// Cost: 4 bytes a value; sorting takes 16 bytes a row of each thread. Members above a rank are counted by one load of a
// word, and all words of 100,000 ranks fit the first cache. Source: Jacobson 1989 (counts by word).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "encode/radix_sort.hpp"
#include "mars/pages.hpp"

namespace boxwood::mars {

using Ranks = Large<std::uint32_t>;

inline Ranks ranks_of(const double* x, std::size_t n) {
  Large<KeyRow> items(n);
  for (std::size_t i = 0; i < n; ++i)
    items[i] = {static_cast<std::uint32_t>(ordered_bits(x[i]) >> 32), static_cast<std::uint32_t>(i)};
  sort_items(items, [x](const KeyRow& a, const KeyRow& b) { return ordered_bits(x[a.row]) < ordered_bits(x[b.row]); });
  Ranks ranks(n);
  for (std::size_t i = 0; i < n; ++i) ranks[items[i].row] = static_cast<std::uint32_t>(i);
  return ranks;
}

// A set of ranks.
struct RankSet {
  Large<std::uint64_t> words;
  Large<std::uint32_t> above;  // members in later words

  void clear(std::size_t n) { words.assign((n + 63) / 64, 0); }
  void add(std::size_t rank) { words[rank >> 6] |= std::uint64_t{1} << (rank & 63); }
  bool has(std::size_t rank) const { return words[rank >> 6] >> (rank & 63) & 1; }
  void count() {
    above.resize(words.size());
    std::uint32_t total = 0;
    for (std::size_t w = words.size(); w-- > 0;) {
      above[w] = total;
      total += static_cast<std::uint32_t>(std::popcount(words[w]));
    }
  }
};

// How many members lie above a rank.
inline std::uint32_t members_above(const std::uint64_t* words, const std::uint32_t* above, std::uint32_t rank) {
  return above[rank >> 6] + static_cast<std::uint32_t>(std::popcount(words[rank >> 6] >> (rank & 63) >> 1));
}

}  // namespace boxwood::mars

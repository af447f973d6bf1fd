// Sums of a response as words that add up over shards: 64-bit whole numbers, wider ones in limbs of 32 bits.
// Invariant: limbs are normalised where a shard writes them, so that the words of 2^30 shards add up, and are
// subtracted, without overflow. Cost: three words a 128-bit sum.
#pragma once

#include <cstdint>
#include <vector>

#include "response/long_sum.hpp"

namespace boxwood {

inline void put_wide(Wide x, std::vector<std::int64_t>& out) {
  out.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(x) & 0xFFFFFFFFull));
  out.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(x) >> 32));
  out.push_back(static_cast<std::int64_t>(x >> 64));
}
inline Wide wide_of(const std::int64_t* words) {
  return (static_cast<Wide>(words[2]) * (Wide{1} << 64)) + (static_cast<Wide>(words[1]) << 32) + words[0];
}
// Five words: the sum's low 64 bits in two, the rest as a wide one.
inline void put_long(const LongSum& x, std::vector<std::int64_t>& out) {
  const auto low = static_cast<std::uint64_t>(x.low);
  out.push_back(static_cast<std::int64_t>(low & 0xFFFFFFFFull));
  out.push_back(static_cast<std::int64_t>(low >> 32));
  put_wide(x.high + (x.low >> 64), out);
}
inline LongSum long_of(const std::int64_t* words) {
  LongSum out;
  out.low = static_cast<Wide>(words[0]) + (static_cast<Wide>(words[1]) << 32);
  out.high = wide_of(words + 2);
  return out;
}

// One entry of a table.
struct SummedEntry {
  std::int64_t rows;
  const std::int64_t* words;
  double spread;
};

// What a shard knows of its rows of some nodes: words that add up, and ends that do not.
struct NodeWords {
  std::vector<std::int64_t> words, ends;
};

}  // namespace boxwood

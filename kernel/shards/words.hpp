// Sums of a response as words that add up over shards: 64-bit whole numbers, wider ones in limbs of 32 bits.
// Invariant: limbs are normalised where a shard hands them out, so that the words of 2^30 shards add up without
// overflow. Cost: three words a 128-bit sum.
#pragma once

#include <cstdint>
#include <vector>

#include "response/node_facts.hpp"

namespace boxwood::sharded {

using i64 = std::int64_t;
using u32 = std::uint32_t;

inline void put_wide(Wide x, std::vector<i64>& out) {
  out.push_back(static_cast<i64>(static_cast<std::uint64_t>(x) & 0xFFFFFFFFull));
  out.push_back(static_cast<i64>(static_cast<std::uint64_t>(x) >> 32));
  out.push_back(static_cast<i64>(x >> 64));
}
inline Wide wide_of(const i64* words) {
  return (static_cast<Wide>(words[2]) * (Wide{1} << 64)) + (static_cast<Wide>(words[1]) << 32) + words[0];
}
// Five words: the sum's low 64 bits in two, the rest as a wide one.
inline void put_long(const LongSum& x, std::vector<i64>& out) {
  const auto low = static_cast<std::uint64_t>(x.low);
  out.push_back(static_cast<i64>(low & 0xFFFFFFFFull));
  out.push_back(static_cast<i64>(low >> 32));
  put_wide(x.high + static_cast<Wide>(x.low >> 64), out);
}

// Words of an entry: class weights; weight and sum of deviations; weight, exposure and events; weights and rows by
// branch.
inline int words_of(const ResponseColumns& y) {
  return y.kind == ResponseColumns::Kind::classes ? y.n_classes : y.kind == ResponseColumns::Kind::mean ? 4 : 7;
}

// Rows and sums of the entries of a table, one after the other.
struct Entries {
  std::vector<i64> rows, words;
  std::vector<double> spread;  // means: sum of w d^2, good for bounds only
};

}  // namespace boxwood::sharded

// Sums of a response as words that add up over shards: 64-bit whole numbers, wider ones in limbs of 32 bits; and read
// again as the cells and sums of a response (response/response.hpp).
// Invariant: limbs are normalised where a shard writes them, so that the words of 2^30 shards add up, and are
// subtracted, without overflow. Cost: three words a 128-bit sum.
#pragma once

#include <cstdint>
#include <vector>

#include "response/binary.hpp"
#include "response/mean.hpp"
#include "response/multiclass.hpp"
#include "response/poisson.hpp"
#include "search/entry_table.hpp"
#include "surrogate/agreement.hpp"

namespace boxwood::sharded {

using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

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
  put_wide(x.high + (x.low >> 64), out);
}
inline LongSum long_of(const i64* words) {
  LongSum out;
  out.low = static_cast<Wide>(words[0]) + (static_cast<Wide>(words[1]) << 32);
  out.high = wide_of(words + 2);
  return out;
}

// Words of an entry: class weights; weight and sum; weight, exposure and events.
inline std::size_t words_of(const ResponseColumns& y) {
  using Kind = ResponseColumns::Kind;
  return y.kind == Kind::classes ? static_cast<std::size_t>(y.n_classes) : y.kind == Kind::mean ? 4 : 7;
}
// Words of a node (node_sums.hpp), and its ends, which do not add up.
inline std::size_t words_of_node(const ResponseColumns& y) {
  using Kind = ResponseColumns::Kind;
  return y.kind == Kind::classes ? 1 + static_cast<std::size_t>(y.n_classes) : y.kind == Kind::mean ? 18 : 11;
}
inline std::size_t ends_of_node(const ResponseColumns& y) {
  using Kind = ResponseColumns::Kind;
  return y.kind == Kind::classes ? 0 : y.kind == Kind::mean ? 4 : 3;
}

// Rows and sums of the entries of a table, one after the other.
struct Entries {
  std::vector<i64> rows, words;
  std::vector<double> spread;  // means: sum of w d^2, good for bounds only
};

// One entry of a table.
struct SummedEntry {
  i64 rows;
  const i64* words;
  double spread;
};

// Entries of a table, of `step` words each; `spread` is null but for means.
struct Given {
  const i64* rows;
  const i64* words;
  const double* spread;
  std::size_t count, step;

  SummedEntry entry(std::size_t e) const { return {rows[e], words + e * step, spread ? spread[e] : 0.0}; }
};

inline i64 weight_of(const coded::BinaryResponse&, const SummedEntry& e) { return e.rows; }
inline void read(const coded::BinaryResponse&, const SummedEntry& e, u64* cell) {
  *cell = static_cast<u64>(e.rows) + (static_cast<u64>(e.words[1]) << 32);
}
inline i64 weight_of(const coded::WeightedMulticlassResponse& y, const SummedEntry& e) {
  return std::accumulate(e.words, e.words + y.n_classes, i64{0});
}
inline void read(const coded::WeightedMulticlassResponse& y, const SummedEntry& e, i64* cell) {
  *std::copy_n(e.words, y.n_classes, cell) = e.rows;
}
inline i64 weight_of(const coded::WeightedMeanResponse&, const SummedEntry& e) { return e.words[0]; }
inline void read(const coded::WeightedMeanResponse&, const SummedEntry& e, coded::MeanCell<true>* cell) {
  cell->n = e.rows;
  cell->weight = e.words[0];
  cell->sum = wide_of(e.words + 1);
  cell->squares = e.spread;
}
inline i64 weight_of(const coded::PoissonResponse&, const SummedEntry& e) { return e.words[0]; }
inline void read(const coded::PoissonResponse&, const SummedEntry& e, coded::PoissonResponse::Cell* cell) {
  *cell = {e.rows, e.words[0], wide_of(e.words + 1), wide_of(e.words + 4)};
}

// The branch taken as a response: weight on each branch, then rows on each.
struct BranchTaken {
  static int width() { return 1; }
};
inline i64 weight_of(const BranchTaken&, const SummedEntry& e) { return e.words[0] + e.words[1]; }
inline void read(const BranchTaken&, const SummedEntry& e, BranchCounts* cell) {
  *cell = {{e.words[0], e.words[1]}, {e.words[2], e.words[3]}};
}

// Entries as the search reads them.
template <class Cell, class R>
coded::EntrySums<Cell> entry_sums(const R& y, const Given& given) {
  const auto width = static_cast<std::size_t>(y.width());
  coded::EntrySums<Cell> out;
  out.rows.assign(given.rows, given.rows + given.count);
  out.cells.resize(given.count * width);
  for (std::size_t e = 0; e < given.count; ++e) {
    out.weights.push_back(weight_of(y, given.entry(e)));
    read(y, given.entry(e), &out.cells[e * width]);
  }
  return out;
}

}  // namespace boxwood::sharded

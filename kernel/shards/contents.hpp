// The content of a shard's rows: values with ranks among all shards' values, keys that tell rows
// apart, and the hashes that folds are drawn by. Invariant: sums over rows add up over shards; with the sums of all
// shards every row gets the hash that encode/row_hash.hpp gives it. Cost: a sort of a column for its values (10 ns a
// value), about 5 ns a cell for keys and hashes.
#pragma once

#include <array>

#include "encode/exact_codes.hpp"
#include "encode/row_hash.hpp"
#include "shards/count.hpp"

namespace boxwood::sharded {

// Values of a column inside some coarse bins; all others count as missing.
struct Ranged {
  ExactValues exact;
  const std::uint16_t* bins = nullptr;
  std::size_t n = 0;
  std::uint16_t low = 0, high = 0;  // bins low <= bin < high

  Column column() const {
    std::vector<double> out(n, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < n; ++i)
      if (bins[i] >= low && bins[i] < high) out[i] = exact.raw(i);
    return encode_numeric(out, exact.lows);
  }
};

struct DistinctValues {
  std::vector<double> value, low;
  std::vector<std::int64_t> rows;
};

inline DistinctValues distinct_values(const Ranged& given) {
  Column column = given.column();
  DistinctValues out{std::move(column.values), std::move(column.lows), std::vector<std::int64_t>(column.n_codes, 0)};
  for (const std::uint32_t code : column.codes)
    if (code != MISSING) ++out.rows[code];
  return out;
}

// Values that rise, with low parts or none.
struct KnownValues {
  const double *value, *low;
  std::size_t count;
};

// Rank of each value among known ones that rise and hold all of them, counted on from `first`; MISSING elsewhere.
inline std::vector<std::uint32_t> ranks_among(const Ranged& given, const KnownValues& known, std::uint32_t first) {
  Column column = given.column();
  std::vector<std::uint32_t> place(column.n_codes);
  std::size_t at = 0;
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    const std::pair value{column.values[code], column.lows.empty() ? 0.0 : column.lows[code]};
    const auto here = [&] { return std::pair{known.value[at], known.low ? known.low[at] : 0.0}; };
    while (at < known.count && here() < value) ++at;
    if (at == known.count || here() != value) throw std::invalid_argument("a value is not among those known");
    place[code] = first + static_cast<std::uint32_t>(at);
  }
  for (std::uint32_t& code : column.codes)
    if (code != MISSING) code = place[code];
  return std::move(column.codes);
}

// A column of a shard by dense codes: ranks as floats (NaN = missing), or levels (negative = missing) with the code of
// each.
struct ContentColumn {
  Kind kind = Kind::numeric;
  ExactValues ranks;
  const std::int32_t* levels = nullptr;
  const std::uint32_t* dense = nullptr;
  std::uint32_t distinct = 0;
  Ends ends;

  std::uint32_t code(std::size_t i) const {
    if (levels) return levels[i] < 0 ? MISSING : dense[levels[i]];
    const double rank = ranks.raw(i);
    return std::isnan(rank) ? MISSING : static_cast<std::uint32_t>(rank);
  }
  CellRule rule(std::size_t different) const { return {kind, distinct, ends, different}; }
};

// What each cell of a column adds to its row, by the rule that all shards' sums make.
class Cells {
 public:
  Cells(const ContentColumn& column, std::size_t different)
      : column_(column), rule_(column.rule(different)), missing_(rule_.missing()) {}

  std::uint64_t at(std::size_t i) const {
    const std::uint32_t code = column_.code(i);
    return code == MISSING ? missing_ : rule_.known(code);
  }
  bool constant() const {
    const std::uint64_t first = column_.distinct ? rule_.known(0) : missing_;
    if (column_.ends.any_missing && missing_ != first) return false;
    for (std::uint32_t code = 1; code < column_.distinct; ++code)
      if (rule_.known(code) != first) return false;
    return true;
  }

 private:
  const ContentColumn& column_;
  const CellRule rule_;
  const std::uint64_t missing_;
};

constexpr std::size_t CONTENT_BLOCK = 16384;

// visit(from, to) for blocks of n rows, by the team.
template <class Visit>
void each_block(Team& team, std::size_t n, const Visit& visit) {
  team.run((n + CONTENT_BLOCK - 1) / CONTENT_BLOCK,
           [&](std::size_t b, int) { visit(b * CONTENT_BLOCK, std::min(n, (b + 1) * CONTENT_BLOCK)); });
}

// Equal rows have equal keys, and others other ones.
inline std::vector<std::uint64_t> content_keys(const std::vector<ContentColumn>& columns, std::size_t n, Team& team) {
  std::vector<std::uint64_t> key(n, 0);
  each_block(team, n, [&](std::size_t from, std::size_t to) {
    for (const ContentColumn& column : columns)
      for (std::size_t i = from; i < to; ++i) key[i] = mix(key[i] ^ column.code(i)) + 1;
  });
  return key;
}

// Sums of 64-bit numbers of so many rows that they need more bits: the lower and the upper halves apart.
struct HalvedSum {
  std::uint64_t low = 0, high = 0;
  void add(std::uint64_t x) { low += x & 0xFFFFFFFFull, high += x >> 32; }
};

// The ends of a column (encode/row_hash.hpp) as sums over some rows, by group: missing, up, down. `hashes`: of the
// first round, or none.
struct GroupedRows {
  const std::uint32_t* row;
  const std::uint16_t* group;
  std::size_t n, groups;
  const std::uint64_t* hashes;
};

struct EndSums {
  std::vector<std::array<HalvedSum, 3>> of_group;
  std::int64_t missing = 0;
};

inline EndSums end_sums(const ContentColumn& column, const GroupedRows& rows) {
  EndSums out;
  out.of_group.resize(rows.groups);
  for (std::size_t at = 0; at < rows.n; ++at) {
    auto& sums = out.of_group[rows.group[at]];
    const std::uint32_t i = rows.row[at], code = column.code(i);
    const std::uint64_t hash = rows.hashes ? rows.hashes[i] : 0;  // the first round knows nothing of the rows
    if (code == MISSING) {
      sums[0].add(mix(hash + 1));
      ++out.missing;
    } else {
      sums[1].add(mix(rising(code) ^ hash));
      sums[2].add(mix(falling(code, column.distinct) ^ hash));
    }
  }
  return out;
}

inline std::vector<std::uint64_t> content_hashes(const std::vector<ContentColumn>& columns, std::size_t different,
                                                 std::size_t n, Team& team) {
  std::vector<Cells> cells;
  for (const ContentColumn& column : columns) cells.emplace_back(column, different);
  std::vector<std::uint64_t> hash(n, 0);
  each_block(team, n, [&](std::size_t from, std::size_t to) {
    for (const Cells& column : cells)
      for (std::size_t i = from; i < to; ++i) hash[i] += column.at(i);
    for (std::size_t i = from; i < to; ++i) hash[i] = mix(hash[i]);
  });
  return hash;
}

}  // namespace boxwood::sharded

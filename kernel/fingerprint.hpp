// A hash of each row's content that does not change with row order, column order, copies of columns, constant columns, or any
// strictly monotone map of a column: the ground for cross-validation folds that depend on the data alone.
// Invariant: built from codes (ranks), symmetric in a column's direction; columns of equal partition count once.
// Cost: two passes over the codes.
#pragma once

#include <algorithm>

#include "columns.hpp"
#include "threads.hpp"

namespace boxwood {

// Finaliser of a 64-bit mixing hash (constants of Stafford's variant 13, 2011).
inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// Codes of the rows taken, dense from 0, missing = MISSING: what remains of a column when the other rows are gone.
inline std::vector<std::uint32_t> dense_codes(const Column& column, const std::vector<std::uint32_t>& rows, std::uint32_t& distinct) {
  std::vector<std::uint32_t> rank(column.n_codes, 0), out(rows.size());
  for (const std::uint32_t row : rows)
    if (column.codes[row] != MISSING) rank[column.codes[row]] = 1;
  distinct = 0;
  for (auto& r : rank) r = r ? distinct++ : MISSING;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t code = column.codes[rows[i]];
    out[i] = code == MISSING ? MISSING : rank[code];
  }
  return out;
}

inline std::uint64_t cell_hash(std::uint32_t code, std::uint32_t distinct) {
  if (code == MISSING) return mix(0x9E3779B97F4A7C15ull);
  return mix(code + 1ull) + mix(distinct - static_cast<std::uint64_t>(code));
}

inline std::vector<std::uint64_t> row_fingerprints(const std::vector<Column>& columns, const std::vector<std::uint32_t>& rows, Team& team) {
  std::vector<std::vector<std::uint64_t>> cells(columns.size());
  std::vector<std::uint64_t> signature(columns.size(), 0);
  team.run(columns.size(), [&](std::size_t j, int) {
    std::uint32_t distinct = 0;
    const auto codes = dense_codes(columns[j], rows, distinct);
    cells[j].resize(rows.size());
    bool constant = true;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      cells[j][i] = cell_hash(codes[i], distinct);
      constant = constant && codes[i] == codes[0];
      signature[j] = mix(signature[j] ^ cells[j][i]);
    }
    if (constant) cells[j].clear();
  });
  std::vector<std::uint64_t> seen, hash(rows.size(), 0);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (cells[j].empty() || std::find(seen.begin(), seen.end(), signature[j]) != seen.end()) continue;
    seen.push_back(signature[j]);
    for (std::size_t i = 0; i < rows.size(); ++i) hash[i] += mix(cells[j][i]);
  }
  for (auto& h : hash) h = mix(h);
  return hash;
}

}  // namespace boxwood

// A hash of each row's content that does not change with row order, column order, copies of columns, constant columns, rows given
// several times instead of a weight, or any strictly monotone map of a column: the ground for cross-validation folds that depend
// on the data alone.
// Invariant: built from codes (ranks); a column is known by its codes among the different rows, and counts from the end that this
// makes the first, so that a falling map changes nothing (names have no such ends); columns of equal partition count once. Equal
// rows have equal hashes; different rows may, if a symmetry of the whole table exchanges them.
// Method: colour refinement between rows and columns (Weisfeiler and Leman 1968), a second round only where the first leaves different
// rows alike.
// Cost: four to seven passes over the codes and two sorts of n keys.
#pragma once

#include <algorithm>
#include <numeric>

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

// One row of each set of equal rows.
inline std::vector<std::uint32_t> different_rows(const std::vector<Column>& columns, const std::vector<std::uint32_t>& rows, Team& team) {
  std::vector<std::uint64_t> key(rows.size(), 0);
  constexpr std::size_t block = 4096;
  team.run((rows.size() + block - 1) / block, [&](std::size_t b, int) {
    for (const Column& column : columns)
      for (std::size_t i = b * block; i < std::min(rows.size(), (b + 1) * block); ++i) key[i] = mix(key[i] ^ column.codes[rows[i]]) + 1;
  });
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  order.erase(std::unique(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] == key[b]; }), order.end());
  return order;
}

// The hash of every cell of a column: its code from the column's first end, mixed with what tells the column from others. Both
// come from `hash`, what is known of the rows so far.
inline std::vector<std::uint64_t> column_cells(const Column& column, const std::vector<std::uint32_t>& rows,
                                               const std::vector<std::uint32_t>& different, const std::vector<std::uint64_t>& hash) {
  std::uint32_t distinct = 0;
  const auto codes = dense_codes(column, rows, distinct);
  const auto rising = [](std::uint32_t code) { return mix(code + 1ull); };
  const auto falling = [&](std::uint32_t code) { return mix(distinct - static_cast<std::uint64_t>(code)); };
  std::uint64_t missing = 0, up = 0, down = 0;
  for (const std::uint32_t i : different) {
    if (codes[i] == MISSING) missing += mix(hash[i] + 1);
    else up += mix(rising(codes[i]) ^ hash[i]), down += mix(falling(codes[i]) ^ hash[i]);
  }
  if (column.kind == Kind::nominal) down = up;
  const std::uint64_t own = mix(std::min(up, down) + mix(missing));
  // Columns in which all rows differ are alike so far: the codes alone tell their rows apart.
  const bool alike = distinct == different.size() && up == down;
  std::vector<std::uint64_t> cells(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::uint64_t cell = mix(0x9E3779B97F4A7C15ull);
    if (codes[i] != MISSING) {
      // Where neither end is the first, both count.
      cell = up < down || column.kind == Kind::nominal ? rising(codes[i])
             : down < up                               ? falling(codes[i])
                                                       : rising(codes[i]) + falling(codes[i]);
    }
    cells[i] = alike ? cell : mix(cell ^ own);
  }
  return cells;
}

// One round: what is known of the rows, from what is known of the columns, from what was known of the rows.
inline std::vector<std::uint64_t> refined(const std::vector<Column>& columns, const std::vector<std::uint32_t>& rows,
                                          const std::vector<std::uint32_t>& different, const std::vector<std::uint64_t>& before,
                                          Team& team) {
  std::vector<std::vector<std::uint64_t>> cells(columns.size());
  std::vector<std::uint64_t> signature(columns.size(), 0);
  team.run(columns.size(), [&](std::size_t j, int) {
    cells[j] = column_cells(columns[j], rows, different, before);
    bool constant = true;
    for (const std::uint64_t cell : cells[j]) {
      constant = constant && cell == cells[j][0];
      signature[j] = mix(signature[j] ^ cell);
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

inline std::vector<std::uint64_t> row_fingerprints(const std::vector<Column>& columns, const std::vector<std::uint32_t>& rows, Team& team) {
  const auto different = different_rows(columns, rows, team);
  auto hash = refined(columns, rows, different, std::vector<std::uint64_t>(rows.size(), 0), team);
  std::vector<std::uint64_t> told;
  for (const std::uint32_t i : different) told.push_back(hash[i]);
  std::sort(told.begin(), told.end());
  const bool all_told_apart = std::adjacent_find(told.begin(), told.end()) == told.end();
  return all_told_apart ? hash : refined(columns, rows, different, hash, team);
}

}  // namespace boxwood

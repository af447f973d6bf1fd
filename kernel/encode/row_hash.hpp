// A number for each row, drawn from the table alone: cross-validation folds are cut along these. A row's content is all
// its columns, the response and the weight among them. The numbers do not change with row order, column order, copies
// of columns, constant columns or any strictly monotone map of a column, but that rows which a symmetry of the whole
// table exchanges may exchange their numbers. Invariant: built from codes (ranks); a column is known by its codes, and
// counts from the end that this makes the first, so that a falling map changes nothing (names have no such ends);
// copies of a column count once. All rows get different numbers: those of equal content one after the other, as they
// are interchangeable. Method: colour refinement between rows and columns (Weisfeiler and Leman 1968), a second round
// only where the first leaves different rows alike; what the second leaves alike is distinguished by keys that know the
// places of columns. What a cell adds depends on its code and its column alone. Cost: 1 ns a cell with AVX-512, 3 with
// AVX2, 6 without, and a sort of n numbers; where rows hash alike, their keys and another sort.
#pragma once

#include <algorithm>
#include <numeric>
#include <tuple>

#include "encode/columns.hpp"
#include "encode/radix_sort.hpp"
#include "parallel/simd_clones.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood {

constexpr std::uint64_t GOLDEN = 0x9E3779B97F4A7C15ull;

// Finaliser of a 64-bit mixing hash (constants of Stafford's variant 13, 2011).
inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

inline std::uint64_t rising(std::uint32_t code) { return mix(code + 1ull); }
inline std::uint64_t falling(std::uint32_t code, std::uint32_t distinct) {
  return mix(distinct - static_cast<std::uint64_t>(code));
}

// A column seen from both ends, with what is known of its rows so far; sums over rows. Names have one end.
struct Ends {
  std::uint64_t missing = 0, up = 0, down = 0;

  std::uint64_t least() const { return std::min(up, down); }
  bool is_like(const Ends& other) const { return missing == other.missing && least() == other.least(); }
};

// A column by codes that are dense from 0 among its rows; MISSING stays.
struct DenseColumn {
  Kind kind = Kind::numeric;
  const std::uint32_t* codes = nullptr;
  std::uint32_t distinct = 0;
  std::size_t rows = 0;
  std::vector<std::uint32_t> own;  // where the codes given are not dense: levels that no row has

  explicit DenseColumn(const Column& column)
      : kind(column.kind), codes(column.codes.data()), distinct(column.n_codes), rows(column.codes.size()) {
    if (kind == Kind::numeric) return;
    std::vector<std::uint32_t> rank(column.n_codes, 0);
    for (const std::uint32_t code : column.codes)
      if (code != MISSING) rank[code] = 1;
    distinct = 0;
    for (auto& r : rank) r = r ? distinct++ : MISSING;
    own.reserve(column.codes.size());
    for (const std::uint32_t code : column.codes) own.push_back(code == MISSING ? MISSING : rank[code]);
    codes = own.data();
  }
  // Place of a row's cell in a list over codes, missing last.
  std::uint32_t place(std::size_t row) const { return std::min(codes[row], distinct); }
  bool is_constant() const {
    return distinct == 0 || (distinct == 1 && std::find(codes, codes + rows, MISSING) == codes + rows);
  }
  // Whether another column has the same codes, counted from either end.
  bool has_copy(const DenseColumn& other) const {
    if (kind != other.kind || distinct != other.distinct) return false;
    bool same = true, turned = kind != Kind::nominal;
    for (std::size_t i = 0; i < rows && (same || turned); ++i) {
      const std::size_t one = place(i), two = other.place(i);
      same = same && one == two;
      turned = turned && (one == distinct ? two == distinct : one + two + 1 == distinct);
    }
    return same || turned;
  }
};

// What a cell of a column adds to its row: the code from the column's first end, mixed with what tells the column from
// others. Free of branches, so that a loop over rows can be vectorised.
class CellRule {
 public:
  // By what is known of the column; where neither end is the first, both count.
  CellRule(const DenseColumn& column, const Ends& ends)
      : codes_(column.codes), distinct_(column.distinct), own_(mix(ends.least() + mix(ends.missing))),
        up_(mask(ends.up <= ends.down)), down_(mask(ends.down <= ends.up && column.kind != Kind::nominal)) {}
  // From one end, by the place of the column.
  CellRule at_place(std::size_t place) const {
    CellRule rule = *this;
    rule.own_ = mix(place + GOLDEN);
    rule.down_ &= ~up_;
    return rule;
  }

  std::uint64_t at(std::size_t row) const {
    const std::uint32_t code = std::min(codes_[row], distinct_);
    const std::uint64_t known = (up_ & rising(code)) + (down_ & falling(code, distinct_));
    const std::uint64_t missing = mask(code == distinct_);
    return mix(own_ ^ ((missing & mix(GOLDEN)) | (~missing & known)));
  }

 private:
  static std::uint64_t mask(bool set) { return std::uint64_t{0} - set; }

  const std::uint32_t* codes_;
  std::uint32_t distinct_;
  std::uint64_t own_, up_, down_;
};

// Adds to rows [from, to) what their cells of a column add.
BOXWOOD_CLONES inline void add_cells(const CellRule& rule, std::size_t from, std::size_t to, std::uint64_t* row) {
  const CellRule by = rule;  // its members stay in registers
  for (std::size_t i = from; i < to; ++i) row[i] += by.at(i);
}

// Colour refinement; hash of each row in `row`.
class Refining {
 public:
  // With the first round: columns by how often they hold each value.
  Refining(const std::vector<DenseColumn>& columns, std::size_t n, ThreadPool& pool) : row(n, 0), pool_(pool) {
    for (const DenseColumn& column : columns)
      for (auto k = static_cast<std::uint32_t>(place_hash_.size()); k < column.distinct; ++k)
        place_hash_.push_back(mix(rising(k)));
    std::vector<Ends> ends(columns.size()), taken;
    pool.run(columns.size(), [&](std::size_t j, int) { ends[j] = ends_by_counts(columns[j]); });
    for (std::size_t j = 0; j < columns.size(); ++j) {
      bool is_new = !columns[j].is_constant();
      for (std::size_t k = 0; k < taken.size() && is_new; ++k)
        is_new = !taken[k].is_like(ends[j]) || !columns_[k]->has_copy(columns[j]);
      if (!is_new) continue;
      columns_.push_back(&columns[j]);
      taken.push_back(ends[j]);
    }
    add_up(taken);
  }

  std::vector<std::uint64_t> row;

  // Another round: columns by what is known of the rows that hold each value.
  void round() {
    std::vector<Ends> ends(columns_.size());
    pool_.run(ends.size(), [&](std::size_t j, int) { ends[j] = ends_by_rows(*columns_[j]); });
    add_up(ends);
  }

  // What tells each row from others by the places of the columns.
  std::vector<std::uint64_t> keys() const {
    std::vector<CellRule> rules;
    for (const CellRule& rule : rules_) rules.push_back(rule.at_place(rules.size()));
    return sums(rules);
  }

 private:
  void add_up(const std::vector<Ends>& ends) {
    rules_.clear();
    for (std::size_t j = 0; j < columns_.size(); ++j) rules_.emplace_back(*columns_[j], ends[j]);
    row = sums(rules_);
  }

  std::vector<std::uint64_t> sums(const std::vector<CellRule>& rules) const {
    std::vector<std::uint64_t> out(row.size(), 0);
    constexpr std::size_t block = 16384;
    pool_.run((out.size() + block - 1) / block, [&](std::size_t b, int) {
      const std::size_t from = b * block, to = std::min(out.size(), from + block);
      for (const CellRule& rule : rules) add_cells(rule, from, to, out.data());
      for (std::size_t i = from; i < to; ++i) out[i] = mix(out[i]);
    });
    return out;
  }

  Ends ends_by_counts(const DenseColumn& column) const {
    Ends ends;
    const bool all_differ = column.distinct == row.size();
    std::vector<std::uint64_t> count(column.distinct + 1, all_differ);
    count.back() = 0;
    for (std::size_t i = 0; i < row.size() && !all_differ; ++i) ++count[column.place(i)];
    for (std::uint32_t code = 0; code < column.distinct; ++code) {
      ends.up += count[code] * place_hash_[code];
      ends.down += count[code] * place_hash_[column.distinct - 1 - code];
    }
    ends.missing = count.back() * mix(1);
    if (column.kind == Kind::nominal) ends.down = ends.up;
    return ends;
  }

  Ends ends_by_rows(const DenseColumn& column) const {
    Ends ends;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::uint32_t code = column.codes[i];
      if (code == MISSING)
        ends.missing += mix(row[i] + 1);
      else
        ends.up += mix(rising(code) ^ row[i]), ends.down += mix(falling(code, column.distinct) ^ row[i]);
    }
    if (column.kind == Kind::nominal) ends.down = ends.up;
    return ends;
  }

  ThreadPool& pool_;
  std::vector<const DenseColumn*> columns_;  // but for constants and copies
  std::vector<CellRule> rules_;
  std::vector<std::uint64_t> place_hash_;  // of the codes 0, 1, ..., from either end
};

// Each row's number, and the rows by rising number.
struct RowNumbers {
  std::vector<std::uint64_t> number;
  std::vector<std::uint32_t> order;
};

inline RowNumbers row_numbers(const std::vector<DenseColumn>& columns, std::size_t n, ThreadPool& pool) {
  Refining refining(columns, n, pool);
  const std::vector<std::uint64_t>& hash = refining.row;
  std::vector<std::uint32_t> order(n);
  std::vector<std::uint64_t> key;
  std::iota(order.begin(), order.end(), 0u);
  const auto is_tied = [&](std::size_t at) { return hash[order[at]] == hash[order[at - 1]]; };
  // Brings the rows into order; whether different ones hash alike.
  const auto sort_and_compare = [&] {
    order = order_of(hash, order);
    for (std::size_t at = 1; at < n; ++at) {
      if (!is_tied(at)) continue;
      if (key.empty()) key = refining.keys();
      if (key[order[at]] != key[order[at - 1]]) return true;
    }
    return false;
  };
  if (sort_and_compare()) {
    refining.round();
    key.clear();
    if (sort_and_compare())
      std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(hash[a], key[a], a) < std::tie(hash[b], key[b], b);
      });
  }
  if (key.empty()) return {std::move(refining.row), std::move(order)};
  std::vector<std::uint64_t> number = hash;
  for (std::size_t at = 1, before = 0; at < n; ++at) {
    before = is_tied(at) ? before + 1 : 0;
    if (before > 0) number[order[at]] = mix(hash[order[at]] + before * GOLDEN);
  }
  order = order_of(number, order);
  return {std::move(number), std::move(order)};
}

}  // namespace boxwood

// Rows through a plan, eight at a time in step, so that the loads of one overlap those of the others.
// Invariant: where a row ends depends on that row alone; the ways with and without missing values agree where nothing is missing.
// Cost: about 1 ns a step in the cache. A row that has arrived stays at its end until the unfinished ones are brought together anew.
// Source: the sign of cut - x is that of x > cut, since subtraction of unequal doubles is never 0 (IEEE 754 with gradual underflow).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "plan.hpp"

#if defined(__GNUC__)
#define BOXWOOD_INLINE __attribute__((always_inline)) inline
#define BOXWOOD_PREFETCH(address) __builtin_prefetch(address)
#define BOXWOOD_UNROLL _Pragma("GCC unroll 8")
#else
#define BOXWOOD_INLINE inline
#define BOXWOOD_PREFETCH(address) static_cast<void>(address)
#define BOXWOOD_UNROLL
#endif

namespace boxwood {

constexpr std::size_t BLOCK = 64, LANES = 8;

// Rows of a table in memory as it came: the features of a row lie side by side.
template <class T>
struct RowMajor {
  const T* values;
  std::ptrdiff_t stride;

  using Row = const T*;
  Row row(std::size_t i) const { return values + static_cast<std::ptrdiff_t>(i) * stride; }
  static double value(Row row, std::size_t feature) { return row[feature]; }
  BOXWOOD_INLINE void prefetch(std::size_t i, std::size_t features) const {  // inline: as a call, gcc drops it for having no effect
    if (features * sizeof(T) > 512) return;  // few of them will be read
    const T* first = row(i);
    for (std::size_t j = 0; j < features; j += 64 / sizeof(T)) BOXWOOD_PREFETCH(first + j);
  }
};

// A block of rows by columns: where the values of each feature begin.
struct Gathered {
  const double* const* columns;

  struct Row {
    const double* const* columns;
    std::size_t i;
  };
  Row row(std::size_t i) const { return {columns, i}; }
  static double value(const Row& row, std::size_t feature) { return row.columns[feature][row.i]; }
  static void prefetch(std::size_t, std::size_t) {}
};

// The nodes of a plan by half nodes.
struct PlanNodes {
  const std::byte* first;

  explicit PlanNodes(const Plan& plan) : first(reinterpret_cast<const std::byte*>(plan.lines.data())) {}
  BOXWOOD_INLINE const PlanNode& at(std::uint32_t half) const {
    return *reinterpret_cast<const PlanNode*>(first + std::size_t{half} * (sizeof(PlanNode) / 2));
  }
};

// How to take a step. Plain: cuts alone, and nothing missing; `sum` becomes NaN when something was.
struct Plain {
  static constexpr bool SUMS = true;
  PlanNodes nodes;

  explicit Plain(const Plan& plan) : nodes(plan) {}
  template <class Values>
  BOXWOOD_INLINE std::uint32_t step(typename Values::Row row, std::uint32_t at, double& sum) const {
    const PlanNode& node = nodes.at(at);
    const double gap = node.cut - Values::value(row, node.feature);
    sum += gap;
    return node.first ^ (static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(gap) >> 62) & 2u);
  }
};

// Cuts and missing values.
struct Whole {
  static constexpr bool SUMS = false;
  PlanNodes nodes;
  const std::uint32_t* gone;

  explicit Whole(const Plan& plan) : nodes(plan), gone(plan.gone.data()) {}
  template <class Values>
  BOXWOOD_INLINE std::uint32_t step(typename Values::Row row, std::uint32_t at, double&) const {
    const PlanNode& node = nodes.at(at);
    return next(node.cut - Values::value(row, node.feature), node.first, at);
  }
  BOXWOOD_INLINE std::uint32_t next(double gap, std::uint32_t first, std::uint32_t at) const {
    const auto bits = std::bit_cast<std::uint64_t>(gap);
    const std::uint32_t known = first ^ (static_cast<std::uint32_t>(bits >> 62) & 2u);
    const std::uint32_t missing = -static_cast<std::uint32_t>((bits << 1) > 0xFFE0000000000000u);
    return known ^ ((known ^ gone[at / 2]) & missing);
  }
};

// Tables of levels, which know missing ones as well.
struct Tables {
  const std::uint32_t* table;

  // What the table says where the node is one, else `cut`.
  BOXWOOD_INLINE std::uint32_t or_table(const PlanNode& node, double value, std::uint32_t cut) const {
    const std::uint32_t by_table = -(node.first & 1u), entry = low_bits(node.cut) + low_bits(value);
    return cut ^ ((cut ^ table[entry & by_table]) & by_table);
  }
  static BOXWOOD_INLINE std::uint32_t low_bits(double x) { return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x)); }
};

// Cuts and tables, and no number missing; `sum` as in Plain.
struct Tabled {
  static constexpr bool SUMS = true;
  PlanNodes nodes;
  Tables tables;

  explicit Tabled(const Plan& plan) : nodes(plan), tables{plan.table.data()} {}
  template <class Values>
  BOXWOOD_INLINE std::uint32_t step(typename Values::Row row, std::uint32_t at, double& sum) const {
    const PlanNode& node = nodes.at(at);
    const double value = Values::value(row, node.feature), gap = node.cut - value;
    sum += gap;
    return tables.or_table(node, value, node.first ^ (static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(gap) >> 62) & 2u));
  }
};

// Cuts, missing numbers and tables.
struct Mixed : Whole {
  Tables tables;

  explicit Mixed(const Plan& plan) : Whole(plan), tables{plan.table.data()} {}
  template <class Values>
  BOXWOOD_INLINE std::uint32_t step(typename Values::Row row, std::uint32_t at, double&) const {
    const PlanNode& node = nodes.at(at);
    const double value = Values::value(row, node.feature);
    return tables.or_table(node, value, next(node.cut - value, node.first, at));
  }
};

// Up to BLOCK rows on their way.
template <class Values, class Way>
class Lanes {
 public:
  Lanes(const Plan& plan, const Values& values) : plan_(plan), way_(plan), values_(values) {}

  // The places where they end, with room for BLOCK of them; returns whether a plain way met something missing, which makes its
  // answer void. Meanwhile the rows of the next block are fetched, if there are as many as `rest`.
  bool ends(std::size_t count, std::size_t rest, std::uint32_t* at) {
    sums_ = {};
    start(count, rest, at);
    if (is_void() || (Way::SUMS && plan_.even)) return is_void();
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      who_[left] = static_cast<std::uint8_t>(i);
      left += way_.nodes.at(at[i]).first != at[i];
    }
    while (left > 0 && !is_void()) left = advance(left, at);
    return is_void();
  }

  void move_to(const Values& values) { values_ = values; }

 private:
  static constexpr int STRIDE = 3;

  // The first steps of all rows, as many as most need.
  void start(std::size_t count, std::size_t rest, std::uint32_t* at) {
    const Way way = way_;  // copies that no store can reach
    const Values values = values_;
    const std::size_t features = plan_.features.size();
    double sums[4] = {};
    for (std::size_t g = 0; g < count; g += LANES) {
      std::uint32_t lane[LANES] = {};
      typename Values::Row row[LANES];
      for (std::size_t i = 0; i < LANES; ++i) row[i] = values.row(std::min(g + i, count - 1));
      for (std::size_t i = g + BLOCK; i < std::min(g + BLOCK + LANES, rest); ++i) values.prefetch(i, features);
      for (int k = 0; k < plan_.lead; ++k)
        BOXWOOD_UNROLL
        for (std::size_t i = 0; i < LANES; ++i) lane[i] = way.template step<Values>(row[i], lane[i], sums[i % 4]);
      for (std::size_t i = 0; i < LANES; ++i) at[g + i] = lane[i];
    }
    for (int i = 0; i < 4; ++i) sums_[i] += sums[i];
  }

  // Some more steps of each row in who_; who has not arrived stays there. Returns how many.
  std::size_t advance(std::size_t count, std::uint32_t* at) {
    for (std::size_t i = count; i < count + LANES; ++i) who_[i] = who_[0];
    const Way way = way_;  // copies that no store can reach
    const Values values = values_;
    double sums[4] = {};
    std::size_t left = 0;
    for (std::size_t g = 0; g < count; g += LANES) {
      std::uint32_t lane[LANES];
      typename Values::Row row[LANES];
      std::uint8_t who[LANES];
      for (std::size_t i = 0; i < LANES; ++i) {
        who[i] = who_[g + i];
        lane[i] = at[who[i]];
        row[i] = values.row(who[i]);
      }
      for (int k = 0; k < STRIDE; ++k)
        BOXWOOD_UNROLL
        for (std::size_t i = 0; i < LANES; ++i) lane[i] = way.template step<Values>(row[i], lane[i], sums[i % 4]);
      for (std::size_t i = 0; i < LANES; ++i) at[who[i]] = lane[i];
      for (std::size_t i = 0; i < std::min(LANES, count - g); ++i) {
        who_[left] = who[i];
        left += way.nodes.at(lane[i]).first != lane[i];
      }
    }
    for (int i = 0; i < 4; ++i) sums_[i] += sums[i];
    return left;
  }
  bool is_void() const {
    const double sum = sums_[0] + sums_[1] + sums_[2] + sums_[3];
    return sum != sum;
  }

  const Plan& plan_;
  const Way way_;
  Values values_;
  std::array<double, 4> sums_{};
  std::array<std::uint8_t, BLOCK + LANES> who_;
};

}  // namespace boxwood

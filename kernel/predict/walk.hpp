// Rows down a plan, sixteen at a time in step, so that the loads of one overlap those of the others.
// Invariant: where a row arrives depends on that row alone; a missing value takes its link in the same step as a known
// one, and no step has a jump. Cost: about 1 ns a step in the cache. A row that has arrived stays at its leaf until the
// unfinished ones are brought together anew.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "predict/prefetch.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace boxwood {

// Rows of a table in memory as it came: the features of a row lie side by side.
template <class T>
struct RowMajor {
  static constexpr bool HAS_LEVELS = false;
  const T* values;
  std::ptrdiff_t stride;

  using Row = const T*;
  BOXWOOD_INLINE Row row(std::size_t i) const { return values + static_cast<std::ptrdiff_t>(i) * stride; }
  static BOXWOOD_INLINE double value(Row row, std::uint32_t reading) { return row[reading]; }
};

// A block of rows by columns: where the values of each reading begin.
template <bool LEVELS>
struct ColumnBlock {
  static constexpr bool HAS_LEVELS = LEVELS;
  const double* const* columns;

  using Row = std::size_t;
  BOXWOOD_INLINE Row row(std::size_t i) const { return i; }
  BOXWOOD_INLINE double value(Row row, std::uint32_t reading) const { return columns[reading][row]; }
};

BOXWOOD_INLINE double masked(double value, std::uint64_t mask) {
#if defined(__x86_64__)  // without a detour through the general registers
  return _mm_cvtsd_f64(_mm_and_pd(_mm_set_sd(value), _mm_set_sd(std::bit_cast<double>(mask))));
#else
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & mask);
#endif
}

// Where a row goes from a node. Compilers make jumps of this, or three more instructions, which takes a fifth more
// time: hence the processor's own words where they are known. The carry is set by cut < value, and by NaN.
BOXWOOD_INLINE std::uint32_t next_node(const PlanNode& node, double value) {
#if defined(__x86_64__) && defined(__GNUC__)
  std::uint32_t to = node.first;
  asm("comisd %[value], %[cut]\n\tcmovp %[missing], %[to]\n\tadc $0, %[to]"
      : [to] "+r"(to)
      : [cut] "x"(node.cut), [value] "xm"(value), [missing] "rm"(node.before_missing)
      : "cc");
  return to;
#else
  const std::uint32_t is_missing = std::isnan(value), above = std::isless(node.cut, value) | is_missing;
  return (node.first ^ ((node.first ^ node.before_missing) & (0 - is_missing))) + above;
#endif
}

class Walker {
 public:
  // Between steps `prefetcher` fetches what later blocks need.
  Walker(const Plan& plan, const Prefetcher& prefetcher)
      : plan_(plan),
        nodes_(plan.nodes()),
        prefetcher_(prefetcher),
        share_((prefetcher.size() * LANES / BLOCK + static_cast<std::size_t>(plan.steps) - 1) / plan.steps) {}

  // The leaves of up to BLOCK rows, the block's number among all; there is room for BLOCK of them.
  template <class Values>
  void leaves(const Values& values, std::size_t count, std::size_t block, std::uint32_t* at) {
    for (std::size_t i = 0; i < count; i += LANES) start(values, i, std::min(i + LANES, count), block, at);
    if (!plan_.even) {
      std::size_t left = keep_walking(count, at, [](std::size_t i) { return i; });
      while (left > 0) left = advance(values, left, at);
    }
    for (std::size_t i = 0; i < count; ++i) at[i] = nodes_[at[i]].leaf;
  }

 private:
  static constexpr std::size_t LANES = 16;
  static constexpr int STRIDE = 3;

  template <bool HAS_LEVELS>
  static BOXWOOD_INLINE std::uint32_t step(const PlanNode& node, double value) {
    return next_node(node, HAS_LEVELS ? masked(value, node.mask) : value);
  }

  // The first steps of some rows, as many as most need.
  template <class Values>
  void start(const Values& given, std::size_t first, std::size_t last, std::size_t block, std::uint32_t* at) const {
    const Values values = given;  // copies that no store can reach
    const PlanNode* nodes = nodes_;
    std::uint32_t lane[LANES] = {};
    typename Values::Row row[LANES];
    for (std::size_t i = 0; i < LANES; ++i) row[i] = values.row(std::min(first + i, last - 1));
    std::size_t line = first / LANES * static_cast<std::size_t>(plan_.steps) * share_;
    for (int k = 0; k < plan_.steps; ++k, line += share_) {
      prefetcher_.fetch(block, line, line + share_);
      BOXWOOD_UNROLL
      for (std::size_t i = 0; i < LANES; ++i) {
        const PlanNode& node = nodes[lane[i]];
        lane[i] = step<Values::HAS_LEVELS>(node, values.value(row[i], node.reading));
      }
    }
    for (std::size_t i = 0; i < LANES; ++i) at[first + i] = lane[i];
  }

  // Some more steps of the first `count` rows in who_; returns how many have not arrived.
  template <class Values>
  std::size_t advance(const Values& given, std::size_t count, std::uint32_t* at) {
    const Values values = given;
    const PlanNode* nodes = nodes_;
    for (int k = 0; k < STRIDE; ++k) BOXWOOD_UNROLL
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t r = who_[i];
      const PlanNode& node = nodes[at[r]];
      at[r] = step<Values::HAS_LEVELS>(node, values.value(values.row(r), node.reading));
    }
    return keep_walking(count, at, [&](std::size_t i) { return who_[i]; });
  }

  // Keeps in who_ the rows among some that have not arrived; returns how many.
  template <class RowOf>
  std::size_t keep_walking(std::size_t count, const std::uint32_t* at, const RowOf& row_of) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto r = static_cast<std::uint8_t>(row_of(i));
      who_[left] = r;
      left += nodes_[at[r]].first != at[r];
    }
    return left;
  }

  const Plan& plan_;
  const PlanNode* nodes_;
  const Prefetcher& prefetcher_;
  const std::size_t share_;  // lines to fetch at each step of LANES rows
  std::array<std::uint8_t, BLOCK + 1> who_;  // rows that have not arrived
};

}  // namespace boxwood

// Rows through a plan, sixteen or eight at a time in step, so that the loads of one overlap those of the others.
// Invariant: where a row ends depends on that row alone. A missing value takes its link in the same step as a known
// one. Cost: about 1 ns a step in the cache. A row that has arrived stays at its end until the unfinished ones are
// brought together anew.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "predict/packed_nodes.hpp"
#include "predict/top_levels.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace boxwood {

constexpr std::size_t LANES = 16;
constexpr int SHORT_WAY = 8;  // steps

// Rows of a table in memory as it came: the features of a row lie side by side.
template <class T>
struct RowMajor {
  // Eight doubles in step stay in registers, which on short ways takes 5 to 9 % less; long ones want more loads to
  // overlap.
  static constexpr std::size_t LANES_OF_SHORT_WAYS = std::is_same_v<T, double> ? LANES / 2 : LANES;

  const T* values;
  std::ptrdiff_t stride;

  using Row = const T*;
  BOXWOOD_INLINE Row row(std::size_t i) const { return values + static_cast<std::ptrdiff_t>(i) * stride; }
  static BOXWOOD_INLINE double value(Row row, std::size_t feature) { return row[feature]; }
  // Asks for rows that will be read soon. Inline: as a call, gcc drops it for having no effect.
  BOXWOOD_INLINE void prefetch(std::size_t from, std::size_t until, std::size_t features) const {
    for (std::size_t i = from; i < until; ++i) {
      const T* first = row(i);
      for (std::size_t j = 0; j < features; j += 64 / sizeof(T)) BOXWOOD_PREFETCH(first + j);
    }
  }
  static bool is_worth_fetching(std::size_t features) {
    return features * sizeof(T) <= 512;
  }  // of wider rows few values are read
  static constexpr const double* const* by_columns() { return nullptr; }
};

// A block of rows by columns: where the values of each feature begin, and what rows to come need.
struct Gathered {
  static constexpr std::size_t LANES_OF_SHORT_WAYS = LANES;

  const double* const* columns;
  std::size_t stride;
  const Ahead* ahead;

  struct Row {
    const double* const* columns;
    std::size_t offset;
  };
  BOXWOOD_INLINE Row row(std::size_t i) const { return {columns, i * stride}; }
  static BOXWOOD_INLINE const double& value(const Row& row, std::size_t feature) {
    return row.columns[feature][row.offset];
  }
  BOXWOOD_INLINE void prefetch(std::size_t from, std::size_t until, std::size_t) const {
    ahead->prefetch(from - BLOCK, until - BLOCK);
  }
  static bool is_worth_fetching(std::size_t) { return true; }
  const double* const* by_columns() const { return stride == 1 ? columns : nullptr; }
};

// The lower link; one further when value > cut; one beyond the third when the value is NaN. Compilers make jumps of
// this as they please, and a jump that cannot be foreseen costs more than ten steps: hence the machine's own words, and
// arithmetic where they are not known.
BOXWOOD_INLINE std::uint32_t link(double cut, double value, std::uint32_t lower, std::uint32_t before_missing) {
#if defined(__x86_64__) && defined(__GNUC__)
  asm("comisd %[value], %[cut]\n\tcmovp %[missing], %[to]\n\tadc $0, %[to]"  // the carry is set by cut < value, and by
                                                                             // NaN
      : [to] "+r"(lower)
      : [cut] "x"(cut), [value] "xm"(value), [missing] "rm"(before_missing)
      : "cc");
  return lower;
#else
  const std::uint32_t is_missing = std::isnan(value), to = lower ^ ((lower ^ before_missing) & -is_missing);
  return to + (static_cast<std::uint32_t>(std::isless(cut, value)) | is_missing);
#endif
}

// How to take a step. Plain: cuts alone; `sum` becomes NaN when something was missing, which makes the answer void.
struct Plain {
  static constexpr bool SEES_MISSING = false;
  PlanNodes nodes;

  explicit Plain(const Plan& plan) : nodes(plan) {}
  template <class Values>
  BOXWOOD_INLINE std::uint32_t step(const typename Values::Row& row, std::uint32_t at, double& sum) const {
    const PlanPair::Lead& lead = nodes[at].lead();
    const double value = Values::value(row, lead.feature);
    sum += value;
    return lead.first + static_cast<std::uint32_t>(std::isless(nodes[at].cut(), value));
  }
};

// Cuts and missing values.
struct Whole {
  static constexpr bool SEES_MISSING = true;
  PlanNodes nodes;

  explicit Whole(const Plan& plan) : nodes(plan) {}
  template <class Values>
  BOXWOOD_INLINE std::uint32_t step(const typename Values::Row& row, std::uint32_t at, double&) const {
    const PlanPair::Lead& lead = nodes[at].lead();
    return link(nodes[at].cut(), Values::value(row, lead.feature), lead.first, nodes[at].tail().gone);
  }
};

// Cuts, missing numbers, and marks of levels, which know missing ones as well.
struct Masked : Whole {
  explicit Masked(const Plan& plan) : Whole(plan) {}
  template <class Values>
  BOXWOOD_INLINE std::uint32_t step(const typename Values::Row& row, std::uint32_t at, double&) const {
    const PlanPair::Lead& lead = nodes[at].lead();
    return link(nodes[at].cut(), masked(Values::value(row, lead.feature), nodes[at].mask()), lead.first,
                nodes[at].tail().gone);
  }

 private:
  static BOXWOOD_INLINE double masked(const double& value, const double& mask) {
#if defined(__x86_64__)  // without a way through the other registers
    return _mm_cvtsd_f64(_mm_and_pd(_mm_load_sd(&value), _mm_load_sd(&mask)));
#else
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & std::bit_cast<std::uint64_t>(mask));
#endif
  }
};

// Cuts, missing numbers, and tables of levels, which know missing ones as well.
struct Mixed : Whole {
  const std::uint32_t* table;

  explicit Mixed(const Plan& plan) : Whole(plan), table(plan.table.data()) {}
  template <class Values>
  BOXWOOD_INLINE std::uint32_t step(const typename Values::Row& row, std::uint32_t at, double&) const {
    const PlanPair::Lead& lead = nodes[at].lead();
    const double &cut = nodes[at].cut(), &value = Values::value(row, lead.feature);
    return link_or_table(cut, value, lead.first, nodes[at].tail().gone);
  }

 private:
  // As `link`; or, if `first` says so, what the table says: entry 0 of it, of no meaning, is read for cuts.
  BOXWOOD_INLINE std::uint32_t link_or_table(const double& cut, const double& value, std::uint32_t first,
                                             const std::uint32_t& before_missing) const {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)  // clang takes no array of unknown length
    std::uint32_t to = first, entry;
    double scratch;
    asm("movsd %[cut], %[scratch]\n\tcomisd %[value], %[scratch]\n\tcmovp %[missing], %[to]\n\tadc $0, %[to]\n\t"
        "movl %[cut], %k[entry]\n\taddl %[value], %k[entry]\n\ttestl %[first], %[first]\n\tcmovnsl %[none], "
        "%k[entry]\n\t"
        "movl (%[table],%q[entry],4), %k[entry]\n\tcmovsl %k[entry], %[to]"
        : [to] "+&r"(to), [scratch] "=&x"(scratch), [entry] "=&r"(entry)
        : [cut] "m"(cut), [value] "m"(value), [missing] "m"(before_missing), [first] "r"(first), [none] "r"(0u),
          [table] "r"(table), "m"(*reinterpret_cast<const std::uint32_t(*)[]>(table))
        : "cc");
    return to;
#else
    const std::uint32_t by_table = -(first >> 31), entry = low_bits(cut) + low_bits(value);
    const std::uint32_t by_cut = link(cut, value, first, before_missing);
    return by_cut ^ ((by_cut ^ table[entry & by_table]) & by_table);
#endif
  }
  static std::uint32_t low_bits(double x) { return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(x)); }
};

// Up to BLOCK rows on their way.
template <class Values, class Way>
class Lanes {
 public:
  explicit Lanes(const Plan& plan) : plan_(plan), way_(plan) {}

  // The ends where they arrive, with room for BLOCK of them; returns whether the plain way met something missing, which
  // makes its answer void. Meanwhile the rows of the next block are fetched, if there are as many as `rest`.
  bool ends(const Values& values, std::size_t count, std::size_t rest, std::uint32_t* at) {
    sums_ = {};
#if defined(BOXWOOD_X86)
    if constexpr (Way::SEES_MISSING && std::is_same_v<Values, Gathered>) {
      if (count == BLOCK && !plan_.narrow.nodes.empty() && values.by_columns()) {
        const auto fetch = [&](std::size_t from, std::size_t until) __attribute__((always_inline)) {
          values.prefetch(BLOCK + from, std::min(BLOCK + until, rest), 0);
        };
        narrow::ends(plan_, values.by_columns(), fetch, at);
        return false;
      }
    }
#endif
    const bool at_crown = Way::SEES_MISSING && count == BLOCK && plan_.crown.depth > 0 && values.by_columns();
    if (at_crown) {
      begin_at_crown(plan_.crown, values.by_columns(), at);
    } else {
      std::fill(at, at + BLOCK, 0);
    }
    const std::size_t steps = static_cast<std::size_t>(plan_.lead - (at_crown ? plan_.crown.depth : 0));
    constexpr std::size_t FEWER = Values::LANES_OF_SHORT_WAYS;
    if (FEWER < LANES && plan_.lead <= SHORT_WAY) {
      for (std::size_t i = 0; i < count; i += FEWER)
        start<FEWER>(values, {i, std::min(i + FEWER, count), rest, steps}, at);
    } else {
      for (std::size_t i = 0; i < count; i += LANES)
        start<LANES>(values, {i, std::min(i + LANES, count), rest, steps}, at);
    }
    if (!plan_.even || (at_crown && plan_.crown.stops)) {
      std::size_t left = 0;
      for (std::size_t i = 0; i < count; ++i) {
        who_[left] = static_cast<std::uint8_t>(i);
        left += way_.nodes[at[i]].lead().first != at[i];
      }
      while (left > 0 && !is_void()) left = advance(values, left, at);
    }
    const PlanNodes nodes = way_.nodes;
    for (std::size_t i = 0; i < count; ++i) at[i] = nodes[at[i]].tail().end;
    return is_void();
  }

 private:
  static constexpr int STRIDE = 3;

  struct Some {
    std::size_t first, last, rest, steps;
  };

  // The first steps of some rows, as many as most need.
  template <std::size_t AT_ONCE>
  void start(const Values& given, const Some& some, std::uint32_t* at) {
    const auto [first, last, rest, steps] = some;
    const Way way = way_;  // copies that no store can reach
    const Values values = given;
    double sums[4] = {};
    std::uint32_t lane[AT_ONCE];
    typename Values::Row row[AT_ONCE];
    for (std::size_t i = 0; i < AT_ONCE; ++i) row[i] = values.row(std::min(first + i, last - 1));
    for (std::size_t i = 0; i < AT_ONCE; ++i) lane[i] = at[first + i];
    const std::size_t features = plan_.features.size(), rounds = std::max<std::size_t>(steps, 1);
    std::size_t next = first + BLOCK, end = std::min(next + AT_ONCE, rest);  // rows to ask for, a few at each step
    if (!Values::is_worth_fetching(features)) end = next;
    const std::size_t at_once = (AT_ONCE + rounds - 1) / rounds;
    for (std::size_t k = 0; k < rounds; ++k) {
      const std::size_t until = std::min(next + at_once, end);
      if (next < until) values.prefetch(next, until, features);
      next = until;
      if (k == steps) break;
      BOXWOOD_UNROLL
      for (std::size_t i = 0; i < AT_ONCE; ++i) lane[i] = way.template step<Values>(row[i], lane[i], sums[i % 4]);
    }
    for (std::size_t i = 0; i < AT_ONCE; ++i) at[first + i] = lane[i];
    for (int i = 0; i < 4; ++i) sums_[i] += sums[i];
  }

  // Some more steps of the first `count` rows in who_; who has not arrived stays there. Returns how many.
  std::size_t advance(const Values& given, std::size_t count, std::uint32_t* at) {
    const Way way = way_;
    const Values values = given;
    double sums[4] = {};
    for (int k = 0; k < STRIDE; ++k) BOXWOOD_UNROLL
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t r = who_[i];
      at[r] = way.template step<Values>(values.row(r), at[r], sums[i % 4]);
    }
    for (int i = 0; i < 4; ++i) sums_[i] += sums[i];
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t r = who_[left] = who_[i];
      left += way.nodes[at[r]].lead().first != at[r];
    }
    return left;
  }
  bool is_void() const {
    const double sum = sums_[0] + sums_[1] + sums_[2] + sums_[3];
    return sum != sum;
  }

  const Plan& plan_;
  const Way way_;
  std::array<double, 4> sums_{};
  std::array<std::uint8_t, BLOCK + 1> who_;
};

}  // namespace boxwood

// Puts one feature's short list in order: by code, then by value where codes tie, and replaces codes by dense ranks.
// Invariant: an entry is (code or rank, 16 bits that travel along); ranks are equal exactly for equal values.
// Cost: about 4 ns an entry; values are read only where codes tie.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "search/code_sort.hpp"

namespace boxwood::coded {

constexpr std::uint32_t NO_VALUE = 0xffff;  // rank of an entry whose value is missing

inline std::uint32_t rank_of(std::uint32_t entry) { return entry >> 16; }

template <std::uint32_t MOST>
class ListSorter {
 public:
  using u32 = std::uint32_t;

  void sort(u32* items, u32 count) { sort_by_code(items, spare_.data(), count, rank_of); }

  // Number of different values, missing ones as one more; `single`: equal codes mean equal values, else value_of(entry)
  // tells.
  template <class ValueOf>
  u32 rank(u32* items, u32 count, bool single, const ValueOf& value_of) {
    u32 rank = 0;
    for (u32 i = 0; i < count; ++rank) {
      // Codes of their own, mostly; the last entry, which may have no value, is not among them.
      for (; i + 1 < count && rank_of(items[i]) != rank_of(items[i + 1]); ++i, ++rank)
        items[i] = rank << 16 | (items[i] & 0xffff);
      const u32 code = rank_of(items[i]);
      u32 end = i + 1;
      while (end < count && rank_of(items[end]) == code) ++end;
      if (code == NO_VALUE) {
        // as it is: the last run
      } else if (end - i > 1 && !single) {
        rank = rank_run(items + i, end - i, rank, value_of);
      } else {
        for (u32 at = i; at < end; ++at) items[at] = rank << 16 | (items[at] & 0xffff);
      }
      i = end;
    }
    return rank;
  }

 private:
  struct Valued {
    double value;
    u32 entry;
  };

  template <class ValueOf>
  u32 rank_run(u32* items, u32 count, u32 rank, const ValueOf& value_of) {
    for (u32 k = 0; k < count; ++k) run_[k] = {value_of(items[k]), items[k]};
    const auto less = [](const Valued& a, const Valued& b) { return a.value < b.value; };
    if (!std::is_sorted(run_.begin(), run_.begin() + count, less)) std::sort(run_.begin(), run_.begin() + count, less);
    for (u32 k = 0; k < count; ++k) {
      if (k > 0 && run_[k - 1].value < run_[k].value) ++rank;
      items[k] = rank << 16 | (run_[k].entry & 0xffff);
    }
    return rank;
  }

  static_assert(MOST < 65536);
  std::array<u32, MOST> spare_;
  std::array<Valued, MOST> run_;
};

}  // namespace boxwood::coded

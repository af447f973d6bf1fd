// Puts one feature's short list in order: by code, then by value where codes tie, and replaces codes by dense ranks.
// Invariant: an entry is (code or rank, 16 bits that travel along); ranks are equal exactly for equal values.
// Cost: about 4 ns an entry; values are read only where codes tie.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace boxwood::coded {

constexpr std::uint32_t NO_VALUE = 0xffff;  // rank of an entry whose value is missing

inline std::uint32_t rank_of(std::uint32_t entry) { return entry >> 16; }

template <std::uint32_t MOST>
class ListSorter {
 public:
  using u32 = std::uint32_t;

  // Lists of so many entries are sorted by counts of their codes.
  static constexpr u32 COUNTED = 40;
  void start() {
    lower_.fill(0);
    upper_.fill(0);
  }
  void count(u32 code) {
    ++lower_[code & 255];
    ++upper_[code >> 8];
  }

  // `differing`: bits in which codes differ. Codes of COUNTED entries or more have been counted since the start.
  void sort(u32* items, u32 count, u32 differing) {
    if (count < COUNTED) {
      insert(items, items, count, ~u32{0});
    } else if (count > 256 || !nearly(items, count)) {
      by_bytes(items, count, differing);
    }
  }

  // Number of different values, missing ones as one more; whether rows of a code have one value, else value_of tells.
  template <class IsOneValue, class ValueOf>
  u32 rank(u32* items, u32 count, const IsOneValue& is_one_value, const ValueOf& value_of) {
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
      } else if (const bool may_differ = end - i > 1 && !is_one_value(code); may_differ && end - i == 2) {
        rank = rank_pair(items + i, rank, value_of);
      } else if (may_differ && !are_equal(items + i, end - i, value_of)) {
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

  // Takes the entries one by one to where they belong; false, with all of them in `items`, when that takes too many
  // moves.
  static bool insert(const u32* from, u32* items, u32 count, u32 most) {
    u32 moves = 0;
    for (u32 i = 0; i < count; ++i) {
      const u32 item = from[i];
      u32 at = i;
      for (; at > 0 && rank_of(items[at - 1]) > rank_of(item); --at) items[at] = items[at - 1];
      items[at] = item;
      moves += i - at;
      if (moves <= most) continue;
      std::copy(from + i + 1, from + count, items + i + 1);
      return false;
    }
    return true;
  }

  // By the upper half of the code, then the few that are still out of place.
  bool nearly(u32* items, u32 count) {
    place(items, buffer_.data(), count, 24, upper_);
    return insert(buffer_.data(), items, count, 4 * count);
  }

  void by_bytes(u32* items, u32 count, u32 differing) {
    u32 *from = items, *to = buffer_.data();
    if (differing & 255) {
      place(from, to, count, 16, lower_);
      std::swap(from, to);
    }
    if (differing >> 8) {
      place(from, to, count, 24, upper_);
      std::swap(from, to);
    }
    if (from != items) std::copy(from, from + count, items);
  }

  using Counts = std::array<std::uint16_t, 256>;
  // By one byte, entries of the same byte in the order in which they come.
  static void place(const u32* from, u32* to, u32 count, int shift, Counts starts) {
    std::uint16_t start = 0;
    for (std::uint16_t& s : starts) start = static_cast<std::uint16_t>(start + std::exchange(s, start));
    for (u32 i = 0; i < count; ++i) to[starts[from[i] >> shift & 255]++] = from[i];
  }

  template <class ValueOf>
  static bool are_equal(const u32* items, u32 count, const ValueOf& value_of) {
    const double first = value_of(items[0]);
    for (u32 k = 1; k < count; ++k)
      if (value_of(items[k]) != first) return false;
    return true;
  }

  template <class ValueOf>
  static u32 rank_pair(u32* items, u32 rank, const ValueOf& value_of) {
    const double first = value_of(items[0]), second = value_of(items[1]);
    if (second < first) std::swap(items[0], items[1]);
    items[0] = rank << 16 | (items[0] & 0xffff);
    rank += first != second;
    items[1] = rank << 16 | (items[1] & 0xffff);
    return rank;
  }

  // Mostly all the same value, or in order already.
  void sort_run(u32 count) {
    const auto less = [](const Valued& a, const Valued& b) { return a.value < b.value; };
    if (!std::is_sorted(run_.begin(), run_.begin() + count, less)) std::sort(run_.begin(), run_.begin() + count, less);
  }

  template <class ValueOf>
  u32 rank_run(u32* items, u32 count, u32 rank, const ValueOf& value_of) {
    for (u32 k = 0; k < count; ++k) run_[k] = {value_of(items[k]), items[k]};
    sort_run(count);
    for (u32 k = 0; k < count; ++k) {
      if (k > 0 && run_[k - 1].value < run_[k].value) ++rank;
      items[k] = rank << 16 | (run_[k].entry & 0xffff);
    }
    return rank;
  }

  static_assert(MOST < 65536);
  Counts lower_, upper_;
  std::array<u32, MOST> buffer_;
  std::array<Valued, MOST> run_;
};

}  // namespace boxwood::coded

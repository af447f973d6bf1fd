// Lists of exact values by group from two shards, as one: equal values of a group become one entry, their sums added.
// Invariant: values rise inside a group of either list, and so they do in the merged one; sums are whole numbers (but
// `spread`, which bounds only read), so the result does not depend on who is merged first. Cost: one pass over both
// lists.
#pragma once

#include <cstddef>
#include <vector>

#include "shards/words.hpp"

namespace boxwood::sharded {

// One list as it lies in memory; `spread` may be absent, and `low` where there are no whole numbers beyond 2^53.
struct ValueList {
  const i64* count = nullptr;  // entries of each group
  const double *value = nullptr, *low = nullptr;

  Cut at(std::size_t i) const { return {value[i], low ? low[i] : 0.0}; }
  const i64 *rows = nullptr, *words = nullptr;
  const double* spread = nullptr;
};

struct MergedValues {
  std::vector<i64> count;
  std::vector<double> value, low;
  Entries entries;
};

class Merge {
 public:
  Merge(const ValueList& one, const ValueList& other, std::size_t words, bool has_spread)
      : list_{one, other}, words_(words), has_spread_(has_spread), has_low_(one.low || other.low) {}

  MergedValues all(std::size_t groups) {
    std::size_t stop[2] = {0, 0};
    for (std::size_t g = 0; g < groups; ++g) {
      const std::size_t before = out_.value.size();
      for (int k = 0; k < 2; ++k) stop[k] += static_cast<std::size_t>(list_[k].count[g]);
      while (at_[0] < stop[0] || at_[1] < stop[1]) {
        const bool both = at_[0] < stop[0] && at_[1] < stop[1];
        const Cut a = both ? list_[0].at(at_[0]) : Cut{}, b = both ? list_[1].at(at_[1]) : Cut{};
        put(both ? is_below(b, a) : at_[1] < stop[1]);
        if (both && a == b) add(1);
      }
      out_.count.push_back(static_cast<i64>(out_.value.size() - before));
    }
    return std::move(out_);
  }

 private:
  // The next entry of list k as a new one.
  void put(int k) {
    const ValueList& list = list_[k];
    const std::size_t i = at_[k]++;
    out_.value.push_back(list.value[i]);
    if (has_low_) out_.low.push_back(list.at(i).low);
    out_.entries.rows.push_back(list.rows[i]);
    out_.entries.words.insert(out_.entries.words.end(), list.words + i * words_, list.words + (i + 1) * words_);
    if (has_spread_) out_.entries.spread.push_back(list.spread[i]);
  }
  // The next entry of list k goes into the last one.
  void add(int k) {
    const ValueList& list = list_[k];
    const std::size_t i = at_[k]++;
    out_.entries.rows.back() += list.rows[i];
    i64* to = out_.entries.words.data() + out_.entries.words.size() - words_;
    for (std::size_t w = 0; w < words_; ++w) to[w] = to[w] + list.words[i * words_ + w];
    if (has_spread_) out_.entries.spread.back() += list.spread[i];
  }

  ValueList list_[2];
  std::size_t words_, at_[2] = {0, 0};
  bool has_spread_, has_low_;
  MergedValues out_;
};

}  // namespace boxwood::sharded

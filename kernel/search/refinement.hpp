// Cuts inside bins: the rows of the few bins that may hold the best cut are put in order, by code and, where codes tie,
// by value. Invariant: cuts lie only between different values; every cut that could be chosen is passed to `offer`,
// in ascending order. Cost: one pass over a node's codes to collect; about 10 ns a row collected.
#pragma once

#include <algorithm>
#include <vector>

#include "search/rows_view.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

struct Coded {
  u32 code, id;
};

// By code, lowest first; rows of one code in any order.
inline void sort_by_code(std::vector<Coded>& items, std::vector<Coded>& buffer) {
  if (items.size() < 48) {
    for (std::size_t i = 1; i < items.size(); ++i) {
      const Coded item = items[i];
      std::size_t at = i;
      for (; at > 0 && items[at - 1].code > item.code; --at) items[at] = items[at - 1];
      items[at] = item;
    }
    return;
  }
  u32 counts[2][BINS] = {};
  for (const Coded& item : items) {
    ++counts[0][item.code & 255];
    ++counts[1][item.code >> 8];
  }
  buffer.resize(items.size());
  for (int pass = 0; pass < 2; ++pass) {
    const int shift = 8 * pass;
    if (counts[pass][(items[0].code >> shift) & 255] == items.size()) continue;
    u32 start = 0;
    for (u32& c : counts[pass]) start += std::exchange(c, start);
    for (const Coded& item : items) buffer[counts[pass][(item.code >> shift) & 255]++] = item;
    items.swap(buffer);
  }
}

struct ValuedRow {
  double value;
  u32 id;
};

inline void sort_by_value(std::vector<ValuedRow>& rows) {
  const auto less = [](const ValuedRow& a, const ValuedRow& b) { return a.value < b.value; };
  if (!std::is_sorted(rows.begin(), rows.end(), less)) std::sort(rows.begin(), rows.end(), less);
}

// Walks the ordered rows of one feature's opened bins.
template <class R>
class Refinement {
 public:
  using Cell = typename R::Cell;

  explicit Refinement(const R& y) : y_(y), left_(y.width()), after_(y.width()) {}

  // `below(bin, out)`: sums of all rows before a bin. `offer(cut, sums)` is called where a cut is possible.
  template <class Below, class UpperBound, class Offer>
  void walk(const View& view, std::size_t feature, const std::vector<Coded>& items, const Below& below,
            const UpperBound& bound, const Offer& offer) {
    const bool single = view.all->is_single(feature);
    constexpr std::size_t AHEAD = 48;  // rows lie far apart in memory: what they add is prefetched
    std::size_t fetched = 0;
    int bin = -1;
    i64 l = 0;
    Cell *left = left_.data(), *after = after_.data();
    for (std::size_t i = 0; i < items.size();) {
      const u32 code = items[i].code;
      if (static_cast<int>(code >> 8) != bin) {
        bin = static_cast<int>(code >> 8);
        below(bin, left);
        l = y_.count(left);
      } else if (bound.can_attain(left, l)) {
        offer(cut_at(items[i - 1].code, l), left);
      }
      std::size_t j = i + 1;
      std::copy_n(left, y_.width(), after);
      y_.add(after, items[i].id);
      for (; fetched < std::min(i + AHEAD, items.size()); ++fetched) y_.prefetch(items[fetched].id);
      for (; j < items.size() && items[j].code == code; ++j) y_.add(after, items[j].id);
      const i64 l_after = l + static_cast<i64>(j - i);
      if (j - i > 1 && !single && bound.bin_can_attain(left, l, after, l_after))
        walk_code(view, feature, {&items[i], j - i, l, left}, bound, offer);
      std::swap(left, after);
      l = l_after;
      i = j;
    }
  }

 private:
  static Candidate cut_at(u32 code, i64 left) {
    Candidate cut;
    cut.code = static_cast<Code>(code);
    cut.left = left;
    return cut;
  }

  // Rows of one code, and what lies to the left of them.
  struct OneCode {
    const Coded* items;
    std::size_t count;
    i64 l;
    const Cell* left;
  };

  template <class UpperBound, class Offer>
  void walk_code(const View& view, std::size_t feature, const OneCode& of, const UpperBound& bound,
                 const Offer& offer) {
    const auto [items, count, before, left] = of;
    i64 l = before;
    valued_.clear();
    for (std::size_t i = 0; i < count; ++i) valued_.push_back({view.value(feature, items[i].id), items[i].id});
    sort_by_value(valued_);
    if (valued_.front().value == valued_.back().value) return;
    inside_.assign(left, left + y_.width());
    for (std::size_t i = 0; i + 1 < count; ++i) {
      y_.add(inside_.data(), valued_[i].id);
      ++l;
      if (valued_[i].value == valued_[i + 1].value || !bound.can_attain(inside_.data(), l)) continue;
      Candidate cut = cut_at(items[0].code, l);
      cut.whole = false;
      cut.below = valued_[i].value;
      cut.last_left = valued_[i].id;
      cut.first_right = valued_[i + 1].id;
      offer(cut, inside_.data());
    }
  }

  const R& y_;
  std::vector<Cell> left_, after_, inside_;
  std::vector<ValuedRow> valued_;
};

}  // namespace boxwood::coded

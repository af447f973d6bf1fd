// Subtrees of few rows: every feature is sorted once, then lists are only scanned and parted, all in the cache.
// Invariant: an entry is (rank, class bit, id); ranks are dense within the subtree and equal exactly for equal values.
// Cost: sorting about 4 ns a value; then about 2 ns a value and level; features that became constant are dropped.
#pragma once

#include "describe.hpp"

namespace boxwood::coded {

constexpr u32 SMALL = 1024;

// Runs along one feature's list: sums so far, which cuts may beat the best, the exact decrease.
template <class R>
struct Scanner;

// Whether any of the first `cuts` cuts of a list reaches bar = decrease * n / 2, from the ones at or before each: only the square
// of a whole number below 2^21 and products of two are rounded, so a margin of 2e-6 holds in single precision.
BOXWOOD_CLONES inline bool any_pair_reaches(const std::uint16_t* ones, int cuts, int n, int all_ones, float bar) {
  int any = 0;
  for (int i = 0; i < cuts; ++i) {
    const int l = i + 1;
    const auto d = static_cast<float>(ones[i] * n - l * all_ones);
    any |= d * d >= bar * static_cast<float>(l * (n - l));
  }
  return any != 0;
}

BOXWOOD_CLONES inline bool any_mean_reaches(const i64* sums, int cuts, int n, double total, double bar) {
  int any = 0;
  for (int i = 0; i < cuts; ++i) {
    const int l = i + 1;
    const double d = static_cast<double>(sums[i]) * n - total * l;
    any |= d * d >= bar * static_cast<double>(l * (n - l));
  }
  return any != 0;
}

template <class Measure>
struct Scanner<TwoClasses<Measure>> {
  using R = TwoClasses<Measure>;
  typename R::Gauge gauge;
  u64 cell = 0;
  std::uint16_t before[SMALL];

  // A quick look at the whole list; true when some cut may beat the gauge's bar.
  bool promises(const u32* entries, u32 count) {
    if constexpr (std::is_same_v<Measure, Entropy>) return true;
    std::uint16_t ones = 0;
    for (u32 i = 0; i < count; ++i) before[i] = ones += entries[i] >> 15 & 1;
    return any_pair_reaches(before, static_cast<int>(count) - 1, static_cast<int>(count), static_cast<int>(gauge.ones), static_cast<float>(gauge.bar * (1 - 2e-6)));
  }
  Scanner(const R& y, const ClassSums& sums, const Judged& judged) : gauge(y, sums, judged) {}
  void start() { cell = 0; }
  void add(u32 entry, u32) { cell += 1 + (static_cast<u64>(entry >> 15 & 1) << 32); }
  bool may(i64 l) const { return gauge.may(&cell, l); }
  double exact(i64 l) const { return gauge.exact(&cell, l); }
};

template <class Measure>
struct Scanner<ManyClasses<Measure>> {
  using R = ManyClasses<Measure>;
  typename R::Gauge gauge;
  const R& y;
  ClassSums total;
  std::array<u32, MOST_CLASSES> left{}, right{};
  i64 left_squares = 0, right_squares = 0, squares = 0;
  Scanner(const R& y, const ClassSums& sums, const Judged& judged) : gauge(y, sums, judged), y(y), total(sums) {
    for (int k = 0; k < y.n_classes; ++k) squares += sums.of[k] * sums.of[k];
  }
  void start() {
    left_squares = 0;
    right_squares = squares;
    for (int k = 0; k < y.n_classes; ++k) {
      left[k] = 0;
      right[k] = static_cast<u32>(total.of[k]);
    }
  }
  void add(u32, u32 id) {
    const int k = y.code[id];
    left_squares += 2 * static_cast<i64>(left[k]++) + 1;
    right_squares -= 2 * static_cast<i64>(right[k]--) - 1;
  }
  bool may(i64 l) const {
    if constexpr (std::is_same_v<Measure, Entropy>) return gauge.may(left.data(), l);
    const auto a = static_cast<double>(l), b = gauge.n - a;
    return !(static_cast<double>(left_squares) * b + static_cast<double>(right_squares) * a < (gauge.bar + gauge.of_node) * (a * b));
  }
  double exact(i64 l) const { return gauge.exact(left.data(), l); }
  bool promises(const u32*, u32) const { return true; }
};

template <>
struct Scanner<Quantity> {
  Quantity::Gauge gauge;
  const Quantity& y;
  QuantityCell cell{};
  i64 before[SMALL];
  bool promises(const u32* entries, u32 count) {
    i64 sum = 0;
    for (u32 i = 0; i < count; ++i) before[i] = sum += y.high[entries[i] & 0xffff] - gauge.shift;
    return any_mean_reaches(before, static_cast<int>(count) - 1, static_cast<int>(count), gauge.total, gauge.bar);
  }
  Scanner(const Quantity& y, const QuantitySums& sums, const Judged& judged) : gauge(y, sums, judged), y(y) {}
  void start() { cell = {}; }
  void add(u32, u32 id) { cell.sum += static_cast<u64>(y.high[id] - gauge.shift); }
  bool may(i64 l) const {
    const double d = static_cast<double>(static_cast<i64>(cell.sum)) * static_cast<double>(gauge.n) - gauge.total * static_cast<double>(l);
    return !(d * d < gauge.bar * static_cast<double>(l * (gauge.n - l)));
  }
  double exact(i64 l) const {
    const QuantityCell about{l, cell.sum + static_cast<u64>(gauge.shift) * static_cast<u64>(l), 0};
    return gauge.exact(&about, l);
  }
};

// Thrown when a node needs the fine part of the response: the other grower takes over (rare: an outlier set the scale).
struct NeedsFine {};

template <class R>
class SmallGrower {
 public:
  using Sums = typename R::Sums;

  SmallGrower(const Rules& rules, std::size_t columns) : rules_(rules), describer_{rules}, columns_(columns) {
    for (auto& list : lists_) list.resize(columns * SMALL);
    side_.resize(SMALL);
  }

  struct Task {
    u32 begin, count;
    std::int32_t depth, record;
    Sums sums;
    Judged judged;
  };

  // Grows the subtree of some ids (at most SMALL) below `record`, whose own facts are already there.
  void grow(const R& y, const View& view, const u32* ids, const Task& root, Records& out) {
    view_ = &view;
    ids_ = ids;
    out_ = &out;
    local_.gather(y, ids, root.count);
    active_.clear();
    for (std::size_t j = 0; j < columns_; ++j)
      if (sort_feature(j, root.count)) active_.push_back(static_cast<std::int32_t>(j));
    Task task = root;
    task.begin = 0;
    split(task, 0, active_.size(), 0);
  }

 private:
  static constexpr u32 ID = 0x7fff;
  static u32 rank_of(u32 entry) { return entry >> 16; }

  struct Local {
    std::vector<std::uint8_t> code;
    std::vector<i64> high, low;
    R y{};
    void gather(const R& from, const u32* ids, u32 count) {
      y = from;
      if constexpr (requires { from.code; }) {
        code.resize(SMALL);
        for (u32 i = 0; i < count; ++i) code[i] = from.code[ids[i]];
        y.code = code.data();
      } else {
        high.resize(SMALL);
        low.resize(SMALL);
        for (u32 i = 0; i < count; ++i) {
          high[i] = from.high[ids[i]];
          low[i] = from.low[ids[i]];
        }
        y.high = high.data();
        y.low = low.data();
      }
    }
    u32 bit(u32 i) const {
      if constexpr (requires(R r) { r.code; })
        return static_cast<u32>(y.code[i] & 1) << 15;
      else
        return 0;
    }
  };

  static u32 id_of(u32 entry) {
    if constexpr (requires(R r) { r.code; }) return entry & (ID >> 1);
    return entry & ID;
  }

  u32* list(std::int32_t feature, int side) { return lists_[side].data() + static_cast<std::size_t>(feature) * SMALL; }
  double value(std::int32_t feature, u32 i) const { return view_->value(feature, ids_[i]); }

  // Puts a feature's entries in order of value; false when it is constant.
  bool sort_feature(std::size_t j, u32 count) {
    u32* out = list(static_cast<std::int32_t>(j), 0);
    const std::size_t stride = view_->columns();
    const Code* codes = view_->codes + j;
    u32 both = 0xffffffffu, any = 0;
    for (u32 i = 0; i < count; ++i) {
      const u32 code = codes[ids_[i] * stride];
      both &= code;
      any |= code;
      out[i] = code << 16 | local_.bit(i) | i;
    }
    sort_entries(out, count, both ^ any);
    return rank_entries(j, out, count);
  }

  void sort_entries(u32* items, u32 count, u32 differing) {
    if (count < 40) {
      for (u32 i = 1; i < count; ++i) {
        const u32 item = items[i];
        u32 at = i;
        for (; at > 0 && rank_of(items[at - 1]) > rank_of(item); --at) items[at] = items[at - 1];
        items[at] = item;
      }
      return;
    }
    u32* from = items;
    u32* to = spare_;
    for (int shift = 16; shift < 32; shift += 8) {
      if (!(differing >> (shift - 16) & 255)) continue;
      u32 counts[256] = {};
      for (u32 i = 0; i < count; ++i) ++counts[from[i] >> shift & 255];
      u32 start = 0;
      for (u32& c : counts) start += std::exchange(c, start);
      for (u32 i = 0; i < count; ++i) to[counts[from[i] >> shift & 255]++] = from[i];
      std::swap(from, to);
    }
    if (from != items) std::copy(from, from + count, items);
  }

  // Codes give way to dense ranks; rows of one code are put in order of their values.
  bool rank_entries(std::size_t j, u32* items, u32 count) {
    const bool single = view_->all->is_single(j);
    u32 rank = 0;
    for (u32 i = 0; i < count;) {
      const u32 code = rank_of(items[i]);
      u32 end = i + 1;
      while (end < count && rank_of(items[end]) == code) ++end;
      if (end - i > 1 && !single) {
        rank = rank_run(j, items, i, end, rank);
      } else {
        for (u32 at = i; at < end; ++at) items[at] = rank << 16 | (items[at] & 0xffff);
      }
      ++rank;
      i = end;
    }
    return rank > 1;
  }

  u32 rank_run(std::size_t j, u32* items, u32 begin, u32 end, u32 rank) {
    struct Valued {
      double value;
      u32 entry;
    };
    Valued* run = reinterpret_cast<Valued*>(run_);
    for (u32 at = begin; at < end; ++at) run[at - begin] = {value(static_cast<std::int32_t>(j), id_of(items[at])), items[at]};
    // Mostly all the same value, or in order already.
    const auto less = [](const Valued& a, const Valued& b) { return a.value < b.value; };
    if (!std::is_sorted(run, run + (end - begin), less)) std::sort(run, run + (end - begin), less);
    for (u32 at = begin; at < end; ++at) {
      const u32 k = at - begin;
      if (k > 0 && run[k - 1].value < run[k].value) ++rank;
      items[at] = rank << 16 | (run[k].entry & 0xffff);
    }
    return rank;
  }

  struct Best {
    std::int32_t feature = -1;
    u32 left = 0;
    double decrease = 0;
  };

  Best search(const Task& node, std::size_t first, std::size_t last, int side) {
    Scanner<R> scanner(local_.y, node.sums, node.judged);
    const double scale = node.judged.scale;
    Best best;
    const double most = node.judged.risk / scale * (1 + 1e-13);
    for (std::size_t a = first; a < last; ++a) {
      const std::int32_t j = active_[a];
      Best here = scan(scanner, list(j, side) + node.begin, node.count, best, scale);
      if (here.left == 0) continue;
      here.decrease = std::max(here.decrease, 0.0);
      const bool better = best.feature < 0 || here.decrease / scale > bar_above(best.decrease / scale, 1.0);
      if (!better || !rules_.good_enough(here.decrease)) continue;
      best = {j, here.left, here.decrease};
      if (bar_above(best.decrease / scale, 1.0) >= most) break;  // no feature can do better by more than rounding
    }
    return best;
  }

  Best scan(Scanner<R>& scanner, const u32* entries, u32 count, const Best& best, double scale) const {
    Best here;
    double bar = -std::numeric_limits<double>::infinity();
    if (best.feature >= 0) bar = surely_below(best.decrease, scale);
    scanner.gauge.raise(bar);
    if (best.feature >= 0 && count >= 16 && scanner.gauge.bar > 0 && !scanner.promises(entries, count)) return here;
    scanner.start();
    for (u32 i = 0; i + 1 < count; ++i) {
      const u32 entry = entries[i];
      scanner.add(entry, id_of(entry));
      const i64 l = i + 1;
      if (!scanner.may(l) || rank_of(entry) == rank_of(entries[i + 1])) continue;
      if (!rules_.allows(l, count - l)) continue;
      const double decrease = scanner.exact(l);
      if (!(decrease > bar)) continue;
      here = {0, i + 1, decrease};
      bar = bar_above(decrease, scale);
      scanner.gauge.raise(bar);
    }
    return here;
  }

  void split(Task& node, std::size_t first, std::size_t last, int side) {
    if (!rules_.is_open(node.judged, node.count, node.depth)) return;
    drop_constants(node, first, last, side);
    const std::size_t begin = last_kept_, end = active_.size();
    const Best best = search(node, begin, end, side);
    if (best.feature >= 0) branch(node, best, begin, end, side);
    active_.resize(begin);
  }

  // Features that still differ within the node, as a new stretch on top of the stack.
  void drop_constants(const Task& node, std::size_t first, std::size_t last, int side) {
    last_kept_ = active_.size();
    for (std::size_t a = first; a < last; ++a) {
      const u32* entries = list(active_[a], side) + node.begin;
      if (rank_of(entries[0]) != rank_of(entries[node.count - 1])) active_.push_back(active_[a]);
    }
  }

  void branch(const Task& node, const Best& best, std::size_t first, std::size_t last, int side) {
    const R& y = local_.y;
    const u32* entries = list(best.feature, side) + node.begin;
    Task child[2];
    for (int c = 0; c < 2; ++c) {
      const u32 from = c ? best.left : 0, to = c ? node.count : best.left;
      for (u32 i = from; i < to; ++i) {
        const u32 id = id_of(entries[i]);
        side_[id] = static_cast<std::uint8_t>(c);
        y.add(child[c].sums, id);
      }
      y.close(child[c].sums);
      child[c].judged = y.judge(child[c].sums);
      if (child[c].judged.fine && is_fine(y, entries + from, to - from)) throw NeedsFine{};
      child[c].begin = node.begin + from;
      child[c].count = to - from;
      child[c].depth = node.depth + 1;
    }
    const double below = value(best.feature, id_of(entries[best.left - 1])), above = value(best.feature, id_of(entries[best.left]));
    describer_.split(*out_, node.record, {best.feature, cut_value(below, above, rules_.settings->rank_cuts), best.decrease, best.left, node.count});
    const std::int32_t first_child = out_->nodes[node.record].first_child;
    bool open[2];
    for (int c = 0; c < 2; ++c) {
      child[c].record = first_child + c;
      describer_.node(y, *out_, child[c].record, child[c].sums, child[c].judged);
      open[c] = rules_.is_open(child[c].judged, child[c].count, child[c].depth);
    }
    if (!open[0] && !open[1]) return;
    for (std::size_t a = first; a < last; ++a) part(active_[a], node, best.left, open, side);
    for (int c = 0; c < 2; ++c)
      if (open[c]) split(child[c], first, last, 1 - side);
  }

  static bool is_fine(const R& y, const u32* entries, u32 count) {
    if constexpr (requires { y.low; }) {
      for (u32 i = 1; i < count; ++i)
        if (y.low[id_of(entries[i])] != y.low[id_of(entries[0])]) return true;
    }
    return false;
  }

  void part(std::int32_t feature, const Task& node, u32 left, const bool open[2], int side) {
    const u32* in = list(feature, side) + node.begin;
    u32* out = list(feature, 1 - side) + node.begin;
    if (open[0] && open[1]) {
      // Without a jump: entry i goes to place `below` of the lower child, or to left + i - below of the upper one.
      const std::uint8_t* sides = side_.data();
      for (std::size_t i = 0, below = 0; i < node.count; ++i) {
        const std::size_t c = sides[id_of(in[i])];
        out[below + ((left + i - 2 * below) & (0 - c))] = in[i];
        below += 1 - c;
      }
      return;
    }
    // Only one child goes on: its entries close up, the others are overwritten.
    const u32 wanted = open[1];
    u32 at = wanted ? left : 0;
    const u32 end = wanted ? node.count : left;
    for (u32 i = 0; at < end; ++i) {
      out[at] = in[i];
      at += side_[id_of(in[i])] == wanted;
    }
  }

  const Rules rules_;
  const Describer describer_;
  std::size_t columns_;
  std::vector<u32> lists_[2];
  u32 spare_[SMALL];
  alignas(8) char run_[SMALL * 16];
  std::vector<std::uint8_t> side_;
  std::vector<std::int32_t> active_;
  std::size_t last_kept_ = 0;
  Local local_;
  const View* view_ = nullptr;
  const u32* ids_ = nullptr;
  Records* out_ = nullptr;
};

}  // namespace boxwood::coded

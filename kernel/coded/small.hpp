// Subtrees of few rows: every feature is sorted once, then lists are only scanned and parted, all in the cache.
// Invariant: an entry is (rank, class bit, id); ranks are dense within the subtree and equal exactly for equal values.
// Cost: sorting about 4 ns a value; then about 2 ns a value and level; features that became constant are dropped.
#pragma once

#include "describe.hpp"
#include "part.hpp"
#include "scanner.hpp"
#include "sorting.hpp"

namespace boxwood::coded {

// Thrown when a node needs the fine part of the response: the other grower takes over (rare: an outlier set the scale).
struct NeedsFine {};

template <class R>
class SmallGrower {
 public:
  using Sums = typename R::Sums;

  SmallGrower(const Rules& rules, std::size_t columns) : rules_(rules), describer_{rules}, columns_(columns) {
    for (auto& list : lists_) list.resize(columns * LIST);
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
    y_ = y.of(ids, root.count, rows_);
    active_.clear();
    for (std::size_t j = 0; j < columns_; ++j)
      if (sort_feature(j, root.count)) active_.push_back(static_cast<std::int32_t>(j));
    Task task = root;
    task.begin = 0;
    split(task, 0, active_.size(), 0);
  }

 private:
  static constexpr u32 ID = 0x7fff;
  static constexpr std::size_t LIST = SMALL + 16;  // so that lists do not all begin at the same place of the cache

  static u32 id_of(u32 entry) { return entry & ID; }

  u32* list(std::int32_t feature, int side) { return lists_[side].data() + static_cast<std::size_t>(feature) * LIST; }
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
      out[i] = code << 16 | y_.bit(i) << 15 | i;
    }
    sorter_.sort(out, count, both ^ any);
    return sorter_.rank(out, count, view_->all->is_single(j), [&](u32 entry) { return value(static_cast<std::int32_t>(j), id_of(entry)); }) > 1;
  }

  struct Best {
    std::int32_t feature = -1;
    u32 left = 0;
    double decrease = 0;
  };

  Best search(const Task& node, std::size_t first, std::size_t last, int side) {
    Scanner<R> scanner(y_, node.sums, node.judged);
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
    const R& y = y_;
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
    describer_.split(*out_, node.record, {best.feature, 0.0, best.decrease, {y.weight(child[0].sums), y.weight(child[1].sums), y.weight(node.sums)}});
    Records::Node& record = out_->nodes[node.record];
    record.below = view_->row(ids_[id_of(entries[best.left - 1])]);
    record.above = view_->row(ids_[id_of(entries[best.left])]);
    const std::int32_t first_child = out_->nodes[node.record].first_child;
    bool open[2];
    for (int c = 0; c < 2; ++c) {
      child[c].record = first_child + c;
      describer_.node(y, *out_, child[c].record, child[c].sums, child[c].judged);
      open[c] = rules_.is_open(child[c].judged, child[c].count, child[c].depth);
    }
    if (!open[0] && !open[1]) return;
    part_all(node, best.left, open, first, last, side);
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

  // The lists of all features that still differ, sent to the children that go on.
  void part_all(const Task& node, u32 left, const bool open[2], std::size_t first, std::size_t last, int side) {
    const Parting by{side_.data(), id_of(0xffffffffu)};
#if defined(BOXWOOD_X86)
    if (parts_sixteen()) {
      part_all_by_sixteen(by, node, left, open, first, last, side);
      return;
    }
#endif
    for (std::size_t a = first; a < last; ++a) {
      u32* out = list(active_[a], 1 - side) + node.begin;
      part_by_one(by, list(active_[a], side) + node.begin, node.count, open[0] ? out : nullptr, open[1] ? out + left : nullptr);
    }
  }

#if defined(BOXWOOD_X86)
  BOXWOOD_VBMI void part_all_by_sixteen(const Parting& by, const Task& node, u32 left, const bool open[2], std::size_t first, std::size_t last,
                                        int side) {
    const Bits bits = bits_of(by.right);
    for (std::size_t a = first; a < last; ++a) {
      u32* out = list(active_[a], 1 - side) + node.begin;
      part_by_sixteen(bits, by.id_mask, list(active_[a], side) + node.begin, node.count, open[0] ? out : nullptr, open[1] ? out + left : nullptr);
    }
  }
#endif

  const Rules rules_;
  const Describer describer_;
  std::size_t columns_;
  std::vector<u32> lists_[2];
  ListSorter<SMALL> sorter_;
  std::vector<std::uint8_t> side_;
  std::vector<std::int32_t> active_;
  std::size_t last_kept_ = 0;
  R y_{};
  typename R::Rows rows_;
  const View* view_ = nullptr;
  const u32* ids_ = nullptr;
  Records* out_ = nullptr;
};

}  // namespace boxwood::coded

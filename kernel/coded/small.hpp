// Subtrees of few rows: every feature is sorted once, then lists are only scanned and parted, all in the cache.
// Invariant: an entry is (rank, class bit, id); ranks are equal exactly for equal values (of a nominal feature, they are its levels);
// entries without a value stand last.
// Cost: sorting about 4 ns a value; then about 2 ns a value and level; features that became constant are dropped.
#pragma once

#include "describe.hpp"
#include "levels.hpp"
#include "part.hpp"
#include "scanner.hpp"
#include "small_stand_ins.hpp"
#include "sorting.hpp"

namespace boxwood::coded {

// Thrown when a node needs the fine part of the response: the other grower takes over (rare: an outlier set the scale).
struct NeedsFine {};

template <class R>
class SmallGrower {
 public:
  using Sums = typename R::Sums;
  using Cell = typename R::Cell;

  SmallGrower(const Rules& rules, const Codes& codes) : rules_(rules), describer_{rules}, codes_(codes), levels_(y_, rules_) {
    for (auto& list : lists_) list.reset(new u32[codes.columns() * LIST]);
    side_.resize(SMALL);
    for (std::size_t j = 0; j < codes.columns(); ++j) in_order_.push_back(static_cast<std::int32_t>(j));
    std::sort(in_order_.begin(), in_order_.end(), [&](auto a, auto b) { return codes.place(a) < codes.place(b); });
  }
  SmallGrower(const SmallGrower&) = delete;

  struct Task {
    u32 begin = 0, count = 0;
    std::int32_t depth = 0, record = 0;
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
    for (const std::int32_t j : in_order_)
      if (sort_feature(static_cast<std::size_t>(j), root.count)) active_.push_back(j);
    Task task = root;
    task.begin = 0;
    split(task, 0, active_.size(), 0);
  }

 private:
  static constexpr u32 ID = 0x7fff;
  static constexpr std::size_t LIST = SMALL + 16;  // so that lists do not all begin at the same place of the cache

  static u32 id_of(u32 entry) { return entry & ID; }

  u32* list(std::int32_t feature, int side) { return lists_[side].get() + static_cast<std::size_t>(feature) * LIST; }
  double value(std::int32_t feature, u32 i) const { return view_->value(feature, ids_[i]); }

  // Puts a feature's entries in order of value; false when it is constant.
  bool sort_feature(std::size_t j, u32 count) {
    u32* out = list(static_cast<std::int32_t>(j), 0);
    const std::size_t stride = view_->columns();
    const Code* codes = view_->codes + j;
    const u32 none = codes_.missing_code(j);
    u32 both = 0xffffffffu, any = 0;
    for (u32 i = 0; i < count; ++i) {
      u32 code = codes[ids_[i] * stride];
      if (code == none) code = NO_VALUE;
      both &= code;
      any |= code;
      out[i] = code << 16 | y_.bit(i) << 15 | i;
    }
    if (both == any) return !codes_.is_nominal(j) && both != NO_VALUE && rank(j, out, count);
    sorter_.sort(out, count, both ^ any);
    return codes_.is_nominal(j) || rank(j, out, count);
  }
  bool rank(std::size_t j, u32* entries, u32 count) {
    return sorter_.rank(entries, count, codes_.is_single(j), [&](u32 entry) { return value(static_cast<std::int32_t>(j), id_of(entry)); }) > 1;
  }

  // The best way to part a node met so far; `rank`: what features are compared by.
  struct Best {
    std::int32_t feature = -1, missing = -1;
    u32 left = 0, known = 0, groups = 0;
    bool heuristic = false;
    double decrease = 0, rank = -std::numeric_limits<double>::infinity();
  };

  Best search(const Task& node, std::size_t first, std::size_t last, int side) {
    Scanner<R> scanner(y_, node.sums, node.judged);
    const bool costs = !rules_.settings->feature_costs.empty();
    double most = costs ? std::numeric_limits<double>::infinity() : node.judged.risk / node.judged.scale * (1 + 1e-13);
    if constexpr (requires { y_.is_noisy(); })
      if (y_.is_noisy()) most = std::numeric_limits<double>::infinity();  // rounding may let another feature do better
    Best best;
    double bar = rules_.floor_of(node.judged);
    for (std::size_t a = first; a < last; ++a) {
      const std::int32_t j = active_[a], place = codes_.place(j);
      const u32* entries = list(j, side) + node.begin;
      const u32 known = known_of(j, entries, node.count);
      if (costs) bar = rules_.needed(best.rank, place, 0.0, node.judged);
      Best here;
      if (codes_.is_nominal(j)) {
        here = scan_levels(node, j, entries, known, best.rank);
      } else if (known == node.count) {
        here = scan(scanner, entries, known, node.judged.scale, bar, best.feature >= 0);
      } else {
        here = scan_with_gaps(node, entries, known, bar);
      }
      if (here.left == 0) continue;
      here.feature = j;
      here.decrease = std::max(here.decrease, 0.0);
      here.rank = rules_.compared(here.decrease, place, here.groups, known, node.judged);
      here.known = known;
      const bool better = best.feature < 0 || here.rank > bar_above(best.rank, 1.0);
      if (!better || !rules_.good_enough(here.decrease)) continue;
      best = here;
      bar = rules_.needed(best.rank, place, 0.0, node.judged);
      if (here.groups) best_levels_.swap(found_levels_);
      if (bar_above(best.rank, 1.0) >= most) break;  // no feature can do better by more than rounding
    }
    return best;
  }

  u32 known_of(std::int32_t j, const u32* entries, u32 count) const {
    if (!codes_.has_gaps(j) || rank_of(entries[count - 1]) != NO_VALUE) return count;
    return static_cast<u32>(std::lower_bound(entries, entries + count, NO_VALUE, [](u32 entry, u32 none) { return rank_of(entry) < none; }) - entries);
  }

  // `bar`: what a cut must exceed; `looks`: a look at the whole list first may pay.
  Best scan(Scanner<R>& scanner, const u32* entries, u32 count, double scale, double bar, bool looks) const {
    Best here;
    scanner.gauge.raise(bar);
    if (looks && count >= 16 && scanner.gauge.bar > 0 && !scanner.promises(entries, count - 1, none_)) return here;
    scanner.start(none_);
    for (u32 i = 0; i + 1 < count; ++i) {
      const u32 entry = entries[i];
      scanner.add(entry, id_of(entry));
      const i64 l = i + 1;
      if (!scanner.may(l) || rank_of(entry) == rank_of(entries[i + 1])) continue;
      if (!rules_.allows(l, count - l)) continue;
      const double decrease = scanner.exact(l);
      if (!(decrease > bar)) continue;
      here.left = i + 1;
      here.decrease = decrease;
      bar = bar_above(decrease, scale);
      scanner.gauge.raise(bar);
    }
    return here;
  }

  // A feature that some rows of the node do not know.
  Best scan_with_gaps(const Task& node, const u32* entries, u32 known, double bar) const {
    Sums missing, rest = node.sums;
    for (u32 i = known; i < node.count; ++i) y_.add(missing, id_of(entries[i]));
    y_.close(missing);
    y_.remove(rest, missing);
    if (rules_.learns()) return scan_both_ways(node, entries, known, missing, bar);
    double offset = 0;
    if (rules_.own_branch()) {
      Scanner<R> whole(y_, node.sums, node.judged);
      whole.start(rest);
      offset = whole.exact(known);
    }
    Scanner<R> scanner(y_, rest, node.judged);
    if (offset == 0) return scan(scanner, entries, known, node.judged.scale, bar, true);
    return scan_beside(scanner, entries, known, node.judged.scale, bar, offset);
  }

  // As scan, where rows without a value have a branch of their own, which takes `offset` away.
  Best scan_beside(Scanner<R>& scanner, const u32* entries, u32 known, double scale, double bar, double offset) const {
    Best here;
    scanner.gauge.raise(bar - offset);
    scanner.start(none_);
    for (u32 i = 0; i + 1 < known; ++i) {
      scanner.add(entries[i], id_of(entries[i]));
      const i64 l = i + 1;
      if (!scanner.may(l) || rank_of(entries[i]) == rank_of(entries[i + 1]) || !rules_.allows(l, known - l)) continue;
      const double decrease = scanner.exact(l) + offset;
      if (!(decrease > bar)) continue;
      here.left = i + 1;
      here.decrease = decrease;
      bar = bar_above(decrease, scale);
      scanner.gauge.raise(bar - offset);
    }
    return here;
  }

  // Learned direction: rows without a value go right, then left, at every cut; at last they part from all others.
  Best scan_both_ways(const Task& node, const u32* entries, u32 known, const Sums& missing, double bar) const {
    Scanner<R> way[2] = {{y_, node.sums, node.judged}, {y_, node.sums, node.judged}};  // by their branch
    const i64 n = node.count, gaps = n - known;
    for (auto& scanner : way) scanner.gauge.raise(bar);
    Best here;
    if (known >= 16 && way[0].gauge.bar > 0 && !way[1].promises(entries, known, none_) && !way[0].promises(entries, known - 1, missing)) return here;
    way[1].start(none_);
    way[0].start(missing);
    const auto offer = [&](int branch, i64 left, i64 l) {
      if (!way[branch].may(l) || !rules_.allows(l, n - l)) return;
      const double decrease = way[branch].exact(l);
      if (!(decrease > bar)) return;
      here.left = static_cast<u32>(left);
      here.missing = branch;
      here.decrease = decrease;
      bar = bar_above(decrease, node.judged.scale);
      for (auto& scanner : way) scanner.gauge.raise(bar);
    };
    for (u32 i = 0; i < known; ++i) {
      for (auto& scanner : way) scanner.add(entries[i], id_of(entries[i]));
      if (i + 1 < known && rank_of(entries[i]) == rank_of(entries[i + 1])) continue;
      offer(1, i + 1, i + 1);
      if (i + 1 < known) offer(0, i + 1, i + 1 + gaps);
    }
    return here;
  }

  Best scan_levels(const Task& node, std::int32_t j, const u32* entries, u32 known, double best) {
    levels_.start(node.judged);
    const auto width = static_cast<std::size_t>(y_.width());
    const auto add_up = [&](u32 from, u32 to) {
      cell_.assign(width, Cell{});
      for (u32 i = from; i < to; ++i) y_.add(cell_.data(), id_of(entries[i]));
    };
    for (u32 i = 0; i < known;) {
      u32 end = i + 1;
      while (end < known && rank_of(entries[end]) == rank_of(entries[i])) ++end;
      add_up(i, end);
      levels_.add(rank_of(entries[i]), cell_.data(), end - i);
      i = end;
    }
    add_up(known, node.count);
    const Cut cut = levels_.find({j, codes_.place(j), codes_.levels(j), best, cell_.data(), node.count - known}, found_levels_);
    Best here;
    if (cut.feature < 0) return here;
    here.left = 1;  // found
    here.missing = cut.missing;
    here.groups = cut.groups;
    here.heuristic = cut.heuristic;
    here.decrease = cut.decrease;
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

  // Features that still offer a split within the node, as a new stretch on top of the stack.
  void drop_constants(const Task& node, std::size_t first, std::size_t last, int side) {
    last_kept_ = active_.size();
    for (std::size_t a = first; a < last; ++a) {
      const std::int32_t j = active_[a];
      const u32* entries = list(j, side) + node.begin;
      if (rank_of(entries[0]) == rank_of(entries[node.count - 1])) continue;
      const u32 known = known_of(j, entries, node.count);
      if (known < node.count && !rules_.learns() && rank_of(entries[0]) == rank_of(entries[known - 1])) continue;
      active_.push_back(j);
    }
  }

  // The children of a node, and which of its rows go where.
  struct Children {
    Task at[MOST_BRANCHES];
    std::int32_t n = 2, missing = STAYS;
    bool all_go = true;
  };
  // Features that still differ within a node: a stretch of the stack.
  struct Features {
    std::size_t first, last;
    int side;
  };

  void branch(const Task& node, const Best& best, std::size_t first, std::size_t last, int side) {
    const u32* entries = list(best.feature, side) + node.begin;
    Children children;
    if (best.groups == 0 && best.known == node.count && !rules_.stands_in())
      send_known(node, best, entries, children);
    else
      send_with_gaps(node, best, {first, last, side}, children);
    describer_.split(*out_, node.record,
                     {best.feature, 0.0, best.decrease, y_.weight(node.sums), children.missing, children.n, best.groups ? &best_levels_ : nullptr, best.heuristic,
                      rules_.stands_in() ? &stand_ins_.all() : nullptr});
    Records::Node& record = out_->nodes[node.record];
    if (!best.groups) {
      record.below = view_->row(ids_[id_of(entries[best.left - 1])]);
      if (best.left < best.known) record.above = view_->row(ids_[id_of(entries[best.left])]);
    }
    const std::int32_t first_child = record.first_child;
    bool open[MOST_BRANCHES] = {};
    for (int c = 0; c < children.n; ++c) {
      Task& child = children.at[c];
      child.depth = node.depth + 1;
      child.record = first_child + c;
      y_.close(child.sums);
      child.judged = y_.judge(child.sums);
      if (child.judged.fine && is_fine(entries, node.count, c)) throw NeedsFine{};
      describer_.node(y_, *out_, child.record, child.sums, child.judged);
      open[c] = rules_.is_open(child.judged, child.count, child.depth);
    }
    if (!open[0] && !open[1] && !open[2]) return;
    if (children.n == 2 && children.all_go)
      part_all(node, children.at[0].count, open, first, last, side);
    else
      part_each(node, children, open, first, last, side);
    for (int c = 0; c < children.n; ++c)
      if (open[c]) split(children.at[c], first, last, 1 - side);
  }

  i64 weight_of(Task& child) const {
    y_.close(child.sums);
    return y_.weight(child.sums);
  }

  void send_known(const Task& node, const Best& best, const u32* entries, Children& children) {
    for (int c = 0; c < 2; ++c) {
      const u32 from = c ? best.left : 0, to = c ? node.count : best.left;
      for (u32 i = from; i < to; ++i) {
        const u32 id = id_of(entries[i]);
        side_[id] = static_cast<std::uint8_t>(c);
        y_.add(children.at[c].sums, id);
      }
      children.at[c].begin = node.begin + from;
      children.at[c].count = to - from;
    }
    const i64 weight[2] = {weight_of(children.at[0]), weight_of(children.at[1])};
    children.missing = rules_.missing_branch(best.missing, weight, false);
  }

  void send_with_gaps(const Task& node, const Best& best, const Features& features, Children& children) {
    const u32* entries = list(best.feature, features.side) + node.begin;
    auto level = best_levels_.begin();
    const auto send = [&](u32 entry, std::uint8_t branch) {
      side_[id_of(entry)] = branch;
      y_.add(children.at[branch].sums, id_of(entry));
      ++children.at[branch].count;
    };
    for (u32 i = 0; i < best.known; ++i) {
      auto branch = static_cast<std::uint8_t>(i >= best.left);
      if (best.groups) {
        while (level->level != rank_of(entries[i])) ++level;
        branch = static_cast<std::uint8_t>(level->branch);
      }
      send(entries[i], branch);
    }
    const i64 weight[2] = {weight_of(children.at[0]), weight_of(children.at[1])};
    const bool has_missing = best.known < node.count;
    children.missing = rules_.missing_branch(best.missing, weight, has_missing);
    children.n = has_missing && rules_.own_branch() ? 3 : 2;
    for (u32 i = best.known; i < node.count; ++i) side_[id_of(entries[i])] = MOST_BRANCHES;
    if (rules_.stands_in()) find_stand_ins(node, best, features, weight);
    for (u32 i = best.known; i < node.count; ++i) {
      const std::uint8_t stood_in = side_[id_of(entries[i])];
      if (stood_in < MOST_BRANCHES || children.missing != STAYS)
        send(entries[i], stood_in < MOST_BRANCHES ? stood_in : static_cast<std::uint8_t>(children.missing));
      else
        children.all_go = false;
    }
    u32 begin = node.begin;
    for (Task& child : children.at) child.begin = std::exchange(begin, begin + child.count);
  }

  // Stand-ins of the split just sent, and the branches of rows that it does not know and they do.
  void find_stand_ins(const Task& node, const Best& best, const Features& features, const i64 weight[2]) {
    const u32* own = list(best.feature, features.side) + node.begin;
    for (u32 i = 0; i < node.count; ++i) {
      const u32 id = id_of(own[i]);
      Vote w = 1;
      if constexpr (R::weighted) w = y_.w(id);
      votes_[id] = static_cast<Vote>(i >= best.known ? 0 : side_[id] ? -w : w);
    }
    const Rating rating{{static_cast<double>(weight[0]), static_cast<double>(weight[1])}, rules_.settings->style};
    const SmallVotes<Vote> search(votes_.data(), ID);
    stand_ins_.start(static_cast<std::size_t>(rules_.settings->max_surrogates));
    for (std::size_t a = features.first; a < features.last; ++a) {
      const std::int32_t j = active_[a];
      if (j == best.feature) continue;
      const u32* entries = list(j, features.side) + node.begin;
      const u32 known = known_of(j, entries, node.count);
      Votes votes;
      const i64 reach = search.look(entries, known, votes);
      if (reach <= votes.most() || !stand_ins_.may_keep(rating.agreement(reach, votes))) continue;
      const ListCut cut = search.best(entries, known, votes);
      StandIn one;
      if (cut.agreed < 0 || !rating.rate(cut.agreed, votes, one)) continue;
      one.feature = j;
      one.place = codes_.place(j);
      one.flipped = cut.flipped;
      one.below = view_->row(ids_[id_of(entries[cut.below])]);
      one.above = view_->row(ids_[id_of(entries[cut.above])]);
      one.rank = rank_of(entries[cut.below]);
      stand_ins_.offer(one);
    }
    u32 left = node.count - best.known;
    for (const StandIn& one : stand_ins_.all()) {
      const u32* entries = list(one.feature, features.side) + node.begin;
      for (u32 i = 0; i < node.count && left > 0 && rank_of(entries[i]) != NO_VALUE; ++i) {
        std::uint8_t& branch = side_[id_of(entries[i])];
        if (branch < MOST_BRANCHES) continue;
        branch = static_cast<std::uint8_t>((rank_of(entries[i]) > one.rank) != one.flipped);
        --left;
      }
    }
  }

  // Lists of all features that still differ, where more than two children or rows that stay are met.
  void part_each(const Task& node, const Children& children, const bool* open, std::size_t first, std::size_t last, int side) {
    for (std::size_t a = first; a < last; ++a) {
      const u32* in = list(active_[a], side) + node.begin;
      for (int c = 0; c < children.n; ++c) {
        if (!open[c]) continue;
        u32* out = list(active_[a], 1 - side) + children.at[c].begin;
        for (u32 i = 0; i < node.count; ++i)
          if (side_[id_of(in[i])] == c) *out++ = in[i];
      }
    }
  }

  bool is_fine(const u32* entries, u32 count, int c) const {
    if constexpr (requires { y_.low; }) {
      const i64* low = nullptr;
      for (u32 i = 0; i < count; ++i) {
        const u32 id = id_of(entries[i]);
        if (side_[id] != c) continue;
        if (low && y_.low[id] != *low) return true;
        low = &y_.low[id];
      }
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
  const Codes& codes_;
  std::vector<std::int32_t> in_order_;  // features in the order of the learning set
  std::unique_ptr<u32[]> lists_[2];  // written before they are read: a small fit touches little of them
  ListSorter<SMALL> sorter_;
  std::vector<std::uint8_t> side_;
  std::vector<std::int32_t> active_;
  std::size_t last_kept_ = 0;
  R y_{};
  typename R::Rows rows_;
  LevelSearch<R> levels_;
  using Vote = std::conditional_t<R::weighted, i64, std::int8_t>;
  std::vector<Vote> votes_ = std::vector<Vote>(SMALL);
  StandIns stand_ins_;
  const Sums none_{};
  std::vector<Cell> cell_;
  std::vector<LevelBranch> found_levels_, best_levels_;
  const View* view_ = nullptr;
  const u32* ids_ = nullptr;
  Records* out_ = nullptr;
};

}  // namespace boxwood::coded

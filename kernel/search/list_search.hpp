// The search of a small node along the sorted lists of its features.
// Invariant: finds what search/table_search.hpp finds; a feature is left early only when nothing in it can be kept.
// Cost: about 2 ns an entry; k log k for k levels present.
#pragma once

#include "search/level_search.hpp"
#include "search/list_scanner.hpp"
#include "search/sorted_lists.hpp"
#include "search/two_group_bound.hpp"

namespace boxwood::coded {

// A node as a range of every list; its record is a row of the nodes being grown.
template <class R>
struct SmallNode {
  u32 begin = 0, count = 0;
  std::int32_t depth = 0, record = 0;
  typename R::Sums sums;
  NodeStats stats;
};

// The best split of a node by one feature; `rank`: what features are compared by.
struct Best {
  std::int32_t feature = -1, missing = -1;
  u32 left = 0, known = 0, groups = 0;
  bool heuristic = false, flipped = false;
  double decrease = 0, rank = -std::numeric_limits<double>::infinity();
};

template <class R>
class SmallSearch {
 public:
  using Sums = typename R::Sums;
  using Cell = typename R::Cell;
  using Node = SmallNode<R>;

  // `y`: the response of the subtree at hand.
  SmallSearch(const R& y, const Rules& rules, const Codes& codes, const Lists<R>& lists)
      : y_(y),
        rules_(rules),
        codes_(codes),
        lists_(lists),
        levels_(y, rules),
        has_missing_(codes.has_missing()),
        level_sets_(codes.columns() - codes.cut_columns()) {}
  SmallSearch(const SmallSearch&) = delete;

  // The best candidates of the features from `first` to `last`, in the order of the learning set.
  std::vector<Best>& find(const Node& node, const std::int32_t* first, const std::int32_t* last, int side) {
    Scanner<R> scanner(y_, node.sums, node.stats);
    const bool costs = !rules_.settings->feature_costs.empty();
    const double most = first == last ? 0 : most_of(node, lists_.of(*first, side) + node.begin);
    ranking_.start(rules_.kept());
    double threshold = rules_.floor_of(node.stats);
    for (const std::int32_t* at = first; at != last; ++at) {
      const std::int32_t j = *at, place = codes_.place(j);
      const u32* entries = lists_.of(j, side) + node.begin;
      const u32 known = lists_.known(j, entries, node.count);
      if (costs) threshold = rules_.needed(ranking_.threshold(), place, 0.0, node.stats);
      Best here;
      if (codes_.is_nominal(j)) {
        here = scan_levels(node, j, entries, known, ranking_.threshold());
      } else if (known == node.count) {
        here = scan(scanner, entries, known, node.stats.scale, {threshold, 0.0});
      } else {
        here = scan_with_missing(node, entries, known, threshold);
      }
      if (here.left == 0) continue;
      here.feature = j;
      here.decrease = std::max(here.decrease, 0.0);
      if (!rules_.good_enough(here.decrease)) continue;
      here.rank = rules_.compared(here.decrease, place, here.groups, known, node.stats);
      here.known = known;
      ranking_.offer(here);
      if (!ranking_.is_full()) continue;
      threshold = rules_.needed(ranking_.threshold(), place, 0.0, node.stats);
      if (threshold_above(ranking_.threshold(), 1.0) >= most) break;  // no feature can do better by more than rounding
    }
    return ranking_.kept();
  }

  // Of a set of levels; nullptr for a cut.
  std::vector<LevelBranch>* levels(const Best& best) { return best.groups ? &set_of(best.feature) : nullptr; }

 private:
  static u32 id_of(u32 entry) { return Lists<R>::id_of(entry); }
  std::vector<LevelBranch>& set_of(std::int32_t j) {
    return level_sets_[static_cast<std::size_t>(j) - codes_.cut_columns()];
  }

  // No feature is ranked above. `entries`: any list of the node.
  double most_of(const Node& node, const u32* entries) const {
    if (!rules_.settings->feature_costs.empty()) return std::numeric_limits<double>::infinity();
    double most = node.stats.risk;
    if constexpr (std::is_same_v<R, MeanResponse>)
      if (node.count > 2 && node.count <= FEW && !has_missing_) {
        i64 centred[FEW];
        for (u32 i = 0; i < node.count; ++i) centred[i] = y_.high[id_of(entries[i])] - node.stats.shift;
        most = best_two_group_split(centred, node.count);
      }
    most *= (1 + 1e-13) / node.stats.scale;
    if constexpr (requires { y_.noise(node.sums, node.stats); })
      most += y_.noise(node.sums, node.stats);  // rounding may let another feature do better
    return most;
  }

  // What a scan starts from: the threshold that a cut must exceed, and what a branch for missing values takes away by
  // itself.
  struct Start {
    double threshold, offset;
  };

  // The best cut of a list whose first `count` entries have a value.
  Best scan(Scanner<R>& scanner, const u32* entries, u32 count, double scale, const Start& from) const {
    Best here;
    double threshold = from.threshold;
    scanner.bound.set_threshold(threshold - from.offset);
    scanner.start(none_);
    for (u32 i = 0; i + 1 < count; ++i) {
      scanner.add(entries[i], id_of(entries[i]));
      const i64 l = i + 1;
      if (!scanner.can_exceed(l) || rank_of(entries[i]) == rank_of(entries[i + 1]) || !rules_.allows(l, count - l))
        continue;
      const double decrease = scanner.exact(l) + from.offset;
      if (!(decrease > threshold)) continue;
      here.left = i + 1;
      here.decrease = decrease;
      threshold = threshold_above(decrease, scale);
      scanner.bound.set_threshold(threshold - from.offset);
    }
    return here;
  }

  // A feature that has missing values in the node.
  Best scan_with_missing(const Node& node, const u32* entries, u32 known, double threshold) const {
    Sums missing, rest = node.sums;
    for (u32 i = known; i < node.count; ++i) y_.add(missing, id_of(entries[i]));
    y_.close(missing);
    y_.remove(rest, missing);
    if (rules_.learns()) return scan_both_ways(node, entries, known, missing, threshold);
    double offset = 0;
    if (rules_.own_branch()) {
      Scanner<R> whole(y_, node.sums, node.stats);
      whole.start(rest);
      offset = whole.exact(known);
    }
    Scanner<R> scanner(y_, rest, node.stats);
    return scan(scanner, entries, known, node.stats.scale, {threshold, offset});
  }

  // Learned direction: rows without a value go right, then left, at every cut; the last candidate separates them from
  // all others.
  Best scan_both_ways(const Node& node, const u32* entries, u32 known, const Sums& missing, double threshold) const {
    Scanner<R> way[2] = {{y_, node.sums, node.stats}, {y_, node.sums, node.stats}};  // by their branch
    const i64 n = node.count, gaps = n - known;
    for (auto& scanner : way) scanner.bound.set_threshold(threshold);
    Best here;
    way[1].start(none_);
    way[0].start(missing);
    const auto offer = [&](int branch, i64 left, i64 l) {
      if (!way[branch].can_exceed(l) || !rules_.allows(l, n - l)) return;
      const double decrease = way[branch].exact(l);
      if (!(decrease > threshold)) return;
      here.left = static_cast<u32>(left);
      here.missing = branch;
      here.decrease = decrease;
      threshold = threshold_above(decrease, node.stats.scale);
      for (auto& scanner : way) scanner.bound.set_threshold(threshold);
    };
    for (u32 i = 0; i < known; ++i) {
      for (auto& scanner : way) scanner.add(entries[i], id_of(entries[i]));
      if (i + 1 < known && rank_of(entries[i]) == rank_of(entries[i + 1])) continue;
      offer(1, i + 1, i + 1);
      if (i + 1 < known) offer(0, i + 1, i + 1 + gaps);
    }
    return here;
  }

  Best scan_levels(const Node& node, std::int32_t j, const u32* entries, u32 known, double best) {
    levels_.start(node.stats);
    const auto width = static_cast<std::size_t>(y_.width());
    const auto add_up = [&](u32 from, u32 to) {
      cell_.assign(width, Cell{});
      for (u32 i = from; i < to; ++i) y_.add(cell_.data(), id_of(entries[i]));
    };
    for (u32 i = 0; i < known;) {
      u32 end = i + 1;
      while (end < known && rank_of(entries[end]) == rank_of(entries[i])) ++end;
      add_up(i, end);
      levels_.add(lists_.level(j, entries[i]), cell_.data(), end - i);
      i = end;
    }
    add_up(known, node.count);
    const Candidate cut =
        levels_.find({j, codes_.place(j), codes_.levels(j), best, cell_.data(), node.count - known}, set_of(j));
    Best here;
    if (cut.feature < 0) return here;
    here.left = 1;  // found
    here.missing = cut.missing;
    here.groups = cut.groups;
    here.heuristic = cut.heuristic;
    here.decrease = cut.decrease;
    return here;
  }

  const R& y_;
  const Rules& rules_;
  const Codes& codes_;
  const Lists<R>& lists_;
  LevelSearch<R> levels_;
  const bool has_missing_;
  const Sums none_{};
  std::vector<Cell> cell_;
  Ranking<Best> ranking_;
  std::vector<std::vector<LevelBranch>> level_sets_;  // of each nominal feature
};

}  // namespace boxwood::coded

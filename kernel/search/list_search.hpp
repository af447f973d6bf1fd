// The search of a small node along the sorted lists of its features.
// Invariant: finds what search/table_search.hpp finds; a feature is left early only when nothing in it can be kept.
// Cost: about 2 ns an entry; k log k for k levels present.
#pragma once

#include "search/level_search.hpp"
#include "search/sorted_lists.hpp"

namespace boxwood::coded {

// A node as a range of every list; its record is a row of the nodes being grown.
template <class R>
struct SmallNode {
  u32 begin = 0, count = 0;
  std::int32_t record = 0;
  typename R::Sums sums;
  NodeStats stats;
};

template <class R>
class ListSearch {
 public:
  using Sums = typename R::Sums;
  using Cell = typename R::Cell;
  using Node = SmallNode<R>;
  using Scanner = typename R::Scanner;

  // `y`: the response of the subtree at hand.
  ListSearch(const R& y, const Rules& rules, const Codes& codes, const Lists& lists)
      : y_(y),
        rules_(rules),
        codes_(codes),
        lists_(lists),
        levels_(y, rules),
        has_missing_(codes.has_missing()),
        level_sets_(codes.columns() - codes.cut_columns()) {}
  ListSearch(const ListSearch&) = delete;

  // The best candidates of some features, in the order of the learning set.
  std::vector<Candidate>& find(const Node& node, std::span<const std::int32_t> features, int side) {
    Scanner scanner(y_, node.sums, node.stats);
    const bool costs = !rules_.settings->feature_costs.empty();
    const double most = features.empty() ? 0 : most_of(node, lists_.of(features[0], side) + node.begin);
    ranking_.start(rules_.kept());
    double threshold = rules_.floor_of(node.stats);
    for (const std::int32_t j : features) {
      const std::int32_t place = codes_.place(j);
      if (!rules_.may_use(place, node.stats)) continue;
      const u32* entries = lists_.of(j, side) + node.begin;
      const u32 known = lists_.known(j, entries, node.count);
      if (costs) threshold = rules_.needed(ranking_.threshold(), place, 0.0, node.stats);
      Candidate here;
      if (codes_.is_nominal(j)) {
        here = scan_levels(node, j, entries, known, ranking_.threshold());
      } else if (known == node.count) {
        scanner.start();
        here = scan<1>({{scanner, node.sums}}, entries, known, node, rules_.sign(place), threshold);
      } else {
        here = scan_with_missing(node, entries, known, rules_.sign(place), threshold);
      }
      if (here.left > 0) here.feature = j;
      if (here.feature < 0) continue;
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
  std::vector<LevelBranch>* levels(const Candidate& best) { return best.groups ? &set_of(best.feature) : nullptr; }

 private:
  std::vector<LevelBranch>& set_of(std::int32_t j) {
    return level_sets_[static_cast<std::size_t>(j) - codes_.cut_columns()];
  }

  // No feature is ranked above. `entries`: any list of the node.
  double most_of(const Node& node, const u32* entries) const {
    if (!rules_.settings->feature_costs.empty()) return std::numeric_limits<double>::infinity();
    const double most = has_missing_ ? node.stats.risk : Scanner::most(y_, entries, node.count, node.stats);
    return most * (1 + 1e-13) / node.stats.scale + y_.noise(node.stats);  // rounding may let another do better
  }

  // How to count rows without a value: its scanner, what all rows that count add up to, and of those without a value
  // the branch, the number on the left, and what a branch for them takes away by itself.
  struct ListDirection {
    Scanner& scanner;
    const Sums& all;
    std::int32_t missing = -1;
    i64 before = 0;
    double offset = 0;
  };

  // False when no cut of a list exceeds the threshold, as far as a bound of all cuts at once tells.
  static constexpr u32 WORTH_BOUNDING = 16;
  template <std::size_t DIRECTIONS>
  static bool any_can_attain(const ListDirection (&directions)[DIRECTIONS], const u32* entries, u32 cuts) {
    return std::any_of(std::begin(directions), std::end(directions), [&](const ListDirection& direction) {
      return !(direction.scanner.bound.threshold > 0) ||
             direction.scanner.any_can_attain(entries, direction.before > 0 ? cuts - 1 : cuts);
    });
  }

  // The best cut of a list whose first `known` entries have a value. Of two directions, that of rows without a value on
  // the right also separates them from all others, as its last candidate.
  template <std::size_t DIRECTIONS>
  Candidate scan(const ListDirection (&directions)[DIRECTIONS], const u32* entries, u32 known, const Node& node,
                 int sign, double threshold) const {
    Candidate here;
    const auto raise = [&] {
      for (const ListDirection& direction : directions)
        direction.scanner.bound.set_threshold(threshold - direction.offset);
    };
    const i64 n = DIRECTIONS > 1 ? node.count : known;
    const u32 last = DIRECTIONS > 1 ? known : known - 1;
    raise();
    const auto sides = [&](const ListDirection& direction, i64 l) {
      CellBuffer<Cell> left(y_.width()), both(y_.width());
      direction.scanner.take_left(l, left.data());
      y_.fill(direction.all, both.data());
      return sides_of(y_, left.data(), both.data(), node.stats);
    };
    if (last >= WORTH_BOUNDING && !any_can_attain(directions, entries, last)) return here;
    for (u32 i = 0; i < last; ++i) {
      for (const ListDirection& direction : directions) direction.scanner.add(entries[i]);
      for (const ListDirection& direction : directions) {
        const i64 l = direction.before + i + 1;
        if (!direction.scanner.can_attain(l)) continue;
        if (i + 1 < known ? rank_of(entries[i]) == rank_of(entries[i + 1]) : direction.before > 0) continue;
        const auto both_sides = [&] { return sides(direction, l); };
        if (!rules_.admits(l, n - l, i + 1 < known ? sign : 0, both_sides)) continue;
        const double decrease =
            rules_.within_limits(direction.scanner.exact(l) + direction.offset, node.stats, both_sides);
        if (!(decrease > threshold)) continue;
        here.left = i + 1;
        here.missing = direction.missing;
        here.decrease = decrease;
        threshold = threshold_above(decrease, node.stats.scale);
        raise();
      }
    }
    return here;
  }

  // A feature that has missing values in the node.
  Candidate scan_with_missing(const Node& node, const u32* entries, u32 known, int sign, double threshold) const {
    Sums missing, rest = node.sums;
    for (u32 i = known; i < node.count; ++i) y_.add(missing, id_of(entries[i]));
    y_.close(missing);
    y_.remove(rest, missing);
    if (rules_.learns()) {
      Scanner right(y_, node.sums, node.stats), left(y_, node.sums, node.stats);
      right.start();
      left.start(missing);
      return scan<2>({{right, node.sums, 1}, {left, node.sums, 0, node.count - known}}, entries, known, node, sign,
                     threshold);
    }
    Scanner scanner(y_, rest, node.stats);
    scanner.start();
    ListDirection direction{scanner, rest};
    if (rules_.own_branch()) {
      Scanner whole(y_, node.sums, node.stats);
      whole.start(rest);
      direction.offset = whole.exact(known);
    }
    return scan<1>({direction}, entries, known, node, sign, threshold);
  }

  Candidate scan_levels(const Node& node, std::int32_t j, const u32* entries, u32 known, double best) {
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
      levels_.add(lists_.level(j, entries[i]), cell_.data());
      i = end;
    }
    add_up(known, node.count);
    return levels_.find({j, codes_.place(j), codes_.levels(j), best, cell_.data()}, set_of(j));
  }

  const R& y_;
  const Rules& rules_;
  const Codes& codes_;
  const Lists& lists_;
  LevelSearch<R> levels_;
  const bool has_missing_;
  std::vector<Cell> cell_;
  Ranking<Candidate> ranking_;
  std::vector<std::vector<LevelBranch>> level_sets_;  // of each nominal feature
};

}  // namespace boxwood::coded

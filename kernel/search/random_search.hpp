// Random splits of a node (splitter="random"): of each feature one partition is drawn, and the best of these wins.
// Rule: a cut is drawn evenly between the least and the greatest value that the node's rows have; of a nominal feature,
// each level goes to either branch with equal chance, again until both have one. Invariant: what is drawn depends on
// the node's path and the feature's place alone (search/feature_draw.hpp). Cost: about 3 ns a row and feature.
#pragma once

#include "encode/bin_ranges.hpp"
#include "search/cut_sides.hpp"
#include "search/feature_draw.hpp"
#include "search/gather_rows.hpp"
#include "search/level_groups.hpp"
#include "search/missing_direction.hpp"

namespace boxwood::coded {

template <class R>
class RandomSearch {
 public:
  using Cell = typename R::Cell;
  using Cells = std::vector<Cell>;

  RandomSearch(const R& y, const Rules& rules, const View& view)
      : y_(y),
        rules_(rules),
        view_(view),
        partition_(y_, rules_),
        sets_(view.columns() - view.all->cut_columns()),
        left_(static_cast<std::size_t>(y.width())),
        known_(left_.size()),
        missing_(left_.size()) {}
  RandomSearch(const RandomSearch&) = delete;

  // The best candidates of some features, none when nothing is good enough.
  std::vector<Candidate>& find(const RowGatherer::Rows& rows, std::span<const std::int32_t> features,
                               const typename R::Sums& sums, const NodeStats& stats) {
    partition_.start({y_, rules_, stats, {y_, sums, stats}, rows.count});
    cuts_.clear();
    for (const std::int32_t j : features) {
      Candidate cut;
      cut.feature = j;
      cut.place = view_.all->place(static_cast<std::size_t>(j));
      if (!rules_.may_use(cut.place, stats)) continue;
      const std::uint64_t key = draw_of(stats.inherited.path, cut.place);
      for (Cells* cells : {&left_, &missing_}) std::fill(cells->begin(), cells->end(), Cell{});
      if (!(view_.all->is_nominal(static_cast<std::size_t>(j)) ? draw_levels(rows, key, cut)
                                                               : draw_cut(rows, key, cut)))
        continue;
      const int sign = cut.groups > 0 ? 0 : rules_.sign(cut.place);
      y_.fill(sums, known_.data());
      for (std::size_t k = 0; k < known_.size(); ++k) known_[k] -= missing_[k];
      partition_.begin(cut.known, known_.data(), missing_.data(), rules_.floor_of(stats), sign);
      if (!partition_.offer(left_)) continue;
      cut.decrease = partition_.decrease;
      cut.missing = partition_.missing;
      cuts_.push_back(cut);
    }
    sort_by_place(cuts_);
    rules_.choose(cuts_, stats, ranking_);
    return ranking_.kept();
  }
  // Of a set of levels; nullptr for a cut.
  std::vector<LevelBranch>* levels(const Candidate& cut) { return cut.groups > 0 ? &set_of(cut.feature) : nullptr; }

 private:
  std::vector<LevelBranch>& set_of(std::int32_t j) {
    return sets_[static_cast<std::size_t>(j) - view_.all->cut_columns()];
  }

  bool draw_cut(const RowGatherer::Rows& rows, std::uint64_t key, Candidate& cut) {
    const auto j = static_cast<std::size_t>(cut.feature);
    Extreme<std::less<>> least{view_, j};
    Extreme<std::greater<>> greatest{view_, j};
    items_.resize(rows.count);
    std::size_t n = 0;
    for (u32 i = 0; i < rows.count; ++i) {
      const Coded item{view_.code(j, rows.ids[i]), rows.ids[i]};
      if (item.code == NOTHING) {
        y_.add(missing_.data(), item.id);
        continue;
      }
      least.offer(item);
      greatest.offer(item);
      items_[n++] = item;
    }
    items_.resize(n);
    if (n == 0 || !(least.value < greatest.value)) return false;
    cut.known = static_cast<i64>(n);
    cut.below = drawn_between(least.value, greatest.value, key);
    take_sides(rules_.bin_ranges->bin_above(j, cut.below), cut);
    return true;
  }

  // The least or the greatest value; values are read only where the code may be theirs.
  template <class Before>
  struct Extreme {
    const View& view;
    const std::size_t j;
    const Before before{};
    u32 code = NOTHING;
    double value = 0;

    void offer(const Coded& item) {
      if (code != NOTHING && !before(item.code, code) && (item.code != code || view.all->is_one_value(j, code))) return;
      const double here = view.value(j, item.id);
      if (code == NOTHING || before(here, value)) value = here;
      code = item.code;
    }
  };

  // Adds up what lies left of a threshold; of a bin that it divides, values are read.
  void take_sides(const BinRanges::Divided& at, Candidate& cut) {
    const auto j = static_cast<std::size_t>(cut.feature);
    const u32 begin = at.bin << 8, end = at.is_divided ? begin + 256 : begin;
    ValuedRow last{0, NO_ROW}, first{0, NO_ROW};
    for (const auto& [code, id] : items_) {
      if (code >= end) continue;
      if (code >= begin) {
        const double value = view_.value(j, id);
        ValuedRow& about = value <= cut.below ? last : first;
        if (about.id == NO_ROW || (value <= cut.below) == (value > about.value)) about = {value, id};
        if (value > cut.below) continue;
      }
      y_.add(left_.data(), id);
      ++cut.left;
    }
    cut.last_left = last.id;
    cut.first_right = first.id;
    cut.code = static_cast<Code>(last.id == NO_ROW ? begin - 1 : first.id == NO_ROW ? end - 1 : view_.code(j, last.id));
    cut.whole = last.id == NO_ROW || first.id == NO_ROW || cut.code != view_.code(j, first.id);
  }

  bool draw_levels(const RowGatherer::Rows& rows, std::uint64_t key, Candidate& cut) {
    const auto j = static_cast<std::size_t>(cut.feature);
    const u32 n_levels = view_.all->levels(j);
    groups_.start(y_.width());
    each_wide_level(view_, rows, j, [&](u32 level, auto from, auto to) {
      Cells cells(left_.size());
      for (; from != to; ++from) y_.add(cells.data(), from->row);
      if (level == n_levels)
        missing_ = cells;
      else
        groups_.add(level, cells.data());
    });
    groups_.pool(least_rows_of_level(*rules_.settings, n_levels), [&](const Cell* cell) { return y_.count(cell); });
    if (groups_.size() < 2) return false;
    const std::vector<std::int32_t> sides = drawn_sides(groups_.size(), key);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      cut.known += y_.count(groups_.cell(g));
      for (std::size_t k = 0; k < left_.size() && sides[g] == 0; ++k) left_[k] += groups_.cell(g)[k];
    }
    set_of(cut.feature).clear();
    for (const auto& [level, group] : groups_.members) set_of(cut.feature).push_back({level, sides[group]});
    cut.groups = 2;  // no other partition of the levels is tried
    cut.left = y_.count(left_.data());
    return true;
  }

  const R y_;
  const Rules& rules_;
  const View& view_;
  BestPartition<R> partition_;
  std::vector<std::vector<LevelBranch>> sets_;  // of each nominal feature
  Cells left_, known_, missing_;
  std::vector<Coded> items_;  // rows with a value
  Groups<Cell> groups_;
  std::vector<Candidate> cuts_;
  Ranking<Candidate> ranking_;
};

}  // namespace boxwood::coded

// Random splits of a node (splitter="random"): of each feature one partition is drawn, and the best of these wins.
// Rule: a cut is drawn evenly between the least and the greatest value that the node's rows have; of a nominal feature,
// each level goes to either branch with equal chance, again until both have one. Invariant: what is drawn depends on
// the node's path and the feature's place alone (search/feature_draw.hpp). Cost: about 3 ns a row and feature.
#pragma once

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
    items_.resize(rows.count);
    std::size_t n = 0;
    u32 lowest = NOTHING, highest = 0;
    for (u32 i = 0; i < rows.count; ++i) {
      const u32 id = rows.ids[i], code = view_.code(j, id);
      if (code == NOTHING) {
        y_.add(missing_.data(), id);
        continue;
      }
      items_[n++] = {code, id};
      lowest = std::min(lowest, code);
      highest = std::max(highest, code);
    }
    items_.resize(n);
    if (n == 0) return false;
    About about{value_at(j, lowest, std::less<>()), value_at(j, highest, std::greater<>())};
    if (!(about.last.value < about.first.value)) return false;
    cut.known = static_cast<i64>(n);
    cut.below = drawn_between(about.last.value, about.first.value, key);
    close_in(j, lowest, highest, cut.below, about);
    find_rows(j, cut.below, about);
    cut.last_left = about.last.id;
    cut.first_right = about.first.id;
    cut.code = view_.code(j, about.last.id);
    cut.whole = cut.code != view_.code(j, about.first.id);
    for (const auto& [code, id] : items_) {
      if (code > cut.code || (code == cut.code && !cut.whole && view_.value(j, id) > cut.below)) continue;
      y_.add(left_.data(), id);
      ++cut.left;
    }
    return true;
  }

  // The rows of greatest value left of a threshold, and of least value right of it, as far as they are known.
  struct About {
    ValuedRow last, first;
  };

  // The row of least or greatest value among those of a code.
  template <class Before>
  ValuedRow value_at(std::size_t j, u32 code, const Before& before) const {
    ValuedRow found{0, NO_ROW};
    for (const auto& [at, id] : items_) {
      if (at != code) continue;
      const double value = view_.value(j, id);
      if (found.id == NO_ROW || before(value, found.value)) found = {value, id};
      if (view_.all->is_one_value(j, code)) break;
    }
    return found;
  }

  // Reads values until no code lies between those of the rows about a threshold: codes rise with values, so a few tell.
  void close_in(std::size_t j, u32 below, u32 above, double threshold, About& about) {
    between_ = items_;
    for (bool halves = false;; halves = !halves) {
      std::erase_if(between_, [&](const Coded& item) { return item.code <= below || item.code >= above; });
      if (between_.empty()) return;
      const double share = (threshold - about.last.value) / (about.first.value - about.last.value);
      const double guess = below + (halves || !(share >= 0) ? 0.5 : share) * (above - below);
      const Coded nearest = *std::ranges::min_element(
          between_, {}, [&](const Coded& item) { return std::abs(static_cast<double>(item.code) - guess); });
      const double value = view_.value(j, nearest.id);
      const bool left = value <= threshold;
      (left ? about.last : about.first) = {value, nearest.id};
      (left ? below : above) = nearest.code;
    }
  }

  // Then the rows next to it have one of two codes.
  void find_rows(std::size_t j, double threshold, About& about) const {
    const u32 below = view_.code(j, about.last.id), above = view_.code(j, about.first.id);
    for (const auto& [code, id] : items_) {
      if ((code != below && code != above) || view_.all->is_one_value(j, code)) continue;
      const double value = view_.value(j, id);
      if (value <= threshold && value > about.last.value) about.last = {value, id};
      if (value > threshold && value < about.first.value) about.first = {value, id};
    }
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
  std::vector<Coded> items_, between_;  // rows with a value
  Groups<Cell> groups_;
  std::vector<Candidate> cuts_;
  Ranking<Candidate> ranking_;
};

}  // namespace boxwood::coded

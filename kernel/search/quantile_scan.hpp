// The best split of a node by one feature, by distances from quantiles: a cut, or a set of levels.
// Order by quantile is not enough for levels: all sets up to exhaustive_levels, above that the cuts of this order,
// flagged. Invariant: as in search/quantile_cuts.hpp. Cost: 2^(k-1) passes of 2 ns a row for k levels.
#pragma once

#include <bit>

#include "search/level_groups.hpp"
#include "search/quantile_cuts.hpp"

namespace boxwood::coded {

template <class Int>
class QuantileScan : QuantileCuts<Int> {
  using Base = QuantileCuts<Int>;
  using Base::best_, Base::directions_, Base::ends_, Base::items_, Base::known_, Base::levels_, Base::node_,
      Base::rules_, Base::view_;
  using Base::id, Base::is_missing, Base::is_random, Base::key, Base::missing_rows, Base::offer, Base::offer_cuts;
  using typename Base::Direction;

 public:
  QuantileScan(const QuantileLevels& levels, const Rules& rules, const View& view) : Base(levels, rules, view) {}

  // The best candidate of a feature, none if its `left` is 0; for a set of levels, with the branch of each.
  Candidate find(const QuantileNode<Int>& node, std::int32_t j, std::vector<LevelBranch>& branches) {
    const bool nominal = view_.all->is_nominal(static_cast<std::size_t>(j));
    this->start(node, j);
    nominal ? sort_levels(j) : this->sort_numbers(j);
    best_.known = static_cast<i64>(known_);
    if (known_ == 0 || (is_random() && !nominal && !this->draw_cut(j))) return best_;
    this->choose_directions();
    nominal ? scan_levels(j, branches) : this->scan_cuts(j);
    return best_;
  }

 private:
  // The same by level, whose numbers are then the keys.
  void sort_levels(std::int32_t j) {
    const auto column = static_cast<std::size_t>(j);
    const u32 none = view_.all->levels(column);
    this->clear();
    for (u32 k = 0; k < node_->count; ++k) {
      const u32 level = view_.level(column, id(k));
      this->note_missing(k, level >= none);
      if (level < none) items_.push_back({level, k});
    }
    this->sort_items();
  }

  // Levels are groups of rows that stay together.
  void scan_levels(std::int32_t j, std::vector<LevelBranch>& branches) {
    group_rows(least_rows_of_level(*rules_.settings, view_.all->levels(static_cast<std::size_t>(j))));
    best_.groups = static_cast<u32>(groups_);
    side_.assign(groups_, 1);
    const bool all_sets = groups_ <= static_cast<std::size_t>(rules_.settings->exhaustive_levels);
    if (is_random())
      offer_drawn_set();
    else
      all_sets ? offer_sets() : offer_in_order();
    if (best_.left == 0) return;
    best_.heuristic = !is_random() && !all_sets;
    branches.clear();
    for (std::size_t m = 0; m < members_.size(); ++m) branches.push_back({members_[m], side_[group_of_[m]]});
  }

  // The group of each row: one a level, rare levels pooled into a last one; rows without a level are one more.
  void group_rows(i64 least) {
    members_.clear();
    group_of_.clear();
    group_.resize(node_->count);
    groups_ = 0;
    bool any_rare = false;
    std::vector<std::pair<u32, u32>> spans;
    for (u32 i = 0; i < known_;) {
      u32 end = i + 1;
      while (end < known_ && items_[end].key == items_[i].key) ++end;
      members_.push_back(items_[i].key);
      const bool rare = static_cast<i64>(end - i) < least;
      any_rare = any_rare || rare;
      group_of_.push_back(rare ? MISSING : static_cast<u32>(groups_++));
      spans.emplace_back(i, end);
      i = end;
    }
    for (std::size_t m = 0; m < members_.size(); ++m) {
      group_of_[m] = std::min(group_of_[m], static_cast<u32>(groups_));
      for (u32 i = spans[m].first; i < spans[m].second; ++i) group_[items_[i].row] = group_of_[m];
    }
    groups_ += any_rare;
    sums_.assign(groups_ + 1, {});
    rows_of_.assign(groups_ + 1, 0);
    for (u32 k = 0; k < node_->count; ++k) {
      if (is_missing(k)) group_[k] = static_cast<u32>(groups_);
      sums_[group_[k]] += term_of(node_->rows, k);
      ++rows_of_[group_[k]];
    }
  }

  // The set that is drawn; no other is tried.
  void offer_drawn_set() {
    best_.groups = 2;
    if (groups_ < 2) return;
    side_ = drawn_sides(groups_, key());
    branch_of_.assign(side_.begin(), side_.end());
    branch_of_.push_back(1);
    offer_set(false);
  }

  // The groups by `branch_of_`; returns whether they are the best so far.
  bool offer_set(bool separates_missing) {
    i64 left = 0;
    for (std::size_t g = 0; g < groups_; ++g) left += branch_of_[g] == 0 ? rows_of_[g] : 0;
    bool any = false;
    for (const Direction& direction : directions_) {
      if (separates_missing && !direction.on_right) continue;
      branch_of_[groups_] = direction.on_left ? 0 : direction.on_right ? 1 : 2;
      const TwoSides sides = two_sides();
      const i64 rows = left + (direction.on_left ? missing_rows() : 0);
      if (!offer(direction, rows, sides.weight[0], sides.weight[1], direction.whole - sides.loss)) continue;
      best_.left = left;
      any = true;
    }
    return any;
  }

  // All sets without the last group; each differs from the one before in one group (Gray code).
  void offer_sets() {
    std::vector<std::uint8_t> best;
    branch_of_.assign(groups_ + 1, 1);
    for (std::uint64_t i = 1; groups_ > 0 && i < std::uint64_t{1} << (groups_ - 1); ++i) {
      branch_of_[static_cast<std::size_t>(std::countr_zero(i))] ^= 1;
      if (offer_set(false)) best = branch_of_;
    }
    branch_of_.assign(groups_ + 1, 0);
    if (offer_set(true)) best = branch_of_;
    for (std::size_t g = 0; !best.empty() && g < groups_; ++g) side_[g] = best[g];
  }

  struct TwoSides {
    double loss = 0;
    i64 weight[2];
  };
  // Of the groups by `branch_of_`, 2 = on neither side.
  TwoSides two_sides() const {
    WeighedSum<Int> all[3] = {}, below[3] = {};
    for (std::size_t g = 0; g <= groups_; ++g) all[branch_of_[g]] += sums_[g];
    double needed[3];
    for (int s = 0; s < 3; ++s) needed[s] = weight_up_to_quantile(levels_, all[s].weight);
    TwoSides out{0.0, {all[0].weight, all[1].weight}};
    bool open[3] = {all[0].weight > 0, all[1].weight > 0, false};
    for (u32 k = 0; open[0] || open[1]; ++k) {
      const std::uint8_t s = branch_of_[group_[k]];
      if (!open[s]) continue;
      if (static_cast<double>(below[s].weight + node_->rows.weight[k]) < needed[s]) {
        below[s] += term_of(node_->rows, k);
        continue;
      }
      out.loss += loss_about(levels_, node_->rows, k, all[s], below[s]);
      open[s] = false;
    }
    return out;
  }

  // Cuts of the order of the groups by their quantile.
  void offer_in_order() {
    keys_.assign(groups_, std::nan(""));
    std::vector<i64> below(groups_ + 1, 0);
    for (u32 k = 0; k < node_->count; ++k) {
      const u32 g = group_[k];
      below[g] += node_->rows.weight[k];
      const bool reached = static_cast<double>(below[g]) >= weight_up_to_quantile(levels_, sums_[g].weight);
      if (reached && g < groups_ && std::isnan(keys_[g])) keys_[g] = node_->rows.value[k];
    }
    order_by(keys_, order_);
    place_.resize(groups_);
    for (std::size_t i = 0; i < groups_; ++i) place_[order_[i]] = static_cast<u32>(i);
    for (KeyRow& item : items_) item.key = place_[group_[item.row]];
    this->sort_items();
    for (u32 i = 0; i < known_; ++i) ends_[i] = i + 1 == known_ || items_[i].key != items_[i + 1].key;
    u32 last = 0;
    offer_cuts([&](u32 i) { return items_[i].row; }, [&](u32 i) { last = items_[i - 1].key; });
    for (std::size_t i = 0; best_.left > 0 && i <= last; ++i) side_[order_[i]] = 0;
  }

  std::size_t groups_ = 0;
  std::vector<u32> members_, group_of_, group_, order_, place_;  // levels present and their groups; groups of rows
  std::vector<WeighedSum<Int>> sums_;  // of groups, and their rows
  std::vector<i64> rows_of_;
  std::vector<std::uint8_t> branch_of_;
  std::vector<double> keys_;
  std::vector<std::int32_t> side_;  // branch of each group
};

}  // namespace boxwood::coded

// The cuts of one feature of a node by distances from quantiles: rows are taken out of two sets in order of the
// feature. A set loses nothing when rows join it, so the losses of left sides only rise along a feature.
// Invariant: what a full scan finds, ties by the written rule (settings.hpp). Cost: a sort by code, and two passes of
// some 10 ns a row.
#pragma once

#include "response/quantiles.hpp"
#include "search/feature_draw.hpp"
#include "search/gather_rows.hpp"

namespace boxwood::coded {

// A node of a tree by quantiles: ids in order of y, their y, and what follows.
template <class Int>
struct QuantileNode {
  const u32* ids;
  u32 count;
  const OrderedRows<Int>& rows;
  const NodeStats& stats;
};

template <class Int>
class QuantileCuts {
 protected:
  QuantileCuts(const QuantileLevels& levels, const Rules& rules, const View& view)
      : levels_(levels), rules_(rules), view_(view), left_(levels) {}

  // The next node and feature.
  void start(const QuantileNode<Int>& node, std::int32_t j) {
    node_ = &node;
    best_ = {};
    best_.feature = j;
    best_.place = view_.all->place(static_cast<std::size_t>(j));
    best_.decrease = -std::numeric_limits<double>::infinity();
    threshold_ = rules_.floor_of(node.stats);
  }

  // How rows without a value are counted: on neither side, or on one; what is taken away before any cut.
  struct Direction {
    std::int32_t missing;
    bool on_left, on_right;
    double whole;
  };

  bool is_random() const { return rules_.settings->random_cuts; }
  std::uint64_t key() const { return draw_of(node_->stats.inherited.path, best_.place); }

  // Leaves one cut to offer, the one that is drawn; false where there is none (search/random_search.hpp).
  bool draw_cut(std::int32_t j) {
    const auto value = [&](u32 i) { return view_.value(static_cast<std::size_t>(j), id(items_[i].row)); };
    const double least = value(0), greatest = value(known_ - 1);
    if (!(least < greatest)) return false;
    best_.below = drawn_between(least, greatest, key());
    u32 low = 0, high = known_;  // the first row above
    while (low < high) {
      const u32 middle = (low + high) / 2;
      value(middle) <= best_.below ? low = middle + 1 : high = middle;
    }
    ends_.assign(known_, 0);
    ends_[low - 1] = 1;
    return true;
  }

  u32 id(u32 k) const { return node_->ids[k]; }
  bool is_missing(u32 k) const { return missing_[k] != 0; }
  void note_missing(u32 k, bool missing) { missing_[k] = missing; }

  // The rows with a value in order of code, then of value; `ends_`: after which of them the value changes.
  void sort_numbers(std::int32_t j) {
    const auto column = static_cast<std::size_t>(j);
    const u32 none = view_.all->missing_code(column);
    clear();
    for (u32 k = 0; k < node_->count; ++k) {
      const u32 code = view_.code(column, id(k));
      missing_[k] = code == none;
      if (code != none) items_.push_back({code, k});
    }
    sort_items();
    for (u32 i = 0; i < known_;) {
      u32 end = i + 1;
      while (end < known_ && items_[end].key == items_[i].key) ++end;
      if (end - i > 1 && !view_.all->is_one_value(column, items_[i].key)) sort_run(column, i, end);
      ends_[end - 1] = 1;
      i = end;
    }
  }

  void clear() {
    items_.clear();
    items_.reserve(node_->count);
    missing_.resize(node_->count);
  }
  void sort_items() {
    known_ = static_cast<u32>(items_.size());
    ends_.assign(known_, 0);
    constexpr u32 FEW = 256;
    const auto less = [](const KeyRow& a, const KeyRow& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; };
    known_ < FEW ? std::sort(items_.begin(), items_.end(), less) : radix_sort(items_, buffer_);
  }

  void sort_run(std::size_t column, u32 from, u32 to) {
    run_.clear();
    for (u32 i = from; i < to; ++i) run_.emplace_back(view_.value(column, id(items_[i].row)), items_[i].row);
    std::sort(run_.begin(), run_.end());
    for (u32 i = from; i < to; ++i) {
      items_[i].row = run_[i - from].second;
      if (i > from && run_[i - from - 1].first < run_[i - from].first) ends_[i - 1] = 1;
    }
  }

  void choose_directions() {
    directions_.clear();
    const bool some_missing = known_ < node_->count;
    if (!some_missing) {
      directions_.push_back({-1, false, false, node_->stats.risk});
    } else if (rules_.learns()) {
      directions_.push_back({1, false, true, node_->stats.risk});
      directions_.push_back({0, true, false, node_->stats.risk});
    } else {
      double whole = loss_of([&](u32 k) { return !is_missing(k); });
      if (rules_.own_branch()) whole = node_->stats.risk - loss_of([&](u32 k) { return is_missing(k); });
      directions_.push_back({-1, false, false, whole});
    }
  }

  template <class Has>
  double loss_of(const Has& has) {
    left_.start(node_->rows, has);
    return left_.loss();
  }

  void start_side(ShrinkingSet<Int>& side, bool with_missing) const {
    side.start(node_->rows, [&](u32 k) { return with_missing || !is_missing(k); });
  }

  // Loss and weight of the left side for each number of known rows in it that is a cut; `sequence(i)`: those rows.
  struct Side {
    double loss;
    i64 weight;
  };
  template <class Row>
  void find_left_sides(const Direction& direction, const Row& row, std::vector<Side>& out) {
    out.resize(known_ + 1);
    start_side(left_, direction.on_left);
    for (u32 i = known_; i > 0; --i) {
      if (ends_[i - 1]) out[i] = {left_.loss(), left_.weight()};
      left_.take_out(row(i - 1));
    }
  }

  // Offers every cut, in order. `row(i)`: the known rows as they go left; `keep(i)`: the cut after i rows is the best.
  template <class Row, class Keep>
  void offer_cuts(const Row& row, const Keep& keep) {
    sides_.resize(directions_.size());
    rights_.resize(directions_.size(), ShrinkingSet<Int>(levels_));
    for (std::size_t d = 0; d < directions_.size(); ++d) {
      find_left_sides(directions_[d], row, sides_[d]);
      start_side(rights_[d], directions_[d].on_right);
    }
    for (u32 i = 1; i <= known_; ++i) {
      bool can_win = false;
      for (std::size_t d = 0; d < directions_.size(); ++d) {
        rights_[d].take_out(row(i - 1));
        const Direction& direction = directions_[d];
        can_win = can_win || !ends_[i - 1] || direction.whole - sides_[d][i].loss > threshold_;
        if (!ends_[i - 1] || (i == known_ && !direction.on_right)) continue;
        const i64 left = i + (direction.on_left ? missing_rows() : 0);
        const double decrease = direction.whole - sides_[d][i].loss - rights_[d].loss();
        if (!offer(direction, left, sides_[d][i].weight, rights_[d].weight(), decrease)) continue;
        best_.left = i;
        keep(i);
      }
      if (!can_win) return;  // left sides only get worse
    }
  }

  i64 missing_rows() const { return static_cast<i64>(node_->count) - known_; }

  bool offer(const Direction& direction, i64 left, i64 left_weight, i64 right_weight, double decrease) {
    const i64 n = direction.on_left || direction.on_right ? node_->count : known_;
    if (left < rules_.settings->min_samples_leaf || n - left < rules_.settings->min_samples_leaf) return false;
    if (left_weight < rules_.least_weight || right_weight < rules_.least_weight) return false;
    if (!(decrease > threshold_)) return false;
    best_.decrease = decrease;
    best_.missing = direction.missing;
    threshold_ = threshold_above(decrease, node_->stats.scale);
    return true;
  }

  void scan_cuts(std::int32_t j) {
    const auto column = static_cast<std::size_t>(j);
    offer_cuts([&](u32 i) { return items_[i].row; }, [](u32) {});
    if (best_.left == 0) return;
    const auto last = static_cast<u32>(best_.left) - 1;
    best_.code = static_cast<Code>(items_[last].key);
    best_.whole = last + 1 == known_ || items_[last].key != items_[last + 1].key;
    if (best_.whole) return;
    if (!is_random()) best_.below = view_.value(column, id(items_[last].row));
    best_.last_left = id(items_[last].row);
    best_.first_right = id(items_[last + 1].row);
  }

  const QuantileLevels& levels_;
  const Rules& rules_;
  const View& view_;
  const QuantileNode<Int>* node_ = nullptr;
  std::vector<Direction> directions_;
  std::vector<KeyRow> items_;  // (code or level, place in the node) of known rows
  std::vector<std::uint8_t> ends_;
  u32 known_ = 0;
  Candidate best_;
  double threshold_ = 0;  // what a decrease must exceed

 private:
  ShrinkingSet<Int> left_;
  std::vector<ShrinkingSet<Int>> rights_;
  std::vector<std::vector<Side>> sides_;
  std::vector<KeyRow> buffer_;
  std::vector<std::pair<double, u32>> run_;
  std::vector<std::uint8_t> missing_;
};

}  // namespace boxwood::coded

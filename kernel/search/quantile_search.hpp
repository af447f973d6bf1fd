// The best split of a node by distances from quantiles: every cut of every feature, by taking rows out of two sets in
// order of the feature. A set loses nothing when rows join it, so the losses of left sides only rise along a feature.
// Invariant: what a full scan finds, ties by the written rule (settings.hpp). Cost: a sort by code, and two passes of
// some 10 ns a row; 2^(k-1) passes for k levels, up to exhaustive_levels.
#pragma once

#include <bit>

#include "response/quantiles.hpp"
#include "search/feature_draw.hpp"
#include "search/gather_rows.hpp"
#include "search/level_groups.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

// A node of a tree by quantiles: ids in order of y, their y, and what follows.
template <class Int>
struct QuantileNode {
  const u32* ids;
  u32 count;
  const OrderedRows<Int>& rows;
  const NodeStats& stats;
};

// The search of one feature, by one worker.
template <class Int>
class QuantileScan {
 public:
  QuantileScan(const QuantileLevels& levels, const Rules& rules, const View& view)
      : levels_(levels), rules_(rules), view_(view), left_(levels), right_(levels) {}

  // The best candidate of a feature, none if its `left` is 0; for a set of levels, with the branch of each.
  Candidate find(const QuantileNode<Int>& node, std::int32_t j, std::vector<LevelBranch>& branches) {
    node_ = &node;
    const bool nominal = view_.all->is_nominal(static_cast<std::size_t>(j));
    nominal ? sort_levels(j) : sort_numbers(j);
    best_ = {};
    best_.feature = j;
    best_.place = view_.all->place(static_cast<std::size_t>(j));
    best_.known = static_cast<i64>(known_);
    best_.decrease = -std::numeric_limits<double>::infinity();
    threshold_ = rules_.floor_of(node.stats);
    if (known_ == 0 || (is_random() && !nominal && !draw_cut(j))) return best_;
    choose_directions();
    nominal ? scan_levels(j, branches) : scan_cuts(j);
    return best_;
  }

 private:
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

  // The rows with a value in order of code, then of value; `ends_`: after which of them the value changes.
  void sort_numbers(std::int32_t j) {
    const auto column = static_cast<std::size_t>(j);
    const u32 none = view_.all->missing_code(column);
    start();
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

  // The same by level, whose numbers are then the keys.
  void sort_levels(std::int32_t j) {
    const auto column = static_cast<std::size_t>(j);
    const u32 none = view_.all->levels(column);
    start();
    for (u32 k = 0; k < node_->count; ++k) {
      const u32 level = view_.level(column, id(k));
      missing_[k] = level >= none;
      if (level < none) items_.push_back({level, k});
    }
    sort_items();
  }

  void start() {
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
    sort_items();
    for (u32 i = 0; i < known_; ++i) ends_[i] = i + 1 == known_ || items_[i].key != items_[i + 1].key;
    u32 last = 0;
    offer_cuts([&](u32 i) { return items_[i].row; }, [&](u32 i) { last = items_[i - 1].key; });
    for (std::size_t i = 0; best_.left > 0 && i <= last; ++i) side_[order_[i]] = 0;
  }

  const QuantileLevels& levels_;
  const Rules& rules_;
  const View& view_;
  const QuantileNode<Int>* node_ = nullptr;
  ShrinkingSet<Int> left_, right_;
  std::vector<ShrinkingSet<Int>> rights_;
  std::vector<std::vector<Side>> sides_;
  std::vector<Direction> directions_;
  std::vector<KeyRow> items_, buffer_;  // (code or level, place in the node) of known rows
  std::vector<std::pair<double, u32>> run_;
  std::vector<std::uint8_t> missing_, ends_;
  u32 known_ = 0;
  Candidate best_;
  double threshold_ = 0;  // what a decrease must exceed
  std::size_t groups_ = 0;
  std::vector<u32> members_, group_of_, group_, order_, place_;  // levels present and their groups; groups of rows
  std::vector<WeighedSum<Int>> sums_;  // of groups, and their rows
  std::vector<i64> rows_of_;
  std::vector<std::uint8_t> branch_of_;
  std::vector<double> keys_;
  std::vector<std::int32_t> side_;  // branch of each group
};

template <class Int>
class QuantileSearch {
 public:
  QuantileSearch(const QuantileLevels& levels, const Rules& rules, const View& view, ThreadPool* pool)
      : rules_(rules), view_(view), pool_(pool), found_(view.columns()), sets_(view.columns()) {
    for (std::size_t m = 0; m < pool_workers(pool); ++m) scans_.emplace_back(levels, rules, view);
  }
  QuantileSearch(const QuantileSearch&) = delete;

  // The best candidates of some features, none when nothing is good enough.
  std::vector<Candidate>& find(const QuantileNode<Int>& node, std::span<const std::int32_t> features) {
    constexpr u32 MANY = 512;  // rows from which features are shared among workers
    const auto one = [&](std::size_t i, int worker) {
      const auto j = static_cast<std::size_t>(features[i]);
      found_[j] = {};
      if (!rules_.may_use(view_.all->place(j), node.stats)) return;
      found_[j] = scans_[static_cast<std::size_t>(worker)].find(node, static_cast<std::int32_t>(j), sets_[j]);
      found_[j].levels = static_cast<std::int32_t>(j);
    };
    share(pool_ && pool_->size() > 1 && node.count > MANY ? pool_ : nullptr, 0, features.size(), one);
    cuts_.clear();
    for (const std::int32_t j : features)
      if (found_[static_cast<std::size_t>(j)].left > 0) cuts_.push_back(found_[static_cast<std::size_t>(j)]);
    sort_by_place(cuts_);
    rules_.choose(cuts_, node.stats, ranking_);
    return ranking_.kept();
  }

  std::vector<LevelBranch>* levels(const Candidate& cut) {
    return cut.groups > 0 ? &sets_[static_cast<std::size_t>(cut.levels)] : nullptr;
  }

 private:
  const Rules& rules_;
  const View& view_;
  ThreadPool* pool_;
  std::vector<QuantileScan<Int>> scans_;  // one a worker
  std::vector<Candidate> found_;
  std::vector<std::vector<LevelBranch>> sets_;
  std::vector<Candidate> cuts_;
  Ranking<Candidate> ranking_;
};

}  // namespace boxwood::coded

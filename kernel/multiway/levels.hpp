// The table of one feature at one node, level by class, and the groups of levels that C4.5 finds by hill climbing.
// Invariant: sums are whole numbers; ties between mergers go to the last pair (docs/c45.md).
// Cost: one pass over the list; b^2 / 2 pairs of K classes, and at a merger those of the blocks that it changes.
// Source: Quinlan 1993, chapter 7 (grouping of values).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "multiway/block.hpp"
#include "multiway/information.hpp"
#include "multiway/settings.hpp"
#include "response/multiclass.hpp"

namespace boxwood::multiway {

// What the words of nodes held elsewhere are read as.
using ClassSums = coded::WeightedMulticlassResponse;

// A node before it is split.
struct NodeWeights {
  std::vector<std::int64_t> classes;
  std::int64_t weight = 0, rows = 0;
  std::int32_t depth = 0;

  bool pure() const {
    return std::count_if(classes.begin(), classes.end(), [](std::int64_t w) { return w > 0; }) < 2;
  }
};

// The samples of a node by one feature: class weights of known and of missing values.
struct FeatureRows {
  std::int64_t known_rows = 0, missing_rows = 0, known_weight = 0;
  std::vector<std::int64_t> known, missing;  // weight of each class
  // Of values that come in parts, rising: rows so far, and cuts that were counted: those before so many entries.
  std::int64_t seen_rows = std::numeric_limits<std::int64_t>::max(), tries = 0;
  std::size_t counted = 0;

  // What a node has beside `missing`.
  void set_known(const NodeWeights& node) {
    known_rows = node.rows - missing_rows;
    known_weight = node.weight;
    known = node.classes;
    for (std::size_t k = 0; k < known.size(); ++k) {
      known[k] -= missing[k];
      known_weight -= missing[k];
    }
  }
};

// The known values of a node by one column, a sample an entry.
struct SortedList {
  static constexpr bool one_by_one = true;
  const Block& block;
  const Entry* entries;
  std::size_t count;
  const double* numbers;  // value of each code; nullptr where every difference of codes counts

  std::size_t size() const { return count; }
  std::uint32_t code(std::size_t e) const { return code_of(entries[e]); }
  std::int64_t rows(std::size_t) const { return 1; }
  std::int64_t weight(std::size_t e) const { return block.weight_of(entries[e]); }
  template <class Visit>
  void each_class(std::size_t e, const Visit& visit) const {
    visit(block.class_of(entries[e]), block.weight_of(entries[e]));
  }
};

// The same, added up by level or value.
struct LevelTable {
  static constexpr bool one_by_one = false;
  std::size_t n_classes = 0;
  std::vector<std::uint32_t> levels;  // present ones, ascending
  std::vector<std::int64_t> row_counts, weights, classes;  // classes: one row of them a level
  const double* numbers = nullptr;

  void clear(std::size_t width) {
    n_classes = width;
    levels.clear(), row_counts.clear(), weights.clear(), classes.clear();
  }
  void collect(const SortedList& list, std::size_t width) {
    clear(width);
    for (std::size_t e = 0; e < list.size(); ++e) {
      if (e == 0 || list.code(e) != list.code(e - 1)) open(list.code(e), 0);
      list.each_class(e, [&](int k, std::int64_t w) { add(k, w); });
      ++row_counts.back();
    }
  }
  // A further level, and the weight of some of its rows.
  void open(std::uint32_t level, std::int64_t n_rows) {
    levels.push_back(level);
    row_counts.push_back(n_rows);
    weights.push_back(0);
    classes.resize(classes.size() + n_classes, 0);
  }
  void add(int k, std::int64_t weight) {
    weights.back() += weight;
    classes[classes.size() - n_classes + static_cast<std::size_t>(k)] += weight;
  }

  std::size_t size() const { return levels.size(); }
  const std::int64_t* row(std::size_t v) const { return classes.data() + v * n_classes; }
  std::uint32_t code(std::size_t v) const { return levels[v]; }
  std::int64_t rows(std::size_t v) const { return row_counts[v]; }
  std::int64_t weight(std::size_t v) const { return weights[v]; }
  template <class Visit>
  void each_class(std::size_t v, const Visit& visit) const {
    for (std::size_t k = 0; k < n_classes; ++k)
      if (row(v)[k] > 0) visit(static_cast<int>(k), row(v)[k]);
  }
};

// Hill climbing over partitions of the levels that weigh more than a half; the others share a last branch.
class Grouping {
 public:
  Grouping(const Information& f, const Settings& settings, const NodeWeights& node, const FeatureRows& rows)
      : f_(f),
        settings_(settings),
        node_(node.weight),
        unknown_(node.weight - rows.known_weight),
        base_(f.bits(rows.known)) {}

  // Fills `branch` (one a level of the feature) and returns the number of branches.
  std::int32_t search(const LevelTable& table, std::uint32_t n_levels, std::vector<std::uint32_t>& branch) {
    blocks_.clear();
    double everything = base_;
    for (std::size_t v = 0; v < table.size(); ++v) {
      everything -= f_.bits({table.row(v), table.n_classes});
      if (f_.true_weight(table.weights[v]) > 0.5 + SLIGHT)
        blocks_.push_back({{static_cast<std::uint32_t>(v)}, {table.row(v), table.row(v + 1)}, table.weights[v]});
    }
    whole_ = unknown_;
    for (const Group& block : blocks_) whole_ += block.weight;
    const bool leaves_some = blocks_.size() < n_levels;
    merge_pure();
    climb(everything / f_.true_weight(node_));
    const auto size = static_cast<std::uint32_t>(blocks_.size());
    branch.assign(n_levels, size);
    for (std::uint32_t b = 0; b < size; ++b)
      for (const std::uint32_t v : blocks_[b].members) branch[table.levels[v]] = b;
    return static_cast<std::int32_t>(size + leaves_some);
  }

 private:
  struct Group {
    std::vector<std::uint32_t> members;
    std::vector<std::int64_t> classes;
    std::int64_t weight;
  };
  struct Worth {
    double gain, value;
  };

  void merge(std::size_t a, std::size_t b) {
    auto& into = blocks_[a];
    auto& from = blocks_[b];
    into.members.insert(into.members.end(), from.members.begin(), from.members.end());
    for (std::size_t k = 0; k < into.classes.size(); ++k) into.classes[k] += from.classes[k];
    into.weight += from.weight;
    if (b + 1 != blocks_.size()) from = std::move(blocks_.back());  // the last one takes the free place
    blocks_.pop_back();
  }

  bool is_pure(const Group& group, std::size_t k) const {
    return f_.true_weight(group.weight - group.classes[k]) <= 0.1 + SLIGHT;
  }

  void merge_pure() {
    for (std::size_t a = 0; a + 1 < blocks_.size(); ++a)
      for (std::size_t k = 0; k < blocks_[a].classes.size(); ++k) {
        if (!is_pure(blocks_[a], k)) continue;
        for (std::size_t b = a + 1; b < blocks_.size();) is_pure(blocks_[b], k) ? merge(a, b) : static_cast<void>(++b);
      }
  }

  bool is_reasonable(std::int64_t weight, double least) const { return f_.true_weight(weight) >= least - SLIGHT; }

  // Gain and worth, with m = 1, of blocks with these sums over them.
  Worth worth(double within, double split, std::size_t reasonable) const {
    if (reasonable < 2) return {-settings_.slack, -settings_.slack};
    const double total = f_.true_weight(node_), info = (f_(whole_) - split) / total, gain = (base_ - within) / total;
    if (!settings_.ratio) return {gain, info > 0 && gain > -settings_.slack ? gain : -settings_.slack};
    return {gain, gain >= -TIE && info > settings_.slack ? gain / info : -settings_.slack};
  }

  // Sums over the blocks as they are.
  Worth measure() {
    bits_.clear();
    within_ = 0.0;
    split_ = f_(unknown_);
    reasonable_ = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      bits_.push_back(f_.bits(blocks_[i].classes));
      within_ += bits_[i];
      split_ += f_(blocks_[i].weight);
      reasonable_ += is_reasonable(blocks_[i].weight, 1.0);
    }
    return worth(within_, split_, reasonable_);
  }

  // The same with two blocks made one.
  Worth measure(std::size_t a, std::size_t b) {
    pair_ = blocks_[a].classes;
    for (std::size_t k = 0; k < pair_.size(); ++k) pair_[k] += blocks_[b].classes[k];
    const std::int64_t weight = blocks_[a].weight + blocks_[b].weight;
    const double within = within_ - bits_[a] - bits_[b] + f_.bits(pair_);
    const double split = split_ - f_(blocks_[a].weight) - f_(blocks_[b].weight) + f_(weight);
    const std::size_t fewer = is_reasonable(blocks_[a].weight, 1.0) + is_reasonable(blocks_[b].weight, 1.0);
    return worth(within, split, reasonable_ - fewer + is_reasonable(weight, 1.0));
  }

  void climb(double first) {
    double previous = measure().value, half = first / 2 - TIE;
    const double total = f_.true_weight(node_);
    bounds_.assign(blocks_.size(), INFINITY);
    while (blocks_.size() > 2) {
      std::size_t reasonable = 0, barred = 0;
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        reasonable += is_reasonable(blocks_[i].weight, settings_.min_branch_weight);
        if (is_better(f_.true_weight(blocks_[i].weight), f_.true_weight(blocks_[barred].weight))) barred = i;
      }
      if (reasonable >= 3) barred = NONE;
      if (barred != std::exchange(barred_, barred)) bounds_.assign(blocks_.size(), INFINITY);
      const double within = within_, split = split_;
      if ((base_ - within) / total < half - ROUNDING) half = -INFINITY;  // no merger gains more
      const Worth best = find_best(half);
      if (best_b_ == 0 || (settings_.ratio && reasonable >= 2 && best.value < previous + 1e-5)) return;
      previous = best.value;
      merge(best_a_, best_b_);
      measure();
      raise_bounds((within_ - within) / total, (split_ - split) / total);
    }
  }

  // The last of the best pairs in order; one that gains half comes before others. Those before the best block cannot be
  // it; behind, bounds tell which would not be taken.
  Worth find_best(double half) {
    Worth best{-settings_.slack, 0.0};
    best_a_ = best_b_ = 0;
    for (std::size_t a = best_block(); a + 1 < blocks_.size(); ++a) {
      if (a == barred_ || (best.gain >= half && bounds_[a] < best.value - ROUNDING)) continue;
      for (std::size_t b = a + 1; b < blocks_.size(); ++b) {
        if (b == barred_) continue;
        const Worth here = measure(a, b);
        const bool first_good = here.gain >= half && best.gain < half;
        if (!first_good && !(here.value >= best.value - TIE)) continue;
        best = here;
        best_a_ = a;
        best_b_ = b;
      }
    }
    return best;
  }

  // The first block with a pair of the highest worth, 0 if that is none; the greatest bounds are found anew.
  std::size_t best_block() {
    for (std::size_t last = NONE;;) {
      const auto a = static_cast<std::size_t>(std::ranges::max_element(bounds_) - bounds_.begin());
      if (a == std::exchange(last, a)) return bounds_[a] >= 0 ? a : 0;
      bounds_[a] = -settings_.slack;
      for (std::size_t b = a + 1; b < blocks_.size(); ++b)
        if (a != barred_ && b != barred_) bounds_[a] = std::max(bounds_[a], measure(a, b).value);
    }
  }

  // After a merger that took so much from gain g and intrinsic value i: from g <= bound i follows
  // g - gain <= bound (i - info) + (bound info - gain), and no merger takes more from i than one with the heaviest
  // block.
  void raise_bounds(double gain, double info) {
    const std::int64_t most = std::ranges::max_element(blocks_, {}, &Group::weight)->weight;
    bounds_.pop_back();
    for (std::size_t a = 0; a < bounds_.size(); ++a) {
      const double least = f_(whole_) - split_ - f_(blocks_[a].weight + most) + f_(blocks_[a].weight) + f_(most);
      const double left = reasonable_ > 3 ? least / f_.true_weight(node_) : 0.0;  // then no pair is or was too light
      bounds_[a] = left > LEAST_INFO ? bounds_[a] + std::max(bounds_[a] * info - gain, 0.0) / left : INFINITY;
    }
    bounds_[best_a_] = INFINITY;
    if (best_b_ < bounds_.size()) bounds_[best_b_] = INFINITY;
    for (std::size_t a = 0; a < best_a_; ++a)
      if (a != barred_) bounds_[a] = std::max(bounds_[a], measure(a, best_a_).value);
  }
  static constexpr std::size_t NONE = static_cast<std::size_t>(-1);
  static constexpr double LEAST_INFO = 0.01, ROUNDING = 1e-8;
  const Information& f_;
  const Settings& settings_;
  const std::int64_t node_, unknown_;  // weight of all samples, of those without a value
  const double base_;
  std::int64_t whole_ = 0;  // weight of the blocks and of the samples without a value
  double within_ = 0.0, split_ = 0.0;
  std::size_t reasonable_ = 0;
  std::vector<Group> blocks_;
  std::vector<std::int64_t> pair_;
  std::vector<double> bits_;
  std::vector<double> bounds_;  // of each block: no merger with a later one is worth more
  std::size_t barred_ = NONE, best_a_ = 0, best_b_ = 0;  // best_b_ = 0: no merger
};

}  // namespace boxwood::multiway

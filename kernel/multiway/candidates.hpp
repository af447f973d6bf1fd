// Candidate splits of a node: scored from the tables of its features, then ranked.
// Invariant: candidates are compared in column order with the tie rule, so the result does not depend on who searched
// which feature; sums are whole, so it does not matter who added them up. Cost: one pass over a table of levels; a few
// logarithms for a cut. Source: SPECS 2, 3, 4.1, 4.2, 4.4, 4.5.
#pragma once

#include <optional>

#include "multiway/cuts.hpp"
#include "multiway/levels.hpp"

namespace boxwood::multiway {

// A node before it is split.
struct NodeWeights {
  std::vector<std::int64_t> classes;
  std::int64_t weight = 0;
  std::uint32_t rows = 0;
  std::int32_t depth = 0;

  bool pure() const {
    return std::count_if(classes.begin(), classes.end(), [](std::int64_t w) { return w > 0; }) < 2;
  }
};

// A cut, one branch a level, or groups of levels.
struct SplitCandidate {
  std::int32_t feature = -1;  // -1: none
  std::uint32_t slot = 0;  // of the node's columns
  double gain = 0.0;  // per unit of weight, less the charge
  double intrinsic = 0.0;  // intrinsic value in bits
  double score = 0.0;  // features are ranked by it
  bool is_cut = false;
  std::uint32_t below = 0, above = 0;
  std::vector<std::uint32_t> group;  // branch of each level, where they are grouped
  std::int32_t n_branches = 2;  // without one for missing values
  bool has_own_branch = false;  // missing values have the last one

  std::uint32_t branch_of(std::uint32_t code) const {
    return is_cut ? code > below : group.empty() ? code : group[code];
  }
};

struct RankedSplits {
  SplitCandidate split;
  std::vector<SplitCandidate> competitors;
};

class Candidates {
 public:
  // Buffers for the branches of a table of levels.
  struct Scratch {
    std::vector<std::int64_t> weights, classes;
    std::vector<std::uint32_t> rows;
  };

  // `n`: rows of the whole learning set.
  Candidates(const std::vector<Column>& columns, const ResponseColumns& y, const Settings& settings,
             const Information& information, std::size_t n)
      : columns_(columns),
        n_classes_(std::max(y.n_classes, 2)),
        settings_(settings),
        information_(information),
        counted_(columns.size(), 1) {
    if (settings.grouping) return;  // release 8 counts all features when it groups levels
    for (std::size_t j = 0; j < columns.size(); ++j)
      counted_[j] = columns[j].kind != Kind::nominal || columns[j].n_codes < MANY_LEVELS * static_cast<double>(n);
    if (std::find(counted_.begin(), counted_.end(), 1) == counted_.end()) counted_.assign(columns.size(), 1);
  }

  const Settings& settings() const { return settings_; }
  const Information& information() const { return information_; }
  int n_classes() const { return n_classes_; }
  void set_root(const NodeWeights& root) {
    root_weight_ = settings_.root_weight < 0 ? information_.true_weight(root.weight) : settings_.root_weight;
  }
  double root_weight() const { return root_weight_; }
  bool is_good_enough(double gain, const NodeWeights& node) const {
    return gain * information_.true_weight(node.weight) / root_weight_ + 1e-15 >= settings_.min_impurity_decrease;
  }

  bool is_open(const NodeWeights& node) const {
    return static_cast<std::int64_t>(node.rows) >= settings_.min_samples_split && !node.pure() &&
           (settings_.max_depth < 0 || node.depth < settings_.max_depth) &&
           information_.true_weight(node.weight) >= 2 * settings_.min_branch_weight - SLIGHT;
  }

  bool is_multiway(std::size_t j) const {
    return columns_[j].kind == Kind::nominal || (columns_[j].kind == Kind::ordinal && settings_.ordinal_levels);
  }
  bool is_grouped(std::size_t j) const {
    return settings_.grouping && columns_[j].kind == Kind::nominal && columns_[j].n_codes > 2;
  }

  // What a cut must exceed; `own`: missing values have a branch of their own.
  Threshold threshold_of_cuts(const NodeWeights& node, const FeatureRows& rows, bool own) const {
    Threshold threshold{0.0, 0.0, information_.true_weight(node.weight)};
    if (!own) return threshold;
    threshold.offset = bits(node.classes.data()) - bits(rows.known) - bits(rows.missing);
    threshold.least = -threshold.offset;
    return threshold;
  }

  void set_cut(const BestCut& cut, const Threshold& threshold, const NodeWeights& node, const FeatureRows& rows,
               SplitCandidate& out) const {
    const Information& f = information_;
    const double total = f.true_weight(node.weight);
    const double charge = settings_.charge ? std::log2(static_cast<double>(cut.tries)) : 0.0;
    const std::int64_t missing = node.weight - rows.known_weight;
    out.gain = (cut.bits + threshold.offset - charge) / total;
    out.intrinsic = (f(node.weight) - f(cut.low) - f(rows.known_weight - cut.low) - f(missing)) / total;
    out.is_cut = true;
    out.below = cut.below;
    out.above = cut.above;
    out.n_branches = 2;
  }

  // One branch a level of the table, or groups of them; false when that is no split.
  bool set_levels(const LevelTable& table, std::size_t j, const FeatureRows& rows, const NodeWeights& node,
                  Scratch& scratch, SplitCandidate& out) const {
    out.is_cut = false;
    out.n_branches = static_cast<std::int32_t>(columns_[j].n_codes);
    if (is_grouped(j)) {
      Grouping grouping(information_, settings_, n_classes_, node.weight, rows.known);
      out.n_branches = grouping.search(table, columns_[j].n_codes, out.group);
    }
    sum_branches(table, out, scratch);
    double within = 0.0, split = 0.0;
    std::size_t present = 0, large = 0;
    const auto add_branch = [&](std::int64_t weight, const std::int64_t* classes) {
      ++present;
      large += information_.true_weight(weight) >= settings_.min_branch_weight - SLIGHT;
      within += bits(classes);
      split += information_(weight);
    };
    for (std::size_t b = 0; b < scratch.weights.size(); ++b) {
      if (scratch.rows[b] == 0) continue;
      if (static_cast<std::int64_t>(scratch.rows[b]) < settings_.min_samples_leaf) return false;
      add_branch(scratch.weights[b], scratch.classes.data() + b * static_cast<std::size_t>(n_classes_));
    }
    const std::int64_t missing = node.weight - rows.known_weight;
    if (!out.has_own_branch)
      split += information_(missing);
    else if (rows.missing_rows > 0)
      add_branch(missing, rows.missing);
    if (present < 2 || large < 2) return false;
    const double total = information_.true_weight(node.weight);
    out.gain = std::max(bits(out.has_own_branch ? node.classes.data() : rows.known) - within, 0.0) / total;
    out.intrinsic = (information_(node.weight) - split) / total;
    return true;
  }

  // The best candidate and its competitors; `columns`: the feature behind each candidate, ascending.
  std::optional<RankedSplits> ranked(const std::vector<std::uint32_t>& columns,
                                     std::vector<SplitCandidate>& candidates) const {
    const auto order = settings_.in_order() ? in_given_order(columns, candidates) : by_score(candidates);
    if (order.empty()) return std::nullopt;
    RankedSplits out;
    out.split = std::move(*order[0]);
    for (std::size_t i = 1; i < order.size(); ++i) out.competitors.push_back(std::move(*order[i]));
    return out;
  }

 private:
  static constexpr double MANY_LEVELS = 0.3;  // nominal features of so many levels a row do not count in the average

  double bits(const std::int64_t* classes) const { return information_.bits(classes, n_classes_); }
  std::size_t most() const { return static_cast<std::size_t>(settings_.max_competitors) + 1; }

  // Weights, rows and classes of the branches, or of the levels themselves where they are not grouped.
  void sum_branches(const LevelTable& table, const SplitCandidate& out, Scratch& scratch) const {
    const std::size_t size = out.group.empty() ? table.size() : static_cast<std::size_t>(out.n_branches);
    const auto k_classes = static_cast<std::size_t>(n_classes_);
    scratch.weights.assign(size, 0);
    scratch.rows.assign(size, 0);
    scratch.classes.assign(size * k_classes, 0);
    for (std::size_t v = 0; v < table.size(); ++v) {
      const std::size_t b = out.group.empty() ? v : out.group[table.levels[v]];
      scratch.weights[b] += table.weights[v];
      scratch.rows[b] += table.rows[v];
      for (std::size_t k = 0; k < k_classes; ++k)
        scratch.classes[b * k_classes + k] += table.classes[v * k_classes + k];
    }
  }

  // CLS: the first feature in the given order, then the next ones.
  std::vector<SplitCandidate*> in_given_order(const std::vector<std::uint32_t>& columns,
                                              std::vector<SplitCandidate>& candidates) const {
    std::vector<SplitCandidate*> order;
    for (const std::int32_t j : settings_.order) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), static_cast<std::uint32_t>(j));
      if (at == columns.end() || *at != static_cast<std::uint32_t>(j)) continue;
      SplitCandidate& candidate = candidates[static_cast<std::size_t>(at - columns.begin())];
      candidate.score = candidate.gain;
      if (candidate.feature >= 0 && order.size() < most()) order.push_back(&candidate);
    }
    return order;
  }

  std::vector<SplitCandidate*> by_score(std::vector<SplitCandidate>& candidates) const {
    std::vector<SplitCandidate*> order;
    const double required = settings_.above_average ? average(candidates) - settings_.slack : 0.0;
    const double least = required - TIE * std::max(1.0, std::abs(required));
    for (SplitCandidate& candidate : candidates) {
      if (candidate.feature < 0 || (settings_.above_average && !(candidate.gain >= least))) continue;
      if (candidate.intrinsic <= (settings_.ratio ? std::max(settings_.slack, TIE) : TIE)) continue;
      candidate.score = settings_.ratio ? candidate.gain / candidate.intrinsic : candidate.gain;
      auto at = order.begin();
      while (at != order.end() && !is_better(candidate.score, (*at)->score)) ++at;
      if (at == order.end() && order.size() == most()) continue;
      order.insert(at, &candidate);
      if (order.size() > most()) order.pop_back();
    }
    if (!order.empty() && !(order[0]->score >= settings_.epsilon - TIE * settings_.epsilon)) order.clear();
    return order;
  }

  double average(const std::vector<SplitCandidate>& candidates) const {
    double sum = 0.0;
    int n = 0;
    for (const SplitCandidate& candidate : candidates) {
      if (candidate.feature < 0 || !counted_[static_cast<std::size_t>(candidate.feature)]) continue;
      sum += candidate.gain;
      ++n;
    }
    return n > 0 ? sum / n : std::numeric_limits<double>::infinity();
  }

  const std::vector<Column>& columns_;
  const int n_classes_;
  const Settings settings_;
  const Information information_;
  std::vector<char> counted_;
  double root_weight_ = 1.0;
};

}  // namespace boxwood::multiway

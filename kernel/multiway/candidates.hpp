// Candidate splits of a node: scored from the tables of its features, then ranked.
// Invariant: candidates are compared in column order with the tie rule, so the result does not depend on who searched
// which feature; sums are whole, so it does not matter who added them up. Cost: one pass over a table of levels; a few
// logarithms for a cut. Source: docs/cls.md, docs/id3.md and docs/c45.md.
#pragma once

#include "grow/levels.hpp"
#include "multiway/cuts.hpp"

namespace boxwood::multiway {

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
  std::int32_t n_children() const { return n_branches + has_own_branch; }

  // What known values weigh in each branch.
  template <class Values>
  std::vector<std::int64_t> weights_of(const Values& values) const {
    std::vector<std::int64_t> weights(static_cast<std::size_t>(n_branches), 0);
    for (std::size_t e = 0; e < values.size(); ++e) weights[branch_of(values.code(e))] += values.weight(e);
    return weights;
  }
};

class Candidates {
 public:
  // Buffers of one thread: classes below a cut, levels and their groups.
  struct Scratch {
    std::vector<std::int64_t> left;
    LevelTable levels, groups;
  };

  // `n`: rows of the whole learning set.
  Candidates(const std::vector<Column>& columns, const ResponseColumns& y, const Settings& settings,
             const Information& information, std::size_t n)
      : columns_(columns),
        n_classes_(std::max(y.n_classes, 2)),
        two_(y.n_classes <= 2),
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
    return node.rows >= settings_.min_samples_split && !node.pure() &&
           (settings_.max_depth < 0 || node.depth < settings_.max_depth) &&
           information_.true_weight(node.weight) >= 2 * settings_.min_branch_weight - SLIGHT;
  }

  bool is_multiway(std::size_t j) const {
    return columns_[j].kind == Kind::nominal || (columns_[j].kind == Kind::ordinal && settings_.ordinal_levels);
  }
  bool is_grouped(std::size_t j) const {
    return settings_.grouping && columns_[j].kind == Kind::nominal && columns_[j].n_codes > 2;
  }

  // Sets the candidate of feature j (feature -1: none); false when the feature cannot split any descendant either.
  template <class Values>
  bool evaluate(std::size_t j, const Values& values, const FeatureRows& rows, const NodeWeights& node, Scratch& scratch,
                SplitCandidate& out) const {
    out.feature = -1;
    out.has_own_branch = settings_.policy == Policy::own_branch && rows.missing_rows > 0;
    out.group.clear();
    if (values.size() == 0) return false;
    const bool constant = values.code(0) == values.code(values.size() - 1);
    if (constant && !(out.has_own_branch && is_multiway(j))) return false;
    const bool found = is_multiway(j) ? set_levels(*as_levels(values, scratch), j, rows, node, scratch, out)
                                      : set_cut(values, rows, node, scratch, out);
    if (found && is_good_enough(out.gain, node)) out.feature = static_cast<std::int32_t>(j);
    return true;
  }

  // The best candidate and its competitors; `columns`: the feature behind each candidate, ascending; `weights_of`: what
  // known values weigh in each branch of a split.
  template <class WeightsOf>
  std::optional<Chosen<SplitCandidate>> ranked(const std::vector<std::uint32_t>& columns,
                                               std::vector<SplitCandidate>& candidates,
                                               const WeightsOf& weights_of) const {
    const auto order = settings_.in_order() ? in_given_order(columns, candidates) : by_score(candidates);
    if (order.empty()) return std::nullopt;
    Chosen<SplitCandidate> out;
    out.split = std::move(*order[0]);
    for (std::size_t i = 1; i < order.size(); ++i) out.competitors.push_back(std::move(*order[i]));
    out.n_children = out.split.n_children();
    if (settings_.policy == Policy::fractional) {
      out.missing = SHARED;
    } else if (out.split.has_own_branch) {
      out.missing = out.split.n_branches;
    } else {
      const std::vector<std::int64_t> weights = weights_of(out.split);
      out.missing = static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    }
    return out;
  }

  // Appends the split of a node to its level; `cut_of(split)`: where a cut lies.
  template <class CutOf>
  void describe(const std::optional<Chosen<SplitCandidate>>& found, const CutOf& cut_of, GrownNodes& level) const {
    const auto push = [&](const SplitCandidate& split, SplitRows& to) {
      const Column& column = columns_[static_cast<std::size_t>(split.feature)];
      if (split.is_cut) return to.push_cut(split.feature, cut_of(split));
      std::vector<std::int32_t> branches(column.n_codes);
      for (std::uint32_t v = 0; v < column.n_codes; ++v) branches[v] = static_cast<std::int32_t>(split.branch_of(v));
      to.push_levels(split.feature, branches, column.kind == Kind::ordinal);
    };
    describe_node(found, push, level);
  }

 private:
  static constexpr double MANY_LEVELS = 0.3;  // nominal features of so many levels a row do not count in the average

  double bits(std::span<const std::int64_t> classes) const { return information_.bits(classes); }
  std::size_t most() const { return static_cast<std::size_t>(settings_.max_competitors) + 1; }

  // What a cut must exceed; `own`: missing values have a branch of their own.
  Threshold threshold_of_cuts(const NodeWeights& node, const FeatureRows& rows, bool own) const {
    Threshold threshold{0.0, 0.0, information_.true_weight(node.weight)};
    if (!own) return threshold;
    threshold.offset = bits(node.classes) - bits(rows.known) - bits(rows.missing);
    threshold.least = -threshold.offset;
    return threshold;
  }

  template <class Values>
  bool set_cut(const Values& values, const FeatureRows& rows, const NodeWeights& node, Scratch& scratch,
               SplitCandidate& out) const {
    const Information& f = information_;
    const Threshold threshold = threshold_of_cuts(node, rows, out.has_own_branch);
    const BestCut cut = CutScan(f, settings_, values, rows, two_, scratch.left).search(threshold);
    if (!cut.found) return false;
    const double total = f.true_weight(node.weight);
    const double charge = settings_.charge ? std::log2(static_cast<double>(cut.tries)) : 0.0;
    const std::int64_t missing = node.weight - rows.known_weight;
    out.gain = (cut.bits + threshold.offset - charge) / total;
    out.intrinsic = (f(node.weight) - f(cut.low) - f(rows.known_weight - cut.low) - f(missing)) / total;
    out.is_cut = true;
    out.below = cut.below;
    out.above = cut.above;
    out.n_branches = 2;
    return true;
  }

  const LevelTable* as_levels(const LevelTable& table, Scratch&) const { return &table; }
  const LevelTable* as_levels(const SortedList& list, Scratch& scratch) const {
    scratch.levels.collect(list, static_cast<std::size_t>(n_classes_));
    return &scratch.levels;
  }

  // One branch a level of the table, or groups of them; false when that is no split.
  bool set_levels(const LevelTable& table, std::size_t j, const FeatureRows& rows, const NodeWeights& node,
                  Scratch& scratch, SplitCandidate& out) const {
    out.is_cut = false;
    out.n_branches = static_cast<std::int32_t>(columns_[j].n_codes);
    if (is_grouped(j)) {
      Grouping grouping(information_, settings_, node, rows);
      out.n_branches = grouping.search(table, columns_[j].n_codes, out.group);
    }
    const LevelTable& branches = out.group.empty() ? table : grouped(table, out, scratch.groups);
    double within = 0.0, split = 0.0;
    std::size_t present = 0, large = 0;
    const auto add_branch = [&](std::int64_t weight, std::span<const std::int64_t> classes) {
      ++present;
      large += information_.true_weight(weight) >= settings_.min_branch_weight - SLIGHT;
      within += bits(classes);
      split += information_(weight);
    };
    for (std::size_t b = 0; b < branches.size(); ++b) {
      if (branches.rows(b) == 0) continue;
      if (branches.rows(b) < settings_.min_samples_leaf) return false;
      add_branch(branches.weight(b), {branches.row(b), branches.n_classes});
    }
    const std::int64_t missing = node.weight - rows.known_weight;
    if (!out.has_own_branch)
      split += information_(missing);
    else if (rows.missing_rows > 0)
      add_branch(missing, rows.missing);
    if (present < 2 || large < 2) return false;
    const double total = information_.true_weight(node.weight);
    out.gain = std::max(bits(out.has_own_branch ? node.classes : rows.known) - within, 0.0) / total;
    out.intrinsic = (information_(node.weight) - split) / total;
    return true;
  }

  // The table of levels by their groups.
  const LevelTable& grouped(const LevelTable& table, const SplitCandidate& out, LevelTable& groups) const {
    groups.clear(table.n_classes);
    for (std::int32_t b = 0; b < out.n_branches; ++b) groups.open(static_cast<std::uint32_t>(b), 0);
    for (std::size_t v = 0; v < table.size(); ++v) {
      const std::size_t b = out.group[table.levels[v]];
      groups.weights[b] += table.weights[v];
      groups.row_counts[b] += table.row_counts[v];
      for (std::size_t k = 0; k < table.n_classes; ++k) groups.classes[b * table.n_classes + k] += table.row(v)[k];
    }
    return groups;
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
  const bool two_;
  const Settings settings_;
  const Information information_;
  std::vector<char> counted_;
  double root_weight_ = 1.0;
};

}  // namespace boxwood::multiway

// The best splits of a level of a multiway tree (CLS, ID3, C4.5) from tables that shards have added up.
// Invariant: the candidates are those of the grower in memory (multiway/search.hpp): the same sums, formulas and order
// of trial. The number of cuts is charged, so numeric features are known value by value. Cost: one pass over the levels
// or values of a feature.
#pragma once

#include <numeric>

#include "multiway/candidates.hpp"
#include "shards/level.hpp"

namespace boxwood::sharded {

// A feature at a node: levels or values, rising, with their rows and class
// weights; missing values apart.
struct ClassTable {
  multiway::LevelTable entries;  // `levels`: of values, the position
  std::vector<double> values, lows;  // of numeric features; lows empty = all 0
  std::vector<i64> bins;  // of numeric features: rows of each bin
  std::vector<i64> known, missing;
  multiway::FeatureRows rows;
};

// The values of a feature, as multiway/cuts.hpp reads them.
struct SummedValues {
  const ClassTable& table;
  int n_classes;
  bool two;

  std::uint32_t code(std::uint32_t i) const { return table.entries.levels[i]; }
  std::uint32_t entries_of(i64 rows) const {
    std::uint32_t i = 0;
    for (i64 found = 0; found < rows && i < table.entries.size(); ++i) found += table.entries.rows[i];
    return i;
  }
  std::uint64_t terms(std::uint32_t i) const { return (i + std::uint64_t{1}) * static_cast<std::uint64_t>(n_classes); }
  double value(std::uint32_t i) const { return table.values[i]; }
  bool has_values() const { return !table.values.empty(); }
  bool of_two_classes() const { return two; }
  template <class Add>
  void each_class(std::uint32_t i, const Add& add) const {
    const i64* classes = table.entries.row(i, n_classes);
    for (int k = 0; k < n_classes; ++k)
      if (classes[k] != 0) add(k, classes[k]);
  }
};

class SummedMultiway final : public SummedSearchBase {
 public:
  // `n`: rows of all shards.
  SummedMultiway(const ResponseColumns& y, const multiway::Settings& settings, bool weighted,
                 const std::vector<FeatureShape>& features, std::size_t n)
      : columns_(columns_of(features)),
        features_(features),
        settings_(settings),
        words_(y.n_classes),
        candidates_(columns_, y, settings_, {weighted, y.unit, n}, n) {}

  void set_root(const NodeFacts& root) override { candidates_.set_root(weights_of(root, 0)); }
  double root_weight() const override { return candidates_.root_weight(); }
  double root_risk() const override { return 0.0; }

  void start(std::vector<NodeFacts> stats, std::vector<i64> rows) override {
    nodes_.clear();
    for (std::size_t i = 0; i < stats.size(); ++i)
      nodes_.push_back({weights_of(stats[i], rows[i]), std::vector<ClassTable>(features_.size()),
                        std::vector<multiway::SplitCandidate>(features_.size()), std::nullopt});
  }

  void take_table(std::size_t i, std::size_t j, const Given& bins) override {
    Node& node = nodes_[i];
    ClassTable& table = node.tables[j] = {};
    const std::size_t last = bins.count - 1;
    table.missing.assign(bins.words + last * words_, bins.words + bins.count * words_);
    table.missing.resize(classes(), 0);
    table.known = node.weights.classes;
    table.rows = {nullptr, node.weights.rows - bins.rows[last], bins.rows[last], nullptr, nullptr, node.weights.weight};
    for (std::size_t k = 0; k < classes(); ++k) {
      table.known[k] -= table.missing[k];
      table.rows.known_weight -= table.missing[k];
    }
    table.rows.known = table.known.data();
    table.rows.missing = table.missing.data();
    if (features_[j].kind == Kind::numeric) {
      table.bins.assign(bins.rows, bins.rows + last);
      return;
    }
    for (std::size_t v = 0; v < last; ++v)
      if (bins.rows[v] > 0) add(table, static_cast<u32>(v), bins.rows[v], bins.words + v * words_);
    search(node, j);
  }

  // Every bin must be opened, from the lowest on.
  std::vector<double> upper_bounds(std::size_t i, std::size_t j) override {
    std::vector<double> out(features_[j].size, -1.0);
    const std::vector<i64>& bins = nodes_[i].tables[j].bins;
    for (std::size_t b = 0; b < bins.size(); ++b)
      if (bins[b] > 0) out[b] = static_cast<double>(bins.size() - b);
    return out;
  }

  void take_values(std::size_t i, std::size_t j, const OpenedValues& given, const Given& sums) override {
    Node& node = nodes_[i];
    ClassTable& table = node.tables[j];
    table.values.assign(given.value, given.value + sums.count);
    table.lows.assign(given.low, given.low ? given.low + sums.count : nullptr);
    table.entries = {};
    i64 rows = 0;
    for (std::size_t v = 0; v < sums.count; ++v) {
      add(table, static_cast<u32>(v), sums.rows[v], sums.words + v * words_);
      rows += sums.rows[v];
    }
    if (rows == table.rows.known_rows) search(node, j);  // else more bins are to come
  }

  void choose(std::size_t i) override {
    std::vector<u32> columns(features_.size());
    std::iota(columns.begin(), columns.end(), 0u);
    nodes_[i].found = candidates_.ranked(columns, nodes_[i].candidates);
  }

  std::vector<i64> known_weights() const override {
    std::vector<i64> out;
    for (const Node& node : nodes_) {
      if (!node.found) continue;
      const std::vector<i64> here = branch_weights(node);
      out.insert(out.end(), here.begin(), here.end());
    }
    return out;
  }

  void describe(GrownNodes& level) const override {
    for (const Node& node : nodes_) {
      level.heuristic.push_back(0);
      level.missing.push_back(missing_of(node));
      level.score.push_back(node.found ? node.found->split.score : std::nan(""));
      if (node.found) {
        push(node, node.found->split, level.splits);
        for (const auto& other : node.found->competitors) {
          push(node, other, level.competitors);
          level.competitor_score.push_back(other.score);
        }
      } else {
        level.splits.push_empty();
      }
      level.competitor_start.push_back(static_cast<std::int32_t>(level.competitor_score.size()));
      level.surrogate_start.push_back(0);
    }
  }

 private:
  struct Node {
    multiway::NodeWeights weights;
    std::vector<ClassTable> tables;
    std::vector<multiway::SplitCandidate> candidates;
    std::optional<multiway::RankedSplits> found;
  };

  static std::vector<Column> columns_of(const std::vector<FeatureShape>& features) {
    std::vector<Column> columns(features.size());
    for (std::size_t j = 0; j < features.size(); ++j)
      columns[j].kind = features[j].kind, columns[j].n_codes = features[j].size;
    return columns;
  }

  std::size_t classes() const { return static_cast<std::size_t>(candidates_.n_classes()); }

  multiway::NodeWeights weights_of(const NodeFacts& stats, i64 rows) const {
    multiway::NodeWeights out;
    out.classes = stats.classes;
    out.classes.resize(classes(), 0);
    for (const i64 w : out.classes) out.weight += w;
    out.rows = static_cast<u32>(rows);
    return out;
  }

  void add(ClassTable& table, u32 code, i64 rows, const i64* words) const {
    multiway::LevelTable& to = table.entries;
    to.levels.push_back(code);
    to.rows.push_back(static_cast<u32>(rows));
    to.weights.push_back(std::accumulate(words, words + words_, i64{0}));
    to.classes.insert(to.classes.end(), words, words + words_);
    to.classes.resize(to.levels.size() * classes(), 0);
  }

  // As multiway::Search in memory.
  void search(Node& node, std::size_t j) {
    multiway::SplitCandidate& out = node.candidates[j] = {};
    const ClassTable& table = node.tables[j];
    out.has_own_branch = settings_.unknown == multiway::Unknown::own_branch && table.rows.missing_rows > 0;
    if (table.rows.known_rows == 0) return;
    if (table.entries.size() < 2 && !(out.has_own_branch && candidates_.is_multiway(j))) return;
    const bool found = candidates_.is_multiway(j)
                           ? candidates_.set_levels(table.entries, j, table.rows, node.weights, scratch_, out)
                           : search_cut(table, node.weights, out);
    if (found && candidates_.is_good_enough(out.gain, node.weights)) out.feature = static_cast<std::int32_t>(j);
  }

  bool search_cut(const ClassTable& table, const multiway::NodeWeights& node, multiway::SplitCandidate& out) {
    const multiway::Threshold threshold = candidates_.threshold_of_cuts(node, table.rows, out.has_own_branch);
    const SummedValues values{table, candidates_.n_classes(), words_ <= 2};
    multiway::CutScan scan(candidates_.information(), settings_, values, candidates_.n_classes(), left_);
    const multiway::BestCut cut = scan.search(table.rows, threshold);
    if (cut.found) candidates_.set_cut(cut, threshold, node, table.rows, out);
    return cut.found;
  }

  std::int32_t missing_of(const Node& node) const {
    if (!node.found) return STAYS;
    if (settings_.unknown == multiway::Unknown::fractional) return SHARED;
    if (node.found->split.has_own_branch) return node.found->split.n_branches;
    const std::vector<i64> weights = branch_weights(node);
    return static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  }

  std::vector<i64> branch_weights(const Node& node) const {
    const multiway::SplitCandidate& split = node.found->split;
    const multiway::LevelTable& entries = node.tables[static_cast<std::size_t>(split.feature)].entries;
    std::vector<i64> weights(static_cast<std::size_t>(split.n_branches), 0);
    for (std::size_t v = 0; v < entries.size(); ++v) weights[split.branch_of(entries.levels[v])] += entries.weights[v];
    return weights;
  }

  void push(const Node& node, const multiway::SplitCandidate& split, SplitRows& to) const {
    const auto j = static_cast<std::size_t>(split.feature);
    if (!split.is_cut) {
      std::vector<std::int32_t> branches(features_[j].size);
      for (u32 v = 0; v < features_[j].size; ++v) branches[v] = static_cast<std::int32_t>(split.branch_of(v));
      return to.push_levels(split.feature, branches, features_[j].kind == Kind::ordinal);
    }
    Column column = columns_[j];
    column.values = node.tables[j].values;
    column.lows = node.tables[j].lows;
    to.push_cut(split.feature, cut_between(column, split.below, split.above));
  }

  const std::vector<Column> columns_;
  const std::vector<FeatureShape> features_;
  const multiway::Settings settings_;
  const int words_;
  multiway::Candidates candidates_;
  multiway::Candidates::Scratch scratch_;
  std::vector<i64> left_;
  std::vector<Node> nodes_;
};

}  // namespace boxwood::sharded

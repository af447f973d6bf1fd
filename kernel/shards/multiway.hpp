// The best splits of a level of a multiway tree (CLS, ID3, C4.5) from tables that shards have added up.
// Invariant: the offers are those of the grower in memory (multiway/search.hpp): the same sums, formulas and order of
// trial. A cut is judged by how many there are, so numeric features are known value by value. Cost: one pass over the
// levels or values of a feature.
#pragma once

#include <optional>

#include "shards/class_table.hpp"
#include "shards/level.hpp"

namespace boxwood::sharded {

class MultiwayLevelSearch final : public LevelSearchBase {
 public:
  // `n`: rows of all shards.
  MultiwayLevelSearch(const ResponseColumns& y, const multiway::Settings& settings, bool weighted,
                      const std::vector<Feature>& features, std::size_t n)
      : columns_(columns_of(features)),
        features_(features),
        settings_(settings),
        words_(y.n_classes),
        offers_(columns_, y, settings_, {weighted, y.unit, n}, n) {}

  void set_root(const NodeFacts& root) override { offers_.set_root(facts_of(root, 0)); }
  double root_weight() const override { return offers_.root_weight(); }
  double root_risk() const override { return 0.0; }

  void start(std::vector<NodeFacts> facts, std::vector<i64> rows) override {
    nodes_.clear();
    for (std::size_t i = 0; i < facts.size(); ++i) {
      nodes_.emplace_back();
      nodes_.back().facts = facts_of(facts[i], rows[i]);
      nodes_.back().offers.resize(features_.size());
      nodes_.back().tables.resize(features_.size());
    }
  }

  void take_table(std::size_t i, std::size_t j, const Given& bins) override {
    Node& node = nodes_[i];
    ClassTable& table = node.tables[j] = {};
    const std::size_t k_classes = classes();
    node.offers[j] = {};
    node.closed.resize(features_.size());
    table.gone.assign(k_classes, 0);
    std::copy_n(bins.words + (bins.count - 1) * words_, words_, table.gone.begin());
    table.gone_rows = bins.rows[bins.count - 1];
    table.known = node.facts.classes;
    for (std::size_t k = 0; k < k_classes; ++k) table.known[k] -= table.gone[k];
    for (const i64 w : table.known) table.known_weight += w;
    table.known_rows = static_cast<i64>(node.facts.rows) - table.gone_rows;
    if (features_[j].kind == Kind::numeric) {
      node.closed[j].assign(bins.rows, bins.rows + bins.count - 1);
      return;
    }
    for (std::size_t v = 0; v + 1 < bins.count; ++v)
      if (bins.rows[v] > 0) add(table, static_cast<u32>(v), bins.rows[v], bins.words + v * words_);
    judge(node, j);
  }

  std::vector<double> upper_bounds(std::size_t i, std::size_t j) override {
    const Node& node = nodes_[i];
    std::vector<double> out(features_[j].size, -1.0);
    if (features_[j].kind != Kind::numeric || node.closed.size() <= j) return out;
    for (std::size_t b = 0; b < node.closed[j].size(); ++b)
      if (node.closed[j][b] > 0) out[b] = static_cast<double>(out.size() - b);
    return out;
  }

  void take_values(std::size_t i, std::size_t j, const OpenedValues& given, const Given& sums) override {
    Node& node = nodes_[i];
    ClassTable& table = node.tables[j];
    table.values.assign(given.value, given.value + sums.count);
    table.lows.clear();
    if (given.low) table.lows.assign(given.low, given.low + sums.count);
    table.codes.clear(), table.rows.clear(), table.classes.clear();
    i64 rows = 0;
    for (std::size_t v = 0; v < sums.count; ++v) {
      add(table, static_cast<u32>(v), sums.rows[v], sums.words + v * words_);
      rows += sums.rows[v];
    }
    if (rows == table.known_rows) judge(node, j);  // else more bins are to come
  }

  void choose(std::size_t i) override {
    Node& node = nodes_[i];
    std::vector<u32> columns(features_.size());
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j] = static_cast<u32>(j);
    node.found = offers_.ranked(columns, node.offers);
    if (node.found) node.missing = missing_of(node);
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
      level.missing.push_back(node.found ? node.missing : STAYS);
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
    multiway::NodeWeights facts;
    std::vector<ClassTable> tables;
    std::vector<std::vector<i64>> closed;  // rows of the bins of numeric features
    std::vector<multiway::SplitCandidate> offers;
    std::optional<multiway::RankedSplits> found;
    std::int32_t missing = STAYS;
  };

  static std::vector<Column> columns_of(const std::vector<Feature>& features) {
    std::vector<Column> columns(features.size());
    for (std::size_t j = 0; j < features.size(); ++j)
      columns[j].kind = features[j].kind, columns[j].n_codes = features[j].size;
    return columns;
  }

  std::size_t classes() const { return static_cast<std::size_t>(offers_.n_classes()); }

  multiway::NodeWeights facts_of(const NodeFacts& given, i64 rows) const {
    multiway::NodeWeights facts;
    facts.classes = given.classes;
    facts.classes.resize(classes(), 0);
    for (const i64 w : facts.classes) facts.weight += w;
    facts.rows = static_cast<u32>(rows);
    return facts;
  }

  void add(ClassTable& table, u32 code, i64 rows, const i64* words) const {
    table.codes.push_back(code);
    table.rows.push_back(rows);
    table.classes.insert(table.classes.end(), words, words + words_);
    table.classes.resize(table.codes.size() * classes(), 0);
  }

  // As multiway::Search in memory.
  void judge(Node& node, std::size_t j) {
    multiway::SplitCandidate& out = node.offers[j] = {};
    const ClassTable& table = node.tables[j];
    out.has_own_branch = settings_.unknown == multiway::Unknown::own_branch && table.gone_rows > 0;
    if (table.known_rows == 0) return;
    if (table.size() < 2 && !(out.has_own_branch && offers_.is_multiway(j))) return;
    const multiway::FeatureRows rows{nullptr,
                                     static_cast<u32>(table.known_rows),
                                     static_cast<u32>(table.gone_rows),
                                     table.known.data(),
                                     table.gone.data(),
                                     table.known_weight};
    const bool offers = offers_.is_multiway(j) ? offer_levels(table, j, rows, node.facts, out)
                                               : offer_cut(table, rows, node.facts, out);
    if (offers && offers_.is_good_enough(out.gain, node.facts)) out.feature = static_cast<std::int32_t>(j);
  }

  bool offer_levels(const ClassTable& table, std::size_t j, const multiway::FeatureRows& rows,
                    const multiway::NodeWeights& facts, multiway::SplitCandidate& out) {
    multiway::LevelTable levels;
    levels.levels = table.codes;
    levels.rows.assign(table.rows.begin(), table.rows.end());
    levels.classes = table.classes;
    for (std::size_t v = 0; v < table.size(); ++v) {
      i64 weight = 0;
      for (std::size_t k = 0; k < classes(); ++k) weight += table.classes[v * classes() + k];
      levels.weights.push_back(weight);
    }
    return offers_.set_levels(levels, j, rows, facts, scratch_, out);
  }

  bool offer_cut(const ClassTable& table, const multiway::FeatureRows& rows, const multiway::NodeWeights& facts,
                 multiway::SplitCandidate& out) {
    const multiway::Threshold bar = offers_.threshold_of_cuts(facts, rows, out.has_own_branch);
    const bool two = !offers_.information().weighted() && words_ <= 2;
    const multiway::BestCut cut =
        EntryScan(offers_.information(), settings_, table, offers_.n_classes(), two).search(bar);
    if (cut.found) offers_.set_cut(cut, bar, facts, rows, out);
    return cut.found;
  }

  std::int32_t missing_of(const Node& node) const {
    const multiway::SplitCandidate& split = node.found->split;
    if (settings_.unknown == multiway::Unknown::fractional) return SHARED;
    if (split.has_own_branch) return split.n_branches;
    const std::vector<i64> weights = branch_weights(node);
    return static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  }

  std::vector<i64> branch_weights(const Node& node) const {
    const multiway::SplitCandidate& split = node.found->split;
    const ClassTable& table = node.tables[static_cast<std::size_t>(split.feature)];
    std::vector<i64> weights(static_cast<std::size_t>(split.n_branches), 0);
    for (std::size_t v = 0; v < table.size(); ++v)
      for (std::size_t k = 0; k < classes(); ++k)
        weights[split.branch_of(table.codes[v])] += table.classes[v * classes() + k];
    return weights;
  }

  void push(const Node& node, const multiway::SplitCandidate& offer, SplitRows& to) const {
    const auto j = static_cast<std::size_t>(offer.feature);
    if (!offer.is_cut) {
      std::vector<std::int32_t> branches(features_[j].size);
      for (u32 v = 0; v < features_[j].size; ++v) branches[v] = static_cast<std::int32_t>(offer.branch_of(v));
      return to.push_levels(offer.feature, branches, features_[j].kind == Kind::ordinal);
    }
    Column column = columns_[j];
    column.values = node.tables[j].values;
    column.lows = node.tables[j].lows;
    to.push_cut(offer.feature, cut_between(column, offer.below, offer.above));
  }

  const std::vector<Column> columns_;
  const std::vector<Feature> features_;
  const multiway::Settings settings_;
  const int words_;
  multiway::Candidates offers_;
  multiway::Candidates::Scratch scratch_;
  std::vector<Node> nodes_;
};

}  // namespace boxwood::sharded

// The best splits of a level of a multiway tree (CLS, ID3, C4.5) from tables that shards have added up.
// Invariant: the candidates are those of the grower in memory (multiway/grower.hpp): the same sums, formulas and order
// of trial. A cut is charged for the number of cuts, so numeric features are known value by value. Cost: one pass over
// the levels or values of a feature.
#pragma once

#include <numeric>

#include "multiway/candidates.hpp"
#include "shards/level.hpp"

namespace boxwood::sharded {

class SummedMultiway final : public SummedSearchBase {
 public:
  // `n`: rows of all shards.
  SummedMultiway(const ResponseColumns& y, const multiway::Settings& settings, bool weighted,
                 const std::vector<FeatureShape>& features, std::size_t n)
      : columns_(columns_of(features)),
        features_(features),
        settings_(settings),
        words_(y.n_classes),
        y_(y),
        candidates_(columns_, y, settings_, {weighted, y.unit, n}, n) {}

  std::pair<double, double> root() const override { return {candidates_.root_weight(), 0.0}; }

  LevelStats start(const LevelReplies& given, bool is_root) override {
    nodes_.clear();
    const ClassMeasure measure;
    const multiway::ClassSums y{{nullptr, words_, &measure}};
    LevelStats level = each_node(y, y_, given, [&](const NodeSums<multiway::ClassSums>& node) {
      nodes_.push_back({weights_of(node.sums), std::vector<FeatureTable>(features_.size()),
                        std::vector<multiway::SplitCandidate>(features_.size()), std::nullopt});
    });
    if (is_root && given.count > 0) candidates_.set_root(nodes_[0].weights);
    return level;
  }

  void take_table(std::size_t i, std::size_t j, const Given& bins, bool) override {
    Node& node = nodes_[i];
    FeatureTable& table = node.tables[j] = {};
    const std::size_t last = bins.count - 1;
    node.candidates[j] = {};
    table.rows.missing_rows = bins.rows[last];
    table.rows.missing.assign(bins.words + last * words_, bins.words + bins.count * words_);
    table.rows.missing.resize(classes(), 0);
    table.rows.set_known(node.weights);
    if (features_[j].kind == Kind::numeric) {
      table.bins.assign(bins.rows, bins.rows + last);
      return;
    }
    fill(table.levels, {bins.rows, bins.words, nullptr, last, bins.step});
    evaluate(node, j);
  }

  // Every bin must be opened, one feature after the other and from the lowest on.
  std::vector<double> candidate_bins(std::size_t i, std::size_t j, bool) override {
    std::vector<double> out(features_[j].size, -1.0);
    const std::vector<i64>& bins = nodes_[i].tables[j].bins;
    for (std::size_t b = 0; b < bins.size(); ++b)
      if (bins[b] > 0) out[b] = static_cast<double>((features_.size() - j) * 0x10000 - b);
    return out;
  }

  // All bins come, from the lowest on, and values once: what is known of the lower ones is a cut and their number.
  void take_values(std::size_t i, std::size_t j, const OpenedValues& given, const Given& sums, bool) override {
    Node& node = nodes_[i];
    FeatureTable& table = node.tables[j];
    table.values = std::vector<double>(given.value, given.value + sums.count);
    table.lows = std::vector<double>(given.low, given.low ? given.low + sums.count : nullptr);
    table.levels = {};
    fill(table.levels, sums);
    const auto& rows = table.levels.row_counts;
    table.rows.seen_rows = std::accumulate(rows.begin(), rows.end(), i64{0});
    table.rows.counted = given.counted;
    evaluate(node, j);
    table.rows.tries =
        multiway::CutScan(candidates_.information(), settings_, table.levels, table.rows, false, scratch_.left).tries();
  }

  std::vector<Cut> ends(std::size_t i, std::size_t j, bool) const override {
    const multiway::SplitCandidate& cut = nodes_[i].candidates[j];
    const FeatureTable& table = nodes_[i].tables[j];
    const auto at = [&](u32 v) { return Cut{table.values[v], table.lows.empty() ? 0.0 : table.lows[v]}; };
    return cut.feature < 0 ? std::vector<Cut>{} : std::vector<Cut>{at(cut.below), at(cut.above)};
  }

  void choose(const std::vector<std::size_t>& nodes, bool, ThreadPool&) override {
    std::vector<u32> columns(features_.size());
    std::iota(columns.begin(), columns.end(), u32{0});
    for (const std::size_t i : nodes) {
      Node& node = nodes_[i];
      node.found =
          candidates_.ranked(columns, node.candidates, [&](const auto& split) { return known_weights(node, split); });
    }
  }

  std::vector<i64> known_weights() const override {
    std::vector<i64> out;
    for (const Node& node : nodes_) {
      if (!node.found) continue;
      const std::vector<i64> here = known_weights(node, node.found->split);
      out.insert(out.end(), here.begin(), here.end());
    }
    return out;
  }

  void describe(GrownNodes& level) const override {
    for (const Node& node : nodes_)
      candidates_.describe(
          node.found,
          [&](const multiway::SplitCandidate& split) {
            const auto j = static_cast<std::size_t>(split.feature);
            Column column = columns_[j];
            column.values = node.tables[j].values;
            column.lows = node.tables[j].lows;
            return cut_between(column, split.below, split.above, settings_.has_short_cuts(split.feature));
          },
          level);
  }

 private:
  // Levels or values of a feature at a node, rising, with their rows and class weights; missing ones separately.
  struct FeatureTable {
    std::vector<double> values, lows;  // of numeric features; lows empty = all 0
    multiway::LevelTable levels;  // of values: by their place
    std::vector<i64> bins;  // of numeric features: rows of each
    multiway::FeatureRows rows;
  };
  struct Node {
    multiway::NodeWeights weights;
    std::vector<FeatureTable> tables;
    std::vector<multiway::SplitCandidate> candidates;
    std::optional<Chosen<multiway::SplitCandidate>> found;
  };

  static std::vector<Column> columns_of(const std::vector<FeatureShape>& features) {
    std::vector<Column> columns(features.size());
    for (std::size_t j = 0; j < features.size(); ++j)
      columns[j].kind = features[j].kind, columns[j].n_codes = features[j].size;
    return columns;
  }

  std::size_t classes() const { return static_cast<std::size_t>(candidates_.n_classes()); }

  multiway::NodeWeights weights_of(const multiway::ClassSums::Sums& sums) const {
    multiway::NodeWeights weights{sums.of, std::accumulate(sums.of.begin(), sums.of.end(), i64{0}), sums.n};
    weights.classes.resize(classes(), 0);
    return weights;
  }

  void fill(multiway::LevelTable& table, const Given& sums) const {
    table.clear(classes());
    for (std::size_t v = 0; v < sums.count; ++v) {
      if (sums.rows[v] == 0) continue;
      table.open(static_cast<u32>(v), sums.rows[v]);
      for (int k = 0; k < words_; ++k) table.add(k, sums.words[v * static_cast<std::size_t>(words_) + k]);
    }
  }

  void evaluate(Node& node, std::size_t j) {
    FeatureTable& table = node.tables[j];
    table.levels.numbers = table.values.empty() ? nullptr : table.values.data();
    candidates_.evaluate(j, table.levels, table.rows, node.weights, scratch_, node.candidates[j]);
  }

  static std::vector<i64> known_weights(const Node& node, const multiway::SplitCandidate& split) {
    return split.weights_of(node.tables[static_cast<std::size_t>(split.feature)].levels);
  }

  const std::vector<Column> columns_;
  const std::vector<FeatureShape> features_;
  const multiway::Settings settings_;
  const int words_;
  const ResponseColumns y_;
  multiway::Candidates candidates_;
  multiway::Candidates::Scratch scratch_;
  std::vector<Node> nodes_;
};

}  // namespace boxwood::sharded

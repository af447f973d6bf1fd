// CHAID from tables that shards have added up: what a shard counts of each category, and the best splits of a level.
// Invariant: a category has the row of the test that chaid/tally.hpp gives it over all rows; tests and choice are those
// of memory. Cost: a shard codes each value by the ends of the bins, and counts it; the driver's work is that of memory
// without the rows.
#pragma once

#include "chaid/search.hpp"
#include "chaid/tally.hpp"
#include "shards/count.hpp"
#include "shards/level.hpp"

namespace boxwood::sharded {

// Words of a category: sums of classes (chaid/tally.hpp); weight, sum and squares of a numeric target.
inline std::size_t category_words(const chaid::Tally& tally) { return tally.is_mean() ? 9 : tally.class_sums(); }

// The categories that occur, out of all of a feature; `shift`: what the tests count a numeric target from.
inline chaid::Categories categories_of(const chaid::Tally& tally, const Given& given, i64 shift) {
  if (!tally.is_mean())
    return tally.present(given.count, given.rows, [&](std::size_t c) { return given.words + c * given.step; });
  return tally.present(given.count, given.rows, [&](std::size_t c) {
    const i64* words = given.words + c * given.step;
    chaid::MeanSums sums{given.rows[c], words[0], wide_of(words + 1), long_of(words + 4)};
    const Wide before = sums.sum;
    sums.sum -= shift * sums.weight;
    sums.squares.add_product(before + sums.sum, -shift);
    return sums;
  });
}

class CategorySearch final : public SummedSearchBase {
 public:
  // `shapes`: without the bins of numbers, which are set later.
  CategorySearch(const ResponseColumns& y, const chaid::Settings& s, const std::vector<FeatureShape>& shapes)
      : y_(y), search_(y, s, features_of(shapes)) {}

  LevelStats start(const LevelReplies& given, bool is_root) override {
    search_.sums.clear();
    const auto collect = [&](const auto& response) {
      return each_node(response, y_, given, [&](const auto& node) {
        search_.sums.push_back({node.sums.n, response.weight(node.sums), node.stats});
      });
    };
    const auto& response = search_.response;
    LevelStats level = response.is_mean() ? collect(response.mean()) : collect(response.classes());
    tables_.assign(search_.sums.size(), {});
    search_.start(is_root);
    if (is_root && !search_.sums.empty()) all_cases_ = search_.cases(search_.sums[0]);
    for (std::size_t i = 0; i < search_.sums.size(); ++i) level.closed[i] = !search_.may_be_split(search_.sums[i]);
    return level;
  }

  std::pair<double, double> root() const override { return {all_cases_, 0.0}; }

  void set_bins(std::size_t j, const std::vector<Cut>& ends) override {
    search_.features[j].n_categories = static_cast<u32>(ends.size());
    search_.features[j].ends = ends;
  }

  void take_table(std::size_t i, std::size_t j, const Given& given, bool) override {
    tables_[i].resize(search_.features.size());
    tables_[i][j] = categories_of({y_, search_.settings().case_weights}, given, search_.sums[i].stats.shift);
  }

  // The tables are given up.
  void choose(const std::vector<std::size_t>& nodes, bool, ThreadPool& pool) override {
    search_.find(nodes, [&](std::size_t i, std::size_t j) { return std::move(tables_[i][j]); }, pool);
  }

  void describe(GrownNodes& level) const override { search_.describe(level); }

 private:
  static std::vector<chaid::Feature> features_of(const std::vector<FeatureShape>& shapes) {
    std::vector<chaid::Feature> features;
    for (const FeatureShape& shape : shapes) features.push_back({shape.kind, shape.size, {}});
    return features;
  }

  const ResponseColumns y_;
  chaid::Search search_;
  std::vector<std::vector<chaid::Categories>> tables_;  // of every feature in each node
  double all_cases_ = 0.0;
};

}  // namespace boxwood::sharded

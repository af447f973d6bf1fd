// CHAID from tables that shards have added up: what a shard counts of each category, and the best splits of a level.
// Invariant: a category has the row of the test that chaid/tally.hpp gives it over all rows; tests and choice are those
// of memory. Cost: a shard codes each value by the ends of the bins, and counts it; the driver's work is that of memory
// without the rows.
#pragma once

#include "chaid/choice.hpp"
#include "chaid/tally.hpp"
#include "shards/count.hpp"
#include "shards/level.hpp"

namespace boxwood::sharded {

// Words of a category: class weights; rows and weights of the classes; weight, sum and squares.
inline std::size_t category_words(const ResponseColumns& y, bool case_weights) {
  const auto k = static_cast<std::size_t>(y.n_classes);
  return y.kind == ResponseColumns::Kind::mean ? 9 : case_weights ? 2 * k : k;
}

// The sums of a category of a numeric target, its squares moved from the node's middle to its own:
// sum w (d - m)^2 = squares - m (sum + rest), where sum = m weight + rest.
inline chaid::MeanSums mean_sums(i64 rows, const i64* words) {
  chaid::MeanSums out;
  out.rows = rows;
  out.weight = words[0];
  out.sum = wide_of(words + 1);
  out.squares = long_of(words + 4);
  out.set_middle();
  const Wide times = out.sum + (out.sum - out.middle * out.weight), low = static_cast<std::uint64_t>(times);
  out.squares.add(-(static_cast<Wide>(out.middle) * low));
  out.squares.high -= static_cast<Wide>(out.middle) * (times >> 64);
  return out;
}

// The categories that occur, out of all of a feature, missing last.
inline chaid::Categories categories_of(const ResponseColumns& y, bool case_weights, const Given& given) {
  chaid::Categories out;
  const std::size_t step = category_words(y, case_weights);
  std::vector<i64> sums;
  out.width = 4;
  for (std::size_t c = 0; c < given.count; ++c) {
    if (given.rows[c] == 0) continue;
    out.codes.push_back(c + 1 == given.count ? MISSING : static_cast<u32>(c));
    const i64* words = given.words + c * step;
    if (y.kind == ResponseColumns::Kind::mean)
      mean_sums(given.rows[c], words).put(case_weights, y.unit, out.rows);
    else
      sums.insert(sums.end(), words, words + step);
  }
  if (y.kind != ResponseColumns::Kind::mean) chaid::class_rows(sums, y.n_classes, case_weights, y.unit, out);
  return out;
}

class CategorySearch {
 public:
  CategorySearch(const ResponseColumns& y, const chaid::Settings& s, std::vector<chaid::Feature> features)
      : y_(y), s_(s), features_(std::move(features)), response_(y_), choice_(y_, s_, features_) {}

  LevelStats start(const LevelWords& given, bool is_root) {
    nodes_.clear();
    const auto collect = [&](const auto& response) {
      return each_node(response, y_, given, [&](const auto& node) {
        nodes_.push_back({{node.sums.n, response.weight(node.sums), node.stats}, {}, {}});
      });
    };
    const LevelStats level = response_.is_mean() ? collect(response_.mean()) : collect(response_.classes());
    if (is_root && !nodes_.empty()) {
      all_cases_ = choice_.cases(nodes_[0].sums);
      s_.set_minimum_cases(all_cases_);
    }
    return level;
  }

  double all_cases() const { return all_cases_; }

  void set_bins(std::size_t j, std::vector<Cut> ends) {
    features_[j].n_categories = static_cast<u32>(ends.size());
    features_[j].ends = std::move(ends);
  }
  const std::vector<chaid::Feature>& features() const { return features_; }

  // Nodes that are pure or have too few cases.
  std::vector<std::uint8_t> closed() const {
    std::vector<std::uint8_t> out;
    for (const Node& node : nodes_) out.push_back(node.sums.stats.pure || !choice_.is_large_enough(node.sums));
    return out;
  }

  void take_table(std::size_t i, std::size_t j, const Given& given) {
    nodes_[i].tables.resize(features_.size());
    nodes_[i].tables[j] = categories_of(y_, s_.case_weights, given);
  }

  // The splits of nodes of which every table was taken; the tables are given up.
  void choose(const std::vector<std::size_t>& nodes, Team& team) {
    auto found = choice_.of_nodes(
        nodes.size(),
        [&](std::size_t a, std::size_t j) -> const chaid::Categories& { return nodes_[nodes[a]].tables[j]; }, team);
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      nodes_[nodes[a]].found = std::move(found[a]);
      nodes_[nodes[a]].tables = {};
    }
  }

  void describe(GrownNodes& level, std::vector<double>& log_p) const {
    for (const Node& node : nodes_) choice_.describe(node.found, node.sums, level, log_p);
  }

 private:
  struct Node {
    chaid::NodeSums sums;
    std::vector<chaid::Categories> tables;
    std::optional<chaid::ChaidSplit> found;
  };

  const ResponseColumns y_;
  chaid::Settings s_;  // as given, with shares of all cases as numbers of cases once the root is known
  std::vector<chaid::Feature> features_;
  const chaid::NodeResponse response_;
  const chaid::Choice choice_;
  std::vector<Node> nodes_;
  double all_cases_ = 0.0;
};

}  // namespace boxwood::sharded

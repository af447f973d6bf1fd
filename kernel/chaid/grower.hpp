// Grows a CHAID tree level by level: the two steps of a level, or the whole tree at once.
// Invariant: a node's split depends on its samples alone, so any number of threads and any order of rows gives the same
// tree. Cost: one table of every feature a node, one stable partition of sample numbers a level; each pair of node and
// feature is a task of the thread pool.
#pragma once

#include "chaid/bins.hpp"
#include "chaid/choice.hpp"
#include "chaid/tally.hpp"

namespace boxwood::chaid {

class Grower {
 public:
  Grower(const std::vector<Column>& columns, std::vector<std::uint32_t> rows, const ResponseColumns& y,
         const Settings& s)
      : columns_(columns), rows_(std::move(rows)), y_(y), given_(s), s_(s), response_(y_), choice_(y_, s_, features_) {}

  GrownNodes level;  // the current level: nodes after root and route, splits after best_splits
  std::vector<double> log_p;  // of its splits, or of the whole tree after finish: ln of the adjusted p, NaN in leaves

  void root(Team& team) {
    features_.assign(columns_.size(), {});
    bin_of_code_.assign(columns_.size(), {});
    team.run(columns_.size(), [&](std::size_t j, int) { find_categories(j); });
    ids_.resize(rows_.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) ids_[i] = static_cast<std::uint32_t>(i);
    nodes_ = {{0, ids_.size()}};
    depth_ = 0;
    collect_sums(team);
    s_ = given_;
    s_.set_minimum_cases(choice_.cases(sums_[0]));
  }

  void best_splits(const std::vector<std::uint8_t>& open, Team& team) {
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (open[i] && is_open(i)) nodes.push_back(i);
    auto found = choice_.of_nodes(
        nodes.size(), [&](std::size_t a, std::size_t j) { return categories(j, ids_of(nodes[a]), sums_[nodes[a]]); },
        team);
    found_.assign(nodes_.size(), std::nullopt);
    for (std::size_t a = 0; a < nodes.size(); ++a) found_[nodes[a]] = std::move(found[a]);
    for (std::size_t i = 0; i < nodes_.size(); ++i) choice_.describe(found_[i], sums_[i], level, log_p);
  }

  void route(Team& team) {
    std::vector<NodeRange> next;
    std::vector<std::uint32_t> ids;
    ids.reserve(ids_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (found_[i]) partition(i, ids, next);
    ids_ = std::move(ids);
    nodes_ = std::move(next);
    ++depth_;
    collect_sums(team);
  }

  GrownNodes finish(Team& team) {
    GrownNodes tree;
    std::vector<double> all_log_p;
    for (root(team); !nodes_.empty(); route(team)) {
      const std::size_t first = tree.rows.size();
      best_splits(std::vector<std::uint8_t>(nodes_.size(), 1), team);
      append(tree, first + nodes_.size());
      all_log_p.insert(all_log_p.end(), log_p.begin(), log_p.end());
    }
    fill_parents(tree);
    log_p = std::move(all_log_p);
    return tree;
  }

  // The tests of every feature among some samples, by the bins of all; root() must have been called.
  std::vector<FeatureTest> tests(std::span<const std::uint32_t> samples, Team& team) {
    std::vector<double> moments(static_cast<std::size_t>(y_.moments()));
    const NodeSums sums = response_.collect(samples, moments.data());
    std::vector<FeatureTest> tests(columns_.size());
    team.run(columns_.size(), [&](std::size_t j, int member) {
      tests[j] = choice_.tester.test(categories(j, samples, sums), features_[j].ordered(), {team.watch(), member});
    });
    return tests;
  }

  // Greatest value in each bin of a numeric column; empty for another.
  const std::vector<Cut>& bin_ends(std::size_t j) const { return features_[j].ends; }

 private:
  struct NodeRange {
    std::size_t begin, count;
  };

  // Levels, or bins found on all samples here, or those of the tree that this one becomes a part of.
  void find_categories(std::size_t j) {
    const Column& column = columns_[j];
    Feature& feature = features_[j];
    feature.kind = column.kind;
    feature.n_categories = column.n_codes;
    if (column.kind != Kind::numeric) return;
    if (!s_.ends.empty()) {
      feature.ends = s_.ends[j];
      bin_of_code_[j] = bins_by_ends(column, feature.ends);
    } else {
      // a case of any weight is one case
      Bins bins = s_.case_weights ? bin_column(column, rows_, nullptr, 1.0, s_.n_bins)
                                  : bin_column(column, rows_, y_.weight, y_.unit, s_.n_bins);
      for (const std::uint32_t code : bins.last) feature.ends.push_back(value_of(j, code));
      bin_of_code_[j] = std::move(bins.of_code);
    }
    feature.n_categories = static_cast<std::uint32_t>(feature.ends.size());
  }

  CategoryOf category(std::size_t j) const {
    const bool binned = columns_[j].kind == Kind::numeric;
    return {columns_[j].codes.data(), rows_.data(), binned ? bin_of_code_[j].data() : nullptr,
            features_[j].n_categories};
  }
  Categories categories(std::size_t j, std::span<const std::uint32_t> ids, const NodeSums& sums) const {
    return Tally(y_, s_.case_weights).count(category(j), ids, sums.stats);
  }
  std::span<const std::uint32_t> ids_of(std::size_t i) const {
    return {ids_.data() + nodes_[i].begin, nodes_[i].count};
  }

  bool is_open(std::size_t i) const {
    return !sums_[i].stats.pure && choice_.is_large_enough(sums_[i]) && (s_.max_depth < 0 || depth_ < s_.max_depth);
  }

  void collect_sums(Team& team) {
    level = {};
    log_p.clear();
    const auto width = static_cast<std::size_t>(y_.moments());
    sums_.assign(nodes_.size(), {});
    level.moments.resize(nodes_.size() * width);
    team.run(nodes_.size(),
             [&](std::size_t i, int) { sums_[i] = response_.collect(ids_of(i), level.moments.data() + i * width); });
    for (const NodeSums& node : sums_) level.rows.push_back(node.rows);
  }

  // Appends the samples of node i to `ids`, branch by branch.
  void partition(std::size_t i, std::vector<std::uint32_t>& ids, std::vector<NodeRange>& next) const {
    const CategoryOf category_of = category(found_[i]->feature);
    const std::size_t branches = found_[i]->branches();
    std::vector<std::int32_t> branch(nodes_[i].count);
    std::vector<std::size_t> place(branches, 0);
    const auto samples = ids_of(i);
    for (std::size_t at = 0; at < samples.size(); ++at) {
      branch[at] = found_[i]->branch[std::min(category_of(samples[at]), category_of.n_categories)];
      ++place[branch[at]];
    }
    std::size_t begin = ids.size();
    for (std::size_t& count : place) {
      next.push_back({begin, count});
      begin += std::exchange(count, begin);
    }
    ids.resize(begin);
    for (std::size_t at = 0; at < samples.size(); ++at) ids[place[branch[at]]++] = samples[at];
  }

  Cut value_of(std::size_t j, std::uint32_t code) const {
    if (s_.rank_cuts) return {static_cast<double>(code), 0.0};
    return {columns_[j].values[code], columns_[j].lows.empty() ? 0.0 : columns_[j].lows[code]};
  }

  void append(GrownNodes& tree, std::size_t next) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t branches = found_[i] ? found_[i]->branches() : 0;
      tree.n_children.push_back(static_cast<std::int32_t>(branches));
      tree.first_child.push_back(branches ? static_cast<std::int32_t>(next) : -1);
      next += branches;
      tree.splits.push_row(level.splits, i);
      for (std::int32_t c = level.competitor_start[i]; c < level.competitor_start[i + 1]; ++c) {
        tree.competitors.push_row(level.competitors, c);
        tree.competitor_score.push_back(level.competitor_score[c]);
      }
      tree.competitor_start.push_back(static_cast<std::int32_t>(tree.competitor_score.size()));
      tree.surrogate_start.push_back(0);
    }
    const auto join = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    join(tree.rows, level.rows);
    join(tree.moments, level.moments);
    join(tree.heuristic, level.heuristic);
    join(tree.missing, level.missing);
    join(tree.score, level.score);
  }

  static void fill_parents(GrownNodes& tree) {
    tree.parent.assign(tree.rows.size(), -1);
    for (std::size_t t = 0; t < tree.rows.size(); ++t)
      for (std::int32_t c = 0; c < tree.n_children[t]; ++c)
        tree.parent[tree.first_child[t] + c] = static_cast<std::int32_t>(t);
  }

  const std::vector<Column>& columns_;
  std::vector<std::uint32_t> rows_;
  ResponseColumns y_;
  const Settings given_;
  Settings s_;  // as given, with shares of all cases as numbers of cases
  std::vector<Feature> features_;
  const NodeResponse response_;
  const Choice choice_;
  std::vector<std::vector<std::uint32_t>> bin_of_code_;  // of numeric columns
  std::vector<std::uint32_t> ids_;  // samples, node by node
  std::vector<NodeRange> nodes_;
  std::vector<NodeSums> sums_;
  std::vector<std::optional<ChaidSplit>> found_;
  std::int64_t depth_ = 0;
};

}  // namespace boxwood::chaid

// The split of a node from the tests of its features: the winner, its competitors, and both as arrays of the tree.
// Invariant: depends on the tests and the node's statistics alone, not on who counted the tables.
// Cost: linear in the number of features, a competitor each. Source: SPECS 8.7.
#pragma once

#include <optional>

#include "chaid/feature_test.hpp"
#include "chaid/node_sums.hpp"
#include "grow/grown_nodes.hpp"
#include "search/rules.hpp"

namespace boxwood::chaid {

struct Feature {
  Kind kind = Kind::nominal;
  std::uint32_t n_categories = 0;  // levels or bins
  std::vector<Cut> ends;  // of numeric features: greatest value in each bin

  bool ordered() const { return kind != Kind::nominal; }
};

// A split with the branch of every category of its feature, missing last; -1 = not seen here.
struct ChaidSplit {
  std::int32_t feature;
  FeatureTest test;
  std::vector<std::int32_t> branch;
  std::vector<ChaidSplit> competitors;  // best first, as they were tested

  std::size_t branches() const { return test.groups.size(); }
};

class Choice {
 public:
  Choice(const ResponseColumns& y, const Settings& s, const std::vector<Feature>& features)
      : tester(y, s), y_(y), s_(s), features_(features) {}

  const FeatureTester tester;

  // Cases are frequencies: weights replicate rows, unless they are case weights.
  double cases(const NodeSums& node) const {
    return s_.case_weights ? static_cast<double>(node.rows) : static_cast<double>(node.weight) * y_.unit;
  }
  bool is_large_enough(const NodeSums& node) const { return cases(node) >= s_.min_cases_split - 1e-9; }

  // The splits of `count` nodes; `table(i, j)`: the categories of feature j in the i-th of them.
  template <class Table>
  std::vector<std::optional<ChaidSplit>> of_nodes(std::size_t count, const Table& table, Team& team) const {
    const std::size_t p = features_.size();
    std::vector<std::vector<FeatureTest>> tests(count, std::vector<FeatureTest>(p));
    team.run(count * p, [&](std::size_t task, int member) {
      const std::size_t i = task / p, j = task % p;
      tests[i][j] = tester.test(table(i, j), features_[j].ordered(), {team.watch(), member});
    });
    std::vector<std::optional<ChaidSplit>> found;
    for (std::size_t i = 0; i < count; ++i)
      found.push_back(
          of_node(tests[i], [&](std::size_t j) -> decltype(auto) { return table(i, j); }, {team.watch(), 0}));
    return found;
  }

  // A node's row in the arrays of its level.
  void describe(const std::optional<ChaidSplit>& found, const NodeSums& node, GrownNodes& level,
                std::vector<double>& log_p) const {
    level.heuristic.push_back(0);
    level.missing.push_back(found && found->branch.back() >= 0 ? found->branch.back() : STAYS);
    level.score.push_back(found ? score(found->test, node) : std::nan(""));
    log_p.push_back(found ? found->test.log_adjusted : std::nan(""));
    if (found) {
      push_split(*found, level.splits);
      for (const ChaidSplit& other : found->competitors) {
        push_split(other, level.competitors);
        level.competitor_score.push_back(score(other.test, node));
      }
    } else {
      level.splits.push_empty();
    }
    level.competitor_start.push_back(static_cast<std::int32_t>(level.competitor_score.size()));
    level.surrogate_start.push_back(0);
  }

 private:
  // `tests`: of every feature, consumed; `categories_of(j)`: the categories of feature j again.
  template <class CategoriesOf>
  std::optional<ChaidSplit> of_node(std::vector<FeatureTest>& tests, const CategoriesOf& categories_of,
                                    Interrupt interrupt) const {
    const std::int32_t j = best(tests);
    if (j < 0 || !is_significant(tests[j])) return std::nullopt;
    ChaidSplit found = take(tests, j);
    if (tester.has_small_branch(found.test) &&
        !tester.enlarge(found.test, categories_of(j), features_[j].ordered(), interrupt))
      return std::nullopt;
    set_branches(found);
    while (static_cast<int>(found.competitors.size()) < s_.max_competitors) {
      const std::int32_t next = best(tests);
      if (next < 0) break;
      found.competitors.push_back(take(tests, next));
      set_branches(found.competitors.back());
    }
    return found;
  }

  // The feature with the smallest adjusted p; ties by the smaller p, then the larger statistic, then the first. None
  // tested: -1.
  std::int32_t best(const std::vector<FeatureTest>& tests) const {
    std::int32_t best = -1;
    for (std::size_t j = 0; j < tests.size(); ++j) {
      if (tests[j].state != FeatureTest::State::tested) continue;
      if (best < 0 || beats(tests[j], tests[best])) best = static_cast<std::int32_t>(j);
    }
    return best;
  }
  bool is_significant(const FeatureTest& test) const { return test.log_adjusted <= s_.log_alpha + 1e-12; }
  bool beats(const FeatureTest& a, const FeatureTest& b) const {
    if (smaller(a.log_adjusted, b.log_adjusted)) return true;
    if (smaller(b.log_adjusted, a.log_adjusted)) return false;
    if (smaller(a.test.log_p, b.test.log_p)) return true;
    if (smaller(b.test.log_p, a.test.log_p)) return false;
    return surely_above(a.test.statistic, b.test.statistic);
  }
  // Whether one p is smaller than another, by more than rounding on the scale on which they are compared.
  bool smaller(double log_a, double log_b) const {
    return s_.compare_logs ? surely_above(-log_a, -log_b) : std::exp(log_a) < std::exp(log_b) - 1e-12;
  }

  // Moves a test out of the list of those that may still be chosen.
  static ChaidSplit take(std::vector<FeatureTest>& tests, std::int32_t j) {
    ChaidSplit found{j, std::move(tests[j]), {}, {}};
    tests[j] = {};
    return found;
  }

  void set_branches(ChaidSplit& found) const {
    const std::uint32_t n = features_[found.feature].n_categories;
    found.branch.assign(n + 1, -1);
    for (std::size_t g = 0; g < found.test.groups.size(); ++g)
      for (const std::uint32_t code : found.test.groups[g])
        found.branch[std::min(code, n)] = static_cast<std::int32_t>(g);
  }

  // Breaks lie where the branch of neighbouring categories differs; an interval without a branch was not seen here.
  void push_split(const ChaidSplit& found, SplitRows& to) const {
    const Feature& feature = features_[found.feature];
    std::vector<Cut> breaks;
    std::vector<LevelBranch> listed;
    std::uint32_t position = 0;
    for (std::uint32_t c = 0; c < feature.n_categories; ++c) {
      const std::int32_t branch = found.branch[c];
      const bool opens = c == 0 || !feature.ordered() || branch != found.branch[c - 1];
      if (c > 0 && opens) ++position;
      if (c > 0 && opens && feature.ordered()) breaks.push_back(break_after(feature, c - 1));
      if (opens && branch >= 0) listed.push_back({position, branch});
    }
    to.push_listed(found.feature, position + 1, breaks, listed);
  }
  static Cut break_after(const Feature& feature, std::uint32_t category) {
    return feature.kind == Kind::ordinal ? Cut{category + 0.5, 0.0} : feature.ends[category];
  }

  // Decrease of entropy in bits, or of variance, per unit of weight.
  double score(const FeatureTest& test, const NodeSums& node) const {
    const double weight = static_cast<double>(node.weight);
    double within = 0.0;
    for (std::size_t g = 0; g < test.groups.size(); ++g) {
      const double* row = test.rows.data() + g * test.width;
      within += y_.kind == ResponseColumns::Kind::mean ? row[3] : entropy_of(row + test.width - y_.n_classes);
    }
    if (y_.kind == ResponseColumns::Kind::mean)
      return std::fmax(coded::Rules{nullptr, &y_, 0, 0, node.stats.fine}.true_decrease(node.stats.risk - within), 0.0) /
             (weight * y_.unit);
    return std::fmax(node.stats.risk - within / y_.unit, 0.0) / weight;
  }
  double entropy_of(const double* weights) const {
    double sum = 0.0, logs = 0.0;
    for (int k = 0; k < y_.n_classes; ++k) {
      sum += weights[k];
      logs += x_log2_x(weights[k]);
    }
    return x_log2_x(sum) - logs;
  }

  const ResponseColumns& y_;
  const Settings& s_;
  const std::vector<Feature>& features_;
};

}  // namespace boxwood::chaid

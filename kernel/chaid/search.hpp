// The splits of a level of nodes from the tests of their features: winners, competitors, and both as arrays of the
// tree. Invariant: a split depends on the node's tests and statistics alone, not on who counted the tables. Cost:
// linear in the number of features, a competitor each. Source: docs/chaid.md.
#pragma once

#include "chaid/feature_test.hpp"
#include "chaid/node_sums.hpp"
#include "grow/levels.hpp"
#include "search/rules.hpp"

namespace boxwood::chaid {

struct Feature {
  Kind kind = Kind::nominal;
  std::uint32_t n_categories = 0;  // levels or bins
  std::vector<Cut> ends;  // of numeric features: greatest value in each bin

  bool ordered() const { return kind != Kind::nominal; }
};

// A split by one feature: the branch of every category, missing last; -1 = not seen here.
struct MergedSplit {
  std::int32_t feature;
  std::vector<std::int32_t> branch;
  double score, log_p;  // decrease per unit of weight; ln of the adjusted p
};
using Found = std::optional<Chosen<MergedSplit>>;

class Search {
 public:
  // `features`: as far as they are known before the root.
  Search(const ResponseColumns& y, const Settings& s, std::vector<Feature> of)
      : features(std::move(of)), response(y), tester(y_, s_), y_(y), given_(s), s_(s) {}

  std::vector<Feature> features;
  const NodeResponse response;
  const FeatureTester tester;
  std::vector<NodeSums> sums;  // of the nodes of the level

  const Settings& settings() const { return s_; }

  // A level begins, its sums known.
  void start(bool is_root) {
    found_.assign(sums.size(), std::nullopt);
    if (!is_root || sums.empty()) return;
    s_ = given_;
    s_.set_minimum_cases(cases(sums[0]));
  }

  // Cases are frequencies: weights replicate rows, unless they are case weights.
  double cases(const NodeSums& node) const {
    return s_.case_weights ? static_cast<double>(node.rows) : static_cast<double>(node.weight) * y_.unit;
  }
  bool may_be_split(const NodeSums& node) const { return !node.stats.pure && cases(node) >= s_.min_cases_split - 1e-9; }
  const Found& found(std::size_t i) const { return found_[i]; }

  // Finds the splits of some nodes; `table(i, j)`: the categories of feature j in node i. A task is one of them.
  template <class Table>
  void find(const std::vector<std::size_t>& nodes, const Table& table, ThreadPool& pool) {
    const std::size_t p = features.size();
    std::vector<std::vector<FeatureTest>> tests(nodes.size(), std::vector<FeatureTest>(p));
    pool.run(nodes.size() * p, [&](std::size_t task, int worker) {
      const std::size_t a = task / p, j = task % p;
      tests[a][j] = tester.test(table(nodes[a], j), features[j].ordered(), {pool.interrupts(), worker});
    });
    for (std::size_t a = 0; a < nodes.size(); ++a)
      found_[nodes[a]] = split_of(tests[a], sums[nodes[a]], {pool.interrupts(), 0});
  }

  // The feature that splits a node, -1 = none. Its test becomes that of its branches, small ones merged; while that is
  // not significant, the next best feature is looked at.
  std::int32_t choose(std::vector<FeatureTest>& tests, Interrupt interrupt) const {
    for (std::int32_t j; (j = best(tests)) >= 0 && is_significant(tests[j]) && tester.enlarge(tests[j], interrupt);)
      if (is_significant(tests[j])) return j;
    return -1;
  }

  // The rows of all nodes in the arrays of their level.
  void describe(GrownNodes& level) const {
    for (const Found& node : found_) {
      describe_node(node, [this](const MergedSplit& split, SplitRows& to) { push_split(split, to); }, level);
      level.log_p.push_back(node ? node->split.log_p : std::nan(""));
    }
  }

 private:
  // `tests`: of every feature, consumed.
  Found split_of(std::vector<FeatureTest>& tests, const NodeSums& node, Interrupt interrupt) const {
    std::int32_t j = choose(tests, interrupt);
    if (j < 0) return std::nullopt;
    Chosen<MergedSplit> found;
    found.n_children = static_cast<std::int32_t>(tests[j].groups.size());
    found.split = take(tests, j, node);
    if (found.split.branch.back() >= 0) found.missing = found.split.branch.back();
    while (static_cast<int>(found.competitors.size()) < s_.max_competitors && (j = best(tests)) >= 0)
      found.competitors.push_back(take(tests, j, node));
    return found;
  }

  // The feature with the smallest adjusted p; ties by the smaller p, then the larger statistic, then the first. None
  // tested: -1.
  std::int32_t best(const std::vector<FeatureTest>& tests) const {
    std::int32_t best = -1;
    for (std::size_t j = 0; j < tests.size(); ++j)
      if (tests[j].state == FeatureTest::State::tested && (best < 0 || beats(tests[j], tests[best])))
        best = static_cast<std::int32_t>(j);
    return best;
  }
  bool is_significant(const FeatureTest& test) const { return test.log_adjusted <= s_.log_alpha + 1e-12; }
  bool beats(const FeatureTest& a, const FeatureTest& b) const {
    using Logs = std::pair<double, double>;
    for (const auto& [p, q] : {Logs{a.log_adjusted, b.log_adjusted}, Logs{a.test.log_p(), b.test.log_p()}})
      if (smaller(p, q) != smaller(q, p)) return smaller(p, q);
    return surely_above(a.test.statistic, b.test.statistic);
  }
  // Whether one p is smaller than another, by more than rounding on the scale on which they are compared.
  bool smaller(double log_a, double log_b) const {
    return s_.compare_logs ? surely_above(-log_a, -log_b) : std::exp(log_a) < std::exp(log_b) - 1e-12;
  }

  // The split by a tested feature, which may not be chosen again.
  MergedSplit take(std::vector<FeatureTest>& tests, std::int32_t j, const NodeSums& node) const {
    const FeatureTest test = std::exchange(tests[j], {});
    const std::uint32_t n = features[j].n_categories;
    MergedSplit split{j, std::vector<std::int32_t>(n + 1, -1), score(test, node), test.log_adjusted};
    for (std::size_t g = 0; g < test.groups.size(); ++g)
      for (const std::uint32_t member : test.groups[g].members)
        split.branch[std::min(test.categories.codes[member], n)] = static_cast<std::int32_t>(g);
    return split;
  }

  // Breaks lie where the branch of neighbouring categories differs; an interval without a branch was not seen here.
  void push_split(const MergedSplit& split, SplitRows& to) const {
    const Feature& feature = features[split.feature];
    std::vector<Cut> breaks;
    std::vector<LevelBranch> listed;
    std::uint32_t position = 0;
    for (std::uint32_t c = 0; c < feature.n_categories; ++c) {
      const std::int32_t branch = split.branch[c];
      const bool opens = c == 0 || !feature.ordered() || branch != split.branch[c - 1];
      if (c > 0 && opens) ++position;
      if (c > 0 && opens && feature.ordered()) breaks.push_back(break_after(feature, c - 1));
      if (opens && branch >= 0) listed.push_back({position, branch});
    }
    to.push_listed(split.feature, position + 1, breaks, listed);
  }
  static Cut break_after(const Feature& feature, std::uint32_t category) {
    return feature.kind == Kind::ordinal ? Cut{category + 0.5, 0.0} : feature.ends[category];
  }

  // Decrease of entropy in bits, or of variance, per unit of weight.
  double score(const FeatureTest& test, const NodeSums& node) const {
    const double weight = static_cast<double>(node.weight);
    double within = 0.0;
    for (const Group& group : test.groups)
      within += response.is_mean() ? group.row[3] : entropy_of(group.row.data() + group.row.size() - y_.n_classes);
    if (!response.is_mean()) return std::fmax(node.stats.risk - within / y_.unit, 0.0) / weight;
    coded::Rules rules{nullptr, &y_, 0, 0};
    rules.by_low = node.stats.by_low;
    return std::fmax(rules.true_decrease(node.stats.risk - within), 0.0) / (weight * y_.unit);
  }
  double entropy_of(const double* weights) const {
    double sum = 0.0, logs = 0.0;
    for (int k = 0; k < y_.n_classes; ++k) sum += weights[k], logs += x_log2_x(weights[k]);
    return x_log2_x(sum) - logs;
  }

  const ResponseColumns y_;
  const Settings given_;
  Settings s_;  // as given, with shares of all cases as numbers of cases
  std::vector<Found> found_;
};

}  // namespace boxwood::chaid

// The split of a node out of what was judged of its features: which is taken, which are kept beside it, and both as
// arrays of the tree. Invariant: depends on the judged features and the node's facts alone, whoever counted the tables.
// Source: SPECS 8.7.
#pragma once

#include "chaid/judge.hpp"
#include "general/node_facts.hpp"
#include "grow/grown_nodes.hpp"

namespace boxwood::chaid {

struct Feature {
  Kind kind = Kind::nominal;
  std::uint32_t n_categories = 0;  // levels or bins
  std::vector<Cut> ends;  // of numeric features: greatest value in each bin

  bool ordered() const { return kind != Kind::nominal; }
};

// A split with the branch of every category of its feature, missing last; -1 = not seen here.
struct Found {
  std::int32_t feature;
  Judged judged;
  std::vector<std::int32_t> branch;
  std::vector<Found> others;  // the runners-up, best first, as they were judged

  std::size_t branches() const { return judged.groups.size(); }
};

class Choice {
 public:
  Choice(const ResponseColumns& y, const Settings& s, const Judge& judge, const std::vector<Feature>& features)
      : y_(y), s_(s), judge_(judge), features_(features) {}

  // Cases are frequencies: weights replicate rows, unless they are case weights.
  double cases(std::int64_t rows, const NodeFacts& facts) const {
    return s_.case_weights ? static_cast<double>(rows) : static_cast<double>(facts.weight) * y_.unit;
  }
  bool is_large_enough(std::int64_t rows, const NodeFacts& facts) const {
    return cases(rows, facts) >= s_.min_cases_split - 1e-9;
  }

  // `judged`: of every feature, which is used up; `categories_of(feature)`: its table in this node once more.
  template <class CategoriesOf>
  std::optional<Found> of(std::vector<Judged>& judged, const CategoriesOf& categories_of, Interrupt interrupt) const {
    const std::int32_t j = judge_.best(judged);
    if (j < 0 || !judge_.significant(judged[j])) return std::nullopt;
    Found found = take(judged, j);
    if (judge_.has_small_branch(found.judged) &&
        !judge_.enlarge(found.judged, categories_of(j), features_[j].ordered(), interrupt))
      return std::nullopt;
    set_branches(found);
    while (static_cast<int>(found.others.size()) < s_.max_competitors) {
      const std::int32_t next = judge_.best(judged);
      if (next < 0) break;
      found.others.push_back(take(judged, next));
      set_branches(found.others.back());
    }
    return found;
  }

  // A node's row in the arrays of its level.
  void describe(const std::optional<Found>& found, const NodeFacts& facts, GrownNodes& level,
                std::vector<double>& log_p) const {
    level.heuristic.push_back(0);
    level.missing.push_back(found && found->branch.back() >= 0 ? found->branch.back() : STAYS);
    level.score.push_back(found ? score(found->judged, facts) : std::nan(""));
    log_p.push_back(found ? found->judged.log_adjusted : std::nan(""));
    if (found) {
      push_split(*found, level.splits);
      for (const Found& other : found->others) {
        push_split(other, level.competitors);
        level.competitor_score.push_back(score(other.judged, facts));
      }
    } else {
      level.splits.push_empty();
    }
    level.competitor_start.push_back(static_cast<std::int32_t>(level.competitor_score.size()));
    level.surrogate_start.push_back(0);
  }

 private:
  // What was found about a feature leaves the list of those that may still be chosen.
  static Found take(std::vector<Judged>& judged, std::int32_t j) {
    Found found{j, std::move(judged[j]), {}, {}};
    judged[j] = {};
    return found;
  }

  void set_branches(Found& found) const {
    const std::uint32_t n = features_[found.feature].n_categories;
    found.branch.assign(n + 1, -1);
    for (std::size_t g = 0; g < found.judged.groups.size(); ++g)
      for (const std::uint32_t code : found.judged.groups[g])
        found.branch[std::min(code, n)] = static_cast<std::int32_t>(g);
  }

  // Breaks lie where the branch of neighbouring categories differs; an interval without a branch was not seen here.
  void push_split(const Found& found, SplitRows& to) const {
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
  double score(const Judged& judged, const NodeFacts& facts) const {
    const double weight = static_cast<double>(facts.weight);
    double within = 0.0;
    for (std::size_t g = 0; g < judged.groups.size(); ++g) {
      const double* row = judged.rows.data() + g * judged.width;
      within += y_.kind == ResponseColumns::Kind::mean ? row[3] : entropy_of(row + judged.width - y_.n_classes);
    }
    if (y_.kind == ResponseColumns::Kind::mean)
      return std::fmax(facts.true_decrease(y_, facts.squares - within), 0.0) / (weight * y_.unit);
    return std::fmax(facts.risk - within / y_.unit, 0.0) / weight;
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
  const Judge& judge_;
  const std::vector<Feature>& features_;
};

}  // namespace boxwood::chaid

// The choice among the candidates of a node by the rules of a recipe, whoever found them.
// Invariant: features are ranked in column order with the tie rule, so the result does not depend on who searched which
// column. Cost: a few comparisons a feature.
#pragma once

#include <numbers>

#include "response/node_facts.hpp"
#include "search/split.hpp"

namespace boxwood {

class Choice {
 public:
  Choice(const ResponseColumns& response, const Settings& settings) : y_(response), settings_(settings) {}

  void set_root(const NodeFacts& root) {
    const bool stands_alone = settings_.root_weight < 0;
    root_weight_ = stands_alone ? static_cast<double>(root.weight) * y_.unit : settings_.root_weight;
    root_risk_ = stands_alone ? root.coarse(root.risk) : settings_.root_risk;
  }

  double root_weight() const { return root_weight_; }
  double root_risk() const { return root_risk_; }

  bool good_enough(const NodeFacts& facts, double decrease) const {
    if (settings_.min_share >= 0 && !(facts.coarse(decrease) > settings_.min_share * root_risk_)) return false;
    return facts.true_decrease(y_, decrease) / root_weight_ + 1e-15 >= settings_.min_impurity_decrease;
  }

  // The score features are ranked by: less what unrelated levels would gain by chance, per unit of feature cost. Each
  // of k levels adds one degree of freedom, I / n in expectation; the best cut of k normal means along their order
  // keeps 2 / pi of it.
  double compared(const Candidate& c, const NodeFacts& facts, std::size_t groups, std::int64_t known) const {
    double score = c.decrease / facts.scale;
    if (settings_.correct_levels && groups > 2) {
      const double impurity = y_.kind == ResponseColumns::Kind::classes ? facts.risk / facts.scale : 1.0;
      score -= (static_cast<double>(groups) - 2) * (2 / std::numbers::pi) * impurity / static_cast<double>(known);
    }
    return settings_.feature_costs.empty() ? score : score / settings_.feature_costs[c.feature];
  }

  // The least decrease with which a column may still win when `best` is the best score before it, with room for
  // thousands of ties.
  double needed(const NodeFacts& facts, double best, std::size_t feature) const {
    const double cost = settings_.feature_costs.empty() ? 1.0 : settings_.feature_costs[feature];
    return (best - 1e-8 * std::max(std::abs(best), 1.0)) * cost * facts.scale - 1e-8 * facts.scale;
  }
  // No score of a node's columns is higher, however it was rounded; costs left out.
  double most(const NodeFacts& facts) const {
    double most = 0, second = 0;
    std::size_t present = 0;
    for (std::size_t k = 0; k < facts.classes.size(); ++k) {
      const double mass = static_cast<double>(facts.classes[k]) * factor_of(y_.factors, static_cast<int>(k));
      second = std::max(second, std::min(most, mass));
      most = std::max(most, mass);
      present += mass > 0;
    }
    // Of errors two sides can save no more than the second class has.
    if (settings_.measure.is<ClassificationError>() && settings_.policy != Policy::own_branch)
      return second / facts.scale + ROUNDED;
    const double noise = settings_.measure.is<Entropy>() ? noise_of_logs(facts.scale, present) : 0.0;
    return facts.risk / facts.scale + ROUNDED + noise;
  }

  // Primary first, then competitors; a later feature must be better by more than rounding to stand before an earlier
  // one.
  std::vector<Candidate*> rank(std::vector<Candidate>& candidates) const {
    std::vector<Candidate*> ranked;
    const std::size_t most = static_cast<std::size_t>(settings_.max_competitors) + 1;
    for (auto& candidate : candidates) {
      if (candidate.feature < 0) continue;
      auto at = ranked.begin();
      while (at != ranked.end() && !(candidate.compared > bar_above((*at)->compared, 1.0))) ++at;
      if (at == ranked.end() && ranked.size() == most) continue;
      ranked.insert(at, &candidate);
      if (ranked.size() > most) ranked.pop_back();
    }
    return ranked;
  }

  // Branch of a missing value that no surrogate decides; `weight`: whole weights that known values send to each branch.
  std::int32_t missing_branch(const Candidate& split, const std::int64_t weight[2], bool has_missing) const {
    const std::int32_t heavier = weight[1] > weight[0] ? 1 : 0;
    if (settings_.policy == Policy::surrogate) return settings_.stay || weight[0] == weight[1] ? STAYS : heavier;
    if (!has_missing) return heavier;
    if (settings_.policy == Policy::learned) return split.missing;
    return settings_.policy == Policy::own_branch ? 2 : heavier;
  }

 private:
  static constexpr double ROUNDED = TIE / 5;

  const ResponseColumns y_;
  const Settings settings_;
  double root_weight_ = 0, root_risk_ = 0;
};

}  // namespace boxwood

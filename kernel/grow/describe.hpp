// Writes what is known of a node and its split into the records, in the terms of the tree.
// Invariant: the same doubles for a node whichever engine split it.
// Cost: a few operations a node.
#pragma once

#include "grow/records.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

struct SplitFound {
  std::int32_t feature;
  u32 below, above;  // rows whose values are about the cut
  double decrease;
  i64 weight;  // of the node
  std::int32_t missing;  // branch of rows without a value
  std::int32_t n_branches;
  const std::vector<LevelBranch>* levels = nullptr;
  bool flipped = false, heuristic = false;
  const Surrogates* surrogates = nullptr;
  double drawn = 0;  // the threshold, where cuts are random
};

struct Describer {
  const Rules rules;

  template <class R>
  void node(const R& response, Records& out, std::int32_t record, const typename R::Sums& sums,
            const NodeStats& stats) const {
    out.nodes[record].rows = static_cast<u32>(sums.n);
    out.add_moments(static_cast<std::size_t>(response.moments()),
                    [&](double* line) { response.describe(sums, stats, *rules.y, line); });
  }

  // Adds the records of the children, not yet described.
  void split(Records& out, std::int32_t record, const SplitFound& found) const {
    Records::Node& node = out.nodes[record];
    node.first_child = out.size();
    node.n_children = static_cast<std::uint8_t>(found.n_branches);
    node.feature = found.feature;
    node.below = found.below;
    node.above = found.above;
    node.flipped = found.flipped;
    node.score = score(found.decrease, found.weight);
    node.missing = static_cast<std::int16_t>(found.missing);
    node.heuristic = found.heuristic;
    if (!found.levels && rules.settings->random_cuts) {
      node.first_level = out.drawn.size();
      out.drawn.push_back(found.drawn);
    }
    if (found.levels) {
      node.first_level = out.levels.size();
      node.n_levels = static_cast<std::int32_t>(found.levels->size());
      out.levels.insert(out.levels.end(), found.levels->begin(), found.levels->end());
    }
    if (found.surrogates) surrogates(out, record, *found.surrogates);
    out.nodes.resize(out.nodes.size() + static_cast<std::size_t>(found.n_branches));
  }

  double score(double decrease, i64 weight) const {
    return rules.true_decrease(decrease) / (static_cast<double>(weight) * rules.y->unit);
  }

  // The next runner-up of a node.
  void competitor(Records& out, std::int32_t record, Competitor one, const std::vector<LevelBranch>* levels) const {
    Records::Node& node = out.nodes[record];
    if (node.n_competitors++ == 0) node.first_competitor = static_cast<u32>(out.competitors.size());
    if (levels) {
      one.first_level = out.levels.size();
      one.n_levels = static_cast<std::int32_t>(levels->size());
      out.levels.insert(out.levels.end(), levels->begin(), levels->end());
    }
    out.competitors.push_back(one);
  }

  // The surrogates of a node, with their levels.
  void surrogates(Records& out, std::int32_t record, const Surrogates& found) const {
    Records::Node& node = out.nodes[record];
    node.first_surrogate = out.surrogates.size();
    node.n_surrogates = static_cast<std::int32_t>(found.all().size());
    for (Surrogate one : found.all()) {
      const LevelBranch* levels = one.n_levels ? found.levels(one) : nullptr;
      one.first_level = out.levels.size();
      out.levels.insert(out.levels.end(), levels, levels + one.n_levels);
      out.surrogates.push_back(one);
    }
  }
};

}  // namespace boxwood::coded

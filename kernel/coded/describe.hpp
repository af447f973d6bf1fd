// Writes what is known of a node and its split into the records, in the terms of the tree.
// Invariant: the same doubles as node_facts.hpp and search.hpp of the general grower write.
// Cost: a few operations a node.
#pragma once

#include "records.hpp"
#include "search.hpp"

namespace boxwood::coded {

struct SplitFound {
  std::int32_t feature;
  double cut, decrease;
  i64 weight[3];  // of the left child, the right child, the node
};

struct Describer {
  const Rules rules;

  template <class R>
  void node(const R& response, Records& out, std::int32_t record, const typename R::Sums& sums, const Judged& judged) const {
    out.nodes[record].rows = static_cast<u32>(sums.n);
    response.describe(sums, judged, *rules.y, &out.moments[static_cast<std::size_t>(record) * response.moments()]);
  }

  // Adds the records of two children, not yet described.
  void split(Records& out, std::int32_t record, const SplitFound& found) const {
    Records::Node& node = out.nodes[record];
    node.first_child = out.size();
    node.feature = found.feature;
    node.cut = found.cut;
    const auto [left, right, all] = found.weight;
    node.score = rules.true_decrease(found.decrease) / (static_cast<double>(all) * rules.y->unit);
    const bool stays = rules.settings->policy == Policy::surrogate && (rules.settings->stay || left == right);
    node.missing = stays ? STAYS : right > left ? 1 : 0;
    const std::size_t width = out.moments.size() / out.nodes.size();
    out.nodes.resize(out.nodes.size() + 2);
    out.moments.resize(out.nodes.size() * width);
  }
};

}  // namespace boxwood::coded

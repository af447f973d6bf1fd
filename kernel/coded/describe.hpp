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
  i64 left, rows;
};

struct Describer {
  const Rules rules;

  template <class R>
  void node(const R& response, Records& out, std::int32_t record, const typename R::Sums& sums, const Judged& judged) const {
    out.nodes[record].rows = static_cast<u32>(sums.n);
    double* moments = &out.moments[static_cast<std::size_t>(record) * response.moments()];
    const Response& y = *rules.y;
    if constexpr (requires { sums.of; }) {
      for (int k = 0; k < response.moments(); ++k) moments[k] = static_cast<double>(sums.of[k]) * y.unit;
    } else {
      const Wide high = sums.sum + static_cast<Wide>(response.origin) * sums.n;
      const auto n = static_cast<double>(sums.n);
      const double part = static_cast<double>(high % sums.n) + std::ldexp(static_cast<double>(sums.low), -30);
      moments[0] = n * y.unit;
      moments[1] = y.center + (static_cast<double>(high / sums.n) + part / n) * y.scale;
      moments[2] = rules.true_decrease(judged.pure ? 0.0 : judged.risk);
    }
  }

  // Adds the records of two children, not yet described.
  void split(Records& out, std::int32_t record, const SplitFound& found) const {
    Records::Node& node = out.nodes[record];
    node.first_child = out.size();
    node.feature = found.feature;
    node.cut = found.cut;
    node.score = rules.true_decrease(found.decrease) / (static_cast<double>(found.rows) * rules.y->unit);
    const i64 right = found.rows - found.left;
    const bool stays = rules.settings->policy == Policy::surrogate && (rules.settings->stay || found.left == right);
    node.missing = stays ? STAYS : right > found.left ? 1 : 0;
    const std::size_t width = out.moments.size() / out.nodes.size();
    out.nodes.resize(out.nodes.size() + 2);
    out.moments.resize(out.nodes.size() * width);
  }
};

}  // namespace boxwood::coded

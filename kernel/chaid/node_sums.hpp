// What is known of a node before CHAID splits it, from the sums of its response: classes by entropy, or a numeric
// target.
// Invariant: sums are whole numbers, so they are the same for any order of samples. Cost: one pass over the samples.
#pragma once

#include <algorithm>
#include <span>

#include "response/mean.hpp"
#include "response/multiclass.hpp"
#include "search/entry_search.hpp"

namespace boxwood::chaid {

struct NodeSums {
  std::int64_t rows = 0, weight = 0;
  coded::NodeStats stats;
};

class NodeResponse {
 public:
  explicit NodeResponse(const ResponseColumns& y) : y_(y) {}

  bool is_mean() const { return y_.kind == ResponseColumns::Kind::mean; }
  coded::WeightedMulticlassResponse classes() const {
    return {{y_.codes, y_.n_classes, &entropy_, y_.weight, y_.factors}};
  }
  coded::WeightedMeanResponse mean() const { return {y_.high, y_.low, y_.weight}; }

  // Of some samples; `moments`: their line of Tree.moments, to be written.
  NodeSums collect(std::span<const std::uint32_t> ids, double* moments) const {
    if (!is_mean()) return collect(classes(), ids, moments);
    const auto is_constant = [&](const std::int64_t* part) {
      return std::all_of(ids.begin(), ids.end(), [&](std::uint32_t id) { return part[id] == part[ids[0]]; });
    };
    const bool by_low = is_constant(y_.high) && !is_constant(y_.low);
    NodeSums out = collect(by_low ? mean().of_low_parts(ids[0]) : mean(), ids, moments);
    out.stats.by_low = by_low;
    return out;
  }

 private:
  template <class R>
  NodeSums collect(const R& response, std::span<const std::uint32_t> ids, double* moments) const {
    typename R::Sums sums;
    for (const std::uint32_t id : ids) response.add(sums, id);
    response.close(sums);
    const coded::NodeStats stats = coded::node_of(response, sums).stats;
    response.describe(sums, stats, y_, moments);
    return {static_cast<std::int64_t>(ids.size()), response.weight(sums), stats};
  }

  const ResponseColumns y_;
  const ClassMeasure entropy_{Entropy{}};
};

}  // namespace boxwood::chaid

// The loss of held-out rows in every tree of a nested family, from one path to the root for each row.
// Invariant: rows are added in a canonical order (node, response, weight), so their order changes no bit of a sum.
// Cost: a few nanoseconds a row and node that predicts on its path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace boxwood {

// Loss of a row at a node: a table over (actual, predicted class), or the squared difference where there is none.
struct Losses {
  const double *predicted, *table;
  std::int32_t n_classes;

  double at(std::int32_t node, double y) const {
    if (table) return table[static_cast<std::int32_t>(y) * n_classes + static_cast<std::int32_t>(predicted[node])];
    const double difference = y - predicted[node];
    return difference * difference;
  }
};

struct NestedNodes {
  const std::int32_t* parent;
  const double* collapses_at;
  std::size_t nodes;
  const double* betas;  // alphas at which the trees are evaluated
  std::size_t n_betas;

  // The first beta that is not below an alpha.
  std::uint32_t first_step(double alpha) const {
    if (n_betas > 0 && alpha <= betas[0]) return 0;  // every leaf
    return static_cast<std::uint32_t>(std::lower_bound(betas, betas + n_betas, alpha) - betas);
  }
};

struct HeldOutRow {
  std::int32_t node;
  double y, weight;
};

// By node, then response, then weight.
inline std::vector<HeldOutRow> in_canonical_order(const std::vector<HeldOutRow>& rows, std::size_t nodes) {
  std::vector<std::uint32_t> start(nodes + 1, 0);
  for (const HeldOutRow& row : rows) ++start[row.node + 1];
  for (std::size_t t = 0; t < nodes; ++t) start[t + 1] += start[t];
  std::vector<HeldOutRow> out(rows.size());
  for (const HeldOutRow& row : rows) out[start[row.node]++] = row;
  const auto less = [](const HeldOutRow& a, const HeldOutRow& b) {
    return std::tie(a.y, a.weight) < std::tie(b.y, b.weight);
  };
  for (std::size_t i = 0, end; i < out.size(); i = end) {
    end = start[out[i].node];
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(i), out.begin() + static_cast<std::ptrdiff_t>(end), less);
  }
  return out;
}

// The betas for which a node on the path of some row is a leaf: from `begin` up to `end`; and the next node above it
// that is a leaf for any.
struct LeafRanges {
  std::vector<std::uint32_t> begin, end;
  std::vector<std::int32_t> above;

  LeafRanges(const NestedNodes& family, const std::vector<HeldOutRow>& rows)
      : begin(family.nodes), end(family.nodes), above(family.parent, family.parent + family.nodes) {
    std::vector<std::uint8_t> on_path(family.nodes, 0);
    for (const HeldOutRow& row : rows)
      for (std::int32_t t = row.node; t >= 0 && !on_path[t]; t = family.parent[t]) on_path[t] = 1;
    for (std::size_t t = 0; t < family.nodes; ++t) {
      if (!on_path[t]) continue;
      begin[t] = family.first_step(family.collapses_at[t]);
      end[t] = t ? begin[above[t]] : static_cast<std::uint32_t>(family.n_betas);
      // Skip a node that is a leaf for no beta.
      if (t && begin[above[t]] >= end[above[t]]) above[t] = above[above[t]];
    }
  }
};

// Changes of the sums of weight * loss, and of weight * loss squared, from one beta to the next: two rows of n_betas
// + 1. All rows go up one node at a time; what they add and remove at a beta is summed before it joins the changes.
inline std::vector<double> loss_changes(const NestedNodes& family, const Losses& losses,
                                        const std::vector<HeldOutRow>& given) {
  struct Climber {
    HeldOutRow row;
    std::uint32_t start;
  };
  struct Sums {
    double added = 0.0, removed = 0.0, squares_added = 0.0, squares_removed = 0.0;
  };
  const LeafRanges leaf(family, given);
  std::vector<Climber> climbers;
  climbers.reserve(given.size());
  for (const HeldOutRow& row : in_canonical_order(given, family.nodes)) climbers.push_back({row, 0});
  const std::size_t width = family.n_betas + 1;
  std::vector<double> changes(2 * width, 0.0);
  std::vector<Sums> sums(width);
  std::vector<std::uint32_t> touched;
  while (!climbers.empty()) {
    std::size_t going = 0;
    for (const auto& [row, start] : climbers) {
      const std::uint32_t end = leaf.end[row.node];
      const double loss = losses.at(row.node, row.y), once = row.weight * loss, squared = row.weight * (loss * loss);
      sums[start].added += once;
      sums[start].squares_added += squared;
      sums[end].removed += once;
      sums[end].squares_removed += squared;
      touched.insert(touched.end(), {start, end});
      const std::int32_t next = leaf.above[row.node];
      if (next >= 0) climbers[going++] = {{next, row.y, row.weight}, leaf.begin[next]};
    }
    climbers.resize(going);
    for (const std::uint32_t i : std::exchange(touched, {})) {
      const Sums here = std::exchange(sums[i], {});
      changes[i] += here.added - here.removed;
      changes[width + i] += here.squares_added - here.squares_removed;
    }
  }
  return changes;
}

}  // namespace boxwood

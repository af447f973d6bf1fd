// The loss of held-out rows in every tree of a nested family.
// Invariant: the order of the rows changes no bit of a sum: they are added in a canonical order (node, response,
// weight), or their weights are whole numbers. Classes are summed by node first, because the loss of a row depends on
// its class and the node alone: a row costs a nanosecond, a node one a class. Numbers climb to the root one node at a
// time: a few nanoseconds a row and node that predicts on its path.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace boxwood {

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

// `square` is the square of the weight, or what else weighs the squares of losses.
struct HeldOutRow {
  std::int32_t node;
  double y, weight, square;
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

// Changes of the sums of weight * loss, square * loss and square * loss^2 from one beta to the next: three rows of
// n_betas + 1; the loss is the squared difference from what a node predicts. All rows go up one node at a time; what
// they add and remove at a beta is summed before it joins the changes.
inline std::vector<double> squared_error_changes(const NestedNodes& family, const double* predicted,
                                                 const std::vector<HeldOutRow>& given) {
  using Sums = std::array<double, 3>;
  struct Climber {
    HeldOutRow row;
    std::uint32_t start;
  };
  const LeafRanges leaf(family, given);
  std::vector<Climber> climbers;
  climbers.reserve(given.size());
  for (const HeldOutRow& row : in_canonical_order(given, family.nodes)) climbers.push_back({row, 0});
  const std::size_t width = family.n_betas + 1;
  std::vector<double> changes(3 * width, 0.0);
  std::vector<Sums> added(width, Sums{}), removed(width, Sums{});
  std::vector<std::uint32_t> touched;
  while (!climbers.empty()) {
    std::size_t going = 0;
    for (const auto& [row, start] : climbers) {
      const std::uint32_t end = leaf.end[row.node];
      const double difference = row.y - predicted[row.node], loss = difference * difference;
      const Sums sums{row.weight * loss, row.square * loss, row.square * (loss * loss)};
      for (std::size_t i = 0; i < 3; ++i) added[start][i] += sums[i], removed[end][i] += sums[i];
      touched.insert(touched.end(), {start, end});
      const std::int32_t next = leaf.above[row.node];
      if (next >= 0) climbers[going++] = {{next, row.y, row.weight, row.square}, leaf.begin[next]};
    }
    climbers.resize(going);
    for (const std::uint32_t at : std::exchange(touched, {})) {
      const Sums more = std::exchange(added[at], {}), less = std::exchange(removed[at], {});
      for (std::size_t i = 0; i < 3; ++i) changes[i * width + at] += more[i] - less[i];
    }
  }
  return changes;
}

// Losses of each class at each node, several of them: n_tables times nodes times n_classes.
struct ClassLosses {
  const double* loss;
  std::size_t n_tables, n_classes;
};

// Weights of held-out rows by node and class, and their squares.
struct ClassWeights {
  std::vector<double> weight, square;

  ClassWeights(const std::vector<HeldOutRow>& rows, std::size_t nodes, std::size_t n_classes)
      : weight(nodes * n_classes, 0.0), square(nodes * n_classes, 0.0) {
    const auto is_whole = [](const HeldOutRow& row) { return row.weight == std::floor(row.weight); };
    const auto add = [&](const HeldOutRow& row) {
      const std::size_t at = row.node * n_classes + static_cast<std::size_t>(row.y);
      weight[at] += row.weight;
      square[at] += row.square;
    };
    if (std::all_of(rows.begin(), rows.end(), is_whole))
      std::for_each(rows.begin(), rows.end(), add);
    else
      for (const HeldOutRow& row : in_canonical_order(rows, nodes)) add(row);
  }
  // From rows that end at a node to rows that reach it.
  void add_up(const std::int32_t* parent, std::size_t nodes, std::size_t n_classes) {
    for (std::size_t t = nodes; t-- > 1;)
      for (std::size_t k = 0; k < n_classes; ++k) {
        weight[parent[t] * n_classes + k] += weight[t * n_classes + k];
        square[parent[t] * n_classes + k] += square[t * n_classes + k];
      }
  }
};

// Changes of the sums of weight * loss, square * loss, square * loss^2 and square * loss * loss of the root from one
// beta to the next: n_tables times strata times 4 times n_betas + 1. One stratum, or one a class.
inline std::vector<double> class_loss_changes(const NestedNodes& family, const ClassLosses& losses,
                                              const std::vector<HeldOutRow>& rows, std::size_t strata) {
  const std::size_t K = losses.n_classes, T = family.nodes, width = family.n_betas + 1;
  ClassWeights held(rows, T, K);
  std::vector<double> changes(losses.n_tables * strata * 4 * width, 0.0);
  const auto answers = [&](std::size_t t, std::size_t begin, std::size_t end) {
    for (std::size_t table = 0; table < losses.n_tables; ++table) {
      const double *of_root = losses.loss + table * T * K, *loss = of_root + t * K;
      for (std::size_t k = 0; k < K; ++k) {
        const double weight = held.weight[t * K + k], square = held.square[t * K + k] * loss[k];
        const double sums[4] = {weight * loss[k], square, square * loss[k], square * of_root[k]};
        double* to = changes.data() + (table * strata + (strata > 1 ? k : 0)) * 4 * width;
        for (std::size_t i = 0; weight > 0.0 && i < 4; ++i, to += width) to[begin] += sums[i], to[end] -= sums[i];
      }
    }
  };
  std::vector<std::uint32_t> begin(T);
  for (std::size_t t = 0; t < T; ++t) begin[t] = family.first_step(family.collapses_at[t]);
  for (std::size_t t = 0; t < T; ++t)
    if (begin[t] > 0) answers(t, 0, begin[t]);  // rows that end at a node although it splits
  held.add_up(family.parent, T, K);
  for (std::size_t t = 0; t < T; ++t) {
    const std::size_t end = t ? begin[family.parent[t]] : family.n_betas;
    if (begin[t] < end) answers(t, begin[t], end);
  }
  return changes;
}

}  // namespace boxwood

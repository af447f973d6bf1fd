// The loss of held-out rows in every tree of a nested family.
// Invariant: the order of the rows changes no bit of a sum: they are added in a canonical order (node, response,
// weight). Classes are summed by node first, because the loss of a row depends on its class and the node alone: a node
// costs a few nanoseconds for each class of the rows that reach it. Numbers climb to the root one node at a time: a few
// nanoseconds a row and node that predicts on its path.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
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

// A class of held-out rows at a node: the weight of those that reach it and what weighs squares; and of those that end
// there.
struct ClassAtNode {
  std::int32_t node = -1, of = 0;
  double weight = 0, square = 0, ending = 0, ending_square = 0;
};

// The classes of the rows that reach each node; nodes and their classes ascend.
inline std::vector<ClassAtNode> classes_at_nodes(const NestedNodes& family, std::size_t n_classes,
                                                 const std::vector<HeldOutRow>& given) {
  const std::vector<HeldOutRow> rows = in_canonical_order(given, family.nodes);
  std::vector<std::int32_t> last_child(family.nodes, -1), child_before(family.nodes, -1), classes;
  for (std::size_t t = 1; t < family.nodes; ++t)
    child_before[t] = std::exchange(last_child[family.parent[t]], static_cast<std::int32_t>(t));
  std::vector<ClassAtNode> out, here(n_classes);
  std::vector<std::size_t> begin(family.nodes + 1);  // of each node in `out`, which begins with the last one
  auto row = rows.end();
  for (auto t = static_cast<std::int32_t>(family.nodes); t-- > 0;) {
    const auto at = [&](std::int32_t k) -> ClassAtNode& {
      if (here[k].node != t) classes.push_back(k), here[k] = {t, k};
      return here[k];
    };
    const auto after = row;
    while (row != rows.begin() && std::prev(row)->node == t) --row;
    for (auto own = row; own != after; ++own) {
      ClassAtNode& to = at(static_cast<std::int32_t>(own->y));
      to.weight = to.ending += own->weight;
      to.square = to.ending_square += own->square;
    }
    // The last child first: so sums are always rounded in one order.
    for (std::int32_t child = last_child[t]; child >= 0; child = child_before[child])
      for (std::size_t i = begin[child + 1]; i < begin[child]; ++i) {
        ClassAtNode& to = at(out[i].of);
        to.weight += out[i].weight;
        to.square += out[i].square;
      }
    std::sort(classes.begin(), classes.end(), std::greater<>());
    for (const std::int32_t k : classes) out.push_back(here[k]);
    classes.clear();
    begin[t] = out.size();
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// Losses of each of these classes at its node, in tables that are `stride` apart.
struct ClassLosses {
  const double* loss;
  std::size_t n_tables, stride, n_classes;
};

// Changes of the sums of weight * loss, square * loss, square * loss^2 and square * loss * loss of the root from one
// beta to the next: n_tables times strata times 4 times n_betas + 1. One stratum, or one a class.
inline std::vector<double> class_loss_changes(const NestedNodes& family, const std::vector<ClassAtNode>& held,
                                              const ClassLosses& losses, std::size_t strata) {
  const std::size_t n = held.size(), K = losses.n_classes, width = family.n_betas + 1;
  std::vector<double> changes(losses.n_tables * strata * 4 * width, 0.0), of_root(losses.n_tables * K);
  for (std::size_t i = 0; i < n && held[i].node == 0; ++i)
    for (std::size_t table = 0; table < losses.n_tables; ++table)
      of_root[table * K + held[i].of] = losses.loss[table * losses.stride + i];
  const auto answers = [&](std::size_t i, double weight, double square, std::size_t begin, std::size_t end) {
    const auto k = static_cast<std::size_t>(held[i].of);
    for (std::size_t table = 0; weight > 0.0 && table < losses.n_tables; ++table) {
      const double loss = losses.loss[table * losses.stride + i], once = square * loss;
      const double sums[4] = {weight * loss, once, once * loss, once * of_root[table * K + k]};
      double* to = changes.data() + (table * strata + (strata > 1 ? k : 0)) * 4 * width;
      for (std::size_t j = 0; j < 4; ++j, to += width) to[begin] += sums[j], to[end] -= sums[j];
    }
  };
  std::vector<std::uint32_t> begin(family.nodes);
  for (std::size_t t = 0; t < family.nodes; ++t) begin[t] = family.first_step(family.collapses_at[t]);
  for (std::size_t i = 0; i < n; ++i)  // rows that end at a node although it splits
    if (begin[held[i].node] > 0) answers(i, held[i].ending, held[i].ending_square, 0, begin[held[i].node]);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t t = held[i].node;
    const std::size_t end = t ? begin[family.parent[t]] : family.n_betas;
    if (begin[t] < end) answers(i, held[i].weight, held[i].square, begin[t], end);
  }
  return changes;
}

}  // namespace boxwood

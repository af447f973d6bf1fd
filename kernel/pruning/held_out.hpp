// What rows that a tree was not grown from lose in every tree of a nested family, from one way up for each row.
// Invariant: rows are added in an order of their own (node, response, weight), so how they come changes no bit of a sum; rows that are
// alike may come as one with their number.
// Cost: a few nanoseconds a row and node that answers on its way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace boxwood {

// Loss of a row at a node: a table over (class of the row, class said), or the squared difference where there is none.
struct Losses {
  const double *said, *table;
  std::int32_t n_classes;

  double at(std::int32_t node, double y) const {
    if (table) return table[static_cast<std::int32_t>(y) * n_classes + static_cast<std::int32_t>(said[node])];
    const double difference = y - said[node];
    return difference * difference;
  }
};

struct NestedNodes {
  const std::int32_t* parent;
  const double* collapses_at;
  std::size_t nodes;
  const double* betas;
  std::size_t n_betas;
};

// So many rows that end alike, say alike and weigh alike.
struct HeldOutRow {
  std::int32_t node;
  double y, weight;
  std::int64_t count = 1;
};

// By node, then response, then weight.
inline std::vector<HeldOutRow> in_canonical_order(const std::vector<HeldOutRow>& rows, std::size_t nodes) {
  std::vector<std::uint32_t> start(nodes + 1, 0);
  for (const HeldOutRow& row : rows) ++start[row.node + 1];
  for (std::size_t t = 0; t < nodes; ++t) start[t + 1] += start[t];
  std::vector<HeldOutRow> out(rows.size());
  for (const HeldOutRow& row : rows) out[start[row.node]++] = row;
  for (std::size_t i = 0; i < out.size();) {
    const std::size_t end = start[out[i].node];
    const auto less = [](const HeldOutRow& a, const HeldOutRow& b) { return std::tie(a.y, a.weight) < std::tie(b.y, b.weight); };
    if (end - i > 1) std::sort(out.begin() + static_cast<std::ptrdiff_t>(i), out.begin() + static_cast<std::ptrdiff_t>(end), less);
    i = end;
  }
  return out;
}

// Changes of the sums of weight * loss, and of weight * loss squared, from one beta to the next: two rows of n_betas + 1.
inline std::vector<double> loss_changes(const NestedNodes& family, const Losses& losses, const std::vector<HeldOutRow>& given) {
  const std::size_t width = family.n_betas + 1;
  std::vector<std::uint32_t> begin(family.nodes), end(family.nodes);
  std::vector<std::int32_t> above(family.parent, family.parent + family.nodes);
  for (std::size_t t = 0; t < family.nodes; ++t) {
    begin[t] = static_cast<std::uint32_t>(std::lower_bound(family.betas, family.betas + family.n_betas, family.collapses_at[t]) - family.betas);
    end[t] = t ? begin[above[t]] : static_cast<std::uint32_t>(family.n_betas);
    // A node that answers for no beta is jumped over.
    if (t && begin[above[t]] >= end[above[t]]) above[t] = above[above[t]];
  }
  struct Climber {
    std::int32_t at;
    std::uint32_t start;
    double y, weight;
    std::int64_t count;
  };
  std::vector<Climber> climbers;
  climbers.reserve(given.size());
  for (const HeldOutRow& row : in_canonical_order(given, family.nodes)) climbers.push_back({row.node, 0, row.y, row.weight, row.count});
  std::vector<double> changes(2 * width, 0.0), comes(2 * width), goes(2 * width);
  while (!climbers.empty()) {
    std::fill(comes.begin(), comes.end(), 0.0);
    std::fill(goes.begin(), goes.end(), 0.0);
    std::size_t going = 0;
    for (const Climber& row : climbers) {
      const double loss = losses.at(row.at, row.y), once = row.weight * loss, squared = row.weight * (loss * loss);
      const std::size_t from = row.start, to = end[row.at];
      for (std::int64_t k = 0; k < row.count; ++k) {  // one by one: sums of floats are those of single rows
        comes[from] += once;
        comes[width + from] += squared;
        goes[to] += once;
        goes[width + to] += squared;
      }
      const std::int32_t next = above[row.at];
      if (next >= 0) climbers[going++] = {next, begin[next], row.y, row.weight, row.count};
    }
    climbers.resize(going);
    for (std::size_t i = 0; i < changes.size(); ++i) changes[i] += comes[i] - goes[i];
  }
  return changes;
}

}  // namespace boxwood

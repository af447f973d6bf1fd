// What rows that a tree was not grown from lose in every tree of a nested family, from one way up for each row.
// Invariant: rows are added in an order of their own (node, response, weight), so how they come changes no bit of a
// sum; rows that are alike may come as one with their number. Cost: a few nanoseconds a row and node that answers on
// its way.
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

  // The first beta that is not below a price.
  std::uint32_t first_row(double price) const {
    if (n_betas > 0 && price <= betas[0]) return 0;  // every leaf
    return static_cast<std::uint32_t>(std::lower_bound(betas, betas + n_betas, price) - betas);
  }
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
    const auto less = [](const HeldOutRow& a, const HeldOutRow& b) {
      return std::tie(a.y, a.weight) < std::tie(b.y, b.weight);
    };
    if (end - i > 1)
      std::sort(out.begin() + static_cast<std::ptrdiff_t>(i), out.begin() + static_cast<std::ptrdiff_t>(end), less);
    i = end;
  }
  return out;
}

// Sums over rows of what each adds to a range of betas, kept as changes at the ends of the ranges.
class RangeSums {
 public:
  explicit RangeSums(std::size_t betas) : width_(betas + 1), changes_(2 * width_, 0.0), sums_(width_) {}

  // `count` times, one by one: sums of floats are those of single rows.
  void add(std::uint32_t from, std::uint32_t to, double weight, double loss, std::int64_t count) {
    const double once = weight * loss, squared = weight * (loss * loss);
    for (std::int64_t k = 0; k < count; ++k) {
      sums_[from].comes += once;
      sums_[from].squares_come += squared;
      sums_[to].goes += once;
      sums_[to].squares_go += squared;
    }
    touched_.push_back(from);
    touched_.push_back(to);
  }
  // What was added since the last time becomes part of the changes.
  void settle() {
    for (const std::uint32_t i : touched_) {
      Sums& here = sums_[i];
      changes_[i] += here.comes - here.goes;
      changes_[width_ + i] += here.squares_come - here.squares_go;
      here = {};
    }
    touched_.clear();
  }
  // Of the losses, then of their squares.
  std::vector<double> changes() && { return std::move(changes_); }

 private:
  struct Sums {
    double comes = 0.0, goes = 0.0, squares_come = 0.0, squares_go = 0.0;
  };

  std::size_t width_;
  std::vector<double> changes_;
  std::vector<Sums> sums_;
  std::vector<std::uint32_t> touched_;
};

// Where each node answers that some row meets on its way: from `begin` up to `end`; the next node above it that answers
// at all.
struct Answers {
  std::vector<std::uint32_t> begin, end;
  std::vector<std::int32_t> above;

  Answers(const NestedNodes& family, const std::vector<HeldOutRow>& rows)
      : begin(family.nodes), end(family.nodes), above(family.parent, family.parent + family.nodes) {
    std::vector<std::uint8_t> is_met(family.nodes, 0);
    for (const HeldOutRow& row : rows)
      for (std::int32_t t = row.node; t >= 0 && !is_met[t]; t = family.parent[t]) is_met[t] = 1;
    for (std::size_t t = 0; t < family.nodes; ++t) {
      if (!is_met[t]) continue;
      begin[t] = family.first_row(family.collapses_at[t]);
      end[t] = t ? begin[above[t]] : static_cast<std::uint32_t>(family.n_betas);
      // A node that answers for no beta is jumped over.
      if (t && begin[above[t]] >= end[above[t]]) above[t] = above[above[t]];
    }
  }
};

// Changes of the sums of weight * loss, and of weight * loss squared, from one beta to the next: two rows of n_betas
// + 1.
inline std::vector<double> loss_changes(const NestedNodes& family, const Losses& losses,
                                        const std::vector<HeldOutRow>& given) {
  const Answers answers(family, given);
  struct Climber {
    HeldOutRow row;
    std::uint32_t start;
  };
  std::vector<Climber> climbers;
  climbers.reserve(given.size());
  for (const HeldOutRow& row : in_canonical_order(given, family.nodes)) climbers.push_back({row, 0});
  RangeSums sums(family.n_betas);
  while (!climbers.empty()) {
    std::size_t going = 0;
    for (const auto& [row, start] : climbers) {
      sums.add(start, answers.end[row.node], row.weight, losses.at(row.node, row.y), row.count);
      const std::int32_t next = answers.above[row.node];
      if (next >= 0) climbers[going++] = {{next, row.y, row.weight, row.count}, answers.begin[next]};
    }
    climbers.resize(going);
    sums.settle();
  }
  return std::move(sums).changes();
}

}  // namespace boxwood

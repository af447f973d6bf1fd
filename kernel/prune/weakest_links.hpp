// The price of a leaf at which each node collapses: Breiman et al. (1984, chapter 3), the whole sequence at once.
// Invariant: the minimum cost of a branch is concave and piecewise linear in the price; its bends are kept in a heap,
// highest price first. Cost: O(T log T), no allocation a node. Source of the heaps: Fredman, Sedgewick, Sleator,
// Tarjan, The pairing heap, Algorithmica 1, 1986.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "encode/radix_sort.hpp"

namespace boxwood {

// Below `alpha` the branch has `leaves` more leaves and `risk` more risk (a negative number).
struct Bend {
  double alpha;
  std::int64_t leaves;
  double risk;
  // Highest price first; equal ones in a fixed order, so that sums of them are the same doubles.
  bool comes_before(const Bend& other) const {
    if (alpha != other.alpha) return alpha > other.alpha;
    return leaves != other.leaves ? leaves < other.leaves : risk < other.risk;
  }
};

// Pairing heaps of bends in one list; a heap is the index of its first bend, or NONE.
class BendHeaps {
 public:
  static constexpr std::int32_t NONE = -1;

  explicit BendHeaps(std::size_t most) { items_.reserve(most); }
  const Bend& first(std::int32_t heap) const { return items_[heap].bend; }

  std::int32_t with(std::int32_t heap, const Bend& bend) {
    items_.push_back({bend, NONE, NONE});
    return joined(heap, static_cast<std::int32_t>(items_.size()) - 1);
  }
  std::int32_t joined(std::int32_t a, std::int32_t b) {
    if (a == NONE || b == NONE) return a == NONE ? b : a;
    if (items_[b].bend.comes_before(items_[a].bend)) std::swap(a, b);
    items_[b].next = items_[a].child;
    items_[a].child = b;
    return a;
  }
  std::int32_t without_first(std::int32_t heap) {
    pairs_.clear();
    for (std::int32_t at = items_[heap].child; at != NONE;) {
      const std::int32_t partner = items_[at].next, rest = partner == NONE ? NONE : items_[partner].next;
      items_[at].next = NONE;
      if (partner != NONE) items_[partner].next = NONE;
      pairs_.push_back(joined(at, partner));
      at = rest;
    }
    std::int32_t out = NONE;
    for (std::size_t i = pairs_.size(); i-- > 0;) out = joined(pairs_[i], out);
    return out;
  }

 private:
  struct Item {
    Bend bend;
    std::int32_t child, next;
  };
  std::vector<Item> items_;
  std::vector<std::int32_t> pairs_;
};

struct Links {
  const std::int32_t *parent, *first_child, *n_children;
  std::size_t nodes;
  double tolerance;
};

// Price from which on `decrease` of risk does not pay for `leaves` leaves instead of one.
inline double crossing(double decrease, std::int64_t leaves, double tolerance) {
  if (leaves == 1) return decrease > tolerance ? std::numeric_limits<double>::infinity() : 0.0;
  const double alpha = decrease / static_cast<double>(leaves - 1);
  return alpha > tolerance ? alpha : 0.0;
}

// `top`: risk of each node as a leaf on entry; of each branch above all bends on return. Child indices exceed their
// parent's.
inline std::vector<double> own_collapse(const Links& tree, std::vector<double> top) {
  std::vector<double> own(tree.nodes, 0.0);
  std::vector<std::int32_t> bends(tree.nodes, BendHeaps::NONE);
  BendHeaps heaps(tree.nodes);
  for (std::size_t t = tree.nodes; t-- > 0;) {
    const std::int32_t child = tree.first_child[t], count = tree.n_children[t];
    if (count == 0) continue;
    std::int32_t heap = BendHeaps::NONE;
    double below = 0.0;
    for (std::int32_t c = 0; c < count; ++c) {
      heap = heaps.joined(heap, bends[child + c]);
      below += top[child + c];
    }
    const double all_collapsed = below;
    std::int64_t leaves = count;
    double alpha = crossing(top[t] - below, leaves, tree.tolerance);
    while (heap != BendHeaps::NONE && heaps.first(heap).alpha > alpha) {
      leaves += heaps.first(heap).leaves;
      below += heaps.first(heap).risk;
      heap = heaps.without_first(heap);
      alpha = crossing(top[t] - below, leaves, tree.tolerance);
    }
    own[t] = alpha;
    if (alpha == std::numeric_limits<double>::infinity()) {
      top[t] = all_collapsed;
      bends[t] = heap;
    } else if (alpha > 0.0) {
      bends[t] = heaps.with(heap, {alpha, leaves - 1, below - top[t]});
    }
  }
  return own;
}

// The nested family: row s is optimal from alphas[s] up to the next alpha.
struct Family {
  std::vector<double> collapses_at, alphas;
  std::vector<std::int64_t> n_leaves;
  std::vector<double> risks;
};

// Prices, none above its parent's, those within the tolerance of the least of a group made equal; returns the row of
// the family in which each node collapses (one past the last where it never does).
inline std::vector<std::uint32_t> rows_of_nodes(const Links& tree, Family& family) {
  std::vector<double>& prices = family.collapses_at;
  std::vector<std::uint64_t> keys(tree.nodes);
  std::vector<std::uint32_t> inner;
  for (std::size_t t = 0; t < tree.nodes; ++t) {
    if (t > 0) prices[t] = std::min(prices[t], prices[tree.parent[t]]);
    keys[t] = ordered_bits(prices[t]);
    if (prices[t] > 0.0) inner.push_back(static_cast<std::uint32_t>(t));
  }
  std::vector<std::uint32_t> row(tree.nodes, 0);
  double group = 0.0;
  family.alphas.push_back(0.0);
  for (const std::uint32_t t : order_of(keys, inner)) {
    if (prices[t] > group + tree.tolerance) {
      group = prices[t];
      if (std::isfinite(group)) family.alphas.push_back(group);
    }
    prices[t] = group;
    row[t] = static_cast<std::uint32_t>(std::isfinite(group) ? family.alphas.size() - 1 : family.alphas.size());
  }
  return row;
}

// Node t is a leaf of the trees from its own row up to its parent's; sums of a row are those before it, with changes.
inline Family family_of(const Links& tree, const std::vector<double>& risk) {
  Family family;
  family.collapses_at = own_collapse(tree, risk);
  const auto own = rows_of_nodes(tree, family);
  const std::size_t rows = family.alphas.size();
  std::vector<double> added(rows + 1, 0.0), removed(rows + 1, 0.0);
  std::vector<std::int64_t> more(rows + 1, 0);
  for (std::size_t t = 0; t < tree.nodes; ++t) {
    const std::size_t until = t ? own[tree.parent[t]] : rows;
    if (own[t] >= until) continue;
    added[own[t]] += risk[t];
    removed[until] += risk[t];
    ++more[own[t]];
    --more[until];
  }
  double sum = 0.0;
  std::int64_t leaves = 0;
  for (std::size_t s = 0; s < rows; ++s) {
    sum += added[s] - removed[s];
    leaves += more[s];
    family.risks.push_back(s >= own[0] ? risk[0] : sum);
    family.n_leaves.push_back(leaves);
  }
  return family;
}

}  // namespace boxwood

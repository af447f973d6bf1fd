// The alpha, the price of a leaf, at which each node collapses: Breiman et al. (1984, chapter 3), the whole sequence at
// once. Invariant: the minimum cost of a branch is concave and piecewise linear in alpha; its breakpoints are kept in a
// heap, highest alpha first. Cost: O(T (log T)^2) at most, since those of the smaller branch move to the larger one's.
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
struct Breakpoint {
  double alpha;
  std::int64_t leaves;
  double risk;
  // The highest alpha is the greatest; equal ones have a fixed order, so that sums of them are the same doubles.
  bool operator<(const Breakpoint& other) const {
    if (alpha != other.alpha) return alpha < other.alpha;
    return leaves != other.leaves ? leaves > other.leaves : risk > other.risk;
  }
};
using Breakpoints = std::vector<Breakpoint>;  // a heap

inline void push(Breakpoints& heap, const Breakpoint& one) {
  heap.push_back(one);
  std::push_heap(heap.begin(), heap.end());
}

inline void move_into(Breakpoints& into, Breakpoints from) {
  if (into.size() < from.size()) std::swap(into, from);
  for (const Breakpoint& one : from) push(into, one);
}

struct TreeShape {
  const std::int32_t *parent, *first_child, *n_children;
  std::size_t nodes;
  double tolerance;
};

// Alpha from which on `decrease` of risk does not pay for `leaves` leaves instead of one.
inline double crossing(double decrease, std::int64_t leaves, double tolerance) {
  if (leaves == 1) return decrease > tolerance ? std::numeric_limits<double>::infinity() : 0.0;
  const double alpha = decrease / static_cast<double>(leaves - 1);
  return alpha > tolerance ? alpha : 0.0;
}

// `top`: risk of each node as a leaf on entry; of each branch above all breakpoints on return. Child indices exceed
// their parent's.
inline std::vector<double> collapse_alphas(const TreeShape& tree, std::vector<double> top) {
  std::vector<double> own(tree.nodes, 0.0);
  std::vector<Breakpoints> breakpoints(tree.nodes);
  for (std::size_t t = tree.nodes; t-- > 0;) {
    const std::int32_t child = tree.first_child[t], count = tree.n_children[t];
    if (count == 0) continue;
    Breakpoints& heap = breakpoints[t];
    double below = 0.0;
    for (std::int32_t c = 0; c < count; ++c) {
      move_into(heap, std::move(breakpoints[child + c]));
      below += top[child + c];
    }
    const double all_collapsed = below;
    std::int64_t leaves = count;
    double alpha = crossing(top[t] - below, leaves, tree.tolerance);
    while (!heap.empty() && heap.front().alpha > alpha) {
      leaves += heap.front().leaves;
      below += heap.front().risk;
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
      alpha = crossing(top[t] - below, leaves, tree.tolerance);
    }
    own[t] = alpha;
    if (alpha == std::numeric_limits<double>::infinity()) {
      top[t] = all_collapsed;
    } else if (alpha > 0.0) {
      push(heap, {alpha, leaves - 1, below - top[t]});
    } else {
      heap = {};
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

// Alphas of nodes, none above its parent's, those within the tolerance of the least of a group made equal; returns the
// row of the family in which each node collapses (one past the last where it never does).
inline std::vector<std::uint32_t> collapse_steps(const TreeShape& tree, Family& family) {
  std::vector<double>& collapses_at = family.collapses_at;
  std::vector<std::uint64_t> keys(tree.nodes);
  std::vector<std::uint32_t> inner;
  for (std::size_t t = 0; t < tree.nodes; ++t) {
    if (t > 0) collapses_at[t] = std::min(collapses_at[t], collapses_at[tree.parent[t]]);
    keys[t] = ordered_bits(collapses_at[t]);
    if (collapses_at[t] > 0.0) inner.push_back(static_cast<std::uint32_t>(t));
  }
  std::vector<std::uint32_t> row(tree.nodes, 0);
  double group = 0.0;
  family.alphas.push_back(0.0);
  for (const std::uint32_t t : order_of(keys, inner)) {
    if (collapses_at[t] > group + tree.tolerance) {
      group = collapses_at[t];
      if (std::isfinite(group)) family.alphas.push_back(group);
    }
    collapses_at[t] = group;
    row[t] = static_cast<std::uint32_t>(std::isfinite(group) ? family.alphas.size() - 1 : family.alphas.size());
  }
  return row;
}

// Node t is a leaf of the trees from its own row up to its parent's; sums of a row are those before it, with changes.
inline Family family_of(const TreeShape& tree, const std::vector<double>& risk) {
  Family family;
  family.collapses_at = collapse_alphas(tree, risk);
  const auto own = collapse_steps(tree, family);
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

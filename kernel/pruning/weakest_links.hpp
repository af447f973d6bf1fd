// At which price of a leaf each node becomes the cheaper leaf: Breiman et al. (1984, chapter 3), the whole sequence at once.
// Invariant: the least cost of a branch is concave and piecewise linear in the price; its bends wait in a heap, highest price first.
// Cost: O(T log T); smaller heaps are poured into the largest, so a bend moves at most log2(T) times.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace boxwood {

// Below `alpha` the branch has so many more leaves and so much more risk (a negative number).
struct Bend {
  double alpha;
  std::int64_t leaves;
  double risk;
  // Highest price first; equal ones in a fixed order, so that sums of them are the same doubles.
  bool operator<(const Bend& other) const {
    return std::tuple(-alpha, leaves, risk) > std::tuple(-other.alpha, other.leaves, other.risk);
  }
};

struct Links {
  const std::int32_t *first_child, *n_children;
  std::size_t nodes;
  double tolerance;
};

// Price from which on `decrease` of risk does not pay for `leaves` leaves instead of one.
inline double crossing(double decrease, std::int64_t leaves, double tolerance) {
  if (leaves == 1) return decrease > tolerance ? std::numeric_limits<double>::infinity() : 0.0;
  const double alpha = decrease / static_cast<double>(leaves - 1);
  return alpha > tolerance ? alpha : 0.0;
}

using Heap = std::vector<Bend>;

inline Heap poured_together(Heap* heaps, std::int32_t count) {
  Heap* largest = std::max_element(heaps, heaps + count, [](const Heap& a, const Heap& b) { return a.size() < b.size(); });
  Heap out = std::move(*largest);
  for (std::int32_t c = 0; c < count; ++c) {
    if (&heaps[c] == largest) continue;
    for (const Bend& bend : heaps[c]) {
      out.push_back(bend);
      std::push_heap(out.begin(), out.end());
    }
    heaps[c] = Heap{};
  }
  return out;
}

// `top`: risk of each node as a leaf on entry; of each branch above all bends on return. Children stand behind their parent.
inline std::vector<double> own_collapse(const Links& tree, std::vector<double> top) {
  std::vector<double> own(tree.nodes, 0.0);
  std::vector<Heap> bends(tree.nodes);
  for (std::size_t t = tree.nodes; t-- > 0;) {
    const std::int32_t child = tree.first_child[t], count = tree.n_children[t];
    if (count == 0) continue;
    Heap heap = poured_together(&bends[child], count);
    double below = 0.0;
    for (std::int32_t c = 0; c < count; ++c) below += top[child + c];
    const double all_collapsed = below;
    std::int64_t leaves = count;
    double alpha = crossing(top[t] - below, leaves, tree.tolerance);
    while (!heap.empty() && heap.front().alpha > alpha) {
      std::pop_heap(heap.begin(), heap.end());
      leaves += heap.back().leaves;
      below += heap.back().risk;
      heap.pop_back();
      alpha = crossing(top[t] - below, leaves, tree.tolerance);
    }
    own[t] = alpha;
    if (alpha == std::numeric_limits<double>::infinity()) {
      top[t] = all_collapsed;
      bends[t] = std::move(heap);
    } else if (alpha > 0.0) {
      heap.push_back({alpha, leaves - 1, below - top[t]});
      std::push_heap(heap.begin(), heap.end());
      bends[t] = std::move(heap);
    }
  }
  return own;
}

}  // namespace boxwood

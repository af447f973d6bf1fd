// A stretch of a sorted column by class: what its rows weigh of each, and how far each class gets ahead of each other
// one. A cut with masses L on its left and T in all leaves max_k L_k + max_j (T_j - L_j) to the largest classes of its
// sides, so the best cut is the greatest T_j + (L_k - L_j) over all pairs; and how far k gets ahead of j in a stretch
// follows from the two halves of it. Cost: W^2 additions for two stretches joined, or for one cut of a leaf.
#pragma once

#include "general/peeling/masses.hpp"

namespace boxwood {

// `M`: PeeledCounts or PeeledWeights. M::W is the number of classes, rounded up; those that do not exist have no rows.
template <class M>
struct Stretch {
  static constexpr int W = M::W;
  using Sum = typename M::Sum;
  using Lead = typename M::Lead;
  std::int32_t rows;
  Sum sums[W];
  Lead leads[W][W];  // leads[k][j]: the most of L_k - L_j over its cuts, counted from where it begins

  void clear() {
    rows = 0;
    std::fill_n(sums, W, Sum{0});
    std::fill_n(&leads[0][0], W * W, M::NO_CUT);
  }

  // One more cut, with all rows counted so far on its left.
  void add_cut(const M& masses) {
    Lead left[W];
    for (int k = 0; k < W; ++k) left[k] = masses.mass(sums[k], k);
    for (int k = 0; k < W; ++k)
      for (int j = 0; j < W; ++j) leads[k][j] = std::max(leads[k][j], left[k] - left[j]);
  }

  void join(const Stretch& first, const Stretch& second, const M& masses) {
    Lead left[W];
    for (int k = 0; k < W; ++k) left[k] = masses.mass(first.sums[k], k);
    for (int k = 0; k < W; ++k)
      for (int j = 0; j < W; ++j) leads[k][j] = std::max(first.leads[k][j], left[k] - left[j] + second.leads[k][j]);
    for (int k = 0; k < W; ++k) sums[k] = first.sums[k] + second.sums[k];
    rows = first.rows + second.rows;
  }

  // What the two largest classes weigh at its best cut, when `before` lies left of it and `total` is in all.
  Lead most(const Sum* before, const Sum* total, const M& masses) const {
    Lead left[W], right[W], best = M::NO_CUT;
    for (int k = 0; k < W; ++k) {
      left[k] = masses.mass(before[k], k);
      right[k] = masses.mass(total[k] - before[k], k);
    }
    for (int k = 0; k < W; ++k)
      for (int j = 0; j < W; ++j) best = std::max(best, right[j] + left[k] + leads[k][j]);
    return best;
  }
};

// The same for one cut, with `left` on its left; rounded as the measure rounds it.
template <class M>
typename M::Lead mass_of_largest(const typename M::Sum* left, const typename M::Sum* total, const M& masses) {
  typename M::Lead below = 0, above = 0;
  for (int k = 0; k < M::W; ++k) {
    below = std::max(below, masses.mass(left[k], k));
    above = std::max(above, masses.mass(total[k] - left[k], k));
  }
  return below + above;
}

}  // namespace boxwood

// A stretch of a sorted column by class: how many rows it has of each, and how far each class gets ahead of each other one.
// A cut with counts L on its left and T in all leaves max_k L_k + max_j (T_j - L_j) rows of the two largest classes, so the best cut is
// the greatest T_j + (L_k - L_j) over all pairs; and how far k gets ahead of j in a stretch follows from the two halves of it.
// Cost: W^2 additions for two stretches joined, or for one cut of a leaf.
#pragma once

#include <algorithm>
#include <cstdint>

namespace boxwood {

// Less than any lead: a stretch without a cut. Leads of up to 2^29 rows may be added to it.
constexpr std::int32_t NO_CUT = -(std::int32_t{1} << 30);

// `W`: the number of classes, rounded up; those that do not exist have no rows.
template <int W>
struct Stretch {
  std::int32_t rows[W];
  std::int32_t leads[W][W];  // leads[k][j]: the most of L_k - L_j over its cuts, counted from where it begins

  void clear() {
    std::fill_n(rows, W, 0);
    std::fill_n(&leads[0][0], W * W, NO_CUT);
  }

  std::int32_t size() const {
    std::int32_t n = 0;
    for (int k = 0; k < W; ++k) n += rows[k];
    return n;
  }

  // One more cut, with all rows counted so far on its left.
  void add_cut() {
    for (int k = 0; k < W; ++k)
      for (int j = 0; j < W; ++j) leads[k][j] = std::max(leads[k][j], rows[k] - rows[j]);
  }

  void join(const Stretch& first, const Stretch& second) {
    for (int k = 0; k < W; ++k)
      for (int j = 0; j < W; ++j)
        leads[k][j] = std::max(first.leads[k][j], first.rows[k] - first.rows[j] + second.leads[k][j]);
    for (int k = 0; k < W; ++k) rows[k] = first.rows[k] + second.rows[k];
  }

  // Rows of the two largest classes at its best cut, when `before` rows lie left of it and `total` are in the node.
  std::int32_t most(const std::int32_t* before, const std::int32_t* total) const {
    std::int32_t best = NO_CUT;
    for (int k = 0; k < W; ++k)
      for (int j = 0; j < W; ++j) best = std::max(best, total[j] + before[k] - before[j] + leads[k][j]);
    return best;
  }
};

// The same for one cut, with `left` rows on its left.
template <int W>
std::int32_t rows_of_largest(const std::int32_t* left, const std::int32_t* total) {
  std::int32_t below = 0, above = 0;
  for (int k = 0; k < W; ++k) {
    below = std::max(below, left[k]);
    above = std::max(above, total[k] - left[k]);
  }
  return below + above;
}

}  // namespace boxwood

// The input of the search for knots: columns in place, the rank of every value, and the value of a product of factors
// at every row. Invariant: the caller's arrays are neither copied nor changed. Cost: the ranks (ranks.hpp); a product
// costs one pass over the rows a factor. Source: Friedman 1991, equation 30.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "mars/ranks.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood::mars {

// Directions of a factor, as earth writes them: max(0, x - cut), max(0, cut - x), x itself.
enum : int { RIGHT = 1, LEFT = -1, LINEAR = 2 };

struct Factor {
  std::size_t feature;
  int direction;
  double cut;
};

struct Rows {
  std::size_t n = 0;
  std::vector<const double*> columns;
  std::vector<Ranks> rank;  // of each column
  std::vector<double> root_weight;  // square roots of the weights; empty: all 1

  double weight(std::size_t row) const { return root_weight.empty() ? 1.0 : root_weight[row] * root_weight[row]; }

  void sort(ThreadPool& pool) {
    rank.assign(columns.size(), {});
    pool.run(columns.size(), [&](std::size_t j, int) { rank[j] = ranks_of(columns[j], n); });
  }

  // The product of some factors at every row, times the root of the row's weight; no factor: the constant.
  void product(const std::vector<Factor>& factors, Large<double>& out) const {
    if (root_weight.empty())
      out.assign(n, 1.0);
    else
      out.assign(root_weight.begin(), root_weight.end());
    for (const Factor& factor : factors) {
      const double* x = columns[factor.feature];
      const double cut = factor.cut;
      if (factor.direction == LINEAR)
        for (std::size_t r = 0; r < n; ++r) out[r] *= x[r];
      else if (factor.direction == RIGHT)
        for (std::size_t r = 0; r < n; ++r) out[r] *= std::max(0.0, x[r] - cut);
      else
        for (std::size_t r = 0; r < n; ++r) out[r] *= std::max(0.0, cut - x[r]);
    }
  }
};

}  // namespace boxwood::mars

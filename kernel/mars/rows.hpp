// What the search for knots reads: columns in place, their sorted orders, and the value of a product of factors at every row.
// Invariant: row r of the search is row source[r] of the caller's columns; nothing of the caller's is copied or changed.
// Cost: 4 bytes a value for the orders; a product costs one pass over the rows a factor. Source: Friedman 1991, equation 30.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../encode.hpp"
#include "../threads.hpp"

namespace boxwood::mars {

// Directions of a factor, as earth writes them: max(0, x - cut), max(0, cut - x), x itself.
enum : int { RIGHT = 1, LEFT = -1, LINEAR = 2 };

struct Factor {
  std::size_t feature;
  int direction;
  double cut;
};

struct ColumnOfX {
  const double* values;
  std::ptrdiff_t stride;
};

struct Rows {
  std::size_t n = 0;
  std::vector<ColumnOfX> columns;
  std::vector<std::uint32_t> source;               // empty: row r is the caller's row r
  std::vector<std::vector<std::uint32_t>> order;   // rows of each column, by value ascending, ties by row
  std::vector<double> root_weight;                 // square roots of the weights; empty: all 1

  double at(std::size_t feature, std::uint32_t row) const {
    const auto [values, stride] = columns[feature];
    return values[static_cast<std::ptrdiff_t>(source.empty() ? row : source[row]) * stride];
  }

  void sort(Team& team) {
    order.assign(columns.size(), {});
    team.run(columns.size(), [&](std::size_t j, int) {
      std::vector<double> values(n);
      for (std::size_t r = 0; r < n; ++r) values[r] = at(j, static_cast<std::uint32_t>(r));
      order[j] = encode_numeric(values.data(), nullptr, n).order;
    });
  }

  // The product of some factors at every row, times the root of the row's weight if `weighted`; no factor: the constant 1.
  void product(const std::vector<Factor>& factors, bool weighted, std::vector<double>& out) const {
    out.assign(n, 1.0);
    if (weighted && !root_weight.empty()) out = root_weight;
    for (const Factor& factor : factors)
      for (std::size_t r = 0; r < n; ++r) {
        const double x = at(factor.feature, static_cast<std::uint32_t>(r));
        const double off = factor.direction == RIGHT ? x - factor.cut : factor.cut - x;
        out[r] *= factor.direction == LINEAR ? x : std::max(0.0, off);
      }
  }
};

}  // namespace boxwood::mars

// Screens: which cuts of ordered rows surely do not beat the best so far, told without division or logarithm.
// Invariant: a cut that would win is never held back: bounds leave room for rounding, and what passes is judged
// exactly. Cost: about 1 ns a value. Source: sums of squares by (k + 1)^2 = k^2 + 2 k + 1; x log2 x from a table of
// whole numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "response/measures.hpp"

namespace boxwood {

// Two classes by Gini: decrease = 2 (l1 n - l n1)^2 / (n l r).
struct TwoClassGiniScreen {
  const std::uint8_t* ones;
  std::int64_t n, n_ones;
  std::int64_t left[2] = {0, 0};
  double bar = 0;

  void raise(double best) { bar = best * SURELY * static_cast<double>(n) / 2; }
  void add(std::uint32_t s, std::int64_t l) {
    left[1] += ones[s];
    left[0] = l - left[1];
  }
  bool may_win(std::int64_t l) const {
    const double d = static_cast<double>(left[1] * n - l * n_ones);
    return !(d * d < bar * static_cast<double>(l * (n - l)));
  }
  const std::int64_t* sums() const { return left; }
};

// Decrease = sum l^2 / l + sum r^2 / r - sum t^2 / n.
struct GiniScreen {
  const std::int32_t* codes;
  std::int64_t n;
  std::int64_t *left, *right;
  std::int64_t left_squares = 0, right_squares = 0;
  double of_node = 0, bar = 0;

  GiniScreen(const std::int32_t* codes, const std::int64_t* total, int n_classes, std::vector<std::int64_t>& sums)
      : codes(codes), n(0) {
    sums.assign(2 * n_classes, 0);
    left = sums.data();
    right = left + n_classes;
    std::copy(total, total + n_classes, right);
    for (int k = 0; k < n_classes; ++k) {
      n += total[k];
      right_squares += total[k] * total[k];
    }
    of_node = static_cast<double>(right_squares) / static_cast<double>(n);
  }
  void raise(double best) { bar = (best + of_node) * (1 - 1e-12); }
  void add(std::uint32_t s, std::int64_t) {
    const std::int32_t k = codes[s];
    left_squares += 2 * left[k]++ + 1;
    right_squares -= 2 * right[k]-- - 1;
  }
  bool may_win(std::int64_t l) const {
    const double a = static_cast<double>(l), b = static_cast<double>(n - l);
    return !(static_cast<double>(left_squares) * b + static_cast<double>(right_squares) * a < bar * (a * b));
  }
  const std::int64_t* sums() const { return left; }
};

// Decrease = sum l log l + sum r log r - l log l - r log r - what the node has; a running sum drifts by less than
// `drift`.
template <class Code>
struct EntropyScreen {
  const Code* codes;
  const double* table;
  std::int64_t n = 0;
  std::int64_t *left, *right;
  double within = 0, of_node = 0, drift = 0, bar = 0;

  EntropyScreen(const Code* codes, const double* table, const std::int64_t* total, int n_classes,
                std::vector<std::int64_t>& sums)
      : codes(codes), table(table) {
    sums.assign(2 * n_classes, 0);
    left = sums.data();
    right = left + n_classes;
    std::copy(total, total + n_classes, right);
    for (int k = 0; k < n_classes; ++k) {
      n += total[k];
      within += table[total[k]];
    }
    of_node = within - table[n];
    drift = 4 * static_cast<double>(n + 1) * (table[n] + 1) * std::numeric_limits<double>::epsilon();
  }
  void raise(double best) { bar = best + of_node - drift; }
  void add(std::uint32_t s, std::int64_t) {
    const auto k = codes[s];
    within += (table[left[k] + 1] - table[left[k]]) + (table[right[k] - 1] - table[right[k]]);
    ++left[k];
    --right[k];
  }
  bool may_win(std::int64_t l) const { return !(within - table[l] - table[n - l] < bar); }
  const std::int64_t* sums() const { return left; }
};

// Any weights and factors, and rows without a value on either side: the decrease by Gini, or by entropy from above
// (chi-squared: with expected masses e and found ones m a gain in nats is at most sum m^2 / e - n), from squares that a
// row changes in a few steps.
struct SquaresScreen {
  // What lies left of a cut: of it, the sum of squares and the inner product with all there is, each class by its
  // scale.
  struct Left {
    double mass = 0, squares = 0, along = 0;
  };
  // Of each class.
  struct Line {
    double left = 0, scale = 0, factor = 1, all = 0, missing = 0;  // `all`, `missing`: times scale
  };
  std::vector<Line>& lines;
  Left known, missing;  // `missing`: of the rows without a value
  double with_missing = 0, mass = 0, whole = 0, doubt = 0, noise = 0, bar = 0;
  bool has_missing;

  template <class P>
  SquaresScreen(const P& policy, bool by_entropy, const std::int64_t* known_sums, const std::int64_t* missing_sums,
                std::int64_t rows, std::vector<Line>& room)
      : lines(room), has_missing(missing_sums != nullptr) {
    lines.assign(policy.n_classes, {});
    for (int k = 0; k < policy.n_classes; ++k) {
      Line& line = lines[k];
      line.factor = factor_of(policy.factors, k);
      line.missing = missing_sums ? policy.mass(missing_sums, k) : 0.0;
      line.all = policy.mass(known_sums, k) + line.missing;
      mass += line.all;
    }
    for (Line& line : lines) {
      line.scale = !by_entropy ? 1.0 : line.all > 0 ? mass / (line.all * std::numbers::ln2) : 0.0;
      whole += line.scale * line.all * line.all;
      missing.mass += line.missing;
      missing.squares += line.scale * line.missing * line.missing;
      missing.along += line.scale * line.missing * line.all;
      line.all *= line.scale;
      line.missing *= line.scale;
    }
    doubt = 8 * static_cast<double>(rows + policy.n_classes) * std::numeric_limits<double>::epsilon() * whole;
    noise = (by_entropy ? 1e-10 : 1e-11) * mass;
  }
  void raise(double best) { bar = best - noise; }
  void add(int k, std::int64_t weight) {
    Line& line = lines[k];
    const double w = static_cast<double>(weight) * line.factor;
    known.mass += w;
    known.squares += line.scale * w * (2 * line.left + w);
    known.along += w * line.all;
    with_missing += w * line.missing;
    line.left += w;
  }
  bool may_win() const {
    return may_win(known) ||
           (has_missing && may_win({known.mass + missing.mass, known.squares + 2 * with_missing + missing.squares,
                                    known.along + missing.along}));
  }

 private:
  bool may_win(const Left& left) const {
    const double a = 1 / left.mass, b = 1 / (mass - left.mass);
    const double gain = left.squares * a + (whole - 2 * left.along + left.squares) * b - whole / mass;
    return !(gain + doubt * (a + b) < bar);
  }
};

// Between sum of squares (S_l n - S l)^2 / (n l r).
struct MeanScreen {
  const std::int64_t* high;
  std::int64_t shift, n;
  double total, bar = 0;
  std::int64_t left[2] = {0, 0};

  void raise(double best) { bar = best * SURELY * static_cast<double>(n); }
  void add(std::uint32_t s, std::int64_t l) {
    left[0] = l;
    left[1] += high[s] - shift;
  }
  bool may_win(std::int64_t l) const {
    const double d = static_cast<double>(left[1]) * static_cast<double>(n) - total * static_cast<double>(l);
    return !(d * d < bar * static_cast<double>(l * (n - l)));
  }
  const std::int64_t* sums() const { return left; }
};

}  // namespace boxwood

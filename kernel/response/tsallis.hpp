// Tsallis entropy T_q = (1 - sum p_k^q) / (q - 1), q > 0: Gini for q = 2, entropy in natural units for q = 1.
// Invariant: twin of statistics/tsallis.py. Written with expm1, so that nothing cancels near q = 1.
// Cost: a logarithm and an expm1 a class; bounds look up powers of counts: weight times T_q is
// n / (q - 1) - n^(1 - q) / (q - 1) sum n_k^q.
// Source: Tsallis, J. Stat. Phys. 52 (1988) 479-487, eq. 1.
#pragma once

#include "response/measures.hpp"

namespace boxwood {

struct Tsallis {
  static constexpr std::string_view NAME = "tsallis";
  double q = 1;

  // Orders nearer to 1 are 1, as in the twin.
  explicit Tsallis(double order) : q(std::abs(order - 1) < NEAR ? 1 : order) {}

  // Concave, because p^q / (1 - q) is convex for every q > 0.
  template <class Mass>
  double impurity(int n_classes, const Mass& mass) const {
    double n = 0, sum = 0;
    for (int k = 0; k < n_classes; ++k) n += mass(k);
    for (int k = 0; k < n_classes; ++k)
      if (mass(k) > 0) sum += mass(k) * deformed_log(mass(k) / n);
    return -sum;
  }
  double cost(double own, double other) const {
    return q == 1 ? -std::log(own)
                  : (1 + (q - 1) * (std::pow(own, q) + std::pow(other, q)) - q * std::pow(own, q - 1)) / (q - 1);
  }
  template <class Count>
  double many(const Count* left, const std::int64_t* total, int n_classes, const double* factors) const {
    const auto of = [&](auto weight) {
      return impurity(n_classes, [&](int k) { return static_cast<double>(weight(k)) * factor_of(factors, k); });
    };
    return std::max(0.0, of([&](int k) { return total[k]; }) - of([&](int k) { return left[k]; }) -
                             of([&](int k) { return total[k] - left[k]; }));
  }

  // Whether these powers are doubles for groups of up to n rows, and do not nearly cancel.
  bool has_terms(double n) const { return std::abs(q - 1) >= 0.05 && q * std::log2(std::max(n, 2.0)) < 500; }
  double term(double count) const { return std::pow(count, q); }
  double factor(double n) const { return n > 0 ? std::pow(n, 1 - q) / (q - 1) : 0.0; }

 private:
  static constexpr double NEAR = 1e-8;

  // (x^(q - 1) - 1) / (q - 1), which is ln x for q = 1.
  double deformed_log(double x) const { return q == 1 ? std::log(x) : std::expm1((q - 1) * std::log(x)) / (q - 1); }
};

}  // namespace boxwood

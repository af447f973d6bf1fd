// Measures of classes: weight times impurity of a group, and how much of it a partition in two takes away, in units of
// weight: weight(t) I(t) - weight(l) I(l) - weight(r) I(r). Twins of statistics/measures/impurity.py.
// Invariant: weight times impurity is concave and homogeneous in the masses of the classes; the bounds rest on it. Gini
// is written as a sum of squares (no cancellation), entropy in bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace boxwood {

inline double x_log2_x(double x) { return x > 0 ? x * std::log2(x) : 0.0; }
inline double factor_of(const double* factors, int k) { return factors ? factors[k] : 1.0; }

// A quotient is compared by its product, less what rounding may add; what passes is computed exactly.
constexpr double SURELY = 1 - 1e-9;

struct Gini {
  static constexpr std::string_view NAME = "gini";

  template <class Mass>
  double impurity(int n_classes, const Mass& mass) const {
    double n = 0, squares = 0;
    for (int k = 0; k < n_classes; ++k) {
      n += mass(k);
      squares += mass(k) * mass(k);
    }
    return n > 0 ? n - squares / n : 0.0;
  }
  // What a row costs whose class is predicted by one share, the other class by the other: the expected cost is least
  // where they are the classes' own.
  static double cost(double, double other) { return 2 * other * other; }
  // l1 n - l n1 is exact for counts below 2^31.
  double two(const std::int64_t* left, const std::int64_t* total) const {
    const std::int64_t n = total[0] + total[1], l = left[0] + left[1];
    const double d = static_cast<double>(left[1] * n - l * total[1]);
    return 2 * d * d / (static_cast<double>(n) * static_cast<double>(l) * static_cast<double>(n - l));
  }
  template <class Count>
  double many(const Count* left, const std::int64_t* total, int n_classes, const double* factors) const {
    double n = 0, l = 0;
    for (int k = 0; k < n_classes; ++k) {
      n += static_cast<double>(total[k]) * factor_of(factors, k);
      l += static_cast<double>(left[k]) * factor_of(factors, k);
    }
    if (!(l > 0) || !(n - l > 0)) return 0.0;  // a side so light that it vanishes beside the other
    double squares = 0;
    for (int k = 0; k < n_classes; ++k) {
      const double f = factor_of(factors, k);
      const double d = static_cast<double>(left[k]) * f * n - static_cast<double>(total[k]) * f * l;
      squares += d * d;
    }
    return squares / (n * l * (n - l));
  }
};

struct Entropy {
  static constexpr std::string_view NAME = "entropy";

  template <class Mass>
  double impurity(int n_classes, const Mass& mass) const {
    double n = 0, logs = 0;
    for (int k = 0; k < n_classes; ++k) {
      n += mass(k);
      logs += x_log2_x(mass(k));
    }
    return x_log2_x(n) - logs;
  }
  static double cost(double own, double) { return -std::log2(own); }

  // `x(mass)`: its x log2 x, computed or looked up.
  template <class Count, class X = decltype(x_log2_x)>
  static double many(const Count* left, const std::int64_t* total, int n_classes, const double* factors,
                     const X& x = x_log2_x) {
    double n = 0, l = 0, gain = 0;
    for (int k = 0; k < n_classes; ++k) {
      const double f = factor_of(factors, k);
      const double nk = static_cast<double>(total[k]) * f, lk = static_cast<double>(left[k]) * f;
      n += nk;
      l += lk;
      gain += x(lk) + x(static_cast<double>(total[k] - left[k]) * f) - x(nk);
    }
    return std::max(0.0, gain - x(l) - x(n - l) + x(n));
  }
};

struct ClassificationError {
  static constexpr std::string_view NAME = "error";

  template <class Mass>
  double impurity(int n_classes, const Mass& mass) const {
    double n = 0, most = 0;
    for (int k = 0; k < n_classes; ++k) {
      n += mass(k);
      most = std::max(most, mass(k));
    }
    return n - most;
  }
  static double cost(double own, double other) { return own == other ? 0.5 : own < other ? 1.0 : 0.0; }
  template <class Count>
  double many(const Count* left, const std::int64_t* total, int n_classes, const double* factors) const {
    double best_left = 0, best_right = 0, best = 0;
    for (int k = 0; k < n_classes; ++k) {
      const double f = factor_of(factors, k);
      best_left = std::max(best_left, static_cast<double>(left[k]) * f);
      best_right = std::max(best_right, static_cast<double>(total[k] - left[k]) * f);
      best = std::max(best, static_cast<double>(total[k]) * f);
    }
    return best_left + best_right - best;
  }
  // At most that much mass is counted right on both sides of a cut inside a bin that saves errors: then the largest
  // classes of the sides differ. `until`: of class k left of the bin's end, `from`: right of its beginning.
  template <class Until, class From>
  static double most_right(int n_classes, const Until& until, const From& from) {
    int largest = 0;
    for (int k = 1; k < n_classes; ++k)
      if (until(k) > until(largest)) largest = k;
    double second = 0, most = 0;
    for (int k = 0; k < n_classes; ++k)
      if (k != largest) second = std::max<double>(second, until(k));
    for (int k = 0; k < n_classes; ++k)
      most = std::max<double>(most, from(k) + (k == largest ? second : until(largest)));
    return most;
  }
};

}  // namespace boxwood

// How many mergers of the categories are possible: the Bonferroni multiplier of a merged feature, as a logarithm.
// Invariant: exact below 2^53; never overflows. Cost: O(categories x groups) for Stirling numbers, O(groups) otherwise.
// Source: Kass 1980 (Stirling numbers of the second kind by their recurrence; the alternating sum cancels).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace boxwood::chaid {

// A positive number as mantissa and binary exponent, so that it can be as large as it likes.
struct Huge {
  double mantissa = 0.0;
  int exponent = 0;

  static Huge of(double x, int exponent = 0) {
    int shift = 0;
    const double m = std::frexp(x, &shift);
    return {m, m == 0.0 ? 0 : exponent + shift};
  }
  Huge times(double factor) const { return of(mantissa * factor, exponent); }
  Huge plus(Huge other) const {
    if (mantissa == 0.0) return other;
    if (other.mantissa == 0.0) return *this;
    Huge a = *this, b = other;
    if (a.exponent < b.exponent) std::swap(a, b);
    return of(a.mantissa + std::ldexp(b.mantissa, std::max(b.exponent - a.exponent, -2000)), a.exponent);
  }
  double log() const {
    if (exponent <= 53) return std::log(std::ldexp(mantissa, exponent));
    return std::log(mantissa) + exponent * 0.69314718055994530942;
  }
};

inline Huge binomial(std::int64_t n, std::int64_t k) {
  if (k < 0 || k > n) return {};
  k = std::min(k, n - k);
  Huge product = Huge::of(1.0);
  for (std::int64_t i = 1; i <= k; ++i) {
    product = product.times(static_cast<double>(n - k + i));
    product = Huge::of(product.mantissa / static_cast<double>(i), product.exponent);  // a whole number again
  }
  return product;
}

// S(n, k): ways to divide n things into k groups.
inline Huge stirling(std::int64_t n, std::int64_t k) {
  if (k < 1 || k > n) return {};
  std::vector<Huge> row(static_cast<std::size_t>(k) + 1);
  row[1] = Huge::of(1.0);
  for (std::int64_t i = 2; i <= n; ++i)
    for (std::int64_t j = std::min(i, k); j >= 1; --j)
      row[j] = row[j].times(static_cast<double>(j)).plus(j > 1 ? row[j - 1] : Huge{});
  return row[static_cast<std::size_t>(k)];
}

struct Merging {
  std::int64_t categories, groups;
  bool ordered, floating, exhaustive, biggs;
};

inline double log_multiplier(const Merging& m) {
  const double i = static_cast<double>(m.categories);
  if (m.exhaustive) {
    if (m.ordered) return std::log(i * (i - 1) / 2);
    return std::log(i * (i * i - 1) / (m.biggs ? 6 : 2));
  }
  if (m.floating) {
    const Huge with = binomial(m.categories - 2, m.groups - 2);
    return with.plus(binomial(m.categories - 2, m.groups - 1).times(static_cast<double>(m.groups))).log();
  }
  if (m.ordered) return binomial(m.categories - 1, m.groups - 1).log();
  return stirling(m.categories, m.groups).log();
}

}  // namespace boxwood::chaid

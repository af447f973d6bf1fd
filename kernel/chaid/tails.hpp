// Natural logarithms of upper tail probabilities of chi-squared and F, without underflow however far out.
// Invariant: log p <= 0, finite unless the statistic is infinite; about 14 correct digits of log p.
// Cost: a few hundred nanoseconds; up to the order of sqrt(degrees of freedom) terms near the mean.
// Source: incomplete gamma and beta by series and continued fractions (Lentz), their leading terms by Loader's
// saddle-point expansion ("Fast and Accurate Computation of Binomial Probabilities", 2000), which does not cancel.
#pragma once

#include <cmath>
#include <limits>

namespace boxwood {

constexpr double TWO_PI = 6.283185307179586476925286766559;

// ln Gamma(n + 1) less Stirling's (n + 1/2) ln n - n + ln sqrt(2 pi), n > 0.
inline double stirling_error(double n) {
  constexpr double LARGE = 16.0;
  double m = n, product = 1.0;
  while (m < LARGE) {
    m += 1.0;
    product *= m;
  }
  const double q = 1.0 / (m * m);
  const double series =
      (1.0 / 12 - q * (1.0 / 360 - q * (1.0 / 1260 - q * (1.0 / 1680 - q * (1.0 / 1188 - q * (691.0 / 360360)))))) / m;
  if (m == n) return series;
  return series + (m + 0.5) * std::log(m) - (n + 0.5) * std::log(n) - (m - n) - std::log(product);
}

// x ln(x / m) + m - x for m > 0, never negative; by a series where x and m are close.
inline double deviance_part(double x, double m) {
  if (x == 0.0) return m;
  if (std::fabs(x - m) >= 0.1 * (x + m)) return x * std::log(x / m) + m - x;
  const double v = (x - m) / (x + m);
  double sum = (x - m) * v, term = 2 * x * v;
  for (int j = 1; j < 1000; ++j) {
    term *= v * v;
    const double next = sum + term / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

// Lentz's continued fraction: starts from `first` (not 0), `step(i, a, b)` gives the i-th numerator and denominator.
template <class Step>
double continued_fraction(double first, const Step& step) {
  constexpr double TINY = 1e-300, DONE = 1e-16;
  constexpr int MOST = 1'000'000;
  double c = first, d = 0.0, value = first;
  for (int i = 1; i <= MOST; ++i) {
    double a, b;
    step(i, a, b);
    d = b + a * d;
    if (std::fabs(d) < TINY) d = TINY;
    c = b + a / c;
    if (std::fabs(c) < TINY) c = TINY;
    d = 1.0 / d;
    const double change = c * d;
    value *= change;
    if (std::fabs(change - 1.0) <= DONE) break;
  }
  return value;
}

// ln Q(a, x), the upper regularized incomplete gamma function.
inline double log_gamma_upper(double a, double x) {
  if (!(x > 0.0)) return 0.0;
  if (std::isinf(x)) return -std::numeric_limits<double>::infinity();
  const double lead =
      -stirling_error(a) - deviance_part(a, x) - 0.5 * std::log(TWO_PI * a);  // ln x^a e^-x / Gamma(a + 1)
  if (x < a + 1.0) {
    double sum = 1.0, term = 1.0;
    for (double n = a + 1.0; term > sum * 1e-17; n += 1.0) sum += term *= x / n;
    return std::log1p(-std::exp(lead) * sum);
  }
  const double fraction = continued_fraction(x + 1.0 - a, [&](int i, double& numerator, double& denominator) {
    numerator = -i * (i - a);
    denominator = x + 1.0 - a + 2.0 * i;
  });
  return std::fmin(lead + std::log(a) - std::log(fraction), 0.0);
}

// ln I_x(a, b), the regularized incomplete beta function, where x < (a + 1) / (a + b + 2); y = 1 - x is given too, so
// that nothing cancels for x near 1. Continued fraction of DiDonato and Morris (1992).
inline double log_beta_lower(double a, double b, double x, double y) {
  const double n = a + b;
  const double lead = stirling_error(n) - stirling_error(a) - stirling_error(b) - deviance_part(a, n * x) -
                      deviance_part(b, n * y) + 0.5 * std::log(a * b / (TWO_PI * n));  // ln x^a y^b / B(a, b)
  const double slope = a * y - b * x + 1;
  const auto denominator_at = [&](double m) {
    const double inner = m > 0 ? m * (b - m) * x / (a + 2 * m - 1) : 0.0;
    return m + inner + (a + m) * (slope + m * (1 + y)) / (a + 2 * m + 1);
  };
  const double fraction = continued_fraction(denominator_at(0), [&](int i, double& numerator, double& denominator) {
    const double m = i, whole = a + 2 * m - 1;
    numerator = (a + m - 1) / whole * ((n + m - 1) / whole) * m * (b - m) * x * x;
    denominator = denominator_at(m);
  });
  return lead - std::log(fraction);
}

// ln P(chi-squared with df degrees of freedom > statistic).
inline double log_chi2_tail(double statistic, double df) { return log_gamma_upper(df / 2, statistic / 2); }

// ln P(F with df1 and df2 degrees of freedom > statistic).
inline double log_f_tail(double statistic, double df1, double df2) {
  if (!(statistic > 0.0)) return 0.0;
  if (std::isinf(statistic)) return -std::numeric_limits<double>::infinity();
  const double a = df2 / 2, b = df1 / 2, ratio = df1 * statistic / df2;
  const double x = 1.0 / (1.0 + ratio), y = ratio > 1e300 ? 1.0 : ratio / (1.0 + ratio);
  if (x * (a + b + 2) < a + 1) return std::fmin(log_beta_lower(a, b, x, y), 0.0);
  return std::log1p(-std::exp(log_beta_lower(b, a, y, x)));
}

}  // namespace boxwood

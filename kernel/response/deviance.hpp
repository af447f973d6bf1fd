// Deviances of the Tweedie family by their power p: Poisson (1), compound Poisson-gamma (between), gamma (2).
// Invariant: the deviance of rows of mean m is the sum of 2 t (psi(y) - psi(m)); psi is convex, so that it is concave
// in the sums of a group. Cost: a logarithm a group, and an exponential between Poisson and gamma. Source: psi'' = y^-p
// (Jorgensen, The Theory of Dispersion Models, 1997, ch. 4). 2 (psi(x) - its tangent at 1) is (x - 1)^2 R(x), where R
// falls from R(0) to R(1) = 1 and is convex, as psi'' is.
#pragma once

#include <algorithm>
#include <cmath>

namespace boxwood {

inline double d_log_rate(double d, double t, double inverse = 1.0) {
  return d > 0 ? d * std::log(d / t * inverse) : 0.0;
}

struct Deviance {
  double power = 1;

  // t psi(d / t) of exposure t and events d; psi(y) = y ln y, -ln y, or between them y^(2 - p) / ((1 - p) (2 - p)).
  double psi(double d, double t) const {
    if (power == 1) return d_log_rate(d, t);
    return power == 2 ? -t * std::log(d / t) : t * std::pow(d / t, 2 - power) / divisor();
  }
  // The same of the rate over the mean, times the events that the mean expects, less the tangent at the mean, but for
  // Poisson's; `inverse`: exposure of an expected event. Nothing large cancels.
  double about(double d, double t, double inverse) const {
    if (power == 1) return d_log_rate(d, t, inverse);
    const double expected = t / inverse, off = (d - expected) / expected, log = std::log1p(off);
    return expected * (power == 2 ? off - log : (std::expm1((2 - power) * log) - (2 - power) * off) / divisor());
  }
  // What events of this exposure lose by another rate than their own, over 2 and in the units of `about`; `inverse`: of
  // that rate.
  double excess(double d, double t, double inverse) const {
    return about(d, t, inverse) - (power == 1 ? d - t / inverse : 0);
  }
  // A deviance of t psi up to this is rounding, and rates are equal; whole numbers of events need no such limit.
  double noise(double d, double t) const { return power == 1 ? 0.0 : 1e-12 * (power == 2 ? t : std::abs(psi(d, t))); }
  // The least number such that R(x) <= 1 + number (1 - x) for all x from `least` to 1.
  double skew(double least) const {
    const double x = std::min(least, 0.5), off = 1 - x, part = about(x, 1, 1) + (power == 1 ? off : 0);
    return (2 * part / (off * off) - 1) / off;
  }

 private:
  double divisor() const { return (1 - power) * (2 - power); }
};

}  // namespace boxwood

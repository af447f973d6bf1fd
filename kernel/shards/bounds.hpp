// How much a cut inside a bin can take away at most, from the sums about the bin.
// Invariant: never below what any order of the bin's rows could reach, but for rounding, which the caller leaves room
// for. Cost: a few decreases a bin. Source: impurity is concave in the sums, so the decrease is convex in those of the
// left side: largest at a corner of what can be reached; or sqrt(decrease), a norm, leaves its chord by at most sigma
// sqrt(k (c - k)); or the bin is taken as pure in both parts.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "response/moments.hpp"
#include "response/settings.hpp"

namespace boxwood::sharded {

// max over k of k (c - k) (1 / l + 1 / r) for parts l and r on the two sides of a bin of mass c, from above.
inline double strayed(double c, double before, double after) {
  const double most = c * c / 4;
  const double at_left = before > 0 ? std::min(most / before, c) : c,
               at_right = after > 0 ? std::min(most / after, c) : c;
  return at_left + at_right;
}

// The sums on both sides of a bin, and its own; `total` is all three.
template <class Int>
struct Around {
  const Int *left, *bin, *total;
  double spread;  // means: sum of w d^2 in the bin, from above
};

template <class P>
class BinBound {
 public:
  using Int = typename P::Int;

  BinBound(const P& policy, const ClassMeasure& measure)
      : policy_(policy), measure_(measure), width_(policy.width()), side_(policy.width()) {}

  double operator()(const Around<Int>& at) {
    double bound = std::numeric_limits<double>::infinity();
    if (width_ == 2 && !is_mean) bound = corners(at);
    if (is_mean || measure_.is<Gini>()) bound = std::min(bound, along_chord(at));
    if constexpr (is_classes) bound = std::min(bound, as_if_pure(at));
    return bound;
  }

 private:
  static constexpr bool is_mean = requires(P p) { p.shift; };
  static constexpr bool is_classes = requires(P p, const Int* sum) { p.measure; };

  double factor(int k) const {
    if constexpr (requires { policy_.factors; }) return factor_of(policy_.factors, k);
    return 1.0;
  }
  double mass(const Int* sums, int k) const { return static_cast<double>(sums[k]) * factor(k); }

  bool is_empty(const Int* sums) const {
    return std::all_of(sums, sums + width_, [](Int x) { return x == 0; });
  }
  // What a side is weighed by: exposure, weight, or weight under factors.
  double extent(const Int* sums) const {
    if constexpr (!is_classes) return static_cast<double>(sums[0]);
    double all = 0;
    for (int k = 0; k < width_; ++k) all += mass(sums, k);
    return all;
  }
  // The decrease of a cut; one with an empty side takes nothing away. A policy calls it nothing, too, when a side
  // vanishes beside the other; a bound must not, for cuts nearby may take away any amount.
  double decrease(const Int* left, const Int* total) {
    rest_.assign(total, total + width_);
    for (int k = 0; k < width_; ++k) rest_[k] -= left[k];
    if (is_empty(left) || is_empty(rest_.data())) return 0.0;
    const double l = extent(left), n = extent(total);
    return l > 0 && n - l > 0 ? policy_.decrease(left, total) : std::numeric_limits<double>::infinity();
  }
  double at_edge(const Around<Int>& at, bool after) {
    for (int k = 0; k < width_; ++k) side_[k] = at.left[k] + (after ? at.bin[k] : Int{0});
    return decrease(side_.data(), at.total);
  }

  // Two sums: all of one and none of the other of the bin go left.
  double corners(const Around<Int>& at) {
    double most = std::max(at_edge(at, false), at_edge(at, true));
    for (int k = 0; k < 2; ++k) {
      side_[k] = at.left[k] + at.bin[k];
      side_[1 - k] = at.left[1 - k];
      const double here = decrease(side_.data(), at.total);
      most = here > most || std::isnan(here) ? here : most;
    }
    return std::isnan(most) ? std::numeric_limits<double>::infinity() : most;
  }

  double along_chord(const Around<Int>& at) {
    double c = 0, before = 0, after = 0, squares = 0;
    if constexpr (is_mean) {
      c = static_cast<double>(at.bin[0]);
      before = static_cast<double>(at.left[0]);
      after = static_cast<double>(at.total[0]) - before - c;
      const double sum = static_cast<double>(at.bin[1]);
      squares = at.spread * (1 + 1e-9) - sum * sum / c * (1 - 1e-9);
    } else {
      double of_shares = 0;
      for (int k = 0; k < width_; ++k) {
        const double inside = mass(at.bin, k), here = mass(at.left, k);
        c += inside;
        before += here;
        after += mass(at.total, k) - here - inside;
        of_shares += inside * inside;
      }
      squares = c - of_shares / c + 1e-9 * c;
    }
    const double edge = std::sqrt(std::max({at_edge(at, false), at_edge(at, true), 0.0}));
    const double root = edge + std::sqrt(std::max(squares, 0.0) / c * strayed(c, before, after));
    return root * root;
  }

  // I(t) - I(left) - I(right): what remains impure outside the bin stays so, because impurities of parts never add up
  // to more.
  double as_if_pure(const Around<Int>& at) {
    for (int k = 0; k < width_; ++k) side_[k] = at.total[k] - at.left[k] - at.bin[k];
    return impurity(at.total) - impurity(at.left) - impurity(side_.data());
  }
  double impurity(const Int* sums) const {
    return measure_.impurity(width_, [&](int k) { return mass(sums, k); });
  }

  const P& policy_;
  const ClassMeasure& measure_;
  const int width_;
  std::vector<Int> side_, rest_;
};

}  // namespace boxwood::sharded

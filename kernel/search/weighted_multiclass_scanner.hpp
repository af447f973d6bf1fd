// A walk along one list of a small node whose rows weigh, or count by factors.
// Invariant: as search/list_scanner.hpp: what is held back cannot win; running sums of doubles drift by less than the
// slack they are given. Cost: constant time a row, whatever the number of classes, but for classification error.
#pragma once

#include "response/weighted_multiclass.hpp"
#include "search/list_scanner.hpp"

namespace boxwood::coded {

template <>
struct Scanner<WeightedClasses> {
  using R = WeightedClasses;
  R::Gauge gauge;
  const R& y;
  std::vector<i64> left;
  std::vector<double> mass, rest;  // of each class on either side
  double l = 0, a = 0, b = 0;  // mass of the left side; sums of scaled squares, or the greatest class, of either side

  Scanner(const R& y, const ManySums& sums, const Judged& judged)
      : gauge(y, sums, judged), y(y), left(sums.of.size()), mass(left.size()), rest(left.size()) {}
  bool promises(const u32*, u32, const ManySums&) const { return true; }
  void start(const ManySums& first) {
    l = a = b = 0;
    for (int k = 0; k < gauge.K; ++k) {
      left[k] = first.of.empty() ? 0 : first.of[k];
      mass[k] = y.mass(k, left[k]);
      rest[k] = gauge.total_of(k) - mass[k];
      l += mass[k];
      a = gauge.errors ? std::max(a, mass[k]) : a + gauge.scale(k) * mass[k] * mass[k];
      b = gauge.errors ? std::max(b, rest[k]) : b + gauge.scale(k) * rest[k] * rest[k];
    }
  }
  void add(u32, u32 id) {
    const int k = y.code[id];
    const i64 w = y.w(id);
    const double m = y.mass(k, w), before = rest[k];
    left[k] += w;
    if (gauge.errors) {
      a = std::max(a, mass[k] += m);
      rest[k] -= m;
      if (before == b) b = *std::max_element(rest.begin(), rest.end());
      return;
    }
    l += m;
    a += gauge.scale(k) * m * (2 * mass[k] + m);
    b -= gauge.scale(k) * m * (2 * before - m);
    mass[k] += m;
    rest[k] -= m;
  }
  bool may(i64) const {
    if (gauge.errors) return !(a + b - gauge.most < gauge.bar);
    const double r = gauge.N - l;
    // Running sums drift by less than this.
    const double slack = 2e-12 * gauge.whole * gauge.N * gauge.N;
    if (a * r + b * l + slack < (gauge.bar + gauge.whole) * (l * r)) return false;
    return !gauge.entropy || gauge.tight(mass.data(), l);
  }
  double exact(i64 l_rows) const { return gauge.exact(left.data(), l_rows); }
};

}  // namespace boxwood::coded

// A walk along one list of a small node whose rows weigh, or count by factors or exposure.
// Invariant: as search/list_scanner.hpp: what is held back cannot win; prefix sums of doubles drift by less than the
// slack they are given. Cost: constant time a row, whatever the number of classes, by Gini and entropy.
#pragma once

#include "response/poisson.hpp"
#include "response/weighted_binary.hpp"
#include "response/weighted_multiclass.hpp"
#include "search/list_scanner.hpp"

namespace boxwood::coded {

// Masses of a node's two classes, and the bar a cut must reach, as the loops over cuts read them.
struct PairMasses {
  double first, second, bar;
};

// Whether d^2 reaches bar l r at any cut, d = b n - l B. `mass`: of the left side; `second`: of the second class in it.
BOXWOOD_CLONES inline bool any_mass_reaches(const double* mass, const double* second, int cuts, const PairMasses& of) {
  const double n = of.first + of.second;
  int any = 0;
  for (int i = 0; i < cuts; ++i) {
    const double l = mass[i], d = second[i] * n - l * of.second;
    any |= !(d * d < of.bar * (l * (n - l)));
  }
  return any != 0;
}

// Whether any cut reaches bar l r = decrease * n * l r, its sums known up to `drift`.
struct MeanTotals {
  double n, total, bar, drift;
};
BOXWOOD_CLONES inline bool any_heavy_reaches(const double* weight, const double* sum, int cuts, const MeanTotals& of) {
  int any = 0;
  for (int i = 0; i < cuts; ++i) {
    const double l = weight[i], d = sum[i] * of.n - of.total * l, far = (d < 0 ? -d : d) + of.drift;
    any |= !(far * far < of.bar * (l * (of.n - l)));
  }
  return any != 0;
}

BOXWOOD_CLONES inline bool any_rate_reaches(const double* exposure, const double* events, int cuts,
                                            const RateTotals& of) {
  int any = 0;
  for (int i = 0; i < cuts; ++i) any |= !(deviance_bound(exposure[i], events[i], of) < of.bar);
  return any != 0;
}

template <>
struct Scanner<WeightedBinaryResponse> {
  using R = WeightedBinaryResponse;
  R::Gauge gauge;
  const R& y;
  PairCell cell{0, 0, 0};
  double mass[SMALL], second[SMALL];

  Scanner(const R& y, const R::Sums& sums, const Judged& judged) : gauge(y, sums, judged), y(y) {}
  bool promises(const u32* entries, u32 cuts, const R::Sums& first) {
    if (!gauge.by_square()) return true;
    const double f[2] = {factor_of(y.factors, 0), factor_of(y.factors, 1)};
    double ones = gauge.mass(1, first.of[1]), l = ones + gauge.mass(0, first.of[0]);
    for (u32 i = 0; i < cuts; ++i) {
      const u32 is_second = entries[i] >> 15 & 1;
      const double m = static_cast<double>(y.w(entries[i] & 0x7fff)) * f[is_second];
      mass[i] = l += m;
      second[i] = ones += is_second ? m : 0.0;
    }
    return any_mass_reaches(mass, second, static_cast<int>(cuts), {gauge.A, gauge.B, gauge.square_bar()});
  }
  void start(const R::Sums& first) { cell = {first.of[0], first.of[1], first.n}; }
  void add(u32 entry, u32 id) { cell.of[entry >> 15 & 1] += y.w(id); }
  bool may(i64 l) const { return gauge.may(&cell, l); }
  double exact(i64 l) const { return gauge.exact(&cell, l); }
};

template <>
struct Scanner<WeightedMulticlassResponse> {
  using R = WeightedMulticlassResponse;
  R::Gauge gauge;
  const R& y;
  std::vector<i64> left;
  std::vector<double> mass, rest;  // of each class on either side
  double l = 0, a = 0, b = 0;  // mass of the left side; sums of scaled squares of either side

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
      a += gauge.scale(k) * mass[k] * mass[k];
      b += gauge.scale(k) * rest[k] * rest[k];
    }
  }
  void add(u32, u32 id) {
    const int k = y.code[id];
    const i64 w = y.w(id);
    const double m = y.mass(k, w), before = rest[k];
    left[k] += w;
    l += m;
    a += gauge.scale(k) * m * (2 * mass[k] + m);
    b -= gauge.scale(k) * m * (2 * before - m);
    mass[k] += m;
    rest[k] -= m;
  }
  bool may(i64) const {
    if (!gauge.by_square()) return gauge.may(left.data(), 0);
    const double r = gauge.N - l;
    // Running sums drift by less than this.
    const double slack = 2e-12 * gauge.whole * gauge.N * gauge.N;
    if (a * r + b * l + slack < (gauge.bar + gauge.whole) * (l * r)) return false;
    return !gauge.entropy || gauge.tight(mass.data(), l);
  }
  double exact(i64 l_rows) const { return gauge.exact(left.data(), l_rows); }
};

template <>
struct Scanner<WeightedMeanResponse> {
  WeightedMeanResponse::Gauge gauge;
  const WeightedMeanResponse& y;
  MeanCell<true> cell{};
  double rough = 0, drift;  // the left side's sum about the node's mean, and how far it times N may be off
  double weight[SMALL], sum[SMALL];

  // Rounding of fewer than 2^11 sums, each at most sum |w d| <= sqrt(N scale).
  Scanner(const WeightedMeanResponse& y, const MeanSums<true>& sums, const Judged& judged)
      : gauge(y, sums, judged), y(y), drift(1e-12 * std::sqrt(gauge.N * gauge.scale) * gauge.N) {}
  double about_mean(u32 id, i64 w) const {
    return static_cast<double>(y.high[id] - gauge.shift) * static_cast<double>(w);
  }
  bool promises(const u32* entries, u32 cuts, const MeanSums<true>& first) {
    i64 l = first.weight;
    auto s = static_cast<double>(about(first));
    for (u32 i = 0; i < cuts; ++i) {
      const u32 id = entries[i] & 0x7fff;
      const i64 w = y.w(id);
      weight[i] = static_cast<double>(l += w);
      sum[i] = s += about_mean(id, w);
    }
    return any_heavy_reaches(weight, sum, static_cast<int>(cuts), {gauge.N, gauge.total, gauge.bar, drift});
  }
  Wide about(const MeanSums<true>& sums) const { return sums.sum - static_cast<Wide>(gauge.shift) * sums.weight; }
  void start(const MeanSums<true>& first) {
    cell.n = first.n;
    cell.weight = first.weight;
    cell.sum = first.sum;
    rough = static_cast<double>(about(first));
  }
  void add(u32, u32 id) {
    const i64 w = y.w(id);
    cell.weight += w;
    cell.sum += static_cast<Wide>(y.high[id]) * w;
    rough += about_mean(id, w);
  }
  bool may(i64) const {
    const auto l = static_cast<double>(cell.weight);
    return gauge.reaches(std::abs(rough * gauge.N - gauge.total * l) + drift, l);
  }
  double exact(i64 l) const { return gauge.exact(&cell, l); }
};

template <class Int>
struct Scanner<PoissonResponse<Int>> {
  using R = PoissonResponse<Int>;
  typename R::Gauge gauge;
  const R& y;
  RateCell<Int> cell{0, 0, 0};
  double exposure[SMALL], events[SMALL];

  Scanner(const R& y, const RateSums& sums, const Judged& judged) : gauge(y, sums, judged), y(y) {}
  bool promises(const u32* entries, u32 cuts, const RateSums& first) {
    start(first);
    for (u32 i = 0; i < cuts; ++i) {
      add(entries[i], entries[i] & 0x7fff);
      exposure[i] = static_cast<double>(cell.exposure);
      events[i] = static_cast<double>(cell.events);
    }
    return any_rate_reaches(exposure, events, static_cast<int>(cuts), {gauge.T, gauge.D, gauge.bar});
  }
  void start(const RateSums& first) {
    cell = {first.n, static_cast<Int>(first.exposure), static_cast<Int>(first.events)};
  }
  void add(u32, u32 id) { y.add(&cell, id); }
  bool may(i64 l) const { return gauge.may(&cell, l); }
  double exact(i64 l) const { return gauge.exact(&cell, l); }
};

}  // namespace boxwood::coded

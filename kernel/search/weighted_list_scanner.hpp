// Scans of one list of a small node whose rows have weights, factors or exposure.
// Invariant: as search/list_scanner.hpp: what is held back cannot win; prefix sums of doubles drift by less than the
// slack they are given. Cost: constant time a row, whatever the number of classes, by Gini and entropy.
#pragma once

#include "response/poisson.hpp"
#include "response/weighted_binary.hpp"
#include "response/weighted_multiclass.hpp"
#include "search/list_scanner.hpp"

namespace boxwood::coded {

template <>
struct Scanner<WeightedBinaryResponse> {
  using R = WeightedBinaryResponse;
  R::UpperBound bound;
  const R& y;
  PairCell cell{0, 0, 0};

  Scanner(const R& y, const R::Sums& sums, const NodeStats& stats) : bound(y, sums, stats), y(y) {}
  void start(const R::Sums& first) { cell = {first.of[0], first.of[1], first.n}; }
  void add(u32 entry, u32 id) { cell.of[entry >> 15 & 1] += y.w(id); }
  bool can_exceed(i64 l) const { return bound.can_exceed(&cell, l); }
  double exact(i64 l) const { return bound.exact(&cell, l); }
};

template <>
struct Scanner<WeightedMulticlassResponse> {
  using R = WeightedMulticlassResponse;
  R::UpperBound bound;
  const R& y;
  std::vector<i64> left;
  std::vector<double> mass, rest;  // of each class on either side
  double l = 0, a = 0, b = 0;  // mass of the left side; sums of scaled squares of either side

  Scanner(const R& y, const ManySums& sums, const NodeStats& stats)
      : bound(y, sums, stats), y(y), left(sums.of.size()), mass(left.size()), rest(left.size()) {}
  void start(const ManySums& first) {
    l = a = b = 0;
    for (int k = 0; k < bound.K; ++k) {
      left[k] = first.of.empty() ? 0 : first.of[k];
      mass[k] = y.mass(k, left[k]);
      rest[k] = bound.total_of(k) - mass[k];
      l += mass[k];
      a += bound.scale(k) * mass[k] * mass[k];
      b += bound.scale(k) * rest[k] * rest[k];
    }
  }
  void add(u32, u32 id) {
    const int k = y.code[id];
    const i64 w = y.w(id);
    const double m = y.mass(k, w), before = rest[k];
    left[k] += w;
    l += m;
    a += bound.scale(k) * m * (2 * mass[k] + m);
    b -= bound.scale(k) * m * (2 * before - m);
    mass[k] += m;
    rest[k] -= m;
  }
  bool can_exceed(i64) const {
    if (!bound.by_square()) return bound.can_exceed(left.data(), 0);
    const double r = bound.N - l;
    // Running sums drift by less than this.
    const double slack = 2e-12 * bound.whole * bound.N * bound.N;
    if (a * r + b * l + slack < (bound.threshold + bound.whole) * (l * r)) return false;
    return !bound.entropy || bound.tight(mass.data(), l);
  }
  double exact(i64 l_rows) const { return bound.exact(left.data(), l_rows); }
};

template <>
struct Scanner<WeightedMeanResponse> {
  WeightedMeanResponse::UpperBound bound;
  const WeightedMeanResponse& y;
  MeanCell<true> cell{};
  double rough = 0, drift;  // the left side's sum about the node's mean, and how far it times N may be off

  // Rounding of fewer than 2^11 sums, each at most sum |w d| <= sqrt(N scale).
  Scanner(const WeightedMeanResponse& y, const MeanSums<true>& sums, const NodeStats& stats)
      : bound(y, sums, stats), y(y), drift(1e-12 * std::sqrt(bound.N * bound.scale) * bound.N) {}
  double about_mean(u32 id, i64 w) const {
    return static_cast<double>(y.high[id] - bound.shift) * static_cast<double>(w);
  }
  Wide about(const MeanSums<true>& sums) const { return sums.sum - static_cast<Wide>(bound.shift) * sums.weight; }
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
  bool can_exceed(i64) const {
    const auto l = static_cast<double>(cell.weight);
    return bound.attains(std::abs(rough * bound.N - bound.total * l) + drift, l);
  }
  double exact(i64 l) const { return bound.exact(&cell, l); }
};

template <class Int>
struct Scanner<PoissonResponse<Int>> {
  using R = PoissonResponse<Int>;
  typename R::UpperBound bound;
  const R& y;
  RateCell<Int> cell{0, 0, 0};

  Scanner(const R& y, const RateSums& sums, const NodeStats& stats) : bound(y, sums, stats), y(y) {}
  void start(const RateSums& first) {
    cell = {first.n, static_cast<Int>(first.exposure), static_cast<Int>(first.events)};
  }
  void add(u32, u32 id) { y.add(&cell, id); }
  bool can_exceed(i64 l) const { return bound.can_exceed(&cell, l); }
  double exact(i64 l) const { return bound.exact(&cell, l); }
};

}  // namespace boxwood::coded

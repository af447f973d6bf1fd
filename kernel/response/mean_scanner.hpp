// The scan of a sorted list by means: what is on the left is kept up with the rows.
// Invariant: as in response/list_scanner.hpp. Cost: about 2 ns an entry; numbers that weigh one are bounded in one
// pass, 0.6 ns.
#pragma once

#include "response/list_scanner.hpp"

namespace boxwood::coded {

// Whether any cut attains the threshold; `total` and `threshold` as UpperBound of response/mean.hpp has them.
BOXWOOD_CLONES inline bool any_mean_attains(const i64* sums, const ListCuts& cuts, double total, double threshold) {
  int any = 0;
  for (int i = 0; i < cuts.count; ++i) {
    const int l = cuts.before + i + 1;
    const double d = static_cast<double>(sums[i]) * cuts.n - total * l;
    any |= d * d >= threshold * static_cast<double>(l * (cuts.n - l));
  }
  return any != 0;
}

// The most that any partition of a few rows of a numeric response in two takes away, but for rounding of a few parts in
// 10^15: the best two groups are neighbours in order of y (W. D. Fisher, JASA 53, 1958). `centred`: y about a whole
// number near the mean, of 2 to FEW rows; put in order.
constexpr u32 FEW = 8;
inline double best_two_group_split(i64* centred, u32 count) {
  // Without branches, which could not be predicted.
  for (u32 i = 1; i < count; ++i)
    for (u32 k = i; k > 0; --k) {
      const i64 a = centred[k - 1], b = centred[k];
      centred[k - 1] = std::min(a, b);
      centred[k] = std::max(a, b);
    }
  const i64 total = std::accumulate(centred, centred + count, i64{0});
  const auto n = static_cast<double>(count);
  i64 left = 0;
  double most = 0;
  for (u32 i = 0; i + 1 < count; ++i) {
    left += centred[i];
    const double l = i + 1, d = static_cast<double>(left) * n - static_cast<double>(total) * l;
    most = std::max(most, d * d / (n * l * (n - l)));
  }
  return most;
}

// Sums are counted from the node's rounded mean; wide ones are kept as a double too, for the bound.
template <class R>
struct MeanScanner : PlainScanner {
  static constexpr bool weighted = R::weighted;
  typename R::UpperBound bound;
  const R& y;
  typename R::Int sum = 0;
  i64 weight = 0;
  double rough = 0, drift;  // the wide sum, and how far it times the node's mass may be off

  // Rounding of fewer than 2^11 sums, each at most sum |w d| <= sqrt(N scale).
  MeanScanner(const R& y, const typename R::Sums& sums, const NodeStats& stats)
      : bound(y, sums, stats), y(y), drift(1e-12 * std::sqrt(bound.N * bound.scale) * bound.N) {}
  static double most(const R& y, const u32* entries, u32 count, const NodeStats& stats) {
    if (weighted || count <= 2 || count > FEW) return stats.risk;
    i64 centred[FEW];
    for (u32 i = 0; i < count; ++i) centred[i] = y.high[id_of(entries[i])] - stats.shift;
    return best_two_group_split(centred, count);
  }
  void start() {
    sum = 0;
    weight = 0;
    rough = 0;
  }
  void start(const typename R::Sums& first) {
    typename R::Cell cell;
    y.fill(first, &cell);
    sum = R::centred(cell, bound.shift);
    weight = cell.mass();
    rough = static_cast<double>(sum);
  }
  void add(u32 entry) {
    const u32 id = id_of(entry);
    const i64 d = y.high[id] - bound.shift, w = y.w(id);
    sum += static_cast<typename R::Int>(d) * w;
    if constexpr (!weighted) return;
    weight += w;
    rough += static_cast<double>(d) * static_cast<double>(w);
  }
  bool any_can_attain(const u32* entries, u32 cuts) const {
    if constexpr (weighted) return true;
    i64 sums[SMALL];
    auto at = static_cast<i64>(sum);
    for (u32 i = 0; i < cuts; ++i) sums[i] = at += y.high[id_of(entries[i])] - bound.shift;
    return any_mean_attains(sums, {static_cast<int>(cuts), static_cast<int>(weight), static_cast<int>(bound.n)},
                            bound.total, bound.threshold);
  }
  bool can_attain(i64 l) const {
    if constexpr (!weighted)
      return bound.attains(static_cast<double>(sum) * bound.N - bound.total * static_cast<double>(l),
                           static_cast<double>(l));
    const auto mass = static_cast<double>(weight);
    return bound.attains(std::abs(rough * bound.N - bound.total * mass) + drift, mass);
  }
  void take_left(i64 l, typename R::Cell* out) const {
    *out = {};
    out->n = l;
    if constexpr (weighted) out->weight = weight;
    using Sum = decltype(out->sum);
    out->sum = static_cast<Sum>(sum) + static_cast<Sum>(bound.shift) * static_cast<Sum>(out->mass());
  }
  double exact(i64 l) const {
    typename R::Cell cell;
    take_left(l, &cell);
    return bound.exact(&cell, l);
  }
};

}  // namespace boxwood::coded

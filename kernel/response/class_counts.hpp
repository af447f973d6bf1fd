// What the responses of classes share: the class of each row, what rows and classes count, sums by class, the measure.
// Invariant: sums by class are whole numbers; factors of classes only enter when a decrease is computed.
#pragma once

#include "response/node_stats.hpp"
#include "response/words.hpp"

namespace boxwood::coded {

constexpr int MOST_CLASSES = 32;  // of the sums of fixed size

// Sums by class: an array, or a vector that is empty until something is added.
template <class Of>
struct ClassSums {
  Of of{};
  i64 n = 0;
};

template <bool weighted_>
struct ClassCounts {
  static constexpr bool weighted = weighted_;
  static constexpr bool parts_exactly = !weighted;  // a node less one child is the other
  static constexpr bool has_low_parts = false, falls_in_rpart = true;
  using Code = std::conditional_t<weighted, std::int32_t, std::uint8_t>;
  const Code* code;
  int n_classes;
  const ClassMeasure* measure;
  const i64* weight_of = nullptr;  // nullptr = 1 each
  const double* factors = nullptr;  // nullptr = 1 each

  // Memory for the values of some rows, copied together.
  struct Rows {
    std::vector<Code> code;
    std::vector<i64> weight;
  };
  template <class Self>
  static Self gathered_rows(Self y, const u32* ids, u32 count, Rows& rows) {
    y.code = gathered(y.code, ids, count, rows.code);
    y.weight_of = gathered(y.weight_of, ids, count, rows.weight);
    return y;
  }

  i64 w(u32 id) const { return weighted && weight_of ? weight_of[id] : 1; }
  double mass(int k, i64 sum) const { return static_cast<double>(sum) * (weighted ? factor_of(factors, k) : 1.0); }
  int moments() const { return n_classes; }
  void prefetch(u32) const {}
  template <class Cell>
  static double tolerance(const Cell*) {
    return 0.0;
  }

  template <class Sums>
  void join(Sums& sums, const Sums& part) const {
    if constexpr (requires { sums.of.resize(1); }) sums.of.resize(static_cast<std::size_t>(n_classes));
    for (std::size_t k = 0; k < part.of.size(); ++k) sums.of[k] += part.of[k];
    sums.n += part.n;
  }
  template <class Sums>
  void remove(Sums& sums, const Sums& part) const {
    for (std::size_t k = 0; k < part.of.size(); ++k) sums.of[k] -= part.of[k];
    sums.n -= part.n;
  }
  template <class Sums>
  i64 weight(const Sums& sums) const {
    return weighted ? std::accumulate(sums.of.begin(), sums.of.end(), i64{0}) : sums.n;
  }
  template <class Sums>
  NodeStats stats_of(const Sums& sums) const {
    NodeStats out;
    int present = 0;
    for (int k = 0; k < n_classes; ++k) {
      out.scale += mass(k, sums.of[k]);
      present += sums.of[k] > 0;
    }
    out.pure = present < 2;
    out.risk = measure->impurity(n_classes, [&](int k) { return mass(k, sums.of[k]); });
    return out;
  }
  template <class Sums>
  void describe(const Sums& sums, const NodeStats&, const ResponseColumns& y, double* moments) const {
    for (int k = 0; k < n_classes; ++k) moments[k] = static_cast<double>(sums.of[k]) * y.unit;
  }
  template <class Sums>
  double drawn(const Sums& sums, const NodeStats&, const ValueLimits& limits) const {
    const double masses[2] = {mass(0, sums.of[0]), mass(1, sums.of[1])};
    const double share = masses[1] / (masses[0] + masses[1]), to = limits.nearest(share);
    return to == share ? 0.0 : measure->excess(masses, to);
  }
  i64 weight(const SummedEntry& e) const { return std::accumulate(e.words, e.words + n_classes, i64{0}); }
  // How far two decreases may be off together by rounding, in units of score: a logarithm and its addition are rounded
  // by less than two units of the last place of n log n, there are three a class and few beside.
  double noise(const NodeStats& stats) const {
    return 2 * std::numeric_limits<double>::epsilon() * std::log2(std::max(stats.scale, 2.0)) * (3 * n_classes + 16);
  }
};

}  // namespace boxwood::coded

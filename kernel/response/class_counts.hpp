// What the responses of classes share: the class of each row, what rows and classes count, the measure.
// Invariant: sums by class are whole numbers; factors of classes only enter when a decrease is computed.
#pragma once

#include "response/node_stats.hpp"

namespace boxwood::coded {

constexpr int MOST_CLASSES = 32;  // of the sums of fixed size; response/weighted_multiclass.hpp takes any number

template <class ClassCode>
struct ClassCounts {
  const ClassCode* code;
  int n_classes;
  const ClassMeasure* measure;
  const i64* weight_of = nullptr;  // nullptr = 1 each
  const double* factors = nullptr;  // nullptr = 1 each

  // Memory for the values of some rows, copied together.
  struct Rows {
    std::vector<ClassCode> code;
    std::vector<i64> weight;
  };
  template <class Self>
  static Self gathered_rows(Self y, const u32* ids, u32 count, Rows& rows) {
    y.code = gathered(y.code, ids, count, rows.code);
    y.weight_of = gathered(y.weight_of, ids, count, rows.weight);
    return y;
  }

  i64 w(u32 id) const { return weight_of ? weight_of[id] : 1; }
  double mass(int k, i64 sum) const { return static_cast<double>(sum) * factor_of(factors, k); }
  int moments() const { return n_classes; }
  bool whole_decreases() const { return measure->is<ClassificationError>() && !factors; }

  NodeStats stats_of_sums(const i64* sums) const {
    NodeStats out;
    for (int k = 0; k < n_classes; ++k) out.scale += mass(k, sums[k]);
    out.pure = present(sums) < 2;
    out.risk = measure->impurity(n_classes, [&](int k) { return mass(k, sums[k]); });
    return out;
  }
  void describe_sums(const i64* sums, const ResponseColumns& y, double* moments) const {
    for (int k = 0; k < n_classes; ++k) moments[k] = static_cast<double>(sums[k]) * y.unit;
  }
  // How far two decreases may be off by rounding, in units of score.
  double noise_of(const i64* sums, const NodeStats& stats) const { return measure->noise(stats.scale, present(sums)); }
  double decrease(const i64* left, const i64* total) const { return measure->many(left, total, n_classes, factors); }

 private:
  int present(const i64* sums) const {
    int out = 0;
    for (int k = 0; k < n_classes; ++k) out += sums[k] > 0;
    return out;
  }
};

// Sums of up to MOST_CLASSES classes of rows that count one each.
struct ClassSums {
  std::array<i64, MOST_CLASSES> of{};
  i64 n = 0;
};
inline void join_classes(ClassSums& sums, const ClassSums& part, int n_classes) {
  for (int k = 0; k < n_classes; ++k) sums.of[k] += part.of[k];
  sums.n += part.n;
}
inline void remove_classes(ClassSums& sums, const ClassSums& part, int n_classes) {
  for (int k = 0; k < n_classes; ++k) sums.of[k] -= part.of[k];
  sums.n -= part.n;
}

}  // namespace boxwood::coded

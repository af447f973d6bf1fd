// The exact sums of a node by classes, and what follows from them.
// Invariant: twins of node_facts.hpp for rows of weight one: the same doubles.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "response/bin_bounds.hpp"
#include "response/measures.hpp"
#include "response/moments.hpp"
#include "response/settings.hpp"

namespace boxwood::coded {

constexpr int MOST_CLASSES = 32;  // of weight one; with weights there may be more
constexpr int MOST_BRANCHES = 3;  // two, and one for rows without a value

// What is known of a node from its sums: twin of NodeFacts for rows of weight one.
struct Judged {
  double risk = 0.0, scale = 0.0;
  bool pure = true, fine = false;
  i64 shift = 0;  // means: the rounded mean, from which exact scores count
};

// No candidate below this can be chosen once one of decrease `best` is known; see the tie rule in settings.hpp.
inline double surely_below(double best, double scale) { return best - 4 * TIE * (best > scale ? best : scale); }

template <class Measure>
constexpr MeasureName NAME = std::is_same_v<Measure, Gini>      ? MeasureName::gini
                             : std::is_same_v<Measure, Entropy> ? MeasureName::entropy
                                                                : MeasureName::error;

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

inline void describe_classes(const i64* sums, int n_classes, const ResponseColumns& y, double* moments) {
  for (int k = 0; k < n_classes; ++k) moments[k] = static_cast<double>(sums[k]) * y.unit;
}

// What some rows look like, copied together.
template <class T>
const T* gathered(const T* from, const u32* ids, u32 count, std::vector<T>& to) {
  to.resize(std::max<std::size_t>(to.size(), count));
  for (u32 i = 0; i < count; ++i) to[i] = from[ids[i]];
  return to.data();
}
struct ClassRows {
  std::vector<std::uint8_t> code;
  const std::uint8_t* gather(const std::uint8_t* from, const u32* ids, u32 count) {
    return gathered(from, ids, count, code);
  }
};
struct WeightedRows : ClassRows {
  std::vector<i64> weight;
  const i64* weights(const i64* from, const u32* ids, u32 count) {
    return from ? gathered(from, ids, count, weight) : nullptr;
  }
};

// A measure of classes that is chosen when the program runs.
struct AnyMeasure {
  MeasureName name;
  double many(const i64* left, const i64* total, int n_classes, const double* factors) const {
    if (name == MeasureName::gini) return Gini{}.many(left, total, n_classes, factors);
    if (name == MeasureName::entropy) return Entropy{}.many(left, total, n_classes, factors);
    return ClassificationError{}.many(left, total, n_classes, factors);
  }
};

// As NodeFacts::collect_classes tells it.
inline Judged judge_classes(MeasureName measure, const i64* sums, int n_classes, const double* factors) {
  Judged out;
  int present = 0;
  double squares = 0, logs = 0, most = 0;
  for (int k = 0; k < n_classes; ++k) {
    const double mass = static_cast<double>(sums[k]) * factor_of(factors, k);
    present += sums[k] > 0;
    out.scale += mass;
    squares += mass * mass;
    if (measure == MeasureName::entropy) logs += x_log2_x(mass);
    most = std::max(most, mass);
  }
  out.pure = present < 2;
  out.risk = measure == MeasureName::gini      ? out.scale - squares / out.scale
             : measure == MeasureName::entropy ? x_log2_x(out.scale) - logs
                                               : out.scale - most;
  return out;
}

}  // namespace boxwood::coded

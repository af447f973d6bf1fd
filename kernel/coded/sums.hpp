// The exact sums of a node by classes, and what follows from them.
// Invariant: twins of node_facts.hpp for rows of weight one: the same doubles.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "../measures.hpp"
#include "../moments.hpp"
#include "../settings.hpp"
#include "bounds.hpp"

namespace boxwood::coded {

constexpr int MOST_CLASSES = 32;
constexpr int MOST_BRANCHES = 3;  // two, and one for rows without a value

// What is known of a node from its sums: twin of NodeFacts for rows of weight one.
struct Judged {
  double risk = 0.0, scale = 0.0;
  bool pure = true, fine = false;
  i64 shift = 0;  // means: the rounded mean, from which exact scores count
};

// No candidate below this can be chosen once one of decrease `best` is known; see the tie rule in settings.hpp.
inline double surely_below(double best, double scale) { return best - 4 * TIE * (best > scale ? best : scale); }

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

inline void describe_classes(const ClassSums& sums, int n_classes, const Response& y, double* moments) {
  for (int k = 0; k < n_classes; ++k) moments[k] = static_cast<double>(sums.of[k]) * y.unit;
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
  const std::uint8_t* gather(const std::uint8_t* from, const u32* ids, u32 count) { return gathered(from, ids, count, code); }
};

template <class Measure>
inline double class_risk(const ClassSums& sums, int n_classes, double scale) {
  double squares = 0, logs = 0;
  for (int k = 0; k < n_classes; ++k) {
    const auto mass = static_cast<double>(sums.of[k]);
    squares += mass * mass;
    if constexpr (std::is_same_v<Measure, Entropy>) logs += x_log2_x(mass);
  }
  if constexpr (std::is_same_v<Measure, Entropy>) return x_log2_x(scale) - logs;
  return scale - squares / scale;
}

template <class Measure>
inline Judged judge_classes(const ClassSums& sums, int n_classes) {
  Judged out;
  int present = 0;
  for (int k = 0; k < n_classes; ++k) present += sums.of[k] > 0;
  out.pure = present < 2;
  out.scale = static_cast<double>(sums.n);
  out.risk = class_risk<Measure>(sums, n_classes, out.scale);
  return out;
}

}  // namespace boxwood::coded

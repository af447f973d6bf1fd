// Weights and their information: n log2 n of whole weights, from which every entropy of a partition is a sum.
// Invariant: equal whole weights give equal doubles, so a gain depends on the table alone, not on the order of samples.
// Cost: one load a count below the table's size, else one logarithm. Source: SPECS 1; sums of whole weights as in
// exact.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "response/measures.hpp"

namespace boxwood::multiway {

// Every weight 1: counts. Larger ones than the table holds are worked out.
class Counts {
 public:
  static constexpr bool weighted = false;
  Counts(double, std::size_t most) : table_(std::min<std::size_t>(most + 1, MOST)) {
    for (std::size_t n = 2; n < table_.size(); ++n) table_[n] = x_log2_x(static_cast<double>(n));
  }
  double true_weight(std::int64_t n) const { return static_cast<double>(n); }
  double operator()(std::int64_t n) const {
    return static_cast<std::size_t>(n) < table_.size() ? table_[static_cast<std::size_t>(n)]
                                                       : x_log2_x(static_cast<double>(n));
  }

 private:
  static constexpr std::size_t MOST = std::size_t{1} << 20;
  std::vector<double> table_;
};

// Whole multiples of a unit.
class Weights {
 public:
  static constexpr bool weighted = true;
  Weights(double unit, std::size_t) : unit_(unit) {}
  double true_weight(std::int64_t w) const { return static_cast<double>(w) * unit_; }
  double operator()(std::int64_t w) const { return x_log2_x(true_weight(w)); }

 private:
  double unit_;
};

// Weight times entropy in bits of some class weights.
template <class Measure>
double bits(const Measure& f, const std::int64_t* classes, int n_classes) {
  std::int64_t whole = 0;
  double parts = 0.0;
  for (int k = 0; k < n_classes; ++k) {
    whole += classes[k];
    parts += f(classes[k]);
  }
  return f(whole) - parts;
}

}  // namespace boxwood::multiway

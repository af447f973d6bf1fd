// Weights and their information: n log2 n of whole weights, from which every entropy of a partition is a sum.
// Invariant: equal whole weights give equal doubles, so a gain depends on the table alone, not on the order of samples.
// Cost: one load a count below the table's size, else one logarithm. Source: docs/measures.md; sums of whole weights as
// in exact.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "response/measures.hpp"

namespace boxwood::multiway {

class Information {
 public:
  // `unit`: the weight of one unit of whole-number weight. Without weights, n log2 n is tabulated up to `most` rows.
  Information(bool weighted, double unit, std::size_t most)
      : weighted_(weighted), unit_(weighted ? unit : 1.0), table_(weighted ? 0 : std::min(most + 1, LARGEST)) {
    for (std::size_t n = 2; n < table_.size(); ++n) table_[n] = x_log2_x(static_cast<double>(n));
  }

  bool weighted() const { return weighted_; }
  double true_weight(std::int64_t w) const { return static_cast<double>(w) * unit_; }
  double operator()(std::int64_t w) const {
    const auto n = static_cast<std::size_t>(w);
    return n < table_.size() ? table_[n] : x_log2_x(true_weight(w));
  }

  // Weight times entropy in bits of some class weights.
  double bits(std::span<const std::int64_t> classes) const {
    std::int64_t whole = 0;
    double parts = 0.0;
    for (const std::int64_t w : classes) {
      whole += w;
      parts += (*this)(w);
    }
    return (*this)(whole)-parts;
  }

 private:
  static constexpr std::size_t LARGEST = std::size_t{1} << 20;
  bool weighted_;
  double unit_;
  std::vector<double> table_;
};

}  // namespace boxwood::multiway

// What rows of a numeric target add to a cell of a table and to the sums of a node; weighted, or of weight one.
// Invariant: whole numbers, but for the squares of a cell. Cost: a cell is 24 bytes, or 48 with weights.
#pragma once

#include "response/long_sum.hpp"
#include "response/node_stats.hpp"

namespace boxwood::coded {

// A sum divided by a count, towards zero; sums of 64 bits, as nearly all are, several times faster.
struct Share {
  Wide whole, rest;
  static Share of(Wide sum, i64 n) {
    const auto narrow = static_cast<i64>(sum);
    if (narrow == sum) return {narrow / n, narrow % n};
    return {sum / n, sum % n};
  }
};

// y is counted from the root's rounded mean. Without weights a cell's sums wrap around modulo 2^64: about a node's mean
// they fit.
template <bool weighted>
struct MeanCell;
template <>
struct MeanCell<false> : Additive<MeanCell<false>> {
  i64 n;
  u64 sum;
  double squares;
  auto fields() { return std::tie(n, sum, squares); }
  i64 mass() const { return n; }
};
template <>
struct MeanCell<true> : Additive<MeanCell<true>> {
  i64 n, weight;
  Wide sum;
  double squares;
  auto fields() { return std::tie(n, weight, sum, squares); }
  i64 mass() const { return weight; }
};

template <bool weighted>
struct MeanSums;
template <>
struct MeanSums<false> : Additive<MeanSums<false>> {
  i64 n = 0;
  Wide sum = 0, low = 0, squares = 0;
  auto fields() { return std::tie(n, sum, low, squares); }
  void add(i64 d, i64 low_part, i64) {
    ++n;
    sum += d;
    low += low_part;
    squares += static_cast<Wide>(d) * d;
  }
  void join(const MeanSums& part) { *this += part; }
  i64 mass() const { return n; }
  void set_mass(i64 rows, i64) { n = rows; }
  bool is_pure() const { return static_cast<Wide>(n) * squares == sum * sum; }
  LongSum sum_of_squares() const {
    LongSum out;
    out.add(squares);
    return out;
  }
};
template <>
struct MeanSums<true> : Additive<MeanSums<true>> {
  i64 n = 0, weight = 0;
  Wide sum = 0, low = 0;
  LongSum squares;
  i64 least = std::numeric_limits<i64>::max(), most = std::numeric_limits<i64>::min();  // `-=` leaves those of all
  auto fields() { return std::tie(n, weight, sum, low, squares.low, squares.high); }
  void add(i64 d, i64 low_part, i64 w) {
    const Wide heavy = static_cast<Wide>(d) * w;
    ++n;
    weight += w;
    sum += heavy;
    low += static_cast<Wide>(low_part) * w;
    squares.add(heavy * d);
    least = std::min(least, d);
    most = std::max(most, d);
  }
  void join(const MeanSums& part) {
    *this += part;
    least = std::min(least, part.least);
    most = std::max(most, part.most);
  }
  i64 mass() const { return weight; }
  void set_mass(i64 rows, i64 mass) {
    n = rows;
    weight = mass;
  }
  bool is_pure() const { return least == most; }
  LongSum sum_of_squares() const { return squares; }
};

}  // namespace boxwood::coded

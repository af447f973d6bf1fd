// Class weights of a feature's levels or values at a node, added up by shards, and the best cut among them.
// Invariant: the cut is the one multiway/cuts.hpp finds over samples, its bits written as there.
// Cost: one pass over the entries.
#pragma once

#include <algorithm>
#include <limits>

#include "multiway/candidates.hpp"
#include "shards/level.hpp"

namespace boxwood::sharded {

// Levels or values of a feature at a node, rising, with their rows and class weights; missing ones apart.
struct ClassTable {
  std::vector<double> values, lows;  // of numeric features; lows empty = all 0
  std::vector<u32> codes;  // of levels: the level; of values: the place
  std::vector<i64> rows, classes;
  std::vector<i64> known, gone;
  i64 known_weight = 0, known_rows = 0, gone_rows = 0;

  std::size_t size() const { return codes.size(); }
};

// The best cut, as multiway/cuts.hpp finds it over samples.
class EntryScan {
 public:
  EntryScan(const multiway::Information& f, const multiway::Settings& settings, const ClassTable& table, int n_classes,
            bool two)
      : f_(f), settings_(settings), table_(table), n_classes_(n_classes), two_(two) {}

  multiway::BestCut search(multiway::Threshold bar) {
    using multiway::SLIGHT;
    multiway::BestCut out;
    const double whole = f_.true_weight(table_.known_weight), m = settings_.min_branch_weight;
    if (whole < 2 * m - SLIGHT || table_.known_rows < 2) return out;
    least_ = m > 0 ? std::max(m, std::min(0.10 * whole / n_classes_, 25.0)) : 0.0;
    first_ = std::max<i64>(1, std::min(settings_.min_samples_leaf, table_.known_rows));
    if (!f_.weighted()) first_ = std::max(first_, static_cast<i64>(std::ceil(least_ - SLIGHT)));
    if (settings_.charge) {
      each_cut([&](std::size_t, i64) { ++out.tries; });
      if (out.tries == 0) return out;
      bar.least += std::log2(static_cast<double>(out.tries));
    }
    double must = bar.start();
    const double base = f_.bits(table_.known.data(), n_classes_);
    each_cut([&](std::size_t e, i64 low) {
      const double gained = two_ ? gain_of_two(low) : base - parts(low);
      if (!(gained > must)) return;
      out.found = true;
      out.bits = gained;
      out.below = table_.codes[e];
      out.above = table_.codes[e + 1];
      out.low = low;
      must = bar.above(gained);
    });
    return out;
  }

 private:
  // visit(entry below, weight below) for every cut that the limits allow; class weights below are in left_.
  template <class Visit>
  void each_cut(const Visit& visit) {
    left_.assign(static_cast<std::size_t>(n_classes_), 0);
    i64 low = 0, rows = 0;
    for (std::size_t e = 0; e + 1 < table_.size(); ++e) {
      rows += table_.rows[e];
      for (int k = 0; k < n_classes_; ++k) {
        left_[static_cast<std::size_t>(k)] += at(e, k);
        low += at(e, k);
      }
      if (rows < first_ || table_.known_rows - rows < first_ || !differs(e)) continue;
      if (f_.weighted() && !(is_large_enough(low) && is_large_enough(table_.known_weight - low))) continue;
      visit(e, low);
    }
  }
  i64 at(std::size_t e, int k) const {
    return table_.classes[e * static_cast<std::size_t>(n_classes_) + static_cast<std::size_t>(k)];
  }
  bool is_large_enough(i64 weight) const { return f_.true_weight(weight) >= least_ - multiway::SLIGHT; }
  bool differs(std::size_t e) const {
    return settings_.value_tolerance == 0.0 || table_.values.empty() ||
           table_.values[e] < table_.values[e + 1] - settings_.value_tolerance;
  }

  // Every weight one: written as over samples, so that the last bit agrees.
  double gain_of_two(i64 l) const {
    const i64 n = table_.known_weight, n1 = table_.known[1], n0 = table_.known[0], ones = left_[1], r = n - l;
    const double base = f_(n) - f_(n0) - f_(n1);
    return base - (f_(l) - f_(ones) - f_(l - ones)) - (f_(r) - f_(n1 - ones) - f_(n0 - l + ones));
  }
  double parts(i64 low) const {
    double sides = f_(low) + f_(table_.known_weight - low);
    for (int k = 0; k < n_classes_; ++k)
      sides -= f_(left_[static_cast<std::size_t>(k)]) +
               f_(table_.known[static_cast<std::size_t>(k)] - left_[static_cast<std::size_t>(k)]);
    return sides;
  }

  const multiway::Information& f_;
  const multiway::Settings& settings_;
  const ClassTable& table_;
  const int n_classes_;
  const bool two_;
  std::vector<i64> left_;
  double least_ = 0.0;
  i64 first_ = 1;
};

}  // namespace boxwood::sharded

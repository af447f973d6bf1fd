// Best cut of a sorted list by information gain, passing over cuts that cannot win without a logarithm.
// Invariant: the cut found is the one a scan with the exact gain at every cut would find (SPECS 0.2, 4.4).
// Cost: two passes; about 1 ns a sample with two classes and no weights, 3 ns else, plus a few exact gains.
// Source: Quinlan 1996 (charge for the number of cuts). The bound: mutual information in nats is at most
// chi-squared / n.
#pragma once

#include <numbers>

#include "multiway/block.hpp"
#include "multiway/information.hpp"
#include "multiway/settings.hpp"

namespace boxwood::multiway {

// The samples of a node by one feature: its list and the class weights of known and of missing values.
struct FeatureRows {
  const Entry* entries = nullptr;
  std::uint32_t known_rows = 0, missing_rows = 0;
  const std::int64_t *known = nullptr, *missing = nullptr;  // weight of each class
  std::int64_t known_weight = 0;
};

// What a cut must exceed; in bits times weight, like all gains here.
struct Threshold {
  double least = 0.0;  // the first cut must exceed this: the charge, less what a branch of missing values gains
  double offset = 0.0;  // what a branch of missing values gains
  double scale = 1.0;  // weight of the node: one bit
  double start() const { return least + TIE * scale; }
  double above(double best) const { return best + TIE * std::max(scale, best + offset); }
};

struct BestCut {
  bool found = false;
  double bits = 0.0;  // gain of the known samples times weight
  std::uint32_t below = 0, above = 0, tries = 0;
  std::int64_t low = 0;  // weight below
};

class CutScan {
 public:
  CutScan(const Information& information, const Settings& settings, const Column& column, const Block& block,
          int n_classes, std::vector<std::int64_t>& left)
      : information_(information),
        settings_(settings),
        column_(column),
        block_(block),
        n_classes_(n_classes),
        left_(left) {}

  BestCut search(const FeatureRows& rows, Threshold threshold) {
    BestCut best;
    if (!set_limits(rows)) return best;
    if (settings_.charge) {
      best.tries = count_tries(rows);
      if (best.tries == 0) return best;
      threshold.least += std::log2(static_cast<double>(best.tries));
    }
    if (!information_.weighted() && !block_.classes)
      scan_two(rows, threshold, best);
    else
      scan_any(rows, threshold, best);
    return best;
  }

 private:
  // The first and last entries that may be the last one below a cut; false when there is none.
  bool set_limits(const FeatureRows& rows) {
    const double whole = information_.true_weight(rows.known_weight), m = settings_.min_branch_weight;
    if (whole < 2 * m - SLIGHT || rows.known_rows < 2) return false;
    least_ = m > 0 ? std::max(m, std::min(0.10 * whole / n_classes_, 25.0)) : 0.0;
    const auto leaf = static_cast<std::uint32_t>(std::min<std::int64_t>(settings_.min_samples_leaf, rows.known_rows));
    first_ = std::max<std::uint32_t>(1, leaf);
    if (!information_.weighted()) first_ = std::max(first_, static_cast<std::uint32_t>(std::ceil(least_ - SLIGHT)));
    last_ = rows.known_rows - std::min(first_, rows.known_rows);
    return first_ <= last_;
  }

  // Entry i is the last one below a possible cut.
  bool differs(const Entry* e, std::uint32_t i) const {
    if (code_of(e[i]) == code_of(e[i + 1])) return false;
    if (settings_.value_tolerance == 0.0 || column_.kind != Kind::numeric) return true;
    return column_.values[code_of(e[i])] < column_.values[code_of(e[i + 1])] - settings_.value_tolerance;
  }
  bool is_large_enough(std::int64_t low, const FeatureRows& rows) const {
    return information_.true_weight(low) >= least_ - SLIGHT &&
           information_.true_weight(rows.known_weight - low) >= least_ - SLIGHT;
  }

  std::uint32_t count_tries(const FeatureRows& rows) const {
    std::uint32_t tries = 0;
    if (information_.weighted()) {
      std::int64_t low = 0;
      for (std::uint32_t i = 0; i < last_; ++i) {
        low += block_.weight_of(rows.entries[i]);
        tries += i + 1 >= first_ && differs(rows.entries, i) && is_large_enough(low, rows);
      }
    } else if (settings_.value_tolerance == 0.0) {
      for (std::uint32_t i = first_ - 1; i < last_; ++i)
        tries += code_of(rows.entries[i]) != code_of(rows.entries[i + 1]);
    } else {
      for (std::uint32_t i = first_ - 1; i < last_; ++i) tries += differs(rows.entries, i);
    }
    return tries;
  }

  static void take(double bits, std::uint32_t i, std::int64_t low, const FeatureRows& rows, BestCut& best) {
    best.found = true;
    best.bits = bits;
    best.below = code_of(rows.entries[i]);
    best.above = code_of(rows.entries[i + 1]);
    best.low = low;
  }

  // State of a scan of two classes: i entries are below the cut; d = l1 n - l n1 and area = l r belong to them.
  struct Position {
    std::uint32_t i = 0;
    std::int64_t d = 0, area = 0, ones = 0;
  };

  // With d = l1 n - l n1: chi-squared = n d^2 / (l r n0 n1), and bits <= chi-squared / ln 2.
  void scan_two(const FeatureRows& rows, const Threshold& threshold, BestCut& best) const {
    const Entry* entries = rows.entries;
    const Information& f = information_;
    const std::int64_t n = rows.known_rows, n1 = rows.known[1], n0 = rows.known[0];
    const double base = f(n) - f(n0) - f(n1);
    const double per =
        SURELY * std::numbers::ln2 * static_cast<double>(n0) * static_cast<double>(n1) / static_cast<double>(n);
    double must = threshold.start();
    Position at;
    while (at.i + 1 < first_) step(entries, n, n1, at);
    while (next_promising(entries, n, n1, must * per, at)) {
      if (!differs(entries, at.i - 1)) continue;
      const std::int64_t l = at.i, r = n - l;
      const double gained =
          base - (f(l) - f(at.ones) - f(l - at.ones)) - (f(r) - f(n1 - at.ones) - f(n0 - l + at.ones));
      if (!(gained > must)) continue;
      take(gained, at.i - 1, l, rows, best);
      must = threshold.above(gained);
    }
  }

  static void step(const Entry* entries, std::int64_t n, std::int64_t n1, Position& at) {
    const std::int64_t bit = bit_of(entries[at.i]);
    at.ones += bit;
    at.d += (n & -bit) - n1;
    at.area += n - 2 * static_cast<std::int64_t>(at.i) - 1;
    ++at.i;
  }

  // Moves to the next cut that the bound does not rule out; false when there is none.
  bool next_promising(const Entry* entries, std::int64_t n, std::int64_t n1, double limit, Position& at) const {
    Position here = at;  // kept in registers
    const std::uint32_t last = last_;
    bool found = false;
    while (here.i < last && !found) {
      step(entries, n, n1, here);
      const double d = static_cast<double>(here.d);
      found = !(d * d < limit * static_cast<double>(here.area));
    }
    at = here;
    return found;
  }

  // With q = sum l_k^2 / n_k: chi-squared / n = (q n - l^2) / (l r). q accumulates rounding, hence the allowance.
  void scan_any(const FeatureRows& rows, const Threshold& threshold, BestCut& best) const {
    const Entry* entries = rows.entries;
    left_.assign(static_cast<std::size_t>(n_classes_), 0);
    const double n = static_cast<double>(rows.known_weight);
    const double per = information_.true_weight(rows.known_weight), base = information_.bits(rows.known, n_classes_);
    double must = threshold.start(), limit = must / per * SURELY * std::numbers::ln2, q = 0.0;
    std::int64_t low = 0;
    for (std::uint32_t i = 0; i < last_; ++i) {
      const int k = block_.class_of(entries[i]);
      const std::int64_t w = block_.weight_of(entries[i]);
      q += static_cast<double>(2 * left_[k] + w) * (static_cast<double>(w) / static_cast<double>(rows.known[k]));
      left_[k] += w;
      low += w;
      const double l = static_cast<double>(low);
      const double bound = q * n * (1 + 1e-15 * (i + 16)) - l * l;
      if (i + 1 < first_ || bound < limit * l * (n - l) || !differs(entries, i)) continue;
      if (information_.weighted() && !is_large_enough(low, rows)) continue;
      const double gained = base - bits_of_sides(rows, low);
      if (!(gained > must)) continue;
      take(gained, i, low, rows, best);
      must = threshold.above(gained);
      limit = must / per * SURELY * std::numbers::ln2;
    }
  }

  // Bits of the two sides of a cut, times weight.
  double bits_of_sides(const FeatureRows& rows, std::int64_t low) const {
    const Information& f = information_;
    double sides = f(low) + f(rows.known_weight - low);
    for (int k = 0; k < n_classes_; ++k) sides -= f(left_[k]) + f(rows.known[k] - left_[k]);
    return sides;
  }

  const Information& information_;
  const Settings& settings_;
  const Column& column_;
  const Block& block_;
  const int n_classes_;
  std::vector<std::int64_t>& left_;
  double least_ = 0.0;
  std::uint32_t first_ = 1, last_ = 0;
};

}  // namespace boxwood::multiway

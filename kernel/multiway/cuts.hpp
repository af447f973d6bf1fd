// Best cut of a node's values by information gain, passing over cuts that cannot win without a logarithm.
// Invariant: the cut found is the one a scan with the exact gain at every cut would find, whether the values
// come from a sorted list or from a table.
// Cost: one pass, with a charge two; about 1 ns a sample with two classes and no weights, 3 ns else, plus a few exact
// gains.
// Source: Quinlan 1996 (charge for the number of cuts). The bound: mutual information in nats is at most
// chi-squared / n.
#pragma once

#include <numbers>

#include "multiway/levels.hpp"

namespace boxwood::multiway {

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
  std::uint32_t below = 0, above = 0;
  std::int64_t low = 0, tries = 0;  // weight below; possible cuts
};

// `Values`: a sorted list or a table (levels.hpp).
template <class Values>
class CutScan {
 public:
  CutScan(const Information& information, const Settings& settings, const Values& values, const FeatureRows& rows,
          bool two, std::vector<std::int64_t>& left)
      : information_(information),
        settings_(settings),
        values_(values),
        numbers_(settings.value_tolerance == 0.0 ? nullptr : values.numbers),
        rows_(rows),
        n_classes_(static_cast<int>(rows.known.size())),
        two_(two && !information.weighted()),
        left_(left) {}

  BestCut search(Threshold threshold) {
    BestCut best;
    if (!set_limits()) return best;
    if (settings_.charge) {
      best.tries = count_tries();
      if (best.tries == 0) return best;
      threshold.least += std::log2(static_cast<double>(best.tries));
    }
    if constexpr (Values::one_by_one) {
      if (two_) return scan_two(threshold, best), best;
    }
    scan(threshold, best);
    return best;
  }
  // The number of possible cuts.
  std::int64_t tries() { return set_limits() ? count_tries() : 0; }

 private:
  // The least and the largest number of rows below a cut; false when there is none.
  bool set_limits() {
    const double whole = information_.true_weight(rows_.known_weight), m = settings_.min_branch_weight;
    if (whole < 2 * m - SLIGHT || rows_.known_rows < 2) return false;
    least_ = m > 0 ? std::max(m, std::min(0.10 * whole / n_classes_, 25.0)) : 0.0;
    if (settings_.count_rows && static_cast<double>(rows_.known_rows) < 2 * least_ - SLIGHT) return false;
    first_ = std::max<std::int64_t>(1, std::min(settings_.min_samples_leaf, rows_.known_rows));
    if (!information_.weighted()) first_ = std::max(first_, static_cast<std::int64_t>(std::ceil(least_ - SLIGHT)));
    last_ = std::min(rows_.known_rows - first_, rows_.seen_rows - 1);
    return first_ <= last_;
  }

  // Entry e is the last one below a possible cut.
  BOXWOOD_INLINE bool differs(std::size_t e) const {
    const std::uint32_t low = values_.code(e), high = values_.code(e + 1);
    return low != high && (!numbers_ || numbers_[low] < numbers_[high] - settings_.value_tolerance);
  }
  bool is_large_enough(std::int64_t low) const {
    return !information_.weighted() || (information_.true_weight(low) >= least_ - SLIGHT &&
                                        information_.true_weight(rows_.known_weight - low) >= least_ - SLIGHT);
  }

  std::int64_t count_tries() const {
    std::int64_t tries = rows_.tries, low = 0, rows = 0;
    if (Values::one_by_one && !information_.weighted()) {
      const auto from = static_cast<std::size_t>(first_ - 1), to = static_cast<std::size_t>(last_);
      for (std::size_t e = from; e < to; ++e) tries += differs(e);
      return tries;
    }
    for (std::size_t e = 0; rows < last_; ++e) {
      rows += values_.rows(e);
      if (information_.weighted()) low += values_.weight(e);
      tries += e + 1 >= rows_.counted && rows >= first_ && rows <= last_ && differs(e) && is_large_enough(low);
    }
    return tries;
  }

  void take(double bits, std::size_t e, std::int64_t low, BestCut& best) const {
    best = {true, bits, values_.code(e), values_.code(e + 1), low, best.tries};
  }

  // With q = sum l_k^2 / n_k: chi-squared / n = (q n - l^2) / (l r). q accumulates rounding, hence the allowance.
  void scan(const Threshold& threshold, BestCut& best) const {
    left_.assign(static_cast<std::size_t>(n_classes_), 0);
    const double n = static_cast<double>(rows_.known_weight);
    const double per = information_.true_weight(rows_.known_weight), base = information_.bits(rows_.known);
    double must = threshold.start(), limit = must / per * SURELY * std::numbers::ln2, q = 0.0;
    const std::int64_t first = first_, last = last_;
    std::int64_t low = 0, rows = 0;
    for (std::size_t e = 0; rows < last; ++e) {
      values_.each_class(e, [&](int k, std::int64_t w) {
        q += static_cast<double>(2 * left_[k] + w) * (static_cast<double>(w) / static_cast<double>(rows_.known[k]));
        left_[k] += w;
        low += w;
      });
      rows += values_.rows(e);
      const double l = static_cast<double>(low);
      const double bound = q * n * (1 + 1e-15 * static_cast<double>(rows + 15)) - l * l;
      if (rows < first || rows > last || bound < limit * l * (n - l) || !differs(e) || !is_large_enough(low)) continue;
      const double gained = two_ ? gain_of_two(low, left_[1]) : base - bits_of_sides(low);
      if (!(gained > must)) continue;
      take(gained, e, low, best);
      must = threshold.above(gained);
      limit = must / per * SURELY * std::numbers::ln2;
    }
  }

  // Bits of the two sides of a cut, times weight.
  double bits_of_sides(std::int64_t low) const {
    const Information& f = information_;
    double sides = f(low) + f(rows_.known_weight - low);
    for (int k = 0; k < n_classes_; ++k) sides -= f(left_[k]) + f(rows_.known[k] - left_[k]);
    return sides;
  }

  // Two classes, every weight 1, `ones` of the second class among the l rows below.
  double gain_of_two(std::int64_t l, std::int64_t ones) const {
    const Information& f = information_;
    const std::int64_t n = rows_.known_weight, n1 = rows_.known[1], n0 = rows_.known[0], r = n - l;
    return f(n) - f(n0) - f(n1) - (f(l) - f(ones) - f(l - ones)) - (f(r) - f(n1 - ones) - f(n0 - l + ones));
  }

  // State of a scan of two classes: i entries are below the cut; d = l1 n - l n1 and area = l r belong to them.
  struct Position {
    std::uint32_t i = 0;
    std::int64_t d = 0, area = 0, ones = 0;
  };

  // The same for two classes, every weight 1. With d = l1 n - l n1: chi-squared = n d^2 / (l r n0 n1), and
  // bits <= chi-squared / ln 2.
  BOXWOOD_NOINLINE void scan_two(const Threshold& threshold, BestCut& best) const {
    const std::int64_t n = rows_.known_weight, n1 = rows_.known[1], n0 = rows_.known[0];
    const double per =
        SURELY * std::numbers::ln2 * static_cast<double>(n0) * static_cast<double>(n1) / static_cast<double>(n);
    double must = threshold.start();
    Position at;
    while (at.i + 1 < first_) step(values_.entries, n, n1, at);
    while (next_promising(values_.entries, n, n1, must * per, at)) {
      if (!differs(at.i - 1)) continue;
      const double gained = gain_of_two(at.i, at.ones);
      if (!(gained > must)) continue;
      take(gained, at.i - 1, at.i, best);
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
    const auto last = static_cast<std::uint32_t>(last_);
    bool found = false;
    while (here.i < last && !found) {
      step(entries, n, n1, here);
      const double d = static_cast<double>(here.d);
      found = !(d * d < limit * static_cast<double>(here.area));
    }
    at = here;
    return found;
  }

  const Information& information_;
  const Settings& settings_;
  const Values& values_;
  const double* const numbers_;
  const FeatureRows& rows_;
  const int n_classes_;
  const bool two_;
  std::vector<std::int64_t>& left_;
  double least_ = 0.0;
  std::int64_t first_ = 1, last_ = 0;
};

}  // namespace boxwood::multiway

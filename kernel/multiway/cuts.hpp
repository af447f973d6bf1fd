// Best cut of a sorted list by information gain, passing over cuts that cannot win without a logarithm.
// Invariant: the cut found is the one a scan with the exact gain at every cut would find (SPECS 0.2, 4.4).
// Cost: two passes; about 1 ns a sample with two classes and no weights, 3 ns else, plus the few gains worked out.
// Source: Quinlan 1996 (charge for the number of cuts). The bound: mutual information in nats is at most chi-squared /
// n.
#pragma once

#include <numbers>

#include "multiway/block.hpp"
#include "multiway/information.hpp"
#include "multiway/settings.hpp"
#include "response/measures.hpp"

namespace boxwood::multiway {

// A feature at a node: its list and the class weights behind known values.
struct Known {
  const Entry* entries = nullptr;
  std::uint32_t count = 0;
  const std::int64_t* classes = nullptr;
  std::int64_t weight = 0;
};

// What a cut must beat; in bits times weight, like all gains here.
struct Bar {
  double least = 0.0;  // the first cut must be above this: the charge, less what a branch of missing values gains
  double offset = 0.0;  // what a branch of missing values gains
  double scale = 1.0;  // weight of the node: one bit
  double start() const { return least + TIE * scale; }
  double above(double best) const { return best + TIE * std::max(scale, best + offset); }
};

struct Cutting {
  bool found = false;
  double bits = 0.0;  // gain of the known samples times weight
  std::uint32_t below = 0, above = 0, tries = 0;
  std::int64_t low = 0;  // weight below
};

template <class Measure>
class CutScan {
 public:
  CutScan(const Measure& f, const Settings& settings, const Column& column, const Block& block, int n_classes,
          std::vector<std::int64_t>& left)
      : f_(f), settings_(settings), column_(column), block_(block), n_classes_(n_classes), left_(left) {}

  Cutting search(const Known& known, const Bar& free) {
    Cutting out;
    const double whole = f_.true_weight(known.weight), m = settings_.min_branch_weight;
    if (whole < 2 * m - SLIGHT || known.count < 2) return out;
    least_ = m > 0 ? std::max(m, std::min(0.10 * whole / n_classes_, 25.0)) : 0.0;
    const auto rows = static_cast<std::uint32_t>(std::min<std::int64_t>(settings_.min_samples_leaf, known.count));
    first_ = std::max<std::uint32_t>(1, rows);
    if (!Measure::weighted) first_ = std::max(first_, static_cast<std::uint32_t>(std::ceil(least_ - SLIGHT)));
    last_ = known.count - std::min(first_, known.count);
    if (first_ > last_) return out;
    if (settings_.charge) {
      out.tries = count_tries(known);
      if (out.tries == 0) return out;
    }
    Bar bar = free;
    if (settings_.charge) bar.least += std::log2(static_cast<double>(out.tries));
    if constexpr (!Measure::weighted) {
      if (!block_.classes) {
        scan_two(known, bar, out);
        return out;
      }
    }
    scan_any(known, bar, out);
    return out;
  }

 private:
  // Entry i is the last one below a possible cut.
  bool differs(const Entry* e, std::uint32_t i) const {
    if (code_of(e[i]) == code_of(e[i + 1])) return false;
    if (settings_.value_tolerance == 0.0 || column_.kind != Kind::numeric) return true;
    return column_.values[code_of(e[i])] < column_.values[code_of(e[i + 1])] - settings_.value_tolerance;
  }
  bool is_large_enough(std::int64_t low, const Known& known) const {
    return f_.true_weight(low) >= least_ - SLIGHT && f_.true_weight(known.weight - low) >= least_ - SLIGHT;
  }

  std::uint32_t count_tries(const Known& known) const {
    std::uint32_t tries = 0;
    std::int64_t low = 0;
    if constexpr (Measure::weighted) {
      for (std::uint32_t i = 0; i < last_; ++i) {
        low += block_.weight_of(known.entries[i]);
        tries += i + 1 >= first_ && differs(known.entries, i) && is_large_enough(low, known);
      }
    } else if (settings_.value_tolerance == 0.0) {
      for (std::uint32_t i = first_ - 1; i < last_; ++i)
        tries += code_of(known.entries[i]) != code_of(known.entries[i + 1]);
    } else {
      for (std::uint32_t i = first_ - 1; i < last_; ++i) tries += differs(known.entries, i);
    }
    return tries;
  }

  void take(double bits, std::uint32_t i, std::int64_t low, const Known& known, Cutting& out) const {
    out.found = true;
    out.bits = bits;
    out.below = code_of(known.entries[i]);
    out.above = code_of(known.entries[i + 1]);
    out.low = low;
  }

  // How far a scan of two classes has come: i entries are below, d = l1 n - l n1 and area = l r belong to them.
  struct Place {
    std::uint32_t i = 0;
    std::int64_t d = 0, area = 0, ones = 0;
  };

  // With d = l1 n - l n1: chi-squared = n d^2 / (l r n0 n1), and bits <= chi-squared / ln 2.
  void scan_two(const Known& known, const Bar& bar, Cutting& out) const {
    const Entry* entries = known.entries;
    const std::int64_t n = known.count, n1 = known.classes[1], n0 = known.classes[0];
    const double base = f_(n) - f_(n0) - f_(n1);
    const double per =
        SURELY * std::numbers::ln2 * static_cast<double>(n0) * static_cast<double>(n1) / static_cast<double>(n);
    double must = bar.start();
    Place at;
    while (at.i + 1 < first_) step(entries, n, n1, at);
    while (next_promising(entries, n, n1, must * per, at)) {
      if (!differs(entries, at.i - 1)) continue;
      const std::int64_t l = at.i, r = n - l;
      const double gained =
          base - (f_(l) - f_(at.ones) - f_(l - at.ones)) - (f_(r) - f_(n1 - at.ones) - f_(n0 - l + at.ones));
      if (!(gained > must)) continue;
      take(gained, at.i - 1, l, known, out);
      must = bar.above(gained);
    }
  }

  static void step(const Entry* entries, std::int64_t n, std::int64_t n1, Place& at) {
    const std::int64_t bit = bit_of(entries[at.i]);
    at.ones += bit;
    at.d += (n & -bit) - n1;
    at.area += n - 2 * static_cast<std::int64_t>(at.i) - 1;
    ++at.i;
  }

  // Goes on to the next cut that the bound does not rule out; false when there is none.
  bool next_promising(const Entry* entries, std::int64_t n, std::int64_t n1, double limit, Place& at) const {
    Place here = at;  // kept in registers
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

  // With q = sum l_k^2 / n_k: chi-squared / n = (q n - l^2) / (l r). q is rounded on its way, hence the allowance.
  void scan_any(const Known& known, const Bar& bar, Cutting& out) const {
    const Entry* entries = known.entries;
    left_.assign(static_cast<std::size_t>(n_classes_), 0);
    const double n = static_cast<double>(known.weight);
    double must = bar.start(), limit = must / f_.true_weight(known.weight) * SURELY * std::numbers::ln2, q = 0.0;
    const double base = bits(f_, known.classes, n_classes_);
    std::int64_t low = 0;
    for (std::uint32_t i = 0; i < last_; ++i) {
      const int k = block_.class_of(entries[i]);
      const std::int64_t w = block_.weight_of(entries[i]);
      q += static_cast<double>(2 * left_[k] + w) * (static_cast<double>(w) / static_cast<double>(known.classes[k]));
      left_[k] += w;
      low += w;
      const double l = static_cast<double>(low);
      const double reach = q * n * (1 + 1e-15 * (i + 16)) - l * l;
      if (i + 1 < first_ || reach < limit * l * (n - l) || !differs(entries, i)) continue;
      if (Measure::weighted && !is_large_enough(low, known)) continue;
      const double gained = base - parts(known, low);
      if (!(gained > must)) continue;
      take(gained, i, low, known, out);
      must = bar.above(gained);
      limit = must / f_.true_weight(known.weight) * SURELY * std::numbers::ln2;
    }
  }

  // Bits of the two sides of a cut, times weight.
  double parts(const Known& known, std::int64_t low) const {
    double sides = f_(low) + f_(known.weight - low);
    for (int k = 0; k < n_classes_; ++k) sides -= f_(left_[k]) + f_(known.classes[k] - left_[k]);
    return sides;
  }

  const Measure& f_;
  const Settings& settings_;
  const Column& column_;
  const Block& block_;
  const int n_classes_;
  std::vector<std::int64_t>& left_;
  double least_ = 0.0;
  std::uint32_t first_ = 1, last_ = 0;
};

}  // namespace boxwood::multiway

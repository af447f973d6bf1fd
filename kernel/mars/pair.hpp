// One (parent, feature): its knots, and for each what the hinge still has to say once the columns of the model are taken out.
// Invariant: columns of the model never change, so each is taken out once, in order; whether a pair was kept since the last step
// or is opened anew gives the same bits.
// Cost: one pass over the live rows a block of eight columns not yet taken out. Source: SPECS 10.2 and 10.3; the two halves of a hinge
// pair differ by a multiple of the linear column, which is taken out first.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "basis.hpp"
#include "rows.hpp"
#include "spans.hpp"
#include "tables.hpp"

namespace boxwood::mars {

struct Rule {
  double least_share = 0.01;   // of a hinge's spread that must be new
  double least_linear = 0.01;  // of the squared norm of the linear column that must be new
  double limit = 0.0;          // gains from here on are rounding (0: no limit)
};

struct Best {
  double gain = 0.0, cut = 0.0;
  bool linear = false, new_form = false;
};

// A later candidate must be better by more than this share: the first wins a tie, on every machine.
constexpr double TIE = 1e-10;

struct Scratch {
  LiveRows live;
  std::vector<double> table;
};

// The response and what the columns of the model say of it.
struct Responses {
  std::size_t count = 1;
  std::vector<Block> blocks;                  // n x LANES each
  std::vector<std::vector<double>> of_column;  // column -> its inner product with each response
};

class Pair {
 public:
  bool opened() const { return opened_; }
  // What a pair with so many knots takes.
  static std::size_t bytes(std::size_t knots, std::size_t n_responses) {
    return sizeof(Pair) + knots * (sizeof(std::uint32_t) + (4 + n_responses) * sizeof(double));
  }

  // Lists the live rows; places the knots and takes the first sums if this pair is new.
  void list(const Rows& rows, std::size_t feature, const std::vector<double>& parent, const Spans& spans, bool knots,
            Scratch& scratch) {
    const auto& order = rows.order[feature];
    LiveRows& live = scratch.live;
    live.reserve(rows.n);
    std::size_t left = spans.start;
    bool above_lives = false;  // whether the parent is positive at the row before
    for (std::size_t i = rows.n; i-- > 0;) {
      const std::uint32_t row = order[i];
      const double x = rows.at(feature, row), p = parent[row];
      if (!opened_ && knots && above_lives && i >= spans.at_end && live.x[0] > x && --left == 0) {
        left = spans.between;
        place(x, live.count);
      }
      if (p != 0.0) live.add(row, x, p);
      above_lives = p > 0.0;
    }
    if (!opened_) {
      n_knots_ = intervals_.size();
      if (live.count > 0) place(live.x[live.count - 1], live.count);
    }
  }

  void open(const Responses& y, Scratch& scratch) {
    opened_ = true;
    if (intervals_.size() == 0) return;
    own_sums(scratch.live);
    with_y_.assign(n_knots_ * y.count, 0.0);
    linear_y_.assign(y.count, 0.0);
    for (std::size_t b = 0; b < y.blocks.size(); ++b) {
      const double* table = sums(y.blocks[b], scratch);
      for (std::size_t r = b * LANES; r < std::min(y.count, (b + 1) * LANES); ++r) {
        for (std::size_t k = 0; k < n_knots_; ++k) with_y_[k * y.count + r] = table[k * 2 * LANES + LANES + r % LANES];
        linear_y_[r] = linear_product(table, r % LANES);
      }
    }
  }

  // Takes the columns of the model out that are not out yet.
  void take_out(const Basis& basis, const Responses& y, Scratch& scratch) {
    if (intervals_.size() == 0) return;
    while (out_ < basis.size()) {
      const std::size_t b = out_ / LANES, until = std::min(basis.size(), (b + 1) * LANES);
      const double* table = sums(basis.block(b), scratch);
      for (; out_ < until; ++out_) take_out_column(table, out_ % LANES, y.of_column[out_]);
    }
  }

  // The best candidate: the linear column first, then knots from high to low.
  Best best(const Rule& rule, bool may_be_linear, bool knots, std::size_t n_responses) const {
    Best found;
    if (intervals_.size() == 0) return found;
    found.new_form = may_be_linear && linear_ > rule.least_linear && linear_ > 1e-10 * linear_at_first_;
    double of_linear = 0.0;
    if (found.new_form) {
      for (std::size_t r = 0; r < n_responses; ++r) of_linear += linear_y_[r] * linear_y_[r] / linear_;
      found.gain = of_linear;
      found.linear = true;
      found.cut = intervals_.cut.back();
    }
    for (std::size_t k = 0; knots && k < n_knots_; ++k) {
      const double gain = gain_at(k, rule, found.new_form, of_linear, n_responses);
      if (gain > found.gain * (1.0 + TIE)) {
        found.gain = gain;
        found.cut = intervals_.cut[k];
        found.linear = false;
      }
    }
    return found;
  }

  // Gains of all knots, for tests; NaN where too little of the hinge is new.
  std::vector<double> gains(const Rule& rule, bool may_be_linear, std::size_t n_responses) const {
    const Best only_linear = best(rule, may_be_linear, false, n_responses);
    std::vector<double> out(n_knots_);
    for (std::size_t k = 0; k < n_knots_; ++k) out[k] = gain_at(k, rule, only_linear.new_form, only_linear.gain, n_responses);
    return out;
  }
  std::vector<double> cuts() const { return {intervals_.cut.begin(), intervals_.cut.begin() + n_knots_}; }

 private:
  double gain_at(std::size_t k, const Rule& rule, bool new_form, double of_linear, std::size_t n_responses) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const double share = new_form ? with_linear_[k] / linear_ : 0.0;
    const double left = whole_[k] - share * with_linear_[k];
    if (!(left > rule.least_share * spread_[k])) return none;
    double gain = of_linear;
    for (std::size_t r = 0; r < n_responses; ++r) {
      const double with_y = with_y_[k * n_responses + r] - (new_form ? share * linear_y_[r] : 0.0);
      gain += with_y * with_y / left;
    }
    return rule.limit > 0.0 && gain >= rule.limit ? none : gain;
  }

  void place(double cut, std::size_t count) {
    intervals_.cut.push_back(cut);
    intervals_.end.push_back(static_cast<std::uint32_t>(count));
  }

  const double* sums(const Block& block, Scratch& scratch) const {
    scratch.table.resize(intervals_.size() * 2 * LANES);
    const LiveRows& live = scratch.live;
    interval_sums(block.data(), live.row.data(), live.x.data(), live.parent.data(), intervals_.cut.data(), intervals_.end.data(),
                  intervals_.size(), scratch.table.data());
    hinge_products(intervals_.cut.data(), intervals_.size(), scratch.table.data());
    return scratch.table.data();
  }

  // The linear column is p (x - middle), orthogonal to the parent, which the model has.
  double linear_product(const double* table, std::size_t lane) const {
    const double* last = table + (intervals_.size() - 1) * 2 * LANES;
    return last[LANES + lane] - middle_ * last[lane];
  }

  void own_sums(const LiveRows& live) {
    whole_.assign(n_knots_, 0.0);
    with_linear_.assign(n_knots_, 0.0);
    spread_.assign(n_knots_, 0.0);
    double square = 0.0, first = 0.0, plain = 0.0;  // of p^2 (x - cut)^2, p^2 (x - cut), p^2 above the cut
    std::vector<double> firsts(n_knots_);
    std::size_t i = 0;
    for (std::size_t k = 0; k < intervals_.size(); ++k) {
      const double cut = intervals_.cut[k], step = k == 0 ? 0.0 : intervals_.cut[k - 1] - cut;
      square += step * (2.0 * first + step * plain);
      first += step * plain;
      for (; i < intervals_.end[k]; ++i) {
        const double pp = live.parent[i] * live.parent[i], off = live.x[i] - cut;
        plain += pp;
        first += pp * off;
        square += pp * off * off;
      }
      if (k == n_knots_) break;
      whole_[k] = square;
      firsts[k] = first;
    }
    const double low = intervals_.cut.back();
    middle_ = first / plain;
    linear_ = linear_at_first_ = square - middle_ * first;
    for (std::size_t k = 0; k < n_knots_; ++k)
      with_linear_[k] = whole_[k] + (intervals_.cut[k] - low - middle_) * firsts[k];
  }

  void take_out_column(const double* table, std::size_t lane, const std::vector<double>& of_y) {
    const double of_linear = linear_product(table, lane);
    const std::size_t count = of_y.size();
    for (std::size_t k = 0; k < n_knots_; ++k) {
      const double v = table[k * 2 * LANES + LANES + lane];
      whole_[k] -= v * v;
      with_linear_[k] -= of_linear * v;
      for (std::size_t r = 0; r < count; ++r) with_y_[k * count + r] -= of_y[r] * v;
    }
    linear_ -= of_linear * of_linear;
    for (std::size_t r = 0; r < count; ++r) linear_y_[r] -= of_y[r] * of_linear;
    if (out_ == 0) spread_ = whole_;  // the first column is the constant
  }

  bool opened_ = false;
  std::size_t out_ = 0, n_knots_ = 0;
  Intervals intervals_;
  double middle_ = 0.0, linear_ = 0.0, linear_at_first_ = 0.0;
  std::vector<double> whole_, spread_, with_linear_;  // a number a knot
  std::vector<double> with_y_, linear_y_;             // a number a knot and response; a number a response
};

}  // namespace boxwood::mars

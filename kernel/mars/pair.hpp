// One (parent, feature): its knots, and the gain of the hinge at each, orthogonal to the columns of the model.
// Invariant: columns of the model never change, so each is taken out once, in order; a pair kept since the last step
// and one computed anew give the same bits. Cost: one pass over the live rows a block of new columns. The two
// halves of a hinge pair differ by a multiple of the linear column, which is taken out first (docs/mars.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "mars/basis.hpp"
#include "mars/rows.hpp"
#include "mars/spans.hpp"
#include "mars/tables.hpp"

namespace boxwood::mars {

struct Rule {
  double least_share = 0.01;  // of a hinge's spread that must be new
  double least_linear = 0.01;  // of the squared norm of the linear column that must be new
  double limit = 0.0;  // gains from here on are rounding (0: no limit)
};

struct Best {
  double gain = 0.0, cut = 0.0;
  bool linear = false, new_form = false;
};

// A later candidate must be better by more than this share: the first wins a tie, on every machine.
constexpr double TIE = 1e-10;

class Pair {
 public:
  // Memory of a pair with so many knots.
  static std::size_t bytes(std::size_t knots, std::size_t n_responses) {
    return sizeof(Pair) + knots * (sizeof(std::uint32_t) + (1 + WITH_Y + n_responses) * sizeof(double));
  }

  // Makes it new again, keeping its memory.
  void clear() {
    started_ = false;
    n_columns_ = n_knots_ = 0;
    first_.clear();
  }

  // Places the knots if this pair is new; finds the interval of every live row.
  void prepare(const Rows& rows, std::size_t n_responses, std::size_t feature, const Parent& parent, const Spans& spans,
               bool knots, bool by_weight, Scratch& scratch) {
    if (parent.live.empty()) return;
    const auto& rank = rows.rank[feature];
    const double* x = rows.columns[feature];
    if (!started_) place(rows, feature, parent, spans, knots, by_weight, scratch);
    scratch.starts.clear(rows.n);
    for (const std::uint32_t first : first_) scratch.starts.add(first);
    scratch.starts.count();
    if (!started_) {
      width_ = WITH_Y + n_responses;
      numbers_.assign(first_.size() + n_knots_ * width_, 0.0);
      read_cuts(rows.n, rank, x, parent, scratch);
    }
    scratch.interval.resize(parent.live.size());
    find_intervals(rank, scratch.starts, parent, scratch.interval.data());
    if (!started_) own_sums(parent, x, scratch);
  }

  // Adds the columns of the basis that are new: responses are multiplied, columns of the model taken out.
  void add_columns(const Basis& basis, const Parent& parent, const double* x, Scratch& scratch) {
    const std::size_t count = basis.n_responses();
    if (!started_) linear_y_.assign(count, 0.0);
    started_ = true;
    if (first_.empty()) return;
    while (n_columns_ < basis.size()) {
      const std::size_t b = n_columns_ / LANES, until = std::min(basis.size(), (b + 1) * LANES);
      sum(basis.block(b), parent, x, scratch);
      for (; n_columns_ < until; ++n_columns_) {
        if (n_columns_ < count)
          multiply(scratch.table.data(), n_columns_);
        else
          take_out(scratch.table.data(), n_columns_ % LANES, basis.with_y(n_columns_), n_columns_ == count);
      }
    }
  }

  // The best candidate: the linear column first, then knots from high to low.
  Best best(const Rule& rule, bool allow_linear, bool knots, std::size_t n_responses) const {
    Best found;
    if (first_.empty()) return found;
    found.new_form = allow_linear && linear_ > rule.least_linear && linear_ > 1e-10 * linear_at_first_;
    double of_linear = 0.0;
    if (found.new_form) {
      for (std::size_t r = 0; r < n_responses; ++r) of_linear += linear_y_[r] * linear_y_[r] / linear_;
      found.gain = of_linear;
      found.linear = true;
      found.cut = cuts()[n_knots_];
    }
    for (std::size_t k = 0; knots && k < n_knots_; ++k) {
      const double gain = gain_at(k, rule, found.new_form, of_linear, n_responses);
      if (gain > found.gain * (1.0 + TIE)) {
        found.gain = gain;
        found.cut = cuts()[k];
        found.linear = false;
      }
    }
    return found;
  }

  // Gains of all knots, for tests; NaN where too little of the hinge is new.
  std::vector<double> gains(const Rule& rule, bool allow_linear, std::size_t n_responses) const {
    const Best only_linear = best(rule, allow_linear, false, n_responses);
    std::vector<double> out(n_knots_);
    for (std::size_t k = 0; k < n_knots_; ++k)
      out[k] = gain_at(k, rule, only_linear.new_form, only_linear.gain, n_responses);
    return out;
  }
  std::vector<double> knots() const { return {cuts(), cuts() + n_knots_}; }

 private:
  // Of a hinge: its squared norm less that of its mean, the part orthogonal to the model, its product with the linear
  // column, and those with the responses.
  enum : std::size_t { SPREAD, LEFT_OVER, WITH_LINEAR, WITH_Y };

  // Interval k holds the ranks from first_[k] to the one below first_[k - 1]; its cut is the knot right below, that of
  // the last interval the least live value.
  double* cuts() { return numbers_.data(); }
  const double* cuts() const { return numbers_.data(); }
  double* at_knot(std::size_t k) { return numbers_.data() + first_.size() + k * width_; }
  const double* at_knot(std::size_t k) const { return numbers_.data() + first_.size() + k * width_; }

  double gain_at(std::size_t k, const Rule& rule, bool new_form, double of_linear, std::size_t n_responses) const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const double* here = at_knot(k);
    const double share = new_form ? here[WITH_LINEAR] / linear_ : 0.0;
    const double left = here[LEFT_OVER] - share * here[WITH_LINEAR];
    if (!(left > rule.least_share * here[SPREAD])) return none;
    double gain = of_linear;
    for (std::size_t r = 0; r < n_responses; ++r) {
      const double with_y = here[WITH_Y + r] - (new_form ? share * linear_y_[r] : 0.0);
      gain += with_y * with_y / left;
    }
    return rule.limit > 0.0 && gain >= rule.limit ? none : gain;
  }

  // Positions of the knots, from high to low (docs/mars.md): every `between`-th rank with a positive parent right
  // above.
  void place(const Rows& rows, std::size_t feature, const Parent& parent, const Spans& spans, bool knots,
             bool by_weight, Scratch& scratch) {
    const auto& rank = rows.rank[feature];
    const double* x = rows.columns[feature];
    double top = x[parent.live[0]];
    for (const std::uint32_t row : parent.live) top = std::max(top, x[row]);
    std::size_t below_top = 0;  // ranks of values less than the greatest live one, where hinges are not 0 everywhere
    for (std::size_t r = 0; r < rows.n; ++r) below_top += x[r] < top;
    if (!by_weight && !rows.root_weight.empty()) below_top = rows.n;  // with weights, earth counts them all
    first_.reserve(knots ? rows.n / spans.between + 2 : 1);
    if (knots) {
      scratch.positive.clear(rows.n);
      for (const std::uint32_t row : parent.live)
        if (parent.value[row] > 0.0) scratch.positive.add(rank[row]);
      if (by_weight) {
        scratch.weight.resize(rows.n);
        for (std::size_t r = 0; r < rows.n; ++r) scratch.weight[rank[r]] = rows.weight(r);
        place_by_weight(spans, below_top, scratch);
      } else {
        place_by_row(spans, rows.n, below_top, scratch.positive);
      }
    }
    n_knots_ = first_.size();
    first_.push_back(0);
  }

  void place_by_row(const Spans& spans, std::size_t n, std::size_t below_top, const RankSet& positive) {
    std::size_t left = spans.start;
    for (std::size_t i = std::min(n - 1, below_top); i-- > spans.at_end;) {
      left -= positive.has(i + 1);
      if (left > 0) continue;
      left = spans.between;
      first_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }

  // The same where a row of weight w counts as w rows of its value: w - 1 of them have one of themselves right below.
  void place_by_weight(const Spans& spans, std::size_t below_top, const Scratch& scratch) {
    const auto at_end = static_cast<double>(spans.at_end), between = static_cast<double>(spans.between);
    double left = static_cast<double>(spans.start), below = 0.0;
    for (const double w : scratch.weight) below += w;
    for (std::size_t r = scratch.weight.size(); r-- > 0;) {
      const double w = scratch.weight[r];
      below -= w;
      if (!scratch.positive.has(r)) continue;
      if (r < below_top) left = pass(left, below + w - 1.0 - std::max(below, at_end), between, r + 1);
      if (r > 0 && r - 1 < below_top && below - 1.0 >= at_end - 1e-9) left = pass(left, std::min(w, 1.0), between, r);
    }
  }

  // Counts `amount` rows down from `left`, with a knot below rank `first` each time 0 is reached. Returns the rest.
  double pass(double left, double amount, double between, std::size_t first) {
    if (amount <= 0.0) return left;
    if (amount < left - 1e-9) return left - amount;
    if (first_.empty() || first_.back() != first) first_.push_back(static_cast<std::uint32_t>(first));
    const double rest = std::fmod(std::max(0.0, amount - left), between);
    return between - rest;
  }

  // The knot below interval k is the value of the rank right below it.
  void read_cuts(std::size_t n, const Ranks& rank, const double* x, const Parent& parent, const Scratch& scratch) {
    const RankSet& starts = scratch.starts;
    for (std::size_t r = 0; n_knots_ > 0 && r < n; ++r) {
      const std::uint32_t here = rank[r];
      if (here + 1 < n && starts.has(here + 1))
        cuts()[members_above(starts.words.data(), starts.above.data(), here) - 1] = x[r];
    }
    double low = x[parent.live[0]];
    for (const std::uint32_t row : parent.live) low = std::min(low, x[row]);
    cuts()[n_knots_] = n_knots_ > 0 ? std::min(low, cuts()[n_knots_ - 1]) : low;
  }

  void sum(const double* block, const Parent& parent, const double* x, Scratch& scratch) const {
    scratch.table.assign(first_.size() * 2 * LANES, 0.0);
    interval_sums(block, parent.live.data(), parent.value.data(), scratch.interval.data(), x, cuts(),
                  parent.live.size(), scratch.table.data());
    hinge_products(cuts(), first_.size(), scratch.table.data());
  }

  // The linear column is p (x - middle), orthogonal to the parent, which is in the model.
  double linear_product(const double* table, std::size_t lane) const {
    const double* last = table + n_knots_ * 2 * LANES;
    return last[LANES + lane] - middle_ * last[lane];
  }

  // Squares of the hinges and their products with the linear column, from sums of p^2, p^2 (x - cut), p^2 (x - cut)^2.
  void own_sums(const Parent& parent, const double* x, Scratch& scratch) {
    constexpr std::size_t plain = 0, first = 1, square = 2, width = 4;
    scratch.table.assign(first_.size() * width, 0.0);
    double* sums = scratch.table.data();
    for (std::size_t i = 0; i < parent.live.size(); ++i) {
      const std::uint32_t row = parent.live[i], k = scratch.interval[i];
      double* here = sums + k * width;
      const double p = parent.value[row], off = p * (x[row] - cuts()[k]);
      here[plain] += p * p;
      here[first] += p * off;
      here[square] += off * off;
    }
    for (std::size_t k = 1; k < first_.size(); ++k) {
      const double step = cuts()[k - 1] - cuts()[k];
      double *above = sums + (k - 1) * width, *here = above + width;
      here[square] += above[square] + step * (2.0 * above[first] + step * above[plain]);
      here[first] += above[first] + step * above[plain];
      here[plain] += above[plain];
    }
    const double *last = sums + n_knots_ * width, low = cuts()[n_knots_];
    middle_ = last[first] / last[plain];
    linear_ = linear_at_first_ = last[square] - middle_ * last[first];
    for (std::size_t k = 0; k < n_knots_; ++k) {
      const double* of = sums + k * width;
      at_knot(k)[LEFT_OVER] = of[square];
      at_knot(k)[WITH_LINEAR] = of[square] + (cuts()[k] - low - middle_) * of[first];
    }
  }

  void multiply(const double* table, std::size_t response) {
    const std::size_t lane = response % LANES;
    for (std::size_t k = 0; k < n_knots_; ++k) at_knot(k)[WITH_Y + response] = table[k * 2 * LANES + LANES + lane];
    linear_y_[response] = linear_product(table, lane);
  }

  void take_out(const double* table, std::size_t lane, const std::vector<double>& of_y, bool constant) {
    const double of_linear = linear_product(table, lane);
    const std::size_t count = of_y.size();
    for (std::size_t k = 0; k < n_knots_; ++k) {
      const double v = table[k * 2 * LANES + LANES + lane];
      double* here = at_knot(k);
      here[LEFT_OVER] -= v * v;
      here[WITH_LINEAR] -= of_linear * v;
      for (std::size_t r = 0; r < count; ++r) here[WITH_Y + r] -= of_y[r] * v;
      if (constant) here[SPREAD] = here[LEFT_OVER];
    }
    linear_ -= of_linear * of_linear;
    for (std::size_t r = 0; r < count; ++r) linear_y_[r] -= of_y[r] * of_linear;
  }

  bool started_ = false;
  std::size_t n_columns_ = 0, n_knots_ = 0;
  double middle_ = 0.0, linear_ = 0.0, linear_at_first_ = 0.0;
  Large<std::uint32_t> first_;  // first rank of each interval
  std::size_t width_ = 0;
  Large<double> numbers_;  // the cuts, then width_ numbers a knot: one array, freed as a whole
  std::vector<double> linear_y_;  // a number a response
};

}  // namespace boxwood::mars

// A numeric target by quantiles: the loss of a node is the sum of distances from one of them, those of rows above it
// and below it weighed differently. Distances do not add up over parts of a node, so no table of bins serves.
// Invariant: rows are numbered in order of y; what is found of a set of rows depends on the set alone, because sums are
// whole numbers. Cost: taking a row out of a set is a few operations, the quantile moves along a list.
#pragma once

#include <span>

#include "response/node_stats.hpp"

namespace boxwood::coded {

// Which quantiles a node predicts, the first one being that of the loss, and what the distances of rows above and below
// it weigh.
struct QuantileLevels {
  std::vector<double> levels;
  double above = 1, below = 1;
};

// y of some rows, in order of y; the values themselves, and whole numbers from which distances are.
template <class Int>
struct OrderedRows {
  std::vector<double> value;
  std::vector<i64> high, low, weight;

  std::size_t size() const { return value.size(); }
  void clear() {
    value.clear();
    for (auto* each : {&high, &low, &weight}) each->clear();
  }
  void add(const OrderedRows& from, std::size_t row) {
    value.push_back(from.value[row]);
    high.push_back(from.high[row]);
    low.push_back(from.low[row]);
    weight.push_back(from.weight[row]);
  }
  bool is_pure() const { return size() == 0 || value.front() == value.back(); }
};

// Weight, and what y times weight adds up to in both parts.
template <class Int>
struct WeighedSum : Additive<WeighedSum<Int>> {
  i64 weight = 0;
  Int high = 0, low = 0;
  auto fields() { return std::tie(weight, high, low); }
};

template <class Int>
WeighedSum<Int> term_of(const OrderedRows<Int>& rows, u32 k) {
  const i64 w = rows.weight[k];
  WeighedSum<Int> out;
  out.weight = w;
  out.high = static_cast<Int>(rows.high[k]) * w;
  out.low = static_cast<Int>(rows.low[k]) * w;
  return out;
}

constexpr double NEARLY = 1 - 1e-12;  // shares such as 0.1 are rounded

// The quantile of some rows is the first one up to which they have so much weight.
inline double weight_up_to_quantile(const QuantileLevels& levels, i64 weight) {
  return static_cast<double>(weight) * (levels.above / (levels.above + levels.below)) * NEARLY;
}

// Loss of rows about one of them, `all` and those before it.
template <class Int>
double loss_about(const QuantileLevels& levels, const OrderedRows<Int>& rows, u32 at, const WeighedSum<Int>& all,
                  const WeighedSum<Int>& below) {
  const auto joined = [](Int high, Int low) { return as_double(high) + std::ldexp(as_double(low), -LOW_BITS); };
  const Int high = rows.high[at], low = rows.low[at], above = all.weight - below.weight, under = below.weight;
  return levels.above * joined(all.high - below.high - above * high, all.low - below.low - above * low) +
         levels.below * joined(under * high - below.high, under * low - below.low);
}

// Some of a node's rows as a list in order of y, from which rows are taken out; knows the loss of those that are left.
template <class Int>
class ShrinkingSet {
 public:
  explicit ShrinkingSet(const QuantileLevels& levels) : levels_(&levels) {}

  // Of the rows that `has(k)`; the others are not in the list.
  template <class Has>
  void start(const OrderedRows<Int>& rows, const Has& has) {
    rows_ = &rows;
    const auto n = static_cast<u32>(rows.size());
    links_.resize(n + 2);
    all_ = below_ = {};
    u32 last = end();
    for (u32 k = 0; k < n; ++k) {
      if (!has(k)) continue;
      links_[k].before = last;
      links_[last].after = k;
      last = k;
      all_ += term(k);
    }
    links_[last].after = end();
    links_[end()].before = last;
    at_ = links_[end()].after;
    find_quantile();
  }

  void take_out(u32 k) {
    const WeighedSum<Int> out = term(k);
    const Link link = links_[k];
    all_ -= out;
    links_[link.before].after = link.after;
    links_[link.after].before = link.before;
    if (k == at_) {
      at_ = link.after;
      if (at_ == end() && link.before != end()) {
        at_ = link.before;
        below_ -= term(at_);
      }
    } else if (k < at_) {
      below_ -= out;
    }
    find_quantile();
  }

  i64 weight() const { return all_.weight; }

  double loss() const { return at_ == end() ? 0.0 : loss_about(*levels_, *rows_, at_, all_, below_); }

 private:
  struct Link {
    u32 before, after;
  };

  u32 end() const { return static_cast<u32>(links_.size()) - 1; }
  WeighedSum<Int> term(u32 k) const { return term_of(*rows_, k); }

  // Moves to the first row up to which the rows have the share of the weight.
  void find_quantile() {
    if (at_ == end()) return;
    const double needed = weight_up_to_quantile(*levels_, all_.weight);
    while (static_cast<double>(below_.weight) >= needed && links_[at_].before != end()) {
      at_ = links_[at_].before;
      below_ -= term(at_);
    }
    while (static_cast<double>(below_.weight + rows_->weight[at_]) < needed && links_[at_].after != end()) {
      below_ += term(at_);
      at_ = links_[at_].after;
    }
  }

  const QuantileLevels* levels_;
  const OrderedRows<Int>* rows_ = nullptr;
  std::vector<Link> links_;
  WeighedSum<Int> all_, below_;  // of the rows in the list; of those before `at_`
  u32 at_ = 0;  // the quantile
};

// The response of a tree by quantiles; ids are in order of y.
template <class Int>
struct QuantileRows {
  QuantileLevels levels;
  OrderedRows<Int> rows;
  double scale = 1, unit = 1;

  // What is known of a node.
  struct Sums {
    i64 n = 0, weight = 0;
    double loss = 0;
    std::vector<double> quantiles;
  };

  int moments() const { return 2 + static_cast<int>(levels.levels.size()); }

  // `node`: its rows. The quantile of a share is the least y up to which the rows have this share of the weight; if
  // they have exactly this share, half the way to the next y.
  Sums sums_of(const OrderedRows<Int>& node, double loss) const {
    Sums out;
    out.n = static_cast<i64>(node.size());
    for (const i64 w : node.weight) out.weight += w;
    out.loss = loss;
    for (const double level : levels.levels) {
      const double share = level * static_cast<double>(out.weight);
      const double slack = (1 - NEARLY) * static_cast<double>(out.weight);
      i64 below = 0;
      std::size_t k = 0;
      while (k + 1 < node.size() && static_cast<double>(below + node.weight[k]) < share - slack)
        below += node.weight[k++];
      const bool halfway = k + 1 < node.size() && static_cast<double>(below + node.weight[k]) <= share + slack;
      out.quantiles.push_back(halfway ? node.value[k] / 2 + node.value[k + 1] / 2 : node.value[k]);
    }
    return out;
  }
  i64 weight(const Sums& sums) const { return sums.weight; }
  NodeStats stats_of(const Sums& sums, bool pure) const {
    NodeStats out;
    out.pure = pure;
    out.risk = out.scale = pure ? 0.0 : sums.loss;
    return out;
  }
  void describe(const Sums& sums, const NodeStats& stats, const ResponseColumns&, double* moments) const {
    *moments++ = static_cast<double>(sums.weight) * unit;
    for (const double quantile : sums.quantiles) *moments++ = quantile;
    *moments = stats.risk * scale * unit;
  }
};

}  // namespace boxwood::coded

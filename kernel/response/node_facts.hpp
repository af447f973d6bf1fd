// What is known of a node before it is split: exact sums of its response, its impurity, whether it is pure.
// Invariant: computed from whole numbers only, so equal for equal sets of samples whatever their order.
// Cost: two passes over the node's ids.
#pragma once

#include <algorithm>
#include <vector>

#include "response/long_sum.hpp"
#include "response/moments.hpp"
#include "response/settings.hpp"

namespace boxwood {

// A sum of products of up to 122 bits, kept in two words so that it cannot overflow.
struct NodeFacts {
  std::vector<std::int64_t> classes;
  Wide weight = 0;
  Wide exposure = 0, events = 0, log = 0;
  Wide sum_high = 0, sum_low = 0;
  bool fine =
      false;  // `high` is the same in all samples, so `low` tells them apart: an outlier elsewhere set the scale
  std::int64_t shift = 0;  // rounded mean of `high`, or of `low`
  double squares = 0.0;  // sum w (high - mean)^2, or the same of `low`, in their whole-number units
  double risk = 0.0;  // node weight times impurity, in whole-number units: what a split can take away at most
  double scale = 0.0;  // one unit of score: weight under factors, sum of squares, or deviance
  bool pure = true;

  void collect(const ResponseColumns& y, const Settings& settings, const std::uint32_t* ids, std::uint32_t count) {
    switch (y.kind) {
      case ResponseColumns::Kind::classes:
        return collect_classes(y, settings, ids, count);
      case ResponseColumns::Kind::mean:
        return collect_mean(y, ids, count);
      case ResponseColumns::Kind::rate:
        return collect_rate(y, ids, count);
    }
  }

  // Decrease in this node's whole-number units -> in those of a node that is not fine, so that nodes compare without
  // underflow.
  double coarse(double decrease) const { return fine ? std::ldexp(decrease, -2 * LOW_BITS) : decrease; }

  Wide sum_of_part() const { return fine ? sum_low : sum_high; }

  // The row of Tree.moments.
  void moments(const ResponseColumns& y, double* out) const {
    const double w = static_cast<double>(weight) * y.unit;
    if (y.kind == ResponseColumns::Kind::classes) {
      for (std::size_t k = 0; k < classes.size(); ++k) out[k] = static_cast<double>(classes[k]) * y.unit;
    } else if (y.kind == ResponseColumns::Kind::mean) {
      out[0] = w;
      out[1] = mean(y);
      out[2] = true_decrease(y, squares);
    } else {
      out[0] = w;
      out[1] = static_cast<double>(exposure) * y.scale * y.unit;
      out[2] = static_cast<double>(events) * y.low_scale * y.unit;
      out[3] = static_cast<double>(log) * y.log_scale * y.unit;
    }
  }

  // Decrease in this node's whole-number units -> true units of weight times measure.
  double true_decrease(const ResponseColumns& y, double decrease) const {
    if (y.kind == ResponseColumns::Kind::mean) return coarse(decrease) * y.scale * y.scale * y.unit;
    if (y.kind == ResponseColumns::Kind::rate) return decrease * y.low_scale * y.unit;
    return decrease * y.unit;
  }

  // What follows from the sums, whoever added them up: class weights; sums of a quantity with `pure` and `fine`, whose
  // squares about `shift` are given; sums of rates with `pure` known for what the rows say.
  void settle_classes(const ResponseColumns& y, const Settings& settings) {
    int present = 0;
    for (int k = 0; k < y.n_classes; ++k) {
      const double mass = static_cast<double>(classes[k]) * factor_of(y.factors, k);
      weight += classes[k];
      present += classes[k] > 0;
      scale += mass;
    }
    pure = present < 2;
    risk = settings.measure.impurity(y.n_classes,
                                     [&](int k) { return static_cast<double>(classes[k]) * factor_of(y.factors, k); });
  }

  void set_shift() {
    const Wide doubled = 2 * sum_of_part() + weight;  // floor(mean + 1/2)
    Wide middle = doubled / (2 * weight);
    if (doubled < 0 && middle * 2 * weight != doubled) --middle;
    shift = static_cast<std::int64_t>(middle);
  }

  void settle_mean(double about_shift) {
    const double off = static_cast<double>(sum_of_part() - static_cast<Wide>(shift) * weight);
    squares = pure ? 0.0 : about_shift - off * off / static_cast<double>(weight);
    scale = risk = squares;
  }

  void settle_rate(const ResponseColumns& y) {
    // Every d/t the same fraction is pure. Deviance 2 (sum w d ln(d/t) - D ln(D/T)), in units of events; logs are in
    // true units.
    const double d = static_cast<double>(events) * y.low_scale, t = static_cast<double>(exposure) * y.scale;
    const double deviance = 2 * (static_cast<double>(log) * y.log_scale - Rate::d_log_rate(d, t));
    pure = pure || deviance <= 0.0;
    scale = risk = pure ? 0.0 : deviance / y.low_scale;
  }

 private:
  static constexpr int LOW_BITS = 30;

  // center + (sum high + sum low 2^-30) / weight * scale; quotient and remainder apart keep all bits of a lone value.
  double mean(const ResponseColumns& y) const {
    const Wide whole = sum_high / weight, rest = sum_high % weight;
    const double part = static_cast<double>(rest) + std::ldexp(static_cast<double>(sum_low), -LOW_BITS);
    return y.center + (static_cast<double>(whole) + part / static_cast<double>(weight)) * y.scale;
  }

  void collect_classes(const ResponseColumns& y, const Settings& settings, const std::uint32_t* ids,
                       std::uint32_t count) {
    classes.assign(y.n_classes, 0);
    for (std::uint32_t i = 0; i < count; ++i) classes[y.codes[ids[i]]] += y.weight_of(ids[i]);
    settle_classes(y, settings);
  }

  void collect_mean(const ResponseColumns& y, const std::uint32_t* ids, std::uint32_t count) {
    std::int64_t least = y.high[ids[0]], most = least, least_low = y.low[ids[0]], most_low = least_low;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t s = ids[i];
      const Wide w = y.weight_of(s);
      weight += w;
      sum_high += w * y.high[s];
      sum_low += w * y.low[s];
      least = std::min(least, y.high[s]);
      most = std::max(most, y.high[s]);
      least_low = std::min(least_low, y.low[s]);
      most_low = std::max(most_low, y.low[s]);
    }
    fine = least == most && least_low != most_low;
    pure = least == most && !fine;
    set_shift();
    const std::int64_t* part = fine ? y.low : y.high;
    LongSum about;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Wide d = part[ids[i]] - shift;
      about.add(d * d * y.weight_of(ids[i]));
    }
    settle_mean(about.value());
  }

  void collect_rate(const ResponseColumns& y, const std::uint32_t* ids, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t s = ids[i];
      const Wide w = y.weight_of(s);
      weight += w;
      exposure += w * y.high[s];
      events += w * y.low[s];
      log += w * y.log[s];
      pure = pure && static_cast<Wide>(y.low[s]) * y.high[ids[0]] == static_cast<Wide>(y.low[ids[0]]) * y.high[s];
    }
    settle_rate(y);
  }
};

// A node's sums in a policy's own form; Mean counts from the node's rounded mean.
template <class M>
void totals_of(const TwoCounts<M>&, const NodeFacts& facts, std::int64_t* out) {
  std::copy(facts.classes.begin(), facts.classes.end(), out);
}
template <class M>
void totals_of(const Classes<M>& policy, const NodeFacts& facts, std::int64_t* out) {
  for (int k = 0; k < policy.n_classes; ++k) out[k] = facts.classes[policy.present ? policy.present[k] : k];
}
template <class Int, bool weighted>
void totals_of(const Mean<Int, weighted>&, const NodeFacts& facts, Int* out) {
  out[0] = static_cast<Int>(facts.weight);
  out[1] = static_cast<Int>(facts.sum_of_part() - facts.weight * facts.shift);
}
inline void totals_of(const Rate&, const NodeFacts& facts, Wide* out) {
  out[0] = facts.exposure;
  out[1] = facts.events;
}

// The policy as it counts in this node.
template <class P>
P policy_at(const P& policy, const NodeFacts& facts) {
  P here = policy;
  if constexpr (requires { here.shift; }) {
    here.shift = facts.shift;
    if (facts.fine) here.high = here.low;
  }
  return here;
}

}  // namespace boxwood

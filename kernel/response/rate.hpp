// Events in exposure by Poisson deviance, or numbers by that of gamma or Tweedie, weighted or not. Of numbers y, the
// exposure is e^(2 - p) and the events are y / e times that: the rate is y / e.
// Invariant: sums are whole numbers; a bound never holds back a cut that would win.
// Cost: a cell is 48 bytes; logarithms only where a bound without them attains the best so far.
// Source: with expected events e and u = 1 - d / e, the deviance is at most the sum of e u^2 (1 + skew max(u, 0)). It
// is convex and grows when the richer side loses exposure of the least rate, so inside a bin it is largest where that
// is all of what no row's rate forbids.
#pragma once

#include "response/deviance.hpp"
#include "response/list_scanner.hpp"
#include "response/words.hpp"

namespace boxwood::coded {

struct RateCell : Additive<RateCell> {
  i64 n, weight;
  Wide exposure, events;
  RateCell() = default;
  RateCell(i64 n, i64 weight, Wide exposure, Wide events) : n(n), weight(weight), exposure(exposure), events(events) {}
  auto fields() { return std::tie(n, weight, exposure, events); }
};

struct RateSums : Additive<RateSums> {
  i64 n = 0, weight = 0;
  Wide exposure = 0, events = 0, log = 0;
  i64 first_exposure = 1, first_events = 0;  // of one row: all rates are the same while each equals this one
  bool same = true;  // of what was added or joined; `-=` leaves it

  auto fields() { return std::tie(n, weight, exposure, events, log); }
  bool equals(i64 other_exposure, i64 other_events) const {
    return static_cast<Wide>(other_events) * first_exposure == static_cast<Wide>(first_events) * other_exposure;
  }
};

// Whether any cut attains the threshold; sums are of exposure and of events. UpperBound::bound, its divisors multiplied
// out.
BOXWOOD_CLONES inline bool any_rate_attains(const PairSums& sums, u32 count, const PairBound& node) {
  const double rate = node.second / node.first;
  int any = 0;
  for (u32 i = 0; i < count; ++i) {
    const double in_left = sums.first[i] * rate, off = sums.second[i] - in_left, far = std::abs(off) + node.drift;
    const double left = std::max(in_left - node.drift, 0.0), right = std::max(node.second - in_left - node.drift, 0.0);
    const double rarer = off > 0 ? right : left, product = left * right, square = rarer * rarer;
    any |= !(far * far * ((left + right) * square + node.skew * far * product) < node.threshold * product * square);
  }
  return any != 0;
}

struct RateResponse {
  using Cell = RateCell;
  using Sums = RateSums;
  const i64 *exposure, *events, *log;
  const i64* weight_of;  // nullptr = 1 each
  double least_rate, most_rate;  // no row has a lower one, none a greater one
  const ResponseColumns* units;  // the units of the whole numbers

  struct Rows {
    std::vector<i64> exposure, events, log, weight;
  };
  static constexpr bool weighted = true;
  static constexpr bool parts_exactly = false;
  static constexpr bool one_cell = true, has_low_parts = false, has_many_classes = false, falls_in_rpart = true;

  RateResponse of(const u32* ids, u32 count, Rows& rows) const {
    RateResponse here = *this;
    here.exposure = gathered(exposure, ids, count, rows.exposure);
    here.events = gathered(events, ids, count, rows.events);
    here.log = gathered(log, ids, count, rows.log);
    if (weight_of) here.weight_of = gathered(weight_of, ids, count, rows.weight);
    return here;
  }
  Deviance measure() const { return {units->power}; }
  i64 w(u32 id) const { return weight_of ? weight_of[id] : 1; }
  // Rounding may let another feature exceed the best possible.
  double noise(const NodeStats&) const { return std::numeric_limits<double>::infinity(); }
  static double tolerance(const Cell*) { return 0.0; }
  void prefetch(u32) const {}
  int width() const { return 1; }
  int moments() const { return 4; }
  void add(Cell* cell, u32 id) const {
    ++cell->n;
    cell->weight += w(id);
    cell->exposure += static_cast<Wide>(exposure[id]) * w(id);
    cell->events += static_cast<Wide>(events[id]) * w(id);
  }
  i64 count(const Cell* cell) const { return cell->n; }
  void add(Sums& sums, u32 id) const {
    const Wide times = w(id);
    if (sums.n++ == 0) {
      sums.first_exposure = exposure[id];
      sums.first_events = events[id];
    }
    sums.same = sums.same && sums.equals(exposure[id], events[id]);
    sums.weight += w(id);
    sums.exposure += times * exposure[id];
    sums.events += times * events[id];
    sums.log += times * log[id];
  }
  void join(Sums& sums, const Sums& part) const {
    if (part.n == 0) return;
    if (sums.n == 0) {
      sums = part;
      return;
    }
    sums.same = sums.same && part.same && sums.equals(part.first_exposure, part.first_events);
    sums += part;
  }
  void remove(Sums& sums, const Sums& part) const { sums -= part; }
  Sums sums_of(const Cell* cell, const NodeStats&) const {
    Sums sums;
    sums.n = cell->n;
    sums.weight = cell->weight;
    sums.exposure = cell->exposure;
    sums.events = cell->events;
    return sums;
  }
  void close(Sums&) const {}
  i64 weight(const Sums& sums) const { return sums.weight; }
  // Deviance 2 (sum w t psi(d/t) - T psi(D/T)), in units of events; psi is in true units. Equal rates are pure.
  NodeStats stats_of(const Sums& sums) const {
    NodeStats out;
    const double d = static_cast<double>(sums.events) * units->low_scale,
                 t = static_cast<double>(sums.exposure) * units->scale;
    const double deviance = 2 * (static_cast<double>(sums.log) * units->log_scale - measure().psi(d, t));
    out.pure = sums.same || deviance <= measure().noise(d, t);
    out.scale = out.risk = out.pure ? 0.0 : deviance / units->low_scale;
    return out;
  }
  void describe(const Sums& sums, const NodeStats&, const ResponseColumns& y, double* moments) const {
    moments[0] = static_cast<double>(sums.weight) * y.unit;
    moments[1] = static_cast<double>(sums.exposure) * y.scale * y.unit;
    moments[2] = static_cast<double>(sums.events) * y.low_scale * y.unit;
    moments[3] = static_cast<double>(sums.log) * y.log_scale * y.unit;
  }

  void fill(const Sums& sums, Cell* cell) const { *cell = {sums.n, sums.weight, sums.exposure, sums.events}; }
  // Rows, weight, exposure, events, logarithms; ends: exposure and events of one row, and whether all have its rate.
  i64 weight(const SummedEntry& e) const { return e.words[0]; }
  void read(const SummedEntry& e, Cell* cell) const {
    *cell = {e.rows, e.words[0], wide_of(e.words + 1), wide_of(e.words + 4)};
  }
  void put(const Sums& node, NodeWords& out) const {
    out.words.insert(out.words.end(), {node.n, node.weight});
    put_wide(node.exposure, out.words);
    put_wide(node.events, out.words);
    put_wide(node.log, out.words);
    out.ends.insert(out.ends.end(), {node.first_exposure, node.first_events, node.same});
  }
  void read(const i64* words, const i64* ends, Sums& out) const {
    out.n = words[0];
    out.weight = words[1];
    out.exposure = wide_of(words + 2);
    out.events = wide_of(words + 5);
    out.log = wide_of(words + 8);
    out.same = ends[2] != 0;
  }
  double impurity(const Cell* cell, const NodeStats&) const {
    const double d = as_double(cell->events), t = as_double(cell->exposure);
    if (measure().power == 1) return -2 * d_log_rate(d, t);
    return -2 * measure().psi(d * units->low_scale, t * units->scale) / units->low_scale;
  }
  double mean(const Cell* cell, const NodeStats&) const { return as_double(cell->events) / as_double(cell->exposure); }
  double drawn(const Sums& sums, const NodeStats&, const ValueLimits& limits) const {
    const double d = as_double(sums.events), t = as_double(sums.exposure), to = limits.nearest(d / t);
    if (to == d / t) return 0.0;
    return 2 * measure().excess(d, t, 1 / to) * std::pow(to * units->low_scale / units->scale, 1 - measure().power);
  }

  struct UpperBound {
    const RateResponse& y;
    i64 n;
    double T, D, scale, threshold = -1;  // exposure and events of the node
    Wide events;
    double skew, unit;  // of the measure; what deviances of expected events are multiplied with
    mutable double seen = 0;  // the most that an edge takes away, of those computed so far

    UpperBound(const RateResponse& y, const Sums& sums, const NodeStats& stats)
        : y(y),
          n(sums.n),
          T(as_double(sums.exposure)),
          D(as_double(sums.events)),
          scale(stats.scale),
          events(sums.events),
          skew(y.measure().skew(y.least_rate * T / D)),
          unit(std::pow(D / T * y.units->low_scale / y.units->scale, 1 - y.measure().power)) {}
    void set_threshold(double least) { threshold = least - 1e-11 * scale - 1e-12 * D * unit; }
    // An upper bound of what a cut takes away, without logarithms; infinite or not a number where a side is empty.
    double bound(double exposure, double events) const {
      const double rate = D / T, in_left = exposure * rate, in_right = (T - exposure) * rate, off = events - in_left;
      const double far = std::abs(off), rarer = off > 0 ? in_right : in_left;
      return far * far * (1 / in_left + 1 / in_right + skew * far / (rarer * rarer)) * unit;
    }
    // What it takes away, with `rest` events on the other side: rates relative to the node's, so that nothing large
    // cancels.
    double deviance(double exposure, double events, double rest) const {
      if (!(D > 0)) return 0.0;
      const Deviance of = y.measure();
      return 2 * (of.about(events, exposure, T / D) + of.about(rest, T - exposure, T / D)) * unit;
    }
    bool can_attain(const Cell* left, i64) const {
      return !(bound(as_double(left->exposure), as_double(left->events)) < threshold);
    }
    bool bin_can_attain(const Cell* from, i64, const Cell* to, i64) const {
      const auto t0 = as_double(from->exposure), t1 = as_double(to->exposure);
      const auto d0 = as_double(from->events), d1 = as_double(to->events);
      const double least = y.least_rate, richer = d1 - d0 - least * (t1 - t0);
      const double needed = std::max(richer / (y.most_rate - least), 0.0), held = richer + least * needed;
      return surely_attains(t0 + needed, d0 + held) || surely_attains(t1 - needed, d1 - held);
    }
    // First the bound, then the deviance itself.
    bool surely_attains(double exposure, double events) const {
      if (bound(exposure, events) < threshold) return false;
      return !(exposure > 0) || !(exposure < T) || !(deviance(exposure, events, D - events) < threshold);
    }
    void edges(const Cell* column, i64 least, EdgeScan&, double* rough) const {
      for (int b = 0; b < BINS; ++b) {
        const i64 l = column[b].n;
        rough[b] = -1.0;
        if (l <= 0 || l >= n || l < least || n - l < least) continue;
        rough[b] = bound(as_double(column[b].exposure), as_double(column[b].events));
        if (rough[b] < seen * (1 - 1e-6) - 1e-9 * scale - 1e-11 * D * unit) continue;
        rough[b] = exact(column + b, l);
        seen = std::max(seen, rough[b]);
      }
    }
    bool bins(const Cell* column, i64 least, const EdgeScan&, std::uint8_t* candidates) const {
      return each_bin([&](int b) { return column[b].n; }, n, least,
                      [&](int b, i64 l, i64 to) { return bin_can_attain(column + b, l, column + b + 1, to); },
                      candidates);
    }
    double exact(const Cell* left, i64) const {
      const auto exposure = as_double(left->exposure);
      if (!(exposure > 0) || !(T - exposure > 0)) return 0.0;  // a side so light that it vanishes beside the other
      // The logarithm of a small mean needs the difference of whole numbers; few events hardly count in Poisson's.
      const double here = as_double(left->events),
                   rest = y.measure().power == 1 ? D - here : as_double(events - left->events);
      return std::max(0.0, deviance(exposure, here, rest));
    }
  };

  struct Scanner : ListScanner<RateResponse> {
    using ListScanner::ListScanner;

    bool any_can_attain(const u32* entries, u32 cuts) const {
      PairSums at;
      double exposure = as_double(cell.exposure), events = as_double(cell.events);
      for (u32 i = 0; i < cuts; ++i) {
        const u32 id = id_of(entries[i]);
        const auto w = static_cast<double>(y.w(id));
        at.first[i] = exposure += w * static_cast<double>(y.exposure[id]);
        at.second[i] = events += w * static_cast<double>(y.events[id]);
      }
      return any_rate_attains(at, cuts, {bound.T, bound.D, bound.threshold / bound.unit, 1e-12 * bound.D, bound.skew});
    }
  };
};

}  // namespace boxwood::coded

// A numeric target by the sum of squares about the mean; weighted, or of weight one.
// Invariant: sums are whole numbers, but for the squares of a table, which only bound; a bound never holds back a cut
// that would win. Cost: a cell is 24 bytes, or 48 with weights.
#pragma once

#include "response/mean_scanner.hpp"
#include "response/mean_sums.hpp"
#include "response/words.hpp"

namespace boxwood::coded {

template <bool weighted_>
struct MeanOf {
  static constexpr bool weighted = weighted_;
  static constexpr bool parts_exactly = !weighted;  // a node less one child is the other
  static constexpr bool one_cell = true, has_low_parts = true, has_many_classes = false, falls_in_rpart = false;
  using Cell = MeanCell<weighted>;
  using Sums = MeanSums<weighted>;
  using Scanner = MeanScanner<MeanOf>;
  using Int = std::conditional_t<weighted, Wide, i64>;  // holds a node's sum about its mean
  const i64 *high, *low;  // high counted from the root's rounded mean
  const i64* weight_of = nullptr;  // nullptr = 1 each
  i64 origin = 0;
  bool is_low = false;  // `high` is the low part, and `origin` the high part that all rows share

  struct Rows {
    std::vector<i64> high, low, weight;
  };
  MeanOf of(const u32* ids, u32 count, Rows& rows) const {
    return {gathered(high, ids, count, rows.high), gathered(low, ids, count, rows.low),
            gathered(weight_of, ids, count, rows.weight), origin, is_low};
  }
  // The same rows where all high parts are that of one row, so that only low parts differ.
  MeanOf of_low_parts(u32 id) const {
    MeanOf out = *this;
    out.origin += high[id];
    out.high = low;
    out.is_low = true;
    return out;
  }
  i64 w(u32 id) const { return weighted && weight_of ? weight_of[id] : 1; }
  double noise(const NodeStats&) const { return 0.0; }
  static double tolerance(const Cell* all) { return all->squares * (static_cast<double>(all->n) + 1); }
  bool differ_in_low_parts(const u32* ids, u32 count) const {
    return std::any_of(ids, ids + count, [&](u32 id) { return low[id] != low[ids[0]]; });
  }
  void prefetch(u32 id) const { BOXWOOD_PREFETCH(high + id, 3); }
  int width() const { return 1; }
  int moments() const { return 3; }
  i64 weight(const Sums& sums) const { return sums.mass(); }
  void describe(const Sums& sums, const NodeStats& stats, const ResponseColumns& y, double* moments) const {
    const auto n = static_cast<double>(sums.mass());
    const Share mean = Share::of((is_low ? 0 : sums.sum) + static_cast<Wide>(origin) * sums.mass(), sums.mass());
    const double part = static_cast<double>(mean.rest) + std::ldexp(static_cast<double>(sums.low), -LOW_BITS);
    moments[0] = n * y.unit;
    moments[1] = y.center + (static_cast<double>(mean.whole) + part / n) * y.scale;
    const double risk = stats.pure ? 0.0 : stats.risk;
    moments[2] = (is_low ? std::ldexp(risk, -2 * LOW_BITS) : risk) * y.scale * y.scale * y.unit;
  }
  void add(Cell* cell, u32 id) const {
    const i64 d = high[id];
    ++cell->n;
    if constexpr (weighted) {
      cell->weight += w(id);
      cell->sum += static_cast<Wide>(d) * w(id);
      cell->squares += static_cast<double>(d) * static_cast<double>(d) * static_cast<double>(w(id));
    } else {
      cell->sum += static_cast<u64>(d);
      cell->squares += static_cast<double>(d) * static_cast<double>(d);
    }
  }
  i64 count(const Cell* cell) const { return cell->n; }
  void add(Sums& sums, u32 id) const { sums.add(high[id], low[id], w(id)); }
  void join(Sums& sums, const Sums& part) const { sums.join(part); }
  void remove(Sums& sums, const Sums& part) const { sums -= part; }
  void close(Sums&) const {}
  static Int centred(const Cell& cell, i64 shift) {
    using Sum = decltype(cell.sum);
    return static_cast<Int>(cell.sum - static_cast<Sum>(shift) * static_cast<Sum>(cell.mass()));
  }
  // Rows, weight and their sum, as bounds read them.
  Sums sums_of(const Cell* cell, const NodeStats& stats) const {
    Sums sums;
    sums.set_mass(cell->n, cell->mass());
    sums.sum = static_cast<Wide>(stats.shift) * cell->mass() + centred(*cell, stats.shift);
    return sums;
  }

  void fill(const Sums& sums, Cell* cell) const {
    *cell = {};
    cell->n = sums.n;
    cell->sum = static_cast<decltype(cell->sum)>(sums.sum);
    if constexpr (weighted) cell->weight = sums.weight;
  }
  i64 weight(const SummedEntry& e) const { return e.words[0]; }
  void read(const SummedEntry& e, Cell* cell) const {
    cell->n = e.rows;
    cell->weight = e.words[0];
    cell->sum = wide_of(e.words + 1);
    cell->squares = e.spread;
  }
  // What BothHalves puts; from now on the response is the half that tells the node's rows apart.
  void read(const i64* words, const i64* ends, Sums& out) {
    is_low = ends[0] == ends[1] && ends[2] != ends[3];
    if (is_low) origin = ends[0];
    out.n = words[0];
    out.weight = words[1];
    out.low = wide_of(words + 5);
    out.sum = is_low ? out.low : wide_of(words + 2);
    out.squares = long_of(words + (is_low ? 13 : 8));
    out.least = ends[is_low ? 2 : 0];
    out.most = ends[is_low ? 3 : 1];
  }
  double impurity(const Cell* cell, const NodeStats& stats) const {
    const auto s = as_double(centred(*cell, stats.shift));
    return cell->mass() == 0 ? 0.0 : -s * s / static_cast<double>(cell->mass());
  }
  // Quotient and remainder separately, so that equal means of unequal groups are equal doubles.
  double mean(const Cell* cell, const NodeStats& stats) const {
    const Int sum = centred(*cell, stats.shift), mass = cell->mass();
    if (mass == 0) return std::nan("");
    return static_cast<double>(sum / mass) + static_cast<double>(sum % mass) / static_cast<double>(mass);
  }
  double drawn(const Sums& sums, const NodeStats& stats, const ValueLimits& limits) const {
    const auto mass = static_cast<double>(sums.mass()), from = static_cast<double>(origin + stats.shift),
               sum = as_double(sums.sum - static_cast<Wide>(stats.shift) * sums.mass()),
               off = sum - std::clamp(sum, (limits.low - from) * mass, (limits.high - from) * mass);
    return off * off / mass;
  }
  // `by_low`: all high parts are the same, so the rows differ in their low parts if at all.
  NodeStats stats_of(const Sums& sums) const {
    NodeStats out;
    out.pure = sums.is_pure();
    out.by_low = out.pure && sums.n > 1 && !is_low;
    const Wide mass = sums.mass();
    const Share half_up = Share::of(2 * sums.sum + mass, 2 * sums.mass());
    const Wide middle = half_up.whole - (half_up.rest < 0);
    out.shift = static_cast<i64>(middle);
    if (out.pure) return out;
    // Squares about the rounded mean m: sum w d^2 - 2 m sum w d + m^2 sum w.
    LongSum about = sums.sum_of_squares();
    about.add_product(sums.sum, -2 * out.shift);
    about.add_product(middle * mass, out.shift);
    const auto off = static_cast<double>(sums.sum - middle * mass);
    out.risk = out.scale = about.value() - off * off / static_cast<double>(sums.mass());
    return out;
  }

  struct UpperBound {
    const MeanOf& y;
    i64 n, shift;
    double N, total, scale, tolerance, threshold = -1, root = -1;

    UpperBound(const MeanOf& y, const Sums& sums, const NodeStats& stats)
        : y(y),
          n(sums.n),
          shift(stats.shift),
          N(static_cast<double>(sums.mass())),
          total(static_cast<double>(sums.sum - static_cast<Wide>(stats.shift) * sums.mass())),
          scale(stats.scale),
          tolerance(stats.tolerance) {}
    void set_threshold(double least) {
      threshold = least > 0 ? least * SURELY * N : -1;
      root = least > 0 ? std::sqrt(least) * SURELY : -1;
    }
    // The left side's sum about the node's mean, times N.
    double off(const Cell* left) const {
      return as_double(centred(*left, shift)) * N - total * static_cast<double>(left->mass());
    }
    bool attains(double d, double l) const { return !(d * d < threshold * (l * (N - l))); }
    bool can_attain(const Cell* left, i64) const { return attains(off(left), static_cast<double>(left->mass())); }
    bool bin_can_attain(const Cell* from, i64, const Cell* to, i64) const {
      const auto c = static_cast<double>(to->mass() - from->mass()),
                 sum = as_double(static_cast<Int>(to->sum - from->sum));
      const double squares = to->squares - from->squares + tolerance;
      const double spread = std::max(squares / c - (sum / c) * (sum / c), 0.0) + 1e-12 * squares / c;
      const double deviation =
          most_deviation(c, static_cast<double>(from->mass()), N - static_cast<double>(to->mass()));
      return std::max(norm(from), norm(to)) + std::sqrt(spread * deviation) * (1 + 1e-9) >= root;
    }
    double norm(const Cell* left) const {
      const auto l = static_cast<double>(left->mass());
      if (l <= 0 || l >= N) return 0.0;
      return std::abs(off(left)) / std::sqrt(N * l * (N - l));
    }
    void edges(const Cell* column, i64 least, EdgeScan& out, double* rough) const {
      double sums[STEP], inside[BINS], squares[STEP];
      auto last = column[0].sum;
      for (int b = 0; b < STEP; ++b) {
        out.rows[b] = static_cast<double>(column[b].n);
        out.mass[b] = static_cast<double>(column[b].mass());
        sums[b] = as_double(centred(column[b], shift));
        squares[b] = column[b].squares;
        const auto before = std::exchange(last, column[b].sum);
        if (b > 0) inside[b - 1] = as_double(static_cast<Int>(last - before));
      }
      spread_inside(squares, inside, tolerance, out);
      mean_gains(sums, {N, total, static_cast<double>(least)}, out, rough);
    }
    bool bins(const Cell*, i64 least, const EdgeScan& out, std::uint8_t* candidates) const {
      return norm_bins(out, {root, static_cast<double>(least)}, candidates);
    }
    // Between sum of squares (SL n - S nl)^2 / (n nl nr), sums counted from the node's rounded mean so that they do not
    // cancel.
    double exact(const Cell* left, i64) const {
      const auto l = static_cast<double>(left->mass());
      if (!(N - l > 0)) return 0.0;
      const double d = off(left);
      return d * d / (N * l * (N - l));
    }
  };
};

using MeanResponse = MeanOf<false>;
// Rows weigh different amounts, or there are more than the narrow sums hold.
using WeightedMeanResponse = MeanOf<true>;

// A numeric target by both halves of its numbers, as long as nobody knows which of them tells a node's rows apart.
struct BothHalves {
  struct Sums {
    MeanSums<true> high, low;
  };
  WeightedMeanResponse high, low;

  void add(Sums& sums, u32 id) const {
    high.add(sums.high, id);
    low.add(sums.low, id);
  }
  // Rows, weight, sums and squares of both halves; ends: the least and the greatest of both.
  void put(const Sums& node, NodeWords& out) const {
    out.words.insert(out.words.end(), {node.high.n, node.high.weight});
    put_wide(node.high.sum, out.words);
    put_wide(node.low.sum, out.words);
    put_long(node.high.squares, out.words);
    put_long(node.low.squares, out.words);
    out.ends.insert(out.ends.end(), {node.high.least, node.high.most, node.low.least, node.low.most});
  }
};

}  // namespace boxwood::coded

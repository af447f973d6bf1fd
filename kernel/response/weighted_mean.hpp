// A quantity whose rows weigh different amounts, or of more rows than the narrow sums of response/mean.hpp hold.
// Invariant: sums are whole numbers, but for the squares of a table, which only bound; a gauge never holds back a
// winner. Cost: a cell is 48 bytes; about 3 ns an entry of a small node's list.
#pragma once

#include "general/node_facts.hpp"
#include "search/list_scanner.hpp"

namespace boxwood::coded {

// Adds a b, both of up to 127 bits together with b's 63.
inline void add_product(LongSum& sum, Wide a, i64 b) {
  sum.high += (a >> 64) * b;
  sum.add(static_cast<Wide>(static_cast<u64>(a)) * b);
}

struct HeavyCell {
  i64 n, weight;
  Wide sum;  // of weight times quantity, counted from the root's rounded mean
  double squares;
  HeavyCell& operator+=(const HeavyCell& o) {
    n += o.n;
    weight += o.weight;
    sum += o.sum;
    squares += o.squares;
    return *this;
  }
  HeavyCell& operator-=(const HeavyCell& o) {
    n -= o.n;
    weight -= o.weight;
    sum -= o.sum;
    squares -= o.squares;
    return *this;
  }
};

struct HeavySums {
  i64 n = 0, weight = 0;
  i64 least = std::numeric_limits<i64>::max(), most = std::numeric_limits<i64>::min();
  Wide sum = 0, low = 0;
  LongSum squares;
};

// Whether any cut reaches bar l r = decrease * n * l r, its sums known up to `drift`.
struct MeanTotals {
  double n, total, bar, drift;
};
BOXWOOD_CLONES inline bool any_heavy_reaches(const double* weight, const double* sum, int cuts, const MeanTotals& of) {
  int any = 0;
  for (int i = 0; i < cuts; ++i) {
    const double l = weight[i], d = sum[i] * of.n - of.total * l, far = (d < 0 ? -d : d) + of.drift;
    any |= !(far * far < of.bar * (l * (of.n - l)));
  }
  return any != 0;
}

struct WeightedQuantity {
  using Cell = HeavyCell;
  using Sums = HeavySums;
  const i64 *high, *low;  // high counted from the root's rounded mean
  const i64* weight_of;  // nullptr = 1 each
  i64 origin = 0;

  struct Rows {
    std::vector<i64> high, low, weight;
  };
  static constexpr bool weighted = true;
  static constexpr bool parts_exactly = false;
  static constexpr int MOST_WORDS = 1;

  WeightedQuantity of(const u32* ids, u32 count, Rows& rows) const {
    const i64* weights = weight_of ? gathered(weight_of, ids, count, rows.weight) : nullptr;
    return {gathered(high, ids, count, rows.high), gathered(low, ids, count, rows.low), weights, origin};
  }
  i64 w(u32 id) const { return weight_of ? weight_of[id] : 1; }
  u32 bit(u32) const { return 0; }
  int width() const { return 1; }
  int moments() const { return 3; }
  void add(Cell* cell, u32 id) const {
    const i64 d = high[id], times = w(id);
    ++cell->n;
    cell->weight += times;
    cell->sum += static_cast<Wide>(d) * times;
    cell->squares += static_cast<double>(d) * static_cast<double>(d) * static_cast<double>(times);
  }
  // What a row adds to one cell of a plane.
  using Row = Cell;
  Row row(u32 id) const {
    Row out{};
    add(&out, id);
    return out;
  }
  static void add(Cell* plane, int bin, const Row& row) { plane[bin] += row; }
  void take(const Cell* plane, int bin, Cell* out) const { *out = plane[bin]; }
  i64 count(const Cell* cell) const { return cell->n; }
  void add(Sums& sums, u32 id) const {
    const i64 d = high[id], times = w(id);
    const Wide heavy = static_cast<Wide>(d) * times;
    ++sums.n;
    sums.weight += times;
    sums.sum += heavy;
    sums.low += static_cast<Wide>(low[id]) * times;
    sums.squares.add(heavy * d);
    sums.least = std::min(sums.least, d);
    sums.most = std::max(sums.most, d);
  }
  void join(Sums& sums, const Sums& part) const {
    sums.n += part.n;
    sums.weight += part.weight;
    sums.sum += part.sum;
    sums.low += part.low;
    sums.squares.low += part.squares.low;
    sums.squares.high += part.squares.high;
    sums.least = std::min(sums.least, part.least);
    sums.most = std::max(sums.most, part.most);
  }
  // What a gauge reads; least and most are those of all.
  void remove(Sums& sums, const Sums& part) const {
    sums.n -= part.n;
    sums.weight -= part.weight;
    sums.sum -= part.sum;
    sums.low -= part.low;
    sums.squares.low -= part.squares.low;
    sums.squares.high -= part.squares.high;
  }
  Sums sums_of(const Cell* cell, const Judged&) const {
    Sums sums;
    sums.n = cell->n;
    sums.weight = cell->weight;
    sums.sum = cell->sum;
    return sums;
  }
  void close(Sums&) const {}
  i64 weight(const Sums& sums) const { return sums.weight; }
  // `fine` is only a suspicion: all highs are the same, so the lows may tell the rows apart.
  Judged judge(const Sums& sums) const {
    Judged out;
    out.pure = sums.least == sums.most;
    out.fine = out.pure && sums.n > 1;
    const Wide weight = sums.weight, doubled = 2 * sums.sum + weight;
    Wide middle = doubled / (2 * weight);
    if (doubled < 0 && middle * 2 * weight != doubled) --middle;
    out.shift = static_cast<i64>(middle);
    if (out.pure) return out;
    // Squares about the rounded mean m: sum w d^2 - 2 m sum w d + m^2 sum w.
    LongSum about = sums.squares;
    add_product(about, sums.sum, -2 * out.shift);
    add_product(about, middle * weight, out.shift);
    const auto off = static_cast<double>(sums.sum - middle * weight);
    out.risk = out.scale = about.value() - off * off / static_cast<double>(sums.weight);
    return out;
  }
  void describe(const Sums& sums, const Judged& judged, const ResponseColumns& y, double* moments) const {
    const Wide whole = sums.sum + static_cast<Wide>(origin) * sums.weight;
    const auto weight = static_cast<double>(sums.weight);
    const double part = static_cast<double>(whole % sums.weight) + std::ldexp(static_cast<double>(sums.low), -30);
    moments[0] = weight * y.unit;
    moments[1] = y.center + (static_cast<double>(whole / sums.weight) + part / weight) * y.scale;
    moments[2] = (judged.pure ? 0.0 : judged.risk) * y.scale * y.scale * y.unit;
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = Mean<Wide, true>;
  Policy policy(const Judged& judged) const { return {nullptr, nullptr, nullptr, judged.shift}; }
  void spread(const Cell* cell, const Judged& judged, Wide* out) const {
    out[0] = cell->weight;
    out[1] = cell->sum - static_cast<Wide>(judged.shift) * cell->weight;
  }
  int classes() const { return 0; }
  bool orders_levels() const { return false; }

  struct Gauge {
    const WeightedQuantity& y;
    i64 n, shift;
    double N, total, scale, bar = -1, root = -1;
    double slop = 0;  // how far a sum of squares in the table may be off

    Gauge(const WeightedQuantity& y, const Sums& sums, const Judged& judged)
        : y(y),
          n(sums.n),
          shift(judged.shift),
          N(static_cast<double>(sums.weight)),
          total(static_cast<double>(sums.sum - static_cast<Wide>(judged.shift) * sums.weight)),
          scale(judged.scale) {}
    void raise(double least) {
      bar = least > 0 ? least * SURELY * N : -1;
      root = least > 0 ? std::sqrt(least) * SURELY : -1;
    }
    double centred(const Cell* left) const {
      return static_cast<double>(left->sum - static_cast<Wide>(shift) * left->weight);
    }
    double off(const Cell* left) const { return centred(left) * N - total * static_cast<double>(left->weight); }
    bool reaches(double d, double l) const { return !(d * d < bar * l * (N - l)); }
    bool may(const Cell* left, i64) const { return reaches(off(left), static_cast<double>(left->weight)); }
    bool bin_may(const Cell* from, i64, const Cell* to, i64) const {
      const auto c = static_cast<double>(to->weight - from->weight), sum = static_cast<double>(to->sum - from->sum);
      const double squares = to->squares - from->squares + slop;
      const double spread = std::max(squares / c - (sum / c) * (sum / c), 0.0) + 1e-12 * squares / c;
      const double reach = strayed(c, static_cast<double>(from->weight), N - static_cast<double>(to->weight));
      return std::max(norm(from), norm(to)) + std::sqrt(spread * reach) * (1 + 1e-9) >= root;
    }
    double norm(const Cell* left) const {
      const auto l = static_cast<double>(left->weight);
      if (l <= 0 || l >= N) return 0.0;
      return std::abs(off(left)) / std::sqrt(N * l * (N - l));
    }
    void edges(const Cell* plane, i64 least, Outlook& out, double* rough) const {
      double off_left[STEP];
      for (int b = 0; b < STEP; ++b) {
        out.bins.rows[b] = static_cast<double>(plane[b].n);
        out.bins.mass[b] = static_cast<double>(plane[b].weight);
        off_left[b] = off(plane + b);
      }
      for (int b = 0; b < BINS; ++b) {
        const double c = out.bins.mass[b + 1] - out.bins.mass[b],
                     sum = static_cast<double>(plane[b + 1].sum - plane[b].sum);
        const double squares = plane[b + 1].squares - plane[b].squares + slop;
        out.bins.squares[b] = std::max(squares * c - sum * sum, 0.0) + 1e-12 * squares * c;
      }
      for (int b = 0; b < STEP; ++b) {
        const double l = out.bins.mass[b], d = off_left[b], w = N * l * (N - l);
        out.gains[b] = w > 0 ? d * d / w : 0.0;
      }
      for (int b = 0; b < BINS; ++b)
        rough[b] =
            plane[b].n > 0 && plane[b].n < n && plane[b].n >= least && n - plane[b].n >= least ? out.gains[b] : -1.0;
    }
    bool bins(const Cell*, i64 least, const Outlook& out, std::uint8_t* wanted) const {
      return norm_bins(out.bins, out.gains, {root, static_cast<double>(least)}, out.bins.mass, wanted);
    }
    // As Mean::decrease in moments.hpp, bit for bit.
    double exact(const Cell* left, i64) const {
      const auto l = static_cast<double>(left->weight);
      if (!(N - l > 0)) return 0.0;
      const double d = off(left);
      return d * d / (N * l * (N - l));
    }
  };
};

template <>
struct Scanner<WeightedQuantity> {
  WeightedQuantity::Gauge gauge;
  const WeightedQuantity& y;
  HeavyCell cell{};
  double rough = 0, drift;  // the left side's sum about the node's mean, and how far it times N may be off
  double weight[SMALL], sum[SMALL];

  // Rounding of fewer than 2^11 sums, each at most sum |w d| <= sqrt(N scale).
  Scanner(const WeightedQuantity& y, const HeavySums& sums, const Judged& judged)
      : gauge(y, sums, judged), y(y), drift(1e-12 * std::sqrt(gauge.N * gauge.scale) * gauge.N) {}
  double about_mean(u32 id, i64 w) const {
    return static_cast<double>(y.high[id] - gauge.shift) * static_cast<double>(w);
  }
  bool promises(const u32* entries, u32 cuts, const HeavySums& first) {
    i64 l = first.weight;
    auto s = static_cast<double>(about(first));
    for (u32 i = 0; i < cuts; ++i) {
      const u32 id = entries[i] & 0x7fff;
      const i64 w = y.w(id);
      weight[i] = static_cast<double>(l += w);
      sum[i] = s += about_mean(id, w);
    }
    return any_heavy_reaches(weight, sum, static_cast<int>(cuts), {gauge.N, gauge.total, gauge.bar, drift});
  }
  Wide about(const HeavySums& sums) const { return sums.sum - static_cast<Wide>(gauge.shift) * sums.weight; }
  void start(const HeavySums& first) {
    cell = {first.n, first.weight, first.sum, 0};
    rough = static_cast<double>(about(first));
  }
  void add(u32, u32 id) {
    const i64 w = y.w(id);
    cell.weight += w;
    cell.sum += static_cast<Wide>(y.high[id]) * w;
    rough += about_mean(id, w);
  }
  bool may(i64) const {
    const auto l = static_cast<double>(cell.weight);
    return gauge.reaches(std::abs(rough * gauge.N - gauge.total * l) + drift, l);
  }
  double exact(i64 l) const { return gauge.exact(&cell, l); }
};

}  // namespace boxwood::coded

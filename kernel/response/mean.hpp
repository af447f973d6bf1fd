// A quantity of weight one, as the search over codes needs it: a cell of a table, the sums of a node, and a gauge.
// Invariant: sums are whole numbers, but for the squares of a table, which only bound; a gauge never holds back a
// winner.
#pragma once

#include "response/node_stats.hpp"

namespace boxwood::coded {

// A quantity of weight one, counted from the root's rounded mean. Sums wrap around modulo 2^64: about a node's mean
// they fit.
struct QuantityCell {
  i64 n;
  u64 sum;
  double squares;
  QuantityCell& operator+=(const QuantityCell& o) {
    n += o.n;
    sum += o.sum;
    squares += o.squares;
    return *this;
  }
  QuantityCell& operator-=(const QuantityCell& o) {
    n -= o.n;
    sum -= o.sum;
    squares -= o.squares;
    return *this;
  }
};

struct QuantitySums {
  i64 n = 0;
  Wide sum = 0, low = 0, squares = 0;
};

// A sum divided by a count, towards zero; sums of 64 bits, as nearly all are, several times faster.
struct Share {
  Wide whole, rest;
  static Share of(Wide sum, i64 n) {
    const auto narrow = static_cast<i64>(sum);
    if (narrow == sum) return {narrow / n, narrow % n};
    return {sum / n, sum % n};
  }
};

struct Quantity {
  using Cell = QuantityCell;
  using Sums = QuantitySums;
  const i64 *high, *low;  // high counted from the root's rounded mean
  i64 origin = 0;

  struct Rows {
    std::vector<i64> high, low;
  };
  static constexpr bool weighted = false;
  static constexpr bool parts_exactly = true;  // a node less one child is the other
  static constexpr int MOST_WORDS = 1;

  Quantity of(const u32* ids, u32 count, Rows& rows) const {
    return {gathered(high, ids, count, rows.high), gathered(low, ids, count, rows.low), origin};
  }
  u32 bit(u32) const { return 0; }
  void prefetch(u32 id) const { __builtin_prefetch(high + id); }
  int width() const { return 1; }
  int moments() const { return 3; }
  i64 weight(const Sums& sums) const { return sums.n; }
  void describe(const Sums& sums, const Judged& judged, const ResponseColumns& y, double* moments) const {
    const Wide whole = sums.sum + static_cast<Wide>(origin) * sums.n;
    const auto n = static_cast<double>(sums.n);
    const Share mean = Share::of(whole, sums.n);
    const double part = static_cast<double>(mean.rest) + static_cast<double>(sums.low) * 0x1p-30;
    moments[0] = n * y.unit;
    moments[1] = y.center + (static_cast<double>(mean.whole) + part / n) * y.scale;
    moments[2] = (judged.pure ? 0.0 : judged.risk) * y.scale * y.scale * y.unit;
  }
  void add(Cell* cell, u32 id) const {
    const i64 d = high[id];
    ++cell->n;
    cell->sum += static_cast<u64>(d);
    cell->squares += static_cast<double>(d) * static_cast<double>(d);
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
    const Wide d = high[id];
    ++sums.n;
    sums.sum += d;
    sums.low += low[id];
    sums.squares += d * d;
  }
  void join(Sums& sums, const Sums& part) const {
    sums.n += part.n;
    sums.sum += part.sum;
    sums.low += part.low;
    sums.squares += part.squares;
  }
  void remove(Sums& sums, const Sums& part) const {
    sums.n -= part.n;
    sums.sum -= part.sum;
    sums.low -= part.low;
    sums.squares -= part.squares;
  }
  void close(Sums&) const {}
  i64 centred(const Cell* cell, const Judged& judged) const {
    return static_cast<i64>(cell->sum - static_cast<u64>(judged.shift) * static_cast<u64>(cell->n));
  }
  // Rows and their sum, as a gauge reads them.
  Sums sums_of(const Cell* cell, const Judged& judged) const {
    return {cell->n, static_cast<Wide>(judged.shift) * cell->n + centred(cell, judged), 0, 0};
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = Mean<i64, false>;
  Policy policy(const Judged& judged) const { return {nullptr, nullptr, nullptr, judged.shift}; }
  void spread(const Cell* cell, const Judged& judged, i64* out) const {
    out[0] = cell->n;
    out[1] = centred(cell, judged);
  }
  int classes() const { return 0; }
  bool orders_levels() const { return true; }
  // `fine` is only a suspicion: all highs are the same, so the lows may tell the rows apart.
  Judged judge(const Sums& sums) const {
    Judged out;
    const Wide n = sums.n;
    out.pure = n * sums.squares == sums.sum * sums.sum;
    out.fine = out.pure && n > 1;
    const Wide doubled = 2 * sums.sum + n;
    const Share half_up = Share::of(doubled, 2 * sums.n);
    const Wide middle = half_up.whole - (half_up.rest < 0);
    out.shift = static_cast<i64>(middle);
    if (out.pure) return out;
    const Wide about = sums.squares - 2 * middle * sums.sum + middle * middle * n;
    const auto off = static_cast<double>(sums.sum - middle * n);
    const double whole = static_cast<double>(about >> 64) * 0x1p64 + static_cast<double>(static_cast<u64>(about));
    out.risk = out.scale = whole - off * off / static_cast<double>(sums.n);
    return out;
  }

  struct Gauge {
    const Quantity& y;
    i64 n, shift;
    double total, bar = -1, root = -1;
    double slop = 0;  // how far a sum of squares in the table may be off

    Gauge(const Quantity& y, const Sums& sums, const Judged& judged)
        : y(y),
          n(sums.n),
          shift(judged.shift),
          total(static_cast<double>(static_cast<i64>(sums.sum - static_cast<Wide>(judged.shift) * sums.n))) {}
    void raise(double least) {
      bar = least > 0 ? least * SURELY * static_cast<double>(n) : -1;
      root = least > 0 ? std::sqrt(least) * SURELY : -1;
    }
    i64 centred(const Cell* left, i64 l) const {
      return static_cast<i64>(left->sum - static_cast<u64>(shift) * static_cast<u64>(l));
    }
    double off(const Cell* left, i64 l) const {
      return static_cast<double>(centred(left, l)) * static_cast<double>(n) - total * static_cast<double>(l);
    }
    bool may(const Cell* left, i64 l) const {
      const double d = off(left, l);
      return !(d * d < bar * static_cast<double>(l) * static_cast<double>(n - l));
    }
    bool bin_may(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      const auto c = static_cast<double>(l_to - l);
      const double sum = static_cast<double>(static_cast<i64>(to->sum - from->sum));
      const double squares = to->squares - from->squares + slop;
      const double spread = std::max(squares / c - (sum / c) * (sum / c), 0.0) + 1e-12 * squares / c;
      const double reach = strayed(c, static_cast<double>(l), static_cast<double>(n - l_to));
      return std::max(norm(from, l), norm(to, l_to)) + std::sqrt(spread * reach) * (1 + 1e-9) >= root;
    }
    double norm(const Cell* left, i64 l) const {
      if (l == 0 || l == n) return 0.0;
      return std::abs(off(left, l)) /
             std::sqrt(static_cast<double>(n) * static_cast<double>(l) * static_cast<double>(n - l));
    }
    void edges(const Cell* plane, i64 least, Outlook& out, double* rough) const {
      double sums[STEP], inside[BINS], squares[STEP];
      u64 last = 0;
      for (int b = 0; b < STEP; ++b) {
        out.bins.rows[b] = static_cast<double>(plane[b].n);
        sums[b] = static_cast<double>(centred(plane + b, plane[b].n));
        squares[b] = plane[b].squares;
        const u64 sum = std::exchange(last, plane[b].sum);
        if (b > 0) inside[b - 1] = static_cast<double>(static_cast<i64>(plane[b].sum - sum));
      }
      spread_inside(out.bins.rows, squares, inside, slop, out.bins.squares);
      mean_gains(out.bins.rows, sums, {static_cast<double>(n), total, static_cast<double>(least)}, out.gains, rough);
    }
    bool bins(const Cell*, i64 least, const Outlook& out, std::uint8_t* wanted) const {
      return norm_bins(out.bins, out.gains, {root, static_cast<double>(least)}, out.bins.rows, wanted);
    }
    // As Mean::decrease in moments.hpp, bit for bit.
    double exact(const Cell* left, i64 l) const {
      const auto N = static_cast<double>(n), L = static_cast<double>(l);
      const double d = off(left, l);
      return d * d / (N * L * (N - L));
    }
  };
};

}  // namespace boxwood::coded

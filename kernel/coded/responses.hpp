// What the search over codes needs to know of a response: a cell of a table, the exact sums of a node, and a gauge that tells
// cheaply which cuts, and which bins of cuts, cannot win.
// Invariant: sums are whole numbers; a gauge never holds back a cut that would win (bounds leave room for rounding).
// Source: the decrease is convex in the sums of the left side, so inside a bin it is largest at a corner of what can be reached
// (two classes); or sqrt(decrease), a norm of the difference of means, leaves its chord by at most sigma sqrt(k (c - k)).
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "../measures.hpp"
#include "../moments.hpp"
#include "../settings.hpp"
#include "clones.hpp"
#include "coding.hpp"

namespace boxwood::coded {

using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int MOST_CLASSES = 32;
constexpr int STEP = BINS + 1;  // edges of a feature: sums below each bin, and the total

// One node's two-class totals as the loops over bins read them.
struct PairTotals {
  double n, ones, least;  // least: rows each side must get
};

// 2 d^2 / (n l r) at every edge; -1 where no cut may stand. `cells`: rows and ones in turn.
BOXWOOD_CLONES inline void pair_edges(const std::int32_t* cells, const PairTotals& of, double* rough) {
  const double n = of.n, ones = of.ones, least = of.least, unit = 2 / n;
  for (int b = 0; b < BINS; ++b) {
    const double l = cells[2 * b], d = cells[2 * b + 1] * n - l * ones, r = n - l;
    const double gain = d * d * unit / (l * r);
    rough[b] = (l >= least) & (r >= least) ? gain : -1.0;
  }
}

// Whether a corner of what can be reached inside a bin attains `bar` = decrease * n / 2.
BOXWOOD_CLONES inline bool pair_bins(const std::int32_t* cells, const PairTotals& of, double bar, std::uint8_t* wanted) {
  const double n = of.n, ones = of.ones, least = of.least;
  int any = 0;
  for (int b = 0; b < BINS; ++b) {
    const double l = cells[2 * b], l1 = cells[2 * b + 1], to = cells[2 * b + 2], to1 = cells[2 * b + 3];
    const double inside = to1 - l1, a = l + inside, z = to - inside;
    const double da = to1 * n - a * ones, dz = l1 * n - z * ones;
    const int reached = (da * da >= bar * (a * (n - a))) | (dz * dz >= bar * (z * (n - z)));
    const int may = reached & (to - l > 1) & (to > least) & (n - l > least);
    wanted[b] = static_cast<std::uint8_t>(may);
    any |= may;
  }
  return any != 0;
}

// Bounds by the norm of the difference of means: rows and one number a bin, as the loops over bins read them.
struct BinSums {
  double rows[STEP];     // below each edge
  double squares[BINS];  // c times the sum of squared differences from the bin's mean
};

// Whether max of the edges' norms plus how far a cut inside may stray from between them attains `root`.
BOXWOOD_CLONES inline bool norm_bins(const BinSums& of, const double* gains, double root, double least, std::uint8_t* wanted) {
  const double n = of.rows[BINS];
  int any = 0;
  for (int b = 0; b < BINS; ++b) {
    const double l = of.rows[b], to = of.rows[b + 1], c = to - l, r = n - to, most = c * c / 4;
    const double at_left = most / (l > 1 ? l : 1), at_right = most / (r > 1 ? r : 1);
    const double strayed = (at_left < c ? at_left : c) + (at_right < c ? at_right : c);
    const double edge = std::sqrt(gains[b] > gains[b + 1] ? gains[b] : gains[b + 1]);
    const double gap = (root - edge) * (1 - 1e-9);
    const int may = (gap <= 0) | (of.squares[b] * strayed >= gap * gap * (c * c));
    const int wants = may & (c > 1) & (to > least) & (n - l > least);
    wanted[b] = static_cast<std::uint8_t>(wants);
    any |= wants;
  }
  return any != 0;
}

// a / l + b / r - whole at every edge, never below 0.
BOXWOOD_CLONES inline void square_gains(const double* rows, const double* left, const double* right, double whole, double* gains) {
  const double n = rows[BINS];
  for (int b = 0; b < STEP; ++b) {
    const double l = rows[b], r = n - l;
    const double gain = left[b] / (l > 0 ? l : 1) + right[b] / (r > 0 ? r : 1) - whole;
    gains[b] = gain > 0 ? gain : 0;
  }
}

BOXWOOD_CLONES inline void add_squares(const u32* counts, double total, double* rows, double* left, double* right, double* inside) {
  for (int b = 0; b < STEP; ++b) {
    const double l = static_cast<std::int32_t>(counts[b]), r = total - l;
    rows[b] += l;
    left[b] += l * l;
    right[b] += r * r;
  }
  for (int b = 0; b < BINS; ++b) {
    const double c = static_cast<std::int32_t>(counts[b + 1] - counts[b]);
    inside[b] += c * c;
  }
}

// What the loops over one feature's bins leave behind: gains at every edge, and what bounds the cuts inside.
struct Outlook {
  double gains[STEP];
  BinSums bins;
};

// What is known of a node from its sums: twin of NodeFacts for rows of weight one.
struct Judged {
  double risk = 0.0, scale = 0.0;
  bool pure = true, fine = false;
  i64 shift = 0;  // means: the rounded mean, from which exact scores count
};

// No candidate below this can be chosen once one of decrease `best` is known; see the tie rule in settings.hpp.
inline double surely_below(double best, double scale) { return best - 4 * TIE * (best > scale ? best : scale); }

struct ClassSums {
  std::array<i64, MOST_CLASSES> of{};
  i64 n = 0;
};
inline void join_classes(ClassSums& sums, const ClassSums& part, int n_classes) {
  for (int k = 0; k < n_classes; ++k) sums.of[k] += part.of[k];
  sums.n += part.n;
}

template <class Measure>
inline double class_risk(const ClassSums& sums, int n_classes, double scale) {
  double squares = 0, logs = 0;
  for (int k = 0; k < n_classes; ++k) {
    const auto mass = static_cast<double>(sums.of[k]);
    squares += mass * mass;
    if constexpr (std::is_same_v<Measure, Entropy>) logs += x_log2_x(mass);
  }
  if constexpr (std::is_same_v<Measure, Entropy>) return x_log2_x(scale) - logs;
  return scale - squares / scale;
}

template <class Measure>
inline Judged judge_classes(const ClassSums& sums, int n_classes) {
  Judged out;
  int present = 0;
  for (int k = 0; k < n_classes; ++k) present += sums.of[k] > 0;
  out.pure = present < 2;
  out.scale = static_cast<double>(sums.n);
  out.risk = class_risk<Measure>(sums, n_classes, out.scale);
  return out;
}

// Two classes. A cell is (rows, rows of the second class) in the halves of one word, so tables subtract without a borrow.
template <class Measure>
struct TwoClasses {
  using Cell = u64;
  using Sums = ClassSums;
  const std::uint8_t* code;
  int n_classes;
  const Measure* measure;

  int width() const { return 1; }
  int moments() const { return 2; }
  void add(Cell* cell, u32 id) const { *cell += 1 + (static_cast<u64>(code[id]) << 32); }
  void add(Cell* plane, int bin, u32 id) const { add(plane + bin, id); }
  void take(const Cell* plane, int bin, Cell* out) const { *out = plane[bin]; }
  i64 count(const Cell* cell) const { return static_cast<u32>(*cell); }
  void add(Sums& sums, u32 id) const {
    sums.of[1] += code[id];
    ++sums.n;
  }
  void join(Sums& sums, const Sums& part) const { join_classes(sums, part, 2); }
  void close(Sums& sums) const { sums.of[0] = sums.n - sums.of[1]; }
  Judged judge(const Sums& sums) const { return judge_classes<Measure>(sums, 2); }

  struct Gauge {
    const TwoClasses* y;
    i64 total[2], n, ones;
    double bar = -1, level = 0;

    Gauge(const TwoClasses& y, const Sums& sums, const Judged&) : y(&y), total{sums.of[0], sums.of[1]}, n(sums.n), ones(sums.of[1]) {
      if constexpr (std::is_same_v<Measure, Entropy>) level = x(total[0]) + x(total[1]) - x(n);
    }
    double x(i64 count) const {
      if constexpr (std::is_same_v<Measure, Entropy>) return y->measure->table[count];
      return 0.0;
    }
    void raise(double least) {
      if constexpr (std::is_same_v<Measure, Entropy>)
        bar = least - 1e-11 * (std::abs(level) + static_cast<double>(n) * 8);
      else
        bar = least > 0 ? least * SURELY * static_cast<double>(n) / 2 : -1;
    }
    bool reaches(i64 l, i64 l1) const {
      if constexpr (std::is_same_v<Measure, Entropy>) {
        const i64 r1 = ones - l1;
        return !(x(l1) + x(l - l1) - x(l) + x(r1) + x(n - l - r1) - x(n - l) - level < bar);
      } else {
        const auto d = static_cast<double>(l1 * n - l * ones);
        return !(d * d < bar * static_cast<double>(l * (n - l)));
      }
    }
    bool may(const Cell* left, i64 l) const { return reaches(l, static_cast<i64>(*left >> 32)); }
    bool bin_may(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      const auto before = static_cast<i64>(*from >> 32), inside = static_cast<i64>(*to >> 32) - before;
      return reaches(l + inside, before + inside) || reaches(l_to - inside, before);
    }
    double rough_edge(const Cell* left, i64 l) const {
      const i64 l1 = static_cast<i64>(*left >> 32), r1 = ones - l1;
      return std::max(x(l1) + x(l - l1) - x(l) + x(r1) + x(n - l - r1) - x(n - l) - level, 0.0);
    }
    void edges(const Cell* plane, i64 least, Outlook&, double* rough) const {
      if constexpr (std::is_same_v<Measure, Gini>) return pair_edges(reinterpret_cast<const std::int32_t*>(plane), totals(least), rough);
      for (int b = 0; b < BINS; ++b) {
        const i64 l = y->count(plane + b);
        rough[b] = l >= least && n - l >= least ? rough_edge(plane + b, l) : -1.0;
      }
    }
    bool bins(const Cell* plane, i64 least, const Outlook&, std::uint8_t* wanted) const {
      if constexpr (std::is_same_v<Measure, Gini>) return pair_bins(reinterpret_cast<const std::int32_t*>(plane), totals(least), bar, wanted);
      bool any = false;
      for (int b = 0; b < BINS; ++b) {
        const i64 l = y->count(plane + b), to = y->count(plane + b + 1);
        wanted[b] = to - l > 1 && to > least && n - l > least && bin_may(plane + b, l, plane + b + 1, to);
        any = any || wanted[b];
      }
      return any;
    }
    PairTotals totals(i64 least) const { return {static_cast<double>(n), static_cast<double>(ones), static_cast<double>(least)}; }
    double exact(const Cell* left, i64 l) const {
      const auto l1 = static_cast<i64>(*left >> 32);
      const i64 sums[2] = {l - l1, l1};
      return y->measure->two(sums, total);
    }
  };
};

// Up to MOST_CLASSES classes: a cell is a row of counts.
template <class Measure>
struct ManyClasses {
  using Cell = u32;
  using Sums = ClassSums;
  const std::uint8_t* code;
  int n_classes;
  const Measure* measure;

  int width() const { return n_classes; }
  int moments() const { return n_classes; }
  void add(Cell* cell, u32 id) const { ++cell[code[id]]; }
  void add(Cell* plane, int bin, u32 id) const { ++plane[code[id] * STEP + bin]; }
  void take(const Cell* plane, int bin, Cell* out) const {
    for (int k = 0; k < n_classes; ++k) out[k] = plane[k * STEP + bin];
  }
  i64 count(const Cell* cell) const {
    u32 n = 0;
    for (int k = 0; k < n_classes; ++k) n += cell[k];
    return n;
  }
  void add(Sums& sums, u32 id) const {
    ++sums.of[code[id]];
    ++sums.n;
  }
  void join(Sums& sums, const Sums& part) const { join_classes(sums, part, n_classes); }
  void close(Sums&) const {}
  Judged judge(const Sums& sums) const { return judge_classes<Measure>(sums, n_classes); }

  struct Gauge {
    const ManyClasses* y;
    Sums total;
    double n, bar = -1, root = -1, of_node = 0;
    int K;

    Gauge(const ManyClasses& y, const Sums& sums, const Judged&) : y(&y), total(sums), n(static_cast<double>(sums.n)), K(y.n_classes) {
      for (int k = 0; k < K; ++k) of_node += x(sums.of[k]);
      if constexpr (std::is_same_v<Measure, Entropy>) of_node -= x(sums.n);
    }
    double x(i64 count) const {
      if constexpr (std::is_same_v<Measure, Entropy>) return y->measure->table[count];
      return static_cast<double>(count) * static_cast<double>(count) / n;
    }
    void raise(double least) {
      bar = least - 1e-11 * (std::abs(of_node) + 8 * n);
      root = least > 0 ? std::sqrt(least) * SURELY : -1;
    }
    // Decrease but for rounding; `to` null = the other side of `left`, else left of `left` and right of `to` alone.
    double rough(const Cell* left, i64 l, const Cell* to, i64 l_to) const {
      double out = -of_node;
      const i64 r = total.n - l_to;
      if constexpr (std::is_same_v<Measure, Entropy>) {
        for (int k = 0; k < K; ++k) out += x(left[k]) + x(total.of[k] - to[k]);
        return out - x(l) - x(r);
      }
      double a = 0, b = 0;
      for (int k = 0; k < K; ++k) {
        const auto lk = static_cast<double>(left[k]), rk = static_cast<double>(total.of[k] - to[k]);
        a += lk * lk;
        b += rk * rk;
      }
      if (l > 0) out += a / static_cast<double>(l);
      if (r > 0) out += b / static_cast<double>(r);
      return out;
    }
    bool may(const Cell* left, i64 l) const { return !(rough(left, l, left, l) < bar); }
    bool bin_may(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      if constexpr (std::is_same_v<Measure, Entropy>) return !(rough(from, l, to, l_to) < bar);
      const auto c = static_cast<double>(l_to - l);
      double squares = 0;
      for (int k = 0; k < K; ++k) {
        const auto inside = static_cast<double>(to[k] - from[k]);
        squares += inside * inside;
      }
      const double spread = 1 - squares / (c * c);
      const double edge = std::max(rough(from, l, from, l), rough(to, l_to, to, l_to));
      return std::sqrt(std::max(edge, 0.0) + 1e-9) + std::sqrt(spread * strayed(c, l, total.n - l_to)) >= root;
    }
    void edges(const Cell* plane, i64 least, Outlook& out, double* rough) const {
      look(plane, out);
      for (int b = 0; b < BINS; ++b) {
        const double l = out.bins.rows[b], m = static_cast<double>(least);
        rough[b] = l >= m && n - l >= m ? out.gains[b] : -1.0;
      }
    }
    bool bins(const Cell* plane, i64 least, const Outlook& out, std::uint8_t* wanted) const {
      if constexpr (std::is_same_v<Measure, Gini>) return norm_bins(out.bins, out.gains, root, static_cast<double>(least), wanted);
      bool any = false;
      Cell from[MOST_CLASSES], to[MOST_CLASSES];
      for (int b = 0; b < BINS; ++b) {
        const auto l = static_cast<i64>(out.bins.rows[b]), l_to = static_cast<i64>(out.bins.rows[b + 1]);
        wanted[b] = l_to - l > 1 && l_to > least && total.n - l > least;
        if (!wanted[b]) continue;
        y->take(plane, b, from);
        y->take(plane, b + 1, to);
        wanted[b] = bin_may(from, l, to, l_to);
        any = any || wanted[b];
      }
      return any;
    }
    void look(const Cell* plane, Outlook& out) const {
      double left[STEP] = {}, right[STEP] = {};
      std::fill_n(out.bins.rows, STEP, 0.0);
      std::fill_n(out.bins.squares, BINS, 0.0);
      for (int k = 0; k < K; ++k)
        add_squares(plane + k * STEP, static_cast<double>(total.of[k]), out.bins.rows, left, right, out.bins.squares);
      for (int b = 0; b < BINS; ++b) {
        const double c = out.bins.rows[b + 1] - out.bins.rows[b];
        out.bins.squares[b] = c * c - out.bins.squares[b];
      }
      if constexpr (std::is_same_v<Measure, Gini>) return square_gains(out.bins.rows, left, right, of_node, out.gains);
      Cell cell[MOST_CLASSES];
      for (int b = 0; b < STEP; ++b) {
        y->take(plane, b, cell);
        const auto l = static_cast<i64>(out.bins.rows[b]);
        out.gains[b] = std::max(rough(cell, l, cell, l), 0.0);
      }
    }
    double exact(const Cell* left, i64) const {
      i64 sums[MOST_CLASSES];
      for (int k = 0; k < K; ++k) sums[k] = left[k];
      return y->measure->many(sums, total.of.data(), K, nullptr);
    }
    static double strayed(double c, i64 before, i64 after) {
      const double most = c * c / 4;
      return std::min(most / static_cast<double>(std::max<i64>(before, 1)), c) + std::min(most / static_cast<double>(std::max<i64>(after, 1)), c);
    }
  };
};

// A quantity of weight one, counted from the root's rounded mean. Sums wrap around modulo 2^64: about a node's mean they fit.
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

struct Quantity {
  using Cell = QuantityCell;
  using Sums = QuantitySums;
  const i64 *high, *low;  // high counted from the root's rounded mean
  i64 origin = 0;

  int width() const { return 1; }
  int moments() const { return 3; }
  void add(Cell* cell, u32 id) const {
    const i64 d = high[id];
    ++cell->n;
    cell->sum += static_cast<u64>(d);
    cell->squares += static_cast<double>(d) * static_cast<double>(d);
  }
  void add(Cell* plane, int bin, u32 id) const { add(plane + bin, id); }
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
  void close(Sums&) const {}
  // `fine` is only a suspicion: all highs are the same, so the lows may tell the rows apart.
  Judged judge(const Sums& sums) const {
    Judged out;
    const Wide n = sums.n;
    out.pure = n * sums.squares == sums.sum * sums.sum;
    out.fine = out.pure && n > 1;
    const Wide doubled = 2 * sums.sum + n;
    Wide middle = doubled / (2 * n);
    if (doubled < 0 && middle * 2 * n != doubled) --middle;
    out.shift = static_cast<i64>(middle);
    if (out.pure) return out;
    const Wide about = sums.squares - 2 * middle * sums.sum + middle * middle * n;
    const auto off = static_cast<double>(sums.sum - middle * n);
    const double whole = std::ldexp(static_cast<double>(about >> 64), 64) + static_cast<double>(static_cast<u64>(about));
    out.risk = out.scale = whole - off * off / static_cast<double>(sums.n);
    return out;
  }

  struct Gauge {
    const Quantity& y;
    i64 n, shift;
    double total, bar = -1, root = -1;
    double slop = 0;  // how far a sum of squares in the table may be off

    Gauge(const Quantity& y, const Sums& sums, const Judged& judged)
        : y(y), n(sums.n), shift(judged.shift), total(static_cast<double>(static_cast<i64>(sums.sum - static_cast<Wide>(judged.shift) * sums.n))) {}
    void raise(double least) {
      bar = least > 0 ? least * SURELY * static_cast<double>(n) : -1;
      root = least > 0 ? std::sqrt(least) * SURELY : -1;
    }
    i64 centred(const Cell* left, i64 l) const { return static_cast<i64>(left->sum - static_cast<u64>(shift) * static_cast<u64>(l)); }
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
      const double strayed = ManyClasses<Gini>::Gauge::strayed(c, l, n - l_to);
      return std::max(norm(from, l), norm(to, l_to)) + std::sqrt(spread * strayed) * (1 + 1e-9) >= root;
    }
    double norm(const Cell* left, i64 l) const {
      if (l == 0 || l == n) return 0.0;
      return std::abs(off(left, l)) / std::sqrt(static_cast<double>(n) * static_cast<double>(l) * static_cast<double>(n - l));
    }
    void edges(const Cell* plane, i64 least, Outlook& out, double* rough) const {
      const auto N = static_cast<double>(n);
      double off_left[STEP];
      for (int b = 0; b < STEP; ++b) {
        out.bins.rows[b] = static_cast<double>(plane[b].n);
        off_left[b] = static_cast<double>(centred(plane + b, plane[b].n));
      }
      for (int b = 0; b < BINS; ++b) {
        const double c = out.bins.rows[b + 1] - out.bins.rows[b];
        const auto sum = static_cast<double>(static_cast<i64>(plane[b + 1].sum - plane[b].sum));
        const double squares = plane[b + 1].squares - plane[b].squares + slop;
        out.bins.squares[b] = std::max(squares * c - sum * sum, 0.0) + 1e-12 * squares * c;
      }
      for (int b = 0; b < STEP; ++b) {
        const double l = out.bins.rows[b], d = off_left[b] * N - total * l, w = N * l * (N - l);
        out.gains[b] = w > 0 ? d * d / w : 0.0;
      }
      for (int b = 0; b < BINS; ++b) rough[b] = plane[b].n >= least && n - plane[b].n >= least ? out.gains[b] : -1.0;
    }
    bool bins(const Cell*, i64 least, const Outlook& out, std::uint8_t* wanted) const {
      return norm_bins(out.bins, out.gains, root, static_cast<double>(least), wanted);
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

// Two classes whose rows weigh different amounts, or whose classes count by factors (priors, costs, class weights).
// Invariant: sums are whole numbers; a gauge never holds back a cut that would win.
// Cost: a cell is 24 bytes; about 2 ns an entry of a small node's list.
// Source: the decrease is convex in the masses of the left side and grows when rows of the rarer class leave it, so
// inside a bin it is largest at a mixed corner of what can be reached; entropy by x ln x - x + 1 <= u^2 / 2 (1 + max(u,
// 0)), u = 1 - x.
#pragma once

#include <numbers>

#include "search/list_scanner.hpp"

namespace boxwood::coded {

struct PairCell {
  i64 of[2], n;
  PairCell& operator+=(const PairCell& o) {
    of[0] += o.of[0];
    of[1] += o.of[1];
    n += o.n;
    return *this;
  }
  PairCell& operator-=(const PairCell& o) {
    of[0] -= o.of[0];
    of[1] -= o.of[1];
    n -= o.n;
    return *this;
  }
};

// Masses of a node's two classes, and the bar a cut must reach, as the loops over cuts read them.
struct PairMasses {
  double first, second, bar;
};

// Whether d^2 reaches bar l r at any cut, d = b n - l B. `mass`: of the left side; `second`: of the second class in it.
BOXWOOD_CLONES inline bool any_mass_reaches(const double* mass, const double* second, int cuts, const PairMasses& of) {
  const double n = of.first + of.second;
  int any = 0;
  for (int i = 0; i < cuts; ++i) {
    const double l = mass[i], d = second[i] * n - l * of.second;
    any |= !(d * d < of.bar * (l * (n - l)));
  }
  return any != 0;
}

struct WeightedPair {
  using Cell = PairCell;
  struct Sums {
    i64 of[2] = {0, 0}, n = 0;
  };
  using Rows = WeightedRows;
  static constexpr bool weighted = true;
  static constexpr bool parts_exactly = false;
  static constexpr int MOST_WORDS = 1;
  const std::uint8_t* code;
  const i64* weight_of;  // nullptr = 1 each
  const double* factors;  // nullptr = 1 each
  AnyMeasure measure;

  WeightedPair of(const u32* ids, u32 count, Rows& rows) const {
    WeightedPair here = *this;
    here.code = rows.gather(code, ids, count);
    here.weight_of = rows.weights(weight_of, ids, count);
    return here;
  }
  i64 w(u32 id) const { return weight_of ? weight_of[id] : 1; }
  // How far two decreases may be off by rounding, in units of score.
  double noise(const Sums&, const Judged& judged) const {
    return measure.name == MeasureName::entropy ? noise_of_logs(judged.scale, 2) : 0.0;
  }
  u32 bit(u32 id) const { return code[id]; }
  int width() const { return 1; }
  int moments() const { return 2; }
  void add(Cell* cell, u32 id) const {
    cell->of[code[id]] += w(id);
    ++cell->n;
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
    sums.of[code[id]] += w(id);
    ++sums.n;
  }
  void join(Sums& sums, const Sums& part) const {
    for (int k = 0; k < 2; ++k) sums.of[k] += part.of[k];
    sums.n += part.n;
  }
  void remove(Sums& sums, const Sums& part) const {
    for (int k = 0; k < 2; ++k) sums.of[k] -= part.of[k];
    sums.n -= part.n;
  }
  void close(Sums&) const {}
  Sums sums_of(const Cell* cell, const Judged&) const { return {{cell->of[0], cell->of[1]}, cell->n}; }
  i64 weight(const Sums& sums) const { return sums.of[0] + sums.of[1]; }
  Judged judge(const Sums& sums) const { return judge_classes(measure.name, sums.of, 2, factors); }
  void describe(const Sums& sums, const Judged&, const ResponseColumns& y, double* moments) const {
    describe_classes(sums.of, 2, y, moments);
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = Classes<AnyMeasure>;
  Policy policy(const Judged&) const { return {2, nullptr, nullptr, factors, &measure}; }
  void spread(const Cell* cell, const Judged&, i64* out) const { std::copy_n(cell->of, 2, out); }
  int classes() const { return 2; }
  bool orders_levels() const { return false; }

  struct Gauge {
    const WeightedPair* y;
    bool gini, entropy, errors;
    i64 total[2], n;
    double A, B, N, bar = -1;  // masses of the classes and of the node
    mutable double seen = 0;  // the most that an edge takes away, as far as they were looked at

    Gauge(const WeightedPair& y, const Sums& sums, const Judged&)
        : y(&y),
          gini(y.measure.name == MeasureName::gini),
          entropy(y.measure.name == MeasureName::entropy),
          errors(y.measure.name == MeasureName::error),
          total{sums.of[0], sums.of[1]},
          n(sums.n),
          A(mass(0, total[0])),
          B(mass(1, total[1])),
          N(A + B) {}
    double mass(int k, i64 sum) const { return static_cast<double>(sum) * factor_of(y->factors, k); }
    void raise(double least) {
      bar = least - (entropy ? 1e-10 : 1e-11) * N;
      if (gini) bar = bar > 0 ? bar * N / 2 : -1;
    }
    // What `bar` is where only the square of the difference of shares is looked at: for entropy, chi-squared bounds the
    // gain.
    double square_bar() const {
      if (gini) return bar;
      return bar * std::numbers::ln2 * A * B / N;
    }
    // Whether left masses a and b attain the bar; entropy is bounded from above without a logarithm.
    bool reaches(double a, double b) const {
      const double l = a + b, r = N - l;
      if (errors) return !(error(a, b) < bar);
      const double d = b * N - l * B;
      if (gini) return !(d * d < bar * (l * r));
      if (!(l > 0) || !(r > 0)) return !(bar > 0);
      const double p0 = A / N, p1 = B / N, off = std::abs(d) / N;
      const double in_left = l * (d > 0 ? p0 : p1), in_right = r * (d > 0 ? p1 : p0);
      const double even = N / (p0 * p1 * l * r), more = off * (1 / (in_left * in_left) + 1 / (in_right * in_right));
      return !(off * off * (even + more) < bar * (2 * std::numbers::ln2));
    }
    double error(double a, double b) const { return std::max(a, b) + std::max(A - a, B - b) - std::max(A, B); }
    bool may(const Cell* left, i64) const { return reaches(mass(0, left->of[0]), mass(1, left->of[1])); }
    bool bin_may(const Cell* from, i64, const Cell* to, i64) const {
      const double a0 = mass(0, from->of[0]), a1 = mass(0, to->of[0]), b0 = mass(1, from->of[1]),
                   b1 = mass(1, to->of[1]);
      return reaches(a0, b1) || reaches(a1, b0);
    }
    double rough_edge(const Cell* left) const {
      const double a = mass(0, left->of[0]), b = mass(1, left->of[1]), l = a + b;
      if (errors) return std::max(error(a, b), 0.0);
      const double d = b * N - l * B, square = d * d / (l * (N - l));
      if (gini) return 2 * square / N;
      // Where even chi-squared is less than what was seen, logarithms would tell nothing.
      const double most = square * N / (A * B * std::numbers::ln2);
      if (most < seen * (1 - 1e-6) - 1e-9 * N) return most;
      const double gain = measure_of(left);
      seen = std::max(seen, gain);
      return gain;
    }
    double measure_of(const Cell* left) const { return y->measure.many(left->of, total, 2, y->factors); }
    void edges(const Cell* plane, i64 least, Outlook&, double* rough) const {
      for (int b = 0; b < BINS; ++b) {
        const i64 l = plane[b].n;
        rough[b] = l > 0 && l >= least && n - l >= least && l < n ? rough_edge(plane + b) : -1.0;
      }
    }
    bool bins(const Cell* plane, i64 least, const Outlook&, std::uint8_t* wanted) const {
      bool any = false;
      for (int b = 0; b < BINS; ++b) {
        const i64 l = plane[b].n, to = plane[b + 1].n;
        wanted[b] = to - l > 1 && to > least && n - l > least && bin_may(plane + b, l, plane + b + 1, to);
        any = any || wanted[b];
      }
      return any;
    }
    double exact(const Cell* left, i64) const { return measure_of(left); }
  };
};

template <>
struct Scanner<WeightedPair> {
  using R = WeightedPair;
  R::Gauge gauge;
  const R& y;
  PairCell cell{};
  double mass[SMALL], second[SMALL];

  Scanner(const R& y, const R::Sums& sums, const Judged& judged) : gauge(y, sums, judged), y(y) {}
  bool promises(const u32* entries, u32 cuts, const R::Sums& first) {
    if (gauge.errors) return true;
    const double f[2] = {factor_of(y.factors, 0), factor_of(y.factors, 1)};
    double ones = gauge.mass(1, first.of[1]), l = ones + gauge.mass(0, first.of[0]);
    for (u32 i = 0; i < cuts; ++i) {
      const u32 is_second = entries[i] >> 15 & 1;
      const double m = static_cast<double>(y.w(entries[i] & 0x7fff)) * f[is_second];
      mass[i] = l += m;
      second[i] = ones += is_second ? m : 0.0;
    }
    return any_mass_reaches(mass, second, static_cast<int>(cuts), {gauge.A, gauge.B, gauge.square_bar()});
  }
  void start(const R::Sums& first) { cell = {{first.of[0], first.of[1]}, first.n}; }
  void add(u32 entry, u32 id) { cell.of[entry >> 15 & 1] += y.w(id); }
  bool may(i64 l) const { return gauge.may(&cell, l); }
  double exact(i64 l) const { return gauge.exact(&cell, l); }
};

}  // namespace boxwood::coded

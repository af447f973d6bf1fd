// Any number of classes whose rows weigh different amounts or whose classes count by factors; or more classes than fit
// an array. Invariant: sums are whole numbers; a bound never holds back a cut that would win. Cost: a cell is a word
// for each class and one for the rows; a cut of a small node is bounded in constant time. Source: entropy by
// chi-squared: a gain in nats is at most sum m^2 / e - n (m found, e expected), and at most the sum of e u^2 / 2 (1 +
// max(u, 0)), u = 1 - m / e. Chi-squared is Gini's form with classes scaled, so its bounds serve for both.
#pragma once

#include <memory>
#include <numbers>
#include <numeric>

#include "response/class_counts.hpp"

namespace boxwood::coded {

struct ManySums {
  std::vector<i64> of;
  i64 n = 0;
};

// Adds one class to what EdgeScan is made of: m rows' mass of it below each edge, in all `total`; `scale`: what its
// squares count.
struct ScaledClass {
  double total, scale;
};
BOXWOOD_CLONES inline void add_scaled(const double* mass, const ScaledClass& of, BinSums& bins, double* left,
                                      double* right) {
  for (int b = 0; b < STEP; ++b) {
    const double l = mass[b], r = of.total - l;
    bins.mass[b] += l;
    left[b] += of.scale * (l * l);
    right[b] += of.scale * (r * r);
  }
}
// `lines`: scaled masses inside each bin; `squares`: scaled squares of masses.
BOXWOOD_CLONES inline void add_inside(const double* mass, double scale, double* lines, double* squares) {
  for (int b = 0; b < BINS; ++b) {
    const double c = mass[b + 1] - mass[b];
    lines[b] += scale * c;
    squares[b] += scale * (c * c);
  }
}

struct WeightedMulticlassResponse : ClassCounts<std::int32_t> {
  using Cell = i64;
  using Sums = ManySums;
  static constexpr bool weighted = true;
  static constexpr bool parts_exactly = false;
  static constexpr bool one_word = false;  // a cell, of the columns of a feature
  using Buffer = CellBuffer<Cell>;

  WeightedMulticlassResponse of(const u32* ids, u32 count, Rows& rows) const {
    return gathered_rows(*this, ids, count, rows);
  }
  double noise(const Sums& sums, const NodeStats& stats) const { return noise_of(sums.of.data(), stats); }
  u32 bit(u32) const { return 0; }
  int width() const { return n_classes + 1; }
  void add(Cell* cell, u32 id) const {
    cell[code[id]] += w(id);
    ++cell[n_classes];
  }
  // What a row adds: its weight to the column of its class, and one to the last.
  struct Row {
    std::ptrdiff_t of_class, last;
    i64 weight;
  };
  Row row(u32 id) const { return {code[id] * std::ptrdiff_t{STEP}, n_classes * std::ptrdiff_t{STEP}, w(id)}; }
  static void add(Cell* column, int bin, const Row& row) {
    column[row.of_class + bin] += row.weight;
    ++column[row.last + bin];
  }
  void take(const Cell* column, int bin, Cell* out) const {
    for (int k = 0; k <= n_classes; ++k) out[k] = column[k * STEP + bin];
  }
  i64 count(const Cell* cell) const { return cell[n_classes]; }
  void add(Sums& sums, u32 id) const {
    close(sums);
    sums.of[code[id]] += w(id);
    ++sums.n;
  }
  void join(Sums& sums, const Sums& part) const {
    close(sums);
    for (std::size_t k = 0; k < part.of.size(); ++k) sums.of[k] += part.of[k];
    sums.n += part.n;
  }
  void remove(Sums& sums, const Sums& part) const {
    for (std::size_t k = 0; k < part.of.size(); ++k) sums.of[k] -= part.of[k];
    sums.n -= part.n;
  }
  Sums sums_of(const Cell* cell, const NodeStats&) const { return {{cell, cell + n_classes}, cell[n_classes]}; }
  void close(Sums& sums) const {
    if (sums.of.empty()) sums.of.resize(n_classes);
  }
  i64 weight(const Sums& sums) const { return std::accumulate(sums.of.begin(), sums.of.end(), i64{0}); }
  NodeStats stats_of(const Sums& sums) const { return stats_of_sums(sums.of.data()); }
  void describe(const Sums& sums, const NodeStats&, const ResponseColumns& y, double* moments) const {
    describe_sums(sums.of.data(), y, moments);
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = Classes<ClassMeasure>;
  Policy policy() const { return {n_classes, factors, measure}; }
  void spread(const Cell* cell, const NodeStats&, i64* out) const { std::copy_n(cell, n_classes, out); }

  struct UpperBound {
    const WeightedMulticlassResponse* y;
    bool gini, entropy;
    i64 n;
    double N, whole = 0, of_node = 0, threshold = -1, root = -1;
    int K;
    mutable double seen = 0;  // the most that an edge takes away, of those computed so far
    struct Known {
      std::vector<i64> total;
      std::vector<double> mass, scale;  // of each class; what its squares count
    };
    std::shared_ptr<Known> of;

    UpperBound(const WeightedMulticlassResponse& y, const Sums& sums, const NodeStats&)
        : y(&y), gini(y.measure->is<Gini>()), entropy(y.measure->is<Entropy>()), n(sums.n), N(0), K(y.n_classes) {
      of = std::make_shared<Known>(Known{sums.of, std::vector<double>(K), std::vector<double>(K)});
      for (int k = 0; k < K; ++k) N += of->mass[k] = y.mass(k, sums.of[k]);
      for (int k = 0; k < K; ++k) {
        const double m = of->mass[k];
        of->scale[k] = !entropy ? 1.0 : m > 0 ? N / (m * std::numbers::ln2) : 0.0;
        whole += scale(k) * (m * m);
      }
      whole /= N;
      of_node = impurity([&](int k) { return of->mass[k]; });
    }
    // Whether a sum of scaled squares bounds the gain.
    bool by_square() const { return gini || entropy; }
    template <class Mass>
    double impurity(const Mass& mass) const {
      return y->measure->impurity(K, mass);
    }
    double total_of(int k) const { return of->mass[k]; }
    double scale(int k) const { return of->scale[k]; }
    void set_threshold(double least) {
      threshold = least - y->measure->slack(of_node, N);
      const double surely = threshold - 1e-12 * whole;
      root = surely > 0 ? std::sqrt(surely) * SURELY : -1;
    }
    double quadratic(double left, double right, double l, double r) const {
      const double gain = (l > 0 ? left / l : 0) + (r > 0 ? right / r : 0) - whole;
      return gain > 0 ? gain : 0.0;
    }
    // Entropy's gain from above, without logarithms.
    bool tight(const double* left, double l) const {
      double sum = 0;
      const double shares[2] = {l / N, (N - l) / N};
      for (int k = 0; k < K; ++k) {
        if (!(total_of(k) > 0)) continue;
        const double off = left[k] - total_of(k) * shares[0], from = std::abs(off) + 1e-12 * total_of(k);
        const double e[2] = {total_of(k) * shares[0], total_of(k) * shares[1]}, rarer = off > 0 ? e[1] : e[0];
        sum += from * from * (1 / e[0] + 1 / e[1] + from / (rarer * rarer));
      }
      return !(sum < threshold * (2 * std::numbers::ln2));
    }
    bool can_exceed(const Cell* left, i64) const {
      if (!by_square()) return !(outer_gain(left, left) < threshold);
      double a = 0, b = 0, l = 0;
      for (int k = 0; k < K; ++k) {
        const double m = y->mass(k, left[k]), r = total_of(k) - m;
        l += m;
        a += scale(k) * (m * m);
        b += scale(k) * (r * r);
      }
      return !(quadratic(a, b, l, N - l) < threshold);
    }
    // What the rows left of `from` and those right of `to` leave of the impurity, as a decrease; of one edge, its own.
    double outer_gain(const Cell* from, const Cell* to) const {
      return of_node - impurity([&](int k) { return y->mass(k, from[k]); }) -
             impurity([&](int k) { return y->mass(k, of->total[k] - to[k]); });
    }
    // What a cut between two edges takes away at most, but for rounding.
    double most_inside(const Cell* from, const Cell* to) const {
      if (!y->measure->is<ClassificationError>()) return outer_gain(from, to);
      const double right = ClassificationError::most_right(
          K, [&](int k) { return y->mass(k, to[k]); }, [&](int k) { return y->mass(k, of->total[k] - from[k]); });
      return std::max(right - (N - of_node), 0.0);
    }
    bool bin_can_exceed(const Cell* from, i64, const Cell* to, i64) const {
      if (!by_square()) return !(most_inside(from, to) < threshold);
      double edge[2][2] = {}, side[2] = {0, 0}, c = 0, line = 0, square = 0;
      for (int k = 0; k < K; ++k) {
        const double m[2] = {y->mass(k, from[k]), y->mass(k, to[k])}, in = m[1] - m[0];
        for (int s = 0; s < 2; ++s) {
          const double r = total_of(k) - m[s];
          edge[s][0] += scale(k) * (m[s] * m[s]);
          edge[s][1] += scale(k) * (r * r);
          side[s] += m[s];
        }
        c += in;
        line += scale(k) * in;
        square += scale(k) * (in * in);
      }
      const double gain = std::max(quadratic(edge[0][0], edge[0][1], side[0], N - side[0]),
                                   quadratic(edge[1][0], edge[1][1], side[1], N - side[1]));
      const double spread = std::max(line / c - square / (c * c), 0.0) + 1e-12 * line / c;
      if (!(std::sqrt(gain) + std::sqrt(spread * strayed(c, side[0], N - side[1])) * (1 + 1e-9) >= root)) return false;
      return !entropy || !(outer_gain(from, to) < threshold);
    }
    void edges(const Cell* column, i64 least, EdgeScan& out, double* rough) const {
      scan_edges(column, out);
      Buffer cell_of(K + 1);
      Cell* cell = cell_of.data();
      for (int b = 0; b < BINS; ++b) {
        const i64 l = column[K * STEP + b];
        rough[b] = l > 0 && l < n && l >= least && n - l >= least ? out.gains[b] : -1.0;
        if (gini || rough[b] < 0 || rough[b] < seen * (1 - 1e-6) - 1e-9 * N) continue;
        y->take(column, b, cell);
        rough[b] = exact(cell, l);
        seen = std::max(seen, rough[b]);
      }
    }
    bool bins(const Cell* column, i64 least, const EdgeScan& out, std::uint8_t* candidates) const {
      if (by_square() && !norm_bins(out.bins, out.gains, {root, static_cast<double>(least)}, out.bins.mass, candidates))
        return false;
      if (gini) return true;
      Buffer from_of(K + 1), to_of(K + 1);
      Cell *from = from_of.data(), *to = to_of.data();
      const auto can_hold = [&](int b, i64, i64) {
        if (entropy && !candidates[b]) return false;
        y->take(column, b, from);
        y->take(column, b + 1, to);
        return !(most_inside(from, to) < threshold);
      };
      return each_bin([&](int b) { return column[K * STEP + b]; }, n, least, can_hold, candidates);
    }
    // Rows and masses at every edge, and how much each takes away: exactly by Gini, at most by entropy, else without a
    // bound.
    void scan_edges(const Cell* column, EdgeScan& out) const {
      double left[STEP] = {}, right[STEP] = {}, mass[STEP], lines[BINS] = {};
      std::fill_n(out.bins.mass, STEP, 0.0);
      std::fill_n(out.bins.squares, BINS, 0.0);
      for (int b = 0; b < STEP; ++b) out.bins.rows[b] = static_cast<double>(column[K * STEP + b]);
      if (!by_square()) return std::fill_n(out.gains, STEP, of_node), void();
      for (int k = 0; k < K; ++k) {
        if (!(total_of(k) > 0)) continue;
        for (int b = 0; b < STEP; ++b) mass[b] = y->mass(k, column[k * STEP + b]);
        add_scaled(mass, {total_of(k), scale(k)}, out.bins, left, right);
        add_inside(mass, scale(k), lines, out.bins.squares);
      }
      for (int b = 0; b < STEP; ++b)
        out.gains[b] = quadratic(left[b], right[b], out.bins.mass[b], N - out.bins.mass[b]);
      for (int b = 0; b < BINS; ++b) {
        const double c = out.bins.mass[b + 1] - out.bins.mass[b];
        out.bins.squares[b] = std::max(c * lines[b] - out.bins.squares[b], 0.0) + 1e-12 * (c * lines[b]);
      }
    }
    double exact(const Cell* left, i64) const { return y->decrease(left, of->total.data()); }
  };
};

}  // namespace boxwood::coded

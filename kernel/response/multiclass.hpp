// Three and more classes whose rows weigh one, as the search over codes needs them: as response/binary.hpp, a word of
// the cell for each class. Invariant: sums are whole numbers; a gauge never holds back a cut that would win.
#pragma once

#include "response/binary.hpp"

namespace boxwood::coded {

// Up to MOST_CLASSES classes: a cell is a row of counts.
template <class Measure>
struct ManyClasses {
  using Cell = u32;
  static constexpr bool is_error = std::is_same_v<Measure, ClassificationError>;
  using Sums = ClassSums;
  const std::uint8_t* code;
  int n_classes;
  const Measure* measure;

  using Rows = ClassRows;
  static constexpr bool weighted = false;
  static constexpr bool parts_exactly = true;  // a node less one child is the other
  static constexpr int MOST_WORDS = MOST_CLASSES;

  ManyClasses of(const u32* ids, u32 count, Rows& rows) const {
    ManyClasses here = *this;
    here.code = rows.gather(code, ids, count);
    return here;
  }
  u32 bit(u32 id) const { return code[id] & 1; }
  int width() const { return n_classes; }
  int moments() const { return n_classes; }
  i64 weight(const Sums& sums) const { return sums.n; }
  void describe(const Sums& sums, const Judged&, const ResponseColumns& of, double* moments) const {
    describe_classes(sums.of.data(), n_classes, of, moments);
  }
  void add(Cell* cell, u32 id) const { ++cell[code[id]]; }
  // What a row adds: one to the plane that begins there.
  using Row = std::ptrdiff_t;
  Row row(u32 id) const { return code[id] * std::ptrdiff_t{STEP}; }
  static void add(Cell* plane, int bin, Row row) { ++plane[row + bin]; }
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
  void remove(Sums& sums, const Sums& part) const { remove_classes(sums, part, n_classes); }
  void close(Sums&) const {}
  Judged judge(const Sums& sums) const { return judge_classes(NAME<Measure>, sums.of.data(), n_classes, nullptr); }
  Sums sums_of(const Cell* cell, const Judged&) const {
    Sums sums;
    for (int k = 0; k < n_classes; ++k) sums.n += sums.of[k] = cell[k];
    return sums;
  }

  // The same response as search/level_sets.hpp counts it.
  using Policy = Classes<Measure>;
  Policy policy(const Judged&) const { return {n_classes, nullptr, nullptr, nullptr, measure}; }
  void spread(const Cell* cell, const Judged&, i64* out) const { std::copy_n(cell, n_classes, out); }
  int classes() const { return n_classes; }
  bool orders_levels() const { return false; }

  struct Gauge {
    const ManyClasses* y;
    Sums total;
    double n, bar = -1, root = -1, of_node = 0;
    int K;

    Gauge(const ManyClasses& y, const Sums& sums, const Judged&)
        : y(&y), total(sums), n(static_cast<double>(sums.n)), K(y.n_classes) {
      for (int k = 0; k < K; ++k)
        of_node = is_error ? std::max(of_node, static_cast<double>(sums.of[k])) : of_node + x(sums.of[k]);
      if constexpr (std::is_same_v<Measure, Entropy>) of_node -= x(sums.n);
    }
    double x(i64 count) const {
      if constexpr (std::is_same_v<Measure, Entropy>) return y->measure->table[count];
      return static_cast<double>(count) * static_cast<double>(count) / n;
    }
    void raise(double least) {
      bar = is_error ? least : least - 1e-11 * (std::abs(of_node) + 8 * n);
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
      if constexpr (is_error) {
        for (int k = 0; k < K; ++k) {
          a = std::max(a, static_cast<double>(left[k]));
          b = std::max(b, static_cast<double>(total.of[k] - to[k]));
        }
        return a + b - of_node;
      }
      for (int k = 0; k < K; ++k) {
        const auto lk = static_cast<double>(left[k]), rk = static_cast<double>(total.of[k] - to[k]);
        a += lk * lk;
        b += rk * rk;
      }
      if (l > 0) out += a / static_cast<double>(l);
      if (r > 0) out += b / static_cast<double>(r);
      return out;
    }
    bool may(const Cell* left, i64 l) const {
      if constexpr (std::is_same_v<Measure, Gini>) {
        // Without a division: all is multiplied by the rows of both sides; the bar's slack is far above what that
        // rounds.
        double a = 0, b = 0;
        for (int k = 0; k < K; ++k) {
          const auto lk = static_cast<double>(left[k]), rk = static_cast<double>(total.of[k] - left[k]);
          a += lk * lk;
          b += rk * rk;
        }
        const auto here = static_cast<double>(l), there = static_cast<double>(total.n - l);
        return !(a * there + b * here < (bar + of_node) * (here * there));
      }
      return !(rough(left, l, left, l) < bar);
    }
    bool bin_may(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      if constexpr (std::is_same_v<Measure, Entropy>) return !(rough(from, l, to, l_to) < bar);
      if constexpr (is_error) return !(rough(to, l_to, from, l) < bar);
      const auto c = static_cast<double>(l_to - l);
      double squares = 0;
      for (int k = 0; k < K; ++k) {
        const auto inside = static_cast<double>(to[k] - from[k]);
        squares += inside * inside;
      }
      const double spread = 1 - squares / (c * c);
      const double edge = std::max(rough(from, l, from, l), rough(to, l_to, to, l_to));
      return std::sqrt(std::max(edge, 0.0) + 1e-9) +
                 std::sqrt(spread * strayed(c, static_cast<double>(l), static_cast<double>(total.n - l_to))) >=
             root;
    }
    void edges(const Cell* plane, i64 least, Outlook& out, double* rough) const {
      look(plane, out);
      for (int b = 0; b < BINS; ++b) {
        const double l = out.bins.rows[b], m = static_cast<double>(least);
        rough[b] = l >= m && n - l >= m ? out.gains[b] : -1.0;
      }
    }
    bool bins(const Cell* plane, i64 least, const Outlook& out, std::uint8_t* wanted) const {
      if constexpr (std::is_same_v<Measure, Gini>)
        return norm_bins(out.bins, out.gains, {root, static_cast<double>(least)}, out.bins.rows, wanted);
      bool any = false;
      if constexpr (is_error) {
        for (int b = 0; b < BINS; ++b) {
          const double l = out.bins.rows[b], to = out.bins.rows[b + 1], m = static_cast<double>(least);
          wanted[b] = to - l > 1 && to > m && n - l > m && !(out.bins.squares[b] < bar);
          any = any || wanted[b];
        }
        return any;
      }
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
      if constexpr (is_error) {
        double plane_of[STEP];
        for (int k = 0; k < K; ++k) {
          for (int b = 0; b < STEP; ++b) out.bins.rows[b] += plane_of[b] = static_cast<double>(plane[k * STEP + b]);
          raise_most(plane_of, static_cast<double>(total.of[k]), left, right);
        }
        return error_bounds(left, right, of_node, out.gains, out.bins.squares);
      }
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
  };
};

}  // namespace boxwood::coded

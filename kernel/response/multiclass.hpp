// Three and more classes whose rows weigh one; or any number of classes whose rows weigh different amounts, or which
// count by factors (priors, costs, class weights).
// Invariant: sums are whole numbers; a bound never holds back a cut that would win.
// Cost: a cell is a word for each class, and one for rows that have weights; by Gini a cut of a small node is bounded
// in constant time (response/multiclass_scanner.hpp). Source: weight times impurity F is concave and homogeneous, so
// F(a + b)
// >= F(a) + F(b): a cut inside a bin leaves at least the impurity of the rows left of the bin and of those right of it.
// By Gini the square root of a decrease leaves its chord inside a bin by a known amount at most
// (response/bin_bounds.hpp).
#pragma once

#include "response/class_counts.hpp"
#include "response/multiclass_scanner.hpp"

namespace boxwood::coded {

template <bool weighted_, bool many = weighted_>
struct MulticlassOf : ClassCounts<weighted_> {
  using Base = ClassCounts<weighted_>;
  using Base::code, Base::mass, Base::measure, Base::n_classes, Base::w, Base::weighted;
  using Cell = std::conditional_t<weighted, i64, u32>;
  using Sums = ClassSums<std::conditional_t<many, std::vector<i64>, std::array<i64, MOST_CLASSES>>>;
  using Scanner = MulticlassScanner<MulticlassOf>;
  static constexpr bool one_cell = false, has_many_classes = true;

  MulticlassOf of(const u32* ids, u32 count, typename Base::Rows& rows) const {
    return Base::gathered_rows(*this, ids, count, rows);
  }
  int width() const { return n_classes + weighted; }
  void add(Cell* cell, u32 id) const {
    cell[code[id]] += static_cast<Cell>(w(id));
    if constexpr (weighted) ++cell[n_classes];
  }
  // What a row adds: its weight to the column of its class, and one to that of rows.
  struct Row {
    std::ptrdiff_t of_class, of_rows;
    Cell weight;
  };
  Row row(u32 id) const {
    return {code[id] * std::ptrdiff_t{STEP}, n_classes * std::ptrdiff_t{STEP}, static_cast<Cell>(w(id))};
  }
  static void add(Cell* column, int bin, const Row& row) {
    column[row.of_class + bin] += row.weight;
    if constexpr (weighted) ++column[row.of_rows + bin];
  }
  i64 count(const Cell* cell) const {
    if constexpr (weighted) return cell[n_classes];
    return std::accumulate(cell, cell + n_classes, Cell{0});
  }
  void add(Sums& sums, u32 id) const {
    if (many && sums.of.empty()) close(sums);
    sums.of[code[id]] += w(id);
    ++sums.n;
  }
  void close(Sums& sums) const {
    if constexpr (many) sums.of.resize(static_cast<std::size_t>(n_classes));
  }
  Sums sums_of(const Cell* cell, const NodeStats&) const {
    Sums sums;
    close(sums);
    std::copy_n(cell, n_classes, sums.of.begin());
    sums.n = count(cell);
    return sums;
  }
  void fill(const Sums& sums, Cell* cell) const {
    for (int k = 0; k < n_classes; ++k) cell[k] = static_cast<Cell>(sums.of[k]);
    if constexpr (weighted) cell[n_classes] = sums.n;
  }
  // Rows and class weights.
  void read(const SummedEntry& e, Cell* cell) const { *std::copy_n(e.words, n_classes, cell) = e.rows; }
  void put(Sums& node, NodeWords& out) const {
    close(node);
    out.words.push_back(node.n);
    out.words.insert(out.words.end(), node.of.begin(), node.of.end());
  }
  void read(const i64* words, const i64*, Sums& out) const {
    out.n = words[0];
    out.of.assign(words + 1, words + 1 + n_classes);
  }
  double impurity(const Cell* cell, const NodeStats&) const {
    if (measure->logs()) return impurity_of(count(cell), [&](int k) { return cell[k]; });
    return measure->impurity(n_classes, [&](int k) { return mass(k, cell[k]); });
  }
  // The same but for rounding; `sum(k)`: of class k. Tables are only made where all rows count one.
  template <class Sum>
  double impurity_of(i64 rows, const Sum& sum) const {
    if (measure->counts()) return measure->impurity_of_counts(n_classes, rows, sum);
    return measure->impurity(n_classes, [&](int k) { return mass(k, sum(k)); });
  }
  bool needs_sets() const { return n_classes > 2; }
  // The masses of classes that any row has which counts, and of all.
  void place(const Cell* cell, const Cell* counted, std::vector<double>& sums, std::vector<double>& masses) const {
    double all = 0;
    for (int k = 0; k < n_classes; ++k) {
      if (counted[k] == 0) continue;
      sums.push_back(mass(k, cell[k]));
      all += sums.back();
    }
    masses.push_back(all);
  }
  // Two classes: share of the second; more: mean class number (rpart's order of children).
  double mean(const Cell* cell, const NodeStats&) const {
    double all = 0, first = 0;
    for (int k = 0; k < n_classes; ++k) {
      const double m = mass(k, cell[k]);
      all += m;
      first += k * m;
    }
    return first / all;
  }

  struct UpperBound {
    const MulticlassOf* y;
    Sums total;
    bool gini;
    const CountTerms* counts;  // where counts are looked up
    int K;
    double N = 0, whole = 0, of_node, threshold = -1, root = -1;  // mass; sum of squares over mass; mass times impurity

    UpperBound(const MulticlassOf& y, const Sums& sums, const NodeStats&)
        : y(&y), total(sums), gini(y.measure->template is<Gini>()), counts(y.measure->counts()), K(y.n_classes) {
      for (int k = 0; k < K; ++k) {
        N += total_of(k);
        whole += total_of(k) * total_of(k);
      }
      whole /= N;
      of_node = gini ? N - whole : y.impurity_of(sums.n, [&](int k) { return sums.of[k]; });
    }
    double total_of(int k) const { return y->mass(k, total.of[k]); }
    void set_threshold(double least) {
      threshold = least - ClassMeasure::slack(of_node, N);
      root = threshold > 0 ? std::sqrt(threshold) * SURELY : -1;
    }
    // What the rows left of `from` and those right of `to` leave of the impurity, as a decrease but for rounding; of
    // one edge, its own.
    double nearly(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      return of_node - y->impurity_of(l, [&](int k) { return from[k]; }) -
             y->impurity_of(total.n - l_to, [&](int k) { return total.of[k] - to[k]; });
    }
    // What a cut between two edges takes away at most, but for rounding.
    double most_inside(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      if (!y->measure->template is<ClassificationError>()) return nearly(from, l, to, l_to);
      const double right = ClassificationError::most_right(
          K, [&](int k) { return y->mass(k, to[k]); }, [&](int k) { return y->mass(k, total.of[k] - from[k]); });
      return std::max(right - (N - of_node), 0.0);
    }
    ClassSquares squares(const Cell* left) const {
      ClassSquares out;
      for (int k = 0; k < K; ++k) {
        const double l = y->mass(k, left[k]), r = y->mass(k, total.of[k] - left[k]);
        out.mass += l;
        out.left += l * l;
        out.right += r * r;
      }
      return out;
    }
    // Without a division: all is multiplied by the masses of both sides; the threshold's slack is far above what that
    // rounds. `drift`: how far the squares so multiplied may be off beside.
    bool squares_attain(const ClassSquares& of, double drift = 0) const {
      const double r = N - of.mass;
      return !(of.left * r + of.right * of.mass < (threshold + whole) * (of.mass * r) - drift);
    }
    // Whether all sums of squares are whole numbers that doubles hold, however they are added up.
    bool has_exact_squares() const { return gini && !y->factors && N < 0x1p26; }
    // The same by terms that are looked up, summed over the classes of either side. The left sum only grows, so it
    // drifts by less than the slack; `drift`: how far the right one may be off.
    bool terms_attain(i64 l, double left, double right, double drift) const {
      const i64 r = total.n - l;
      return !(of_node - counts->impurity(l, left) - counts->impurity(r, right) + counts->slope(r) * drift < threshold);
    }
    double gain(const ClassSquares& of) const {
      const double r = N - of.mass;
      return std::max((of.mass > 0 ? of.left / of.mass : 0.0) + (r > 0 ? of.right / r : 0.0) - whole, 0.0);
    }
    bool can_attain(const Cell* left, i64 l) const {
      return gini ? squares_attain(squares(left)) : !(nearly(left, l, left, l) < threshold);
    }
    bool bin_can_attain(const Cell* from, i64 l, const Cell* to, i64 l_to) const {
      if (!gini) return !(most_inside(from, l, to, l_to) < threshold);
      const ClassSquares before = squares(from), until = squares(to);
      const double c = until.mass - before.mass;
      double inside = 0;
      for (int k = 0; k < K; ++k) inside += y->mass(k, to[k] - from[k]) * y->mass(k, to[k] - from[k]);
      const double spread = std::max(1 - inside / (c * c), 0.0) + 1e-12;
      const double deviation = std::sqrt(spread * most_deviation(c, before.mass, N - until.mass));
      return std::sqrt(std::max(gain(before), gain(until))) + deviation * (1 + 1e-9) >= root;
    }
    void edges(const Cell* column, i64 least, EdgeScan& out, double* rough) const {
      gini ? scan_squares(column, out) : scan_impurities(column, out);
      const auto n = static_cast<double>(total.n), m = static_cast<double>(least);
      for (int b = 0; b < BINS; ++b) rough[b] = out.rows[b] >= m && n - out.rows[b] >= m ? out.gains[b] : -1.0;
    }
    bool bins(const Cell* column, i64 least, const EdgeScan& out, std::uint8_t* candidates) const {
      if (gini) return norm_bins(out, {root, static_cast<double>(least)}, candidates);
      CellBuffer<Cell> from(y->width()), to(y->width());
      const bool errors = y->measure->template is<ClassificationError>();
      const auto can_hold = [&](int b, i64 l, i64 l_to) {
        if (!errors) return !(of_node - out.left[b] - out.right[b + 1] < threshold);
        take(*y, column, b, from.data());
        take(*y, column, b + 1, to.data());
        return bin_can_attain(from.data(), l, to.data(), l_to);
      };
      return each_bin([&](int b) { return static_cast<i64>(out.rows[b]); }, total.n, least, can_hold, candidates);
    }
    void scan_squares(const Cell* column, EdgeScan& out) const {
      for (auto* sums : {out.mass, out.left, out.right}) std::fill_n(sums, STEP, 0.0);
      std::fill_n(out.squares, BINS, 0.0);
      for (int k = 0; k < K; ++k)
        if (total.of[k] > 0) add_class(column + k * STEP, {total_of(k), y->mass(k, 1)}, out);
      for (int b = 0; b < STEP; ++b) out.rows[b] = weighted ? static_cast<double>(column[K * STEP + b]) : out.mass[b];
      square_gains(whole, out);
    }
    void scan_impurities(const Cell* column, EdgeScan& out) const {
      counts ? look_up_sides(column, out) : compute_sides(column, out);
      for (int b = 0; b < STEP; ++b) out.gains[b] = std::max(of_node - out.left[b] - out.right[b], 0.0);
    }
    void look_up_sides(const Cell* column, EdgeScan& out) const {
      for (auto* sums : {out.rows, out.left, out.right}) std::fill_n(sums, STEP, 0.0);
      for (int k = 0; k < K; ++k) {
        const Cell* below = column + k * STEP;
        const double *left = counts->terms(), *right = left + total.of[k];
        for (int b = 0; total.of[k] > 0 && b < STEP; ++b) {
          const auto l = static_cast<std::ptrdiff_t>(below[b]);
          out.rows[b] += number(below[b]);
          out.left[b] += left[l];
          out.right[b] += right[-l];
        }
      }
      for (int b = 0; b < STEP; ++b) {
        const auto l = static_cast<i64>(out.rows[b]);
        out.left[b] = counts->impurity(l, out.left[b]);
        out.right[b] = counts->impurity(total.n - l, out.right[b]);
      }
    }
    void compute_sides(const Cell* column, EdgeScan& out) const {
      CellBuffer<Cell> cell(y->width());
      for (int b = 0; b < STEP; ++b) {
        take(*y, column, b, cell.data());
        const i64 l = y->count(cell.data());
        out.rows[b] = static_cast<double>(l);
        out.left[b] = y->impurity_of(l, [&](int k) { return cell.data()[k]; });
        out.right[b] = y->impurity_of(total.n - l, [&](int k) { return total.of[k] - cell.data()[k]; });
      }
    }
    double exact(const Cell* left, i64) const {
      return y->measure->many(left, total.of.data(), K, weighted ? y->factors : nullptr);
    }
  };
};

using MulticlassResponse = MulticlassOf<false>;  // up to MOST_CLASSES
using ManyClassesResponse = MulticlassOf<false, true>;
using WeightedMulticlassResponse = MulticlassOf<true>;

}  // namespace boxwood::coded

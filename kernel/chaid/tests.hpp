// The tests of CHAID: does the response differ between the groups of a table? (docs/chaid.md)
// A group is a row of numbers; rows of groups that are merged add up by `add`. A test of two rows uses these two alone.
// Invariant: reads rows only; empty rows and columns are dropped before degrees of freedom are counted; one column
// left: p = 1. Cost: O(groups x classes), times the number of rounds where expectations have to be fitted.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "chaid/settings.hpp"
#include "chaid/tails.hpp"

namespace boxwood::chaid {

struct TestResult {
  double statistic = 0.0, df = 0.0, df2 = 0.0;  // df2: of F, else 0

  double log_p() const { return df2 > 0 ? log_f_tail(statistic, df, df2) : log_chi2_tail(statistic, df); }

  // Whether this p cannot exceed that of another pair of groups: F of one and df2 degrees of freedom falls in df2.
  bool dominates(const TestResult& other) const {
    return statistic >= other.statistic && df <= other.df && df2 >= other.df2;
  }
  // An upper bound of log p by that of another pair: the hazard rate of chi-squared does not fall where there are two
  // degrees of freedom or more, and exceeds 1/2 where there is one.
  double bound(const TestResult& other, double log_p) const {
    if (!dominates(other) || df2 > 0 || !(other.statistic > 0)) return 0.0;
    return log_p - (statistic - other.statistic) * std::fmin(0.5, -log_p / other.statistic);
  }
};

template <class Term>
double sum_of(std::size_t n, const Term& term) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += term(i);
  return sum;
}

class Test {
 public:
  virtual ~Test() = default;
  virtual void add(double* into, const double* from) const = 0;
  // Cases in a group; minimum sizes refer to these.
  virtual double cases(const double* row) const = 0;
  virtual TestResult of(const double* const* rows, std::size_t n_rows) = 0;
  virtual TestResult of_two(const double* a, const double* b) {
    const double* rows[] = {a, b};
    return of(rows, 2);
  }
};

// A row is (count of each class) and, with case weights, (weight of each class) behind it.
class ClassTest : public Test {
 public:
  ClassTest(int n_classes, const Settings& s) : k_(n_classes), s_(s) {}

  void add(double* into, const double* from) const override {
    const int width = s_.case_weights ? 2 * k_ : k_;
    for (int k = 0; k < width; ++k) into[k] += from[k];
  }
  double cases(const double* row) const override { return std::accumulate(row, row + k_, 0.0); }

  TestResult of(const double* const* rows, std::size_t n_rows) override {
    if (!collect(rows, n_rows)) return {};
    if (r_ == 2 && is_closed()) return pearson_of_two(n_.data(), n_.data() + j_, j_);
    fit_independence();
    double statistic = 0.0;
    for (std::size_t c = 0; c < n_.size(); ++c) {
      const double difference = n_[c] - m_[c];
      statistic += s_.likelihood_ratio ? 2 * deviance_part(n_[c], m_[c]) : difference * difference / m_[c];
    }
    return {statistic, static_cast<double>(r_ - 1) * static_cast<double>(j_ - 1)};
  }

  TestResult of_two(const double* a, const double* b) override {
    return is_closed() ? pearson_of_two(a, b, static_cast<std::size_t>(k_)) : Test::of_two(a, b);
  }

 protected:
  // The table without empty rows and columns; false when fewer than two of either are left.
  bool collect(const double* const* rows, std::size_t n_rows) {
    columns_.clear();
    for (int j = 0; j < k_; ++j)
      if (std::any_of(rows, rows + n_rows, [j](const double* row) { return row[j] > 0; })) columns_.push_back(j);
    j_ = columns_.size();
    n_.clear();
    of_row_.clear();
    of_column_.assign(j_, 0.0);
    total_ = 0.0;
    weights_.clear();
    for (std::size_t i = 0; i < n_rows; ++i) {
      const double sum = cases(rows[i]);
      if (!(sum > 0)) continue;
      of_row_.push_back(sum);
      total_ += sum;
      for (std::size_t j = 0; j < j_; ++j) {
        n_.push_back(rows[i][columns_[j]]);
        of_column_[j] += n_.back();
        if (s_.case_weights) weights_.push_back(rows[i][k_ + columns_[j]]);
      }
    }
    r_ = of_row_.size();
    if (r_ < 2 || j_ < 2) return false;
    if (s_.case_weights) mean_weights();
    return true;
  }

  // Cells become mean weights: that of the whole table where a cell is empty.
  void mean_weights() {
    const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (std::size_t c = 0; c < n_.size(); ++c) weights_[c] = n_[c] > 0 ? weights_[c] / n_[c] : sum / total_;
  }

  double mean_weight(std::size_t cell) const { return weights_.empty() ? 1.0 : weights_[cell]; }

  // Expected counts when rows and columns are independent: in closed form, or by iterative proportional fitting.
  void fit_independence() {
    m_.assign(n_.size(), 0.0);
    if (weights_.empty()) {
      move_to([&](std::size_t i, std::size_t j) { return of_row_[i] * of_column_[j] / total_; }, m_);
      return;
    }
    std::vector<double> alpha(r_), beta(j_, 1.0);
    for (int round = 0; round < s_.max_iterations; ++round) {
      for (std::size_t i = 0; i < r_; ++i)
        alpha[i] = of_row_[i] / sum_of(j_, [&](std::size_t j) { return beta[j] / weights_[i * j_ + j]; });
      for (std::size_t j = 0; j < j_; ++j)
        beta[j] = of_column_[j] / sum_of(r_, [&](std::size_t i) { return alpha[i] / weights_[i * j_ + j]; });
      if (move_to([&](std::size_t i, std::size_t j) { return alpha[i] * beta[j] / weights_[i * j_ + j]; }, m_) <
          s_.tolerance)
        return;
    }
  }

  // Sets every cell to `value`; returns the largest change.
  template <class Value>
  double move_to(const Value& value, std::vector<double>& m) const {
    double most = 0.0;
    for (std::size_t i = 0; i < r_; ++i)
      for (std::size_t j = 0; j < j_; ++j) {
        const double next = value(i, j);
        most = std::fmax(most, std::fabs(next - m[i * j_ + j]));
        m[i * j_ + j] = next;
      }
    return most;
  }

  int k_;
  const Settings& s_;
  std::size_t r_ = 0, j_ = 0;
  double total_ = 0.0;
  std::vector<int> columns_;
  std::vector<double> n_, weights_, m_, of_row_, of_column_;  // cells row by row, and margins

 private:
  bool is_closed() const { return !s_.case_weights && !s_.likelihood_ratio; }

  // sum over columns of (a n_b - b n_a)^2 / (n_a n_b column): no expectations, nothing cancels.
  static TestResult pearson_of_two(const double* a, const double* b, std::size_t k) {
    const double n_a = std::accumulate(a, a + k, 0.0), n_b = std::accumulate(b, b + k, 0.0);
    double sum = 0.0, columns = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      if (!(a[j] + b[j] > 0)) continue;
      const double d = a[j] * n_b - b[j] * n_a;
      sum += d / (a[j] + b[j]) * d;
      ++columns;
    }
    return columns < 2 || !(n_a > 0 && n_b > 0) ? TestResult{} : TestResult{sum / n_a / n_b, columns - 1};
  }
};

// Classes with scores: the row-effects model m_ij = alpha_i beta_j gamma_i^(s_j - mean score) against independence.
class OrdinalTest final : public ClassTest {
 public:
  using ClassTest::ClassTest;

  TestResult of(const double* const* rows, std::size_t n_rows) override {
    if (!collect(rows, n_rows)) return {};
    fit_independence();
    center_scores();
    fit_row_effects();
    double statistic = 0.0;
    for (std::size_t c = 0; c < fitted_.size(); ++c)
      if (fitted_[c] > 0) statistic += 2 * fitted_[c] * std::log(fitted_[c] / m_[c]);
    statistic = std::fmax(statistic, 0.0);
    return {statistic, static_cast<double>(r_ - 1)};
  }
  // NOLINTNEXTLINE(bugprone-parent-virtual-call): that of ClassTest may use the closed form of Pearson's test.
  TestResult of_two(const double* a, const double* b) override { return Test::of_two(a, b); }

 private:
  void center_scores() {
    double sum = 0.0, weight = 0.0;
    for (std::size_t c = 0; c < n_.size(); ++c) {
      const double w = n_[c] * mean_weight(c);
      sum += w * s_.scores[columns_[c % j_]];
      weight += w;
    }
    z_.resize(j_);
    for (std::size_t j = 0; j < j_; ++j) z_[j] = s_.scores[columns_[j]] - sum / weight;
  }

  void fit_row_effects() {
    alpha_.assign(r_, 1.0);
    beta_.assign(j_, 1.0);
    log_gamma_.assign(r_, 0.0);
    fitted_.assign(n_.size(), 0.0);
    const auto model = [&](std::size_t i, std::size_t j) { return cell(i, j) * alpha_[i] * beta_[j]; };
    move_to(model, fitted_);
    for (int round = 0; round < s_.max_iterations; ++round) {
      fit_margins();
      for (std::size_t i = 0; i < r_; ++i) log_gamma_[i] += log_step(i);
      if (move_to(model, fitted_) < s_.tolerance) return;
    }
  }

  void fit_margins() {
    for (std::size_t i = 0; i < r_; ++i)
      alpha_[i] *= of_row_[i] / sum_of(j_, [&](std::size_t j) { return fitted_[i * j_ + j]; });
    for (std::size_t j = 0; j < j_; ++j)
      beta_[j] = of_column_[j] / sum_of(r_, [&](std::size_t i) { return alpha_[i] * cell(i, j); });
  }

  // ln of the factor by which gamma of row i grows: one step of Newton's method; 0 where it would leave the positive
  // numbers.
  double log_step(std::size_t i) const {
    double off = 0.0, spread = 0.0;
    for (std::size_t j = 0; j < j_; ++j) {
      const double m = alpha_[i] * beta_[j] * cell(i, j);
      off += z_[j] * (n_[i * j_ + j] - m);
      spread += z_[j] * z_[j] * m;
    }
    const double factor = spread > 0 ? 1.0 + off / spread : 1.0;
    return factor > 0 ? std::log(factor) : 0.0;
  }

  // gamma_i^(z_j) over the mean weight of the cell; the logarithm is bounded, so that no product overflows.
  double cell(std::size_t i, std::size_t j) const {
    return std::exp(std::clamp(z_[j] * log_gamma_[i], -300.0, 300.0)) / mean_weight(i * j_ + j);
  }

  std::vector<double> z_, alpha_, beta_, log_gamma_, fitted_;
};

// Means: one-way analysis of variance. A row is (cases, weight, mean, sum of squares about it).
class MeanTest final : public Test {
 public:
  double cases(const double* row) const override { return row[0]; }

  void add(double* into, const double* from) const override {
    const double weight = into[1] + from[1], difference = from[2] - into[2];
    into[3] += from[3] + into[1] / weight * from[1] * difference * difference;
    into[2] += difference * (from[1] / weight);
    into[0] += from[0];
    into[1] = weight;
  }

  TestResult of(const double* const* rows, std::size_t n_rows) override {
    double cases = 0.0, weight = 0.0, sum = 0.0, within = 0.0, between = 0.0;
    for (std::size_t i = 0; i < n_rows; ++i) {
      cases += rows[i][0];
      weight += rows[i][1];
      sum += rows[i][1] * rows[i][2];
      within += rows[i][3];
    }
    for (std::size_t i = 0; i < n_rows; ++i) {
      const double off = rows[i][2] - sum / weight;
      between += rows[i][1] * off * off;
    }
    const double df = static_cast<double>(n_rows) - 1, df2 = cases - static_cast<double>(n_rows);
    const auto differs = [&](const double* row) { return row[2] != rows[0][2]; };
    if (!(df2 > 0) || std::none_of(rows, rows + n_rows, differs)) return {0.0, df, std::fmax(df2, 0.0)};
    if (!(within > 0)) return {std::numeric_limits<double>::infinity(), df, df2};
    return {between / df / (within / df2), df, df2};
  }
};

inline std::unique_ptr<Test> make_test(int n_classes, const Settings& s) {
  if (n_classes == 0) return std::make_unique<MeanTest>();
  if (!s.scores.empty()) return std::make_unique<OrdinalTest>(n_classes, s);
  return std::make_unique<ClassTest>(n_classes, s);
}

}  // namespace boxwood::chaid

// The responses and the orthonormal columns of the model, four to a block: tables of four lanes fit the second cache.
// Invariant: columns never change once they are added (Gram-Schmidt, twice), so sums taken with them stay valid in
// later steps; columns on trial are last and may be removed. Sums run over fixed runs of rows that are added up in
// order: the same for any number of threads. Cost: 8 bytes a row and column; appending the m-th column reads all
// columns four times. Source: Giraud et al. 2005 (twice is enough).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "mars/pages.hpp"
#include "parallel/simd_clones.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood::mars {

constexpr std::size_t LANES = 4;  // they are columns, so wider registers give the same bits
constexpr std::size_t RUN = 4096;  // rows of one partial sum

BOXWOOD_CLONES static void dot_run(const double* block, const double* v, std::size_t rows, double* out) {
  double sum[LANES] = {};
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < LANES; ++j) sum[j] += block[r * LANES + j] * v[r];
  for (std::size_t j = 0; j < LANES; ++j) out[j] = sum[j];
}

BOXWOOD_CLONES static void subtract_run(const double* block, const double* c, double* v, std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) {
    double part[LANES], sum = 0.0;
    for (std::size_t j = 0; j < LANES; ++j) part[j] = block[r * LANES + j] * c[j];
    for (std::size_t j = 0; j < LANES; ++j) sum += part[j];
    v[r] -= sum;
  }
}

class Basis {
 public:
  // `y` holds the responses row by row; they are columns 0 .. n_responses - 1.
  Basis(std::size_t n, const double* y, std::size_t n_responses) : n_(n), n_responses_(n_responses) {
    for (std::size_t k = 0; k < n_responses; ++k) {
      double* at = next();
      for (std::size_t r = 0; r < n; ++r) at[r * LANES] = y[r * n_responses + k];
    }
    kept_ = size_;
  }

  std::size_t n_responses() const { return n_responses_; }
  std::size_t size() const { return size_; }  // responses and columns of the model
  const double* block(std::size_t b) const { return blocks_[b].data(); }
  const std::vector<double>& with_y(std::size_t column) const { return with_y_[column - n_responses_]; }
  std::size_t bytes() const { return blocks_.size() * n_ * LANES * sizeof(double); }

  // Inner products of `v` with the responses and all columns.
  std::vector<double> dot(const Large<double>& v, ThreadPool& pool) const {
    const std::size_t runs = (n_ + RUN - 1) / RUN, width = blocks_.size() * LANES;
    std::vector<double> partial(runs * width), out(width, 0.0);
    pool.run(runs, [&](std::size_t i, int) {
      const std::size_t from = i * RUN, rows = std::min(RUN, n_ - from);
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        dot_run(block(b) + from * LANES, v.data() + from, rows, partial.data() + i * width + b * LANES);
    });
    for (std::size_t i = 0; i < runs; ++i)
      for (std::size_t j = 0; j < width; ++j) out[j] += partial[i * width + j];
    return out;
  }

  // Inner products with the responses alone.
  std::vector<double> dot_responses(const Large<double>& v, ThreadPool& pool) const {
    std::vector<double> all = dot(v, pool);
    all.resize(n_responses_);
    return all;
  }

  double square(const Large<double>& v) const { return product(v, v); }

  double product(const Large<double>& u, const Large<double>& v) const {
    double total = 0.0;
    for (std::size_t from = 0; from < n_; from += RUN) {
      double sum = 0.0;
      for (std::size_t r = from; r < std::min(from + RUN, n_); ++r) sum += u[r] * v[r];
      total += sum;
    }
    return total;
  }

  // Projects `v` onto the complement of the columns, those on trial included; returns the coefficients.
  std::vector<double> project_out(Large<double>& v, ThreadPool& pool) const {
    std::vector<double> total(blocks_.size() * LANES, 0.0);
    for (int round = 0; round < 2; ++round) {
      std::vector<double> c = dot(v, pool);
      std::fill(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(n_responses_), 0.0);
      subtract(c, v, pool);
      for (std::size_t j = 0; j < c.size(); ++j) total[j] += c[j];
    }
    total.resize(size_);
    total.erase(total.begin(), total.begin() + static_cast<std::ptrdiff_t>(n_responses_));
    return total;
  }

  // Takes one column of norm 1 out of `v`; how much of it there was.
  double take_out(const Large<double>& column, Large<double>& v) const {
    const double c = product(column, v);
    for (std::size_t r = 0; r < n_; ++r) v[r] -= c * column[r];
    return c;
  }

  // Adds, on trial, a column of norm 1 that is orthogonal to the others; returns its inner products with the responses.
  const std::vector<double>& attempt(const Large<double>& v, ThreadPool& pool) {
    with_y_.push_back(dot_responses(v, pool));
    double* at = next();
    for (std::size_t r = 0; r < n_; ++r) at[r * LANES] = v[r];
    return with_y_.back();
  }

  // Keeps the columns on trial, or removes them.
  void end_trial(bool keep) {
    while (!keep && size_ > kept_) {
      double* at = blocks_.back().data() + --size_ % LANES;
      for (std::size_t r = 0; r < n_; ++r) at[r * LANES] = 0.0;
      if (size_ % LANES == 0) blocks_.pop_back();
    }
    kept_ = size_;
    with_y_.resize(size_ - n_responses_);
  }

 private:
  double* next() {
    if (size_ % LANES == 0) blocks_.emplace_back(n_ * LANES, 0.0);
    return blocks_.back().data() + size_++ % LANES;
  }

  void subtract(const std::vector<double>& c, Large<double>& v, ThreadPool& pool) const {
    pool.run((n_ + RUN - 1) / RUN, [&](std::size_t i, int) {
      const std::size_t from = i * RUN, rows = std::min(RUN, n_ - from);
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        subtract_run(block(b) + from * LANES, c.data() + b * LANES, v.data() + from, rows);
    });
  }

  std::size_t n_, n_responses_, size_ = 0, kept_ = 0;
  std::vector<Large<double>> blocks_;  // n x LANES each
  std::vector<std::vector<double>> with_y_;  // inner products of each column with the responses
};

}  // namespace boxwood::mars

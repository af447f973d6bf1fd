// Orthonormal columns of the model, eight to a block so that one row of a block is one cache line.
// Invariant: columns never change once they are there (Gram-Schmidt, twice), so sums taken with them stay good in later steps.
// Sums run over fixed runs of rows that are added up in order: the same for any number of threads.
// Cost: 8 bytes a row and column; appending the m-th column reads all columns four times. Source: Giraud et al. 2005 (twice is enough).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../threads.hpp"

// Lanes are columns, so wider registers give the same bits; contraction is off for the whole kernel.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BOXWOOD_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BOXWOOD_WIDE
#endif

namespace boxwood::mars {

constexpr std::size_t LANES = 8;
constexpr std::size_t RUN = 4096;  // rows of one partial sum

using Block = std::vector<double>;  // n x LANES
using Lanes = std::array<double, LANES>;

BOXWOOD_WIDE static void dot_run(const double* block, const double* v, std::size_t rows, double* out) {
  double sum[LANES] = {};
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < LANES; ++j) sum[j] += block[r * LANES + j] * v[r];
  for (std::size_t j = 0; j < LANES; ++j) out[j] = sum[j];
}

BOXWOOD_WIDE static void subtract_run(const double* block, const double* c, double* v, std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) {
    double part[LANES], sum = 0.0;
    for (std::size_t j = 0; j < LANES; ++j) part[j] = block[r * LANES + j] * c[j];
    for (std::size_t j = 0; j < LANES; ++j) sum += part[j];
    v[r] -= sum;
  }
}

class Basis {
 public:
  explicit Basis(std::size_t n) : n_(n) {}

  std::size_t size() const { return size_; }
  std::size_t n_blocks() const { return blocks_.size(); }
  const Block& block(std::size_t b) const { return blocks_[b]; }

  // Inner products of `v` with all columns, in blocks of LANES.
  std::vector<double> dot(const std::vector<double>& v, Team& team) const { return dot_with(blocks_, v, team); }

  std::vector<double> dot_with(const std::vector<Block>& blocks, const std::vector<double>& v, Team& team) const {
    const std::size_t runs = (n_ + RUN - 1) / RUN, width = blocks.size() * LANES;
    std::vector<double> partial(runs * width), out(width, 0.0);
    team.run(runs, [&](std::size_t i, int) {
      const std::size_t from = i * RUN, rows = std::min(RUN, n_ - from);
      for (std::size_t b = 0; b < blocks.size(); ++b)
        dot_run(blocks[b].data() + from * LANES, v.data() + from, rows, partial.data() + i * width + b * LANES);
    });
    for (std::size_t i = 0; i < runs; ++i)
      for (std::size_t j = 0; j < width; ++j) out[j] += partial[i * width + j];
    return out;
  }

  double square(const std::vector<double>& v) const {
    double total = 0.0;
    for (std::size_t from = 0; from < n_; from += RUN) {
      double sum = 0.0;
      for (std::size_t r = from; r < std::min(from + RUN, n_); ++r) sum += v[r] * v[r];
      total += sum;
    }
    return total;
  }

  void subtract(const std::vector<double>& c, std::vector<double>& v, Team& team) const {
    team.run((n_ + RUN - 1) / RUN, [&](std::size_t i, int) {
      const std::size_t from = i * RUN, rows = std::min(RUN, n_ - from);
      for (std::size_t b = 0; b < blocks_.size(); ++b)
        subtract_run(blocks_[b].data() + from * LANES, c.data() + b * LANES, v.data() + from, rows);
    });
  }

  // Takes out of `v` what the columns already say; returns the coefficients. What is left stands in `v`.
  std::vector<double> project_out(std::vector<double>& v, Team& team) const {
    std::vector<double> total(blocks_.size() * LANES, 0.0);
    for (int round = 0; round < 2; ++round) {
      const std::vector<double> c = dot(v, team);
      subtract(c, v, team);
      for (std::size_t j = 0; j < c.size(); ++j) total[j] += c[j];
    }
    total.resize(size_);
    return total;
  }

  // Appends a column that is orthogonal to the others and has this norm.
  void append(const std::vector<double>& v, double norm) {
    if (size_ % LANES == 0) blocks_.emplace_back(n_ * LANES, 0.0);
    double* at = blocks_.back().data() + size_ % LANES;
    for (std::size_t r = 0; r < n_; ++r) at[r * LANES] = v[r] / norm;
    ++size_;
  }

 private:
  std::size_t n_, size_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace boxwood::mars

// A thousand rounds of a power iteration in ten squarings of its matrix, and its largest eigenvalue from above on the
// way. Invariant: the matrix is symmetric and has no negative eigenvalues. What comes out strays from the rounds taken
// one by one by less than 1e-9, or the answer is that this is not sure. Cost: ten times the cube of the size, several
// numbers at a time. Source: with eigenvalues l the Frobenius norm of the power p is (sum l^2p)^(1/2), which is at
// least (max l)^p.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/simd_clones.hpp"

namespace boxwood {

namespace powers {

// A symmetric matrix, column by column, times `by` times itself; returns the sum of the squares of what comes out.
BOXWOOD_CLONES inline double square(const double* matrix, double by, std::size_t size, std::size_t stride,
                                    double* out) {
  double squares[8] = {};
  for (std::size_t h = 0; h < size; ++h)
    for (std::size_t block = 0; block < stride; block += 8) {
      double sum[8] = {};
      for (std::size_t k = 0; k < size; ++k)
        for (std::size_t i = 0; i < 8; ++i) sum[i] += matrix[k * stride + block + i] * matrix[h * stride + k];
      for (std::size_t i = 0; i < 8; ++i) {
        sum[i] *= by;
        out[h * stride + block + i] = sum[i];
        squares[i] += sum[i] * sum[i];
      }
    }
  double all = 0;
  for (const double some : squares) all += some;
  return all;
}

}  // namespace powers

class Powers {
 public:
  static constexpr int ROUNDS = 1000;

  // `matrix`: column by column, `stride` numbers each; `x`: of length one.
  void start(const std::vector<double>& matrix, const std::vector<double>& x, std::size_t size) {
    size_ = size;
    stride_ = x.size();
    power_ = matrix;
    x_ = x;
    next_.resize(matrix.size());
    rounds_ = 1;
    taken_ = 0;
    lengths_ = 0;
    double squares = 0;
    for (const double a : matrix) squares += a * a;
    norm_ = std::sqrt(squares);
    length_ = std::log2(norm_);
  }

  // No eigenvalue is larger.
  double most() {
    while (rounds_ < ENOUGH) square();
    return std::exp2(length_ / rounds_);
  }

  // The vector after all rounds goes to `out`, of length one; false where it hardly has a part along the leading
  // eigenvectors: then rounding decides what comes out.
  bool after_all(std::vector<double>& out) {
    while (2 * rounds_ <= ROUNDS && !is_settled()) square();
    apply();
    double squares = 0;
    for (std::size_t i = 0; i < size_; ++i) squares += x_[i] * x_[i];
    if (!(std::log2(squares) / 2 + lengths_ > taken_ * (length_ / rounds_) - 5)) return false;
    const double by = 1 / std::sqrt(squares);
    for (std::size_t i = 0; i < size_; ++i) out[i] = x_[i] * by;
    return true;
  }

 private:
  static constexpr int ENOUGH = 16;

  // Whether one eigenvector is left, so that further rounds change nothing.
  bool is_settled() const { return norm_ > 1 - 1e-13 && rounds_ > 1; }

  void square() {
    if (ROUNDS & rounds_) apply();
    const double by = 1 / (norm_ * norm_);
    const double norm = std::sqrt(powers::square(power_.data(), by, size_, stride_, next_.data()));
    power_.swap(next_);
    length_ = 2 * length_ + std::log2(norm);
    norm_ = norm;
    rounds_ *= 2;
  }
  // The rounds that this power stands for.
  void apply() {
    out_.assign(stride_, 0.0);
    const double by = 1 / norm_;
    for (std::size_t k = 0; k < size_; ++k)
      for (std::size_t i = 0; i < stride_; ++i) out_[i] += power_[k * stride_ + i] * (x_[k] * by);
    x_.swap(out_);
    lengths_ += length_;
    taken_ += rounds_;
  }

  std::size_t size_ = 0, stride_ = 0;
  int rounds_ = 1;  // `power_` is that power, but for its length
  double norm_ = 1;  // of `power_`
  double length_ = 0;  // of the power itself, as a power of two
  int taken_ = 0;  // rounds
  double lengths_ = 0;  // of what they took `x_` to
  std::vector<double> power_, next_, x_, out_;
};

}  // namespace boxwood

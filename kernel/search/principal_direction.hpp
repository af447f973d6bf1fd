// The direction along which the class shares of levels differ most (Coppersmith, Hong & Hosking 1999).
// The leading eigenvector of the weighted covariance, by power iteration on the smaller of two matrices that have it:
// classes by classes, or levels by levels. Invariant: sums are added up in the order of levels and classes, so
// registers of any width give the same bits. Cost: levels times classes times the smaller of the two, then its square a
// round, several numbers at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/simd_clones.hpp"
#include "search/level_groups.hpp"

namespace boxwood {

namespace principal {

// Adds x times y, number by number, to a matrix of as many columns as x has numbers; `stride` numbers of y, a multiple
// of eight.
BOXWOOD_CLONES inline void add_outer(const double* x, std::size_t size, const double* y, std::size_t stride,
                                     double* matrix) {
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < stride; ++i) matrix[k * stride + i] += y[i] * x[k];
}
// A group's shares of classes, and what it adds to those of all.
BOXWOOD_CLONES inline void share(const double* masses, double whole, double total, std::size_t width, double* shares,
                                 double* mean) {
  for (std::size_t k = 0; k < width; ++k) shares[k] = masses[k] / whole;
  for (std::size_t k = 0; k < width; ++k) mean[k] += masses[k] / total;
}

// A matrix, column by column, times a vector of `size` numbers.
BOXWOOD_CLONES inline void times(const double* matrix, const double* x, std::size_t size, std::size_t stride,
                                 double* out) {
  for (std::size_t block = 0; block < stride; block += 8) {
    double sum[8] = {};
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t i = 0; i < 8; ++i) sum[i] += matrix[k * stride + block + i] * x[k];
    for (std::size_t i = 0; i < 8; ++i) out[block + i] = sum[i];
  }
}

}  // namespace principal

class Principal {
 public:
  // Prepares the matrix; nothing is found yet. `known`, `missing`: sums of the rows with and without a value, the
  // latter nullptr where they do not count; classes that neither has are left out.
  template <class P>
  void start(const P& policy, const Groups<P>& levels, const typename P::Int* known, const typename P::Int* missing) {
    std::vector<int> classes;
    for (int k = 0; k < levels.width; ++k)
      if (known[k] != 0 || (missing && missing[k] != 0)) classes.push_back(k);
    groups_ = levels.size();
    width_ = classes.size();
    masses_.resize(groups_ * width_);
    mass_.assign(groups_, 0.0);
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t k = 0; k < width_; ++k)
        mass_[g] += masses_[g * width_ + k] = policy.mass(levels.sum(g), classes[k]);
    centre();
    by_classes_ = width_ <= groups_;
    by_classes_ ? among_classes() : among_groups();
    normalise(vector_.data(), size_);
  }

  // Writes the place of every group along that direction; its largest part points upwards.
  void places(std::vector<double>& out) {
    settle();
    along();
    place(out);
  }

 private:
  static constexpr int ROUNDS = 1000;

  void centre() {
    shares_.resize(groups_ * width_);
    mean_.assign(width_, 0.0);
    double total = 0.0;
    for (std::size_t g = 0; g < groups_; ++g) total += mass_[g];
    for (std::size_t g = 0; g < groups_; ++g)
      principal::share(&masses_[g * width_], mass_[g], total, width_, &shares_[g * width_], mean_.data());
    off_ = shares_;
    double most = -1.0;
    for (std::size_t g = 0; g < groups_; ++g) {
      double norm = 0.0;
      for (std::size_t k = 0; k < width_; ++k) {
        double& off = off_[g * width_ + k];
        off -= mean_[k];
        norm += off * off;
      }
      if (mass_[g] * norm > most) most = mass_[g] * norm, farthest_ = g;
    }
  }

  // The covariance itself; the round begins with the group that stands out most.
  void among_classes() {
    clear(width_);
    for (std::size_t g = 0; g < groups_; ++g) {
      const double* off = &off_[g * width_];
      for (std::size_t i = 0; i < width_; ++i) scaled_[i] = mass_[g] * off[i];
      principal::add_outer(off, width_, scaled_.data(), stride_, matrix_.data());
    }
    std::copy_n(&off_[farthest_ * width_], width_, vector_.begin());
  }

  // The same in the space of groups, scaled by the roots of their masses so that it is symmetric too.
  void among_groups() {
    clear(groups_);
    for (std::size_t k = 0; k < width_; ++k) {
      for (std::size_t g = 0; g < groups_; ++g) scaled_[g] = off_[g * width_ + k];
      principal::add_outer(scaled_.data(), groups_, scaled_.data(), stride_, matrix_.data());
    }
    for (std::size_t h = 0; h < groups_; ++h)
      for (std::size_t g = 0; g < groups_; ++g) matrix_[h * stride_ + g] *= std::sqrt(mass_[g] * mass_[h]);
    vector_[farthest_] = 1.0;
  }

  // Column k of the matrix is row k of `matrix_`, filled up with zeros.
  void clear(std::size_t size) {
    size_ = size;
    stride_ = (size + 7) / 8 * 8;
    matrix_.assign(size * stride_, 0.0);
    scaled_.assign(stride_, 0.0);
    vector_.assign(stride_, 0.0);
    next_.resize(stride_);
  }

  void settle() {
    for (int round = 0; round < ROUNDS; ++round) {
      principal::times(matrix_.data(), vector_.data(), size_, stride_, next_.data());
      normalise(next_.data(), size_);
      double moved = 0.0;
      for (std::size_t i = 0; i < size_; ++i) moved = std::max(moved, std::abs(next_[i] - vector_[i]));
      vector_.swap(next_);
      if (moved < 1e-14) break;
    }
  }

  // What was found, as a direction among classes.
  void along() {
    direction_.assign(width_, 0.0);
    if (by_classes_) {
      std::copy_n(vector_.begin(), width_, direction_.begin());
    } else {
      for (std::size_t g = 0; g < groups_; ++g)
        for (std::size_t k = 0; k < width_; ++k)
          direction_[k] += std::sqrt(mass_[g]) * vector_[g] * off_[g * width_ + k];
      normalise(direction_.data(), width_);
    }
    std::size_t largest = 0;
    for (std::size_t k = 1; k < width_; ++k)
      if (std::abs(direction_[k]) > std::abs(direction_[largest]) * (1 + 1e-9)) largest = k;
    if (direction_[largest] < 0)
      for (double& x : direction_) x = -x;
  }

  void place(std::vector<double>& out) const {
    out.assign(groups_, 0.0);
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t k = 0; k < width_; ++k) out[g] += direction_[k] * shares_[g * width_ + k];
  }

  static void normalise(double* x, std::size_t size) {
    double norm = 0.0;
    for (std::size_t i = 0; i < size; ++i) norm += x[i] * x[i];
    if (!(norm > 0)) return;
    norm = std::sqrt(norm);
    for (std::size_t i = 0; i < size; ++i) x[i] /= norm;
  }

  std::size_t groups_ = 0, width_ = 0, farthest_ = 0, size_ = 0, stride_ = 0;
  bool by_classes_ = false;
  std::vector<double> mass_, masses_, shares_, mean_, off_, scaled_, matrix_, vector_, next_, direction_;
};

}  // namespace boxwood

// The direction along which the class shares of levels differ most (Coppersmith, Hong & Hosking 1999).
// The leading eigenvector of the weighted covariance, by power iteration on the smaller of two matrices that have it:
// classes by classes, or levels by levels. Invariant: sums are added up in the order of levels and classes, so
// registers of any width give the same bits; of several directions of equal length, it is the nearest to a class, or to
// a level where these are fewer, and to the first such one. Cost: levels times classes times the smaller of the two,
// then its square a round.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/simd_clones.hpp"

namespace boxwood {

BOXWOOD_CLONES inline void add_scaled(double* to, const double* from, std::size_t size, double by) {
  for (std::size_t i = 0; i < size; ++i) to[i] += from[i] * by;
}

class PrincipalDirection {
 public:
  // Writes the place of every group along that direction; its largest part points upwards. `sums`: of the classes, or
  // of other columns, in each group, one group after the other; every group has some mass.
  void find(std::vector<double> sums, std::vector<double> masses, std::vector<double>& out) {
    groups_ = masses.size();
    width_ = sums.size() / groups_;
    shares_ = std::move(sums);
    mass_ = std::move(masses);
    size_ = std::min(width_, groups_);
    centre();
    width_ <= groups_ ? fill_among_classes() : fill_among_groups();
    for (std::size_t cost = size_; cost <= MOST_SQUARED; cost *= 2) square();
    start();
    for (int round = 0; round < ROUNDS && advance() >= 1e-14; ++round) {
    }
    if (width_ > groups_) to_classes();
    std::size_t largest = 0;
    for (std::size_t k = 1; k < width_; ++k)
      if (std::abs(vector_[k]) > std::abs(vector_[largest]) * (1 + 1e-9)) largest = k;
    const double sign = vector_[largest] < 0 ? -1.0 : 1.0;
    out.assign(groups_, 0.0);
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t k = 0; k < width_; ++k) out[g] += sign * vector_[k] * shares_[g * width_ + k];
  }

 private:
  static constexpr int ROUNDS = 1000;
  static constexpr std::size_t MOST_SQUARED = 64;  // sizes up to which a square of the matrix costs less than it saves

  // Shares of classes in each group, and how far they are off those of all.
  void centre() {
    double total = 0.0;
    for (const double mass : mass_) total += mass;
    std::vector<double> mean(width_);
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t k = 0; k < width_; ++k) {
        mean[k] += shares_[g * width_ + k] / total;
        shares_[g * width_ + k] /= mass_[g];
      }
    off_ = shares_;
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t k = 0; k < width_; ++k) off_[g * width_ + k] -= mean[k];
  }

  // The covariance itself.
  void fill_among_classes() {
    matrix_.assign(width_ * width_, 0.0);
    std::vector<double> scaled(width_);
    for (std::size_t g = 0; g < groups_; ++g) {
      const double* off = &off_[g * width_];
      for (std::size_t i = 0; i < width_; ++i) scaled[i] = mass_[g] * off[i];
      for (std::size_t k = 0; k < width_; ++k) add_scaled(&matrix_[k * width_], scaled.data(), width_, off[k]);
    }
  }

  // The same in the space of groups, scaled by the roots of their masses so that it is symmetric too.
  void fill_among_groups() {
    matrix_.assign(groups_ * groups_, 0.0);
    std::vector<double> of_class(groups_);
    for (std::size_t k = 0; k < width_; ++k) {
      for (std::size_t g = 0; g < groups_; ++g) of_class[g] = off_[g * width_ + k];
      for (std::size_t h = 0; h < groups_; ++h)
        add_scaled(&matrix_[h * groups_], of_class.data(), groups_, of_class[h]);
    }
    for (std::size_t h = 0; h < groups_; ++h)
      for (std::size_t g = 0; g < groups_; ++g) matrix_[h * groups_ + g] *= std::sqrt(mass_[g] * mass_[h]);
  }

  // The first round begins with the class, or group, that the matrix lengthens most: it is not across the direction.
  void start() {
    std::size_t most = 0;
    for (std::size_t i = 1; i < size_; ++i)
      if (matrix_[i * (size_ + 1)] > matrix_[most * (size_ + 1)] * (1 + 1e-9)) most = i;
    vector_.assign(&matrix_[most * size_], &matrix_[most * size_] + size_);
    normalise(vector_);
  }

  // What was found among groups, as a direction among classes.
  void to_classes() {
    next_.assign(width_, 0.0);
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t k = 0; k < width_; ++k) next_[k] += std::sqrt(mass_[g]) * vector_[g] * off_[g * width_ + k];
    vector_.swap(next_);
    normalise(vector_);
  }

  // The square of the matrix over that of its trace; a round by it does what two rounds did.
  void square() {
    double trace = 0.0;
    for (std::size_t i = 0; i < size_; ++i) trace += matrix_[i * (size_ + 1)];
    if (!(trace > 0)) return;
    squared_.assign(size_ * size_, 0.0);
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t k = 0; k < size_; ++k)
        add_scaled(&squared_[i * size_], &matrix_[k * size_], size_, matrix_[i * size_ + k] / trace / trace);
    matrix_.swap(squared_);
  }

  // One round; how far the vector moved.
  double advance() {
    next_.assign(size_, 0.0);
    for (std::size_t k = 0; k < size_; ++k) add_scaled(next_.data(), &matrix_[k * size_], size_, vector_[k]);
    normalise(next_);
    double moved = 0.0;
    for (std::size_t i = 0; i < size_; ++i) moved = std::max(moved, std::abs(next_[i] - vector_[i]));
    vector_.swap(next_);
    return moved;
  }

  static void normalise(std::vector<double>& x) {
    double norm = 0.0;
    for (const double part : x) norm += part * part;
    if (!(norm > 0)) return;
    norm = std::sqrt(norm);
    for (double& part : x) part /= norm;
  }

  std::size_t groups_ = 0, width_ = 0, size_ = 0;  // size: of the smaller matrix
  std::vector<double> mass_, shares_, off_, matrix_, squared_, vector_, next_;
};

}  // namespace boxwood

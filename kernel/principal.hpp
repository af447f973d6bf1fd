// The direction along which the class shares of levels differ most (Coppersmith, Hong & Hosking 1999).
// The leading eigenvector of the weighted covariance, by power iteration on the smaller of two matrices that have it: classes by
// classes, or levels by levels.
// Cost: levels times classes times the smaller of the two, then its square a round.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "level_masses.hpp"

namespace boxwood {

class Principal {
 public:
  // Writes the place of every group along that direction; its largest part points upwards.
  void places(const LevelMasses& levels, std::vector<double>& out) {
    centre(levels);
    const bool by_classes = width_ <= groups_;
    by_classes ? among_classes() : among_groups();
    along(by_classes);
    out.assign(groups_, 0.0);
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t k = 0; k < width_; ++k) out[g] += direction_[k] * shares_[g * width_ + k];
  }

 private:
  void centre(const LevelMasses& levels) {
    groups_ = levels.groups;
    width_ = levels.width;
    mass_ = levels.whole;
    shares_.resize(groups_ * width_);
    mean_.assign(width_, 0.0);
    double total = 0.0;
    for (std::size_t g = 0; g < groups_; ++g) total += mass_[g];
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t k = 0; k < width_; ++k) {
        shares_[g * width_ + k] = levels.of(g)[k] / mass_[g];
        mean_[k] += levels.of(g)[k] / total;
      }
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
    matrix_.assign(width_ * width_, 0.0);
    for (std::size_t g = 0; g < groups_; ++g) {
      const double* off = &off_[g * width_];
      for (std::size_t i = 0; i < width_; ++i)
        for (std::size_t k = 0; k < width_; ++k) matrix_[i * width_ + k] += mass_[g] * off[i] * off[k];
    }
    vector_.assign(&off_[farthest_ * width_], &off_[farthest_ * width_] + width_);
    settle(width_);
  }

  // The same in the space of groups, scaled by the roots of their masses so that it is symmetric too.
  void among_groups() {
    matrix_.resize(groups_ * groups_);
    for (std::size_t g = 0; g < groups_; ++g)
      for (std::size_t h = 0; h <= g; ++h) {
        double inner = 0.0;
        for (std::size_t k = 0; k < width_; ++k) inner += off_[g * width_ + k] * off_[h * width_ + k];
        matrix_[g * groups_ + h] = matrix_[h * groups_ + g] = inner * std::sqrt(mass_[g] * mass_[h]);
      }
    vector_.assign(groups_, 0.0);
    vector_[farthest_] = 1.0;
    settle(groups_);
  }

  void settle(std::size_t size) {
    next_.resize(size);
    normalise(vector_);
    for (int round = 0; round < 1000; ++round) {
      double moved = 0.0;
      for (std::size_t i = 0; i < size; ++i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < size; ++k) sum += matrix_[i * size + k] * vector_[k];
        next_[i] = sum;
      }
      normalise(next_);
      for (std::size_t i = 0; i < size; ++i) moved = std::max(moved, std::abs(next_[i] - vector_[i]));
      vector_.swap(next_);
      if (moved < 1e-14) break;
    }
  }

  // What was found, as a direction among classes.
  void along(bool by_classes) {
    direction_.assign(width_, 0.0);
    if (by_classes) {
      direction_ = vector_;
    } else {
      for (std::size_t g = 0; g < groups_; ++g)
        for (std::size_t k = 0; k < width_; ++k) direction_[k] += std::sqrt(mass_[g]) * vector_[g] * off_[g * width_ + k];
      normalise(direction_);
    }
    std::size_t largest = 0;
    for (std::size_t k = 1; k < width_; ++k)
      if (std::abs(direction_[k]) > std::abs(direction_[largest]) * (1 + 1e-9)) largest = k;
    if (direction_[largest] < 0)
      for (double& x : direction_) x = -x;
  }

  static void normalise(std::vector<double>& x) {
    double norm = 0.0;
    for (const double part : x) norm += part * part;
    if (!(norm > 0)) return;
    norm = std::sqrt(norm);
    for (double& part : x) part /= norm;
  }

  std::size_t groups_ = 0, width_ = 0, farthest_ = 0;
  std::vector<double> mass_, shares_, mean_, off_, matrix_, vector_, next_, direction_;
};

}  // namespace boxwood

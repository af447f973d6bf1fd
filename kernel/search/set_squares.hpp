// By Gini, the sums of squared class masses on either side of a set of groups, kept up while groups move across.
// Invariant: exact where UpperBound::has_exact_squares of response/multiclass.hpp.
// Cost: two operations a group and move, whatever the number of classes.
#pragma once

#include <vector>

#include "response/class_squares.hpp"
#include "search/level_groups.hpp"

namespace boxwood::coded {

class SetSquares {
 public:
  // No group is on the left. The groups add up to `total`.
  template <class R>
  void start(const R& y, const Groups<typename R::Cell>& groups, const typename R::Cell* total) {
    const std::size_t size = groups.size() + 1, width = static_cast<std::size_t>(y.n_classes);
    std::vector<double> masses;
    for (std::size_t g = 0; g < size; ++g)
      for (std::size_t k = 0; k < width; ++k)
        masses.push_back(y.mass(static_cast<int>(k), (g + 1 < size ? groups.cell(g) : total)[k]));
    mass_.assign(size, 0.0);
    products_.assign(size * size, 0.0);
    for (std::size_t g = 0; g < size; ++g)
      for (std::size_t k = 0; k < width; ++k) {
        mass_[g] += masses[g * width + k];
        for (std::size_t h = 0; h < size; ++h) products_[g * size + h] += masses[g * width + k] * masses[h * width + k];
      }
    with_left_.assign(size, 0.0);
    left_ = {0, 0, products_.back()};
  }

  // A group goes left, or comes back (-1).
  void move(std::size_t group, double sign) {
    const std::size_t size = mass_.size();
    const double* products = &products_[group * size];
    const double own = products[group], more = 2 * sign * with_left_[group] + own;
    left_.mass += sign * mass_[group];
    left_.left += more;
    left_.right += more - 2 * sign * products[size - 1];
    for (std::size_t h = 0; h < size; ++h) with_left_[h] += sign * products[h];
  }
  const ClassSquares& sums() const { return left_; }

 private:
  // Products of the class masses of two groups, of all of them as the last one; of each with the left side.
  std::vector<double> mass_, products_, with_left_;
  ClassSquares left_;
};

}  // namespace boxwood::coded

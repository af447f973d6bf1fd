// The value of each of some numbers, such as numbers that are levels.
// Invariant: a number is known when it equals one of them. Cost: a table lookup a value, or a bisection where the
// numbers lie far apart.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

// The value, of type T, of each of some numbers; that of others is `unseen`, that of NaN `missing`.
template <class T>
class NumberMap {
 public:
  // `numbers`: rising.
  NumberMap(std::vector<double> numbers, std::vector<T> values, T missing, T unseen)
      : numbers_(std::move(numbers)), values_(std::move(values)), missing_(missing), unseen_(unseen) {
    const bool whole = std::all_of(numbers_.begin(), numbers_.end(),
                                   [](double v) { return std::floor(v) == v && std::fabs(v) < 0x1p31; });
    if (!whole || numbers_.empty() || numbers_.back() - numbers_.front() > 65'535) return;
    places_.resize(std::bit_ceil(static_cast<std::size_t>(numbers_.back() - numbers_.front()) + 1), {NAN, unseen_});
    for (std::size_t v = 0; v < numbers_.size(); ++v) places_[place_of(numbers_[v])] = {numbers_[v], values_[v]};
  }

  T operator()(double number) const {
    if (!places_.empty()) {
      const Place& place = places_[place_of(number)];
      if (place.number == number) return place.value;
    }
    if (number != number) return missing_;
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    return at != numbers_.end() && *at == number ? values_[static_cast<std::size_t>(at - numbers_.begin())] : unseen_;
  }

 private:
  struct Place {
    double number;  // NaN: none
    T value;
  };
  // By the low bits of a whole number, which are the low bits of this sum.
  std::size_t place_of(double number) const {
    return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(number + 0x1.8p52)) & (places_.size() - 1);
  }

  std::vector<double> numbers_;
  std::vector<T> values_;
  std::vector<Place> places_;  // as many as a power of two, if the numbers are whole and close to each other
  T missing_, unseen_;
};

}  // namespace boxwood

// Numbers of a table as level codes, without a sort: which level of its feature each value is.
// Invariant: -1 for NaN, -2 for a value that is no level; a number is a level when they are equal.
// Cost: one pass over the rows for all features together; a table lookup a value, or a bisection where levels lie far
// apart.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/thread_pool.hpp"

namespace boxwood {

// What each of some numbers stands for, a value of type T; others stand for `unseen`, NaN for `missing`.
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
  // By the low bits of a whole number, which stand in the low bits of this sum.
  std::size_t place_of(double number) const {
    return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(number + 0x1.8p52)) & (places_.size() - 1);
  }

  std::vector<double> numbers_;
  std::vector<T> values_;
  std::vector<Place> places_;  // as many as a power of two, if the numbers are whole and close to each other
  T missing_, unseen_;
};

// A table in memory, and which of its columns are to be coded into which list.
template <class T>
struct ToCode {
  const T* values;
  std::ptrdiff_t row_step, column_step;
  std::vector<std::size_t> columns;
  std::vector<NumberMap<std::int32_t>> code_of;
  std::vector<std::int32_t*> out;
};

// Returns whether every value is a level or missing.
template <class T>
bool code_levels(const ToCode<T>& task, std::size_t rows, Team& team) {
  constexpr std::size_t PART = 1024;
  std::atomic<bool> known{true};
  team.run((rows + PART - 1) / PART, [&](std::size_t part, int) {
    const std::size_t end = std::min(rows, (part + 1) * PART);
    bool all = true;
    for (std::size_t c = 0; c < task.columns.size(); ++c) {
      const T* first = task.values + static_cast<std::ptrdiff_t>(task.columns[c]) * task.column_step;
      for (std::size_t i = part * PART; i < end; ++i) {
        const std::int32_t code =
            task.code_of[c](static_cast<double>(first[static_cast<std::ptrdiff_t>(i) * task.row_step]));
        all = all && code != -2;
        task.out[c][i] = code;
      }
    }
    if (!all) known.store(false, std::memory_order_relaxed);
  });
  return known.load();
}

}  // namespace boxwood

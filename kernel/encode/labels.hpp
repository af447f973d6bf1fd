// Class labels that are whole numbers close together, as codes, without a sort.
// Invariant: code c stands for the c-th smallest label that occurs; nothing is read as a label that is not a whole
// number. A label that is changed meanwhile gets another code, never one beyond the table. Cost: two passes over y, a
// third as far as it takes to meet every label of a range without gaps, and a table over the range.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel/thread_pool.hpp"

namespace boxwood {

// `at(i)`: the label of row i, of type T.
template <class T, class At>
std::optional<std::vector<std::int64_t>> whole_labels_at(const At& at, std::size_t n, std::int32_t* out, Watch& watch) {
  constexpr std::size_t PART = std::size_t{1} << 20;
  const auto each_part = [&](const auto& body) {
    for (std::size_t from = 0; from < n; from += PART) {
      watch.poll();
      watch.check();
      body(from, std::min(n, from + PART));
    }
  };
  T low = at(0), high = at(0);
  bool whole = true;
  each_part([&](std::size_t from, std::size_t to) {
    T least = low, most = high;
    for (std::size_t i = from; i < to; ++i) {
      const T value = at(i);
      if constexpr (std::is_floating_point_v<T>)
        whole = whole && std::floor(value) == value && std::fabs(value) <= T{1 << 23};
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    low = least;
    high = most;
  });
  if (!whole) return {};
  if constexpr (std::is_unsigned_v<T>)
    if (high > static_cast<T>(std::numeric_limits<std::int64_t>::max())) return {};
  const auto first = static_cast<std::int64_t>(low);
  const auto range = static_cast<std::uint64_t>(static_cast<std::int64_t>(high)) - static_cast<std::uint64_t>(first);
  if (range > std::max<std::size_t>(1024, 2 * n)) return {};
  const auto entry = [&](auto i) { return std::min<std::size_t>(static_cast<std::int64_t>(at(i)) - first, range); };
  std::vector<std::int32_t> code(range + 1, -1);
  std::size_t unmet = code.size();
  each_part([&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && unmet > 0; ++i)
      if (std::exchange(code[entry(i)], 0) < 0) --unmet;
  });
  std::vector<std::int64_t> labels;
  for (std::size_t v = 0; v <= range; ++v) {
    if (code[v] < 0) continue;
    code[v] = static_cast<std::int32_t>(labels.size());
    labels.push_back(first + static_cast<std::int64_t>(v));
  }
  each_part([&](std::size_t from, std::size_t to) {
    if (unmet == 0) {
      for (std::size_t i = from; i < to; ++i) out[i] = static_cast<std::int32_t>(entry(i));
    } else {
      for (std::size_t i = from; i < to; ++i) out[i] = code[entry(i)];
    }
  });
  return labels;
}

// The labels in order, and the code of each of n rows in `out`; none when y holds anything else, or labels far apart
// for their number.
template <class T>
std::optional<std::vector<std::int64_t>> whole_labels(const T* y, std::ptrdiff_t stride, std::size_t n,
                                                      std::int32_t* out, Watch& watch) {
  if (stride == 1) return whole_labels_at<T>([y](std::size_t i) { return y[i]; }, n, out, watch);
  return whole_labels_at<T>([y, stride](std::size_t i) { return y[static_cast<std::ptrdiff_t>(i) * stride]; }, n, out,
                            watch);
}

}  // namespace boxwood

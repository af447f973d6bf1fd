// Class labels that are whole numbers close together, as codes, without a sort.
// Invariant: code c stands for the c-th smallest label that occurs; nothing is read as a label that is not a whole number.
// Cost: three passes over y, and a table over the range of the labels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "threads.hpp"

namespace boxwood {

// The labels in order, and the code of each of n rows in `out`; none when y holds anything else, or labels far apart for their number.
template <class T>
std::optional<std::vector<std::int64_t>> whole_labels(const T* y, std::ptrdiff_t stride, std::size_t n, std::int32_t* out, Watch& watch) {
  constexpr std::size_t PART = std::size_t{1} << 20;
  const auto at = [&](std::size_t i) { return y[static_cast<std::ptrdiff_t>(i) * stride]; };
  const auto each = [&](const auto& body) {
    for (std::size_t first = 0; first < n; first += PART) {
      watch.poll();
      watch.check();
      for (std::size_t i = first; i < std::min(n, first + PART); ++i) body(i);
    }
  };
  T low = at(0), high = at(0);
  bool whole = true;
  each([&](std::size_t i) {
    const T value = at(i);
    if constexpr (std::is_floating_point_v<T>) whole = whole && std::floor(value) == value && std::fabs(value) <= T{1 << 23};
    low = value < low ? value : low;
    high = value > high ? value : high;
  });
  if (!whole) return {};
  if constexpr (std::is_unsigned_v<T>)
    if (high > static_cast<T>(std::numeric_limits<std::int64_t>::max())) return {};
  const auto first = static_cast<std::int64_t>(low);
  const auto range = static_cast<std::uint64_t>(static_cast<std::int64_t>(high)) - static_cast<std::uint64_t>(first);
  if (range > std::max<std::size_t>(1024, 2 * n)) return {};
  const auto entry = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<std::int64_t>(at(i)) - first); };
  std::vector<std::int32_t> code(range + 1, -1);
  each([&](std::size_t i) { code[entry(i)] = 0; });
  std::vector<std::int64_t> labels;
  for (std::size_t v = 0; v <= range; ++v) {
    if (code[v] < 0) continue;
    code[v] = static_cast<std::int32_t>(labels.size());
    labels.push_back(first + static_cast<std::int64_t>(v));
  }
  each([&](std::size_t i) { out[i] = code[entry(i)]; });
  return labels;
}

}  // namespace boxwood

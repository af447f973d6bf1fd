// How a column's values become 16-bit codes: a monotone map chosen from a sample, so no column is ever sorted whole.
// Invariant: x <= y implies code(x) <= code(y); the upper byte is the coarse bin. Unequal values may share a code:
// whoever needs to tell them apart reads the values. A column of at most 256 values has a bin for each (single). A
// missing value has the last code, which no value of its column has; then the last bin holds nothing else. Cost: 1-2 ns
// a value where the map is linear in pieces, 2-3 ns where bins are looked up.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "encode/bins.hpp"
#include "encode/raw_column.hpp"

namespace boxwood::coded {

using Code = std::uint16_t;
constexpr int BINS = 256;
constexpr int PIECES = 8;
constexpr Code NOTHING = 0xffff;  // code of a missing value
constexpr float PIECE_WIDTH = 8159.9f;  // eight of them stay below the last bin

struct Coding {
  enum class Kind : std::uint8_t { linear, single, searched };
  Kind kind = Kind::linear;
  double center = 0.0;
  std::array<float, PIECES> start{}, slope{};  // linear
  std::optional<CutTable> bins;  // single and searched
  std::vector<double> values;  // single: the value of each bin; searched: where it begins
  std::vector<double> slopes;  // searched: positions within each bin, a unit of value
  std::vector<std::uint8_t> one_value;  // searched: whether a bin holds one value; empty = none
  double heavy = std::numeric_limits<double>::quiet_NaN();  // searched: the value of nearly all rows, if there is one
  Code heavy_code = 0;
};

// Sorted sample of a column; rows spread evenly. Codes decide only how fast the search is, never what it finds.
inline std::vector<double> sorted_sample(const RawColumn& column, std::size_t n, std::size_t size) {
  constexpr std::size_t FEW = 256;  // sooner sorted by comparisons
  size = std::min(size, n);
  std::vector<double> out;
  out.reserve(size);
  for (std::size_t i = 0; i < size; ++i)
    if (const double x = column[i * n / size]; !std::isnan(x)) out.push_back(x);
  size <= FEW ? std::sort(out.begin(), out.end()) : sort_numbers(out);
  return out;
}

inline Coding linear_coding(const std::vector<double>& sample) {
  Coding coding;
  if (sample.empty()) return coding;
  const std::size_t last = sample.size() - 1;
  coding.center = sample[last / 2];
  if (!std::isfinite(coding.center)) coding.center = 0.0;
  for (std::size_t piece = 0; piece < PIECES; ++piece) {
    const double from = sample[last * piece / PIECES] - coding.center,
                 to = sample[last * (piece + 1) / PIECES] - coding.center;
    const auto start = static_cast<float>(from);
    const auto slope = static_cast<float>(PIECE_WIDTH / (to - from));
    coding.start[piece] = start;
    coding.slope[piece] = std::isfinite(start) && std::isfinite(slope) && to > from ? slope : 0.0f;
  }
  return coding;
}

// Bins of about equal numbers of rows, a value that takes much of the sample alone in its bin.
inline Coding searched_coding(const std::vector<double>& sample) {
  constexpr double INFINITE = std::numeric_limits<double>::infinity();
  Coding coding;
  coding.kind = Coding::Kind::searched;
  const std::size_t share = sample.size() / 120 + 1;
  std::vector<double> cuts;
  std::size_t gathered = 0;
  const auto cut = [&](double at) {
    if (at > (cuts.empty() ? -INFINITE : cuts.back())) cuts.push_back(at);
    gathered = 0;
  };
  for (std::size_t i = 0; i < sample.size();) {
    std::size_t j = i + 1;
    while (j < sample.size() && sample[j] == sample[i]) ++j;
    if (j - i >= share) {
      cut(sample[i]);
      if (j - i > sample.size() / 4 * 3) {
        coding.heavy = sample[i];
        coding.heavy_code = static_cast<Code>(cuts.size() << 8);
      }
      cut(std::nextafter(sample[i], INFINITE));
    } else if ((gathered += j - i) >= share) {
      cut(sample[i]);
    }
    i = j;
  }
  coding.values = cuts;
  coding.values.insert(coding.values.begin(), sample.empty() ? 0.0 : sample.front());
  for (std::size_t k = 0; k <= cuts.size(); ++k) {
    const double to = k < cuts.size() ? cuts[k] : sample.empty() ? 0.0 : sample.back();
    const double slope = BINS / (to - coding.values[k]);
    coding.slopes.push_back(to > coding.values[k] && std::isfinite(slope) ? slope : 0.0);
    if (k == 0 || k == cuts.size() || to > std::nextafter(coding.values[k], INFINITE)) continue;
    coding.one_value.resize(BINS);
    coding.one_value[k] = 1;
  }
  coding.bins.emplace(std::move(cuts));
  return coding;
}

// A bin for each of at most 256 values in ascending order.
inline Coding single_coding(std::vector<double> values) {
  Coding coding;
  coding.kind = Coding::Kind::single;
  if (values.empty()) values.push_back(std::numeric_limits<double>::quiet_NaN());
  coding.bins.emplace(std::vector<double>(values.begin() + 1, values.end()));
  coding.values = std::move(values);
  return coding;
}

// Whether one value crowds a bin of any map of pieces, and there are more others than bins, by Chao's estimate from
// those that the sample has once and twice (Scandinavian Journal of Statistics 11, 1984).
inline bool is_spiked(const std::vector<double>& sample) {
  std::size_t most = 0, distinct = 0, once = 0, twice = 0;
  for (std::size_t i = 0, j = 0; i < sample.size(); i = j, ++distinct) {
    while (j < sample.size() && sample[j] == sample[i]) ++j;
    most = std::max(most, j - i);
    once += j - i == 1;
    twice += j - i == 2;
  }
  return most > sample.size() / 12 && distinct + once * once / (2 * twice + 2) > BINS;
}

// `missing`: a value is missing, so the last bin is taken.
inline Coding coding_of(const std::vector<double>& sample, bool missing) {
  if (is_spiked(sample)) return searched_coding(sample);
  std::vector<double> values;
  for (const double x : sample) {
    if (!values.empty() && values.back() == x) continue;
    if (values.size() == (missing ? BINS - 1 : BINS)) return linear_coding(sample);
    values.push_back(x);
  }
  return single_coding(std::move(values));
}

}  // namespace boxwood::coded

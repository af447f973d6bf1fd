// How a column's values become 16-bit codes: a monotone map chosen from a sample, so no column is ever sorted whole.
// Invariant: x <= y implies code(x) <= code(y); the upper byte is the coarse bin. Unequal values may share a code:
// whoever needs to tell them apart reads the values. A column of at most 256 values has a bin for each (single). A
// missing value has the last code, which no value of its column has; then the last bin holds nothing else. Cost: 1-2 ns
// a value where the map is linear in pieces, about 5 ns where bins are searched.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "encode/radix_sort.hpp"
#include "encode/raw_column.hpp"

namespace boxwood::coded {

using Code = std::uint16_t;
constexpr int BINS = 256;
constexpr int PIECES = 8;
constexpr Code NOTHING = 0xffff;  // code of a missing value
constexpr float PIECE_WIDTH = 8159.9f;  // eight of them stay below the last bin
constexpr int SLOT_WIDTH = 16, SLOTS = 65536 / SLOT_WIDTH;

struct Coding {
  enum class Kind : std::uint8_t { linear, single, searched, binned };
  Kind kind = Kind::linear;
  double center = 0.0;
  std::array<float, PIECES> start{}, slope{};
  std::vector<double> cuts;  // single: the values; searched: where each bin begins; padded with NaN to 256
  std::vector<std::uint8_t> slots;  // single: bin of each stretch of linear codes; empty where two values share one
  std::vector<double> slopes;  // where bins are searched: positions within each, a unit of value; else empty
};

// Sorted sample of a column; rows spread evenly. Codes decide only how fast the search is, never what it finds.
inline std::vector<double> sorted_sample(const RawColumn& column, std::size_t n, std::size_t size) {
  size = std::min(size, n);
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> known;
  for (std::size_t i = 0; i < size; ++i) {
    const double x = column[i * n / size];
    if (std::isnan(x)) continue;
    known.push_back(static_cast<std::uint32_t>(keys.size()));
    keys.push_back(ordered_bits(x));
  }
  std::vector<double> out;
  for (const std::uint32_t i : order_of(keys, known)) out.push_back(value_of_key(keys[i]));
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
  Coding coding;
  coding.kind = Coding::Kind::searched;
  const std::size_t share = sample.size() / 120 + 1;
  coding.cuts.push_back(-std::numeric_limits<double>::infinity());
  std::size_t gathered = 0;
  const auto cut = [&](double at) {
    if (at > coding.cuts.back()) coding.cuts.push_back(at);
    gathered = 0;
  };
  for (std::size_t i = 0; i < sample.size();) {
    std::size_t j = i + 1;
    while (j < sample.size() && sample[j] == sample[i]) ++j;
    if (j - i >= share) {
      cut(sample[i]);
      cut(std::nextafter(sample[i], std::numeric_limits<double>::infinity()));
    } else if ((gathered += j - i) >= share) {
      cut(sample[i]);
    }
    i = j;
  }
  for (std::size_t k = 0; k < coding.cuts.size(); ++k) {
    const double from = k ? coding.cuts[k] : sample.empty() ? 0.0 : sample.front();
    const double to = k + 1 < coding.cuts.size() ? coding.cuts[k + 1] : sample.empty() ? 0.0 : sample.back();
    const double slope = BINS / (to - from);
    coding.slopes.push_back(to > from && std::isfinite(slope) ? slope : 0.0);
  }
  coding.cuts.resize(BINS, std::numeric_limits<double>::quiet_NaN());
  coding.slopes.resize(BINS, 0.0);
  return coding;
}

// How far into a linear piece a value lies; `x`: its difference from the center.
inline __attribute__((always_inline)) float width_in_piece(float x, float start, float slope) {
  float v = (x - start) * slope;
  v = v > 0.0f ? v : 0.0f;
  return v < PIECE_WIDTH ? v : PIECE_WIDTH;
}

inline Code linear_code(const Coding& by, double value) {
  float sum = 0.0f;
  for (int piece = 0; piece < PIECES; ++piece)
    sum += width_in_piece(static_cast<float>(value - by.center), by.start[piece], by.slope[piece]);
  return static_cast<Code>(static_cast<std::int32_t>(sum));
}

// A bin for each of at most 256 values in ascending order. Where the linear map keeps them apart, its code tells the
// bin.
inline Coding single_coding(std::vector<double> values) {
  Coding coding = linear_coding(values);
  coding.kind = Coding::Kind::single;
  coding.slots.assign(SLOTS, 0);
  int last = -1;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const int slot = linear_code(coding, values[k]) / SLOT_WIDTH;
    if (slot == last) {
      coding.slots.clear();
      coding.slopes.assign(BINS, 0.0);
      break;
    }
    coding.slots[static_cast<std::size_t>(slot)] = static_cast<std::uint8_t>(k);
    last = slot;
  }
  coding.cuts = std::move(values);
  coding.cuts.resize(BINS, std::numeric_limits<double>::quiet_NaN());
  return coding;
}

// `gaps`: a value is missing, so the last bin is taken.
inline Coding coding_of(const std::vector<double>& sample, bool gaps) {
  std::vector<double> values;
  for (const double x : sample) {
    if (!values.empty() && values.back() == x) continue;
    if (values.size() == (gaps ? BINS - 1 : BINS)) return linear_coding(sample);
    values.push_back(x);
  }
  return single_coding(std::move(values));
}

}  // namespace boxwood::coded

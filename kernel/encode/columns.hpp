// A column as order-preserving codes with the exact values behind them.
// Invariant: code a < code b exactly when value a < value b; MISSING sorts last; codes of a numeric column are dense.
// Cost: 4 bytes a value for codes, 8 for each distinct number.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "encode/wide.hpp"

namespace boxwood {

constexpr std::uint32_t MISSING = 0xFFFFFFFFu;

// A row of a column that is sorted: the code of its value in the upper half, its number in the lower.
using Entry = std::uint64_t;
inline Entry entry_of(std::uint32_t code, std::uint32_t row) { return static_cast<Entry>(code) << 32 | row; }

enum class Kind { numeric, ordinal, nominal };

// A known value as it is compared, 0.0 for -0.0. X may be changed meanwhile: what has become NaN is less than all.
inline double comparable(double x) { return std::max(-std::numeric_limits<double>::infinity(), x + 0.0); }

struct Column {
  Kind kind = Kind::numeric;
  std::uint32_t n_codes = 0;  // distinct values, or levels of the schema
  std::vector<std::uint32_t> codes;  // one a row
  std::vector<double> values, lows;  // numeric: exact value of code c is values[c] + lows[c]; lows empty = all 0
};

// A cut between two present codes; its value is what prediction compares with ("x <= cut").
struct Cut {
  double value = 0.0, low = 0.0;
  bool operator==(const Cut&) const = default;
};
// Whether a value lies below another.
inline bool is_below(const Cut& a, const Cut& b) { return a.value != b.value ? a.value < b.value : a.low < b.low; }

// The exact value of a code of a numeric column.
inline Cut value_at(const Column& column, std::uint32_t code) {
  return {column.values[code], column.lows.empty() ? 0.0 : column.lows[code]};
}

// A number between two others, rounded to the fewest decimals that keep it strictly between: three digits at least, and
// none of its whole part. A whole number over a power of ten is the value of its digits, as long as both are exact.
inline double rounded_between(double middle, double below, double above) {
  double scale = 1.0;
  while (middle != 0.0 && std::abs(middle) * scale < 100.0 && scale < 1e22) scale *= 10.0;
  while (scale <= 1e22 && std::abs(middle) * scale < 0x1p53) {
    const double near = std::nearbyint(middle * scale) / scale + 0.0;  // 0.0 for -0.0
    if (below < near && near < above) return near;
    scale *= 10.0;
  }
  return middle;
}

// The midpoint of two neighbouring values, rounded as (a + b) / 2 but without its overflow, and short if so wanted; or
// the lower one when rounding or infinity would send a row to the wrong side.
inline double cut_between(double below, double above, bool is_short) {
  const double middle = below / 2 + above / 2;
  if (!(middle < above)) return below;
  return is_short ? rounded_between(middle, below, above) : middle;
}

inline Cut cut_between(const Column& column, std::uint32_t below, std::uint32_t above, bool is_short) {
  // Between levels that are not next to each other the middle too; a level right in the middle goes down, as "x <= cut"
  // does.
  if (column.kind != Kind::numeric) return {static_cast<double>((below + above) / 2) + 0.5, 0.0};
  const Cut a = value_at(column, below), b = value_at(column, above);
  if (a.low == 0.0 && b.low == 0.0) return {cut_between(a.value, b.value, is_short), 0.0};
  const Wide low = static_cast<Wide>(a.value) + static_cast<Wide>(a.low);
  const Wide high = static_cast<Wide>(b.value) + static_cast<Wide>(b.low);
  const Wide sum = low + high;
  const Wide middle = sum >= 0 ? sum / 2 : (sum - 1) / 2;  // floor, so that low <= middle < high
  const double head = static_cast<double>(middle);
  return {head, static_cast<double>(middle - static_cast<Wide>(head))};
}

}  // namespace boxwood

// A numeric column as at most K ordered bins, found once on the whole learning set.
// Invariant: bin = floor(K r / (N + 1)) with r the average rank of a value among N cases; bins without values do not
// count, and where there are at most K values each is a bin. Whole frequencies are counted exactly. Cost: a few
// operations a value. Source: the SPSS algorithm document (docs/chaid.md).
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "encode/columns.hpp"
#include "response/response_columns.hpp"

namespace boxwood::chaid {

// The bin of a value by the frequency below it and its own; a value of higher rank is in no lower bin.
struct BinRule {
  Wide total;  // of all values, in units of `unit`, as every frequency
  double unit;
  int n_bins;

  // 2 r = 2 below + count + 1, and N + 1, in units of frequency.
  std::uint32_t operator()(Wide below, Wide here) const {
    if (unit == 1.0) return static_cast<std::uint32_t>((2 * below + here + 1) * n_bins / (2 * (total + 1)));
    const double rank = (2 * static_cast<double>(below) + static_cast<double>(here)) * unit + 1;
    return static_cast<std::uint32_t>(rank * n_bins / (2 * (static_cast<double>(total) * unit + 1)));
  }
};

// The greatest code in each bin of a column. `frequency`: of each code in units of `unit`; 0 = it does not occur.
inline std::vector<std::uint32_t> bin_codes(const std::vector<std::int64_t>& frequency, double unit, int n_bins) {
  const BinRule rule{std::accumulate(frequency.begin(), frequency.end(), Wide{0}), unit, n_bins};
  const auto zeros = std::count(frequency.begin(), frequency.end(), 0);
  const bool few = frequency.size() - static_cast<std::size_t>(zeros) <= static_cast<std::size_t>(n_bins);
  std::vector<std::uint32_t> ends;
  std::uint32_t previous = MISSING;
  Wide below = 0;
  for (std::uint32_t code = 0; code < frequency.size(); ++code) {
    if (frequency[code] == 0) continue;
    const std::uint32_t bin = few ? code : rule(below, frequency[code]);
    if (bin != previous) ends.push_back(code);
    ends.back() = code;
    previous = bin;
    below += frequency[code];
  }
  return ends;
}

}  // namespace boxwood::chaid

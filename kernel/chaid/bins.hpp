// A numeric column as at most K ordered bins, found once on the whole learning set.
// Invariant: bin = floor(K r / (N + 1)) with r the average rank of a value among N cases; bins without values do not count, and
// where there are at most K values each is a bin. Whole frequencies are counted exactly. Cost: one pass over the rows.
// Source: the SPSS algorithm document through SPECS 8.1.
#pragma once

#include <span>
#include <vector>

#include "../columns.hpp"

namespace boxwood::chaid {

struct Bins {
  std::vector<std::uint32_t> of_code;  // bin of each code of the column
  std::vector<std::uint32_t> last;     // greatest code in each bin
};

// `frequency`: of each sample in units of `unit`, or nullptr = 1; `rows`: where each sample stands in the column.
inline Bins bin_column(const Column& column, std::span<const std::uint32_t> rows, const std::int64_t* frequency, double unit, int k) {
  using Wide = __int128;
  std::vector<std::int64_t> count(column.n_codes, 0);
  Wide total = 0;
  std::uint32_t distinct = 0;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const std::uint32_t code = column.codes[rows[s]];
    if (code == MISSING) continue;
    const std::int64_t weight = frequency ? frequency[s] : 1;
    distinct += count[code] == 0;
    count[code] += weight;
    total += weight;
  }
  // 2 r = 2 below + count + 1, and N + 1, in units of frequency.
  const auto index = [&](Wide below, std::int64_t here) {
    if (unit == 1.0) return static_cast<std::uint32_t>((2 * below + here + 1) * k / (2 * (total + 1)));
    const double rank = (2 * static_cast<double>(below) + static_cast<double>(here)) * unit + 1;
    return static_cast<std::uint32_t>(rank * k / (2 * (static_cast<double>(total) * unit + 1)));
  };
  Bins bins;
  bins.of_code.resize(column.n_codes);
  Wide below = 0;
  std::uint32_t previous = MISSING;
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    if (count[code] > 0) {
      const std::uint32_t here = distinct <= static_cast<std::uint32_t>(k) ? code : index(below, count[code]);
      if (here != previous) bins.last.push_back(code);
      previous = here;
      bins.last.back() = code;
      below += count[code];
    }
    bins.of_code[code] = bins.last.empty() ? 0 : static_cast<std::uint32_t>(bins.last.size() - 1);
  }
  return bins;
}

}  // namespace boxwood::chaid

// A numeric column as at most K ordered bins, found once on the whole learning set.
// Invariant: bin = floor(K r / (N + 1)) with r the average rank of a value among N cases; bins without values do not
// count, and where there are at most K values each is a bin. Whole frequencies are counted exactly. Cost: one pass over
// the rows. Source: the SPSS algorithm document through SPECS 8.1.
#pragma once

#include <span>
#include <vector>

#include "encode/columns.hpp"
#include "response/moments.hpp"

namespace boxwood::chaid {

// The bin of a value by the frequency below it and its own, both in units of `unit`; a value of higher rank is in no
// lower bin.
class BinRule {
 public:
  BinRule(Wide total, double unit, int k) : total_(total), unit_(unit), k_(k) {}

  bool counts_exactly() const { return unit_ == 1.0; }

  // 2 r = 2 below + count + 1, and N + 1, in units of frequency.
  std::uint32_t operator()(Wide below, Wide here) const {
    if (counts_exactly()) return static_cast<std::uint32_t>((2 * below + here + 1) * k_ / (2 * (total_ + 1)));
    const double rank = (2 * static_cast<double>(below) + static_cast<double>(here)) * unit_ + 1;
    return static_cast<std::uint32_t>(rank * k_ / (2 * (static_cast<double>(total_) * unit_ + 1)));
  }

 private:
  Wide total_;
  double unit_;
  int k_;
};

struct Bins {
  std::vector<std::uint32_t> of_code;  // bin of each code of the column
  std::vector<std::uint32_t> last;  // greatest code in each bin
};

// `frequency`: of each sample in units of `unit`, or nullptr = 1; `rows`: the row of each sample in the column.
inline Bins bin_column(const Column& column, std::span<const std::uint32_t> rows, const std::int64_t* frequency,
                       double unit, int k) {
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
  const BinRule index(total, unit, k);
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

// The bin of each code, given the greatest value of each bin.
inline std::vector<std::uint32_t> bins_by_ends(const Column& column, const std::vector<Cut>& ends) {
  std::vector<std::uint32_t> of_code(column.n_codes, 0);
  std::uint32_t bin = 0;
  for (std::uint32_t code = 0; code < column.n_codes; ++code) {
    const Cut value{column.values[code], column.lows.empty() ? 0.0 : column.lows[code]};
    while (bin + 1 < ends.size() && is_below(ends[bin], value)) ++bin;
    of_code[code] = bin;
  }
  return of_code;
}

}  // namespace boxwood::chaid

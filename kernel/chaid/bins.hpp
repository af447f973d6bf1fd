// A numeric column as at most K ordered bins, found once on the whole learning set: from all of its values, or from
// coarse bins first and exact values where a boundary may fall.
// Invariant: bin = floor(K r / (N + 1)) with r the average rank of a value among N cases; bins without values do not
// count, and where there are at most K values each is a bin; the same bins for any coarse bins. Whole frequencies are
// counted exactly. Cost: one pass over the rows; or the coarse bins of about K boundaries are known value by value.
// Source: the SPSS algorithm document through SPECS 8.1.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "encode/columns.hpp"
#include "response/moments.hpp"

namespace boxwood::chaid {

// The bin of a value by the frequency below it and its own, both in units of `unit`; a value of higher rank is in no
// lower bin.
class BinRule {
 public:
  BinRule(const std::vector<std::int64_t>& frequency, double unit, int k)
      : total_(std::accumulate(frequency.begin(), frequency.end(), Wide{0})), unit_(unit), k_(k) {}

  // 2 r = 2 below + count + 1, and N + 1, in units of frequency.
  std::uint32_t operator()(Wide below, Wide here) const {
    if (counts_exactly()) return static_cast<std::uint32_t>((2 * below + here + 1) * k_ / (2 * (total_ + 1)));
    const double rank = (2 * static_cast<double>(below) + static_cast<double>(here)) * unit_ + 1;
    return static_cast<std::uint32_t>(rank * k_ / (2 * (static_cast<double>(total_) * unit_ + 1)));
  }

  // Whether values of these frequencies in all may lie in different bins; the slack is for rounding of large sums.
  bool may_part(Wide below, Wide here) const {
    const Wide above = below + here, slack = counts_exactly() ? 0 : (above >> 50) + 1;
    return (*this)(below, 0) != (*this)(above, slack);
  }
  // So few values are a bin each.
  bool are_few(std::size_t values) const { return values <= static_cast<std::size_t>(k_); }

  // Where each bin ends, among rising values with these frequencies; 0 = the value does not occur.
  std::vector<std::uint32_t> ends(const std::vector<std::int64_t>& frequency, bool few) const {
    std::vector<std::uint32_t> out;
    std::uint32_t previous = MISSING;
    Wide below = 0;
    for (std::uint32_t at = 0; at < frequency.size(); ++at) {
      if (frequency[at] == 0) continue;
      const std::uint32_t bin = few ? at : (*this)(below, frequency[at]);
      if (bin != previous) out.push_back(at);
      out.back() = at;
      previous = bin;
      below += frequency[at];
    }
    return out;
  }

 private:
  bool counts_exactly() const { return unit_ == 1.0; }

  Wide total_;
  double unit_;
  int k_;
};

// The greatest code in each bin of a column. `frequency`: of each code in units of `unit`.
inline std::vector<std::uint32_t> bin_codes(const std::vector<std::int64_t>& frequency, double unit, int k) {
  const BinRule rule(frequency, unit, k);
  const auto zeros = std::count(frequency.begin(), frequency.end(), 0);
  return rule.ends(frequency, rule.are_few(frequency.size() - static_cast<std::size_t>(zeros)));
}

class BinSearch {
 public:
  // `frequency`: of each coarse bin in all shards, in units of `unit`.
  BinSearch(const std::vector<std::int64_t>& frequency, const std::vector<Cut>& least, const std::vector<Cut>& greatest,
            double unit, int k)
      : rule_(frequency, unit, k), bins_(frequency.size()) {
    for (std::size_t b = 0; b < bins_.size(); ++b)
      if (frequency[b] > 0) bins_[b] = {{greatest[b]}, {frequency[b]}, least[b] != greatest[b]};
  }

  // Coarse bins whose values must be known next; 0 everywhere when `ends` are known.
  std::vector<std::uint8_t> candidate_bins() const {
    const bool few = rule_.are_few(distinct());
    std::vector<std::uint8_t> out;
    Wide below = 0;
    for (const Coarse& bin : bins_) {
      const Wide here = std::accumulate(bin.frequency.begin(), bin.frequency.end(), Wide{0});
      out.push_back(bin.is_closed && (few || rule_.may_part(below, here)));
      below += here;
    }
    return out;
  }

  // All values of coarse bin `b`, rising, with their frequencies.
  void take_values(std::size_t b, std::vector<Cut> values, std::vector<std::int64_t> frequency) {
    bins_[b] = {std::move(values), std::move(frequency), false};
  }

  // Greatest value of each bin, rising.
  std::vector<Cut> ends() const {
    std::vector<Cut> values, out;
    std::vector<std::int64_t> frequency;
    for (const Coarse& bin : bins_) {
      values.insert(values.end(), bin.values.begin(), bin.values.end());
      frequency.insert(frequency.end(), bin.frequency.begin(), bin.frequency.end());
    }
    for (const std::uint32_t at : rule_.ends(frequency, rule_.are_few(distinct()))) out.push_back(values[at]);
    return out;
  }

 private:
  struct Coarse {
    std::vector<Cut> values;  // of a closed bin the greatest, for all of them
    std::vector<std::int64_t> frequency;
    bool is_closed = false;  // has further values, not known
  };

  // Different values of the column, or fewer, while some bins are closed.
  std::size_t distinct() const {
    std::size_t sum = 0;
    for (const Coarse& bin : bins_) sum += bin.values.size() + bin.is_closed;
    return sum;
  }

  BinRule rule_;
  std::vector<Coarse> bins_;
};

}  // namespace boxwood::chaid

// The bins of a numeric column (chaid/bins.hpp) from coarse bins first, then exact values where a boundary may fall.
// Invariant: the greatest value of each bin is the one that bin_column finds over all rows, for any coarse bins.
// Cost: the coarse bins of about K boundaries are known value by value.
#pragma once

#include <cmath>

#include "chaid/bins.hpp"
#include "response/moments.hpp"

namespace boxwood::chaid {

// What lies in each coarse bin of a column: rows, their weight, least and greatest value (of none: infinities, in
// reverse).
struct Spans {
  std::vector<std::int64_t> rows, weight;
  std::vector<Cut> least, greatest;
};

class BinSearch {
 public:
  // `spans`: of all shards; frequencies are `spans.weight` in units of `unit`.
  BinSearch(const Spans& spans, double unit, int k)
      : k_(static_cast<std::size_t>(k)), rule_(total(spans.weight), unit, k) {
    Wide below = 0;
    for (std::size_t b = 0; b < spans.rows.size(); ++b) {
      bins_.push_back({below, spans.weight[b], spans.greatest[b], false, 0, {}, {}});
      if (spans.rows[b] == 0) continue;
      bins_.back().distinct = spans.least[b] == spans.greatest[b] ? 1 : 2;
      below += spans.weight[b];
    }
  }

  // Coarse bins whose values must be known next; 0 everywhere when `ends` are known.
  std::vector<std::uint8_t> candidate_bins() const {
    const bool few = distinct() <= k_;
    std::vector<std::uint8_t> out(bins_.size(), 0);
    for (std::size_t b = 0; b < bins_.size(); ++b) {
      const Coarse& bin = bins_[b];
      out[b] = !bin.opened && bin.distinct > 1 && (few || may_part(bin));
    }
    return out;
  }

  // All values of coarse bin `b`, rising, with their frequencies.
  void take_values(std::size_t b, const std::vector<Cut>& values, const std::int64_t* frequency) {
    Coarse& bin = bins_[b];
    bin.opened = true;
    bin.distinct = values.size();
    if (values.size() <= k_) bin.values = values;
    Wide below = bin.below;
    for (std::size_t v = 0; v < values.size(); ++v) {
      extend(bin.runs, rule_(below, frequency[v]), values[v]);
      below += frequency[v];
    }
  }

  // Greatest value of each bin, rising.
  std::vector<Cut> ends() const {
    std::vector<Cut> out;
    if (distinct() <= k_) {
      for (const Coarse& bin : bins_) {
        if (bin.opened)
          out.insert(out.end(), bin.values.begin(), bin.values.end());
        else if (bin.distinct > 0)
          out.push_back(bin.greatest);
      }
      return out;
    }
    std::vector<Run> runs;
    for (const Coarse& bin : bins_) {
      if (bin.distinct == 0) continue;
      if (!bin.opened) extend(runs, rule_(bin.below, bin.frequency), bin.greatest);
      for (const Run& run : bin.runs) extend(runs, run.index, run.last);
    }
    for (const Run& run : runs) out.push_back(run.last);
    return out;
  }

 private:
  // Neighbouring values of one bin, by the greatest.
  struct Run {
    std::uint32_t index;
    Cut last;
  };
  struct Coarse {
    Wide below;
    std::int64_t frequency;
    Cut greatest;
    bool opened;
    std::size_t distinct;  // values; of a bin that is not opened, 2 if there are more than one
    std::vector<Run> runs;
    std::vector<Cut> values;  // of an opened bin, where they are few
  };

  static Wide total(const std::vector<std::int64_t>& weight) {
    Wide sum = 0;
    for (const std::int64_t w : weight) sum += w;
    return sum;
  }
  static void extend(std::vector<Run>& runs, std::uint32_t index, const Cut& value) {
    if (runs.empty() || runs.back().index != index) runs.push_back({index, value});
    runs.back().last = value;
  }

  // Different values of the column, or fewer, while some bins are not opened.
  std::size_t distinct() const {
    std::size_t sum = 0;
    for (const Coarse& bin : bins_) sum += bin.distinct;
    return sum;
  }
  // Whether its least and its greatest rank may lie in different bins; the slack is for rounding of large sums.
  bool may_part(const Coarse& bin) const {
    const Wide above = bin.below + bin.frequency, slack = rule_.counts_exactly() ? 0 : (above >> 50) + 1;
    return rule_(bin.below, 0) != rule_(above, slack);
  }

  std::size_t k_;
  BinRule rule_;
  std::vector<Coarse> bins_;
};

}  // namespace boxwood::chaid

// One feature at one node as the sum of all shards: its bins or levels, the exact values of opened bins, and the best
// cut so far. Invariant: entries are in rising order; every opened bin is there whole, value by value, so that nothing
// is counted twice. Cost: one pass over the entries a scan.
#pragma once

#include "search/trial.hpp"
#include "shards/level.hpp"

namespace boxwood::sharded {

// Reads the words of one entry in a policy's form; returns the entry's weight.
template <class M>
i64 read_words(const TwoCounts<M>&, const i64* words, i64* sums) {
  sums[0] = words[0];
  sums[1] = words[1];
  return words[0] + words[1];
}
template <class M>
i64 read_words(const Classes<M>& policy, const i64* words, i64* sums) {
  std::copy(words, words + policy.n_classes, sums);
  i64 weight = 0;
  for (int k = 0; k < policy.n_classes; ++k) weight += words[k];
  return weight;
}
template <class Int, bool weighted>
i64 read_words(const Mean<Int, weighted>&, const i64* words, Int* sums) {
  sums[0] = words[0];
  sums[1] = wide_of(words + 1);
  return words[0];
}
inline i64 read_words(const Rate&, const i64* words, Wide* sums) {
  sums[0] = wide_of(words + 1);
  sums[1] = wide_of(words + 4);
  return words[0];
}

// One side of a cut: an exact value or level, or the last or first value of a bin that is still closed.
struct End {
  bool exact = true;
  Cut at;
  u32 bin = 0;
};

template <class Int>
struct EntrySums {
  std::vector<i64> rows, weights;
  std::vector<Int> sums;
  std::vector<double> spread;

  // `step`: words of an entry.
  template <class P>
  void read(const P& policy, std::size_t step, const Given& given) {
    const auto width = static_cast<std::size_t>(policy.width());
    rows.assign(given.rows, given.rows + given.count);
    weights.resize(given.count);
    sums.resize(given.count * width);
    for (std::size_t e = 0; e < given.count; ++e)
      weights[e] = read_words(policy, given.words + e * step, sums.data() + e * width);
    if (given.spread) spread.assign(given.spread, given.spread + given.count);
  }
};

template <class P>
struct FeatureTable {
  using Int = typename P::Int;
  EntrySums<Int> bins;  // the last entry: missing values
  std::vector<std::uint8_t> opened;  // bins that are known value by value
  std::vector<double> values, lows;  // of opened bins, rising; lows empty = all 0
  std::vector<u32> bin_of;  // of each value
  EntrySums<Int> exact;
  End below, above;  // about the best cut
  bool all_below = false;  // "known or missing" is the best: every value lies below
  i64 weight_left = 0;  // known weight on the lower side of the best cut, or in the sets' branch 0
  std::vector<Int> left;  // and its sums

  std::size_t size() const { return bins.rows.empty() ? 0 : bins.rows.size() - 1; }
  bool is_open(std::size_t bin) const { return !opened.empty() && opened[bin]; }
  i64 n_missing() const { return bins.rows.back(); }

  void open(const OpenedValues& given, std::size_t count, std::size_t n_bins) {
    values.assign(given.value, given.value + count);
    lows.clear();
    if (given.low) lows.assign(given.low, given.low + count);
    bin_of.assign(given.bin, given.bin + count);
    opened.assign(n_bins, 0);
    for (const u32 bin : bin_of) opened[bin] = 1;
  }
};

// Walks over the entries of an ordered feature in rising order: closed bins as one entry, opened ones value by value.
template <class P, class Visit>
void each_entry(const FeatureTable<P>& table, int width, const Visit& visit) {
  std::size_t value = 0;
  for (std::size_t b = 0; b < table.size(); ++b) {
    if (table.bins.rows[b] == 0) continue;
    if (!table.is_open(b)) {
      const End end{false, {}, static_cast<u32>(b)};
      visit(end, table.bins.rows[b], table.bins.weights[b],
            table.bins.sums.data() + b * static_cast<std::size_t>(width));
      continue;
    }
    while (value < table.values.size() && table.bin_of[value] < b) ++value;
    for (; value < table.values.size() && table.bin_of[value] == b; ++value) {
      const End end{true, {table.values[value], table.lows.empty() ? 0.0 : table.lows[value]}, static_cast<u32>(b)};
      visit(end, table.exact.rows[value], table.exact.weights[value],
            table.exact.sums.data() + value * static_cast<std::size_t>(width));
    }
  }
}

// The best cut of an ordered feature: the cuts that a scan of all values would try, but for those inside closed bins.
template <class P>
void scan_table(const P& policy, Trial<P>& trial, FeatureTable<P>& table, Candidate& out) {
  using Int = typename P::Int;
  const int width = policy.width();
  std::vector<Int> left(static_cast<std::size_t>(width), Int{0});
  i64 n_left = 0, weight_left = 0;
  End last;
  const auto keep = [&](const End& above) {
    table.below = last;
    table.above = above;
    table.weight_left = weight_left;
    table.left = left;
    out.missing = trial.missing_branch;
  };
  each_entry(table, width, [&](const End& end, i64 rows, i64 weight, const Int* sums) {
    if (n_left > 0 && trial.offer(left.data(), n_left)) keep(end);
    for (int k = 0; k < width; ++k) left[static_cast<std::size_t>(k)] += sums[k];
    n_left += rows;
    weight_left += weight;
    last = end;
  });
  table.all_below = n_left > 0 && trial.offer_known_against_missing();
  if (!table.all_below) return;
  keep(last);
  out.missing = 1;
}

}  // namespace boxwood::sharded

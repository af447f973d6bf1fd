// Surrogates from tables: how rows of a node agree with the branch its split sends them to, by bin, level or value.
// Invariant: the surrogate of a feature is the one surrogates.hpp finds over samples: whole weights, the same order of
// trial. Cost: one pass over the entries.
#pragma once

#include "general/surrogates.hpp"
#include "shards/level.hpp"
#include "shards/table.hpp"

namespace boxwood::sharded {

// Of each entry: all its rows, and weight and rows that the split sends to either branch.
struct VoteRows {
  std::vector<i64> rows, words;

  void read(const i64* n, const i64* given, std::size_t count) {
    rows.assign(n, n + count);
    words.assign(given, given + 4 * count);
  }
  const i64* weight(std::size_t e) const { return words.data() + 4 * e; }
  const i64* votes(std::size_t e) const { return words.data() + 4 * e + 2; }
};

// A surrogate, with what its cut stands between.
struct Stand {
  Surrogate surrogate;
  End below, above;
};

struct VoteTable {
  VoteRows bins, exact;
  std::vector<std::uint8_t> opened;
  std::vector<double> values, lows;
  std::vector<u32> bin_of;
  Stand stand;

  std::size_t size() const { return bins.rows.empty() ? 0 : bins.rows.size() - 1; }

  void open(const OpenedValues& given, const Given& sums, std::size_t n_bins) {
    values.assign(given.value, given.value + sums.count);
    lows.clear();
    if (given.low) lows.assign(given.low, given.low + sums.count);
    bin_of.assign(given.bin, given.bin + sums.count);
    opened.assign(n_bins, 0);
    for (const u32 b : bin_of) opened[b] = 1;
    exact.read(sums.rows, sums.words, sums.count);
  }

  void sum(i64 weight[2], i64& rows) const {
    weight[0] = weight[1] = rows = 0;
    for (std::size_t b = 0; b < size(); ++b)
      for (int s = 0; s < 2; ++s) weight[s] += bins.weight(b)[s], rows += bins.votes(b)[s];
  }

  // visit(end, weight, votes) for every entry that has rows, rising.
  template <class Visit>
  void each(const Visit& visit) const {
    std::size_t value = 0;
    for (std::size_t b = 0; b < size(); ++b) {
      if (bins.rows[b] == 0) continue;
      if (opened.empty() || !opened[b]) {
        visit(End{false, {}, static_cast<u32>(b)}, bins.weight(b), bins.votes(b));
        continue;
      }
      while (value < values.size() && bin_of[value] < b) ++value;
      for (; value < values.size() && bin_of[value] == b; ++value)
        visit(End{true, {values[value], lows.empty() ? 0.0 : lows[value]}, static_cast<u32>(b)}, exact.weight(value),
              exact.votes(value));
    }
  }
};

// What agreement is measured by: the weight that the primary split sends to each branch, and that of rows that know
// both.
struct Behind {
  double primary[2] = {0, 0};
  i64 both[2] = {0, 0};
  i64 rows = 0;
  bool of_both = false, rpart_quirk = false;

  double weight(int branch) const { return of_both ? static_cast<double>(both[branch]) : primary[branch]; }
  i64 majority() const { return std::max(both[0], both[1]); }

  bool judge(i64 agreed, Surrogate& out) const {
    const double w0 = weight(0), w1 = weight(1);
    const double most = std::max(w0, w1) / (w0 + w1);
    out.agreement = static_cast<double>(agreed) / (w0 + w1);
    out.adjusted = (out.agreement - most) / (1 - most);
    return out.adjusted > 1e-10;
  }
};

inline bool stand_by_cut(VoteTable& table, const Behind& behind) {
  Stand& out = table.stand;
  i64 best = behind.majority(), below[2] = {0, 0}, rows_below = 0;
  bool found = false, has_last = false, has_above = false;
  End last, above;
  table.each([&](const End& end, const i64* weight, const i64* votes) {
    if (has_last && !has_above) above = end, has_above = true;
    if (votes[0] + votes[1] == 0) return;
    if (has_last && rows_below >= 2 && behind.rows - rows_below >= 2) {
      const i64 straight = below[0] + behind.both[1] - below[1], crossed = below[1] + behind.both[0] - below[0];
      const i64 agreed = std::max(straight, crossed);
      if (agreed > best) {
        best = agreed;
        found = true;
        out.below = last;
        out.above = above;
        out.surrogate.split.flipped = crossed > straight;
      }
    }
    for (int s = 0; s < 2; ++s) below[s] += weight[s], rows_below += votes[s];
    last = end;
    has_last = true;
    has_above = false;
  });
  return found && behind.judge(best, out.surrogate);
}

// Every level to its heavier side; ties to the overall heavier side, then to branch 1.
inline bool stand_by_level(VoteTable& table, const Behind& behind) {
  Surrogate& out = table.stand.surrogate;
  const int heavier = behind.both[0] > behind.both[1] ? 0 : 1;
  i64 agreed = 0, sent[2] = {0, 0}, agreeing = 0, disagreeing = 0;
  for (std::size_t v = 0; v < table.size(); ++v) {
    const i64 *weight = table.bins.weight(v), *rows = table.bins.votes(v);
    if (rows[0] + rows[1] == 0) continue;
    const int to = weight[0] == weight[1] ? heavier : weight[0] > weight[1] ? 0 : 1;
    out.split.levels.push_back({static_cast<u32>(v), to});
    agreed += weight[to];
    sent[to] += rows[0] + rows[1];
    agreeing += rows[to];
    disagreeing += rows[1 - to];
  }
  const bool admissible = behind.rpart_quirk ? agreeing >= 2 && disagreeing >= 2 : sent[0] >= 2 && sent[1] >= 2;
  return admissible && behind.judge(agreed, out);
}

// Bins inside which a cut might agree better than the best so far, or as well but earlier.
inline std::vector<std::uint8_t> wanted_bins(const VoteTable& table, double least_agreement, const Behind& behind) {
  const i64 found = table.stand.surrogate.split.feature >= 0
                        ? std::llround(table.stand.surrogate.agreement * (behind.weight(0) + behind.weight(1)))
                        : 0;
  const double bar = std::max(least_agreement * (behind.weight(0) + behind.weight(1)),
                              static_cast<double>(std::max(found, behind.majority())));
  std::vector<std::uint8_t> out(table.size(), 0);
  i64 below[2] = {0, 0};
  for (std::size_t b = 0; b < table.size(); ++b) {
    const i64* weight = table.bins.weight(b);
    const i64 straight = below[0] + weight[0] + behind.both[1] - below[1],
              crossed = below[1] + weight[1] + behind.both[0] - below[0];
    out[b] = table.bins.rows[b] > 1 && static_cast<double>(std::max(straight, crossed)) * (1 + 1e-9) >= bar;
    for (int s = 0; s < 2; ++s) below[s] += weight[s];
  }
  return out;
}

}  // namespace boxwood::sharded

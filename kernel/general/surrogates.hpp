// Surrogate splits: the same kind of search with another response, the branch the primary split takes (CART book 5.3;
// SPECS 5.7). Invariant: agreements are whole weights, compared exactly; only samples whose primary is known take part.
// Cost: one pass over the node's list a feature.
#pragma once

#include <algorithm>

#include "general/samples.hpp"
#include "response/settings.hpp"
#include "search/split.hpp"

namespace boxwood {

class SurrogateSearch {
 public:
  SurrogateSearch(const Samples& samples, const Settings& settings, const std::int64_t* weight)
      : samples_(samples), settings_(settings), weight_(weight) {}

  // `primary_weight`: weight the primary sends to each branch; `all_vote`: it knows every sample of the node.
  // False when feature j offers no surrogate worth keeping.
  bool search(std::size_t j, const Node& node, const double primary_weight[2], bool all_vote, Surrogate& out) const {
    const Entry* entries = samples_.entries(j, node);
    const std::uint32_t known = samples_.known(j, node);
    std::int64_t both[2] = {0, 0};
    std::int64_t rows = 0;
    if (all_vote && known == node.count) {
      for (int b = 0; b < 2; ++b) both[b] = static_cast<std::int64_t>(primary_weight[b]);
      rows = known;
    } else {
      for (std::uint32_t i = 0; i < known; ++i) {
        const std::uint8_t side = samples_.branch()[sample_of(entries[i])];
        if (side > 1) continue;
        both[side] += weight_of(sample_of(entries[i]));
        ++rows;
      }
    }
    out.split.feature = static_cast<std::int32_t>(j);
    out.split.levels.clear();
    const std::int64_t agreed = samples_.column(j).kind == Kind::nominal
                                    ? by_level(entries, known, both, out.split)
                                    : by_cut(entries, known, both, rows, out.split);
    if (agreed < 0) return false;
    const double w0 = settings_.style == 0 ? primary_weight[0] : static_cast<double>(both[0]);
    const double w1 = settings_.style == 0 ? primary_weight[1] : static_cast<double>(both[1]);
    const double majority = std::max(w0, w1) / (w0 + w1);
    out.agreement = static_cast<double>(agreed) / (w0 + w1);
    out.adjusted = (out.agreement - majority) / (1 - majority);
    return out.adjusted > 1e-10;
  }

 private:
  std::int64_t weight_of(std::uint32_t s) const { return weight_ ? weight_[s] : 1; }

  // by_cut when every sample weighs 1 and votes: agreement moves by one a sample, so one running difference tells all.
  std::int64_t by_cut_of_votes(const Entry* entries, std::uint32_t known, const std::int64_t both[2],
                               Candidate& out) const {
    std::int64_t best = std::max(both[0], both[1]), ahead = 0;  // samples below on branch 0 less those on branch 1
    std::uint32_t at = 0;
    const std::uint8_t* branch = samples_.branch();
    for (std::uint32_t i = 0; i + 1 < known; ++i) {
      ahead += 1 - 2 * branch[sample_of(entries[i])];
      const std::int64_t agreed = std::max(both[1] + ahead, both[0] - ahead);
      if (agreed <= best || code_of(entries[i]) == code_of(entries[i + 1]) || i == 0 || i + 3 > known) continue;
      best = agreed;
      at = i + 1;
      out.flipped = both[0] - ahead > both[1] + ahead;
    }
    if (at == 0) return -1;
    out.below = code_of(entries[at - 1]);
    out.above = code_of(entries[at]);
    return best;
  }

  // Cuts from low to high, at least two rows on each side; a strictly larger agreement than the majority's replaces.
  std::int64_t by_cut(const Entry* entries, std::uint32_t known, const std::int64_t both[2], std::int64_t rows,
                      Candidate& out) const {
    if (!weight_ && rows == static_cast<std::int64_t>(known)) return by_cut_of_votes(entries, known, both, out);
    std::int64_t best = std::max(both[0], both[1]), below[2] = {0, 0}, rows_below = 0;
    bool found = false;
    std::uint32_t last = MISSING,
                  above = MISSING;  // `above`: the lowest code over `last`, also of samples that do not vote
    for (std::uint32_t i = 0; i < known; ++i) {
      const std::uint32_t s = sample_of(entries[i]), code = code_of(entries[i]);
      const std::uint8_t side = samples_.branch()[s];
      if (above == MISSING && code != last) above = code;
      if (side > 1) continue;
      if (code != last && rows_below >= 2 && rows - rows_below >= 2) {
        const std::int64_t straight = below[0] + both[1] - below[1], crossed = below[1] + both[0] - below[0];
        const std::int64_t agreed = std::max(straight, crossed);
        if (agreed > best) {
          best = agreed;
          found = true;
          out.below = last;
          out.above = above;
          out.flipped = crossed > straight;
        }
      }
      below[side] += weight_of(s);
      ++rows_below;
      if (code != last) above = MISSING;
      last = code;
    }
    return found ? best : -1;
  }

  // Every level to its heavier side; ties to the overall heavier side, then to branch 1.
  std::int64_t by_level(const Entry* entries, std::uint32_t known, const std::int64_t both[2], Candidate& out) const {
    const int heavier = both[0] > both[1] ? 0 : 1;
    std::int64_t agreed = 0, sent[2] = {0, 0}, agreeing = 0, disagreeing = 0;
    for (std::uint32_t i = 0; i < known;) {
      const std::uint32_t level = code_of(entries[i]);
      std::int64_t weight[2] = {0, 0}, rows[2] = {0, 0};
      for (; i < known && code_of(entries[i]) == level; ++i) {
        const std::uint8_t side = samples_.branch()[sample_of(entries[i])];
        if (side > 1) continue;
        weight[side] += weight_of(sample_of(entries[i]));
        ++rows[side];
      }
      if (rows[0] + rows[1] == 0) continue;
      const int to = weight[0] == weight[1] ? heavier : weight[0] > weight[1] ? 0 : 1;
      out.levels.push_back({level, to});
      agreed += weight[to];
      sent[to] += rows[0] + rows[1];
      agreeing += rows[to];
      disagreeing += rows[1 - to];
    }
    const bool admissible = settings_.rpart_quirk ? agreeing >= 2 && disagreeing >= 2 : sent[0] >= 2 && sent[1] >= 2;
    return admissible ? agreed : -1;
  }

  const Samples& samples_;
  const Settings settings_;  // a copy: the search outlives the record it was set up with
  const std::int64_t* weight_;
};

}  // namespace boxwood

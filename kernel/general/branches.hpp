// The branch of every sample of a node that is split: known ones by the split, the others by surrogates and the policy
// for missing values. Invariant: what stands in is ranked in column order, so the result does not depend on who
// searched which column. Cost: one pass over a list; with surrogates one a feature.
#pragma once

#include "general/surrogates.hpp"
#include "search/choice.hpp"

namespace boxwood {

// What the search found for one node.
struct Found {
  Candidate split;
  std::vector<Candidate> competitors;
  std::vector<Surrogate> surrogates;
  std::int32_t missing = STAYS;
};

// Calls visit(sample, branch) for every known sample of a node's list.
template <class Visit>
void each_branch(const Entry* entries, std::uint32_t known, const Candidate& split, const Visit& visit) {
  if (split.levels.empty()) {
    for (std::uint32_t i = 0; i < known; ++i)
      visit(sample_of(entries[i]), (code_of(entries[i]) > split.below) != split.flipped);
    return;
  }
  auto at = split.levels.begin();
  for (std::uint32_t i = 0; i < known; ++i) {
    while (at->level != code_of(entries[i])) ++at;
    visit(sample_of(entries[i]), at->branch);
  }
}

class Branches {
 public:
  // `choice` must outlive it; `members`: how many may ask at once.
  Branches(Samples& samples, const ResponseColumns& response, const Settings& settings, const Choice& choice,
           int members)
      : samples_(samples),
        y_(response),
        settings_(settings),
        choice_(choice),
        surrogate_search_(samples, settings_, response.weight),
        found_(members) {}

  // Marks every sample's branch: known ones by the split, the others by surrogates and the missing-value policy.
  void decide(const Node& node, Found& found, Team* team, int member) {
    const std::size_t j = found.split.feature;
    const Entry* entries = samples_.entries(j, node);
    const std::uint32_t known = samples_.known(j, node);
    std::uint8_t* branch = samples_.branch();
    double weight[2] = {0, 0};
    std::int64_t sums[2] = {0, 0};
    each_branch(entries, known, found.split, [&](std::uint32_t s, int b) {
      branch[s] = static_cast<std::uint8_t>(b);
      sums[b] += y_.weight_of(s);
    });
    for (int b = 0; b < 2; ++b) weight[b] = static_cast<double>(sums[b]);
    for (std::uint32_t i = known; i < node.count; ++i) branch[sample_of(entries[i])] = Samples::UNKNOWN;
    if (settings_.policy == Policy::surrogate && settings_.max_surrogates > 0)
      find_surrogates(node, weight, known == node.count && !y_.weight, found, team, member);
    found.missing = choice_.missing_branch(found.split, sums, known < node.count);
    for (std::uint32_t i = known; i < node.count; ++i) {
      const std::uint32_t s = sample_of(entries[i]);
      branch[s] = surrogate_branch(s, found);
    }
    if (settings_.rpart_quirk && settings_.policy == Policy::surrogate && !settings_.stay) most_rows(node, found);
  }

 private:
  std::uint8_t surrogate_branch(std::uint32_t s, const Found& found) const {
    for (const auto& surrogate : found.surrogates) {
      const Candidate& split = surrogate.split;
      const std::uint32_t code = samples_.code(split.feature, s);
      if (code == MISSING) continue;
      if (split.levels.empty()) return is_above(samples_.column(split.feature), code, split) != split.flipped;
      const auto at = std::lower_bound(split.levels.begin(), split.levels.end(), code,
                                       [](const LevelBranch& l, std::uint32_t c) { return l.level < c; });
      if (at != split.levels.end() && at->level == code) return static_cast<std::uint8_t>(at->branch);
    }
    return found.missing == STAYS ? Samples::STAY : static_cast<std::uint8_t>(found.missing);
  }

  // As prediction will see it: the value against the cut, which may lie above values that did not vote for it.
  bool is_above(const Column& column, std::uint32_t code, const Candidate& split) const {
    if (settings_.rank_cuts || column.kind != Kind::numeric) return code > split.below;
    const Cut cut = cut_of(split, column, false);
    const double low = column.lows.empty() ? 0.0 : column.lows[code];
    return column.values[code] > cut.value || (column.values[code] == cut.value && low > cut.low);
  }

  // rpart predicts a row that no surrogate knows by the child with more rows (compat; SPECS 5.8).
  void most_rows(const Node& node, Found& found) const {
    std::int64_t rows[2] = {0, 0};
    const std::uint32_t* ids = samples_.ids(node);
    for (std::uint32_t i = 0; i < node.count; ++i)
      if (samples_.branch()[ids[i]] < 2) ++rows[samples_.branch()[ids[i]]];
    found.missing = rows[0] == rows[1] ? STAYS : rows[1] > rows[0] ? 1 : 0;
  }

  void find_surrogates(const Node& node, const double weight[2], bool all_vote, Found& found, Team* team, int member) {
    auto& all = found_[member];
    all.resize(samples_.n_columns());
    share(team, member, all.size(), [&](std::size_t j, int) {
      const bool kept = static_cast<std::int32_t>(j) != found.split.feature &&
                        surrogate_search_.search(j, node, weight, all_vote, all[j]);
      if (!kept) all[j].split.feature = -1;
    });
    for (auto& surrogate : all) {
      if (surrogate.split.feature < 0) continue;
      auto at = found.surrogates.begin();
      while (at != found.surrogates.end() && !(surrogate.agreement > at->agreement)) ++at;
      found.surrogates.insert(at, surrogate);
      if (found.surrogates.size() > static_cast<std::size_t>(settings_.max_surrogates)) found.surrogates.pop_back();
    }
  }

  Samples& samples_;
  const ResponseColumns y_;
  const Settings settings_;
  const Choice& choice_;
  SurrogateSearch surrogate_search_;
  std::vector<std::vector<Surrogate>> found_;  // by each member, one of every column
};

}  // namespace boxwood

// The surrogates of one node's split, from the votes that shards have added up.
// Invariant: those that surrogates.hpp keeps over samples, in its order.
// Cost: see votes.hpp.
#pragma once

#include "response/settings.hpp"
#include "shards/votes.hpp"

namespace boxwood::sharded {

// The split that rows stand in for: its feature, and the known weight it sends to each branch.
struct Primary {
  std::size_t feature;
  i64 sent[2];
};

class Surrogates {
 public:
  // `votes` and `kept` are the node's own, and filled.
  Surrogates(const Settings& settings, const std::vector<Feature>& features, const Primary& primary,
             std::vector<VoteTable>& votes, std::vector<Stand>& kept)
      : settings_(settings), features_(features), primary_(primary), votes_(votes), kept_(kept) {}

  void take(std::size_t j, const Given& bins) {
    votes_.resize(features_.size());
    votes_[j] = {};
    votes_[j].bins.read(bins.rows, bins.words, bins.count);
    seek(j);
  }

  // Bins of a feature that must be known by value before it can be judged against the others.
  std::vector<std::uint8_t> wanted(std::size_t j) const {
    if (features_[j].kind != Kind::numeric || j == primary_.feature)
      return std::vector<std::uint8_t>(features_[j].size, 0);
    std::vector<double> others;
    for (std::size_t k = 0; k < votes_.size(); ++k)
      if (k != j && k != primary_.feature && votes_[k].stand.surrogate.split.feature >= 0)
        others.push_back(votes_[k].stand.surrogate.agreement);
    std::sort(others.rbegin(), others.rend());
    const std::size_t most = static_cast<std::size_t>(settings_.max_surrogates);
    return wanted_bins(votes_[j], others.size() >= most ? others[most - 1] : 0.0, behind(votes_[j]));
  }

  void open(std::size_t j, const OpenedValues& values, const Given& sums) {
    votes_[j].open(values, sums, features_[j].size);
    seek(j);
  }

  // The best agreeing ones first; ties to the feature that comes first.
  void choose() {
    kept_.clear();
    for (std::size_t j = 0; j < votes_.size(); ++j) {
      const Stand& stand = votes_[j].stand;
      if (j == primary_.feature || stand.surrogate.split.feature < 0) continue;
      auto at = kept_.begin();
      while (at != kept_.end() && !(stand.surrogate.agreement > at->surrogate.agreement)) ++at;
      kept_.insert(at, stand);
      if (kept_.size() > static_cast<std::size_t>(settings_.max_surrogates)) kept_.pop_back();
    }
  }

 private:
  Behind behind(const VoteTable& votes) const {
    Behind found;
    for (int b = 0; b < 2; ++b) found.primary[b] = static_cast<double>(primary_.sent[b]);
    found.of_both = settings_.style != 0;
    found.rpart_quirk = settings_.rpart_quirk;
    votes.sum(found.both, found.rows);
    return found;
  }

  void seek(std::size_t j) {
    VoteTable& votes = votes_[j];
    votes.stand = {};
    if (j == primary_.feature) return;
    const Behind known = behind(votes);
    const bool kept = features_[j].kind == Kind::nominal ? stand_by_level(votes, known) : stand_by_cut(votes, known);
    votes.stand.surrogate.split.feature = kept ? static_cast<std::int32_t>(j) : -1;
  }

  const Settings& settings_;
  const std::vector<Feature>& features_;
  const Primary primary_;
  std::vector<VoteTable>& votes_;
  std::vector<Stand>& kept_;
};

}  // namespace boxwood::sharded

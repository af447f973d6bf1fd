// The best split of a node by distances from quantiles, feature by feature, shared among workers.
// Invariant: the same for any number of workers. Cost: that of search/quantile_scan.hpp.
#pragma once

#include "search/quantile_scan.hpp"

namespace boxwood::coded {

template <class Int>
class QuantileSearch {
 public:
  QuantileSearch(const QuantileLevels& levels, const Rules& rules, const View& view, ThreadPool* pool)
      : rules_(rules), view_(view), pool_(pool), found_(view.columns()), sets_(view.columns()) {
    for (std::size_t m = 0; m < pool_workers(pool); ++m) scans_.emplace_back(levels, rules, view);
  }
  QuantileSearch(const QuantileSearch&) = delete;

  // The best candidates of some features, none when nothing is good enough.
  std::vector<Candidate>& find(const QuantileNode<Int>& node, std::span<const std::int32_t> features) {
    constexpr u32 MANY = 512;  // rows from which features are shared among workers
    const auto one = [&](std::size_t i, int worker) {
      const auto j = static_cast<std::size_t>(features[i]);
      found_[j] = {};
      if (!rules_.may_use(view_.all->place(j), node.stats)) return;
      found_[j] = scans_[static_cast<std::size_t>(worker)].find(node, static_cast<std::int32_t>(j), sets_[j]);
      found_[j].levels = static_cast<std::int32_t>(j);
    };
    share(pool_ && pool_->size() > 1 && node.count > MANY ? pool_ : nullptr, 0, features.size(), one);
    cuts_.clear();
    for (const std::int32_t j : features)
      if (found_[static_cast<std::size_t>(j)].left > 0) cuts_.push_back(found_[static_cast<std::size_t>(j)]);
    sort_by_place(cuts_);
    rules_.choose(cuts_, node.stats, ranking_);
    return ranking_.kept();
  }

  std::vector<LevelBranch>* levels(const Candidate& cut) {
    return cut.groups > 0 ? &sets_[static_cast<std::size_t>(cut.levels)] : nullptr;
  }

 private:
  const Rules& rules_;
  const View& view_;
  ThreadPool* pool_;
  std::vector<QuantileScan<Int>> scans_;  // one a worker
  std::vector<Candidate> found_;
  std::vector<std::vector<LevelBranch>> sets_;
  std::vector<Candidate> cuts_;
  Ranking<Candidate> ranking_;
};

}  // namespace boxwood::coded

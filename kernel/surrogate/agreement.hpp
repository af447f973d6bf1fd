// The search for surrogates in its common form: a feature's values, or bins of them, in order, and how many rows of
// each the split sends to either branch. A surrogate is the cut, or the set of levels, that agrees best with these
// branches. Invariant: agreements are whole weights, compared without rounding; of equal cuts the lowest wins, with at
// least two rows on each side. Cost: a few operations a value. Source: Breiman et al. 1984, 5.3.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "response/node_stats.hpp"
#include "search/level_groups.hpp"
#include "search/split.hpp"

namespace boxwood {

// Rows that know both the split's feature and another one: their weight and number on each branch.
struct BranchCounts {
  std::int64_t weight[2] = {0, 0}, rows[2] = {0, 0};

  BranchCounts& operator+=(const BranchCounts& other) {
    for (int b = 0; b < 2; ++b) weight[b] += other.weight[b], rows[b] += other.rows[b];
    return *this;
  }
  BranchCounts& operator-=(const BranchCounts& other) {
    for (int b = 0; b < 2; ++b) weight[b] -= other.weight[b], rows[b] -= other.rows[b];
    return *this;
  }
  // One row, which counts only where its branch is known.
  void add(std::uint8_t branch, std::int64_t row_weight) {
    if (branch > 1) return;
    weight[branch] += row_weight;
    ++rows[branch];
  }
  std::int64_t count() const { return rows[0] + rows[1]; }
  std::int64_t lead() const { return weight[0] - weight[1]; }
  int heavier() const { return weight[0] > weight[1] ? 0 : 1; }
  // What agrees if all rows are sent to one branch.
  std::int64_t majority() const { return weight[heavier()]; }
};

// How well a split of another feature agrees.
struct Agreement {
  std::int32_t place = 0;  // of the feature in the learning set
  std::int64_t agreed = 0;  // weight of the rows that both splits send to the same branch
  double agreement = 0.0, adjusted = 0.0;
};

// What agreements are shares of. `primary`: weight that the split itself sends to each branch.
struct Rating {
  double primary[2];
  const Settings* settings;  // of style 0: of all rows that the split knows, 1: of those that know both features
  coded::Inherited inherited;  // what the children of the node have

  static Rating of(const Settings& settings, const std::int64_t weight[2], const coded::Inherited& inherited) {
    return {{static_cast<double>(weight[0]), static_cast<double>(weight[1])}, &settings, inherited};
  }
  // Whether a feature may take the place of another one. One with an order may not: among rows without the split's
  // value, a branch would then follow it, and not the order of the means.
  bool may_use(std::int32_t place) const {
    return (settings->monotonic.empty() || settings->monotonic[place] == 0) && inherited.may_use(*settings, place);
  }
  double weight(int branch, const BranchCounts& counts) const {
    return settings->style == 0 ? primary[branch] : static_cast<double>(counts.weight[branch]);
  }
  double whole(const BranchCounts& counts) const { return weight(0, counts) + weight(1, counts); }
  double majority(const BranchCounts& counts) const {
    return std::max(weight(0, counts), weight(1, counts)) / whole(counts);
  }
  double agreement(std::int64_t agreed, const BranchCounts& counts) const {
    return static_cast<double>(agreed) / whole(counts);
  }
  // False when sending all rows to one branch would do as well.
  bool rate(std::int64_t agreed, const BranchCounts& counts, Agreement& out) const {
    out.agreed = agreed;
    const double majority = this->majority(counts);
    out.agreement = agreement(agreed, counts);
    out.adjusted = (out.agreement - majority) / (1 - majority);
    return out.adjusted > BETTER;
  }
  // Nothing that agrees less is rated and has at least such an agreement.
  std::int64_t needed(const BranchCounts& counts, double least) const {
    const double majority = this->majority(counts), share = std::max(least, majority + BETTER * (1 - majority));
    return static_cast<std::int64_t>(share * whole(counts) * (1 - 1e-12)) - 1;
  }

 private:
  static constexpr double BETTER = 1e-10;
};

// Adds one to those that are kept, best first; of equal ones that of the earlier feature comes first.
template <class Rated>
void keep_best(std::vector<Rated>& kept, const Rated& one, std::size_t most) {
  const auto before = [](const Agreement& a, const Agreement& b) {
    return a.agreement != b.agreement ? a.agreement > b.agreement : a.place < b.place;
  };
  kept.insert(std::upper_bound(kept.begin(), kept.end(), one, before), one);
  if (kept.size() > most) kept.pop_back();
}

// Takes a feature's rows in order of value and keeps the lowest of the cuts that agree best. `Place` names a value.
template <class Place>
class AgreementScan {
 public:
  // Only cuts that agree more than `threshold` are found.
  AgreementScan(const BranchCounts& all, std::int64_t threshold)
      : weight_{all.weight[0], all.weight[1]}, last_cut_(all.count() - 2) {
    raise(threshold);
  }

  // The next value; `rows`: those with a branch, `lead`: their weight on branch 0 less that on branch 1.
  // Returns whether a cut before it is the best so far.
  bool next(const Place& at, std::int64_t lead, std::int64_t rows) {
    const bool better = improves();
    if (better) {
      raise(bound({}));
      below = last_;
      above = at;
      flipped = weight_[0] - lead_ > weight_[1] + lead_;
      found = true;
    }
    last_ = at;
    add(lead, rows);
    return better;
  }
  bool next(const Place& at, const BranchCounts& counts) { return next(at, counts.lead(), counts.count()); }
  // Rows of the same value, or such that no cut next to them can be the best.
  void add(std::int64_t lead, std::int64_t rows) {
    lead_ += lead;
    before_ += rows;
  }
  void add(const BranchCounts& counts) { add(counts.lead(), counts.count()); }
  // Whether a cut before the next value is better than all before it.
  bool improves() const { return (lead_ > high_ || lead_ < low_) && before_ >= 2 && before_ <= last_cut_; }
  // No cut inside rows that come next, or beside them, agrees more.
  std::int64_t bound(const BranchCounts& counts) const {
    return std::max(weight_[1] + lead_ + counts.weight[0], weight_[0] - lead_ + counts.weight[1]);
  }
  std::int64_t best() const { return best_; }

  // The values about the best cut: as it is found at once, the one below has rows with a branch.
  Place below{}, above{};
  bool found = false, flipped = false;

 private:
  void raise(std::int64_t threshold) {
    best_ = threshold;
    high_ = threshold - weight_[1];
    low_ = weight_[0] - threshold;
  }

  const std::int64_t weight_[2], last_cut_;  // with so many rows below
  std::int64_t best_, high_, low_;  // the lead of a better cut is above, or below
  std::int64_t lead_ = 0, before_ = 0;
  Place last_{};
};

// Every level goes to its heavier branch, rare ones together; ties to the branch that is heavier in all, then to
// branch 1.
class LevelAgreement {
 public:
  void start() {
    all_ = {};
    levels_.clear();
  }
  // Levels in ascending order; those without rows are left out.
  void add(std::uint32_t level, const BranchCounts& counts) {
    if (counts.count() == 0) return;
    all_ += counts;
    levels_.push_back({level, counts});
  }
  const BranchCounts& all() const { return all_; }

  // What agrees; -1 where a side has less than two rows, or as rpart has it: where less than two rows agree, or
  // disagree. `all_levels`: of the column.
  std::int64_t best(const Settings& settings, std::size_t all_levels, std::vector<LevelBranch>& out) const {
    std::int64_t agreed = 0, sides[2] = {0, 0}, agreeing = 0;
    const std::int64_t least = least_rows_of_level(settings, all_levels);
    BranchCounts rare;
    for (const Level& one : levels_)
      if (one.counts.count() < least) rare += one.counts;
    out.clear();
    for (const auto& [level, counts] : levels_) {
      const BranchCounts& sent = counts.count() < least ? rare : counts;
      const int to = sent.weight[0] == sent.weight[1] ? all_.heavier() : sent.heavier();
      out.push_back({level, to});
      agreed += counts.weight[to];
      agreeing += counts.rows[to];
      sides[to] += counts.count();
    }
    const bool allowed =
        settings.rpart_quirk ? agreeing >= 2 && all_.count() - agreeing >= 2 : sides[0] >= 2 && sides[1] >= 2;
    return allowed ? agreed : -1;
  }

 private:
  struct Level {
    std::uint32_t level;
    BranchCounts counts;
  };

  BranchCounts all_;
  std::vector<Level> levels_;
};

}  // namespace boxwood

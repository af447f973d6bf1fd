// The surrogates of one node's split, from what shards have added up by the branch that each row takes.
// Invariant: those that a search in memory finds: agreement.hpp. Cost: one pass over the entries of a feature.
#pragma once

#include "response/settings.hpp"
#include "shards/table.hpp"
#include "surrogate/agreement.hpp"

namespace boxwood::sharded {

// The branch taken as a response: weight on each branch, then rows on each.
struct BranchTaken {
  static int width() { return 1; }
};
inline i64 weight_of(const BranchTaken&, const SummedEntry& e) { return e.words[0] + e.words[1]; }
inline void read(const BranchTaken&, const SummedEntry& e, BranchCounts* cell) {
  *cell = {{e.words[0], e.words[1]}, {e.words[2], e.words[3]}};
}

struct Surrogate : Agreement {
  std::int32_t feature = -1;
  bool flipped = false;
  End below, above;  // about the cut
  std::vector<LevelBranch> levels;  // of a set of levels, which has no cut
};

struct BranchTable : FeatureTable<BranchCounts> {
  BranchCounts all;
  Surrogate best;
};

class SurrogateSearch {
 public:
  // The split's feature and how agreements are rated; `tables` and `kept` are the node's own, and filled.
  SurrogateSearch(std::size_t feature, const Rating& rating, std::size_t most,
                  const std::vector<FeatureShape>& features, std::vector<BranchTable>& tables,
                  std::vector<Surrogate>& kept)
      : feature_(feature), rating_(rating), most_(most), features_(features), tables_(tables), kept_(kept) {}

  void take(std::size_t j, const Given& bins) {
    tables_.resize(features_.size());
    tables_[j] = {};
    tables_[j].bins.read_all(BranchTaken{}, bins);
    search(j);
  }

  // Bins that must be known by value before a feature is compared with the others: a cut inside, or beside, may be
  // kept.
  std::vector<double> candidate_bins(std::size_t j) const {
    std::vector<double> out(features_[j].size, -1.0);
    if (features_[j].kind != Kind::numeric || j == feature_) return out;
    const BranchTable& table = tables_[j];
    const i64 found = table.best.feature >= 0 ? table.best.agreed : table.all.majority() + 1;
    const i64 least = std::max(rating_.needed(table.all, least_kept(j)), found);
    AgreementScan<End> scan(table.all, least);
    for (std::size_t b = 0; b < table.size(); ++b) {
      const BranchCounts& counts = *table.cell(b);
      if (table.can_open(b) && scan.bound(counts.weight[0], counts.weight[1]) >= least) out[b] = 0.0;
      scan.add(counts.lead(), counts.count());
    }
    return out;
  }

  void open(std::size_t j, const OpenedValues& values, const Given& sums) {
    tables_[j].open(BranchTaken{}, values, sums);
    search(j);
  }

  void choose() {
    kept_.clear();
    for (const BranchTable& table : tables_)
      if (table.best.feature >= 0) keep_best(kept_, table.best, most_);
  }

 private:
  // No surrogate that agrees less is kept beside those of the other features.
  double least_kept(std::size_t j) const {
    std::vector<Surrogate> others;
    for (std::size_t k = 0; k < tables_.size(); ++k)
      if (k != j && tables_[k].best.feature >= 0) keep_best(others, tables_[k].best, most_);
    return others.size() < most_ ? 0.0 : others.back().agreement;
  }

  void search(std::size_t j) {
    BranchTable& table = tables_[j];
    table.best = {};
    if (j == feature_) return;
    const bool found = features_[j].kind == Kind::nominal ? search_levels(table) : search_cuts(table);
    if (found) table.best.place = table.best.feature = static_cast<std::int32_t>(j);
  }

  bool search_cuts(BranchTable& table) const {
    table.all = {};
    for (std::size_t b = 0; b < table.size(); ++b) table.all.add(*table.cell(b));
    AgreementScan<End> scan(table.all, table.all.majority());
    table.each(
        [&](const End& end, i64, i64, const BranchCounts* counts) { scan.next(end, counts->lead(), counts->count()); });
    table.best.below = scan.below;
    table.best.above = scan.above;
    table.best.flipped = scan.flipped;
    return scan.found && rating_.rate(scan.best(), table.all, table.best);
  }

  bool search_levels(BranchTable& table) const {
    LevelAgreement levels;
    levels.start();
    for (std::size_t v = 0; v < table.size(); ++v) levels.add(static_cast<u32>(v), *table.cell(v));
    const i64 agreed = levels.best(rating_.rpart_quirk, table.best.levels);
    return agreed >= 0 && rating_.rate(agreed, levels.all(), table.best);
  }

  const std::size_t feature_;
  const Rating rating_;
  const std::size_t most_;
  const std::vector<FeatureShape>& features_;
  std::vector<BranchTable>& tables_;
  std::vector<Surrogate>& kept_;
};

}  // namespace boxwood::sharded

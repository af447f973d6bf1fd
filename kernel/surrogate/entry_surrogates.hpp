// The surrogates of one node's split from tables of entries by the branch that each row takes, whoever has summed them.
// Invariant: those that a search over rows finds: agreement.hpp. Cost: one pass over the entries of a feature.
#pragma once

#include "search/entry_table.hpp"
#include "surrogate/agreement.hpp"

namespace boxwood::coded {

struct EntrySurrogate : Agreement {
  std::int32_t feature = -1;
  bool flipped = false;  // branch 0 is the upper side
  CutEnd below, above;  // about the cut
  std::vector<LevelBranch> levels;  // of a set of levels, which has no cut
};

struct BranchEntries : EntryTable<BranchCounts> {
  BranchCounts all;
  EntrySurrogate best;
};

class EntrySurrogates {
 public:
  // The split's feature and how agreements are rated; `tables` and `kept` are the node's own, and filled.
  EntrySurrogates(std::size_t feature, const Rating& rating, const std::vector<FeatureShape>& features,
                  std::vector<BranchEntries>& tables, std::vector<EntrySurrogate>& kept)
      : feature_(feature), rating_(rating), features_(features), tables_(tables), kept_(kept) {}

  // A table that is new, or of which more bins are open.
  void search(std::size_t j) {
    BranchEntries& table = tables_[j];
    table.best = {};
    if (!may_use(j)) return;
    const bool found = features_[j].kind == Kind::nominal ? search_levels(table) : search_cuts(table);
    if (found) table.best.place = table.best.feature = static_cast<std::int32_t>(j);
  }

  // Bins that must be known by value before a feature is compared with the others: how well a cut inside, or beside,
  // may agree; negative = none may be kept.
  std::vector<double> candidate_bins(std::size_t j) const {
    std::vector<double> out(features_[j].size, -1.0);
    if (features_[j].kind != Kind::numeric || !may_use(j)) return out;
    const BranchEntries& table = tables_[j];
    const i64 found = table.best.feature >= 0 ? table.best.agreed : table.all.majority() + 1;
    const i64 least = std::max(rating_.needed(table.all, least_kept(j)), found);
    AgreementScan<CutEnd> scan(table.all, least);
    for (std::size_t b = 0; b < table.size(); ++b) {
      const BranchCounts& counts = *table.cell(b);
      const i64 bound = scan.bound(counts);
      if (table.can_open(b) && bound >= least) out[b] = rating_.agreement(bound, table.all);
      scan.add(counts);
    }
    return out;
  }

  void choose() {
    kept_.clear();
    for (const BranchEntries& table : tables_)
      if (table.best.feature >= 0) keep_best(kept_, table.best, most_);
  }

 private:
  // No surrogate that agrees less is kept beside those of the other features.
  double least_kept(std::size_t j) const {
    std::vector<EntrySurrogate> others;
    for (std::size_t k = 0; k < tables_.size(); ++k)
      if (k != j && tables_[k].best.feature >= 0) keep_best(others, tables_[k].best, most_);
    return others.size() < most_ ? 0.0 : others.back().agreement;
  }

  bool search_cuts(BranchEntries& table) const {
    table.all = {};
    for (std::size_t b = 0; b < table.size(); ++b) table.all += *table.cell(b);
    AgreementScan<CutEnd> scan(table.all, table.all.majority());
    table.each([&](const CutEnd& end, i64, i64, const BranchCounts* counts) { scan.next(end, *counts); });
    table.best.below = scan.below;
    table.best.above = scan.above;
    table.best.flipped = scan.flipped;
    return scan.found && rating_.rate(scan.best(), table.all, table.best);
  }

  bool search_levels(BranchEntries& table) const {
    LevelAgreement levels;
    levels.start();
    for (std::size_t v = 0; v < table.size(); ++v) levels.add(static_cast<u32>(v), *table.cell(v));
    const i64 agreed = levels.best(*rating_.settings, table.size(), table.best.levels);
    return agreed >= 0 && rating_.rate(agreed, levels.all(), table.best);
  }

  bool may_use(std::size_t j) const { return j != feature_ && rating_.may_use(static_cast<std::int32_t>(j)); }

  const std::size_t feature_;
  const Rating rating_;
  const std::size_t most_ = static_cast<std::size_t>(rating_.settings->max_surrogates);
  const std::vector<FeatureShape>& features_;
  std::vector<BranchEntries>& tables_;
  std::vector<EntrySurrogate>& kept_;
};

}  // namespace boxwood::coded

// Best split of one node: the candidate of every feature, found from its list, and the ranking.
// Invariant: the result does not depend on which thread searched which feature.
// Cost: one or two passes over the node's list a feature. Source: SPECS 2, 3, 4.1, 4.2, 4.4, 4.5.
#pragma once

#include "multiway/candidates.hpp"

namespace boxwood::multiway {

class Search : public Candidates {
 public:
  Search(const std::vector<Column>& columns, const ResponseColumns& y, const Settings& settings,
         const Information& information, std::size_t n, int threads)
      : Candidates(columns, y, settings, information, n), columns_(columns), scratch_(threads) {}

  // The split of a node, or nothing. `alive`: whether each of its columns may still distinguish samples below.
  std::optional<RankedSplits> split(const Block& block, const NodeWeights& node, std::vector<char>& alive, Team* team,
                                    int member) {
    auto& candidates = scratch_[member].candidates;
    candidates.resize(block.columns.size());
    alive.assign(block.columns.size(), 1);
    share(team, member, candidates.size(), [&](std::size_t slot, int m) {
      alive[slot] = search_feature(block, slot, node, scratch_[m], candidates[slot]);
    });
    return ranked(block.columns, candidates);
  }

 private:
  struct Scratch {
    std::vector<SplitCandidate> candidates;
    std::vector<std::int64_t> known, missing, left;
    LevelTable table;
    Candidates::Scratch branches;
  };

  // Sets the candidate of a feature (-1: none); false when the feature cannot split any descendant either.
  bool search_feature(const Block& block, std::size_t slot, const NodeWeights& node, Scratch& scratch,
                      SplitCandidate& out) const {
    out.feature = -1;
    const std::size_t j = block.columns[slot];
    const Entry* entries = block.list(slot);
    const std::uint32_t count = block.known(slot);
    const bool own = settings().unknown == Unknown::own_branch && count < block.size;
    if (count == 0) return false;
    const bool constant = code_of(entries[0]) == code_of(entries[count - 1]);
    if (constant && !(own && is_multiway(j))) return false;
    out.slot = static_cast<std::uint32_t>(slot);
    out.has_own_branch = own;
    out.group.clear();
    const FeatureRows rows = feature_rows(block, entries, count, node, scratch);
    const bool found = is_multiway(j) ? search_levels(block, j, rows, node, scratch, out)
                                      : search_cut(block, j, rows, node, scratch, out);
    if (found && is_good_enough(out.gain, node)) out.feature = static_cast<std::int32_t>(j);
    return true;
  }

  FeatureRows feature_rows(const Block& block, const Entry* entries, std::uint32_t count, const NodeWeights& node,
                           Scratch& scratch) const {
    scratch.known = node.classes;
    scratch.missing.assign(node.classes.size(), 0);
    for (std::uint32_t i = count; i < block.size; ++i)
      scratch.missing[block.class_of(entries[i])] += block.weight_of(entries[i]);
    std::int64_t weight = node.weight;
    for (int k = 0; k < n_classes(); ++k) {
      scratch.known[k] -= scratch.missing[k];
      weight -= scratch.missing[k];
    }
    return {entries, count, block.size - count, scratch.known.data(), scratch.missing.data(), weight};
  }

  bool search_cut(const Block& block, std::size_t j, const FeatureRows& rows, const NodeWeights& node, Scratch& scratch,
                  SplitCandidate& out) const {
    const Threshold threshold = threshold_of_cuts(node, rows, out.has_own_branch);
    const SampleList list{rows.entries, block, columns_[j]};
    const BestCut cut = CutScan(information(), settings(), list, n_classes(), scratch.left).search(rows, threshold);
    if (cut.found) set_cut(cut, threshold, node, rows, out);
    return cut.found;
  }

  bool search_levels(const Block& block, std::size_t j, const FeatureRows& rows, const NodeWeights& node,
                     Scratch& scratch, SplitCandidate& out) const {
    scratch.table.collect(block, rows.entries, rows.known_rows, n_classes());
    return set_levels(scratch.table, j, rows, node, scratch.branches, out);
  }

  const std::vector<Column>& columns_;
  std::vector<Scratch> scratch_;
};

}  // namespace boxwood::multiway

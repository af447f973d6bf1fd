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
  std::optional<Chosen<SplitCandidate>> split(const Block& block, const NodeWeights& node, std::vector<char>& alive,
                                              Team* team, int member) {
    auto& candidates = scratch_[member].candidates;
    candidates.resize(block.columns.size());
    alive.assign(block.columns.size(), 1);
    share(team, member, candidates.size(), [&](std::size_t slot, int m) {
      alive[slot] = search_feature(block, slot, node, scratch_[m], candidates[slot]);
    });
    return ranked(block.columns, candidates,
                  [&](const SplitCandidate& split) { return split.weights_of(list_of(block, split.slot)); });
  }

 private:
  struct Scratch : Candidates::Scratch {
    std::vector<SplitCandidate> candidates;
    FeatureRows rows;
  };

  SortedList list_of(const Block& block, std::size_t slot) const {
    const Column& column = columns_[block.columns[slot]];
    return {block, block.list(slot), block.known(slot), column.kind == Kind::numeric ? column.values.data() : nullptr};
  }

  bool search_feature(const Block& block, std::size_t slot, const NodeWeights& node, Scratch& scratch,
                      SplitCandidate& out) const {
    out.slot = static_cast<std::uint32_t>(slot);
    const SortedList list = list_of(block, slot);
    FeatureRows& rows = scratch.rows;
    rows.missing_rows = static_cast<std::int64_t>(block.size - list.size());
    rows.missing.assign(node.classes.size(), 0);
    for (std::size_t i = list.size(); i < block.size; ++i)
      rows.missing[block.class_of(list.entries[i])] += block.weight_of(list.entries[i]);
    rows.set_known(node);
    return evaluate(block.columns[slot], list, rows, node, scratch, out);
  }

  const std::vector<Column>& columns_;
  std::vector<Scratch> scratch_;
};

}  // namespace boxwood::multiway

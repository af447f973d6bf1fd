// Best split of one node: what every feature offers, the filter of above-average gains, the ranking.
// Invariant: offers are compared in column order with the tie rule, so the result does not depend on who searched what.
// Cost: one or two passes over the node's list a feature. Source: SPECS 2, 3, 4.1, 4.2, 4.4, 4.5.
#pragma once

#include <optional>

#include "multiway/offers.hpp"

namespace boxwood::multiway {

template <class Measure>
class Search : public Offers<Measure> {
 public:
  Search(const std::vector<Column>& columns, const ResponseColumns& y, const Settings& settings, double unit,
         std::size_t n, int members)
      : Offers<Measure>(columns, y, settings, unit, n), columns_(columns), scratch_(members) {}

  // The split of a node, or nothing. `alive`: whether each of its columns may still tell samples apart below.
  std::optional<Found> split(const Block& block, const Facts& facts, std::vector<char>& alive, Team* team, int member) {
    auto& offers = scratch_[member].offers;
    offers.resize(block.columns.size());
    alive.assign(block.columns.size(), 1);
    const auto ask = [&](std::size_t slot, int m) {
      alive[slot] = look(block, slot, facts, scratch_[m], offers[slot]);
    };
    if (team) {
      team->run(offers.size(), ask);
    } else {
      for (std::size_t slot = 0; slot < offers.size(); ++slot) ask(slot, member);
    }
    auto ranked = this->ranked(block.columns, offers);
    if (ranked.empty()) return std::nullopt;
    Found found;
    found.split = std::move(*ranked[0]);
    for (std::size_t i = 1; i < ranked.size(); ++i) found.competitors.push_back(std::move(*ranked[i]));
    return found;
  }

 private:
  struct Scratch {
    std::vector<Offer> offers;
    std::vector<std::int64_t> known, unknown, left;
    LevelTable table;
    typename Offers<Measure>::Scratch branches;
  };

  // Fills what a feature offers (feature -1: nothing); false when it can offer nothing further down either.
  bool look(const Block& block, std::size_t slot, const Facts& facts, Scratch& scratch, Offer& out) {
    out.feature = -1;
    const std::size_t j = block.columns[slot];
    const Entry* entries = block.list(slot);
    const std::uint32_t count = block.known(slot);
    const bool own = this->settings().unknown == Unknown::own_branch && count < block.size;
    if (count == 0) return false;
    const bool constant = code_of(entries[0]) == code_of(entries[count - 1]);
    if (constant && !(own && this->is_multiway(j))) return false;
    scratch.known = facts.classes;
    scratch.unknown.assign(facts.classes.size(), 0);
    for (std::uint32_t i = count; i < block.size; ++i)
      scratch.unknown[block.class_of(entries[i])] += block.weight_of(entries[i]);
    Known known{entries, count, scratch.known.data(), facts.weight};
    for (int k = 0; k < this->n_classes(); ++k) {
      scratch.known[k] -= scratch.unknown[k];
      known.weight -= scratch.unknown[k];
    }
    out.slot = static_cast<std::uint32_t>(slot);
    out.has_own_branch = own;
    out.group.clear();
    const Gone gone{scratch.unknown.data(), block.size - count};
    const bool offers = this->is_multiway(j) ? offer_levels(block, j, known, gone, facts, scratch, out)
                                             : offer_cut(block, j, known, gone, facts, scratch, out);
    if (offers && this->is_good_enough(out.gain, facts)) out.feature = static_cast<std::int32_t>(j);
    return true;
  }

  bool offer_cut(const Block& block, std::size_t j, const Known& known, const Gone& gone, const Facts& facts,
                 Scratch& scratch, Offer& out) {
    const Bar bar = this->bar_of_cuts(facts, known, gone, out.has_own_branch);
    CutScan<Measure> scan(this->measure(), this->settings(), columns_[j], block, this->n_classes(), scratch.left);
    const Cutting cut = scan.search(known, bar);
    if (cut.found) this->describe_cut(cut, bar, facts, known, out);
    return cut.found;
  }

  bool offer_levels(const Block& block, std::size_t j, const Known& known, const Gone& gone, const Facts& facts,
                    Scratch& scratch, Offer& out) {
    scratch.table.collect(block, known.entries, known.count, this->n_classes());
    return this->judge_levels(scratch.table, j, known, gone, facts, scratch.branches, out);
  }

  const std::vector<Column>& columns_;
  std::vector<Scratch> scratch_;
};

}  // namespace boxwood::multiway

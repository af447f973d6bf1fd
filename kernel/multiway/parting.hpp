// Parts a node's samples among its children; a sample of unknown value may go down every branch with its share.
// Invariant: children number their own samples, lists stay sorted by code; shares are whole and rounded half up,
// so sums of weights do not depend on the order of samples (SPECS 4.3).
// Cost: one pass over each list still in use; with shares one merge more.
#pragma once

#include "multiway/search.hpp"
#include "multiway/whole_share.hpp"

namespace boxwood::multiway {

class Parting {
 public:
  // What the split does to the node: branch of every sample, facts of every child.
  template <class Measure>
  void prepare(const Block& block, const Facts& facts, const Offer& split, const Search<Measure>& search) {
    const Entry* entries = block.list(split.slot);
    known_ = block.known(split.slot);
    const auto n_branches = static_cast<std::size_t>(split.n_branches) + split.has_own_branch;
    const auto k_classes = static_cast<std::size_t>(search.n_classes());
    children.assign(n_branches, Facts{std::vector<std::int64_t>(k_classes, 0), 0, 0, facts.depth + 1});
    branch_.resize(block.size);
    number_.resize(block.size);
    const auto send = [&](std::uint32_t i, std::uint32_t b) {
      branch_[number_of(entries[i])] = b;
      Facts& child = children[b];
      const std::int64_t w = block.weight_of(entries[i]);
      child.classes[static_cast<std::size_t>(block.class_of(entries[i]))] += w;
      child.weight += w;
      ++child.rows;
    };
    for (std::uint32_t i = 0; i < known_; ++i) send(i, split.branch_of(code_of(entries[i])));
    heaviest = 0;
    for (std::size_t b = 1; b < static_cast<std::size_t>(split.n_branches); ++b)
      if (children[b].weight > children[heaviest].weight) heaviest = static_cast<std::uint32_t>(b);
    known_rows_.clear();
    dropped_.clear();
    shares_ = search.settings().unknown == Unknown::fractional && known_ < block.size;
    if (shares_) return share(block, entries);
    const auto last = static_cast<std::uint32_t>(n_branches) - 1;
    for (std::uint32_t i = known_; i < block.size; ++i) send(i, split.has_own_branch ? last : heaviest);
  }

  // Blocks of the wanted children, their classes and weights filled in; lists of `columns` (slots of the parent) to be
  // parted.
  std::vector<Block> make_blocks(const Block& block, const std::vector<std::uint32_t>& slots,
                                 const std::vector<char>& wanted) {
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t slot : slots) columns.push_back(block.columns[slot]);
    std::vector<Block> blocks(children.size());
    for (std::size_t c = 0; c < blocks.size(); ++c)
      if (wanted[c]) blocks[c] = Block(children[c].rows, columns, !block.classes, block.weights != nullptr);
    next_.assign(children.size(), 0);
    for (std::uint32_t s = 0; s < block.size; ++s) {
      const std::uint32_t b = branch_[s];
      if (b == SHARE) continue;
      const std::uint32_t at = next_[b]++;
      number_[s] = at;
      if (!wanted[b]) continue;
      if (block.classes) blocks[b].classes[at] = block.classes[s];
      if (block.weights) blocks[b].weights[at] = block.weights[s];
    }
    if (shares_) fill_shares(block, blocks, wanted);
    return blocks;
  }

  // One column's list, stable, into the wanted children; `slot` of the parent, `place` among the children's columns.
  void part(const Block& block, std::size_t slot, std::size_t place, std::vector<Block>& blocks,
            const std::vector<char>& wanted, std::vector<Entry>& spare) const {
    const Entry* in = block.list(slot);
    if (!shares_ && blocks.size() == 2) return part_in_two(block, in, place, blocks, wanted);
    std::vector<Entry*> out(blocks.size(), nullptr);
    spare.clear();
    for (std::size_t c = 0; c < blocks.size(); ++c)
      if (wanted[c]) out[c] = blocks[c].list(place) + (shares_ ? children[c].rows - known_rows_[c] : 0);
    for (std::uint32_t i = 0; i < block.size; ++i) {
      const std::uint32_t s = number_of(in[i]), b = branch_[s];
      if (b == SHARE) {
        spare.push_back(renumbered(in[i], number_[s]));
      } else if (wanted[b]) {
        *out[b]++ = renumbered(in[i], number_[s]);
      }
    }
    if (!shares_) return;
    for (std::size_t c = 0; c < blocks.size(); ++c)
      if (wanted[c] && children[c].rows > known_rows_[c]) merge(spare, blocks[c].list(place), c);
  }

  std::vector<Facts> children;
  std::uint32_t heaviest = 0;

 private:
  static constexpr std::uint32_t SHARE = MISSING;  // branch of a sample that goes down all of them

  static Entry renumbered(Entry e, std::uint32_t number) { return (e & ~static_cast<Entry>(NUMBER)) | number; }

  // Facts of the children with the shares of unknown samples; which shares are nothing.
  void share(const Block& block, const Entry* entries) {
    std::int64_t whole = 0;
    for (const Facts& child : children) {
      known_rows_.push_back(child.rows);
      parts_.resize(known_rows_.size());
      parts_[known_rows_.size() - 1] = child.weight;
      whole += child.weight;
    }
    unknown_.clear();
    for (std::uint32_t i = known_; i < block.size; ++i) {
      const std::uint32_t s = number_of(entries[i]);
      branch_[s] = SHARE;
      unknown_.push_back({s, block.class_of(entries[i]), block.weight_of(entries[i])});
    }
    std::sort(unknown_.begin(), unknown_.end(),
              [](const Unknown_& a, const Unknown_& b) { return a.sample < b.sample; });
    for (std::size_t u = 0; u < unknown_.size(); ++u) number_[unknown_[u].sample] = static_cast<std::uint32_t>(u);
    whole_ = whole;
    dropped_.resize(children.size());
    for (std::size_t c = 0; c < children.size(); ++c) {
      dropped_[c].clear();
      if (parts_[c] == 0) continue;
      Facts& child = children[c];
      for (std::size_t u = 0; u < unknown_.size(); ++u) {
        const std::int64_t w = share_of(unknown_[u].weight, parts_[c], whole);
        child.classes[static_cast<std::size_t>(unknown_[u].label)] += w;
        child.weight += w;
        child.rows += w > 0;
        if (w == 0) dropped_[c].push_back(static_cast<std::uint32_t>(u));
      }
      if (child.rows > NUMBER)
        throw std::length_error("a node has more than 2**31 samples; use missing='majority' or fewer rows");
    }
  }

  void fill_shares(const Block& block, std::vector<Block>& blocks, const std::vector<char>& wanted) const {
    for (std::size_t c = 0; c < blocks.size(); ++c) {
      if (!wanted[c] || parts_[c] == 0) continue;
      std::uint32_t at = known_rows_[c];
      for (const Unknown_& u : unknown_) {
        const std::int64_t w = share_of(u.weight, parts_[c], whole_);
        if (w == 0) continue;
        if (block.classes) blocks[c].classes[at] = u.label;
        blocks[c].weights[at++] = w;
      }
    }
  }

  // The known part of a child's list stands at its end; shared entries (numbered among the unknown) are merged in from
  // the front.
  void merge(const std::vector<Entry>& spare, Entry* list, std::size_t c) const {
    const Entry* known = list + (children[c].rows - known_rows_[c]);
    const Entry* end = list + children[c].rows;
    Entry* out = list;
    const auto& dropped = dropped_[c];
    for (const Entry e : spare) {
      const std::uint32_t u = number_of(e);
      std::uint32_t before = 0;
      if (!dropped.empty()) {
        const auto at = std::lower_bound(dropped.begin(), dropped.end(), u);
        if (at != dropped.end() && *at == u) continue;
        before = static_cast<std::uint32_t>(at - dropped.begin());
      }
      while (known != end && code_of(*known) <= code_of(e)) *out++ = *known++;
      *out++ = renumbered(e, known_rows_[c] + u - before);
    }
    // What is left of the known part stands in its place.
  }

  // Without a jump: every entry is written to both children, and stays in the one it belongs to.
  void part_in_two(const Block& block, const Entry* in, std::size_t place, std::vector<Block>& blocks,
                   const std::vector<char>& wanted) const {
    if (!wanted[0] || !wanted[1]) {
      const std::uint32_t kept = wanted[0] ? 0 : 1;
      Entry* out = blocks[kept].list(place);
      for (std::uint32_t i = 0; i < block.size; ++i) {
        const std::uint32_t s = number_of(in[i]);
        if (branch_[s] == kept) *out++ = renumbered(in[i], number_[s]);
      }
      return;
    }
    Entry* low = blocks[0].list(place);
    Entry* high = blocks[1].list(place);
    for (std::uint32_t i = 0; i < block.size; ++i) {
      const std::uint32_t s = number_of(in[i]), b = branch_[s];
      Entry* out = b ? high : low;
      *out = renumbered(in[i], number_[s]);
      high += b;
      low += 1 - b;
    }
  }

  struct Unknown_ {
    std::uint32_t sample;
    std::int32_t label;
    std::int64_t weight;
  };

  std::uint32_t known_ = 0;
  bool shares_ = false;
  std::int64_t whole_ = 0;
  std::vector<std::uint32_t> branch_, number_, next_, known_rows_;
  std::vector<std::int64_t> parts_;
  std::vector<Unknown_> unknown_;
  std::vector<std::vector<std::uint32_t>> dropped_;
};

}  // namespace boxwood::multiway

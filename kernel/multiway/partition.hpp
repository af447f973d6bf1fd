// Partitions a node's samples among its children; a sample of unknown value may go down every branch with its share.
// Invariant: children number their own samples, lists stay sorted by code; shares are whole and rounded half up,
// so sums of weights do not depend on the order of samples (SPECS 4.3).
// Cost: one pass over each list still in use; with shares one merge more.
#pragma once

#include "multiway/search.hpp"
#include "multiway/whole_share.hpp"

namespace boxwood::multiway {

class Partition {
 public:
  // Buffers of one thread.
  struct Scratch {
    std::vector<Entry*> out;
    std::vector<std::uint32_t> step;
    std::vector<Entry> shared;
  };

  // Finds the branch of every sample and the weights of every child.
  void prepare(const Block& block, const NodeWeights& node, const SplitCandidate& split, const Search& search) {
    const Entry* entries = block.list(split.slot);
    const std::uint32_t known = block.known(split.slot);
    const auto n_branches = static_cast<std::size_t>(split.n_branches) + split.has_own_branch;
    const auto k_classes = static_cast<std::size_t>(search.n_classes());
    children.assign(n_branches, NodeWeights{std::vector<std::int64_t>(k_classes, 0), 0, 0, node.depth + 1});
    target_.resize(block.size);
    const auto assign = [&](std::uint32_t i, std::uint32_t b) {
      target_[number_of(entries[i])].branch = b;
      NodeWeights& child = children[b];
      const std::int64_t w = block.weight_of(entries[i]);
      child.classes[static_cast<std::size_t>(block.class_of(entries[i]))] += w;
      child.weight += w;
      ++child.rows;
    };
    for (std::uint32_t i = 0; i < known; ++i) assign(i, split.branch_of(code_of(entries[i])));
    const bool shares = search.settings().unknown == Unknown::fractional;
    const auto branch = static_cast<std::uint32_t>(split.has_own_branch ? n_branches - 1 : heaviest(split.n_branches));
    for (std::uint32_t i = known; i < block.size && !shares; ++i) assign(i, branch);
    known_.clear();
    for (const NodeWeights& child : children) known_.push_back({child.rows, child.weight});
    unknown_.clear();
    if (shares) share_unknown(block, entries, known);
  }

  // Blocks of the open children, their classes and weights filled in; lists for the columns in `slots` of the parent.
  std::vector<Block> make_blocks(const Block& block, const std::vector<std::uint32_t>& slots,
                                 const std::vector<char>& open) {
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t slot : slots) columns.push_back(block.columns[slot]);
    std::vector<Block> blocks(children.size());
    for (std::size_t c = 0; c < blocks.size(); ++c)
      if (open[c]) blocks[c] = Block(children[c].rows, columns, !block.classes, block.weights != nullptr);
    next_.assign(children.size(), 0);
    for (std::uint32_t s = 0; s < block.size; ++s) {
      const std::uint32_t b = target_[s].branch;
      if (b == children.size()) continue;
      const std::uint32_t at = target_[s].number = next_[b]++;
      if (!open[b]) continue;
      if (block.classes) blocks[b].classes[at] = block.classes[s];
      if (block.weights) blocks[b].weights[at] = block.weights[s];
    }
    if (!unknown_.empty()) fill_shares(block, blocks, open);
    return blocks;
  }

  // One column's list, stable, into the open children; `slot` of the parent, `place` among the children's columns.
  // Without a jump: entries of closed children are all written to one place that nobody reads.
  void split_list(const Block& block, std::size_t slot, std::size_t place, std::vector<Block>& blocks,
                  const std::vector<char>& open, Scratch& scratch) const {
    const std::size_t n = blocks.size();
    const Entry* in = block.list(slot);
    Entry unread = 0;
    if (n == 2 && unknown_.empty())
      return split_in_two(block, in, open[0] ? blocks[0].list(place) : &unread,
                          open[1] ? blocks[1].list(place) : &unread, open[0], open[1]);
    scratch.out.assign(n + 1, &unread);
    scratch.step.assign(n + 1, 0);
    for (std::size_t c = 0; c < n; ++c) {
      if (!open[c]) continue;
      scratch.out[c] = blocks[c].list(place) + (children[c].rows - known_[c].rows);
      scratch.step[c] = 1;
    }
    scratch.shared.resize(unknown_.size());
    scratch.out[n] = scratch.shared.data();
    scratch.step[n] = 1;
    Entry** out = scratch.out.data();
    const std::uint32_t* step = scratch.step.data();
    for (std::uint32_t i = 0; i < block.size; ++i) {
      const Target to = target_[number_of(in[i])];
      *out[to.branch] = renumbered(in[i], to.number);
      out[to.branch] += step[to.branch];
    }
    for (std::size_t c = 0; c < n; ++c)
      if (open[c] && children[c].rows > known_[c].rows) merge(scratch.shared, blocks[c].list(place), c);
  }

  std::vector<NodeWeights> children;

 private:
  // The branch of a sample and its number there; branch = number of children: all of them.
  struct Target {
    std::uint32_t branch, number;
  };
  struct KnownPart {  // of a child: samples that go there whole
    std::uint32_t rows;
    std::int64_t weight;
  };
  struct UnknownSample {
    std::uint32_t sample;
    std::int32_t label;
    std::int64_t weight;
  };

  static Entry renumbered(Entry e, std::uint32_t number) { return (e & ~static_cast<Entry>(NUMBER)) | number; }

  // The same for two branches, in registers.
  void split_in_two(const Block& block, const Entry* in, Entry* low, Entry* high, std::uint32_t low_step,
                    std::uint32_t high_step) const {
    for (std::uint32_t i = 0; i < block.size; ++i) {
      const Target to = target_[number_of(in[i])];
      *(to.branch ? high : low) = renumbered(in[i], to.number);
      high += to.branch & high_step;
      low += (to.branch ^ 1) & low_step;
    }
  }

  std::size_t heaviest(std::int32_t n_branches) const {
    const auto lighter = [](const NodeWeights& a, const NodeWeights& b) { return a.weight < b.weight; };
    return static_cast<std::size_t>(std::max_element(children.begin(), children.begin() + n_branches, lighter) -
                                    children.begin());
  }

  // Adds the shares of unknown samples to the children; a share may be nothing.
  void share_unknown(const Block& block, const Entry* entries, std::uint32_t known) {
    for (std::uint32_t i = known; i < block.size; ++i) {
      const std::uint32_t s = number_of(entries[i]);
      target_[s].branch = static_cast<std::uint32_t>(children.size());
      unknown_.push_back({s, block.class_of(entries[i]), block.weight_of(entries[i])});
    }
    std::sort(unknown_.begin(), unknown_.end(),
              [](const UnknownSample& a, const UnknownSample& b) { return a.sample < b.sample; });
    for (std::size_t u = 0; u < unknown_.size(); ++u)
      target_[unknown_[u].sample].number = static_cast<std::uint32_t>(u);
    whole_ = 0;
    for (const KnownPart& part : known_) whole_ += part.weight;
    dropped_.assign(children.size(), {});
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (known_[c].weight == 0) continue;
      NodeWeights& child = children[c];
      for (std::size_t u = 0; u < unknown_.size(); ++u) {
        const std::int64_t w = share_of(unknown_[u].weight, known_[c].weight, whole_);
        child.classes[static_cast<std::size_t>(unknown_[u].label)] += w;
        child.weight += w;
        child.rows += w > 0;
        if (w == 0) dropped_[c].push_back(static_cast<std::uint32_t>(u));
      }
      if (child.rows > NUMBER)
        throw std::length_error("a node has more than 2**31 samples; use missing='majority' or fewer rows");
    }
  }

  void fill_shares(const Block& block, std::vector<Block>& blocks, const std::vector<char>& open) const {
    for (std::size_t c = 0; c < blocks.size(); ++c) {
      if (!open[c] || known_[c].weight == 0) continue;
      std::uint32_t at = known_[c].rows;
      for (const UnknownSample& u : unknown_) {
        const std::int64_t w = share_of(u.weight, known_[c].weight, whole_);
        if (w == 0) continue;
        if (block.classes) blocks[c].classes[at] = u.label;
        blocks[c].weights[at++] = w;
      }
    }
  }

  // The known part of a child's list is at its end; shared entries (numbered among the unknown) are merged in from the
  // front.
  void merge(const std::vector<Entry>& shared, Entry* list, std::size_t c) const {
    const Entry* known = list + (children[c].rows - known_[c].rows);
    const Entry* end = list + children[c].rows;
    Entry* out = list;
    const auto& dropped = dropped_[c];
    for (const Entry e : shared) {
      const std::uint32_t u = number_of(e);
      const auto at = std::lower_bound(dropped.begin(), dropped.end(), u);
      if (at != dropped.end() && *at == u) continue;
      while (known != end && code_of(*known) <= code_of(e)) *out++ = *known++;
      *out++ = renumbered(e, known_[c].rows + u - static_cast<std::uint32_t>(at - dropped.begin()));
    }
    // The rest of the known part is in its place already.
  }

  std::int64_t whole_ = 0;
  std::vector<Target> target_;
  std::vector<std::uint32_t> next_;
  std::vector<KnownPart> known_;
  std::vector<UnknownSample> unknown_;
  std::vector<std::vector<std::uint32_t>> dropped_;  // of each child: unknown samples whose share is nothing
};

}  // namespace boxwood::multiway

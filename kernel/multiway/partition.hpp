// Partitions a node's samples among its children; a sample of unknown value may go down every branch with its share.
// Invariant: children number their own samples, lists stay sorted by code; shares are whole and rounded half up,
// so sums of weights do not depend on the order of samples (docs/c45.md).
// Cost: one pass over each list still in use.
#pragma once

#include "multiway/candidates.hpp"
#include "multiway/whole_share.hpp"

namespace boxwood::multiway {

class Partition {
 public:
  // Where the next entry of a child's list is written; `step` 0: over the last one.
  struct Next {
    Entry* at;
    std::uint32_t step;
    void put(Entry e) {
      *at = e;
      at += step;
    }
  };

  // Finds the branch of every sample and the weights of every child.
  void prepare(const Block& block, const NodeWeights& node, const Chosen<SplitCandidate>& found, int n_classes) {
    const Entry* entries = block.list(found.split.slot);
    const std::uint32_t known = block.known(found.split.slot);
    const auto n_children = static_cast<std::size_t>(found.n_children);
    children.assign(n_children,
                    {std::vector<std::int64_t>(static_cast<std::size_t>(n_classes), 0), 0, 0, node.depth + 1});
    target_.resize(block.size);
    const auto assign = [&](std::uint32_t i, std::uint32_t b) {
      target_[number_of(entries[i])].branch = b;
      NodeWeights& child = children[b];
      const std::int64_t w = block.weight_of(entries[i]);
      child.classes[static_cast<std::size_t>(block.class_of(entries[i]))] += w;
      child.weight += w;
      ++child.rows;
    };
    for (std::uint32_t i = 0; i < known; ++i) assign(i, found.split.branch_of(code_of(entries[i])));
    const bool shares = found.missing == SHARED;
    for (std::uint32_t i = known; i < block.size && !shares; ++i) assign(i, static_cast<std::uint32_t>(found.missing));
    unknown_.clear();
    if (shares) share_unknown(block, entries, known);
  }

  // Blocks of the open children, classes and weights filled in; lists for the columns in `slots` of the parent.
  std::vector<Block> make_blocks(const Block& block, const std::vector<std::uint32_t>& slots,
                                 const std::vector<std::uint32_t>& open) {
    open_ = open;
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t slot : slots) columns.push_back(block.columns[slot]);
    const auto n_open = static_cast<std::uint32_t>(open.size());
    place_.assign(children.size() + 1, n_open);
    place_.back() = SHARED_OUT;
    std::vector<Block> blocks;
    for (const std::uint32_t c : open) {
      place_[c] = static_cast<std::uint32_t>(blocks.size());
      blocks.emplace_back(static_cast<std::uint32_t>(children[c].rows), columns, !block.classes,
                          block.weights != nullptr);
      if (unknown_.empty())
        blocks.back().memory = block.memory;
      else
        blocks.back().own_memory();
    }
    next_.assign(n_open, 0);
    for (std::uint32_t s = 0; s < block.size; ++s) {
      const std::uint32_t b = target_[s].branch = place_[target_[s].branch];
      if (b >= n_open) continue;
      const std::uint32_t at = target_[s].number = next_[b]++;
      if (block.classes) blocks[b].classes[at] = block.classes[s];
      if (block.weights) blocks[b].weights[at] = block.weights[s];
    }
    if (!unknown_.empty()) fill_shares(block, blocks);
    return blocks;
  }

  // One worker's memory for splitting lists.
  struct Buffers {
    std::vector<Next> out;
    std::vector<Entry> waiting;
  };

  // One column's list, stable, into the open children; `slot` of the parent, `place` among the children's columns.
  // Without a jump: entries of closed children are all written to one place that nobody reads.
  void split_list(Block& block, std::size_t slot, std::size_t place, std::vector<Block>& blocks,
                  Buffers& buffers) const {
    auto& out = buffers.out;
    Entry* const in = block.lists[slot];
    Entry unread = 0;
    out.clear();
    if (unknown_.empty()) return split_in_place(block, in, place, blocks, buffers);
    for (Block& to : blocks) out.push_back({to.new_list(place), 1});
    out.push_back({&unread, 0});
    for (std::uint32_t i = 0; i < block.size; ++i) {
      const Target to = target_[number_of(in[i])];
      if (to.branch != SHARED_OUT) {
        out[to.branch].put(renumbered(in[i], to.number));
        continue;
      }
      for (std::size_t c = 0; c < blocks.size(); ++c)
        if (const std::uint32_t number = numbers_[open_[c]][to.number]; number != NOWHERE)
          out[c].put(renumbered(in[i], number));
    }
    if (block.is_owner) (*block.memory)[slot].reset();  // it is not needed below
  }

  std::vector<NodeWeights> children;

 private:
  static constexpr std::uint32_t NOWHERE = 0xFFFFFFFFu, SHARED_OUT = 0xFFFFFFFFu;

  // The branch of a sample and its number there; branch = number of children: all of them, and its number among the
  // unknown samples. From make_blocks on the open child, their number for any closed one, or SHARED_OUT.
  struct Target {
    std::uint32_t branch, number;
  };
  struct UnknownSample {
    std::uint32_t sample;
    std::int32_t label;
    std::int64_t weight;
  };

  static Entry renumbered(Entry e, std::uint32_t number) { return (e & ~static_cast<Entry>(NUMBER)) | number; }

  // Children one after the other where the parent stood: the first one is written over what has been read, the others
  // wait until all is read.
  void split_in_place(const Block& block, Entry* in, std::size_t place, std::vector<Block>& blocks,
                      Buffers& buffers) const {
    auto& [out, waiting] = buffers;
    if (waiting.size() < block.size) waiting.resize(block.size);
    Entry unread = 0, *to = in, *wait = waiting.data();
    const std::size_t first = blocks[0].size;
    for (Block& child : blocks) {
      out.push_back({to == in ? in : wait, 1});
      if (to != in) wait += child.size;
      child.lists[place] = std::exchange(to, to + child.size);
    }
    out.push_back({&unread, 0});
    if (blocks.size() == 1 || children.size() == 2)
      split_in_two(block, in, out[0], out[1]);
    else
      for (std::uint32_t i = 0; i < block.size; ++i) {
        const Target target = target_[number_of(in[i])];
        out[target.branch].put(renumbered(in[i], target.number));
      }
    std::copy(waiting.data(), wait, in + first);
  }

  // The same for two branches, or one that is read, in registers.
  void split_in_two(const Block& block, const Entry* in, Next low, Next high) const {
    for (std::uint32_t i = 0; i < block.size; ++i) {
      const Target to = target_[number_of(in[i])];
      *(to.branch ? high.at : low.at) = renumbered(in[i], to.number);
      high.at += to.branch & high.step;
      low.at += (to.branch ^ 1) & low.step;
    }
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
    known_weight_.clear();
    for (const NodeWeights& child : children) {
      known_weight_.push_back(child.weight);
      whole_ += child.weight;
    }
    numbers_.assign(children.size(), {});
    for (std::size_t c = 0; c < children.size(); ++c) {
      NodeWeights& child = children[c];
      if (child.weight == 0) continue;
      numbers_[c].assign(unknown_.size(), NOWHERE);
      for (std::size_t u = 0; u < unknown_.size(); ++u) {
        const std::int64_t w = share_of(unknown_[u].weight, known_weight_[c], whole_);
        if (w == 0) continue;
        numbers_[c][u] = static_cast<std::uint32_t>(child.rows++);
        child.classes[static_cast<std::size_t>(unknown_[u].label)] += w;
        child.weight += w;
      }
      if (child.rows > NUMBER)
        throw std::length_error("a node has more than 2**31 samples; use missing='majority' or fewer rows");
    }
  }

  void fill_shares(const Block& block, std::vector<Block>& blocks) const {
    for (std::size_t c = 0; c < blocks.size(); ++c) {
      for (std::size_t u = 0; u < unknown_.size(); ++u) {
        const std::uint32_t at = numbers_[open_[c]][u];
        if (at == NOWHERE) continue;
        if (block.classes) blocks[c].classes[at] = unknown_[u].label;
        blocks[c].weights[at] = share_of(unknown_[u].weight, known_weight_[open_[c]], whole_);
      }
    }
  }

  std::int64_t whole_ = 0;
  std::vector<Target> target_;
  std::vector<std::uint32_t> open_, place_, next_;  // numbers of open children; place of each child among these
  std::vector<std::int64_t> known_weight_;  // of each child: of the samples that go there whole
  std::vector<UnknownSample> unknown_;
  std::vector<std::vector<std::uint32_t>>
      numbers_;  // of each child with samples: of the unknown ones; NOWHERE: no share
};

}  // namespace boxwood::multiway

// The samples of a learning set: (row, weight) entries, every column's kept sorted by code within each node.
// Invariant: the node [begin, begin + count) owns that stretch of every column's list and of the id list, missing
// values last; a node at even depth lies in buffer 0, at odd depth in buffer 1, so children are written beside their
// parent, never over it. Cost: 16 bytes a row and feature. Source: SPRINT (Shafer et al. 1996), attribute lists, here
// with a shared side array.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "encode/columns.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood {

// code in the upper half, sample in the lower: one 8-byte load tells both.
using Entry = std::uint64_t;
inline std::uint32_t code_of(Entry e) { return static_cast<std::uint32_t>(e >> 32); }
inline std::uint32_t sample_of(Entry e) { return static_cast<std::uint32_t>(e); }

struct Node {
  std::uint32_t begin = 0, count = 0;
  std::int32_t depth = 0;
};

class Samples {
 public:
  // `rows`: the rows taken, ascending; sample s is row rows[s]. Every list keeps its column's order.
  Samples(const std::vector<Column>& columns, std::vector<std::uint32_t> rows, std::size_t n_rows)
      : columns_(columns), rows_(std::move(rows)), n_(rows_.size()), branch_(n_) {
    for (int side = 0; side < 2; ++side) {
      lists_[side] = std::unique_ptr<Entry[]>(new Entry[columns.size() * n_]);
      ids_[side] = std::unique_ptr<std::uint32_t[]>(new std::uint32_t[n_]);
    }
    if (n_ != n_rows) {
      sample_.assign(n_rows, MISSING);
      for (std::size_t s = 0; s < n_; ++s) sample_[rows_[s]] = static_cast<std::uint32_t>(s);
    }
  }

  void start(Team& team) {
    for (std::size_t s = 0; s < n_; ++s) ids_[0][s] = static_cast<std::uint32_t>(s);
    team.run(columns_.size(), [this](std::size_t j, int) {
      Entry* out = list(j, 0);
      const Column& column = columns_[j];
      for (const std::uint32_t row : column.order) {
        const std::uint32_t s = sample_.empty() ? row : sample_[row];
        if (s == MISSING) continue;
        *out++ = static_cast<Entry>(column.codes[row]) << 32 | s;
      }
    });
  }

  std::size_t size() const { return n_; }
  std::size_t n_columns() const { return columns_.size(); }
  const Column& column(std::size_t j) const { return columns_[j]; }
  std::uint32_t code(std::size_t j, std::uint32_t s) const { return columns_[j].codes[rows_[s]]; }

  Entry* list(std::size_t j, int side) { return lists_[side].get() + j * n_; }
  const Entry* entries(std::size_t j, const Node& node) const {
    return lists_[node.depth & 1].get() + j * n_ + node.begin;
  }
  const std::uint32_t* ids(const Node& node) const { return ids_[node.depth & 1].get() + node.begin; }
  // Number of entries with a known value; missing ones come last.
  std::uint32_t known(std::size_t j, const Node& node) const {
    const Entry* first = entries(j, node);
    if (node.count == 0 || code_of(first[node.count - 1]) != MISSING) return node.count;
    const Entry bar = static_cast<Entry>(MISSING) << 32;
    return static_cast<std::uint32_t>(
        std::lower_bound(first, first + node.count, bar, [](Entry e, Entry b) { return (e >> 32) < (b >> 32); }) -
        first);
  }

  // The branch each sample of a node takes while that node is routed; STAY = it goes nowhere.
  static constexpr std::uint8_t STAY = 255, UNKNOWN = 254;
  std::uint8_t* branch() { return branch_.data(); }
  const std::uint8_t* branch() const { return branch_.data(); }

  // Writes the ids of a node's children beside it; returns the children's stretches.
  std::vector<Node> part_ids(const Node& node, int n_branches) {
    std::vector<Node> children(n_branches);
    const std::uint32_t* in = ids(node);
    for (std::uint32_t i = 0; i < node.count; ++i)
      if (branch_[in[i]] != STAY) ++children[branch_[in[i]]].count;
    std::uint32_t at = node.begin;
    std::vector<std::uint32_t*> out(n_branches);
    for (int c = 0; c < n_branches; ++c) {
      children[c].begin = at;
      children[c].depth = node.depth + 1;
      out[c] = ids_[children[c].depth & 1].get() + at;
      at += children[c].count;
    }
    for (std::uint32_t i = 0; i < node.count; ++i)
      if (branch_[in[i]] != STAY) *out[branch_[in[i]]]++ = in[i];
    return children;
  }

  // Gives a stretch to a node of these samples; returns where its entries belong, for each column.
  std::vector<Entry*> room_for(const Node& node, const std::vector<std::uint32_t>& samples) {
    std::copy(samples.begin(), samples.end(), ids_[node.depth & 1].get() + node.begin);
    std::vector<Entry*> room;
    for (std::size_t j = 0; j < columns_.size(); ++j) room.push_back(list(j, node.depth & 1) + node.begin);
    return room;
  }

  // Stable partition of one column's list among the children that are wanted.
  void part_column(std::size_t j, const Node& node, const std::vector<Node>& children,
                   const std::vector<char>& wanted) {
    const Entry* in = entries(j, node);
    Entry* base = list(j, (node.depth + 1) & 1);
    if (children.size() == 2 && wanted[0] && wanted[1] && children[0].count + children[1].count == node.count) {
      // Without a jump: entry i goes to place `below` of the lower child, or to place i - below of the upper one.
      Entry* out = base + children[0].begin;
      const std::size_t gap = children[1].begin - children[0].begin;
      for (std::size_t i = 0, below = 0; i < node.count; ++i) {
        const std::size_t c = branch_[sample_of(in[i])];
        out[below + ((gap + i - 2 * below) & (0 - c))] = in[i];
        below += 1 - c;
      }
      return;
    }
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (!wanted[c]) continue;
      Entry* out = base + children[c].begin;
      for (std::uint32_t i = 0; i < node.count; ++i)
        if (branch_[sample_of(in[i])] == c) *out++ = in[i];
    }
  }

 private:
  const std::vector<Column>& columns_;
  std::vector<std::uint32_t> rows_, sample_;
  std::size_t n_;
  std::unique_ptr<Entry[]> lists_[2];
  std::unique_ptr<std::uint32_t[]> ids_[2];
  std::vector<std::uint8_t> branch_;
};

}  // namespace boxwood

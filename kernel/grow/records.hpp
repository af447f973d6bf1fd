// Nodes as they are grown, in the order they were met; put into level order at the end.
// Invariant: the two children of a record stand next to each other; a subtree's record 0 is its root.
// Cost: about 60 bytes a node and its moments.
#pragma once

#include <cmath>
#include <vector>

#include "grow/grown_nodes.hpp"
#include "search/rows_view.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

constexpr u32 NO_ROW = 0xFFFFFFFFu;

struct Records {
  // One line of the cache.
  struct Node {
    std::int32_t first_child = -1, feature = -1;
    std::int32_t n_levels = 0;  // of a set of levels
    std::int32_t n_surrogates = 0;
    std::size_t first_level = 0, first_surrogate = 0;
    u32 rows = 0;
    u32 below = NO_ROW, above = NO_ROW;  // rows whose values are about the cut, read when all nodes are known
    std::int16_t missing = STAYS;
    std::uint8_t n_children = 0, heuristic = 0;
    double cut = 0.0, score = std::numeric_limits<double>::quiet_NaN();
  };
  static_assert(sizeof(Node) == 64);
  std::vector<Node> nodes;
  std::vector<double> moments;
  std::vector<LevelBranch> levels;
  std::vector<Surrogate> surrogates;

  std::int32_t size() const { return static_cast<std::int32_t>(nodes.size()); }
};

// The same records level by level, so that they are read in order when the tree is put together.
inline Records level_by_level(Records from) {
  constexpr std::size_t AHEAD = 16;
  const std::size_t n = from.nodes.size(), width = from.moments.size() / n;
  Records out;
  out.nodes.reserve(n);
  out.moments.reserve(from.moments.size());
  const auto take = [&](std::size_t record) {
    out.nodes.push_back(from.nodes[record]);
    const double* moments = &from.moments[record * width];
    for (std::size_t k = 0; k < width; ++k) out.moments.push_back(moments[k]);
  };
  take(0);
  for (std::size_t t = 0; t < out.nodes.size(); ++t) {
    if (t + AHEAD < out.nodes.size() && out.nodes[t + AHEAD].first_child >= 0) {
      const auto next = static_cast<std::size_t>(out.nodes[t + AHEAD].first_child);
      __builtin_prefetch(&from.nodes[next]);
      __builtin_prefetch(&from.nodes[next + 1]);
      __builtin_prefetch(&from.moments[next * width]);
    }
    const std::int32_t first = out.nodes[t].first_child;
    if (first < 0) continue;
    out.nodes[t].first_child = static_cast<std::int32_t>(out.nodes.size());
    for (int c = 0; c < out.nodes[t].n_children; ++c)
      take(static_cast<std::size_t>(first) + static_cast<std::size_t>(c));
  }
  out.levels = std::move(from.levels);
  out.surrogates = std::move(from.surrogates);
  return out;
}

// Where node t of the tree stands among the records, and where what belongs to it stands among the tree's arrays.
struct Place {
  const Records* in;
  std::int32_t record, parent;
  std::int32_t first_child = -1, breaks = 0, index = 0;
  std::int32_t surrogates = 0, surrogate_breaks = 0, surrogate_index = 0;
};

// Subtree b continues record below[b] of the top.
inline std::vector<Place> breadth_first(const Records& top, const std::vector<std::int32_t>& below,
                                        const std::vector<Records>& subtrees) {
  std::vector<std::int32_t> subtree_of(top.nodes.size(), -1);
  std::size_t total = top.nodes.size();
  for (std::size_t b = 0; b < below.size(); ++b) {
    subtree_of[below[b]] = static_cast<std::int32_t>(b);
    total += subtrees[b].nodes.size() - 1;
  }
  std::vector<Place> order;
  order.reserve(total);
  const auto settled = [&](const Records* in, std::int32_t record, std::int32_t parent) {
    if (in == &top && subtree_of[record] >= 0) return Place{&subtrees[subtree_of[record]], 0, parent};
    return Place{in, record, parent};
  };
  order.push_back(settled(&top, 0, -1));
  std::int64_t breaks = 0, index = 0, surrogates = 0, surrogate_breaks = 0, surrogate_index = 0;
  for (std::size_t t = 0; t < order.size(); ++t) {
    const Records* in = order[t].in;
    const Records::Node& node = in->nodes[order[t].record];
    order[t].breaks = static_cast<std::int32_t>(breaks);
    order[t].index = static_cast<std::int32_t>(index);
    order[t].surrogates = static_cast<std::int32_t>(surrogates);
    order[t].surrogate_breaks = static_cast<std::int32_t>(surrogate_breaks);
    order[t].surrogate_index = static_cast<std::int32_t>(surrogate_index);
    surrogates += node.n_surrogates;
    for (std::int32_t i = 0; i < node.n_surrogates; ++i) {
      const Surrogate& one = in->surrogates[node.first_surrogate + static_cast<std::size_t>(i)];
      surrogate_breaks += one.n_levels == 0;
      surrogate_index += one.n_levels == 0 ? 2 : one.n_levels;
    }
    if (node.first_child < 0) continue;
    order[t].first_child = static_cast<std::int32_t>(order.size());
    breaks += node.n_levels == 0;
    index += node.n_levels == 0 ? 2 : node.n_levels;
    if (std::max(index, surrogate_index) > std::numeric_limits<std::int32_t>::max())
      throw std::length_error("the tree's level sets exceed 2**31 entries; raise min_samples_leaf or lower max_depth");
    for (std::int32_t c = 0; c < node.n_children; ++c)
      order.push_back(settled(in, node.first_child + c, static_cast<std::int32_t>(t)));
  }
  return order;
}

// What turns records into a tree: their order, the values behind rows, how cuts are read.
struct Writing {
  const std::vector<Place>& order;
  const Codes& codes;
  int width;

  const Records::Node& node(std::size_t t) const { return order[t].in->nodes[order[t].record]; }
  void prefetch(std::size_t t) const {
    if (t >= order.size() || node(t).below == NO_ROW) return;
    codes.prefetch(node(t).feature, node(t).below);
    if (node(t).above != NO_ROW) codes.prefetch(node(t).feature, node(t).above);
  }
  double cut(const Records::Node& node) const {
    if (node.below == NO_ROW) return node.cut;
    const double above =
        node.above == NO_ROW ? std::numeric_limits<double>::quiet_NaN() : codes.value(node.feature, node.above);
    return codes.cut_between(node.feature, codes.value(node.feature, node.below), above);
  }
};

inline void write_split(const Writing& writing, std::size_t t, SplitRows& to) {
  const Records::Node& node = writing.node(t);
  const Place& at = writing.order[t];
  to.feature[t] = writing.codes.place(node.feature);
  if (node.n_levels == 0) {
    to.n_positions[t] = 2;
    to.breaks[at.breaks] = writing.cut(node);
    to.position[at.index + 1] = to.index[at.index + 1] = 1;
    return;
  }
  to.n_positions[t] = static_cast<std::int32_t>(writing.codes.levels(node.feature));
  const LevelBranch* levels = &at.in->levels[node.first_level];
  for (std::int32_t i = 0; i < node.n_levels; ++i) {
    to.position[at.index + i] = static_cast<std::int32_t>(levels[i].level);
    to.index[at.index + i] = levels[i].branch;
  }
}

inline void write_surrogates(const Writing& writing, std::size_t t, GrownNodes& to) {
  const Records::Node& node = writing.node(t);
  const Place& at = writing.order[t];
  to.surrogate_start[t + 1] = at.surrogates + node.n_surrogates;
  SplitRows& splits = to.surrogates;
  std::int32_t breaks = at.surrogate_breaks, index = at.surrogate_index;
  for (std::int32_t i = 0; i < node.n_surrogates; ++i) {
    const Surrogate& one = at.in->surrogates[node.first_surrogate + static_cast<std::size_t>(i)];
    const std::int32_t s = at.surrogates + i;
    const auto j = static_cast<std::size_t>(one.feature);
    splits.feature[s] = one.place;
    to.agreement[s] = one.agreement;
    to.adjusted[s] = one.adjusted;
    if (one.n_levels == 0) {
      splits.n_positions[s] = 2;
      splits.breaks[breaks++] =
          writing.codes.cut_between(j, writing.codes.value(j, one.below), writing.codes.value(j, one.above));
      splits.position[index + 1] = 1;
      splits.index[index + (one.flipped ? 0 : 1)] = 1;
      index += 2;
    } else {
      splits.n_positions[s] = static_cast<std::int32_t>(writing.codes.levels(j));
      for (const LevelBranch *level = &at.in->levels[one.first_level], *end = level + one.n_levels; level != end;
           ++level, ++index) {
        splits.position[index] = static_cast<std::int32_t>(level->level);
        splits.index[index] = level->branch;
      }
    }
    splits.breaks_start[s + 1] = breaks;
    splits.index_start[s + 1] = index;
  }
}

inline void write_node(const Writing& writing, std::size_t t, GrownNodes& to) {
  const int width = writing.width;
  const Place& at = writing.order[t];
  const Records::Node& node = writing.node(t);
  to.parent[t] = at.parent;
  to.first_child[t] = at.first_child;
  to.n_children[t] = node.n_children;
  to.rows[t] = node.rows;
  to.heuristic[t] = node.heuristic;
  std::copy_n(&at.in->moments[static_cast<std::size_t>(at.record) * width], width, &to.moments[t * width]);
  to.missing[t] = node.missing;
  to.score[t] = node.score;
  to.splits.breaks_start[t] = at.breaks;
  to.splits.index_start[t] = at.index;
  to.splits.feature[t] = -1;
  write_surrogates(writing, t, to);
  if (node.first_child >= 0) write_split(writing, t, to.splits);
}

inline GrownNodes in_level_order(const Writing& writing, Team& team) {
  constexpr u32 AHEAD = 16;
  const std::size_t n = writing.order.size();
  const Place& last = writing.order.back();  // a leaf: what stands before it is all there is
  GrownNodes out;
  for (auto* list :
       {&out.parent, &out.first_child, &out.n_children, &out.missing, &out.splits.feature, &out.splits.n_positions})
    list->resize(n);
  for (auto* list : {&out.surrogate_start, &out.competitor_start, &out.splits.breaks_start, &out.splits.index_start})
    list->resize(n + 1);
  for (auto* list : {&out.splits.breaks, &out.splits.lows}) list->resize(static_cast<std::size_t>(last.breaks));
  for (auto* list : {&out.splits.position, &out.splits.index}) list->resize(static_cast<std::size_t>(last.index));
  out.splits.breaks_start[n] = last.breaks;
  out.splits.index_start[n] = last.index;
  const auto surrogates = static_cast<std::size_t>(last.surrogates);
  for (auto* list : {&out.surrogates.feature, &out.surrogates.n_positions}) list->resize(surrogates);
  for (auto* list : {&out.surrogates.breaks_start, &out.surrogates.index_start}) list->resize(surrogates + 1);
  for (auto* list : {&out.surrogates.breaks, &out.surrogates.lows})
    list->resize(static_cast<std::size_t>(last.surrogate_breaks));
  for (auto* list : {&out.surrogates.position, &out.surrogates.index})
    list->resize(static_cast<std::size_t>(last.surrogate_index));
  for (auto* list : {&out.agreement, &out.adjusted}) list->resize(surrogates);
  out.heuristic.resize(n);
  out.moments.resize(n * static_cast<std::size_t>(writing.width));
  out.score.resize(n);
  out.rows.resize(n);
  in_pieces(&team, static_cast<u32>(n), [&](u32 from, u32 to, int) {
    for (u32 t = from; t < to; ++t) {
      writing.prefetch(t + AHEAD);
      write_node(writing, t, out);
    }
  });
  return out;
}

}  // namespace boxwood::coded

// The arrays of a tree in level order, written from the records of its nodes.
// Invariant: row t of every per-node array is node t; the place of everything is known before anything is written, so
// pieces of the nodes may be written in any order. Cost: linear in the size of the tree.
#pragma once

#include "grow/grown_nodes.hpp"
#include "grow/records.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

// What turns records into a tree: their order, and the values behind rows.
template <class Columns>
struct TreeWriter {
  const Order order;
  const Columns& codes;
  const Settings& settings;
  std::size_t width;

  const Records::Node& node(std::size_t t) const { return order.nodes[t].in->nodes[order.nodes[t].record]; }
  void prefetch(std::size_t t) const {
    if (t >= order.nodes.size() || node(t).below == NO_ROW) return;
    codes.prefetch(node(t).feature, node(t).below);
    if (node(t).above != NO_ROW) codes.prefetch(node(t).feature, node(t).above);
  }

  // The threshold of a cut: that which was drawn, or one between the rows about it, as always in surrogates.
  template <class One>
  Cut cut_of(const One& one, const Records&) const {
    return codes.cut_about(one.feature, one.below, one.above, settings.has_short_cuts(codes.place(one.feature)));
  }
  Cut cut_of(const Records::Node& one, const Records& in) const {
    if (settings.random_cuts && codes.keeps_drawn(one.feature)) return {in.drawn[one.first_level], 0.0};
    return cut_of<Records::Node>(one, in);
  }
  Cut cut_of(const Competitor& one, const Records& in) const {
    if (settings.random_cuts && codes.keeps_drawn(one.feature)) return {one.drawn, 0.0};
    return cut_of<Competitor>(one, in);
  }

  // A split as row `at.rows` of a table; its breaks and branches have their places there too.
  template <class One>
  void split(const One& one, const Records& in, const RaggedPlace& at, SplitRows& to) const {
    to.feature[at.rows] = codes.place(one.feature);
    if (one.n_levels == 0) {
      const Cut cut = cut_of(one, in);
      to.n_positions[at.rows] = 2;
      to.breaks[at.breaks] = cut.value;
      to.lows[at.breaks] = cut.low;
      to.position[at.index + 1] = 1;
      to.index[at.index + (one.flipped ? 0 : 1)] = 1;
      return;
    }
    const LevelBranch* levels = in.levels.data() + one.first_level;
    to.n_positions[at.rows] = static_cast<std::int32_t>(codes.levels(one.feature));
    for (std::int32_t i = 0; i < one.n_levels; ++i) {
      to.position[at.index + i] = static_cast<std::int32_t>(levels[i].level);
      to.index[at.index + i] = levels[i].branch;
    }
  }

  // Some splits of one node, the first of them at a place, which moves on to the next one's.
  template <class One, class Write>
  void splits(const One* one, std::size_t count, const Records& in, RaggedPlace& at, SplitRows& to,
              const Write& write) const {
    for (const One* end = one + count; one != end; ++one) {
      split(*one, in, at, to);
      write(*one, at.rows);
      at.add(*one);
      to.breaks_start[at.rows] = static_cast<std::int32_t>(at.breaks);
      to.index_start[at.rows] = static_cast<std::int32_t>(at.index);
    }
  }

  // Writes node t, whose tables are at these places; they move on to the next node's.
  void write(std::size_t t, TablePlaces& at, GrownNodes& to) const {
    const Place& place = order.nodes[t];
    const Records& in = *place.in;
    const Records::Node& node = in.nodes[place.record];
    to.parent[t] = place.parent;
    to.first_child[t] = place.first_child;
    to.n_children[t] = node.n_children;
    to.rows[t] = node.rows;
    to.heuristic[t] = node.heuristic;
    if (Records::is_packed(width))
      to.packed_moments.rows[t] = {in.number, static_cast<u32>(place.record)};
    else
      std::copy_n(&in.moments[static_cast<std::size_t>(place.record) * width], width, &to.moments[t * width]);
    to.missing[t] = node.missing;
    to.score[t] = node.score;
    to.splits.breaks_start[t] = static_cast<std::int32_t>(at.split.breaks);
    to.splits.index_start[t] = static_cast<std::int32_t>(at.split.index);
    to.splits.feature[t] = -1;
    splits(in.surrogates.data() + node.first_surrogate, static_cast<std::size_t>(node.n_surrogates), in, at.surrogates,
           to.surrogates, [&](const Surrogate& one, u32 row) {
             to.agreement[row] = one.agreement;
             to.adjusted[row] = one.adjusted;
           });
    to.surrogate_start[t + 1] = static_cast<std::int32_t>(at.surrogates.rows);
    splits(in.competitors.data() + node.first_competitor, node.n_competitors, in, at.competitors, to.competitors,
           [&](const Competitor& one, u32 row) { to.competitor_score[row] = one.score; });
    to.competitor_start[t + 1] = static_cast<std::int32_t>(at.competitors.rows);
    if (node.first_child < 0) return;
    split(node, in, {static_cast<u32>(t), at.split.breaks, at.split.index}, to.splits);
    at.split.add(node);
  }
};

inline void resize(SplitRows& splits, const RaggedPlace& size) {
  const std::size_t rows = size.rows;
  for (auto* list : {&splits.feature, &splits.n_positions}) list->resize(rows);
  for (auto* list : {&splits.breaks_start, &splits.index_start}) list->resize(rows + 1);
  for (auto* list : {&splits.breaks, &splits.lows}) list->resize(size.breaks);
  for (auto* list : {&splits.position, &splits.index}) list->resize(size.index);
  splits.breaks_start[rows] = static_cast<std::int32_t>(size.breaks);
  splits.index_start[rows] = static_cast<std::int32_t>(size.index);
}

template <class Columns>
GrownNodes in_level_order(Records top, const Columns& columns, const Rules& rules, ThreadPool& pool) {
  constexpr u32 AHEAD = 16;
  Records records = compact(std::move(top));
  const TreeWriter<Columns> writer{breadth_first(records), columns, *rules.settings,
                                   static_cast<std::size_t>(rules.y->moments())};
  const std::size_t n = writer.order.nodes.size();
  const TablePlaces& end = writer.order.end;
  GrownNodes out;
  out.root_weight = rules.root_weight;
  out.root_risk = rules.root_risk;
  for (auto* list : {&out.parent, &out.first_child, &out.n_children, &out.missing}) list->resize(n);
  for (auto* list : {&out.surrogate_start, &out.competitor_start}) list->resize(n + 1);
  resize(out.splits, {static_cast<u32>(n), end.split.breaks, end.split.index});
  resize(out.surrogates, end.surrogates);
  resize(out.competitors, end.competitors);
  for (auto* list : {&out.agreement, &out.adjusted}) list->resize(out.surrogates.size());
  out.competitor_score.resize(out.competitors.size());
  out.heuristic.resize(n);
  if (Records::is_packed(writer.width)) {
    out.packed_moments.width = writer.width;
    out.packed_moments.rows.resize(n);
    records.move_packed(out.packed_moments.parts);
  } else {
    out.moments.resize(n * writer.width);
  }
  out.score.resize(n);
  out.rows.resize(n);
  in_pieces(&pool, static_cast<u32>(n), [&](u32 from, u32 to, int) {
    TablePlaces at = writer.order.pieces[from / PIECE];
    for (u32 t = from; t < to; ++t) {
      writer.prefetch(t + AHEAD);
      writer.write(t, at, out);
    }
  });
  return out;
}

}  // namespace boxwood::coded

// The nodes of a level before they are split: what a shard adds up of them, and sums, statistics and moments out of the
// words of all shards. Invariant: those that memory finds of the same rows. Cost: a few operations a row.
#pragma once

#include "search/entry_search.hpp"
#include "shards/words.hpp"

namespace boxwood::sharded {

// What is known of a level's nodes, one after the other. `by_low`: only the low half of a numeric target differs.
struct LevelStats {
  std::vector<i64> rows;
  std::vector<double> moments;
  std::vector<std::uint8_t> by_low, closed;  // closed: not to be split, whatever the features offer
};

// The added replies to "stats" of some nodes.
struct LevelReplies {
  const i64 *words, *ends;
  std::size_t count;
};

using coded::NodeSums;

// One node; what is known of it is added to `level`.
template <class R>
NodeSums<R> node_sums(R y, const ResponseColumns& columns, const i64* words, const i64* ends, LevelStats& level) {
  typename R::Sums sums;
  y.read(words, ends, sums);
  NodeSums<R> node = coded::node_of(y, sums);
  level.rows.push_back(words[0]);
  level.closed.push_back(node.stats.pure);
  level.moments.resize(level.moments.size() + static_cast<std::size_t>(y.moments()));
  y.describe(node.sums, node.stats, columns, level.moments.data() + level.moments.size() - y.moments());
  if constexpr (R::has_low_parts) node.stats.by_low = y.is_low;
  level.by_low.push_back(node.stats.by_low);
  return node;
}

// visit(node) for every node of a level; returns what is known of them all.
template <class R, class Visit>
LevelStats each_node(const R& y, const ResponseColumns& columns, const LevelReplies& given, const Visit& visit) {
  LevelStats level;
  for (std::size_t i = 0; i < given.count; ++i)
    visit(node_sums(y, columns, given.words + i * columns.words_of_node(), given.ends + i * columns.ends_of_node(),
                    level));
  return level;
}

}  // namespace boxwood::sharded

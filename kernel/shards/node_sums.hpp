// The nodes of a level before they are split: what a shard adds up of them, and sums, statistics and moments out of the
// words of all shards. Invariant: those that memory finds of the same rows. Cost: a few operations a row.
#pragma once

#include "search/entry_search.hpp"
#include "shards/words.hpp"

namespace boxwood::sharded {

// What is known of a level's nodes, one after the other. `fine`: only the fine half of a numeric target differs.
struct LevelStats {
  std::vector<i64> rows;
  std::vector<double> moments;
  std::vector<std::uint8_t> fine, closed;  // closed: not to be split, whatever the features offer
};

// What a shard knows of its rows of some nodes: words that add up, and ends that do not.
struct NodeWords {
  std::vector<i64> words, ends;
};

// The added replies to "stats" of some nodes.
struct LevelReplies {
  const i64 *words, *ends;
  std::size_t count;
};

using coded::NodeSums;

// A numeric target by both halves of its numbers, as long as nobody knows which of them tells a node's rows apart.
struct BothHalves {
  struct Sums {
    coded::MeanSums<true> high, low;
  };
  coded::WeightedMeanResponse high, low;

  void add(Sums& sums, u32 id) const {
    high.add(sums.high, id);
    low.add(sums.low, id);
  }
};

// Rows and class weights.
inline void put(const coded::WeightedMulticlassResponse& y, coded::WeightedMulticlassResponse::Sums& node,
                NodeWords& out) {
  y.close(node);
  out.words.push_back(node.n);
  out.words.insert(out.words.end(), node.of.begin(), node.of.end());
}
inline void read(const coded::BinaryResponse&, const i64* words, const i64*, coded::BinaryResponse::Sums& out) {
  out = {{words[1], words[2]}, words[0]};
}
inline void read(const coded::WeightedMulticlassResponse& y, const i64* words, const i64*,
                 coded::WeightedMulticlassResponse::Sums& out) {
  out.n = words[0];
  out.of.assign(words + 1, words + 1 + y.n_classes);
}

// Rows, weight, sums and squares of both halves; ends: the least and the greatest of both.
inline void put(const BothHalves&, const BothHalves::Sums& node, NodeWords& out) {
  const auto& [high, low] = node;
  out.words.insert(out.words.end(), {high.n, high.weight});
  put_wide(high.sum, out.words);
  put_wide(low.sum, out.words);
  put_long(high.squares, out.words);
  put_long(low.squares, out.words);
  out.ends.insert(out.ends.end(), {high.least, high.most, low.least, low.most});
}
inline void read(coded::WeightedMeanResponse& y, const i64* words, const i64* ends, coded::MeanSums<true>& out) {
  y.is_fine = ends[0] == ends[1] && ends[2] != ends[3];
  if (y.is_fine) y.origin = ends[0];
  out.n = words[0];
  out.weight = words[1];
  out.low = wide_of(words + 5);
  out.sum = y.is_fine ? out.low : wide_of(words + 2);
  out.squares = long_of(words + (y.is_fine ? 13 : 8));
  out.least = ends[y.is_fine ? 2 : 0];
  out.most = ends[y.is_fine ? 3 : 1];
}

// Rows, weight, exposure, events, logarithms; ends: exposure and events of one row, and whether all have its rate.
inline void put(const coded::PoissonResponse&, const coded::RateSums& node, NodeWords& out) {
  out.words.insert(out.words.end(), {node.n, node.weight});
  put_wide(node.exposure, out.words);
  put_wide(node.events, out.words);
  put_wide(node.log, out.words);
  out.ends.insert(out.ends.end(), {node.first_exposure, node.first_events, node.same});
}
inline void read(const coded::PoissonResponse&, const i64* words, const i64* ends, coded::RateSums& out) {
  out.n = words[0];
  out.weight = words[1];
  out.exposure = wide_of(words + 2);
  out.events = wide_of(words + 5);
  out.log = wide_of(words + 8);
  out.same = ends[2] != 0;
}

// One node; what is known of it is added to `level`.
template <class R>
NodeSums<R> node_sums(R y, const ResponseColumns& columns, const i64* words, const i64* ends, LevelStats& level) {
  typename R::Sums sums;
  read(y, words, ends, sums);
  NodeSums<R> node = coded::node_of(y, sums);
  level.rows.push_back(words[0]);
  level.closed.push_back(node.stats.pure);
  level.moments.resize(level.moments.size() + static_cast<std::size_t>(y.moments()));
  y.describe(node.sums, node.stats, columns, level.moments.data() + level.moments.size() - y.moments());
  if constexpr (std::is_same_v<R, coded::WeightedMeanResponse>) node.stats.fine = y.is_fine;
  level.fine.push_back(node.stats.fine);
  return node;
}

// visit(node) for every node of a level; returns what is known of them all.
template <class R, class Visit>
LevelStats each_node(const R& y, const ResponseColumns& columns, const LevelReplies& given, const Visit& visit) {
  LevelStats level;
  for (std::size_t i = 0; i < given.count; ++i)
    visit(
        node_sums(y, columns, given.words + i * words_of_node(columns), given.ends + i * ends_of_node(columns), level));
  return level;
}

}  // namespace boxwood::sharded

// Grows the whole tree from codes: large nodes by the pool, then blocks that fit the cache, each by one worker, depth
// first. Invariant: the tree is the one of the level loop (src/boxwood/growing/grow.py), for any pool; tests/twins
// compares them node by node. Cost: about 2 ns a value and level; 2 bytes a value for codes, 9 bytes a row, and a block
// of each worker.
#pragma once

#include <deque>

#include "grow/block.hpp"
#include "grow/level_order.hpp"

namespace boxwood::coded {

// Rows up to which a node is finished by one worker in its cache, and up to which its features are sorted. They decide
// the speed, never the tree.
struct Sizes {
  u32 block = 32768, small = SMALL;
};

// Tables of wide cells leave less of the cache to the rows of a block.
template <class R>
u32 rows_of_block(const Sizes& sizes) {
  return sizeof(typename R::Cell) > sizeof(u64) ? std::max<u32>(sizes.block / 2, 1) : sizes.block;
}

// `y` is indexed by row of the learning set; `rows` are those to learn from, ascending (nullptr = all).
template <class R>
GrownNodes grow(const R& y, Rules rules, const Codes& codes, const u32* rows, u32 count, const Sizes& sizes,
                ThreadPool& pool) {
  using Open = typename LargeGrower<R>::Open;
  Ids ids;
  ids.start(count, rows);
  Open root{{0, count, 0, 0}, {}, {}, nullptr};
  for (u32 i = 0; i < count; ++i) y.add(root.sums, ids.side[0][i]);
  y.close(root.sums);
  root.stats = y.stats_of(root.sums);
  if constexpr (R::has_low_parts)
    if (root.stats.by_low && differ_in_low_parts(y, ids.side[0].get(), count)) {
      rules.by_low = true;
      return grow(y.of_low_parts(ids.side[0][0]), rules, codes, rows, count, sizes, pool);
    }
  rules.start_root(y.weight(root.sums), root.stats);
  root.stats.inherited = rules.inherited_at_root();
  Records top;
  top.nodes.resize(1);
  Describer{rules}.node(y, top, 0, root.sums, root.stats);
  const View view{&codes, codes.row(0), nullptr};
  std::optional<LargeGrower<R>> large;
  std::deque<Open> queue;
  std::vector<Open> blocks;
  const u32 block = rows_of_block<R>(sizes);
  const u32 least = pool.size() > 1 ? std::clamp<u32>(count / (2 * static_cast<u32>(pool.size())),
                                                      std::min(sizes.small, block), block)
                                    : block;
  if (count > least) large.emplace(y, rules, view, ids, &pool);
  queue.push_back(std::move(root));
  while (!queue.empty()) {
    pool.interrupts().poll();
    pool.interrupts().check();
    Open node = std::move(queue.front());
    queue.pop_front();
    if (!large || !large->wants(node, least)) {
      blocks.push_back(std::move(node));
      continue;
    }
    auto children = large->split(node, top);
    if (!children) {
      large->recycle(std::move(node.table));
      continue;
    }
    large->assign_tables(node, *children, least);
    for (auto& child : *children) queue.push_back(std::move(child));
  }
  std::vector<std::pair<u32, std::size_t>> by_size;
  for (std::size_t b = 0; b < blocks.size(); ++b) by_size.emplace_back(blocks[b].span.count, b);
  std::sort(by_size.begin(), by_size.end(), std::greater<>());
  std::vector<Records> subtrees(blocks.size());
  std::vector<std::unique_ptr<BlockGrower<R>>> growers(pool.size());
  pool.run(blocks.size(), [&](std::size_t i, int worker) {
    if (!growers[worker]) growers[worker] = std::make_unique<BlockGrower<R>>(y, rules, codes, sizes.small);
    const std::size_t b = by_size[i].second;
    subtrees[b] = compact(growers[worker]->grow(ids.of(blocks[b].span), blocks[b], pool.interrupts(), worker == 0));
  });
  for (std::size_t b = 0; b < blocks.size(); ++b) top.continue_in(blocks[b].span.record, std::move(subtrees[b]));
  large.reset();
  growers.clear();
  return in_level_order(std::move(top), codes, rules, pool);
}

}  // namespace boxwood::coded

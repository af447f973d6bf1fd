// Rows as the search sees them: codes side by side, the row of the learning set behind each id.
// Invariant: ids of a node are contiguous in one of two buffers; children are written to the other one.
#pragma once

#include "encode/codes.hpp"
#include "parallel/thread_pool.hpp"
#include "response/node_stats.hpp"

namespace boxwood::coded {

constexpr u32 PIECE = 4096;

// Runs body(from, to, worker) over pieces of PIECE rows, shared among the pool where that pays.
template <class Body>
void in_pieces(ThreadPool* pool, u32 count, const Body& body) {
  const u32 pieces = (count + PIECE - 1) / PIECE;
  const auto piece = [&](std::size_t i, int worker) {
    const u32 from = static_cast<u32>(i) * PIECE;
    body(from, std::min(count, from + PIECE), worker);
  };
  share(pool && pool->size() > 1 && pieces > 2 ? pool : nullptr, 0, pieces, piece);
}

// Runs task(k, worker) for each of n things, shared among the pool.
template <class Task>
void each_of(ThreadPool* pool, std::size_t n, const Task& task) {
  share(pool && pool->size() > 1 && n > 1 ? pool : nullptr, 0, n, task);
}

inline std::size_t pool_workers(const ThreadPool* pool) { return pool ? static_cast<std::size_t>(pool->size()) : 1; }

struct View {
  const Codes* all;
  const Code* codes;  // codes of id i begin at i * columns
  const u32* origin;  // row of the learning set of each id; nullptr = the id itself

  std::size_t columns() const { return all->columns(); }
  Code code(std::size_t feature, u32 id) const { return codes[static_cast<std::size_t>(id) * columns() + feature]; }
  // Level of a nominal feature; their number where there is none.
  u32 level(std::size_t feature, u32 id) const {
    return all->is_wide(feature) ? all->wide_level(feature, row(id)) : code(feature, id);
  }
  u32 row(u32 id) const { return origin ? origin[id] : id; }
  double value(std::size_t feature, u32 id) const { return all->value(feature, row(id)); }
};

// A range of ids in one of two buffers that is one node; its record is a row of the nodes being grown.
struct Span {
  u32 begin = 0, count = 0;
  std::int32_t side = 0, record = 0;
};

}  // namespace boxwood::coded

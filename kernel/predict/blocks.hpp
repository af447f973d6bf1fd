// All rows down a plan, block by block, shared among threads.
// Invariant: what is handed on depends on each row alone, so any sharing of blocks among threads gives the same.
// Cost: that of predict/walk.hpp and predict/gather.hpp.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>

#include "parallel/thread_pool.hpp"
#include "predict/gather.hpp"

namespace boxwood {

// Takes the leaves of some rows.
using Arrived = std::function<void(std::size_t first, std::size_t count, const std::uint32_t* leaves)>;

// Runs task(block, first, count) for blocks of rows; `make` gives each task to be shared a walker of its own.
template <class Make>
void each_block(std::size_t rows, ThreadPool& pool, const Make& make) {
  constexpr std::size_t TOGETHER = 128;
  const std::size_t blocks = (rows + BLOCK - 1) / BLOCK;
  pool.run((blocks + TOGETHER - 1) / TOGETHER, [&](std::size_t task, int) {
    auto walk = make();
    for (std::size_t b = task * TOGETHER; b < std::min(blocks, (task + 1) * TOGETHER); ++b)
      walk(b, b * BLOCK, std::min(BLOCK, rows - b * BLOCK));
  });
}

// A table of numbers where it lies.
template <class T>
void walk_table(const Plan& plan, const RowMajor<T>& table, std::size_t rows, const Arrived& arrived,
                ThreadPool& pool) {
  Prefetcher prefetcher;
  for (const std::uint32_t r : plan.used)
    if (rows >= FEW_ROWS) prefetcher.add(table.values + r, table.stride * static_cast<std::ptrdiff_t>(sizeof(T)));
  prefetcher.finish();
  each_block(rows, pool, [&] {
    return [&, walker = Walker(plan, prefetcher)](std::size_t block, std::size_t first, std::size_t count) mutable {
      std::uint32_t leaves[BLOCK];
      walker.leaves(RowMajor<T>{table.row(first), table.stride}, count, block, leaves);
      arrived(first, count, leaves);
    };
  });
}

// Columns of any type; returns whether some level was not seen in training, or nothing when a whole number is beyond
// those that doubles hold.
inline std::optional<bool> walk_columns(const Plan& plan, const std::vector<InputColumn>& columns, std::size_t rows,
                                        const Arrived& arrived, ThreadPool& pool) {
  const GatherTask task(plan, columns, rows);
  std::atomic<bool> exact{true}, unseen{false};
  each_block(rows, pool, [&] {
    return [&, gatherer = Gatherer(task), walker = Walker(plan, task.prefetcher())](
               std::size_t block, std::size_t first, std::size_t count) mutable {
      std::uint32_t leaves[BLOCK];
      gatherer.load(first, count);
      if (plan.has_levels)
        walker.leaves(ColumnBlock<true>{gatherer.columns()}, count, block, leaves);
      else
        walker.leaves(ColumnBlock<false>{gatherer.columns()}, count, block, leaves);
      arrived(first, count, leaves);
      if (!gatherer.is_exact()) exact.store(false, std::memory_order_relaxed);
      if (gatherer.any_unseen()) unseen.store(true, std::memory_order_relaxed);
    };
  });
  if (!exact.load()) return {};
  return unseen.load();
}

// The value of each leaf, `width` bytes, copied to each row.
struct LeafValues {
  const std::byte* of_leaf;
  std::size_t width;
  std::byte* out;

  void copy(std::size_t first, std::size_t count, const std::uint32_t* leaves) const {
    if (width == 8) return copy_each<8>(first, count, leaves);
    if (width == 4) return copy_each<4>(first, count, leaves);
    if (width == 16) return copy_each<16>(first, count, leaves);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(out + (first + i) * width, of_leaf + leaves[i] * width, width);
  }

 private:
  template <std::size_t WIDTH>
  void copy_each(std::size_t first, std::size_t count, const std::uint32_t* leaves) const {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(out + (first + i) * WIDTH, of_leaf + leaves[i] * WIDTH, WIDTH);
  }
};

}  // namespace boxwood

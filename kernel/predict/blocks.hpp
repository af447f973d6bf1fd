// Sends rows down a plan by blocks, and hands on where they end; with nullptr instead where the plain way met something
// missing. Invariant: what is handed on depends on each row alone, so any sharing of blocks among threads gives the
// same. Cost: that of predict/walk.hpp.
#pragma once

#include <atomic>
#include <cstring>

#include "parallel/thread_pool.hpp"
#include "predict/gather.hpp"

namespace boxwood {

constexpr std::size_t ROWS_A_TASK = 128 * BLOCK;

// Calls `arrived(first, count, ends)` for every block of the rows of a table in place.
template <class Way, class T, class Arrived>
void send_in_place(const Plan& plan, const RowMajor<T>& table, std::size_t rows, const Arrived& arrived, Team& team) {
  team.run((rows + ROWS_A_TASK - 1) / ROWS_A_TASK, [&](std::size_t task, int) {
    const std::size_t end = std::min(rows, (task + 1) * ROWS_A_TASK);
    Lanes<RowMajor<T>, Way> lanes(plan);
    std::uint32_t at[BLOCK];
    for (std::size_t i = task * ROWS_A_TASK; i < end; i += BLOCK) {
      const std::size_t count = std::min(BLOCK, end - i);
      const bool is_void = lanes.ends({table.row(i), table.stride}, count, rows - i, at);
      arrived(i, count, is_void ? nullptr : at);
    }
  });
}

// Rows that are brought together first, all of them or those of `which`.
struct Scattered {
  const std::vector<Source>& sources;
  const std::uint32_t* which;
  std::size_t rows;
};

// The same for them; returns whether all values fit doubles, and sets `unseen` when some level to look out for was not
// seen in training.
template <class Way, class Arrived>
bool send_gathered(const Plan& plan, const Scattered& scattered, const Arrived& arrived, Team& team,
                   std::atomic<bool>& unseen) {
  std::atomic<bool> exact{true};
  const std::vector<Brought> brought = brought_for(plan, scattered.sources);
  const std::size_t rows = scattered.rows;
  team.run((rows + ROWS_A_TASK - 1) / ROWS_A_TASK, [&](std::size_t task, int) {
    const std::size_t end = std::min(rows, (task + 1) * ROWS_A_TASK);
    Gatherer gatherer(plan, brought, scattered.which);
    Lanes<Gathered, Way> lanes(plan);
    std::uint32_t at[BLOCK];
    for (std::size_t i = task * ROWS_A_TASK; i < end; i += BLOCK) {
      const std::size_t count = std::min(BLOCK, end - i);
      if (!gatherer.load(i, count, rows - i)) exact.store(false, std::memory_order_relaxed);
      const bool is_void = lanes.ends(gatherer.block(), count, rows - i, at);
      arrived(i, count, is_void ? nullptr : at);
    }
    if (gatherer.met_unseen()) unseen.store(true, std::memory_order_relaxed);
  });
  return exact.load();
}

// What each end says, `width` bytes an end, copied to each row.
struct Answers {
  const std::byte* of_end;
  std::size_t width;
  std::byte* out;

  void operator()(std::size_t first, std::size_t count, const std::uint32_t* ends) const {
    if (width == 8) return copy<8>(first, count, ends);
    if (width == 4) return copy<4>(first, count, ends);
    if (width == 16) return copy<16>(first, count, ends);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(out + (first + i) * width, of_end + ends[i] * width, width);
  }

 private:
  template <std::size_t WIDTH>
  void copy(std::size_t first, std::size_t count, const std::uint32_t* ends) const {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(out + (first + i) * WIDTH, of_end + ends[i] * WIDTH, WIDTH);
  }
};

}  // namespace boxwood

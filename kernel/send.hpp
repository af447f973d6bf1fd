// Sends rows down a plan by blocks, and hands on where they end.
// Invariant: what is handed on depends on each row alone, so any sharing of blocks among threads gives the same.
// Cost: that of lanes.hpp; a block that met something missing is walked again, and the next ones are walked the slower way at once.
#pragma once

#include <atomic>
#include <cstring>

#include "gather.hpp"
#include "threads.hpp"

namespace boxwood {

constexpr std::size_t ROWS_A_TASK = 64 * BLOCK;

// Walks blocks of rows: the quick way while no number is missing.
template <class Values, class Quick, class Careful>
class Walker {
 public:
  Walker(const Plan& plan, const Values& values) : quick_(plan, values), careful_way_(plan, values) {}

  // False when something was missing and only rows with nothing missing are wanted: then `at` is void.
  bool ends(std::size_t count, std::size_t rest, bool known_only, std::uint32_t* at) {
    if (careful_ == 0 && !quick_.ends(count, rest, at)) return true;
    if (known_only) return false;
    careful_ = careful_ == 0 ? CAREFUL : careful_ - 1;
    careful_way_.ends(count, rest, at);
    return true;
  }
  void move_to(const Values& values) {
    quick_.move_to(values);
    careful_way_.move_to(values);
  }

 private:
  static constexpr int CAREFUL = 15;
  Lanes<Values, Quick> quick_;
  Lanes<Values, Careful> careful_way_;
  int careful_ = 0;
};

// Calls `arrived(first, count, at)` for every block of the rows of a table in place, with nullptr for `at` where `known_only` leaves it out.
template <class T, class Arrived>
void send_in_place(const Plan& plan, const RowMajor<T>& table, std::size_t rows, bool known_only, const Arrived& arrived, Team& team) {
  team.run((rows + ROWS_A_TASK - 1) / ROWS_A_TASK, [&](std::size_t task, int) {
    const std::size_t end = std::min(rows, (task + 1) * ROWS_A_TASK);
    Walker<RowMajor<T>, Plain, Whole> walker(plan, table);
    std::uint32_t at[BLOCK];
    for (std::size_t i = task * ROWS_A_TASK; i < end; i += BLOCK) {
      const std::size_t count = std::min(BLOCK, end - i);
      walker.move_to({table.row(i), table.stride});
      const bool known = walker.ends(count, rows - i, known_only, at);
      arrived(i, count, known ? at : nullptr);
    }
  });
}

// Rows that are brought together first, all of them or those of `which`.
struct Scattered {
  const std::vector<Source>& sources;
  const std::uint32_t* which;
  std::size_t rows;
};

// The same for them; returns whether all values fit doubles.
template <class Arrived>
bool send_gathered(const Plan& plan, const Scattered& scattered, bool known_only, const Arrived& arrived, Team& team) {
  std::atomic<bool> exact{true};
  const std::size_t rows = scattered.rows;
  team.run((rows + ROWS_A_TASK - 1) / ROWS_A_TASK, [&](std::size_t task, int) {
    const std::size_t end = std::min(rows, (task + 1) * ROWS_A_TASK);
    Gatherer gatherer(plan, scattered.sources, scattered.which);
    Walker<Gathered, Plain, Whole> cuts(plan, gatherer.block());
    Walker<Gathered, Tabled, Mixed> tables(plan, gatherer.block());
    std::uint32_t at[BLOCK];
    for (std::size_t i = task * ROWS_A_TASK; i < end; i += BLOCK) {
      const std::size_t count = std::min(BLOCK, end - i);
      if (!gatherer.load(i, count)) exact.store(false, std::memory_order_relaxed);
      bool known = !known_only;
      if (plan.table.empty()) {
        known = cuts.ends(count, 0, known_only, at);
      } else if (known) {
        tables.ends(count, 0, false, at);
      }
      arrived(i, count, known ? at : nullptr);
    }
  });
  return exact.load();
}

// What each end says, `width` bytes a place, copied to each row.
struct Answers {
  const std::byte* of_place;
  std::size_t width;
  std::byte* out;

  void operator()(std::size_t first, std::size_t count, const std::uint32_t* at) const {
    if (width == 8) return copy<8>(first, count, at);
    if (width == 4) return copy<4>(first, count, at);
    if (width == 16) return copy<16>(first, count, at);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(out + (first + i) * width, of_place + at[i] / 2 * width, width);
  }

 private:
  template <std::size_t WIDTH>
  void copy(std::size_t first, std::size_t count, const std::uint32_t* at) const {
    for (std::size_t i = 0; i < count; ++i) std::memcpy(out + (first + i) * WIDTH, of_place + at[i] / 2 * WIDTH, WIDTH);
  }
};

}  // namespace boxwood

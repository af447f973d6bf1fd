// The rows of chosen bins of several features, brought together in one pass over a node.
// Invariant: all rows of those bins, in any order. Cost: 1 to 2 ns a row and feature, with what it takes to fetch a
// row's codes once.
#pragma once

#include <array>
#include <mutex>
#include <span>

#include "search/refinement.hpp"

namespace boxwood::coded {

// Of one feature, the bins whose rows are wanted (a flag each), and where the rows go.
struct Wish {
  std::int32_t feature;
  const std::uint8_t* bins;
  std::vector<Coded>* items;
};

class Collector {
 public:
  struct Rows {
    const u32* ids;
    u32 count;
  };

  explicit Collector(Team* team) : team_(team) {}

  // The codes of all rows of the first wish's feature go to `read`, one a row.
  void collect(const View& view, const Rows& rows, const std::vector<Wish>& wishes, Code* read) {
    for (const Wish& wish : wishes) wish.items->clear();
    for (std::size_t k = 0; k < wishes.size(); k += MOST)
      collect_some(view, rows, {wishes.data() + k, std::min(MOST, wishes.size() - k)}, k == 0 ? read : nullptr);
  }

 private:
  using Wishes = std::span<const Wish>;

  static constexpr std::size_t MOST = 32;  // wishes in one pass
  static constexpr u32 STEP =
      256;  // rows whose codes stay in the first cache while one feature after the other is looked at

  // A wish and what the loop over its feature does beside: codes are asked for from memory, those of `low` and `high`
  // and all between; or kept.
  struct Loop {
    const Wish* wish;
    std::int32_t low, high;  // -1: a loop before this one has asked
  };

  // Wishes whose codes lie within a line of each other are asked for by the first of them, at both ends, as a row
  // begins anywhere in a line.
  static std::vector<Loop> loops_of(Wishes wishes) {
    constexpr std::int32_t LINE = 64 / sizeof(Code);
    std::vector<Loop> loops;
    for (const Wish& wish : wishes) loops.push_back({&wish, -1, -1});
    std::sort(loops.begin(), loops.end(),
              [](const Loop& a, const Loop& b) { return a.wish->feature < b.wish->feature; });
    for (std::size_t from = 0, to = 0; from < loops.size(); from = to) {
      const std::int32_t low = loops[from].wish->feature;
      while (to < loops.size() && loops[to].wish->feature - low < LINE) ++to;
      loops[from].low = low;
      loops[from].high = loops[to - 1].wish->feature;
    }
    return loops;
  }

  void collect_some(const View& view, const Rows& rows, Wishes wishes, Code* read) {
    const std::vector<Loop> loops = loops_of(wishes);
    std::mutex mutex;
    room_.resize(std::max(room_.size(), team_members(team_) * loops.size() * PIECE));
    in_pieces(team_, rows.count, [&](u32 from, u32 to, int member) {
      Coded* room = &room_[static_cast<std::size_t>(member) * loops.size() * PIECE];
      std::array<std::size_t, MOST> kept{};
      for (u32 at = from; at < to; at += STEP) {
        const Step step{rows.ids + at, std::min(STEP, to - at), to - at};
        for (std::size_t k = 0; k < loops.size(); ++k) {
          Coded* items = room + k * PIECE + kept[k];
          kept[k] +=
              collect_step(view, step, loops[k], items, loops[k].wish == wishes.data() && read ? read + at : nullptr);
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t k = 0; k < loops.size(); ++k) {
        const Coded* items = room + k * PIECE;
        loops[k].wish->items->insert(loops[k].wish->items->end(), items, items + kept[k]);
      }
    });
  }

  struct Step {
    const u32* ids;
    u32 count, left;  // rows of the step; rows left of the piece
  };
  static std::size_t collect_step(const View& view, const Step& step, const Loop& loop, Coded* items, Code* read) {
    if (loop.low >= 0)
      return read ? collect_codes<true, true>(view, step, loop, items, read)
                  : collect_codes<true, false>(view, step, loop, items, read);
    return read ? collect_codes<false, true>(view, step, loop, items, read)
                : collect_codes<false, false>(view, step, loop, items, read);
  }

  template <bool ASKS, bool READS>
  static std::size_t collect_codes(const View& view, const Step& step, const Loop& loop, Coded* items, Code* read) {
    constexpr u32 AHEAD = 24;
    const Code *codes = view.codes + loop.wish->feature, *low = view.codes + loop.low, *high = view.codes + loop.high;
    const std::uint8_t* bins = loop.wish->bins;
    const std::size_t stride = view.columns();
    std::size_t kept = 0;
    for (u32 i = 0; i < step.count; ++i) {
      if (ASKS && i + AHEAD < step.left) {
        const std::size_t later = step.ids[i + AHEAD] * stride;
        __builtin_prefetch(low + later);
        __builtin_prefetch(high + later);
      }
      const u32 id = step.ids[i];
      const Code code = codes[id * stride];
      if constexpr (READS) read[i] = code;
      items[kept] = {code, id};
      kept += bins[code >> 8];
    }
    return kept;
  }

  Team* team_;
  std::vector<Coded> room_;  // of each member, for the rows of a piece for each wish
};

}  // namespace boxwood::coded

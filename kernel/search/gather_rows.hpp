// The rows of chosen bins of several features, brought together in one pass over a node.
// Invariant: all rows of those bins, in any order. Cost: 1 to 2 ns a row and feature, with what it takes to fetch a
// row's codes once.
#pragma once

#include <array>
#include <mutex>
#include <span>

#include "search/refinement.hpp"

namespace boxwood::coded {

// The bins of one feature whose rows are gathered (a flag each), and where the rows go.
struct OpenedBins {
  std::int32_t feature;
  const std::uint8_t* bins;
  std::vector<Coded>* items;
};

class RowGatherer {
 public:
  struct Rows {
    const u32* ids;
    u32 count;
  };

  explicit RowGatherer(Team* team) : team_(team) {}

  // The codes of all rows of the first feature go to `read`, one a row.
  void gather(const View& view, const Rows& rows, const std::vector<OpenedBins>& opened, Code* read) {
    for (const OpenedBins& one : opened) one.items->clear();
    for (std::size_t k = 0; k < opened.size(); k += MOST)
      gather_some(view, rows, {opened.data() + k, std::min(MOST, opened.size() - k)}, k == 0 ? read : nullptr);
  }

 private:
  using BinLists = std::span<const OpenedBins>;

  static constexpr std::size_t MOST = 32;  // opened in one pass
  static constexpr u32 STEP =
      256;  // rows whose codes stay in the first cache while one feature after the other is read

  // One feature's bins, and what the loop over them prefetches: the codes from `low` to `high`.
  struct Loop {
    const OpenedBins* one;
    std::int32_t low, high;  // -1: an earlier loop has prefetched them
  };

  // Features whose codes lie within a cache line of each other are prefetched by the first of them, at both ends,
  // because a row begins anywhere in a line.
  static std::vector<Loop> loops_of(BinLists opened) {
    constexpr std::int32_t LINE = 64 / sizeof(Code);
    std::vector<Loop> loops;
    for (const OpenedBins& one : opened) loops.push_back({&one, -1, -1});
    std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.one->feature < b.one->feature; });
    for (std::size_t from = 0, to = 0; from < loops.size(); from = to) {
      const std::int32_t low = loops[from].one->feature;
      while (to < loops.size() && loops[to].one->feature - low < LINE) ++to;
      loops[from].low = low;
      loops[from].high = loops[to - 1].one->feature;
    }
    return loops;
  }

  void gather_some(const View& view, const Rows& rows, BinLists opened, Code* read) {
    const std::vector<Loop> loops = loops_of(opened);
    std::mutex mutex;
    memory_.resize(std::max(memory_.size(), team_members(team_) * loops.size() * PIECE));
    in_pieces(team_, rows.count, [&](u32 from, u32 to, int member) {
      Coded* memory = &memory_[static_cast<std::size_t>(member) * loops.size() * PIECE];
      std::array<std::size_t, MOST> kept{};
      for (u32 at = from; at < to; at += STEP) {
        const Step step{rows.ids + at, std::min(STEP, to - at), to - at};
        for (std::size_t k = 0; k < loops.size(); ++k) {
          Coded* items = memory + k * PIECE + kept[k];
          kept[k] +=
              gather_step(view, step, loops[k], items, loops[k].one == opened.data() && read ? read + at : nullptr);
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t k = 0; k < loops.size(); ++k) {
        const Coded* items = memory + k * PIECE;
        loops[k].one->items->insert(loops[k].one->items->end(), items, items + kept[k]);
      }
    });
  }

  struct Step {
    const u32* ids;
    u32 count, left;  // rows of the step; rows left of the piece
  };
  static std::size_t gather_step(const View& view, const Step& step, const Loop& loop, Coded* items, Code* read) {
    if (loop.low >= 0)
      return read ? gather_codes<true, true>(view, step, loop, items, read)
                  : gather_codes<true, false>(view, step, loop, items, read);
    return read ? gather_codes<false, true>(view, step, loop, items, read)
                : gather_codes<false, false>(view, step, loop, items, read);
  }

  template <bool PREFETCHES, bool READS>
  static std::size_t gather_codes(const View& view, const Step& step, const Loop& loop, Coded* items, Code* read) {
    constexpr u32 AHEAD = 24;
    const Code *codes = view.codes + loop.one->feature, *low = view.codes + loop.low, *high = view.codes + loop.high;
    const std::uint8_t* bins = loop.one->bins;
    const std::size_t stride = view.columns();
    std::size_t kept = 0;
    for (u32 i = 0; i < step.count; ++i) {
      if (PREFETCHES && i + AHEAD < step.left) {
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
  std::vector<Coded> memory_;  // of each worker, for the rows of a piece of each feature
};

}  // namespace boxwood::coded

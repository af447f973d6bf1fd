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

  void gather_some(const View& view, const Rows& rows, BinLists opened, Code* read) {
    std::mutex mutex;
    memory_.resize(std::max(memory_.size(), team_members(team_) * opened.size() * PIECE));
    in_pieces(team_, rows.count, [&](u32 from, u32 to, int member) {
      Coded* memory = &memory_[static_cast<std::size_t>(member) * opened.size() * PIECE];
      std::array<std::size_t, MOST> kept{};
      for (u32 at = from; at < to; at += STEP) {
        const Step step{rows.ids + at, std::min(STEP, to - at), to - at};
        for (std::size_t k = 0; k < opened.size(); ++k) {
          Coded* items = memory + k * PIECE + kept[k];
          kept[k] += k == 0 && read ? gather_codes<true>(view, step, opened[k], items, read + at)
                                    : gather_codes<false>(view, step, opened[k], items, nullptr);
        }
      }
      const std::lock_guard lock(mutex);
      for (std::size_t k = 0; k < opened.size(); ++k) {
        const Coded* items = memory + k * PIECE;
        opened[k].items->insert(opened[k].items->end(), items, items + kept[k]);
      }
    });
  }

  struct Step {
    const u32* ids;
    u32 count, left;  // rows of the step; rows left of the piece
  };
  template <bool READS>
  static std::size_t gather_codes(const View& view, const Step& step, const OpenedBins& one, Coded* items, Code* read) {
    constexpr u32 AHEAD = 24;
    const Code* codes = view.codes + one.feature;
    const std::uint8_t* bins = one.bins;
    const std::size_t stride = view.columns();
    std::size_t kept = 0;
    for (u32 i = 0; i < step.count; ++i) {
      if (i + AHEAD < step.left) __builtin_prefetch(codes + step.ids[i + AHEAD] * stride);
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

// The rows of chosen bins of several features, brought together in one pass over a node.
// Invariant: all rows of those bins, in any order. Cost: 1 to 2 ns a row and feature, and a row's codes once.
#pragma once

#include <span>
#include <vector>

#include "search/refinement.hpp"

namespace boxwood::coded {

// The bins of one feature whose rows are gathered (a flag each), where the rows go, and how codes become bins.
struct OpenedBins {
  std::int32_t feature;
  const std::uint8_t* bins;
  std::vector<Coded>* items;
  int shift = 8;
};

// How many features' rows are gathered at once: until they are four times the node's for each worker, or a million, so
// that they stay small beside the table where most bins are opened.
class Portion {
 public:
  Portion(std::size_t rows, std::size_t workers) : rows_(rows), left_(std::max(4 * workers * rows, LITTLE)) {}
  bool is_full() const { return left_ == 0; }
  // Bins hold about equally many rows.
  void add(std::span<const std::uint8_t> bins) {
    left_ -= std::min(left_, rows_ * static_cast<std::size_t>(std::ranges::count(bins, 1)) / bins.size());
  }

 private:
  static constexpr std::size_t LITTLE = std::size_t{1} << 20;
  const std::size_t rows_;
  std::size_t left_;
};

class RowGatherer {
 public:
  struct Rows {
    const u32* ids;
    u32 count;
  };

  explicit RowGatherer(ThreadPool* pool) : pool_(pool), parts_(pool_workers(pool)) {}

  // The codes of all rows of the first feature go to `read`, one a row, unless it is nullptr.
  void gather(const View& view, const Rows& rows, const std::vector<OpenedBins>& opened, Code* read) {
    for (auto& part : parts_) {
      part.resize(std::max(part.size(), opened.size()));
      for (std::vector<Coded>& items : part) items.clear();
    }
    for (const OpenedBins& one : opened) one.items->clear();
    in_pieces(pool_, rows.count, [&](u32 from, u32 to, int worker) {
      for (u32 at = from; at < to; at += STEP) {
        const Rows step{rows.ids + at, std::min(STEP, to - at)};
        std::int32_t fetched = -LINE;
        for (std::size_t k = 0; k < opened.size(); ++k) {
          const bool fetches = std::abs(opened[k].feature - fetched) >= LINE;
          if (fetches) fetched = opened[k].feature;
          gather(view, step, fetches ? to - at : 0, opened[k], worker ? parts_[worker][k] : *opened[k].items);
        }
        if (!read) continue;
        const Code* codes = view.codes + opened[0].feature;
        for (u32 i = 0; i < step.count; ++i) read[at + i] = codes[step.ids[i] * view.columns()];
      }
    });
    for (std::size_t k = 0; k < opened.size(); ++k)
      for (const auto& part : parts_) opened[k].items->insert(opened[k].items->end(), part[k].begin(), part[k].end());
  }

 private:
  static constexpr u32 STEP =
      256;  // rows whose codes stay in the first cache while one feature after the other is read

  static constexpr std::int32_t LINE = 64 / sizeof(Code);

  // `left`: rows whose codes are fetched ahead, from the first of the step to the last of its piece.
  static void gather(const View& view, const Rows& step, u32 left, const OpenedBins& one, std::vector<Coded>& items) {
    constexpr u32 AHEAD = 24;
    const Code* codes = view.codes + one.feature;
    const std::size_t stride = view.columns();
    Coded room[STEP];  // not set to zero, as items of a vector would be
    u32 kept = 0;
    const int shift = one.shift;
    for (u32 i = 0; i < step.count; ++i) {
      if (i + AHEAD < left) BOXWOOD_PREFETCH(codes + step.ids[i + AHEAD] * stride, 3);
      const u32 id = step.ids[i];
      const Code code = codes[id * stride];
      room[kept] = {code, id};
      kept += one.bins[code >> shift];
    }
    items.insert(items.end(), room, room + kept);
  }

  ThreadPool* pool_;
  std::vector<std::vector<std::vector<Coded>>> parts_;  // of each worker, of each feature
};

// Calls visit(level, first, last) for each level of a column that rows have, in rising order; rows without one last.
// What is sorted costs less than a table of all levels in every node.
template <class Visit>
void each_wide_level(const View& view, const RowGatherer::Rows& rows, std::size_t j, const Visit& visit) {
  std::vector<KeyRow> by_level(rows.count), buffer;
  for (u32 i = 0; i < rows.count; ++i) by_level[i] = {view.level(j, rows.ids[i]), rows.ids[i]};
  radix_sort(by_level, buffer);
  for (auto first = by_level.begin(), last = first; first != by_level.end(); first = last) {
    while (last != by_level.end() && last->key == first->key) ++last;
    visit(first->key, first, last);
  }
}

}  // namespace boxwood::coded

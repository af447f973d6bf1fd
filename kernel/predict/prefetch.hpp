// Fetches early from memory what rows to come need.
// Invariant: nothing is read; an address beyond a column does no harm.
// Cost: an instruction a line of memory. Without it frames of many columns take twice as long, and tables by rows a
// third longer: memory gives lines that lie side by side in one go, but columns are read in turn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/plan.hpp"

namespace boxwood {

constexpr std::size_t BLOCK = 64;  // rows that go down together
constexpr std::size_t FEW_ROWS = 8192;  // fewer are there before what is fetched early

class Prefetcher {
 public:
  // The values of one feature: the first of them, and bytes from row to row.
  void add(const void* first, std::ptrdiff_t step) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    std::uintptr_t last = 0;
    for (std::size_t i = 0; i < BLOCK; ++i) {
      const std::uintptr_t line = (begin + i * static_cast<std::size_t>(step)) / LINE;
      if (i == 0 || line != last) lines_.push_back({line * LINE, BLOCK * static_cast<std::size_t>(step)});
      last = line;
    }
  }
  // After the last feature. Lines that several features share are fetched once.
  void finish() {
    std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.address < b.address; });
    const auto same = [](const Line& a, const Line& b) { return a.address == b.address; };
    lines_.erase(std::unique(lines_.begin(), lines_.end(), same), lines_.end());
  }

  std::size_t size() const { return lines_.size(); }

  // Fetches some of the lines that a block needs, an offset of blocks behind number `block`.
  BOXWOOD_INLINE void fetch(std::size_t block, std::size_t from, std::size_t until) const {
    for (std::size_t i = from; i < std::min(until, lines_.size());
         ++i)  // into the second cache: the first is too small
      BOXWOOD_PREFETCH(reinterpret_cast<const void*>(lines_[i].address + (block + AHEAD) * lines_[i].step), 2);
  }

 private:
  static constexpr std::size_t LINE = 64, AHEAD = 1;
  struct Line {
    std::uintptr_t address;
    std::size_t step;  // bytes from block to block
  };
  std::vector<Line> lines_;
};

}  // namespace boxwood

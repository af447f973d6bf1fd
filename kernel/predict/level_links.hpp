// Where the levels of a split lead: runs of entries (plan.hpp) that go one way.
// Invariant: every entry is in one run; entry 0, of levels not seen in training, and entry 1, of missing ones, come
// first. Cost: that of the levels and intervals that the split lists.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "predict/plan.hpp"
#include "predict/route.hpp"

namespace boxwood {

// The places of what a split does not list, of what is missing, and of branch 0.
struct Ways {
  std::uint32_t unseen, gone, base;
};

struct LevelRuns {
  std::vector<double> last;  // of each run its last entry, in the low bits
  std::vector<std::uint32_t> to;

  LevelRuns(const SplitView& splits, std::int32_t s, const Ways& ways, const Asked& asked) {
    const std::int64_t entries = asked.levels + LEVEL_SHIFT;
    add(0, ways.unseen);
    add(1, ways.gone);
    const bool by_order = asked.kind == Kind::ordinal;
    const std::int32_t intervals = splits.breaks_start[s + 1] - splits.breaks_start[s];
    const double* breaks = splits.breaks + splits.breaks_start[s];
    std::int32_t beyond = 0;  // the first interval that is not listed yet
    const auto until = [&](std::int32_t i) {
      const double most = static_cast<double>(entries - 1 - LEVEL_SHIFT);
      return static_cast<std::int64_t>(std::floor(i < intervals ? std::clamp(breaks[i], -1.0, most) : most)) +
             LEVEL_SHIFT;
    };
    for (std::int32_t i = splits.index_start[s]; i < splits.index_start[s + 1]; ++i) {
      const std::uint32_t place = ways.base + static_cast<std::uint32_t>(splits.index[i]);
      const std::int32_t at = splits.position[i];
      if (by_order) {
        if (at > beyond) add(until(at - 1), ways.unseen);
        add(until(at), place);
        beyond = at + 1;
      } else {
        add(at + LEVEL_SHIFT - 1, ways.unseen);
        add(at + LEVEL_SHIFT, place);
      }
    }
    add(entries - 1, ways.unseen);
  }

  // The place of every entry.
  std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> out;
    for (std::size_t r = 0; r < to.size(); ++r)
      while (std::bit_cast<double>(IN_LOW_BITS + out.size()) <= last[r]) out.push_back(to[r]);
    return out;
  }

 private:
  void add(std::int64_t until, std::uint32_t place) {
    if (until < next_) return;
    if (to.empty() || to.back() != place) {
      last.push_back(0.0);
      to.push_back(place);
    }
    last.back() = std::bit_cast<double>(IN_LOW_BITS + static_cast<std::uint64_t>(until));
    next_ = until + 1;
  }

  std::int64_t next_ = 0;
};

}  // namespace boxwood

// A cut of a node from which rows are peeled off, or two sets of levels, as the grower needs it.
#pragma once

#include "general/peeling/levels.hpp"
#include "search/split.hpp"

namespace boxwood {

// The side of rows without a value is decided by who asked, unless the column has learned it.
struct PeeledCut {
  std::size_t column = 0;
  std::uint32_t at = 0, below = 0, above = 0;
  std::vector<LevelBranch> levels;
  std::int64_t weight[2] = {0, 0};  // of the rows with a value, on either side
  std::uint32_t rows_below = 0, rows_missing = 0;
  std::int32_t missing = -1;  // branch of the rows without a value; -1 = nobody has said
};

// The sets of a split, which lists the levels that have rows.
inline PeeledCut cut_of_levels(const PeeledLevels& levels, const Candidate& split, int n_classes) {
  PeeledCut cut;
  cut.column = static_cast<std::size_t>(split.feature);
  cut.levels = split.levels;
  cut.missing = split.missing;
  auto at = split.levels.begin();
  levels.each_level([&](std::uint32_t level, const std::int64_t* sums, std::uint32_t rows) {
    if (level == MISSING) {
      cut.rows_missing = rows;
      return;
    }
    while (at->level != level) ++at;
    for (int k = 0; k < n_classes; ++k) cut.weight[at->branch] += sums[k];
    if (at->branch == 0) cut.rows_below += rows;
  });
  return cut;
}

}  // namespace boxwood

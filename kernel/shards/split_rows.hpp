// A split between two ends as a row of the tables of a grown level.
// Invariant: the row that the grower in memory writes for the same split.
#pragma once

#include "shards/level.hpp"
#include "shards/table.hpp"

namespace boxwood::sharded {

// `above` is null when every known value is below.
inline void push_split(const FeatureShape& feature, const Candidate& c, const End& below, const End* above,
                       SplitRows& to) {
  Column column;
  column.kind = feature.kind;
  column.n_codes = feature.size;
  Candidate split = c;
  split.above = MISSING;
  if (feature.kind == Kind::ordinal) {
    split.below = below.bin;
    if (above) split.above = above->bin;
  } else if (feature.kind == Kind::numeric) {
    const Cut &low = below.at, &high = above ? above->at : below.at;
    column.values = {low.value, high.value};
    column.lows = {low.low, high.low};
    split.below = 0;
    if (above) split.above = 1;
  }
  to.push(split, column, false);
}

}  // namespace boxwood::sharded

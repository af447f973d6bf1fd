// What each coarse bin of a numeric column holds in a shard: rows, weight, least and greatest value.
// Invariant: sums, minima and maxima are the same for any shards in any order. Cost: one read of codes and values.
#pragma once

#include <limits>

#include "shards/count.hpp"

namespace boxwood::sharded {

// What lies in each coarse bin of a column: rows, their weight, least and greatest value (of none: infinities, in
// reverse).
struct Spans {
  std::vector<i64> rows, weight;
  std::vector<Cut> least, greatest;
};

// Of the rows that are at a place.
inline Spans spans_of(const Places& places, const std::uint16_t* codes, const ExactValues& values, const i64* weight,
                      std::size_t cells) {
  constexpr double INFINITE = std::numeric_limits<double>::infinity();
  Spans out{std::vector<i64>(cells, 0), std::vector<i64>(cells, 0), std::vector<Cut>(cells, {INFINITE, 0.0}),
            std::vector<Cut>(cells, {-INFINITE, 0.0})};
  places.each([&](std::size_t i, std::size_t) {
    const std::size_t at = codes[i];
    if (at == 0xFFFF) return;
    const Cut x = values.at(i);
    ++out.rows[at];
    out.weight[at] += weight ? weight[i] : 1;
    if (is_below(x, out.least[at])) out.least[at] = x;
    if (is_below(out.greatest[at], x)) out.greatest[at] = x;
  });
  return out;
}

}  // namespace boxwood::sharded

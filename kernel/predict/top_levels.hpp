// The first steps of a block of rows at once: the tests at the top of a plan are made for all rows, whoever will need
// them. Invariant: a row begins where its own steps would have led it, or where it lacks a number whose absence leads
// elsewhere. Cost: that of predict/top_levels_by_four.hpp or predict/top_levels_by_eight.hpp, whatever the processor
// has; where it has neither there is no crown.
#pragma once

#include "predict/top_levels_by_eight.hpp"

namespace boxwood {

namespace crown {

// How many numbers registers hold that compare them: 8, 4, or 0 for fewer.
inline int numbers_at_once() {
#if defined(BOXWOOD_X86)
  static const int found = __builtin_cpu_supports("avx512bitalg") ? 8 : __builtin_cpu_supports("avx2") ? 4 : 0;
  return found;
#else
  return 0;
#endif
}

// Which list of entries a reading has in the crown, a new one if need be; -1 where its words have other bits, or there
// is no room.
inline int list_of(Crown& crown, const Plan& plan, std::uint32_t reading) {
  const std::size_t entries = plan.readings[reading].of_entry.size();
  if (!plan.masked || entries == 0 || entries > MARK_BITS) return -1;
  const auto found = std::find(crown.listed.begin(), crown.listed.end(), reading);
  if (found == crown.listed.end() && crown.listed.size() == Crown::MOST_LISTED) return -1;
  const auto list = static_cast<int>(found - crown.listed.begin());
  if (found == crown.listed.end()) crown.listed.push_back(reading);
  return list;
}

}  // namespace crown

// The crown of a plan: whole levels of tests that ask no table, at most as many as rows go in step anyway.
// `numbers_at_once`: how many of them registers hold.
inline Crown crown_of(const Plan& plan, int numbers_at_once) {
  const PlanNodes nodes(plan);
  Crown crown;
  crown.is_wide = numbers_at_once >= 8;
  crown.tests.resize(1);
  crown.links = {0, 0};
  const int most = std::min(plan.lead, crown.is_wide ? Crown::MOST_LEVELS : Crown::FEWER_LEVELS);
  if (numbers_at_once < 4 || most < Crown::FEWER_LEVELS) return crown;
  for (; crown.depth < most; ++crown.depth) {
    const std::size_t first = std::size_t{1} << crown.depth;
    crown.links.resize(4 * first);
    for (std::size_t t = first; t < 2 * first; ++t)
      if (nodes[crown.links[t]].lead().first == IS_TABLE) return crown;
    for (std::size_t t = first; t < 2 * first; ++t) {
      const std::uint32_t at = crown.links[t];
      const PlanPair::Lead& lead = nodes[at].lead();
      const std::uint32_t upper = lead.first + (lead.first != at), gone = nodes[at].tail().gone + 1;
      const auto absent = gone == lead.first ? Crown::Absent::below
                          : gone == upper    ? Crown::Absent::above
                                             : Crown::Absent::outside;
      const std::uint64_t mask = plan.masked ? std::bit_cast<std::uint64_t>(nodes[at].mask()) : ~std::uint64_t{0};
      crown.tests.push_back({nodes[at].cut(), mask, lead.feature, absent, crown::list_of(crown, plan, lead.feature)});
      crown.stops = crown.stops || absent == Crown::Absent::outside;
      crown.links[t + first] = lead.first;
      crown.links[t + 2 * first] = upper;
    }
  }
  return crown;
}

// Where the rows of a block begin, by the columns that the tests read.
inline void begin_at_crown(const Crown& crown, const double* const* columns, std::uint32_t* at) {
#if defined(BOXWOOD_X86)
  std::uint8_t place[BLOCK];
  if (crown.is_wide) {
    crown::places_by_eights(crown, columns, place);
  } else {
    crown::places_by_fours(crown, columns, place);
  }
  BOXWOOD_UNROLL
  for (std::size_t i = 0; i < BLOCK; ++i) at[i] = crown.links[place[i]];
#else
  std::fill(at, at + BLOCK, 0);
#endif
}

}  // namespace boxwood

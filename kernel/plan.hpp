// A tree compiled for speed: every test is a cut or a table, every way out of a node (missing, unseen, stays) another node.
// Invariant: read only; a link leads to a node or to its own one, which is an end. Siblings stand side by side, the lower one first.
// Cost: 24 bytes a node, side by side, and 4 a level of each split by levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "columns.hpp"

namespace boxwood {

// Two siblings, by eights of bytes: cuts, features and links, what remains; so a sibling is one eight further. A link is the number of
// the eight where a node begins. Of a cut, `first` leads to the lower side (x <= cut), and one further to the upper. Of a table, it is
// IS_TABLE, and the table's start is in the low half of `cut`. `gone` is one before where a missing value leads; ends are numbered.
struct PlanPair {
  struct Lead {
    std::uint32_t feature, first;
  };
  struct Tail {
    std::uint32_t gone, end;
  };
  double cut[2];
  Lead lead[2];
  Tail tail[2];
};
constexpr std::uint32_t EIGHTS = sizeof(PlanPair) / 8, IS_TABLE = 0x80000000u;

// Place: the number of a node, counting siblings one after the other.
constexpr std::uint32_t link_to(std::uint32_t place) { return place / 2 * EIGHTS + place % 2; }

// Whole numbers below 2^32 as normal doubles with these bits in their low half.
constexpr std::uint64_t IN_LOW_BITS = std::uint64_t{0x433} << 52;

// What a level is shifted by in a table: entry 0 is for a level not seen in training, entry 1 for a missing value.
constexpr std::int64_t LEVEL_SHIFT = 2;

// How a feature is asked for, and how many levels it has.
struct Asked {
  Kind kind = Kind::numeric;
  std::int32_t levels = 0;
};

struct Plan {
  struct alignas(64) Line {
    PlanPair pair[4];
  };

  std::vector<Line> lines;
  std::vector<std::uint32_t> table;   // of level tests: where each level leads
  std::vector<std::int32_t> node_of;  // end -> node of the tree
  std::vector<std::uint8_t> met;      // end -> MET_STAY or MET_SHARED, for ends inside the tree
  std::vector<Asked> features;
  std::vector<std::uint32_t> used;    // the features that are read
  bool shares = false;                // some end shares its rows out
  bool gaps = false;                  // the plain way may pass something missing or unseen: levels, and numbers without a branch
  int lead = 1;                       // steps to take before asking who has arrived
  bool even = false;                  // after them every row has
};

}  // namespace boxwood

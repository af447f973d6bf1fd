// A tree compiled for speed: every test is a cut or a table, every way out of a node (missing, unseen, stays) another
// node. Invariant: read only; a link leads to a node or to its own one, which is an end. Siblings stand side by side,
// the lower one first. Cost: 24 bytes a node, side by side; 32 where levels are told by marks
// (predict/level_bitmask.hpp), 4 more a level of each split where by tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "encode/columns.hpp"

namespace boxwood {

// Two siblings, by eights of bytes: cuts, features and links, what remains; so a sibling is one eight further. A link
// is the number of the eight where a node begins. Of a cut, `first` leads to the lower side (x <= cut), and one further
// to the upper. Of a table, it is IS_TABLE, and the table's start is in the low half of `cut`. `gone` is one before
// where a missing value leads; ends are numbered. `feature` is the number of a reading.
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

// The same where levels are told by marks: a value is masked before it is compared. A mask of numbers leaves them as
// they are.
struct MaskedPair {
  PlanPair pair;
  std::uint64_t mask[2];
};
constexpr std::uint32_t IS_TABLE = 0x80000000u;

// Whole numbers below 2^52 as normal doubles with these bits in their low part; the first of them, which no mark
// exceeds that has no bit.
constexpr std::uint64_t IN_LOW_BITS = std::uint64_t{0x433} << 52;
constexpr double MARK_CUT = 0x1p52;
constexpr std::size_t MARK_BITS = 52;

// What a level is shifted by in a table: entry 0 is for a level not seen in training, entry 1 for a missing value.
constexpr std::int64_t LEVEL_SHIFT = 2;

// How a feature is asked for, and how many levels it has.
struct Asked {
  Kind kind = Kind::numeric;
  std::int32_t levels = 0;
};

// What a node reads of a row: the number of a feature, or what the row's entry of it stands for.
struct Reading {
  std::uint32_t feature = 0;
  std::vector<double> of_entry;  // entry (level + LEVEL_SHIFT) -> word; below 0 for entry 0 alone. Of numbers: nothing
};

// The tests at the top of a plan (predict/top_levels.hpp): 2^l of them on level l, the first of all number 1. From test
// t of level l a row goes on to number t + 2^l, below the cut, or to t + 2 * 2^l; so on every level tests lie in the
// order of their rows' last steps.
struct Crown {
  static constexpr int MOST_LEVELS = 6, FEWER_LEVELS = 4;  // where registers hold eight numbers, or four
  static constexpr std::size_t TESTS = 1 << MOST_LEVELS, MOST_LISTED = 16;
  enum class Absent { below, above, outside };  // where a missing value leads
  struct Test {
    double cut;
    std::uint64_t mask;
    std::uint32_t reading;
    Absent absent;
    int list;  // number of the reading among those listed, or below 0

    bool is_of_number() const { return mask == ~std::uint64_t{0}; }
  };

  int depth = 0;  // levels of tests; 0 where there is no crown
  bool is_wide = false;  // registers hold eight numbers
  bool stops = false;  // some row may stop inside, where it lacks a number whose absence leads elsewhere
  std::vector<Test> tests;
  std::vector<std::uint32_t> links;  // of the tests, and of what is below them
  std::vector<std::uint32_t> listed;  // readings whose words have a bit for each entry
};

// Nodes once more, where registers hold eight numbers (predict/packed_nodes.hpp): sixteen bytes each, and links are
// their numbers. Of a test of levels the cut is a NaN that holds the marks. Plans without a crown have none.
struct Narrow {
  struct Node {
    double cut;
    std::uint32_t first, reading;
  };

  std::vector<Node> nodes;
  std::vector<std::uint32_t> gone, ends;  // where a missing number leads; numbers of ends
  std::vector<std::uint32_t> begins;  // of the crown's places
  int steps = 0;  // to take from there before asking who has arrived
  bool is_sure = false;  // after them every row has that never lacked a number
};

struct Plan {
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  std::vector<Line> lines;  // PlanPairs, or MaskedPairs
  std::vector<std::uint32_t> table;  // of level tests: where each level leads
  std::vector<std::int32_t> node_of;  // end -> node of the tree
  std::vector<std::uint8_t> met;  // end -> MET_STAY or MET_SHARED, for ends inside the tree
  std::vector<Asked> features;
  std::vector<Reading> readings;  // one for each feature, in their order; then more words of some
  std::vector<std::uint32_t> used;  // the readings that some node asks for
  bool masked = false;  // levels are told by marks
  bool shares = false;  // some end shares its rows out
  bool gaps = false;  // the plain way may pass something missing or unseen: levels, and numbers without a branch
  int lead = 1;  // steps to take before asking who has arrived
  bool even = false;  // after them every row has
  Crown crown;  // some of them, for blocks of rows
  Narrow narrow;  // what is below, for the same

  // Eights of bytes that two siblings take.
  std::uint32_t eights() const { return (masked ? sizeof(MaskedPair) : sizeof(PlanPair)) / 8; }
  // Place: the number of a node, counting siblings one after the other.
  std::uint32_t link_to(std::uint32_t place) const { return place / 2 * eights() + place % 2; }
};

}  // namespace boxwood

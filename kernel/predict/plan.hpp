// A tree compiled for speed: every test is one comparison, every branch (missing, unseen, stops here) another node.
// Invariant: read only; a link leads to a node or to the node itself, which is then a leaf. Siblings share a line of
// memory, the lower one first. Cost: 32 bytes a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "encode/columns.hpp"
#include "parallel/compiler.hpp"

namespace boxwood {

constexpr std::uint64_t KEEP = ~std::uint64_t{0};  // the mask of tests of numbers

// A row goes on to `first`, to the node behind it where the masked value exceeds the cut, or to the node behind
// `before_missing` where it is NaN. Of a test of levels the value is a word (predict/level_words.hpp) and the mask a
// set of levels.
struct PlanNode {
  double cut = std::numeric_limits<double>::infinity();
  std::uint64_t mask = KEEP;
  std::uint32_t reading = 0, first = 0, before_missing = 0, leaf = 0;
};
static_assert(sizeof(PlanNode) == 32);

struct alignas(64) Siblings {
  PlanNode node[2];
};

// The kind of a feature and how many levels it has.
struct PlanFeature {
  Kind kind = Kind::numeric;
  std::int32_t levels = 0;
};

// Entries of a level feature: 0 for a level not seen in training, 1 for a missing one, then its levels.
constexpr std::int64_t LEVEL_SHIFT = 2;
// The entry of a level code: -1 is missing, anything else below 0 was not seen in training.
inline std::size_t entry_of(std::int64_t level) {
  return level < -1 ? 0 : static_cast<std::size_t>(level + LEVEL_SHIFT);
}

// What a node reads of a row: a number as it is, or the word of the row's level.
struct Reading {
  std::uint32_t feature = 0;
  std::vector<double> word_of_entry;  // empty: a number
};

struct Plan {
  explicit Plan(std::vector<PlanFeature> of) : features(std::move(of)) {}

  std::vector<Siblings> siblings;
  std::vector<std::int32_t> node_of;  // leaf -> node of the tree; an inner node at which rows stop has a leaf, too
  std::vector<std::uint8_t> flags;  // leaf -> ROUTE_STAY or ROUTE_SHARED, where it is an inner node
  std::vector<PlanFeature> features;
  std::vector<Reading> readings;  // one for each feature, in their order; then more words of some
  std::vector<std::uint32_t> used;  // the readings of some node
  bool has_levels = false;
  int steps = 1;  // to take before looking who has arrived
  bool even = false;  // after them every row has

  const PlanNode* nodes() const { return reinterpret_cast<const PlanNode*>(siblings.data()); }
};

}  // namespace boxwood

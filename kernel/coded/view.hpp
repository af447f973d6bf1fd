// Rows as the search sees them: codes side by side, the row of the learning set behind each id.
// Invariant: ids of a node stand together in one of two buffers; children are written to the other one.
#pragma once

#include "codes.hpp"
#include "responses.hpp"

namespace boxwood::coded {

struct View {
  const Codes* all;
  const Code* codes;   // codes of id i begin at i * columns
  const u32* origin;   // row of the learning set of each id; nullptr = the id itself

  std::size_t columns() const { return all->columns(); }
  Code code(std::size_t feature, u32 id) const { return codes[static_cast<std::size_t>(id) * columns() + feature]; }
  u32 row(u32 id) const { return origin ? origin[id] : id; }
  double value(std::size_t feature, u32 id) const { return all->value(feature, row(id)); }
};

// A stretch of ids that is one node; its record is a row of the nodes being grown.
struct Span {
  u32 begin = 0, count = 0;
  std::int32_t depth = 0, record = 0;
};

// A cut of one feature. Left is: code below `code`, or equal to it and (`whole` or value <= below).
struct Cut {
  std::int32_t feature = -1;
  Code code = 0;
  bool whole = true;
  double below = 0, above = 0;  // the values about the cut; known beforehand only when a code is cut in two
  double decrease = 0;
  i64 left = 0;
};

}  // namespace boxwood::coded

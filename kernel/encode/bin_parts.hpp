// What one part of the data tells of where a column is cut into bins (encode/bin_cuts.hpp): counts by cell, counts
// inside heavy stretches, and the values at the ends of bins. Invariant: everything handed out adds up over parts
// (sums, least and most), so the cuts are those that all rows together would get. Cost: one pass over the values a
// question; a bisection among the heavy stretches for a value.
#pragma once

#include "encode/bin_cuts.hpp"

namespace boxwood::coded {

// Rows of each of the CELLS cells.
template <class T>
std::vector<std::int64_t> count_cells(const T* values, std::size_t n) {
  std::vector<std::int64_t> rows(CELLS + 1, 0);
  for (std::size_t i = 0; i < n; ++i) ++rows[cell_of(static_cast<double>(values[i]))];
  rows.pop_back();  // missing ones
  return rows;
}

// Stretches of keys, ascending and apart, each cut into `width` parts of 2**shift keys.
struct Stretches {
  const std::uint64_t *start, *last;
  const std::int32_t* shift;
  std::size_t size, width;
};

// The rows in the parts of all stretches, one after the other.
template <class T>
Cuts::Parts count_parts(const T* values, std::size_t n, const Stretches& in) {
  Cuts::Parts parts(in.size * in.width);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(values[i]);
    if (x != x) continue;
    const std::uint64_t key = ordered_bits(x);
    const std::size_t after = static_cast<std::size_t>(std::upper_bound(in.start, in.start + in.size, key) - in.start);
    if (after == 0 || key > in.last[after - 1]) continue;
    const std::uint64_t part = (key - in.start[after - 1]) >> in.shift[after - 1];
    if (part < in.width) parts[(after - 1) * in.width + part].add(key);
  }
  return parts;
}

// Least and greatest value of each bin; infinities the wrong way round where it has none.
struct ValueEnds {
  std::vector<double> first, last;
};
template <class T>
ValueEnds value_ends(const T* values, std::size_t n, const double* cuts, std::size_t n_cuts) {
  const double infinity = std::numeric_limits<double>::infinity();
  ValueEnds out{std::vector<double>(n_cuts + 1, infinity), std::vector<double>(n_cuts + 1, -infinity)};
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(values[i]) + 0.0;  // + 0.0: one zero
    if (x != x) continue;
    const std::size_t bin = static_cast<std::size_t>(std::upper_bound(cuts, cuts + n_cuts, x) - cuts);
    out.first[bin] = std::min(out.first[bin], x);
    out.last[bin] = std::max(out.last[bin], x);
  }
  return out;
}

}  // namespace boxwood::coded

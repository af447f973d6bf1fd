// What one part of a column tells of where its bins are cut (bins.hpp): counts by cell, the keys inside heavy cells, counts inside these,
// and the values at the ends of bins.
// Invariant: everything handed out adds up over parts (sums, least and most), so the cuts are those that all rows together would get.
// Cost: one pass over the values a question; a bisection among the heavy cells for a value.
#pragma once

#include "bins.hpp"

namespace boxwood::coded {

// Rows of each of the CELLS cells.
template <class T>
std::vector<std::int64_t> count_cells(const T* values, std::size_t n) {
  std::vector<std::int64_t> rows(CELLS, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = values[i];
    if (x == x) ++rows[cell_of(x)];
  }
  return rows;
}

// Stretches of keys, ascending and apart.
struct Stretches {
  const std::uint64_t *start, *last;
  std::size_t size;

  // visit(stretch, key) for every value inside one.
  template <class T, class Visit>
  void each(const T* values, std::size_t n, const Visit& visit) const {
    for (std::size_t i = 0; i < n; ++i) {
      const double x = values[i];
      if (x != x) continue;
      const std::uint64_t key = ordered_bits(x);
      const std::size_t after = static_cast<std::size_t>(std::upper_bound(start, start + size, key) - start);
      if (after > 0 && key <= last[after - 1]) visit(after - 1, key);
    }
  }
};

// Least and greatest key inside each stretch; the least above the greatest where there is none.
struct KeyEnds {
  std::vector<std::uint64_t> least, most;
};
template <class T>
KeyEnds key_ends(const T* values, std::size_t n, const Stretches& stretches) {
  KeyEnds out{std::vector<std::uint64_t>(stretches.size, ~std::uint64_t{0}), std::vector<std::uint64_t>(stretches.size, 0)};
  stretches.each(values, n, [&](std::size_t s, std::uint64_t key) {
    out.least[s] = std::min(out.least[s], key);
    out.most[s] = std::max(out.most[s], key);
  });
  return out;
}

// Rows in each of `width` equal pieces of 2**shift keys of every stretch, from its start on.
template <class T>
std::vector<std::int64_t> count_pieces(const T* values, std::size_t n, const Stretches& stretches, const std::int32_t* shift, std::size_t width) {
  std::vector<std::int64_t> rows(stretches.size * width, 0);
  stretches.each(values, n, [&](std::size_t s, std::uint64_t key) {
    const std::uint64_t piece = (key - stretches.start[s]) >> shift[s];
    if (piece < width) ++rows[s * width + piece];
  });
  return rows;
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

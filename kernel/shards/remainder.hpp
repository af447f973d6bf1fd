// A table of a numeric target less those of some of its parts: the table of the one child that was not counted.
// Invariant: rows and sums are what counting would have found, in whole numbers; `spread` is at least that.
// Cost: a few steps an entry.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "shards/words.hpp"

namespace boxwood::sharded {

// A table as it lies in memory; deviations are counted from `middle`.
struct TableView {
  const i64 *rows = nullptr, *words = nullptr;
  const double* spread = nullptr;
  i64 middle = 0;
};

// Sums of one entry about another middle: sum w (d + step) = S + W step, sum w (d + step)^2
// likewise.
struct Moved {
  i64 weight;
  Wide sum;
  double spread, size;  // size: of the terms that were added up, for what rounding may have lost

  Moved(const TableView& table, std::size_t entry, i64 to)
      : weight(table.words[4 * entry]), sum(wide_of(table.words + 4 * entry + 1)) {
    const Wide step = static_cast<Wide>(table.middle) - to;
    const double by = static_cast<double>(step), cross = 2 * by * static_cast<double>(sum);
    const double squares = by * by * static_cast<double>(weight), own = table.spread[entry];
    spread = own + cross + squares;
    size = own + std::abs(cross) + squares;
    sum += step * weight;
  }
};

// What is left, about the middle of the derived child.
inline Entries left_of(const TableView& whole, const std::vector<TableView>& parts, std::size_t count, i64 middle) {
  constexpr double LOST = 1e-12;  // of the sizes of all terms: far more than rounding loses
  Entries out;
  for (std::size_t e = 0; e < count; ++e) {
    Moved all(whole, e, middle);
    i64 rows = whole.rows[e];
    for (const TableView& part : parts) {
      const Moved one(part, e, middle);
      rows -= part.rows[e];
      all.weight -= one.weight;
      all.sum -= one.sum;
      all.spread -= one.spread;
      all.size += one.size;
    }
    out.rows.push_back(rows);
    out.words.push_back(all.weight);
    put_wide(all.sum, out.words);
    out.spread.push_back(rows > 0 ? std::max(0.0, all.spread) + LOST * all.size : 0.0);
  }
  return out;
}

}  // namespace boxwood::sharded

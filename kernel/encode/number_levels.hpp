// Numbers of a table as level codes, without a sort: which level of its feature each value is.
// Invariant: -1 for NaN, -2 for a value that is no level; a number is a level when they are equal.
// Cost: one pass over the rows for all features together; a table lookup a value, or a bisection where levels lie far
// apart.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/thread_pool.hpp"

namespace boxwood {

class LevelFinder {
 public:
  // `levels`: rising, each with its code.
  LevelFinder(std::vector<double> levels, std::vector<std::int32_t> codes)
      : levels_(std::move(levels)), codes_(std::move(codes)) {
    const bool whole = std::all_of(levels_.begin(), levels_.end(),
                                   [](double v) { return std::floor(v) == v && std::fabs(v) < 0x1p31; });
    if (!whole || levels_.empty() || levels_.back() - levels_.front() > 65'535) return;
    table_.assign(static_cast<std::size_t>(levels_.back() - levels_.front()) + 1, -2);
    for (std::size_t v = 0; v < levels_.size(); ++v)
      table_[static_cast<std::size_t>(levels_[v] - levels_.front())] = codes_[v];
  }

  std::int32_t code(double value) const {
    if (value != value) return -1;
    if (!table_.empty()) {
      const double place = value - levels_.front();
      if (!(place >= 0.0 && place <= static_cast<double>(table_.size() - 1))) return -2;
      const auto at = static_cast<std::size_t>(place);
      return static_cast<double>(at) + levels_.front() == value ? table_[at]
                                                                : -2;  // the difference may be rounded, the sum is not
    }
    const auto at = std::lower_bound(levels_.begin(), levels_.end(), value);
    return at != levels_.end() && *at == value ? codes_[static_cast<std::size_t>(at - levels_.begin())] : -2;
  }

 private:
  std::vector<double> levels_;
  std::vector<std::int32_t> codes_, table_;
};

// A table in memory, and which of its columns are to be coded into which list.
template <class T>
struct ToCode {
  const T* values;
  std::ptrdiff_t row_step, column_step;
  std::vector<std::size_t> columns;
  std::vector<LevelFinder> finders;
  std::vector<std::int32_t*> out;
};

// Returns whether every value is a level or missing.
template <class T>
bool code_levels(const ToCode<T>& task, std::size_t rows, Team& team) {
  constexpr std::size_t PART = 1024;
  std::atomic<bool> known{true};
  team.run((rows + PART - 1) / PART, [&](std::size_t part, int) {
    const std::size_t end = std::min(rows, (part + 1) * PART);
    bool all = true;
    for (std::size_t c = 0; c < task.columns.size(); ++c) {
      const T* first = task.values + static_cast<std::ptrdiff_t>(task.columns[c]) * task.column_step;
      for (std::size_t i = part * PART; i < end; ++i) {
        const std::int32_t code =
            task.finders[c].code(static_cast<double>(first[static_cast<std::ptrdiff_t>(i) * task.row_step]));
        all = all && code != -2;
        task.out[c][i] = code;
      }
    }
    if (!all) known.store(false, std::memory_order_relaxed);
  });
  return known.load();
}

}  // namespace boxwood

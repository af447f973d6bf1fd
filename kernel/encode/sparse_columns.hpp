// Columns of which few rows are not zero: each as its other values in order, with their ranks; zeros take no memory.
// Invariant: ranks are those of encode_numeric (exact_codes.hpp) over all rows, so zero has one where any row holds it;
// MISSING is the rank of NaN, and such entries come last. Cost: 8 bytes an entry; about 20 ns to sort one.
#pragma once

#include <limits>
#include <span>

#include "encode/columns.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood::coded {

// A row whose value in some column is not zero, and the rank of that value among the column's.
struct SparseEntry {
  std::uint32_t row, rank;
};

class SparseColumns {
 public:
  // Column j holds values[i] in row rows[i] for i from starts[j] to starts[j + 1], each row once; zeros may be among
  // them.
  SparseColumns(std::size_t n, std::span<const std::int64_t> starts, const std::uint32_t* rows, const double* values,
                ThreadPool& pool)
      : n_(n), starts_(starts.size(), 0), zero_(starts.size() - 1), known_(starts.size() - 1) {
    for (std::size_t j = 0; j < columns(); ++j) {
      std::size_t others = 0;
      for (std::int64_t i = starts[j]; i < starts[j + 1]; ++i) others += values[i] != 0.0;
      starts_[j + 1] = starts_[j] + others;
    }
    entries_.resize(starts_.back());
    std::vector<std::vector<Valued>> buffers(static_cast<std::size_t>(pool.size()));
    pool.run(columns(), [&](std::size_t j, int worker) {
      std::vector<Valued>& here = buffers[static_cast<std::size_t>(worker)];
      here.clear();
      for (std::int64_t i = starts[j]; i < starts[j + 1]; ++i)
        if (values[i] != 0.0) here.push_back({values[i], rows[i]});
      encode(j, here);
    });
  }

  std::size_t rows() const { return n_; }
  std::size_t columns() const { return zero_.size(); }
  std::span<const SparseEntry> column(std::size_t j) const {
    return {entries_.data() + starts_[j], starts_[j + 1] - starts_[j]};
  }
  // The rank of zero in a column, or that of the least value above it where no row holds zero.
  std::uint32_t zero(std::size_t j) const { return zero_[j]; }
  bool has_zero(std::size_t j) const { return starts_[j + 1] - starts_[j] < n_; }
  bool has_missing() const {
    for (std::size_t j = 0; j < columns(); ++j)
      if (starts_[j + 1] > starts_[j] && entries_[starts_[j + 1] - 1].rank == MISSING) return true;
    return false;
  }
  std::size_t entries() const { return entries_.size(); }
  std::uint32_t distinct(std::size_t j) const { return static_cast<std::uint32_t>(known_[j].size()); }
  // The value of a rank.
  double value(std::size_t j, std::uint32_t rank) const { return known_[j][rank]; }

 private:
  struct Valued {
    double value;
    std::uint32_t row;
  };

  void encode(std::size_t j, std::vector<Valued>& here) {
    // NaN above all
    const auto less = [](const Valued& a, const Valued& b) {
      return a.value < b.value || (std::isnan(b.value) && !std::isnan(a.value));
    };
    if (!std::is_sorted(here.begin(), here.end(), less)) std::sort(here.begin(), here.end(), less);
    std::vector<double>& known = known_[j];
    SparseEntry* out = entries_.data() + starts_[j];
    const auto pass_zero = [&] {
      zero_[j] = static_cast<std::uint32_t>(known.size());
      if (has_zero(j)) known.push_back(0.0);
    };
    bool is_below = true;
    for (const Valued& one : here) {
      if (is_below && !(one.value < 0.0)) pass_zero(), is_below = false;
      const bool is_missing = std::isnan(one.value);
      if (!is_missing && (known.empty() || known.back() != one.value)) known.push_back(one.value);
      *out++ = {one.row, is_missing ? MISSING : static_cast<std::uint32_t>(known.size() - 1)};
    }
    if (is_below) pass_zero();
  }

  std::size_t n_;
  std::vector<std::size_t> starts_;  // of each column's entries
  std::vector<std::uint32_t> zero_;
  std::vector<std::vector<double>> known_;  // the values of each column, rising
  std::vector<SparseEntry> entries_;
};

}  // namespace boxwood::coded

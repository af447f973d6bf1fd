// Where a column is cut into bins of about equal numbers of rows, from counts alone: of its cells first, then of the
// parts of ranges that hold more rows than a bin should.
// Invariant: cuts depend on nothing but how often each value occurs: not on the order of rows, not on who counts;
// counts of parts of the data add up. Cost: a few operations a cell; one more pass over the rows, with a bisection a
// value, as long as a range of several values holds more rows than a bin should.
#pragma once

#include <algorithm>

#include "encode/cells.hpp"

namespace boxwood::coded {

// A range of keys (ordered_bits) from `start` to `last`.
struct KeyRange {
  std::uint64_t start, last, rows;
};

// Ranges of keys, ascending and disjoint, each cut into `width` parts of 2**shift keys.
struct KeyRanges {
  const std::uint64_t *start, *last;
  const std::int32_t* shift;
  std::size_t size, width;
};

// The rows in one part of a range; its least and its greatest key.
struct RangePart {
  std::uint64_t least = ~std::uint64_t{0}, most = 0, rows = 0;
  void add(const RangePart& o) {
    least = std::min(least, o.least);
    most = std::max(most, o.most);
    rows += o.rows;
  }
};
// The parts of all ranges, one after the other.
class RangeParts : public std::vector<RangePart> {
 public:
  using std::vector<RangePart>::vector;

  // Values lie `step` apart.
  template <class T>
  void count(const T* values, std::ptrdiff_t step, std::size_t n, const KeyRanges& in) {
    for (std::size_t i = 0; i < n; ++i) {
      const double x = static_cast<double>(values[static_cast<std::ptrdiff_t>(i) * step]);
      if (x != x) continue;
      const std::uint64_t key = ordered_bits(x);
      const auto after = static_cast<std::size_t>(std::upper_bound(in.start, in.start + in.size, key) - in.start);
      if (after == 0 || key > in.last[after - 1]) continue;
      const std::uint64_t part = (key - in.start[after - 1]) >> in.shift[after - 1];
      if (part < in.width) (*this)[(after - 1) * in.width + part].add({key, key, 1});
    }
  }
  void add(const RangeParts& o) {
    for (std::size_t i = 0; i < size(); ++i) (*this)[i].add(o[i]);
  }
};

class Cuts {
 public:
  // `ranges`: those that hold rows, ascending; at most `most` bins.
  Cuts(std::vector<KeyRange> ranges, std::uint32_t most) : ranges_(std::move(ranges)), most_(most) {
    for (const KeyRange& range : ranges_) total_ += range.rows;
  }

  // Finds the ranges of more rows than a bin should have; how many parts of them are to be counted, 0 = none.
  std::size_t find_heavy() {
    start_.clear();
    last_.clear();
    shift_.clear();
    for (const KeyRange& range : ranges_) {
      if (!is_heavy(range)) continue;
      start_.push_back(range.start);
      last_.push_back(range.last);
    }
    if (start_.empty() || ++rounds_ > MOST_ROUNDS) return 0;
    bits_ = start_.size() <= 8 ? 8 : start_.size() <= 1024 ? 5 : 4;
    for (std::size_t z = 0; z < start_.size(); ++z)
      shift_.push_back(std::max(0, static_cast<int>(std::bit_width(last_[z] - start_[z])) - bits_));
    return start_.size() << bits_;
  }
  KeyRanges heavy() const {
    return {start_.data(), last_.data(), shift_.data(), start_.size(), std::size_t{1} << bits_};
  }
  // Puts the parts of heavy ranges in their place.
  void replace_heavy(const RangeParts& parts) {
    std::vector<KeyRange> closer;
    auto part = parts.begin();
    for (const KeyRange& range : ranges_) {
      if (!is_heavy(range)) {
        closer.push_back(range);
        continue;
      }
      for (const auto end = part + (std::ptrdiff_t{1} << bits_); part != end; ++part)
        if (part->rows > 0) closer.push_back({part->least, part->most, part->rows});
    }
    ranges_.swap(closer);
  }

  // The least value of every bin but the first. A range goes to the bin in which the middle of its rows falls.
  std::vector<double> found() const {
    std::vector<double> cuts;
    std::uint64_t before = 0, bin = 0;
    for (const KeyRange& range : ranges_) {
      const std::uint64_t mine = std::min<std::uint64_t>((2 * before + range.rows) * most_ / (2 * total_), most_ - 1);
      if (before > 0 && mine > bin) cuts.push_back(value_of_key(range.start));
      bin = mine;
      before += range.rows;
    }
    return cuts;
  }

 private:
  static constexpr int MOST_ROUNDS = 12;

  bool is_heavy(const KeyRange& range) const { return range.rows * most_ > total_ && range.start < range.last; }

  std::vector<KeyRange> ranges_;
  std::uint64_t most_, total_ = 0;
  std::vector<std::uint64_t> start_, last_;  // of the heavy ranges
  std::vector<std::int32_t> shift_;
  int bits_ = 0, rounds_ = 0;
};

}  // namespace boxwood::coded

// Where a column is cut into bins of about equal numbers of rows, from counts alone: of its cells first, then of the
// parts of ranges that hold more rows than a bin should.
// Invariant: cuts depend on nothing but how often each value occurs: not on the order of rows, not on who counts;
// counts of parts of the data add up. Cost: a few operations a cell; one more pass over the rows, with a bisection a
// value, as long as a range of several values holds more rows than a bin should.
#pragma once

#include <algorithm>
#include <optional>

#include "encode/bins.hpp"

namespace boxwood::coded {

// A range of keys (ordered_bits) from `start` to `last`.
struct KeyRange {
  std::uint64_t start, last, rows;
};

// Ranges of keys, ascending and disjoint, each cut into `width` parts of 2**shift keys.
struct KeyRanges {
  std::vector<std::uint64_t> start, last;
  std::vector<std::int32_t> shift;
  std::size_t width;
  CutTable starts;

  static std::vector<double> values_of(const std::vector<std::uint64_t>& keys) {
    std::vector<double> values(keys.size());
    std::transform(keys.begin(), keys.end(), values.begin(), value_of_key);
    return values;
  }
};

// The rows in one part of a range; its least and its greatest key.
struct RangePart {
  std::uint64_t least = ~std::uint64_t{0}, most = 0, rows = 0;
  // Almost no key is a new end of its part, which branches make use of.
  void add(std::uint64_t key) {
    if (key < least) least = key;
    if (key > most) most = key;
    ++rows;
  }
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
    each_cell(values, step, n, [&](double x, std::uint16_t cell) {
      const std::size_t after = cell == NO_CELL ? 0 : in.starts.bin_of(x, cell);
      const std::uint64_t key = ordered_bits(x);
      if (after == 0 || key > in.last[after - 1]) return;
      const std::uint64_t part = (key - in.start[after - 1]) >> in.shift[after - 1];
      if (part < in.width) (*this)[(after - 1) * in.width + part].add(key);
    });
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
    std::vector<std::uint64_t> start, last;
    for (const KeyRange& range : ranges_) {
      if (!is_heavy(range)) continue;
      start.push_back(range.start);
      last.push_back(range.last);
    }
    if (start.empty() || ++rounds_ > MOST_ROUNDS) return 0;
    bits_ = start.size() <= 8 ? 8 : start.size() <= 1024 ? 5 : 4;
    std::vector<std::int32_t> shift;
    for (std::size_t z = 0; z < start.size(); ++z)
      shift.push_back(std::max(0, static_cast<int>(std::bit_width(last[z] - start[z])) - bits_));
    CutTable starts(KeyRanges::values_of(start), total_);
    heavy_ = {std::move(start), std::move(last), std::move(shift), std::size_t{1} << bits_, std::move(starts)};
    return heavy_->start.size() << bits_;
  }
  const KeyRanges& heavy() const { return *heavy_; }
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
  std::optional<KeyRanges> heavy_;
  int bits_ = 0, rounds_ = 0;
};

}  // namespace boxwood::coded

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

// A row and the key of its value.
struct KeyedRow {
  std::uint64_t key;
  std::uint32_t row, cell;
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
    if (begin_round() == 0) return 0;
    std::vector<std::uint64_t> start, last;
    std::vector<std::int32_t> shift;
    for (const KeyRange& range : ranges_) {
      if (!is_heavy(range)) continue;
      start.push_back(range.start);
      last.push_back(range.last);
      shift.push_back(shift_of(range));
    }
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

  // The same from the rows themselves, by rising cell; those of heavy ranges are sorted.
  void refine(std::vector<KeyedRow>& rows) {
    const auto is_less = [](const KeyedRow& a, const KeyedRow& b) { return a.key < b.key; };
    while (begin_round() > 0) {
      std::vector<KeyRange> closer;
      auto row = rows.begin();
      for (const KeyRange& range : ranges_) {
        const auto end = row + static_cast<std::ptrdiff_t>(range.rows);
        if (!is_heavy(range)) {
          closer.push_back(range);
          row = end;
          continue;
        }
        if (rounds_ == 1 && !std::is_sorted(row, end, is_less)) std::sort(row, end, is_less);
        for (std::uint64_t part = ~std::uint64_t{0}; row != end; ++row) {
          const std::uint64_t mine = (row->key - range.start) >> shift_of(range);
          if (mine != std::exchange(part, mine)) closer.push_back({row->key, row->key, 0});
          closer.back().last = row->key;
          ++closer.back().rows;
        }
      }
      ranges_.swap(closer);
    }
  }

  // Calls then(bin, range) for every range, ascending. It goes to the bin in which the middle of its rows falls.
  template <class Then>
  void each_bin(const Then& then) const {
    std::uint64_t before = 0, bin = 0, next = 0;  // next: twice the rows, times `most`, from which on bins are others
    for (const KeyRange& range : ranges_) {
      const std::uint64_t middle = (2 * before + range.rows) * most_;
      if (middle >= next) {
        const std::uint64_t place = std::min<std::uint64_t>(middle / (2 * total_), most_ - 1);
        bin += before > 0;
        next = place + 1 < most_ ? (place + 1) * 2 * total_ : ~std::uint64_t{0};
      }
      then(bin, range);
      before += range.rows;
    }
  }
  // The least value of every bin but the first.
  std::vector<double> found() const {
    std::vector<double> cuts;
    each_bin([&](std::size_t bin, const KeyRange& range) {
      if (bin > cuts.size()) cuts.push_back(value_of_key(range.start));
    });
    return cuts;
  }

 private:
  static constexpr int MOST_ROUNDS = 12;

  // How many ranges are heavy; 0 also after the last round.
  std::ptrdiff_t begin_round() {
    const auto heavy = std::count_if(ranges_.begin(), ranges_.end(), [&](const KeyRange& r) { return is_heavy(r); });
    bits_ = heavy <= 8 ? 8 : heavy <= 1024 ? 5 : 4;
    return heavy == 0 || ++rounds_ > MOST_ROUNDS ? 0 : heavy;
  }
  int shift_of(const KeyRange& range) const {
    return std::max(0, static_cast<int>(std::bit_width(range.last - range.start)) - bits_);
  }

  bool is_heavy(const KeyRange& range) const { return range.rows * most_ > total_ && range.start < range.last; }

  std::vector<KeyRange> ranges_;
  std::uint64_t most_, total_ = 0;
  std::optional<KeyRanges> heavy_;
  int bits_ = 0, rounds_ = 0;
};

}  // namespace boxwood::coded

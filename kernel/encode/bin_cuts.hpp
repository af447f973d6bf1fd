// Where a column is cut into bins of about equal numbers of rows, from counts of its cells alone.
// Invariant: cuts depend on nothing but how often each value occurs: not on the order of rows, not on who counts;
// counts of parts of the data add up. Cost: a few operations a cell; one more pass over the rows as long as a cell, or
// a part of one, holds more rows than a bin should.
#pragma once

#include "encode/coarse_buckets.hpp"

namespace boxwood::coded {

// A stretch of keys (ordered_bits) from `start` to `last`.
struct Stretch {
  std::uint64_t start, last, rows;
  bool single;  // all rows have one value
};

class Cuts {
 public:
  // What is counted of one part of a heavy stretch.
  struct Part {
    std::uint64_t least = ~std::uint64_t{0}, most = 0, rows = 0;
    void add(std::uint64_t key) {
      least = std::min(least, key);
      most = std::max(most, key);
      ++rows;
    }
    void add(const Part& o) {
      least = std::min(least, o.least);
      most = std::max(most, o.most);
      rows += o.rows;
    }
  };
  using Parts = std::vector<Part>;  // of all heavy stretches, one after the other

  // `cells`: those that hold rows, ascending; at most `most` bins.
  Cuts(std::vector<Stretch> cells, std::uint32_t most) : stretches_(std::move(cells)), most_(most) {
    for (const Stretch& stretch : stretches_) total_ += stretch.rows;
  }

  // Finds the stretches of more rows than a bin should have, to look at more closely; how many parts of them are
  // counted, 0 = none.
  std::size_t find_heavy() {
    heavy_.clear();
    for (const Stretch& stretch : stretches_)
      if (stretch.rows * most_ > total_ && !stretch.single && stretch.start < stretch.last)
        heavy_.push_back({stretch.start, stretch.last, 0});
    if (heavy_.empty() || ++rounds_ > MOST_ROUNDS) return 0;
    bits_ = heavy_.size() <= 8 ? 8 : heavy_.size() <= 1024 ? 5 : 4;
    for (Heavy& one : heavy_) one.shift = std::max(0, static_cast<int>(std::bit_width(one.last - one.start)) - bits_);
    up_to_.assign(CELLS + 2, 0);
    for (const Heavy& one : heavy_) ++up_to_[cell_of(value_of_key(one.start)) + std::size_t{1}];
    for (std::size_t cell = 0; cell + 1 < up_to_.size(); ++cell)
      up_to_[cell + 1] = static_cast<std::uint16_t>(up_to_[cell + 1] + up_to_[cell]);
    return heavy_.size() << bits_;
  }
  // Whether a cell may hold rows that are looked at more closely.
  bool is_heavy(std::uint16_t cell) const { return up_to_[cell] != up_to_[cell + std::size_t{1}]; }
  // Counts a value of such a cell.
  void count(std::uint16_t cell, double value, Parts& parts) const {
    const std::uint64_t key = ordered_bits(value);
    const auto first = heavy_.begin() + up_to_[cell], end = heavy_.begin() + up_to_[cell + std::size_t{1}];
    const auto after =
        std::upper_bound(first, end, key, [](std::uint64_t k, const Heavy& one) { return k < one.start; });
    if (after == first || key > (after - 1)->last) return;
    const auto z = static_cast<std::size_t>(after - heavy_.begin()) - 1;
    parts[(z << bits_) + ((key - heavy_[z].start) >> heavy_[z].shift)].add(key);
  }
  // Puts the parts of heavy stretches in their place.
  void look_closer(const Parts& parts) {
    std::vector<Stretch> closer;
    std::size_t z = 0;
    for (const Stretch& stretch : stretches_) {
      if (z == heavy_.size() || stretch.start != heavy_[z].start) {
        closer.push_back(stretch);
        continue;
      }
      for (std::size_t i = z << bits_; i < (z + 1) << bits_; ++i)
        if (parts[i].rows > 0)
          closer.push_back({parts[i].least, parts[i].most, parts[i].rows, parts[i].least == parts[i].most});
      ++z;
    }
    stretches_.swap(closer);
  }

  struct Found {
    std::vector<double> cuts;
    std::vector<std::uint16_t> last;  // the last cell of each bin that holds rows
  };
  // A stretch goes to the bin in which the middle of its rows falls.
  Found found() const {
    Found out;
    std::uint64_t before = 0, bin = 0;
    const Stretch* previous = nullptr;
    const auto last_of_bin = [&] { out.last.push_back(cell_of(value_of_key(previous->start))); };
    for (const Stretch& stretch : stretches_) {
      bool cut = false;
      for (; (2 * before + stretch.rows) * most_ >= (bin + 1) * (2 * total_); ++bin) cut = true;
      if (previous && cut) {
        out.cuts.push_back(value_of_key(stretch.start));
        last_of_bin();
      }
      before += stretch.rows;
      previous = &stretch;
    }
    if (previous) last_of_bin();
    return out;
  }

 private:
  static constexpr int MOST_ROUNDS = 12;
  struct Heavy {
    std::uint64_t start, last;
    int shift;
  };

  std::vector<Stretch> stretches_;
  std::uint64_t most_, total_ = 0;
  std::vector<Heavy> heavy_;
  std::vector<std::uint16_t> up_to_;  // heavy stretches in cells before each cell
  int bits_ = 0, rounds_ = 0;
};

}  // namespace boxwood::coded

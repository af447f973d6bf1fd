// The least and the greatest value in each bin of every column that is cut: they tell on which side of a threshold a
// row lies, but for the rows of one bin. Cost: one pass over the values, about 2 ns each.
#pragma once

#include "encode/codes.hpp"

namespace boxwood::coded {

class BinRanges {
 public:
  explicit BinRanges(const Codes& codes) : ends_(codes.cut_columns() * BINS) {
    for (std::uint32_t r = 0; r < codes.rows(); ++r)
      for (std::size_t j = 0; j < codes.cut_columns(); ++j) {
        const Code code = codes.row(r)[j];
        if (code == NOTHING) continue;
        Ends& bin = ends_[j * BINS + (code >> 8)];
        const double value = codes.value(j, r);
        bin.least = std::min(bin.least, value);
        bin.greatest = std::max(bin.greatest, value);
      }
  }

  // The first bin that has a value above a threshold, and whether it has others too. There must be one.
  struct Divided {
    std::uint32_t bin;
    bool is_divided;
  };
  Divided bin_above(std::size_t j, double threshold) const {
    const Ends* bin = &ends_[j * BINS];
    while (!(bin->greatest > threshold)) ++bin;
    return {static_cast<std::uint32_t>(bin - &ends_[j * BINS]), bin->least <= threshold};
  }

 private:
  struct Ends {
    double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity();
  };
  std::vector<Ends> ends_;
};

}  // namespace boxwood::coded

// Coarse codes: the number of a column's cuts below a value, by a look at its upper bits and a short search.
// Invariant: the code is that of a search among all cuts; NaN has the code of all ones.
// Cost: about 5 ns a value, and 128 KiB for the look-up.
#pragma once

#include <bit>
#include <cmath>
#include <vector>

#include "words.hpp"

namespace boxwood::sharded {

class CoarseCoding {
 public:
  // `cuts`: at most 65,534, ascending.
  CoarseCoding(const double* cuts, std::size_t count) : cuts_(cuts), first_(SLOTS + 1, 0) {
    std::size_t at = 0;
    for (std::size_t slot = 0; slot < SLOTS; ++slot) {
      while (at < count && slot_of(cuts[at]) < slot) ++at;
      first_[slot] = static_cast<std::uint16_t>(at);
    }
    first_[SLOTS] = static_cast<std::uint16_t>(count);
  }

  template <class Real>
  std::uint16_t operator()(Real x) const {
    if (std::isnan(x)) return 0xFFFF;
    const std::size_t slot = slot_of(static_cast<double>(x));
    std::size_t from = first_[slot], to = first_[slot + 1];
    while (from < to) {
      const std::size_t middle = (from + to) / 2;
      if (cuts_[middle] < static_cast<double>(x)) from = middle + 1;
      else to = middle;
    }
    return static_cast<std::uint16_t>(from);
  }

 private:
  static constexpr std::size_t SLOTS = 1 << 16;

  // Upper bits of a rising map of doubles rounded to single precision: x <= y implies slot(x) <= slot(y).
  static std::size_t slot_of(double x) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x) + 0.0f);
    return (bits ^ (bits >> 31 ? ~std::uint32_t{0} : std::uint32_t{1} << 31)) >> 16;
  }

  const double* cuts_;
  std::vector<std::uint16_t> first_;
};

}  // namespace boxwood::sharded

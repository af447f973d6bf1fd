// Coarse codes of a column by given cuts, for data read in parts.
// Invariant: the code is the number of cuts below the value, so x <= y implies code(x) <= code(y); NaN has a code of
// its own. Cost: about 2 ns a value.
#pragma once

#include "encode/bins.hpp"

namespace boxwood {

constexpr std::uint16_t MISSING_CODE = 65535;
constexpr std::size_t MOST_CUTS = 4095;

class CoarseCodes {
 public:
  explicit CoarseCodes(const std::vector<double>& cuts) : table_(just_above(cuts)) {}

  template <class T>
  void code(const T* values, std::size_t n, std::uint16_t* out) const {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = std::isnan(values[i]) ? MISSING_CODE : static_cast<std::uint16_t>(table_.bin_of(values[i]));
  }

 private:
  // A cut is below a value when the next number is at or below it; nothing is above infinity.
  static std::vector<double> just_above(std::vector<double> cuts) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::erase(cuts, infinity);
    for (double& cut : cuts) cut = std::nextafter(cut, infinity);
    return cuts;
  }

  coded::CutTable table_;
};

}  // namespace boxwood

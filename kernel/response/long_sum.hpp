// Sums beyond 128 bits: of whole weights times squares of 64-bit numbers.
// Invariant: equal sums give equal doubles, however they came together.
#pragma once

#include <cmath>
#include <cstdint>

#include "response/response_columns.hpp"

namespace boxwood {

struct LongSum {
  Wide low = 0, high = 0;  // `low` has room for the carries of 2^62 additions
  void add(Wide x) {
    low += static_cast<std::uint64_t>(x);
    high += x >> 64;
  }
  // Adds a b, both of up to 127 bits together with b's 63.
  void add_product(Wide a, std::int64_t b) {
    high += (a >> 64) * b;
    add(static_cast<Wide>(static_cast<std::uint64_t>(a)) * b);
  }
  double value() const {
    const Wide whole = high + (low >> 64);
    return std::ldexp(static_cast<double>(whole), 64) + static_cast<double>(static_cast<std::uint64_t>(low));
  }
};

}  // namespace boxwood

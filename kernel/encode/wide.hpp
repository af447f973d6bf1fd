// Whole numbers of 128 bits in two words of 64, for compilers that have none of their own; `Wide` is what the kernel
// uses. Invariant: the bits of __int128 in every operation, conversion from and to double included (nearest, ties to
// even). Cost: a division is a loop over the bits of its operands unless both fit a word.
#pragma once

#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <utility>

namespace boxwood {

struct TwoWords {
  using u64 = std::uint64_t;
  u64 low, high;

  TwoWords() = default;
  constexpr TwoWords(u64 high, u64 low) : low(low), high(high) {}
  template <std::integral T>
  constexpr TwoWords(T x) : low(static_cast<u64>(x)), high(x < T{0} ? ~u64{0} : 0) {}
  explicit TwoWords(double x) {
    const double size = std::trunc(std::fabs(x));
    high = static_cast<u64>(std::ldexp(size, -64));
    low = static_cast<u64>(size - std::ldexp(static_cast<double>(high), 64));
    if (x < 0) *this = -*this;
  }

  template <std::integral T>
  explicit constexpr operator T() const {
    return static_cast<T>(low);
  }
  // Of the 64 highest bits, the last one set when any is lost: rounding them rounds the whole.
  explicit operator double() const {
    const TwoWords size = magnitude();
    if (size.high == 0) return is_negative() ? -static_cast<double>(size.low) : static_cast<double>(size.low);
    const int shift = 64 - std::countl_zero(size.high);
    const TwoWords top = size.shifted_right(shift);
    const u64 lost = (size - (top << shift)).low != 0;
    const double out = std::ldexp(static_cast<double>(top.low | lost), shift);
    return is_negative() ? -out : out;
  }

  constexpr bool is_negative() const { return high >> 63 != 0; }
  constexpr TwoWords magnitude() const { return is_negative() ? -*this : *this; }
  // As numbers without a sign.
  constexpr TwoWords shifted_right(int n) const {
    if (n == 0) return *this;
    return n < 64 ? TwoWords(high >> n, (low >> n) | (high << (64 - n))) : TwoWords(0, high >> (n - 64));
  }
  constexpr bool is_below(const TwoWords& b) const { return high != b.high ? high < b.high : low < b.low; }
  static constexpr TwoWords product(u64 a, u64 b) {
    constexpr u64 HALF = 0xFFFFFFFF;
    const u64 last = (a & HALF) * (b & HALF), first = (a >> 32) * (b & HALF) + (last >> 32),
              second = (a & HALF) * (b >> 32) + (first & HALF);
    return {(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), (second << 32) | (last & HALF)};
  }
  // Quotient and remainder, neither with a sign.
  static constexpr std::pair<TwoWords, TwoWords> divided(const TwoWords& a, const TwoWords& b) {
    if (a.high == 0 && b.high == 0) return {{0, a.low / b.low}, {0, a.low % b.low}};
    TwoWords quotient(0, 0), rest(0, 0);
    for (int bit = 127; bit >= 0; --bit) {
      rest = (rest << 1) + TwoWords(0, a.shifted_right(bit).low & 1);
      const bool fits = !rest.is_below(b);
      if (fits) rest = rest - b;
      quotient = (quotient << 1) + TwoWords(0, fits);
    }
    return {quotient, rest};
  }

  friend constexpr TwoWords operator-(const TwoWords& a) { return {~a.high + (a.low == 0), ~a.low + 1}; }
  friend constexpr TwoWords operator+(const TwoWords& a, const TwoWords& b) {
    const u64 low = a.low + b.low;
    return {a.high + b.high + (low < a.low), low};
  }
  friend constexpr TwoWords operator-(const TwoWords& a, const TwoWords& b) {
    return {a.high - b.high - (a.low < b.low), a.low - b.low};
  }
  friend constexpr TwoWords operator*(const TwoWords& a, const TwoWords& b) {
    const TwoWords out = product(a.low, b.low);
    return {out.high + a.high * b.low + a.low * b.high, out.low};
  }
  friend constexpr TwoWords operator/(const TwoWords& a, const TwoWords& b) {
    const TwoWords size = divided(a.magnitude(), b.magnitude()).first;
    return a.is_negative() != b.is_negative() ? -size : size;
  }
  friend constexpr TwoWords operator%(const TwoWords& a, const TwoWords& b) {
    const TwoWords size = divided(a.magnitude(), b.magnitude()).second;
    return a.is_negative() ? -size : size;
  }
  friend constexpr TwoWords operator<<(const TwoWords& a, int n) {
    if (n == 0) return a;
    return n < 64 ? TwoWords((a.high << n) | (a.low >> (64 - n)), a.low << n) : TwoWords(a.low << (n - 64), 0);
  }
  friend constexpr TwoWords operator>>(const TwoWords& a, int n) {
    return a.is_negative() ? ~(~a).shifted_right(n) : a.shifted_right(n);
  }
  friend constexpr TwoWords operator~(const TwoWords& a) { return {~a.high, ~a.low}; }
  constexpr TwoWords& operator+=(const TwoWords& b) { return *this = *this + b; }
  constexpr TwoWords& operator-=(const TwoWords& b) { return *this = *this - b; }
  friend constexpr bool operator==(const TwoWords&, const TwoWords&) = default;
  friend constexpr std::strong_ordering operator<=>(const TwoWords& a, const TwoWords& b) {
    return a.high != b.high ? static_cast<std::int64_t>(a.high) <=> static_cast<std::int64_t>(b.high) : a.low <=> b.low;
  }
};

// BOXWOOD_TWO_WORDS: with it the tests compile two words where the compiler has its own.
#if defined(__SIZEOF_INT128__) && !defined(BOXWOOD_TWO_WORDS)
__extension__ using Wide = __int128;
#else
using Wide = TwoWords;
#endif

}  // namespace boxwood

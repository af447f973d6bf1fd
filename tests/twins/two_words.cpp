// TwoWords beside __int128 on random numbers of every length: prints the first operation that differs, else "equal".
#include "encode/wide.hpp"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <type_traits>

using boxwood::TwoWords;
using Native = __int128;
// Where the compiler has wide numbers, the kernel uses these and pays nothing for the others.
static_assert(std::is_same_v<boxwood::Wide, Native>);

namespace {

std::mt19937_64 random_bits(20);

// Of a random number of bits, so that carries, signs and shifts of every size occur; often next to a power of two.
Native any_number() {
  const auto bits = static_cast<int>(random_bits() % 128);
  Native x = static_cast<Native>((static_cast<unsigned __int128>(random_bits()) << 64 | random_bits()) >> (127 - bits));
  if (random_bits() % 4 == 0) x = (Native{1} << (bits < 127 ? bits : 126)) + static_cast<Native>(random_bits() % 5) - 2;
  return random_bits() % 2 ? x : -x;
}

TwoWords two(Native x) { return {static_cast<std::uint64_t>(x >> 64), static_cast<std::uint64_t>(x)}; }

void check(bool equal, const char* operation, Native a, Native b) {
  if (equal) return;
  std::printf("%s differs: %016llx%016llx and %016llx%016llx\n", operation, static_cast<unsigned long long>(a >> 64),
              static_cast<unsigned long long>(a), static_cast<unsigned long long>(b >> 64),
              static_cast<unsigned long long>(b));
  std::exit(1);
}

Native wrapped(unsigned __int128 x) { return static_cast<Native>(x); }

void check_pair(Native a, Native b) {
  const auto ua = static_cast<unsigned __int128>(a), ub = static_cast<unsigned __int128>(b);
  const auto shift = static_cast<int>(random_bits() % 128);
  check(two(a) + two(b) == two(wrapped(ua + ub)), "+", a, b);
  check(two(a) - two(b) == two(wrapped(ua - ub)), "-", a, b);
  check(-two(a) == two(wrapped(0 - ua)), "unary -", a, b);
  check(two(a) * two(b) == two(wrapped(ua * ub)), "*", a, b);
  check(two(a) << shift == two(wrapped(ua << shift)), "<<", a, shift);
  check(two(a) >> shift == two(a >> shift), ">>", a, shift);
  check((two(a) < two(b)) == (a < b) && (two(a) >= two(b)) == (a >= b) && (two(a) == two(b)) == (a == b), "<", a, b);
  if (b != 0) check(two(a) / two(b) == two(a / b) && two(a) % two(b) == two(a % b), "/", a, b);
  check(static_cast<double>(two(a)) == static_cast<double>(a), "to double", a, b);
  const auto number = static_cast<double>(a) * 0.75;
  check(TwoWords(number) == two(static_cast<Native>(number)), "from double", a, b);
  const auto narrow = static_cast<std::int64_t>(a);
  check(TwoWords(narrow) == two(narrow) && static_cast<std::int64_t>(two(a)) == narrow, "64 bits", a, b);
  check(TwoWords(static_cast<std::uint64_t>(a)) == two(static_cast<std::uint64_t>(a)), "64 bits unsigned", a, b);
}

}  // namespace

int main() {
  for (int i = 0; i < 300'000; ++i) check_pair(any_number(), any_number());
  std::puts("equal");
}

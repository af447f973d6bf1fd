// What every compiler names differently. Invariant: none of it changes a result, so an unknown compiler may ignore
// it.
#pragma once

#if defined(__GNUC__)
#define BOXWOOD_INLINE __attribute__((always_inline)) inline
#define BOXWOOD_NOINLINE __attribute__((noinline))
#define BOXWOOD_UNROLL _Pragma("GCC unroll 16")
// A hint that the line of memory at an address is needed soon; CACHE: 3 = the first level, 2 = the second.
#define BOXWOOD_PREFETCH(ADDRESS, CACHE) __builtin_prefetch(ADDRESS, 0, CACHE)
#elif defined(_MSC_VER)
#define BOXWOOD_INLINE __forceinline
#define BOXWOOD_NOINLINE __declspec(noinline)
#define BOXWOOD_UNROLL
#define BOXWOOD_PREFETCH(ADDRESS, CACHE) static_cast<void>(ADDRESS)
#else
#define BOXWOOD_INLINE inline
#define BOXWOOD_NOINLINE
#define BOXWOOD_UNROLL
#define BOXWOOD_PREFETCH(ADDRESS, CACHE) static_cast<void>(ADDRESS)
#endif

// Memory for large arrays: aligned to a cache line, and returned to the system when it is freed.
// Invariant: the size alone decides how an array is allocated. Ordinary allocators keep freed memory, which would raise
// the peak of the next step. Cost: a system call for arrays of 128 KiB and more. Source: POSIX mmap; elsewhere the
// ordinary allocator.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if (defined(__linux__) || defined(__APPLE__)) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/mman.h>
#define BOXWOOD_PAGES 1
#else
#define BOXWOOD_PAGES 0
#endif

namespace boxwood::mars {

template <class T>
struct Pages {
  using value_type = T;
  static constexpr std::size_t LINE = 64, LARGE = std::size_t{1} << 17;

  Pages() = default;
  template <class U>
  Pages(const Pages<U>&) {}  // NOLINT: the standard asks for an implicit one

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = count * sizeof(T);
#if BOXWOOD_PAGES
    if (bytes >= LARGE) {
      void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (at == MAP_FAILED) throw std::bad_alloc();
      return static_cast<T*>(at);
    }
#endif
    return static_cast<T*>(::operator new(bytes, std::align_val_t{LINE}));
  }

  void deallocate(T* at, std::size_t count) noexcept {
#if BOXWOOD_PAGES
    if (count * sizeof(T) >= LARGE) {
      munmap(at, count * sizeof(T));
      return;
    }
#endif
    ::operator delete(at, std::align_val_t{LINE});
  }

  friend bool operator==(const Pages&, const Pages&) { return true; }
};

template <class T>
using Large = std::vector<T, Pages<T>>;

}  // namespace boxwood::mars

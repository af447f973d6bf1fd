// Memory for large arrays that is returned to the system when it is freed.
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
  static constexpr std::size_t LARGE = (std::size_t{1} << 17) / sizeof(T);

  Pages() = default;
  template <class U>
  Pages(const Pages<U>&) {}  // NOLINT: the standard requires an implicit one

  T* allocate(std::size_t count) {
#if BOXWOOD_PAGES
    if (count >= LARGE) {
      void* at = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (at == MAP_FAILED) throw std::bad_alloc();
      return static_cast<T*>(at);
    }
#endif
    return static_cast<T*>(::operator new(count * sizeof(T)));
  }

  void deallocate(T* at, [[maybe_unused]] std::size_t count) noexcept {
#if BOXWOOD_PAGES
    if (count >= LARGE) return static_cast<void>(munmap(at, count * sizeof(T)));
#endif
    ::operator delete(at);
  }

  friend bool operator==(const Pages&, const Pages&) { return true; }
};

template <class T>
using Large = std::vector<T, Pages<T>>;

}  // namespace boxwood::mars

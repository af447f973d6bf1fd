// ArenaArray for many values of one kind, not set to anything; large ones in large pages, where the system has some to
// give. Invariant: a large room begins at a large page; when it is freed, one of at most KEPT bytes is kept for the
// next fit, until another large room is requested; others go back to the system. Small rooms come from the ordinary
// allocator. Cost: a page costs 1-5 microseconds when it is first written, a large one, 512 times its size, about 100;
// rows read here and there in hundreds of megabytes find large pages twice as fast. Source: Linux, madvise(2),
// MADV_HUGEPAGE; glibc, mallopt(3).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/mman.h>
#define BOXWOOD_LARGE_PAGES 1
#else
#define BOXWOOD_LARGE_PAGES 0
#endif

namespace boxwood::coded {

constexpr std::size_t LARGE_PAGE = std::size_t{1} << 21, LARGE = std::size_t{1} << 25,
                      KEPT = std::size_t{1} << 26;  // bytes

// Lets the allocator of glibc keep what is freed, up to 64 MB, as it does by itself once an array of 32 MB has been
// freed. Otherwise every fit of a middling table fetches its pages anew, which takes a fifth of the time.
inline void keep_freed_memory() {
  static const bool once = [] {
    void* volatile block = std::malloc(LARGE - 2 * 4096);
    std::free(block);
    return true;
  }();
  static_cast<void>(once);
}

#if BOXWOOD_LARGE_PAGES
// The one large room that is kept, its size in its first bytes; nullptr = none. No lock: whoever takes it out has it
// alone.
inline std::atomic<void*> kept_memory{nullptr};

inline void keep_or_unmap(void* at, std::size_t bytes) {
  if (bytes <= KEPT) {
    ::new (at) std::size_t(bytes);
    at = kept_memory.exchange(at);
    if (at) bytes = *static_cast<std::size_t*>(at);
  }
  if (at) munmap(at, bytes);
}

// The kept room, if it is not much larger than requested; else it goes back to the system. Its size replaces `bytes`.
inline void* take_kept(std::size_t& bytes) {
  void* at = kept_memory.exchange(nullptr);
  if (!at) return nullptr;
  const std::size_t size = *static_cast<std::size_t*>(at);
  if (size < bytes || size / 2 > bytes) {
    munmap(at, size);
    return nullptr;
  }
  bytes = size;
  return at;
}
#endif

struct ArenaDeleter {
  std::size_t mapped = 0;  // bytes, of a large room
  void operator()(void* at) const {
#if BOXWOOD_LARGE_PAGES
    if (mapped > 0) {
      keep_or_unmap(at, mapped);
      return;
    }
#endif
    std::free(at);
  }
};
template <class T>
using ArenaArray = std::unique_ptr<T[], ArenaDeleter>;

#if BOXWOOD_LARGE_PAGES
// Whole large pages; what is mapped before and behind them goes back at once. nullptr when there is no room.
inline void* large_pages(std::size_t bytes) {
  void* mapped = mmap(nullptr, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* from = static_cast<char*>(mapped);
  const std::size_t before = (LARGE_PAGE - reinterpret_cast<std::uintptr_t>(from) % LARGE_PAGE) % LARGE_PAGE;
  if (before > 0) munmap(from, before);
  if (before < LARGE_PAGE) munmap(from + before + bytes, LARGE_PAGE - before);
  madvise(from + before, bytes, MADV_HUGEPAGE);  // a one; nothing depends on it
  return from + before;
}
#endif

template <class T>
ArenaArray<T> arena_array(std::size_t count) {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);
  if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
  const std::size_t bytes = count * sizeof(T);
#if BOXWOOD_LARGE_PAGES
  if (bytes >= LARGE) {
    std::size_t whole = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    if (void* at = take_kept(whole)) return ArenaArray<T>(static_cast<T*>(at), ArenaDeleter{whole});
    if (void* at = large_pages(whole)) return ArenaArray<T>(static_cast<T*>(at), ArenaDeleter{whole});
    throw std::bad_alloc();
  }
#endif
  void* at = std::malloc(bytes > 0 ? bytes : 1);
  if (!at) throw std::bad_alloc();
  return ArenaArray<T>(static_cast<T*>(at));
}

}  // namespace boxwood::coded

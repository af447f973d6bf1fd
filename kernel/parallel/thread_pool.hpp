// A pool of threads that lives as long as one call, and the check that lets Ctrl-C in.
// Invariant: nothing is alive after the call (fork-safe); tasks are numbered, so results never depend on who runs them.
// Cost: about 10 microseconds a worker to start, which the calling thread need not wait for; an idle worker looks for
// work for some 30 microseconds, then sleeps.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/compiler.hpp"

namespace boxwood {

// Thrown inside the kernel when the caller wants to stop; bindings/binding.hpp turns it into the pending Python
// exception.
struct Cancelled {};

// Calls `interrupted` when 50 ms have passed since it last did, on the calling thread only; every thread sees the
// answer.
class InterruptCheck {
 public:
  explicit InterruptCheck(std::function<bool()> interrupted) : interrupted_(std::move(interrupted)) {}

  void poll() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    if (interrupted_ && interrupted_()) stop_.store(true, std::memory_order_relaxed);
  }
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  void check() const {
    if (stopped()) throw Cancelled{};
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::function<bool()> interrupted_;
  Clock::time_point last_ = Clock::now();
  std::atomic<bool> stop_{false};
};

// A task(i, worker) that outlives the call it is passed to; nothing is copied.
class TaskRef {
 public:
  template <class F>
  TaskRef(const F& task)
      : task_(&task), call_([](const void* f, std::size_t i, int worker) { (*static_cast<const F*>(f))(i, worker); }) {}
  void operator()(std::size_t i, int worker) const { call_(task_, i, worker); }

 private:
  const void* task_;
  void (*call_)(const void*, std::size_t, int);
};

class ThreadPool {
 public:
  // `size` workers including the calling thread, which is worker 0; fewer when the system has no room for more threads.
  // The others join in as soon as they run; nobody waits for them.
  ThreadPool(int size, InterruptCheck& interrupts) : interrupts_(interrupts) {
    has_room();
    try {
      for (int worker = 1; worker < size; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::system_error&) {
    }
  }
  ~ThreadPool() {
    {
      std::lock_guard lock(mutex_);
      quit_ = true;
      announced_.store(round_ + 1, std::memory_order_release);  // whoever still looks for work sees it at once
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // At least as many as ever work.
  int size() const { return static_cast<int>(threads_.size()) + 1; }
  InterruptCheck& interrupts() { return interrupts_; }

  // Runs tasks 0..count-1, each once, on whichever worker is free; returns when all are done or throws the first error.
  void run(std::size_t count, const TaskRef& task) {
    if (threads_.empty() || count <= 1) {
      for (std::size_t i = 0; i < count; ++i) {
        interrupts_.poll();
        interrupts_.check();
        task(i, 0);
      }
      return;
    }
    begin(count, task);
    work(0);
    look_out([this] { return unfinished_.load(std::memory_order_acquire) == 0; });
    std::unique_lock lock(mutex_);
    while (busy_ > 0) {
      done_.wait_for(lock, std::chrono::milliseconds(20));
      lock.unlock();
      interrupts_.poll();
      lock.lock();
    }
    task_ = nullptr;
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    interrupts_.check();
  }

 private:
  // Makes the C++ runtime set up this thread's exception storage now: if it found no memory for it when an exception is
  // due, it would end the process. What was just freed is there for it; false when there is no memory at all. The call
  // is declared pure: a compiler leaves it out when nobody reads its answer.
  static bool has_room() {
    void* volatile block = std::malloc(std::size_t{1} << 16);
    std::free(block);
    const volatile int thrown = block ? std::uncaught_exceptions() : -1;
    return thrown >= 0;
  }

  // Phases of a fit follow each other within microseconds; sleeping in between would cost more than the work.
  template <class Condition>
  static void look_out(const Condition& is_so) {
    for (int turn = 0; turn < 1000 && !is_so(); ++turn) {
#if defined(__x86_64__) && defined(__GNUC__)
      __builtin_ia32_pause();
#else
      std::this_thread::yield();
#endif
    }
  }

  void begin(std::size_t count, const TaskRef& task) {
    {
      std::lock_guard lock(mutex_);
      task_ = &task;
      count_ = count;
      next_.store(0, std::memory_order_relaxed);
      busy_ = serving_;
      unfinished_.store(busy_, std::memory_order_relaxed);
      announced_.store(++round_, std::memory_order_release);
    }
    wake_.notify_all();
  }

  void work(int worker) {
    try {
      for (;;) {
        const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
        if (i >= count_) return;
        if (worker == 0) interrupts_.poll();
        interrupts_.check();
        (*task_)(i, worker);
      }
    } catch (const Cancelled&) {
      next_.store(count_, std::memory_order_relaxed);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      next_.store(count_, std::memory_order_relaxed);
    }
  }

  void serve(int worker) {
    if (!has_room()) return;
    std::size_t seen = join_in();
    for (;;) {
      look_out([&] { return announced_.load(std::memory_order_acquire) != seen; });
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return quit_ || round_ != seen; });
        if (quit_) return;
        seen = round_;
      }
      work(worker);
      {
        std::lock_guard lock(mutex_);
        --busy_;
        unfinished_.store(busy_, std::memory_order_release);
      }
      done_.notify_one();
    }
  }

  // Counts this thread among those that serve, and if a round has begun, among its busy ones; the last round it need
  // not look for.
  std::size_t join_in() {
    std::lock_guard lock(mutex_);
    ++serving_;
    if (!task_) return round_;
    unfinished_.store(++busy_, std::memory_order_release);
    return round_ - 1;
  }

  InterruptCheck& interrupts_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const TaskRef* task_ = nullptr;
  std::size_t count_ = 0, round_ = 0;
  std::atomic<std::size_t> next_{0}, announced_{0};
  std::atomic<int> unfinished_{0};
  int busy_ = 0, serving_ = 0;
  bool quit_ = false;
  std::exception_ptr error_;
};

// Calls task(i, worker) for each i below `count`: by the pool, or without one by the calling worker alone.
BOXWOOD_NOINLINE inline void share(ThreadPool* pool, int worker, std::size_t count, const TaskRef& task) {
  if (pool) return pool->run(count, task);
  for (std::size_t i = 0; i < count; ++i) task(i, worker);
}

}  // namespace boxwood

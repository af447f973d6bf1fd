"""A thread of the kernel that runs out of memory throws an error, which needs no memory: the process goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

KERNEL = Path(__file__).parents[2] / "kernel"
#: All members of a pool begin; then the caller takes all memory that is left, and every member throws.
SOURCE = """
#include <sys/resource.h>
#include <new>
#include "parallel/thread_pool.hpp"

extern "C" int errors_caught() {
  boxwood::InterruptCheck interrupts([] { return false; });
  boxwood::ThreadPool pool(3, interrupts);
  std::atomic<int> begun{0};
  std::atomic<bool> taken{false};
  try {
    pool.run(3, [&](std::size_t, int member) {
      ++begun;
      while (begun.load() < 3) std::this_thread::yield();
      if (member == 0) {
        rlimit none{0, RLIM_INFINITY};
        setrlimit(RLIMIT_AS, &none);
        void* volatile block;  // volatile: or the compiler leaves out what nobody uses
        for (std::size_t size = 1 << 20; size >= 16; size /= 2) {
          do block = std::malloc(size);
          while (block);
        }
        taken = true;
      }
      while (!taken.load()) std::this_thread::yield();
      throw std::bad_alloc();
    });
  } catch (const std::bad_alloc&) {
    return 1;
  }
  return 0;
}
"""
CALL = """
    import ctypes, os, resource, sys
    library = ctypes.CDLL(sys.argv[1])
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    # All threads share one arena (MALLOC_ARENA_MAX): the memory that the caller takes is theirs too.
    resource.setrlimit(resource.RLIMIT_AS, (used + 32 * 2**20, resource.RLIM_INFINITY))
    os._exit(41 + library.errors_caught())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")
@pytest.mark.skipif("BOXWOOD_SANITIZER" in os.environ, reason="a sanitizer reserves more memory than a limit leaves")
def test_a_thread_throws_when_no_memory_is_left(tmp_path):
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if not compiler:
        pytest.skip("no C++ compiler")
    source, library = tmp_path / "threads.cpp", tmp_path / "threads.so"
    source.write_text(SOURCE, encoding="utf-8")
    flags = ["-std=c++20", "-O2", "-shared", "-fPIC", "-pthread", f"-I{KERNEL}"]
    subprocess.run([compiler, *flags, str(source), "-o", str(library)], check=True)
    call = [sys.executable, "-c", textwrap.dedent(CALL), str(library)]
    done = subprocess.run(call, capture_output=True, text=True, check=False, env={"MALLOC_ARENA_MAX": "1"})
    assert done.returncode == 42, done.stderr

// Several versions of one function for processors of different age, chosen when the program is loaded.
// Invariant: all versions give the same bits: no contraction, no reassociation, only wider registers.
#pragma once

#include "parallel/compiler.hpp"

// Functions written for one kind of processor, called after testing for it.
#if defined(__x86_64__) && defined(__GNUC__)
#define BOXWOOD_X86
#endif

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && \
    (!defined(__clang__) || __clang_major__ >= 18) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BOXWOOD_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define BOXWOOD_CLONES
#endif

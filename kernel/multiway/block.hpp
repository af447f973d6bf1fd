// The samples of one node: a sample is a class and a weight, every column still in use a list sorted by code.
// Invariant: samples are numbered 0..size-1 within the node; every list holds each of them once, missing values last.
// Cost: 8 bytes a sample and column of the root: children take the place of their parent, unless samples are shared
// out. Source: SPRINT (Shafer et al. 1996), attribute lists; fractional samples as in C4.5 (docs/c45.md).
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "encode/columns.hpp"
#include "parallel/thread_pool.hpp"
#include "response/response_columns.hpp"

namespace boxwood::multiway {

// With two classes the class is the top bit of the half of a sample's number, so a scan needs no other array.
constexpr std::uint32_t NUMBER = 0x7FFFFFFFu;
inline std::uint32_t code_of(Entry e) { return static_cast<std::uint32_t>(e >> 32); }
inline std::uint32_t number_of(Entry e) { return static_cast<std::uint32_t>(e) & NUMBER; }
inline std::uint32_t bit_of(Entry e) { return static_cast<std::uint32_t>(e) >> 31; }

using Lists = std::vector<std::unique_ptr<Entry[]>>;

struct Block {
  std::uint32_t size = 0;
  std::vector<std::uint32_t> columns;  // columns that may still distinguish samples, ascending
  std::vector<Entry*> lists;  // in the order of `columns`
  std::shared_ptr<Lists> memory;  // of the lists: its own, or that of a node above, which has stood in the same place
  bool is_owner = false;
  std::unique_ptr<std::int32_t[]> classes;  // with three classes or more
  std::unique_ptr<std::int64_t[]> weights;  // where they are not all 1

  Block() = default;
  Block(std::uint32_t n, std::vector<std::uint32_t> used, bool two, bool weighted) : size(n), columns(std::move(used)) {
    if (n > NUMBER) throw std::length_error("a node has more than 2**31 samples; use missing='majority' or fewer rows");
    lists.resize(columns.size(), nullptr);
    if (!two) classes.reset(new std::int32_t[n]);
    if (weighted) weights.reset(new std::int64_t[n]);
  }

  void own_memory() {
    memory = std::make_shared<Lists>(columns.size());
    is_owner = true;
  }
  Entry* new_list(std::size_t slot) {
    (*memory)[slot].reset(new Entry[size]);
    return lists[slot] = (*memory)[slot].get();
  }
  const Entry* list(std::size_t slot) const { return lists[slot]; }
  int class_of(Entry e) const { return classes ? classes[number_of(e)] : static_cast<int>(bit_of(e)); }
  std::int64_t weight_of(Entry e) const { return weights ? weights[number_of(e)] : 1; }

  // Number of entries with a known value.
  std::uint32_t known(std::size_t slot) const {
    const Entry* first = list(slot);
    if (size == 0 || code_of(first[size - 1]) != MISSING) return size;
    const Entry bar = static_cast<Entry>(MISSING) << 32;
    return static_cast<std::uint32_t>(std::lower_bound(first, first + size, bar) - first);
  }
};

// The rows a tree is learned from as the root's block; weights are raised by `shift` bits so that shares hardly round.
// `lists`: all rows of the table by each column; they become the block's own if `uses_up`.
inline Block root_block(Lists& lists, bool uses_up, std::size_t n_rows, const std::vector<std::uint32_t>& rows,
                        const ResponseColumns& y, int shift, bool weighted, ThreadPool& pool) {
  const auto n = static_cast<std::uint32_t>(rows.size());
  const bool two = y.n_classes <= 2;
  std::vector<std::uint32_t> all(lists.size());
  std::iota(all.begin(), all.end(), 0u);
  Block block(n, all, two, weighted);
  block.own_memory();
  std::vector<std::uint32_t> number(n_rows, MISSING);  // and class of each row of the table, in the block
  for (std::uint32_t s = 0; s < n; ++s) {
    number[rows[s]] = s | (two ? static_cast<std::uint32_t>(y.codes[s]) << 31 : 0);
    if (!two) block.classes[s] = y.codes[s];
    if (weighted) block.weights[s] = y.weight_of(s) << shift;
  }
  pool.run(lists.size(), [&](std::size_t j, int) {
    const Entry* from = lists[j].get();
    if (!from) throw std::logic_error("the sorted table is used up");
    if (uses_up) (*block.memory)[j] = std::move(lists[j]);
    Entry* to = uses_up ? block.lists[j] = (*block.memory)[j].get() : block.new_list(j);
    for (std::size_t i = 0; i < n_rows; ++i) {
      const Entry e = from[i];
      const std::uint32_t at = number[static_cast<std::uint32_t>(e)];
      if (at != MISSING) *to++ = entry_of(code_of(e), at);
    }
  });
  return block;
}

}  // namespace boxwood::multiway

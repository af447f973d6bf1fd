// What trees are grown from, codes or sparse columns, and the functions that grow them: one for each kind of response,
// compiled separately and without Python.
#pragma once

#include "grow/grower.hpp"
#include "grow/sparse_grower.hpp"
#include "response/response.hpp"

namespace boxwood {

// y is indexed by row of the codes, or of the sparse columns; the rows of each tree, ascending, none = all.
struct GrowInput {
  std::optional<coded::Codes> codes;
  const coded::SparseColumns* sparse;
  std::size_t n;
  ResponseColumns y;
  Settings settings;
  std::vector<std::vector<std::uint32_t>> rows;
  coded::Sizes sizes;
};

// Each fills `out` with a tree for each choice of rows.
void grow_classes(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out);
void grow_weighted_classes(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out);
void grow_mean(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out);
void grow_rates(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out);
void grow_several(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out);
void grow_quantiles(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out);

// Several trees go side by side, each by one worker; a single one is shared by the pool.
template <class Grow>
void each_tree(std::size_t trees, ThreadPool& pool, const Grow& grow) {
  if (trees == 1) return grow(0, pool);
  pool.run(trees, [&](std::size_t i, int) {
    InterruptCheck interrupts([&] { return pool.interrupts().stopped(); });
    ThreadPool alone(1, interrupts);
    grow(i, alone);
  });
}

template <coded::Response R>
void grow_all(const GrowInput& input, const R& y, ThreadPool& pool, std::vector<GrownNodes>& out) {
  std::optional<coded::BinRanges> ranges;
  if (input.codes && input.settings.random_cuts) ranges.emplace(*input.codes);
  const auto grow = [&](std::size_t i, ThreadPool& workers) {
    coded::Rules rules{&input.settings, &input.y, 0, 0};
    if (ranges) rules.bin_ranges = &*ranges;
    const std::vector<double>& limits = input.settings.value_limits;
    if (!limits.empty()) rules.root_values = {input.y.limit(limits[2 * i]), input.y.limit(limits[2 * i + 1])};
    const auto& rows = input.rows[i];
    const std::size_t count = rows.empty() ? input.n : rows.size();
    if (input.sparse) {
      coded::SparseSearch<R> nodes(y, rules, *input.sparse);
      out[i] = coded::grow_sparse(nodes, *input.sparse, rows, workers);
      return;
    }
    out[i] = coded::grow(y, rules, *input.codes, rows.empty() ? nullptr : rows.data(),
                         static_cast<std::uint32_t>(count), input.sizes, workers);
  };
  each_tree(out.size(), pool, grow);
}

}  // namespace boxwood

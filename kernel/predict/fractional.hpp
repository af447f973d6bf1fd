// Rows that go down several branches at once: at a node that shares missing values out, a row follows every branch with
// its share. Invariant: a row's parts and their order depend on that row alone, so any chunking gives the same sums. No
// recursion. Cost: one descent for each part; parts of size 0 (empty branches) are not followed. Source: Quinlan
// (1993), C4.5, section 3.2: a case of unknown outcome is divided over the outcomes by their probabilities.
#pragma once

#include <cstdint>
#include <vector>

#include "predict/route.hpp"

namespace boxwood {

// The values of nodes, `width` numbers each (class probabilities, or a mean), which are added up by shares.
struct NodeValues {
  const double* values;
  std::size_t width;
};

class SharedDescent {
 public:
  // `share`: of each node in its parent's rows, by weight.
  SharedDescent(const TreeView& tree, const std::vector<ColumnView>& columns, const std::int32_t* n_children,
                const double* share)
      : descent_(tree, columns), tree_(tree), n_children_(n_children), share_(share) {}

  struct Part {
    std::int32_t node;
    double share;
  };

  // Calls `arrived(node, share)` for each part of a row, in the order of branches, depth first; `waiting` is scratch.
  template <class Arrived>
  void parts(std::size_t row, std::uint8_t& flags, std::vector<Part>& waiting, const Arrived& arrived) const {
    waiting.assign(1, {0, 1.0});
    while (!waiting.empty()) {
      const Part part = waiting.back();
      waiting.pop_back();
      std::uint8_t happened = 0;
      const std::int32_t node = descent_.end(part.node, row, happened);
      flags |= happened;
      if (!(happened & ROUTE_SHARED)) {
        arrived(node, part.share);
        continue;
      }
      const std::int32_t first = tree_.first_child[node];
      const std::size_t before = waiting.size();
      for (std::int32_t child = first + n_children_[node] - 1; child >= first; --child)
        if (share_[child] > 0.0) waiting.push_back({child, part.share * share_[child]});
      if (waiting.size() == before) {  // no row of training went on from here
        flags |= ROUTE_STAY;
        arrived(node, part.share);
      }
    }
  }

 private:
  const Descent descent_;
  const TreeView& tree_;
  const std::int32_t* n_children_;
  const double* share_;
};

// For each of some rows: the node with its largest part (the lowest number when parts are equal within rounding), what
// happened to it, and `mixture` (rows x width) of the values of the nodes where its parts end.
inline void mix(const SharedDescent& descent, const std::uint32_t* which, std::size_t rows, const NodeValues& values,
                std::int32_t* largest, std::uint8_t* flags, double* mixture, ThreadPool& pool) {
  constexpr std::size_t CHUNK = 512;
  pool.run((rows + CHUNK - 1) / CHUNK, [&](std::size_t chunk, int) {
    std::vector<SharedDescent::Part> waiting;
    for (std::size_t i = chunk * CHUNK; i < std::min(rows, (chunk + 1) * CHUNK); ++i) {
      pool.interrupts().check();
      SharedDescent::Part best{-1, 0.0};
      double* sum = mixture + i * values.width;
      std::fill(sum, sum + values.width, 0.0);
      flags[i] = 0;
      descent.parts(which[i], flags[i], waiting, [&](std::int32_t node, double share) {
        for (std::size_t v = 0; v < values.width; ++v) sum[v] += share * values.values[node * values.width + v];
        const double gap = share - best.share;
        if (gap > 1e-12 || (gap >= -1e-12 && node < best.node)) best = {node, share};
      });
      largest[i] = best.node;
    }
  });
}

// The parts of some rows one after the other, as a ragged list.
struct Parts {
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> node;
  std::vector<double> share;
};

inline Parts parts_of(const SharedDescent& descent, const std::uint32_t* which, std::size_t rows,
                      InterruptCheck& interrupts) {
  Parts out;
  std::vector<SharedDescent::Part> waiting;
  for (std::size_t i = 0; i < rows; ++i) {
    if (i % 256 == 0) interrupts.poll();
    interrupts.check();
    std::uint8_t flags = 0;
    descent.parts(which[i], flags, waiting, [&](std::int32_t node, double share) {
      out.node.push_back(node);
      out.share.push_back(share);
    });
    out.start.push_back(static_cast<std::int64_t>(out.node.size()));
  }
  return out;
}

}  // namespace boxwood

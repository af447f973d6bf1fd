// The interface of a search over summed tables for the nodes of a level, whatever kind of tree it grows.
// Invariant: a node's split depends on the sums alone, never on how many shards they came from.
#pragma once

#include "grow/grown_nodes.hpp"
#include "shards/node_sums.hpp"

namespace boxwood::sharded {

using coded::FeatureShape;

// Bins of a feature at a node whose values are needed.
struct NeededBins {
  i64 node, feature;
  std::vector<std::uint8_t> bins;
};

// The values of opened bins, rising; `low` is null where they have no low parts.
struct OpenedValues {
  const double *value, *low;
  const u32* bin;
};

// Opens the bins of a table whose values are given, with their sums.
template <class R, class Cell>
void open_bins(const R& y, const OpenedValues& given, const Given& sums, coded::EntryTable<Cell>& table) {
  std::vector<Cut> values;
  for (std::size_t v = 0; v < sums.count; ++v) values.push_back({given.value[v], given.low ? given.low[v] : 0.0});
  table.open(std::move(values), {given.bin, given.bin + sums.count}, entry_sums<Cell>(y, sums));
}

class SummedSearchBase {
 public:
  virtual ~SummedSearchBase() = default;
  virtual LevelStats start(const LevelWords& given, bool is_root) = 0;
  virtual double root_weight() const = 0;
  virtual double root_risk() const = 0;
  virtual void take_table(std::size_t node, std::size_t feature, const Given& bins) = 0;
  // What the edges of each bin that may hold a better cut take away; negative = it stays closed.
  virtual std::vector<double> candidate_bins(std::size_t node, std::size_t feature) = 0;
  virtual void take_values(std::size_t node, std::size_t feature, const OpenedValues& values, const Given& sums) = 0;
  virtual void choose(std::size_t node) = 0;
  // Closed bins whose first or last value stands beside a chosen cut.
  virtual std::vector<NeededBins> unresolved() const { return {}; }
  virtual void resolve(std::size_t, std::size_t, u32, const Cut&, const Cut&) {}
  // Surrogates, where the tree has some: rows and weights by the branch that a split takes.
  virtual void take_branch_counts(std::size_t, std::size_t, const Given&) {}
  virtual std::vector<double> surrogate_bins(std::size_t, std::size_t) { return {}; }
  virtual void take_branch_values(std::size_t, std::size_t, const OpenedValues&, const Given&) {}
  virtual void choose_surrogates(std::size_t) {}
  // Of every split of the level: weight of the known values that each of its branches gets.
  virtual std::vector<i64> known_weights() const = 0;
  virtual void describe(GrownNodes& level) const = 0;
};

}  // namespace boxwood::sharded

// The interface of a search over summed tables for the nodes of a level, whatever kind of tree it grows.
// Invariant: a node's split depends on the sums alone, never on how many shards they came from.
#pragma once

#include <memory>
#include <stdexcept>

#include "grow/grown_nodes.hpp"
#include "parallel/thread_pool.hpp"
#include "shards/node_sums.hpp"

namespace boxwood::sharded {

using coded::FeatureShape;

// Bins of a feature at a node whose values are needed.
struct NeededBins {
  i64 node, feature;
  std::vector<std::uint8_t> bins;
};

// The values of opened bins, rising; `low` is null where they have no low parts. The first `counted` ones represent
// those before them, and the cuts between them were counted.
struct OpenedValues {
  const double *value, *low;
  const u32* bin;
  std::size_t counted;
};

// Opens the bins of a table whose values are given, with their sums.
template <class R, class Cell>
void open_bins(const R& y, const OpenedValues& given, const Given& sums, coded::EntryTable<Cell>& table) {
  std::vector<Cut> values;
  for (std::size_t v = 0; v < sums.count; ++v) values.push_back({given.value[v], given.low ? given.low[v] : 0.0});
  table.open(std::move(values), {given.bin, given.bin + sums.count}, entry_sums<Cell>(y, sums));
}

// The steps of a level, in order. `branches`: entries count rows by the branch that a node's split takes, for
// surrogates.
class SummedSearchBase {
 public:
  virtual ~SummedSearchBase() = default;
  virtual LevelStats start(const LevelReplies& given, bool is_root) = 0;
  // Where the means below each node should be, least and greatest (response/node_stats.hpp).
  virtual void limit_means(const double*, const double*) { refuse(); }
  // Weight and risk of the root; under CHAID its cases.
  virtual std::pair<double, double> root() const = 0;
  virtual void take_table(std::size_t node, std::size_t feature, const Given& bins, bool branches) = 0;
  // The splits of nodes of which every table was taken, or their surrogates.
  virtual void choose(const std::vector<std::size_t>& nodes, bool branches, ThreadPool& pool) = 0;
  virtual void describe(GrownNodes& level) const = 0;

  // Numbers that are cut where values differ: what the edges of each bin that may hold a better cut take away; negative
  // = it stays closed.
  virtual std::vector<double> candidate_bins(std::size_t, std::size_t, bool) { refuse(); }
  virtual void take_values(std::size_t, std::size_t, const OpenedValues&, const Given&, bool) { refuse(); }
  // The known values of a feature about cuts that may be chosen: no other cut of its known values can be.
  virtual std::vector<Cut> ends(std::size_t, std::size_t, bool) const { refuse(); }
  // Closed bins whose first or last value is beside a chosen cut.
  virtual std::vector<NeededBins> unresolved() const { return {}; }
  virtual void resolve(std::size_t, std::size_t, u32, const Cut&, const Cut&) { refuse(); }
  // Numbers that are cut into bins first: the greatest value in each.
  virtual void set_bins(std::size_t, const std::vector<Cut>&) { refuse(); }
  // Of every split of the level: weight of the known values that each of its branches gets.
  virtual std::vector<i64> known_weights() const { refuse(); }

 private:
  [[noreturn]] static void refuse() { throw std::logic_error("this search has no such step"); }
};

// That of binary splits, compiled separately and without Python; it refers to all it is given. `wide`: counts of rows
// may exceed half a word, or rows have weights.
std::unique_ptr<SummedSearchBase> binary_search(const ResponseColumns& y, const Settings& settings,
                                                const std::vector<FeatureShape>& features, bool wide);

}  // namespace boxwood::sharded

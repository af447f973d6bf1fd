// What a search over summed tables is told and asked about the nodes of a level, whatever kind of tree it grows.
// Invariant: a node's split depends on the sums alone, never on how many shards they came from.
#pragma once

#include "grow/grown_nodes.hpp"
#include "shards/words.hpp"

namespace boxwood::sharded {

struct Feature {
  Kind kind;
  u32 size;  // bins or levels
};

// What is asked back about a feature at a node.
struct Question {
  i64 node, feature;
  std::vector<std::uint8_t> bins;
};

struct Given {
  const i64* rows;
  const i64* words;
  const double* spread;
  std::size_t count;
};

// The values of opened bins, rising; `low` is null where they have no low parts.
struct OpenedValues {
  const double *value, *low;
  const u32* bin;
};

class LevelSearchBase {
 public:
  virtual ~LevelSearchBase() = default;
  virtual void start(std::vector<NodeFacts> facts, std::vector<i64> rows) = 0;
  virtual void set_root(const NodeFacts& root) = 0;
  virtual double root_weight() const = 0;
  virtual double root_risk() const = 0;
  virtual void take_table(std::size_t node, std::size_t feature, const Given& bins) = 0;
  // How much a cut inside each bin may promise beyond what is known; negative = no need to look.
  virtual std::vector<double> upper_bounds(std::size_t node, std::size_t feature) = 0;
  virtual void take_values(std::size_t node, std::size_t feature, const OpenedValues& values, const Given& sums) = 0;
  virtual void choose(std::size_t node) = 0;
  // Closed bins whose first or last value stands beside a chosen cut.
  virtual std::vector<Question> unresolved() const = 0;
  virtual void resolve(std::size_t node, std::size_t feature, u32 bin, const Cut& first, const Cut& last) = 0;
  virtual void take_votes(std::size_t node, std::size_t feature, const Given& bins) = 0;
  virtual std::vector<std::uint8_t> wanted_votes(std::size_t node, std::size_t feature) = 0;
  virtual void take_vote_values(std::size_t node, std::size_t feature, const OpenedValues& values,
                                const Given& sums) = 0;
  virtual void choose_surrogates(std::size_t node) = 0;
  // Of every split of the level: weight of the known values that each of its branches gets.
  virtual std::vector<i64> known_weights() const = 0;
  virtual void describe(GrownNodes& level) const = 0;
};

}  // namespace boxwood::sharded

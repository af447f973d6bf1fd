// A node by classification error from which rows are peeled off, a few at each split: chains of thousands of levels, as
// errors make them. Invariant: the best cut is the one that a scan of every list would find: most errors saved, then
// the first column, then the lowest cut. Of nominal columns it keeps what the levels weigh by class, among which sets
// are searched as everywhere. Cost: p W^2 log n a row peeled off, where a scan of the node's lists would cost p n a
// level.
#pragma once

#include <memory>
#include <optional>

#include "general/node_facts.hpp"
#include "general/peeling/chain.hpp"
#include "general/peeling/cut.hpp"

namespace boxwood {

class Peeler {
 public:
  virtual ~Peeler() = default;
  // Errors saved by the best cut of a column with `least` rows or more on each side; nothing when it has no cut.
  virtual std::optional<double> saved(std::size_t j, std::int64_t least) const = 0;
  virtual PeeledCut cut(std::size_t j, std::int64_t least) const = 0;
  // What the levels of a nominal column weigh; nullptr for a column that is cut.
  virtual const PeeledLevels* levels(std::size_t j) const = 0;
  // The samples on one side of a cut.
  virtual std::vector<std::uint32_t> side(const PeeledCut& cut, bool is_below) const = 0;
  // Takes samples away. `lists`: where their entries go, in order, for each column; empty = nowhere.
  virtual void take(const std::vector<std::uint32_t>& samples, const std::vector<Entry*>& lists) = 0;
  virtual std::vector<std::uint32_t> rest() const = 0;
};

template <class M>
class PeelerOf final : public Peeler {
 public:
  static constexpr int W = M::W;

  PeelerOf(const Samples& samples, const Node& node, const ResponseColumns& y, bool learns)
      : masses_(y.factors, y.n_classes),
        y_(y),
        learns_(learns),
        local_(new std::uint32_t[samples.size()]),
        columns_(samples.n_columns()),
        levels_(samples.n_columns()) {
    const std::uint32_t* ids = samples.ids(node);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      local_[ids[i]] = i;
      total_[y.codes[ids[i]]] += static_cast<Sum>(y.weight_of(ids[i]));
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Entry* entries = samples.entries(j, node);
      if (samples.column(j).kind == Kind::nominal) {
        levels_[j].emplace().build(entries, node.count, y.codes, y.weight, y.n_classes, local_.get());
      } else {
        columns_[j].emplace().build(masses_, entries, node.count, y.codes, y.weight, local_.get());
      }
    }
  }

  std::optional<double> saved(std::size_t j, std::int64_t least) const override {
    if constexpr (M::HAS_TIES) {
      Chain chain(masses_, *columns_[j], asked(least), scale());
      return chain.find() ? std::optional<double>(chain.saved) : std::nullopt;
    } else {
      const auto most = columns_[j]->most(asked(least));
      return most < 0 ? std::nullopt : std::optional<double>(most - largest(j, least));
    }
  }
  PeeledCut cut(std::size_t j, std::int64_t least) const override {
    Place place;
    if constexpr (M::HAS_TIES) {
      Chain chain(masses_, *columns_[j], asked(least), scale());
      chain.find();
      place = chain.place;
    } else {
      columns_[j]->first(asked(least), columns_[j]->most(asked(least)), 0, place);
    }
    return described(j, place);
  }
  const PeeledLevels* levels(std::size_t j) const override { return levels_[j] ? &*levels_[j] : nullptr; }
  std::vector<std::uint32_t> side(const PeeledCut& cut, bool is_below) const override {
    std::vector<std::uint32_t> samples;
    const auto note = [&](std::uint32_t s) { samples.push_back(s); };
    const int branch = is_below ? 0 : 1;
    if (const PeeledLevels* column = levels(cut.column)) {
      for (const LevelBranch& level : cut.levels)
        if (level.branch == branch) column->each_of(level.level, note);
      if (cut.missing == branch) column->each_of(MISSING, note);
      return samples;
    }
    const auto& column = *columns_[cut.column];
    is_below ? column.each_below(cut.at, note) : column.each_above(cut.at, note);
    if (cut.missing == branch) column.each_missing(note);
    return samples;
  }
  void take(const std::vector<std::uint32_t>& samples, const std::vector<Entry*>& lists) override {
    rows_.clear();
    for (const std::uint32_t s : samples) {
      rows_.push_back(local_[s]);
      total_[y_.codes[s]] -= static_cast<Sum>(y_.weight_of(s));
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      Entry* out = lists.empty() ? nullptr : lists[j];
      columns_[j] ? columns_[j]->take(rows_, out) : levels_[j]->take(rows_, out);
    }
  }
  std::vector<std::uint32_t> rest() const override {
    std::vector<std::uint32_t> samples;
    const auto note = [&](std::uint32_t s) { samples.push_back(s); };
    columns_[0] ? columns_[0]->each(note) : levels_[0]->each(note);
    return samples;
  }

 private:
  using Sum = typename M::Sum;
  using Place = PeeledPlace<M>;
  using Chain = PeeledChain<M>;

  typename PeeledColumn<M>::Asked asked(std::int64_t least) const { return {total_, least, learns_}; }
  // What the largest class weighs, and all of them, added up as everywhere.
  typename M::Lead largest(std::size_t j, std::int64_t least) const {
    Sum total[W];
    columns_[j]->parted(asked(least), total);
    typename M::Lead most = 0;
    for (int k = 0; k < W; ++k) most = std::max(most, masses_.mass(total[k], k));
    return most;
  }
  double scale() const {
    double all = 0;
    for (int k = 0; k < W; ++k) all += static_cast<double>(masses_.mass(total_[k], k));
    return all;
  }

  PeeledCut described(std::size_t j, const Place& place) const {
    const auto& column = *columns_[j];
    PeeledCut cut;
    cut.column = j;
    cut.at = place.at;
    cut.below = column.code(place.at);
    cut.above = column.code_behind(place.at);
    for (int k = 0; k < W; ++k) {
      const Sum below = place.left[k] - (place.missing_left ? column.missing()[k] : Sum{0});
      cut.weight[0] += below;
      cut.weight[1] += total_[k] - column.missing()[k] - below;
    }
    cut.rows_below = place.rows_below;
    cut.rows_missing = static_cast<std::uint32_t>(column.rows_missing());
    if (learns_ && cut.rows_missing > 0) cut.missing = place.missing_left ? 0 : 1;
    return cut;
  }

  const M masses_;
  const ResponseColumns& y_;
  const bool learns_;  // where rows without a value go is learned from them
  Sum total_[W] = {};
  std::unique_ptr<std::uint32_t[]> local_;  // number of each sample within the node; what is not in it is not touched
  std::vector<std::uint32_t> rows_;
  std::vector<std::optional<PeeledColumn<M>>> columns_;  // those that are cut
  std::vector<std::optional<PeeledLevels>> levels_;  // the others
};

// The most classes that a peeler tells apart.
constexpr int PEELED_CLASSES = 16;
// The most rows that leads have room for.
constexpr std::uint32_t PEELED_ROWS = std::uint32_t{1} << 29;

template <int W>
std::unique_ptr<Peeler> peeler_for(const Samples& samples, const Node& node, const NodeFacts& facts,
                                   const ResponseColumns& y, bool learns) {
  if (!y.factors && facts.weight < PeeledCounts<W>::MOST)
    return std::make_unique<PeelerOf<PeeledCounts<W>>>(samples, node, y, learns);
  return std::make_unique<PeelerOf<PeeledWeights<W>>>(samples, node, y, learns);
}

inline std::unique_ptr<Peeler> peeler_of(const Samples& samples, const Node& node, const NodeFacts& facts,
                                         const ResponseColumns& y, bool learns) {
  if (y.n_classes <= 2) return peeler_for<2>(samples, node, facts, y, learns);
  if (y.n_classes <= 4) return peeler_for<4>(samples, node, facts, y, learns);
  if (y.n_classes <= 8) return peeler_for<8>(samples, node, facts, y, learns);
  return peeler_for<PEELED_CLASSES>(samples, node, facts, y, learns);
}

}  // namespace boxwood

// A node by classification error from which rows are peeled off, a few at each split: chains of thousands of levels, as errors make them.
// Invariant: the best cut is the one that a scan of every list would find: most errors saved, then the first column, then the lowest cut.
// Cost: p W^2 log n a row peeled off, where a scan of the node's lists would cost p n a level.
#pragma once

#include <memory>

#include "column.hpp"

namespace boxwood {

class Peeler {
 public:
  virtual ~Peeler() = default;
  // Errors saved by the best cut of a column with `least` rows or more on each side; negative when it has no cut.
  virtual std::int32_t saved(std::size_t j, std::int64_t least) const = 0;
  virtual PeeledCut cut(std::size_t j, std::int64_t least, std::int32_t saved) const = 0;
  // The samples on one side of a cut.
  virtual std::vector<std::uint32_t> side(std::size_t j, const PeeledCut& cut, bool is_below) const = 0;
  // Takes samples away. `lists`: where their entries go, in order, for each column; empty = nowhere.
  virtual void take(const std::vector<std::uint32_t>& samples, const std::vector<Entry*>& lists) = 0;
  virtual std::vector<std::uint32_t> rest() const = 0;
};

template <int W>
class PeelerOf final : public Peeler {
 public:
  // `classes`: of each sample.
  PeelerOf(const Samples& samples, const Node& node, const std::int32_t* classes)
      : classes_(classes), local_(new std::uint32_t[samples.size()]), columns_(samples.n_columns()) {
    const std::uint32_t* ids = samples.ids(node);
    for (std::uint32_t i = 0; i < node.count; ++i) {
      local_[ids[i]] = i;
      ++total_[classes[ids[i]]];
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) columns_[j].build(samples.entries(j, node), node.count, classes, local_.get());
  }

  std::int32_t saved(std::size_t j, std::int64_t least) const override {
    const std::int32_t most = columns_[j].most(total_, least);
    return most < 0 ? -1 : most - largest();
  }
  PeeledCut cut(std::size_t j, std::int64_t least, std::int32_t saved) const override {
    return columns_[j].first(total_, least, saved + largest());
  }
  std::vector<std::uint32_t> side(std::size_t j, const PeeledCut& cut, bool is_below) const override {
    std::vector<std::uint32_t> samples;
    const auto note = [&](std::uint32_t s) { samples.push_back(s); };
    is_below ? columns_[j].each_below(cut.at, note) : columns_[j].each_above(cut.at, note);
    return samples;
  }
  void take(const std::vector<std::uint32_t>& samples, const std::vector<Entry*>& lists) override {
    rows_.clear();
    for (const std::uint32_t s : samples) {
      rows_.push_back(local_[s]);
      --total_[classes_[s]];
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) columns_[j].take(rows_, lists.empty() ? nullptr : lists[j]);
  }
  std::vector<std::uint32_t> rest() const override {
    std::vector<std::uint32_t> samples;
    columns_[0].each([&](std::uint32_t s) { samples.push_back(s); });
    return samples;
  }

 private:
  std::int32_t largest() const { return *std::max_element(total_, total_ + W); }

  const std::int32_t* classes_;
  std::int32_t total_[W] = {};
  std::unique_ptr<std::uint32_t[]> local_;  // number of each sample within the node; what is not in it is not touched
  std::vector<std::uint32_t> rows_;
  std::vector<PeeledColumn<W>> columns_;
};

// The most classes that a peeler tells apart.
constexpr int PEELED_CLASSES = 16;
// The most rows that leads have room for.
constexpr std::uint32_t PEELED_ROWS = std::uint32_t{1} << 29;

inline std::unique_ptr<Peeler> peeler_of(const Samples& samples, const Node& node, const Response& y) {
  if (y.n_classes <= 2) return std::make_unique<PeelerOf<2>>(samples, node, y.codes);
  if (y.n_classes <= 4) return std::make_unique<PeelerOf<4>>(samples, node, y.codes);
  if (y.n_classes <= 8) return std::make_unique<PeelerOf<8>>(samples, node, y.codes);
  return std::make_unique<PeelerOf<PEELED_CLASSES>>(samples, node, y.codes);
}

}  // namespace boxwood

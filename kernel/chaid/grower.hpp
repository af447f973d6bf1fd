// Grows a CHAID tree level by level: the two steps of a level, or the whole tree at once.
// Invariant: a node's split depends on its samples alone, so any number of threads and any order of rows gives the same
// tree. Cost: one table of every feature a node, one stable partition of sample numbers a level; each pair of node and
// feature is a task of the thread pool.
#pragma once

#include "chaid/bins.hpp"
#include "chaid/search.hpp"
#include "chaid/tally.hpp"

namespace boxwood::chaid {

class Grower {
 public:
  Grower(const std::vector<Column>& columns, std::vector<std::uint32_t> rows, const ResponseColumns& y,
         const Settings& s)
      : columns_(columns), rows_(std::move(rows)), y_(y), search_(y, s, std::vector<Feature>(columns.size())) {}

  GrownNodes level;  // the current level: nodes after root and route, splits after best_splits

  void root(ThreadPool& pool) {
    bins_.assign(columns_.size(), {});
    pool.run(columns_.size(), [&](std::size_t j, int) { find_categories(j); });
    ids_.resize(rows_.size());
    std::iota(ids_.begin(), ids_.end(), 0u);
    nodes_ = {{0, ids_.size()}};
    depth_ = 0;
    start(pool);
  }

  void best_splits(const std::vector<std::uint8_t>& open, ThreadPool& pool) {
    const std::int64_t max_depth = search_.settings().max_depth;
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < nodes_.size() && (max_depth < 0 || depth_ < max_depth); ++i)
      if (open[i] && search_.may_be_split(search_.sums[i])) nodes.push_back(i);
    const auto table = [&](std::size_t i, std::size_t j) { return categories(j, ids_of(i), search_.sums[i]); };
    search_.find(nodes, table, pool);
    search_.describe(level);
  }

  void route(ThreadPool& pool) {
    std::vector<NodeRange> next;
    std::vector<std::uint32_t> ids;
    ids.reserve(ids_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (search_.found(i)) partition(i, ids, next);
    ids_ = std::move(ids);
    nodes_ = std::move(next);
    ++depth_;
    start(pool);
  }

  GrownNodes finish(ThreadPool& pool) { return grow_levels(*this, pool); }

  // The tests of every feature among some samples, that of the split by its branches; root() must have been called.
  std::vector<FeatureTest> tests(std::span<const std::uint32_t> samples, ThreadPool& pool) {
    std::vector<double> moments(static_cast<std::size_t>(y_.moments()));
    const NodeSums sums = search_.response.collect(samples, moments.data());
    std::vector<FeatureTest> tests(columns_.size());
    pool.run(columns_.size(), [&](std::size_t j, int worker) {
      tests[j] =
          search_.tester.test(categories(j, samples, sums), search_.features[j].ordered(), {pool.interrupts(), worker});
    });
    search_.choose(tests, {pool.interrupts(), 0});
    return tests;
  }

  // Greatest value in each bin of a numeric column; empty for another.
  const std::vector<Cut>& bin_ends(std::size_t j) const { return search_.features[j].ends; }

 private:
  struct NodeRange {
    std::size_t begin, count;
  };

  const Settings& settings() const { return search_.settings(); }

  // Levels, or bins found on all samples here, or those of the tree that this one becomes a part of.
  void find_categories(std::size_t j) {
    const Column& column = columns_[j];
    Feature& feature = search_.features[j];
    feature.kind = column.kind;
    feature.n_categories = column.n_codes;
    if (column.kind != Kind::numeric) return;
    feature.ends = settings().ends.empty() ? find_bins(j) : settings().ends[j];
    feature.n_categories = static_cast<std::uint32_t>(feature.ends.size());
    std::vector<std::uint16_t> bin_of_code;
    bin_of_code.reserve(column.n_codes);
    std::uint32_t bin = 0;
    for (std::uint32_t code = 0; code < column.n_codes; ++code) {
      while (bin + 1 < feature.ends.size() && is_below(feature.ends[bin], value_of(j, code))) ++bin;
      bin_of_code.push_back(static_cast<std::uint16_t>(bin));
    }
    const auto missing = static_cast<std::uint16_t>(feature.n_categories);
    bins_[j].reserve(rows_.size());
    for (const std::uint32_t row : rows_)
      bins_[j].push_back(column.codes[row] == MISSING ? missing : bin_of_code[column.codes[row]]);
  }
  std::vector<Cut> find_bins(std::size_t j) const {
    const bool by_rows = settings().case_weights;  // a case of any weight is one case
    std::vector<std::int64_t> frequency(columns_[j].n_codes, 0);
    for (std::uint32_t s = 0; s < rows_.size(); ++s) {
      const std::uint32_t code = columns_[j].codes[rows_[s]];
      if (code != MISSING) frequency[code] += by_rows ? 1 : y_.weight_of(s);
    }
    std::vector<Cut> ends;
    for (const std::uint32_t code : bin_codes(frequency, by_rows ? 1.0 : y_.unit, settings().n_bins))
      ends.push_back(value_of(j, code));
    return ends;
  }
  Cut value_of(std::size_t j, std::uint32_t code) const {
    if (settings().rank_cuts && settings().ends.empty()) return {static_cast<double>(code), 0.0};
    return value_at(columns_[j], code);
  }

  CategoryOf category(std::size_t j) const {
    const bool binned = columns_[j].kind == Kind::numeric;
    return {columns_[j].codes.data(), rows_.data(), binned ? bins_[j].data() : nullptr,
            search_.features[j].n_categories};
  }
  Categories categories(std::size_t j, std::span<const std::uint32_t> ids, const NodeSums& sums) const {
    return Tally(y_, settings().case_weights).count(category(j), ids, sums.stats);
  }
  std::span<const std::uint32_t> ids_of(std::size_t i) const {
    return {ids_.data() + nodes_[i].begin, nodes_[i].count};
  }

  // A level begins: the sums and moments of its nodes.
  void start(ThreadPool& pool) {
    level = {};
    const auto width = static_cast<std::size_t>(y_.moments());
    search_.sums.assign(nodes_.size(), {});
    level.moments.resize(nodes_.size() * width);
    pool.run(nodes_.size(), [&](std::size_t i, int) {
      search_.sums[i] = search_.response.collect(ids_of(i), level.moments.data() + i * width);
    });
    for (const NodeSums& node : search_.sums) level.rows.push_back(node.rows);
    search_.start(depth_ == 0);
  }

  // Appends the samples of node i to `ids`, branch by branch.
  void partition(std::size_t i, std::vector<std::uint32_t>& ids, std::vector<NodeRange>& next) const {
    const Chosen<MergedSplit>& found = *search_.found(i);
    const CategoryOf category_of = category(found.split.feature);
    std::vector<std::vector<std::uint32_t>> branches(found.n_children);
    for (const std::uint32_t s : ids_of(i)) branches[found.split.branch[category_of(s)]].push_back(s);
    for (const auto& samples : branches) {
      next.push_back({ids.size(), samples.size()});
      ids.insert(ids.end(), samples.begin(), samples.end());
    }
  }

  const std::vector<Column>& columns_;
  const std::vector<std::uint32_t> rows_;
  const ResponseColumns y_;
  Search search_;
  std::vector<std::vector<std::uint16_t>> bins_;  // of the samples, in numeric columns
  std::vector<std::uint32_t> ids_;  // samples, node by node
  std::vector<NodeRange> nodes_;
  std::int64_t depth_ = 0;
};

}  // namespace boxwood::chaid

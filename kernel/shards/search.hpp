// The best splits of a level from tables that shards have added up.
// Invariant: the split of a node is the one that the grower in memory finds (search/table_search.hpp): the same sums,
// bounds, rules and order of trial; a bin stays closed only when no cut inside could be chosen. Cost: a pass over the
// bins, one over the opened values; sets of levels as in search/level_search.hpp.
#pragma once

#include "grow/levels.hpp"
#include "search/entry_search.hpp"
#include "search/known_ranks.hpp"
#include "shards/level.hpp"
#include "surrogate/entry_surrogates.hpp"

namespace boxwood::sharded {

template <coded::Response R>
class SummedSearch final : public SummedSearchBase {
 public:
  using Cell = typename R::Cell;

  SummedSearch(const R& y, const ResponseColumns& columns, const Settings& settings, std::vector<FeatureShape> features)
      : y_(y), columns_(columns), settings_(settings), features_(std::move(features)) {}

  std::pair<double, double> root() const override { return {rules_.root_weight, rules_.root_risk}; }

  LevelStats start(const LevelReplies& given, bool is_root) override {
    nodes_.clear();
    LevelStats level = each_node(y_, columns_, given, [&](NodeSums<R> node) {
      nodes_.emplace_back();
      static_cast<NodeSums<R>&>(nodes_.back()) = std::move(node);
      nodes_.back().tables.resize(features_.size());
      nodes_.back().candidates.resize(features_.size());
      nodes_.back().ranks.start(features_.size(), rules_.kept());
    });
    if (is_root && !nodes_.empty()) set_root(nodes_[0]);
    return level;
  }

  void limit_means(const double* least, const double* greatest) override {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      nodes_[i].stats.inherited.values = {columns_.limit(least[i]), columns_.limit(greatest[i])};
  }

  void take_table(std::size_t i, std::size_t j, const Given& bins, bool branches) override {
    Node& node = nodes_[i];
    if (branches) {
      node.branches.resize(features_.size());
      node.branches[j] = {};
      node.branches[j].bins = entry_sums<BranchCounts>(coded::BranchTaken<true>{}, bins);
      return surrogates_at(i).search(j);
    }
    node.tables[j] = {};
    node.tables[j].bins = entry_sums<Cell>(y_, bins);
    search(node, j);
  }

  std::vector<double> candidate_bins(std::size_t i, std::size_t j, bool branches) override {
    if (branches) return surrogates_at(i).candidate_bins(j);
    if (features_[j].kind != Kind::numeric || nodes_[i].tables[j].size() == 0)
      return std::vector<double>(features_[j].size, -1.0);
    return feature_search(nodes_[i], j).candidate_bins();
  }

  void take_values(std::size_t i, std::size_t j, const OpenedValues& given, const Given& sums, bool branches) override {
    if (branches) {
      open_bins(coded::BranchTaken<true>{}, given, sums, nodes_[i].branches[j]);
      return surrogates_at(i).search(j);
    }
    open_bins(y_, given, sums, nodes_[i].tables[j]);
    search(nodes_[i], j);
  }

  std::vector<Cut> ends(std::size_t i, std::size_t j, bool branches) const override {
    const Node& node = nodes_[i];
    if (branches) return {node.branches[j].best.below.at, node.branches[j].best.above.at};
    return feature_search(node, j).ends();
  }

  void choose(const std::vector<std::size_t>& nodes, bool branches, ThreadPool&) override {
    for (const std::size_t i : nodes) {
      branches ? surrogates_at(i).choose() : choose(nodes_[i]);
      nodes_[i].tables.assign(features_.size(), {});  // what was chosen is all that is needed of them
      nodes_[i].branches.clear();
    }
  }

  std::vector<NeededBins> unresolved() const override {
    std::vector<NeededBins> out;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      each_cut(nodes_[i], [&](const coded::EntryCut& cut) { need(i, cut.feature, cut.lower, cut.upper, out); });
      for (const coded::EntrySurrogate& one : nodes_[i].surrogates) need(i, one.feature, one.below, one.above, out);
    }
    return out;
  }

  void resolve(std::size_t i, std::size_t j, u32 bin, const Cut& first, const Cut& last) override {
    const auto resolve_ends = [&](std::int32_t feature, coded::CutEnd& below, coded::CutEnd& above) {
      if (feature != static_cast<std::int32_t>(j)) return;
      below.resolve(bin, last);
      above.resolve(bin, first);
    };
    each_cut(nodes_[i], [&](coded::EntryCut& cut) { resolve_ends(cut.feature, cut.lower, cut.upper); });
    for (coded::EntrySurrogate& one : nodes_[i].surrogates) resolve_ends(one.feature, one.below, one.above);
  }

  std::vector<i64> known_weights() const override {
    std::vector<i64> out;
    for (const Node& node : nodes_)
      if (node.found) out.insert(out.end(), node.branch_weight, node.branch_weight + 2);
    return out;
  }

  void describe(GrownNodes& level) const override {
    const auto push_cut = [&](const coded::EntryCut& cut, SplitRows& to) {
      push(cut.feature, cut.flipped, cut.lower, cut.all_below ? nullptr : &cut.upper, cut.branches, to);
    };
    for (const Node& node : nodes_) {
      describe_node(node.found, push_cut, level);
      level.heuristic.back() = node.found && node.found->split.heuristic;
      for (const coded::EntrySurrogate& one : node.surrogates) {
        push(one.feature, one.flipped, one.below, &one.above, one.levels, level.surrogates);
        level.agreement.push_back(one.agreement);
        level.adjusted.push_back(one.adjusted);
      }
      level.surrogate_start.back() = static_cast<std::int32_t>(level.agreement.size());
    }
  }

 private:
  using Table = coded::EntryTable<Cell>;

  struct Node : NodeSums<R> {
    std::vector<Table> tables;
    std::vector<coded::EntryCut> candidates;
    std::optional<Chosen<coded::EntryCut>> found;
    coded::KnownRanks ranks;  // of the candidates so far
    std::vector<coded::BranchEntries> branches;
    std::vector<coded::EntrySurrogate> surrogates;  // the kept ones, best first
    i64 branch_weight[2] = {0, 0};  // of the rows whose value is known
  };

  void set_root(const Node& root) {
    rules_.by_low = root.stats.by_low;
    rules_.start_root(y_.weight(root.sums), root.stats);
    rules_.by_low = false;
    rules_.start(rules_.root_weight, rules_.root_risk);
    low_rules_ = rules_.by_low_parts();
  }
  void choose(Node& node) {
    coded::Ranking<coded::EntryCut> ranking;
    ranking.start(rules_.kept());
    for (const coded::EntryCut& cut : node.candidates)
      if (cut.feature >= 0) ranking.offer(cut);
    node.found.reset();
    node.surrogates.clear();
    std::vector<coded::EntryCut>& kept = ranking.kept();
    if (kept.empty()) return;
    for (coded::EntryCut& cut : kept)
      cut.score =
          rules_at(node).true_decrease(cut.decrease) / (static_cast<double>(y_.weight(node.sums)) * columns_.unit);
    node.found = {std::move(kept[0]), {kept.begin() + 1, kept.end()}};
    const coded::EntryCut& split = node.found->split;
    const Table& table = node.tables[static_cast<std::size_t>(split.feature)];
    node.branch_weight[split.flipped] = split.weight_left;
    node.branch_weight[1 - split.flipped] = known_weight(table) - split.weight_left;
    node.found->missing = rules_.missing_branch(split.missing, node.branch_weight, table.rows_missing() > 0);
    node.found->n_children = node.found->missing == 2 ? 3 : 2;
  }

  const coded::Rules& rules_at(const Node& node) const { return node.stats.by_low ? low_rules_ : rules_; }

  // Visits the split of a node and its competitors.
  template <class AnyNode, class Visit>
  static void each_cut(AnyNode& node, const Visit& visit) {
    if (!node.found) return;
    visit(node.found->split);
    for (auto& cut : node.found->competitors) visit(cut);
  }
  static i64 known_weight(const Table& table) {
    return std::accumulate(table.bins.weights.begin(), table.bins.weights.end() - 1, i64{0});
  }

  // The candidate of a feature, from what is known of its table.
  void search(Node& node, std::size_t j) {
    coded::EntryCut& cut = node.candidates[j] = feature_search(node, j).find(features_[j]);
    if (cut.feature >= 0) node.ranks.raise(cut.feature, cut.rank);
  }
  coded::EntrySearch<R> feature_search(const Node& node, std::size_t j) const {
    const auto place = static_cast<std::int32_t>(j);
    return {y_, rules_at(node), node, node.tables[j], place, node.ranks.of(place)};
  }

  coded::EntrySurrogates surrogates_at(std::size_t i) {
    Node& node = nodes_[i];
    return {static_cast<std::size_t>(node.found->split.feature),
            Rating::of(settings_, node.branch_weight, node.stats.inherited), features_, node.branches, node.surrogates};
  }

  void need(std::size_t i, std::int32_t feature, const coded::CutEnd& below, const coded::CutEnd& above,
            std::vector<NeededBins>& out) const {
    const auto j = static_cast<std::size_t>(feature);
    if (features_[j].kind != Kind::numeric || (below.exact && above.exact)) return;
    NeededBins bins{static_cast<i64>(i), feature, std::vector<std::uint8_t>(features_[j].size, 0)};
    for (const coded::CutEnd* end : {&below, &above})
      if (!end->exact) bins.bins[end->bin] = 1;
    out.push_back(std::move(bins));
  }

  // A set of levels, or a cut between two ends; `above` is null when every known value is below.
  void push(std::int32_t feature, bool flipped, const coded::CutEnd& below, const coded::CutEnd* above,
            const std::vector<LevelBranch>& levels, SplitRows& to) const {
    const FeatureShape& shape = features_[static_cast<std::size_t>(feature)];
    if (shape.kind == Kind::nominal) return to.push_listed(feature, shape.size, {}, levels);
    Column column;
    column.kind = shape.kind;
    if (shape.kind == Kind::ordinal) {
      const Cut all{below.bin + 0.5, 0.0};
      return to.push_cut(feature, above ? cut_between(column, below.bin, above->bin, false) : all, flipped);
    }
    column.values = {below.at.value, above ? above->at.value : 0.0};
    column.lows = {below.at.low, above ? above->at.low : 0.0};
    to.push_cut(feature, above ? cut_between(column, 0, 1, settings_.has_short_cuts(feature)) : below.at, flipped);
  }

  const R y_;
  const ResponseColumns columns_;
  const Settings settings_;
  const std::vector<FeatureShape> features_;
  coded::Rules rules_{&settings_, &columns_}, low_rules_ = rules_;
  std::vector<Node> nodes_;
};

}  // namespace boxwood::sharded

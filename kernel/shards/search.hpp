// The best splits of a level from tables that shards have added up.
// Invariant: the split of a node is the one that the grower in memory finds (search/table_search.hpp): the same sums,
// the same order of trial; a bin stays closed only when no cut inside could be chosen. Cost: a pass over the bins, one
// over the opened values; sets of levels as in search/level_sets.hpp.
#pragma once

#include "search/level_sets.hpp"
#include "search/rules.hpp"
#include "shards/bounds.hpp"
#include "shards/level.hpp"
#include "shards/split_rows.hpp"
#include "shards/surrogates.hpp"
#include "shards/table.hpp"

namespace boxwood::sharded {

template <class P>
class SummedSearch final : public SummedSearchBase {
 public:
  using Int = typename P::Int;

  SummedSearch(const P& policy, const ResponseColumns& y, const Settings& settings, std::vector<FeatureShape> features)
      : policy_(policy), y_(y), settings_(settings), features_(std::move(features)) {}

  void set_root(const NodeFacts& root) override {
    const bool has_root_above = settings_.root_weight >= 0;
    rules_.start(has_root_above ? settings_.root_weight : static_cast<double>(root.weight) * y_.unit,
                 has_root_above ? settings_.root_risk : root.coarse(root.risk));
  }
  double root_weight() const override { return rules_.root_weight; }
  double root_risk() const override { return rules_.root_risk; }

  void start(std::vector<NodeFacts> stats, std::vector<i64> rows) override {
    nodes_.clear();
    for (std::size_t i = 0; i < stats.size(); ++i) {
      Node node;
      node.stats = std::move(stats[i]);
      node.rows = rows[i];
      nodes_.push_back(std::move(node));
    }
  }

  void take_table(std::size_t i, std::size_t j, const Given& bins) override {
    Node& node = nodes_[i];
    node.tables.resize(features_.size());
    node.candidates.resize(features_.size());
    FeatureTable<P>& table = node.tables[j] = {};
    table.bins.read(policy_at(policy_, node.stats), words(), bins);
    search(node, j);
  }

  std::vector<double> upper_bounds(std::size_t i, std::size_t j) override {
    Node& node = nodes_[i];
    const FeatureTable<P>& table = node.tables[j];
    std::vector<double> out(features_[j].size, -1.0);
    if (features_[j].kind != Kind::numeric) return out;
    const P policy = policy_at(policy_, node.stats);
    const std::size_t width = static_cast<std::size_t>(policy.width());
    const Sides sides = sides_of(policy, node, table);
    const double bar = bar_of(node, j);
    BinBound<P> bound(policy, settings_.measure);
    std::vector<Int> left(width, Int{0}), with(width);
    for (std::size_t b = 0; b < table.size(); ++b) {
      const Int* bin = table.bins.sums.data() + b * width;
      if (table.bins.rows[b] > 1 && !table.is_open(b)) {
        const double spread = table.bins.spread.empty() ? 0.0 : table.bins.spread[b];
        double most = bound({left.data(), bin, sides.total.data(), spread}) + sides.offset;
        if (sides.learned) {
          for (std::size_t k = 0; k < width; ++k) with[k] = left[k] + sides.missing[k];
          most = std::max(most, bound({with.data(), bin, sides.total.data(), spread}));
        }
        const double room = 4 * TIE * std::max(node.stats.scale, std::abs(bar));
        const double beyond = most * (1 + 1e-9) + room - bar;
        out[b] = std::isnan(beyond) ? std::numeric_limits<double>::infinity() : beyond;
      }
      for (std::size_t k = 0; k < width; ++k) left[k] += bin[k];
    }
    return out;
  }

  void take_values(std::size_t i, std::size_t j, const OpenedValues& given, const Given& sums) override {
    Node& node = nodes_[i];
    FeatureTable<P>& table = node.tables[j];
    table.open(given, sums.count, features_[j].size);
    table.exact.read(policy_at(policy_, node.stats), words(), sums);
    search(node, j);
  }

  void choose(std::size_t i) override {
    Node& node = nodes_[i];
    coded::Ranking<Candidate> ranking;
    ranking.start(rules_.kept());
    for (const Candidate& c : node.candidates)
      if (c.feature >= 0) ranking.offer(c);
    node.found = std::move(ranking.kept());
    node.surrogates.clear();
    if (node.found.empty()) return;
    const FeatureTable<P>& table = node.tables[node.found[0].feature];
    const bool flipped = is_flipped(node.found[0]);
    node.sent[flipped] = table.weight_left;
    node.sent[1 - flipped] = known_weight(table) - table.weight_left;
    node.missing = rules_.missing_branch(node.found[0].missing, node.sent, table.n_missing() > 0);
  }

  std::vector<NeededBins> unresolved() const override {
    std::vector<NeededBins> out;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const Candidate& c : nodes_[i].found)
        need(i, c, nodes_[i].tables[c.feature].below, nodes_[i].tables[c.feature].above, out);
      for (const Surrogate& s : nodes_[i].surrogates) need(i, s.split, s.below, s.above, out);
    }
    return out;
  }

  void resolve(std::size_t i, std::size_t j, u32 bin, const Cut& first, const Cut& last) override {
    Node& node = nodes_[i];
    const auto resolve_end = [&](End& below, End& above) {
      if (!below.exact && below.bin == bin) below = {true, last, bin};
      if (!above.exact && above.bin == bin) above = {true, first, bin};
    };
    if (!node.tables.empty()) resolve_end(node.tables[j].below, node.tables[j].above);
    for (Surrogate& s : node.surrogates)
      if (static_cast<std::size_t>(s.split.feature) == j) resolve_end(s.below, s.above);
  }

  void take_branch_counts(std::size_t i, std::size_t j, const Given& bins) override { surrogates_at(i).take(j, bins); }
  std::vector<std::uint8_t> surrogate_bins(std::size_t i, std::size_t j) override {
    return surrogates_at(i).candidate_bins(j);
  }
  void take_branch_values(std::size_t i, std::size_t j, const OpenedValues& values, const Given& sums) override {
    surrogates_at(i).open(j, values, sums);
  }
  void choose_surrogates(std::size_t i) override { surrogates_at(i).choose(); }

  std::vector<i64> known_weights() const override {
    std::vector<i64> out;
    for (const Node& node : nodes_)
      if (!node.found.empty()) out.insert(out.end(), node.sent, node.sent + 2);
    return out;
  }

  void describe(GrownNodes& level) const override {
    for (const Node& node : nodes_) {
      const auto score = [&](const Candidate& c) {
        return rules_at(node).true_decrease(c.decrease) / (static_cast<double>(node.stats.weight) * y_.unit);
      };
      level.heuristic.push_back(!node.found.empty() && node.found[0].heuristic);
      level.missing.push_back(node.found.empty() ? STAYS : node.missing);
      level.score.push_back(node.found.empty() ? std::nan("") : score(node.found[0]));
      if (node.found.empty()) level.splits.push_empty();
      for (std::size_t c = 0; c < node.found.size(); ++c) {
        const FeatureTable<P>& table = node.tables[node.found[c].feature];
        push_split(at(node.found[c]), node.found[c], table.below, table.all_below ? nullptr : &table.above,
                   c == 0 ? level.splits : level.competitors);
        if (c > 0) level.competitor_score.push_back(score(node.found[c]));
      }
      for (const Surrogate& s : node.surrogates) {
        push_split(at(s.split), s.split, s.below, &s.above, level.surrogates);
        level.agreement.push_back(s.agreement);
        level.adjusted.push_back(s.adjusted);
      }
      level.competitor_start.push_back(static_cast<std::int32_t>(level.competitor_score.size()));
      level.surrogate_start.push_back(static_cast<std::int32_t>(level.agreement.size()));
    }
  }

 private:
  struct Node {
    NodeFacts stats;
    i64 rows = 0;
    std::vector<FeatureTable<P>> tables;
    std::vector<Candidate> candidates, found;
    std::vector<BranchTable> branches;
    std::vector<Surrogate> surrogates;  // the kept ones, best first
    i64 sent[2] = {0, 0};  // known weight that the split sends to each branch
    std::int32_t missing = STAYS;
  };

  // What the two sides of a cut are counted in: the known rows, or all of them where missing ones go with a side.
  struct Sides {
    std::vector<Int> total, missing;
    double offset = 0.0;
    bool learned = false;
  };

  coded::Rules rules_at(const Node& node) const { return node.stats.fine ? rules_.of_fine_nodes() : rules_; }
  static coded::Judged judged(const Node& node) {
    return {node.stats.risk, node.stats.scale, node.stats.pure, node.stats.fine, node.stats.shift};
  }
  static i64 known_weight(const FeatureTable<P>& table) {
    i64 weight = 0;
    for (std::size_t b = 0; b < table.size(); ++b) weight += table.bins.weights[b];
    return weight;
  }
  const FeatureShape& at(const Candidate& c) const { return features_[static_cast<std::size_t>(c.feature)]; }
  bool is_flipped(const Candidate& c) const { return c.levels.empty() && c.flipped; }

  std::size_t words() const { return static_cast<std::size_t>(words_of(y_)); }

  SurrogateSearch surrogates_at(std::size_t i) {
    Node& node = nodes_[i];
    const Rating rating{
        {static_cast<double>(node.sent[0]), static_cast<double>(node.sent[1])}, settings_.style, settings_.rpart_quirk};
    return {static_cast<std::size_t>(node.found[0].feature),
            rating,
            static_cast<std::size_t>(settings_.max_surrogates),
            features_,
            node.branches,
            node.surrogates};
  }

  std::vector<Int> known_sums(const P& policy, const Node& node, const FeatureTable<P>& table) const {
    const std::size_t width = static_cast<std::size_t>(policy.width());
    std::vector<Int> known(width);
    totals_of(policy, node.stats, known.data());
    for (std::size_t k = 0; k < width; ++k) known[k] -= table.bins.sums[table.size() * width + k];
    return known;
  }

  Sides sides_of(const P& policy, const Node& node, const FeatureTable<P>& table) const {
    const std::size_t width = static_cast<std::size_t>(policy.width());
    Sides sides;
    sides.total = known_sums(policy, node, table);
    if (table.n_missing() == 0) return sides;
    sides.missing.assign(table.bins.sums.begin() + static_cast<std::ptrdiff_t>(table.size() * width),
                         table.bins.sums.end());
    std::vector<Int> all = sides.total;
    for (std::size_t k = 0; k < width; ++k) all[k] += sides.missing[k];
    if (settings_.policy == Policy::own_branch) sides.offset = policy.decrease(sides.total.data(), all.data());
    sides.learned = settings_.policy == Policy::learned;
    if (sides.learned) sides.total = all;
    return sides;
  }

  // What is known to be reached, in the feature's own decrease: by itself, or by as many others as are kept.
  double bar_of(const Node& node, std::size_t j) const {
    std::vector<double> compared;
    for (const Candidate& c : node.candidates)
      if (c.feature >= 0) compared.push_back(c.rank);
    std::sort(compared.rbegin(), compared.rend());
    const std::size_t most = static_cast<std::size_t>(settings_.max_competitors);
    double bar = 0.0;
    if (compared.size() > most)
      bar = compared[most] * node.stats.scale * (settings_.feature_costs.empty() ? 1.0 : settings_.feature_costs[j]);
    return node.candidates[j].feature >= 0 ? std::max(bar, node.candidates[j].decrease) : bar;
  }

  // As Search::search in memory, over entries instead of samples.
  void search(Node& node, std::size_t j) {
    Candidate& out = node.candidates[j] = {};
    FeatureTable<P>& table = node.tables[j];
    const i64 missing_rows = table.n_missing(), known_rows = node.rows - missing_rows;
    if (known_rows == 0) return;
    const P policy = policy_at(policy_, node.stats);
    const std::size_t width = static_cast<std::size_t>(policy.width());
    const std::vector<Int> known = known_sums(policy, node, table);
    Trial<P> trial(policy, settings_, node.stats.scale);
    trial.start(known.data(), table.bins.sums.data() + table.size() * width, known_rows, missing_rows);
    out.missing = STAYS;
    const std::size_t groups = features_[j].kind == Kind::nominal ? sets(policy, trial, j, table, out) : 0;
    if (features_[j].kind != Kind::nominal) scan_table(policy, trial, table, out);
    if (!trial.found) return;
    out.decrease = std::max(trial.best, 0.0);
    if (!rules_at(node).good_enough(out.decrease)) return;
    out.feature = static_cast<std::int32_t>(j);
    out.n_branches = missing_rows > 0 && settings_.policy == Policy::own_branch ? 3 : 2;
    out.rank = rules_.compared(out.decrease, out.feature, static_cast<u32>(groups), known_rows, judged(node));
    if (settings_.order_by_mean) order_by_mean(policy, known, table, out);
  }

  // Sets of levels; returns the number of groups. The sums of branch 0 are left in the table.
  std::size_t sets(const P& policy, Trial<P>& trial, std::size_t j, FeatureTable<P>& table, Candidate& out) {
    const std::size_t width = static_cast<std::size_t>(policy.width());
    const bool pools = features_[j].size > settings_.pool_above;
    Groups<P> groups;
    groups.start(policy.width());
    for (std::size_t v = 0; v < table.size(); ++v) {
      if (table.bins.rows[v] == 0) continue;
      Int* into = groups.open(static_cast<u32>(v));
      std::copy_n(table.bins.sums.data() + v * width, width, into);
      groups.rows.back() = table.bins.rows[v];
    }
    const std::size_t present = groups.size();
    if (pools && settings_.min_samples_level > 1) groups.pool(settings_.min_samples_level);
    if (present < 2 && !(table.n_missing() > 0 && settings_.policy == Policy::learned)) return groups.size();
    SubsetRoom room;
    SubsetSearch<P>(policy, settings_, y_.n_classes, room).search(groups, trial, out);
    table.weight_left = 0;
    table.left.assign(width, Int{0});
    for (const auto& [level, branch] : out.levels) {
      if (branch != 0) continue;
      table.weight_left += table.bins.weights[level];
      for (std::size_t k = 0; k < width; ++k) table.left[k] += table.bins.sums[level * width + k];
    }
    return groups.size();
  }

  void order_by_mean(const P& policy, const std::vector<Int>& known, FeatureTable<P>& table, Candidate& out) const {
    if (table.all_below && out.levels.empty()) return;
    std::vector<Int> right = known;
    for (std::size_t k = 0; k < right.size(); ++k) right[k] -= table.left[k];
    if (!(policy.mean(table.left.data()) >= policy.mean(right.data()))) return;
    if (out.levels.empty())
      out.flipped = true;
    else
      table.weight_left = known_weight(table) - table.weight_left;
    for (auto& [level, branch] : out.levels) branch = 1 - branch;
    if (out.missing == 0 || out.missing == 1) out.missing = 1 - out.missing;
  }

  void need(std::size_t i, const Candidate& c, const End& below, const End& above, std::vector<NeededBins>& out) const {
    const auto j = static_cast<std::size_t>(c.feature);
    if (features_[j].kind != Kind::numeric || (below.exact && above.exact)) return;
    NeededBins q{static_cast<i64>(i), static_cast<i64>(j), std::vector<std::uint8_t>(features_[j].size, 0)};
    if (!below.exact) q.bins[below.bin] = 1;
    if (!above.exact) q.bins[above.bin] = 1;
    out.push_back(std::move(q));
  }

  const P policy_;
  const ResponseColumns y_;
  const Settings settings_;
  const std::vector<FeatureShape> features_;
  coded::Rules rules_{&settings_, &y_};
  std::vector<Node> nodes_;
};

}  // namespace boxwood::sharded

// Grows a CHAID tree level by level: the two questions of a level, or the whole tree at once.
// Invariant: a node's split depends on its samples alone, so any team and any order of rows gives the same tree.
// Cost: one table of every feature a node, one stable partition of sample numbers a level; features and nodes share the team.
#pragma once

#include "../grown_nodes.hpp"
#include "bins.hpp"
#include "judge.hpp"

namespace boxwood::chaid {

class Grower {
 public:
  Grower(const std::vector<Column>& columns, std::vector<std::uint32_t> rows, const Response& y, const Settings& s)
      : columns_(columns), rows_(std::move(rows)), y_(y), asked_(s), s_(s), judge_(y_, s_) {
    facts_settings_.measure = MeasureName::entropy;
  }

  GrownNodes level;                    // the current level: facts after root and route, splits after best_splits
  std::vector<double> log_p;           // of its splits: natural logarithm of the adjusted p, NaN where there is none

  void root(Team& team) {
    bins_.assign(columns_.size(), {});
    team.run(columns_.size(), [&](std::size_t j, int) {
      if (columns_[j].kind != Kind::numeric) return;
      bins_[j] = bin_column(columns_[j], rows_, s_.case_weights ? nullptr : y_.weight, y_.unit, s_.n_bins);
    });
    ids_.resize(rows_.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) ids_[i] = static_cast<std::uint32_t>(i);
    nodes_ = {{0, ids_.size()}};
    depth_ = 0;
    collect_facts(team);
    s_ = asked_;
    s_.settle(cases(0));
  }

  void best_splits(const std::vector<std::uint8_t>& open, Team& team) {
    const std::size_t p = columns_.size();
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (open[i] && is_open(i)) asked.push_back(i);
    std::vector<std::vector<Judged>> judged(asked.size(), std::vector<Judged>(p));
    team.run(asked.size() * p, [&](std::size_t task, int member) {
      const std::size_t i = asked[task / p], j = task % p;
      judged[task / p][j] = judge_.feature(category(j), is_ordered(j), ids_of(i), facts_[i], {team.watch(), member});
    });
    found_.assign(nodes_.size(), std::nullopt);
    for (std::size_t a = 0; a < asked.size(); ++a) found_[asked[a]] = choose(asked[a], judged[a], team);
    for (std::size_t i = 0; i < nodes_.size(); ++i) describe_split(i);
  }

  void route(Team& team) {
    std::vector<NodeRange> next;
    std::vector<std::uint32_t> ids;
    ids.reserve(ids_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (found_[i]) send_down(i, ids, next);
    ids_ = std::move(ids);
    nodes_ = std::move(next);
    ++depth_;
    collect_facts(team);
  }

  GrownNodes finish(Team& team, std::vector<double>& all_log_p) {
    GrownNodes tree;
    for (root(team); !nodes_.empty(); route(team)) {
      const std::size_t first = tree.rows.size();
      best_splits(std::vector<std::uint8_t>(nodes_.size(), 1), team);
      append(tree, first + nodes_.size());
      all_log_p.insert(all_log_p.end(), log_p.begin(), log_p.end());
    }
    fill_parents(tree);
    return tree;
  }

  // The tests of every feature among some samples, by the bins of all; root() must have been called.
  std::vector<Judged> tests(std::span<const std::uint32_t> samples, Team& team) {
    NodeFacts facts;
    facts.collect(y_, facts_settings_, samples.data(), static_cast<std::uint32_t>(samples.size()));
    std::vector<Judged> judged(columns_.size());
    team.run(columns_.size(), [&](std::size_t j, int member) {
      judged[j] = judge_.feature(category(j), is_ordered(j), samples, facts, {team.watch(), member});
    });
    return judged;
  }

  // Greatest value in each bin of a numeric column; empty for another.
  std::vector<Cut> bin_ends(std::size_t j) const {
    std::vector<Cut> ends;
    for (const std::uint32_t code : bins_[j].last) ends.push_back(value_of(j, code));
    return ends;
  }

 private:
  struct NodeRange {
    std::size_t begin, count;
  };
  // A split with the branch of every category of its feature, missing last; -1 = not seen here.
  struct Found {
    std::int32_t feature;
    Judged judged;
    std::vector<std::int32_t> branch;
    std::vector<Found> others;  // the runners-up, best first, as they were judged
  };

  bool is_ordered(std::size_t j) const { return columns_[j].kind != Kind::nominal; }
  std::uint32_t n_categories(std::size_t j) const {
    return columns_[j].kind == Kind::numeric ? static_cast<std::uint32_t>(bins_[j].last.size()) : columns_[j].n_codes;
  }
  CategoryOf category(std::size_t j) const {
    const bool binned = columns_[j].kind == Kind::numeric;
    return {columns_[j].codes.data(), rows_.data(), binned ? bins_[j].of_code.data() : nullptr, n_categories(j)};
  }
  std::span<const std::uint32_t> ids_of(std::size_t i) const { return {ids_.data() + nodes_[i].begin, nodes_[i].count}; }

  // Cases are frequencies: weights replicate rows, unless they are case weights.
  double cases(std::size_t i) const {
    return s_.case_weights ? static_cast<double>(nodes_[i].count) : static_cast<double>(facts_[i].weight) * y_.unit;
  }
  bool is_open(std::size_t i) const {
    return !facts_[i].pure && cases(i) >= s_.min_cases_split - 1e-9 && (s_.max_depth < 0 || depth_ < s_.max_depth);
  }

  void collect_facts(Team& team) {
    level = {};
    log_p.clear();
    facts_.assign(nodes_.size(), {});
    team.run(nodes_.size(), [&](std::size_t i, int) {
      facts_[i].collect(y_, facts_settings_, ids_of(i).data(), static_cast<std::uint32_t>(nodes_[i].count));
    });
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      level.rows.push_back(static_cast<std::int64_t>(nodes_[i].count));
      level.moments.resize(level.moments.size() + y_.moments());
      facts_[i].moments(y_, level.moments.data() + level.moments.size() - y_.moments());
    }
  }

  std::optional<Found> choose(std::size_t i, std::vector<Judged>& judged, Team& team) const {
    const std::int32_t j = judge_.best(judged);
    if (j < 0 || !judge_.significant(judged[j])) return std::nullopt;
    Found found = take(judged, j);
    if (!judge_.enlarge(found.judged, category(j), is_ordered(j), ids_of(i), facts_[i], {team.watch(), 0})) return std::nullopt;
    set_branches(found);
    while (static_cast<int>(found.others.size()) < s_.max_competitors) {
      const std::int32_t next = judge_.best(judged);
      if (next < 0) break;
      found.others.push_back(take(judged, next));
      set_branches(found.others.back());
    }
    return found;
  }

  // What was found about a feature leaves the list of those that may still be chosen.
  static Found take(std::vector<Judged>& judged, std::int32_t j) {
    Found found{j, std::move(judged[j]), {}, {}};
    judged[j] = {};
    return found;
  }

  void set_branches(Found& found) const {
    const std::uint32_t n = n_categories(found.feature);
    found.branch.assign(n + 1, -1);
    for (std::size_t g = 0; g < found.judged.groups.size(); ++g)
      for (const std::uint32_t code : found.judged.groups[g]) found.branch[std::min(code, n)] = static_cast<std::int32_t>(g);
  }

  void send_down(std::size_t i, std::vector<std::uint32_t>& ids, std::vector<NodeRange>& next) const {
    const CategoryOf category_of = category(found_[i]->feature);
    const std::size_t branches = found_[i]->judged.groups.size();
    std::vector<std::int32_t> branch(nodes_[i].count);
    std::vector<std::size_t> place(branches, 0);
    const auto samples = ids_of(i);
    for (std::size_t at = 0; at < samples.size(); ++at) {
      branch[at] = found_[i]->branch[std::min(category_of(samples[at]), category_of.n_categories)];
      ++place[branch[at]];
    }
    std::size_t begin = ids.size();
    for (std::size_t& count : place) {
      next.push_back({begin, count});
      begin += std::exchange(count, begin);
    }
    ids.resize(begin);
    for (std::size_t at = 0; at < samples.size(); ++at) ids[place[branch[at]]++] = samples[at];
  }

  void describe_split(std::size_t i) {
    const auto& found = found_[i];
    level.heuristic.push_back(0);
    level.missing.push_back(found && found->branch.back() >= 0 ? found->branch.back() : STAYS);
    level.score.push_back(found ? score(found->judged, facts_[i]) : std::nan(""));
    log_p.push_back(found ? found->judged.log_adjusted : std::nan(""));
    if (found) {
      push_split(*found, level.splits);
      for (const Found& other : found->others) {
        push_split(other, level.competitors);
        level.competitor_score.push_back(score(other.judged, facts_[i]));
      }
    } else {
      level.splits.push_empty();
    }
    level.competitor_start.push_back(static_cast<std::int32_t>(level.competitor_score.size()));
    level.surrogate_start.push_back(0);
  }

  // Breaks lie where the branch of neighbouring categories differs; an interval without a branch was not seen here.
  void push_split(const Found& found, SplitRows& to) const {
    const Column& column = columns_[found.feature];
    const std::uint32_t n = n_categories(found.feature);
    std::vector<Cut> breaks;
    std::vector<LevelBranch> listed;
    std::uint32_t position = 0;
    for (std::uint32_t c = 0; c < n; ++c) {
      const std::int32_t branch = found.branch[c];
      const bool opens = c == 0 || column.kind == Kind::nominal || branch != found.branch[c - 1];
      if (c > 0 && opens) ++position;
      if (c > 0 && opens && column.kind != Kind::nominal) breaks.push_back(break_after(found.feature, c - 1));
      if (opens && branch >= 0) listed.push_back({position, branch});
    }
    to.push_listed(found.feature, position + 1, breaks, listed);
  }

  Cut break_after(std::size_t j, std::uint32_t category) const {
    if (columns_[j].kind == Kind::ordinal) return {category + 0.5, 0.0};
    return value_of(j, bins_[j].last[category]);
  }
  Cut value_of(std::size_t j, std::uint32_t code) const {
    if (s_.rank_cuts) return {static_cast<double>(code), 0.0};
    return {columns_[j].values[code], columns_[j].lows.empty() ? 0.0 : columns_[j].lows[code]};
  }

  // Decrease of entropy in bits, or of variance, per unit of weight.
  double score(const Judged& judged, const NodeFacts& facts) const {
    const double weight = static_cast<double>(facts.weight);
    double within = 0.0;
    for (std::size_t g = 0; g < judged.groups.size(); ++g) {
      const double* row = judged.rows.data() + g * judged.width;
      within += y_.kind == Response::Kind::mean ? row[3] : entropy_of(row + judged.width - y_.n_classes);
    }
    if (y_.kind == Response::Kind::mean) return std::fmax(facts.true_decrease(y_, facts.squares - within), 0.0) / (weight * y_.unit);
    return std::fmax(facts.risk - within / y_.unit, 0.0) / weight;
  }
  double entropy_of(const double* weights) const {
    double sum = 0.0, logs = 0.0;
    for (int k = 0; k < y_.n_classes; ++k) {
      sum += weights[k];
      logs += x_log2_x(weights[k]);
    }
    return x_log2_x(sum) - logs;
  }

  void append(GrownNodes& tree, std::size_t next) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::size_t branches = found_[i] ? found_[i]->judged.groups.size() : 0;
      tree.n_children.push_back(static_cast<std::int32_t>(branches));
      tree.first_child.push_back(branches ? static_cast<std::int32_t>(next) : -1);
      next += branches;
      tree.splits.push_row(level.splits, i);
      for (std::int32_t c = level.competitor_start[i]; c < level.competitor_start[i + 1]; ++c) {
        tree.competitors.push_row(level.competitors, c);
        tree.competitor_score.push_back(level.competitor_score[c]);
      }
      tree.competitor_start.push_back(static_cast<std::int32_t>(tree.competitor_score.size()));
      tree.surrogate_start.push_back(0);
    }
    const auto join = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    join(tree.rows, level.rows);
    join(tree.moments, level.moments);
    join(tree.heuristic, level.heuristic);
    join(tree.missing, level.missing);
    join(tree.score, level.score);
  }

  static void fill_parents(GrownNodes& tree) {
    tree.parent.assign(tree.rows.size(), -1);
    for (std::size_t t = 0; t < tree.rows.size(); ++t)
      for (std::int32_t c = 0; c < tree.n_children[t]; ++c) tree.parent[tree.first_child[t] + c] = static_cast<std::int32_t>(t);
  }

  const std::vector<Column>& columns_;
  std::vector<std::uint32_t> rows_;
  Response y_;
  const Settings asked_;
  Settings s_;  // as asked, with shares of all cases as numbers of cases
  boxwood::Settings facts_settings_;
  Judge judge_;
  std::vector<Bins> bins_;
  std::vector<std::uint32_t> ids_;  // samples, node by node
  std::vector<NodeRange> nodes_;
  std::vector<NodeFacts> facts_;
  std::vector<std::optional<Found>> found_;
  std::int64_t depth_ = 0;
};

}  // namespace boxwood::chaid

// Compiles a tree into a plan (plan.hpp).
// Invariant: a row ends in the same node as by Descent (apply.hpp). What cannot be written as cuts of doubles and tables has no plan:
// cuts with low parts (whole numbers beyond 2^53).
// Cost: one pass over nodes, surrogates and levels. Source: heavy branches follow their parents in memory, as in the heavy
// paths of Sleator and Tarjan (1983), so that most steps stay in a cache line.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "apply.hpp"
#include "plan.hpp"

namespace boxwood {

class PlanWriter {
 public:
  // `rows` of training in each node decide who is heavy.
  PlanWriter(const TreeView& tree, const std::int32_t* n_children, const std::int64_t* rows, std::size_t n_nodes,
             std::vector<Asked> features)
      : tree_(tree), n_children_(n_children), rows_(rows), n_nodes_(n_nodes) {
    plan_.features = std::move(features);
    is_used_.assign(plan_.features.size(), false);
  }

  std::optional<Plan> write() {
    if (!can_be_written(tree_.splits, n_nodes_) || !can_be_written(tree_.surrogates, tree_.surrogate_start[n_nodes_])) return {};
    places_.resize(2);
    const std::int32_t root = tree_.splits.feature[0];
    resting_ = root < 0 ? 0 : static_cast<std::uint32_t>(root);
    is_used_[resting_] = true;
    std::vector<Waiting> waiting{{0, 0, 0}};
    double steps = 0.0;
    int deepest = 0;
    while (!waiting.empty()) {
      const Waiting at = waiting.back();
      waiting.pop_back();
      if (tree_.splits.feature[at.node] >= 0) {
        split_at(at, waiting);
        continue;
      }
      places_[at.place] = end_at(at.node, 0);
      deepest = std::max(deepest, at.depth);
      steps += static_cast<double>(rows_[at.node]) * at.depth;
    }
    const int mean = rows_[0] > 0 ? static_cast<int>(steps / static_cast<double>(rows_[0])) : 0;
    plan_.even = deepest <= mean + 2 && !detours_;
    plan_.lead = std::max(1, deepest <= mean + 2 ? deepest : mean);
    if (places_.size() + aside_.size() >= IS_TABLE / EIGHTS) return {};
    finish();
    return std::move(plan_);
  }

 private:
  static constexpr std::uint32_t ASIDE = 0x80000000u;  // a place among those kept apart, until the number of the others is known

  struct Place {
    double cut = std::numeric_limits<double>::infinity();
    std::uint32_t feature = 0, first = 0, gone = 0;  // places, not links
    std::int32_t node = 0;
    std::uint8_t met = 0;
    bool end = true, table = false;
  };
  struct Waiting {
    std::int32_t node;
    std::uint32_t place;
    int depth;
  };

  // Numeric cuts must be doubles without low parts.
  bool can_be_written(const SplitView& splits, std::size_t count) {
    for (std::size_t s = 0; s < count; ++s) {
      const std::int32_t j = splits.feature[s];
      if (j < 0) continue;
      if (plan_.features[j].kind != Kind::numeric) continue;
      for (std::int32_t b = splits.breaks_start[s]; b < splits.breaks_start[s + 1]; ++b)
        if (splits.lows[b] != 0.0) return false;
    }
    return true;
  }

  void split_at(const Waiting& at, std::vector<Waiting>& waiting) {
    const std::int32_t t = at.node, k = n_children_[t];
    const std::uint32_t base = room(places_, k);
    std::uint32_t gone = tree_.missing[t] >= 0 ? base + static_cast<std::uint32_t>(tree_.missing[t]) : inner_end(t, tree_.missing[t]);
    for (std::int32_t s = tree_.surrogate_start[t + 1]; s-- > tree_.surrogate_start[t];) {
      detours_ = true;
      const std::uint32_t stand_in = ASIDE | room(aside_, 1);
      const Place asked = test(tree_.surrogates, s, base, gone, gone);
      place(stand_in) = asked;
      gone = stand_in;
    }
    std::uint32_t unseen = gone;
    if (tree_.unseen) unseen = tree_.unseen[t] >= 0 ? base + static_cast<std::uint32_t>(tree_.unseen[t]) : inner_end(t, tree_.unseen[t]);
    const Place asked = test(tree_.splits, t, base, gone, unseen);
    places_[at.place] = asked;
    const std::int32_t first = tree_.first_child[t];
    std::int32_t heaviest = 0;
    for (std::int32_t c = 1; c < k; ++c)
      if (rows_[first + c] > rows_[first + heaviest]) heaviest = c;
    for (std::int32_t c = k; c-- > 0;)
      if (c != heaviest) waiting.push_back({first + c, base + static_cast<std::uint32_t>(c), at.depth + 1});
    waiting.push_back({first + heaviest, base + static_cast<std::uint32_t>(heaviest), at.depth + 1});
  }

  // The test of split s, whose branches stand from place `base` on.
  Place test(const SplitView& splits, std::int32_t s, std::uint32_t base, std::uint32_t gone, std::uint32_t unseen) {
    const std::int32_t j = splits.feature[s];
    is_used_[j] = true;
    if (plan_.features[j].kind != Kind::numeric) return level_test(splits, s, base, gone, unseen);
    const std::int32_t cuts = splits.breaks_start[s + 1] - splits.breaks_start[s];
    std::vector<std::uint32_t> to(cuts + 1, unseen);
    plan_.gaps = plan_.gaps || splits.index_start[s + 1] - splits.index_start[s] <= cuts;
    for (std::int32_t i = splits.index_start[s]; i < splits.index_start[s + 1]; ++i)
      to[splits.position[i]] = base + static_cast<std::uint32_t>(splits.index[i]);
    const double* breaks = splits.breaks + splits.breaks_start[s];
    if (cuts == 0) {  // every known value takes one way: a cut between twice the same
      const std::uint32_t pair = ASIDE | room(aside_, 2);
      copies_.push_back({pair, to[0]});
      copies_.push_back({pair + 1, to[0]});
      return cut_at(0.0, j, pair, gone);
    }
    return search(breaks, to.data(), cuts, j, gone);
  }

  // A search among cuts as a small tree of its own; its outermost places are copies of where the intervals lead.
  Place search(const double* breaks, const std::uint32_t* to, std::int32_t cuts, std::int32_t j, std::uint32_t gone) {
    if (cuts == 1 && to[0] + 1 == to[1] && to[0] % 2 == 0) return cut_at(breaks[0], j, to[0], gone);
    const std::int32_t half = (cuts - 1) / 2;
    const std::uint32_t pair = ASIDE | room(aside_, 2);
    for (int side = 0; side < 2; ++side) {
      const std::int32_t from = side ? half + 1 : 0, count = side ? cuts - half - 1 : half;
      if (count == 0) {
        copies_.push_back({pair + side, to[from]});
      } else {
        detours_ = true;
        const Place below = search(breaks + from, to + from, count, j, gone);
        place(pair + side) = below;
      }
    }
    return cut_at(breaks[half], j, pair, gone);
  }

  // Runs of table entries that lead to one place.
  struct Runs {
    std::vector<double> last;
    std::vector<std::uint32_t> to;
    std::int64_t next = 0;

    void add(std::int64_t until, std::uint32_t place) {
      if (until < next) return;
      if (to.empty() || to.back() != place) {
        last.push_back(0.0);
        to.push_back(place);
      }
      last.back() = std::bit_cast<double>(IN_LOW_BITS + static_cast<std::uint64_t>(until));
      next = until + 1;
    }
  };

  // A table where it is small; else a search among the codes, which are whole numbers as well.
  Place level_test(const SplitView& splits, std::int32_t s, std::uint32_t base, std::uint32_t gone, std::uint32_t unseen) {
    const std::int32_t j = splits.feature[s];
    const std::int64_t entries = plan_.features[j].levels + LEVEL_SHIFT;
    const Runs runs = runs_of(splits, s, {unseen, gone, base}, entries);
    plan_.gaps = true;
    if (entries > std::max<std::int64_t>(256, 16 * static_cast<std::int64_t>(runs.to.size())))
      return search(runs.last.data(), runs.to.data(), static_cast<std::int32_t>(runs.to.size()) - 1, j, gone);
    const std::size_t start = plan_.table.size();
    for (std::size_t r = 0, e = 0; r < runs.to.size(); ++r)
      for (; std::bit_cast<double>(IN_LOW_BITS + e) <= runs.last[r]; ++e) plan_.table.push_back(runs.to[r]);
    Place asked;
    asked.cut = std::bit_cast<double>(IN_LOW_BITS + start);
    asked.feature = static_cast<std::uint32_t>(j);
    asked.gone = gone;
    asked.end = false;
    asked.table = true;
    return asked;
  }

  struct Ways {
    std::uint32_t unseen, gone, base;
  };
  Runs runs_of(const SplitView& splits, std::int32_t s, Ways ways, std::int64_t entries) const {
    Runs runs;
    runs.add(0, ways.unseen);
    runs.add(1, ways.gone);
    const bool by_order = plan_.features[splits.feature[s]].kind == Kind::ordinal;
    const std::int32_t intervals = splits.breaks_start[s + 1] - splits.breaks_start[s];
    const double* breaks = splits.breaks + splits.breaks_start[s];
    std::int32_t beyond = 0;  // the first interval that is not listed yet
    const auto until = [&](std::int32_t i) {
      const double most = static_cast<double>(entries - 1 - LEVEL_SHIFT);
      return static_cast<std::int64_t>(std::floor(i < intervals ? std::clamp(breaks[i], -1.0, most) : most)) + LEVEL_SHIFT;
    };
    for (std::int32_t i = splits.index_start[s]; i < splits.index_start[s + 1]; ++i) {
      const std::uint32_t to = ways.base + static_cast<std::uint32_t>(splits.index[i]);
      const std::int32_t at = splits.position[i];
      if (by_order) {
        if (at > beyond) runs.add(until(at - 1), ways.unseen);
        runs.add(until(at), to);
        beyond = at + 1;
      } else {
        runs.add(at + LEVEL_SHIFT - 1, ways.unseen);
        runs.add(at + LEVEL_SHIFT, to);
      }
    }
    runs.add(entries - 1, ways.unseen);
    return runs;
  }

  static Place cut_at(double cut, std::int32_t j, std::uint32_t first, std::uint32_t gone) {
    return {cut, static_cast<std::uint32_t>(j), first, gone, 0, 0, false, false};
  }
  Place end_at(std::int32_t t, std::uint8_t met) const {
    Place end;
    end.feature = resting_;
    end.node = t;
    end.met = met;
    return end;
  }
  std::uint32_t inner_end(std::int32_t t, std::int32_t why) {
    const std::uint32_t p = ASIDE | room(aside_, 1);
    plan_.shares = plan_.shares || why == SHARED;
    place(p) = end_at(t, why == SHARED ? MET_SHARED : MET_STAY);
    return p;
  }

  // Places for `count` siblings, the first of them even.
  static std::uint32_t room(std::vector<Place>& places, std::int32_t count) {
    const std::size_t first = places.size();
    places.resize(first + static_cast<std::size_t>((count + 1) / 2 * 2));
    return static_cast<std::uint32_t>(first);
  }
  Place& place(std::uint32_t p) { return p & ASIDE ? aside_[p & ~ASIDE] : places_[p]; }
  std::uint32_t settled(std::uint32_t p) const { return p & ASIDE ? static_cast<std::uint32_t>(apart_ + (p & ~ASIDE)) : p; }

  void finish() {
    for (const auto& [copy, of] : copies_) place(copy) = Place(place(of));
    apart_ = places_.size();
    places_.insert(places_.end(), aside_.begin(), aside_.end());
    for (std::uint32_t& to : plan_.table) to = link_to(settled(to));
    plan_.lines.resize((places_.size() + 7) / 8);
    for (std::uint32_t p = 0; p < places_.size(); ++p) {
      const Place& from = places_[p];
      PlanPair& pair = plan_.lines[p / 8].pair[p / 2 % 4];
      pair.cut[p % 2] = from.cut;
      pair.lead[p % 2] = {from.end ? resting_ : from.feature, from.end ? link_to(p) : from.table ? IS_TABLE : link_to(settled(from.first))};
      pair.tail[p % 2] = {link_to(from.end ? p : settled(from.gone)) - 1, static_cast<std::uint32_t>(plan_.node_of.size())};
      if (!from.end) continue;
      plan_.node_of.push_back(from.node);
      plan_.met.push_back(from.met);
    }
    for (std::uint32_t j = 0; j < is_used_.size(); ++j)
      if (is_used_[j]) plan_.used.push_back(j);
  }

  const TreeView& tree_;
  const std::int32_t* n_children_;
  const std::int64_t* rows_;
  std::size_t n_nodes_, apart_ = 0;
  bool detours_ = false;       // some node may take more than one step: a search, or stand-ins
  std::uint32_t resting_ = 0;  // the feature that a row at an end goes on reading
  Plan plan_;
  std::vector<Place> places_, aside_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> copies_;
  std::vector<bool> is_used_;
};

}  // namespace boxwood

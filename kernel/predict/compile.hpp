// Compiles a tree into a plan (plan.hpp).
// Invariant: a row ends in the same node as by Descent (predict/route.hpp). What cannot be written as cuts of doubles
// and tables has no plan: cuts with low parts (whole numbers beyond 2^53). Cost: one pass over nodes, surrogates and
// levels. Source: heavy branches follow their parents in memory, as in the heavy paths of Sleator and Tarjan (1983), so
// that most steps stay in a cache line.
#pragma once

#include <cstring>
#include <limits>
#include <utility>

#include "predict/level_bitmask.hpp"
#include "predict/level_links.hpp"
#include "predict/top_levels.hpp"

namespace boxwood {

class PlanWriter {
 public:
  // `rows` of training in each node decide who is heavy. `masked`: levels are told by marks, in trees that split in
  // two.
  PlanWriter(const TreeView& tree, const std::int32_t* n_children, const std::int64_t* rows, std::size_t n_nodes,
             std::vector<Asked> features, bool masked)
      : tree_(tree), n_children_(n_children), rows_(rows), n_nodes_(n_nodes) {
    plan_.features = std::move(features);
    plan_.masked = masked;
    for (std::uint32_t j = 0; j < plan_.features.size(); ++j) {
      Reading& reading = plan_.readings.emplace_back(Reading{j, {}});
      if (plan_.features[j].kind == Kind::numeric) continue;
      for (std::int32_t e = 0; e < plan_.features[j].levels + LEVEL_SHIFT; ++e)
        reading.of_entry.push_back((e == 0 ? -1.0 : 1.0) *
                                   std::bit_cast<double>(IN_LOW_BITS + static_cast<std::uint64_t>(e)));
    }
    if (masked) marks_.emplace(plan_.features, plan_.readings);
  }

  std::optional<Plan> write() {
    if (!can_be_written(tree_.splits, n_nodes_) || !can_be_written(tree_.surrogates, tree_.surrogate_start[n_nodes_]))
      return {};
    places_.resize(2);
    const std::int32_t root = tree_.splits.feature[0];
    resting_ = root < 0 ? 0 : static_cast<std::uint32_t>(root);
    ask(resting_);
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
      if (is_full_) return {};
      places_[at.place] = end_at(at.node, 0);
      deepest = std::max(deepest, at.depth);
      steps += static_cast<double>(rows_[at.node]) * at.depth;
    }
    const int mean = rows_[0] > 0 ? static_cast<int>(steps / static_cast<double>(rows_[0])) : 0;
    plan_.even = deepest <= mean + 2 && !detours_;
    plan_.lead = std::max(1, deepest <= mean + 2 ? deepest : mean);
    if (places_.size() + aside_.size() >= IS_TABLE / (sizeof(MaskedPair) / 8)) return {};
    finish();
    return std::move(plan_);
  }

 private:
  static constexpr std::uint32_t ASIDE =
      0x80000000u;  // a place among those kept apart, until the number of the others is known

  struct Place {
    double cut = std::numeric_limits<double>::infinity();
    std::uint64_t mask = ~std::uint64_t{0};
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
    std::uint32_t gone =
        tree_.missing[t] >= 0 ? base + static_cast<std::uint32_t>(tree_.missing[t]) : inner_end(t, tree_.missing[t]);
    for (std::int32_t s = tree_.surrogate_start[t + 1]; s-- > tree_.surrogate_start[t];) {
      detours_ = true;
      const std::uint32_t surrogate = ASIDE | room(aside_, 1);
      const Place asked = test(tree_.surrogates, s, t, {gone, gone, base});
      place(surrogate) = asked;
      gone = surrogate;
    }
    std::uint32_t unseen = gone;
    if (tree_.unseen)
      unseen =
          tree_.unseen[t] >= 0 ? base + static_cast<std::uint32_t>(tree_.unseen[t]) : inner_end(t, tree_.unseen[t]);
    const Place asked = test(tree_.splits, t, t, {unseen, gone, base});
    places_[at.place] = asked;
    const std::int32_t first = tree_.first_child[t], heaviest = heaviest_of(t);
    for (std::int32_t c = k; c-- > 0;)
      if (c != heaviest) waiting.push_back({first + c, base + static_cast<std::uint32_t>(c), at.depth + 1});
    waiting.push_back({first + heaviest, base + static_cast<std::uint32_t>(heaviest), at.depth + 1});
  }

  std::int32_t heaviest_of(std::int32_t t) const {
    const std::int32_t first = tree_.first_child[t];
    std::int32_t heaviest = 0;
    for (std::int32_t c = 1; c < n_children_[t]; ++c)
      if (rows_[first + c] > rows_[first + heaviest]) heaviest = c;
    return heaviest;
  }

  // The test of split s of node t, a surrogate or its own, where the branches stand from place `base` on.
  Place test(const SplitView& splits, std::int32_t s, std::int32_t t, const Ways& ways) {
    const std::int32_t j = splits.feature[s];
    const auto [unseen, gone, base] = ways;
    if (plan_.features[j].kind != Kind::numeric) {
      const LevelRuns runs(splits, s, ways, plan_.features[j]);
      plan_.gaps = true;
      return marks_ ? marked(j, runs.places(), base + static_cast<std::uint32_t>(heaviest_of(t)))
                    : by_table(runs, j, gone);
    }
    ask(j);
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

  // A table where it is small; else a search among the entries, which are whole numbers as well.
  Place by_table(const LevelRuns& runs, std::int32_t j, std::uint32_t gone) {
    ask(j);
    const std::size_t entries = plan_.readings[j].of_entry.size();
    if (entries > std::max<std::size_t>(256, 16 * runs.to.size()))
      return search(runs.last.data(), runs.to.data(), static_cast<std::int32_t>(runs.to.size()) - 1, j, gone);
    const std::vector<std::uint32_t> to = runs.places();
    Place asked = cut_at(std::bit_cast<double>(IN_LOW_BITS + plan_.table.size()), j, 0, gone);
    asked.table = true;
    plan_.table.insert(plan_.table.end(), to.begin(), to.end());
    return asked;
  }

  // Whether an entry has a mark tells two ways apart; where there are more, the one of most rows goes first.
  Place marked(std::int32_t j, const std::vector<std::uint32_t>& to, std::uint32_t heaviest) {
    std::vector<std::uint32_t> ways(to);
    std::sort(ways.begin(), ways.end());
    ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
    if (ways.size() == 2 && ways[0] % 2 == 0 && ways[0] + 1 == ways[1]) return mark_at(j, to, ways[1], ways[0]);
    const std::uint32_t upper = std::binary_search(ways.begin(), ways.end(), heaviest) ? heaviest : ways.back();
    const std::uint32_t pair = ASIDE | room(aside_, 2);
    copies_.push_back({pair + 1, upper});
    ways.erase(std::find(ways.begin(), ways.end(), upper));
    if (ways.size() <= 1) {
      copies_.push_back({pair, ways.empty() ? upper : ways[0]});
    } else {
      detours_ = true;
      std::vector<std::uint32_t> others(to);
      std::replace(others.begin(), others.end(), upper, ways[0]);  // those do not come here
      const Place below = marked(j, others, ways[0]);
      place(pair) = below;
    }
    return mark_at(j, to, upper, pair);
  }

  // Entries that lead to `upper` go to the second of the pair that begins at `first`.
  Place mark_at(std::int32_t j, const std::vector<std::uint32_t>& to, std::uint32_t upper, std::uint32_t first) {
    const std::optional<Marks::Mark> mark = marks_->mark(static_cast<std::uint32_t>(j), to, upper);
    is_full_ = is_full_ || !mark;
    if (!mark) return {};
    ask(mark->reading);
    Place asked = cut_at(MARK_CUT, static_cast<std::int32_t>(mark->reading), first, first);
    asked.mask = IN_LOW_BITS | mark->bits;
    return asked;
  }

  static Place cut_at(double cut, std::int32_t j, std::uint32_t first, std::uint32_t gone) {
    return {.cut = cut, .feature = static_cast<std::uint32_t>(j), .first = first, .gone = gone, .end = false};
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
  std::uint32_t settled(std::uint32_t p) const {
    return p & ASIDE ? static_cast<std::uint32_t>(apart_ + (p & ~ASIDE)) : p;
  }

  void finish() {
    for (const auto& [copy, of] : copies_) place(copy) = Place(place(of));
    apart_ = places_.size();
    places_.insert(places_.end(), aside_.begin(), aside_.end());
    const auto link = [&](std::uint32_t p) { return plan_.link_to(settled(p)); };
    for (std::uint32_t& to : plan_.table) to = link(to);
    const std::size_t bytes = plan_.eights() * 8;
    plan_.lines.resize(((places_.size() + 1) / 2 * bytes + sizeof(Plan::Line) - 1) / sizeof(Plan::Line));
    std::byte* at = plan_.lines.data()->bytes;
    for (std::uint32_t p = 0; p < places_.size(); p += 2, at += bytes) {
      MaskedPair both{};
      for (std::uint32_t side = 0; side < 2; ++side) {
        const Place& from = places_[p + side];
        both.pair.cut[side] = from.cut;
        both.pair.lead[side] = {from.end ? resting_ : from.feature, from.end     ? link(p + side)
                                                                    : from.table ? IS_TABLE
                                                                                 : link(from.first)};
        both.pair.tail[side] = {link(from.end ? p + side : from.gone) - 1,
                                static_cast<std::uint32_t>(plan_.node_of.size())};
        both.mask[side] = from.mask;
        if (!from.end) continue;
        plan_.node_of.push_back(from.node);
        plan_.met.push_back(from.met);
      }
      std::memcpy(at, &both, bytes);
    }
    for (std::uint32_t r = 0; r < is_used_.size(); ++r)
      if (is_used_[r]) plan_.used.push_back(r);
  }

  void ask(std::uint32_t reading) {
    is_used_.resize(std::max<std::size_t>(is_used_.size(), reading + 1));
    is_used_[reading] = true;
  }

  const TreeView& tree_;
  const std::int32_t* n_children_;
  const std::int64_t* rows_;
  std::size_t n_nodes_, apart_ = 0;
  bool detours_ = false;  // some node may take more than one step: a search, or surrogates
  std::uint32_t resting_ = 0;  // the feature that a row at an end goes on reading
  Plan plan_;
  std::vector<Place> places_, aside_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> copies_;
  std::optional<Marks> marks_;
  std::vector<bool> is_used_;  // of readings
  bool is_full_ = false;  // there are more marks than words have bits
};

// The plan of a tree, by marks where it has levels and they serve; nothing when it cannot be written.
inline std::optional<Plan> written(const TreeView& tree, const std::int32_t* n_children, const std::int64_t* rows,
                                   std::size_t n_nodes, const std::vector<Asked>& features) {
  const bool in_two = std::all_of(n_children, n_children + n_nodes, [](std::int32_t k) { return k <= 2; });
  const bool has_levels =
      std::any_of(features.begin(), features.end(), [](const Asked& f) { return f.kind != Kind::numeric; });
  std::optional<Plan> plan;
  if (in_two && has_levels) plan = PlanWriter(tree, n_children, rows, n_nodes, features, true).write();
  if (!plan) plan = PlanWriter(tree, n_children, rows, n_nodes, features, false).write();
  return plan;
}

}  // namespace boxwood

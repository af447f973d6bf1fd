// Compiles a tree into a plan (predict/plan.hpp).
// Invariant: a row ends in the same node as by Descent (predict/route.hpp). Cuts with low parts (whole numbers beyond
// 2^53) cannot be compared as doubles: such a tree has no plan. Cost: one pass over nodes, surrogates and the levels of
// their features. Source: heavy branches follow their parents in memory, as in the heavy paths of Sleator and Tarjan
// (1983), so that most steps stay in a page.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "predict/level_words.hpp"
#include "predict/route.hpp"

namespace boxwood {

class PlanWriter {
 public:
  // `rows` of training in each node decide which branch is heavy.
  PlanWriter(const TreeView& tree, const std::int32_t* n_children, const std::int64_t* rows, std::size_t n_nodes,
             std::vector<PlanFeature> features)
      : tree_(tree),
        n_children_(n_children),
        rows_(rows),
        n_nodes_(n_nodes),
        plan_(std::move(features)),
        words_(plan_.features, plan_.readings) {}

  std::optional<Plan> write() {
    if (!fit_doubles(tree_.splits, n_nodes_) || !fit_doubles(tree_.surrogates, tree_.surrogate_start[n_nodes_]))
      return {};
    places_.resize(2);
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
      places_[at.place] = leaf_at(at.node, 0);
      deepest = std::max(deepest, at.depth);
      steps += static_cast<double>(rows_[at.node]) * at.depth;
    }
    const int mean = rows_[0] > 0 ? static_cast<int>(steps / static_cast<double>(rows_[0])) : 0;
    plan_.even = deepest <= mean + 2 && !detours_;
    plan_.steps = std::max(1, deepest <= mean + 2 ? deepest : mean);
    if (places_.size() + aside_.size() >= ASIDE) return {};
    finish();
    return std::move(plan_);
  }

 private:
  // A place among those kept apart from the nodes of the tree, until their number is known.
  static constexpr std::uint32_t ASIDE = 0x80000000u;

  struct Place {
    PlanNode node;  // with places, not links
    std::int32_t leaf_of = -1;  // node of the tree, of a leaf
    std::uint8_t flags = 0;
  };
  struct Waiting {
    std::int32_t node;
    std::uint32_t place;
    int depth;
  };
  // Where a split leads: the places of levels that it does not list, of missing values, and of branch 0.
  struct Targets {
    std::uint32_t unseen, missing, base;
  };

  bool fit_doubles(const SplitView& splits, std::size_t count) const {
    for (std::size_t s = 0; s < count; ++s) {
      const std::int32_t j = splits.feature[s];
      if (j < 0 || plan_.features[j].kind != Kind::numeric) continue;
      for (std::int32_t b = splits.breaks_start[s]; b < splits.breaks_start[s + 1]; ++b)
        if (splits.lows[b] != 0.0) return false;
    }
    return true;
  }

  void split_at(const Waiting& at, std::vector<Waiting>& waiting) {
    const std::int32_t t = at.node, k = n_children_[t], first = tree_.first_child[t];
    const std::uint32_t base = add_places(places_, k);
    const auto target = [&](std::int32_t branch) {
      return branch >= 0 ? base + static_cast<std::uint32_t>(branch) : inner_leaf(t, branch);
    };
    std::uint32_t missing = target(tree_.missing[t]);
    for (std::int32_t s = tree_.surrogate_start[t + 1]; s-- > tree_.surrogate_start[t];) {
      detours_ = true;
      const std::uint32_t surrogate = ASIDE | add_places(aside_, 1);
      const Place test = test_of(tree_.surrogates, s, {missing, missing, base});
      place(surrogate) = test;
      missing = surrogate;
    }
    const std::uint32_t unseen = tree_.unseen ? target(tree_.unseen[t]) : missing;
    const Place test = test_of(tree_.splits, t, {unseen, missing, base});
    places_[at.place] = test;
    std::int32_t heaviest = 0;
    for (std::int32_t c = 1; c < k; ++c)
      if (rows_[first + c] > rows_[first + heaviest]) heaviest = c;
    const auto wait = [&](std::int32_t c) {
      waiting.push_back({first + c, base + static_cast<std::uint32_t>(c), at.depth + 1});
    };
    for (std::int32_t c = k; c-- > 0;)
      if (c != heaviest) wait(c);
    wait(heaviest);
  }

  // The test of split s, a node's own or a surrogate.
  Place test_of(const SplitView& splits, std::int32_t s, const Targets& targets) {
    const auto j = static_cast<std::uint32_t>(splits.feature[s]);
    const PlanFeature& feature = plan_.features[j];
    const double* breaks = splits.breaks + splits.breaks_start[s];
    const std::int32_t cuts = splits.breaks_start[s + 1] - splits.breaks_start[s];
    const std::int32_t parts = feature.kind == Kind::nominal ? feature.levels : cuts + 1;  // levels, or intervals
    std::vector<std::uint32_t> to(parts, targets.unseen);
    for (std::int32_t i = splits.index_start[s]; i < splits.index_start[s + 1]; ++i)
      to[splits.position[i]] = targets.base + static_cast<std::uint32_t>(splits.index[i]);
    if (feature.kind == Kind::numeric) {
      use(j);
      return search(breaks, to.data(), cuts, j, targets.missing);
    }
    plan_.has_levels = true;
    std::vector<std::uint32_t> of_entry{targets.unseen, targets.missing};
    for (std::int32_t level = 0, part = 0; level < feature.levels; ++level) {
      if (feature.kind == Kind::nominal) part = level;
      while (part < cuts && breaks[part] < level) ++part;
      of_entry.push_back(to[part]);
    }
    std::vector<std::uint32_t> places = of_entry;
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return separate(j, of_entry, places);
  }

  // A search among cuts as a small tree of its own.
  Place search(const double* breaks, const std::uint32_t* to, std::int32_t cuts, std::uint32_t j,
               std::uint32_t missing) {
    if (cuts <= 1) return cut_at(cuts == 0 ? 0.0 : breaks[0], j, pair_of(to[0], to[cuts]), missing);
    const std::int32_t half = (cuts - 1) / 2;
    const std::uint32_t pair = ASIDE | add_places(aside_, 2);
    const auto fill = [&](std::uint32_t at, std::int32_t from, std::int32_t count) {
      if (count == 0) {
        copies_.push_back({at, to[from]});
      } else {
        put_aside(at, search(breaks + from, to + from, count, j, missing));
      }
    };
    fill(pair, 0, half);
    fill(pair + 1, half + 1, cuts - half - 1);
    return cut_at(breaks[half], j, pair, missing);
  }

  // Tells places apart by sets of levels, half of them by each test.
  Place separate(std::uint32_t j, const std::vector<std::uint32_t>& of_entry,
                 const std::vector<std::uint32_t>& places) {
    const auto upper = places.begin() + std::ssize(places) / 2;
    const auto test =
        words_.test(j, [&](std::size_t e) { return std::binary_search(upper, places.end(), of_entry[e]); });
    if (places.size() == 1 || !test) return search_entry(j, of_entry);
    use(test->reading);
    std::uint32_t pair;
    if (places.size() == 2) {
      pair = pair_of(places[0], places[1]);
    } else {
      pair = ASIDE | add_places(aside_, 2);
      const auto fill = [&](std::uint32_t at, auto from, auto until) {
        if (until - from == 1)
          copies_.push_back({at, *from});
        else
          put_aside(at, separate(j, of_entry, {from, until}));
      };
      fill(pair, places.begin(), upper);
      fill(pair + 1, upper, places.end());
    }
    Place place = cut_at(NO_BITS, test->reading, pair, pair);
    place.node.mask = test->mask;
    return place;
  }

  // A search among the numbers of entries, for features whose words are full.
  Place search_entry(std::uint32_t j, const std::vector<std::uint32_t>& of_entry) {
    std::vector<double> breaks;
    std::vector<std::uint32_t> to{of_entry[0]};
    for (std::size_t e = 1; e < of_entry.size(); ++e) {
      if (of_entry[e] == to.back()) continue;
      breaks.push_back(word_of(e - 1));
      to.push_back(of_entry[e]);
    }
    use(j);
    return search(breaks.data(), to.data(), static_cast<std::int32_t>(breaks.size()), j, to[0]);
  }

  static Place cut_at(double cut, std::uint32_t reading, std::uint32_t first, std::uint32_t missing) {
    return {.node = {.cut = cut, .reading = reading, .first = first, .before_missing = missing}};
  }
  static Place leaf_at(std::int32_t t, std::uint8_t flags) { return {.node = {}, .leaf_of = t, .flags = flags}; }
  std::uint32_t inner_leaf(std::int32_t t, std::int32_t why) {
    const std::uint32_t at = ASIDE | add_places(aside_, 1);
    place(at) = leaf_at(t, why == SHARED ? ROUTE_SHARED : ROUTE_STAY);
    return at;
  }

  // Places for `count` siblings, the first of them even.
  static std::uint32_t add_places(std::vector<Place>& places, std::int32_t count) {
    const std::size_t first = places.size();
    places.resize(first + static_cast<std::size_t>((count + 1) / 2 * 2));
    return static_cast<std::uint32_t>(first);
  }
  // Two places side by side: these themselves, or copies of them.
  std::uint32_t pair_of(std::uint32_t lower, std::uint32_t upper) {
    if (lower % 2 == 0 && lower + 1 == upper) return lower;
    const std::uint32_t pair = ASIDE | add_places(aside_, 2);
    copies_.push_back({pair, lower});
    copies_.push_back({pair + 1, upper});
    return pair;
  }
  void put_aside(std::uint32_t at, const Place& below) {
    detours_ = true;
    place(at) = below;
  }
  Place& place(std::uint32_t p) { return p & ASIDE ? aside_[p & ~ASIDE] : places_[p]; }
  void use(std::uint32_t reading) {
    is_used_.resize(std::max<std::size_t>(is_used_.size(), reading + 1));
    is_used_[reading] = true;
  }

  void finish() {
    for (const auto& [copy, of] : copies_) place(copy) = Place(place(of));
    const auto apart = static_cast<std::uint32_t>(places_.size());
    places_.insert(places_.end(), aside_.begin(), aside_.end());
    const auto link = [&](std::uint32_t p) { return p & ASIDE ? apart + (p & ~ASIDE) : p; };
    const std::uint32_t resting = places_[0].node.reading;  // of a row at a leaf
    use(resting);
    plan_.siblings.resize(places_.size() / 2);
    for (std::uint32_t p = 0; p < places_.size(); ++p) {
      const Place& from = places_[p];
      PlanNode& node = plan_.siblings[p / 2].node[p % 2] = from.node;
      if (from.leaf_of < 0) {
        node.first = link(node.first);
        node.before_missing = link(node.before_missing) - 1;
        continue;
      }
      node = {.reading = resting,
              .first = p,
              .before_missing = p - 1,
              .leaf = static_cast<std::uint32_t>(plan_.node_of.size())};
      plan_.node_of.push_back(from.leaf_of);
      plan_.flags.push_back(from.flags);
    }
    for (std::uint32_t r = 0; r < is_used_.size(); ++r)
      if (is_used_[r]) plan_.used.push_back(r);
  }

  const TreeView& tree_;
  const std::int32_t* n_children_;
  const std::int64_t* rows_;
  std::size_t n_nodes_;
  bool detours_ = false;  // some node may take more than one step: a search, or surrogates
  Plan plan_;
  LevelWords words_;
  std::vector<Place> places_, aside_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> copies_;  // to, from
  std::vector<bool> is_used_;  // of readings
};

}  // namespace boxwood

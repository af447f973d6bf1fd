// The best way to part a large node: edges of bins first, then sets of levels, then only the bins whose bound reaches
// the best so far. Invariant: what is found is what a full scan of every distinct value finds, ties by the written rule
// (settings.hpp). Cost: about 256 cells a feature; on data with signal about 2 % of a node's rows are looked at one by
// one.
#pragma once

#include "search/gather_rows.hpp"
#include "search/known_ranks.hpp"
#include "search/level_search.hpp"
#include "search/missing_direction.hpp"
#include "search/refinement.hpp"

namespace boxwood::coded {

template <class R>
class LargeSearch {
 public:
  using Cell = typename R::Cell;
  using Gauge = typename R::Gauge;

  LargeSearch(const R& y, const Rules& rules, const Codes& codes, Team* team)
      : y_(y),
        rules_(rules),
        codes_(codes),
        aspects_(y_, rules_),
        spare_(team_members(team)),
        wanted_(codes.cut_columns()),
        items_(codes.cut_columns()),
        level_sets_(codes.columns() - codes.cut_columns()),
        collector_(team),
        team_(team) {
    for (std::size_t m = 0; m < team_members(team); ++m) {
      refinements_.emplace_back(y_);
      level_searches_.emplace_back(y_, rules_);
    }
  }
  LargeSearch(const LargeSearch&) = delete;

  // The best candidates, none when nothing is good enough. Leaves the codes of one feature, which often is that of the
  // cut, in `read`, one a row.
  std::vector<Cut>& find(const View& view, const BinTable<R>& table, const u32* ids, std::size_t count,
                         const typename R::Sums& sums, const Judged& judged, Code* read) {
    read_ = read;
    read_feature_ = -1;
    ranks_.start(codes_.columns(), rules_.kept());
    n_ = static_cast<i64>(count);
    judged_ = &judged;
    cuts_.clear();
    aspects_.look(codes_, table, n_, sums, judged);
    looks_.resize(std::max(looks_.size(), aspects_.all().size()));
    scan_edges();
    search_levels(view, ids, table);
    open_bins(view, ids);
    keep_edges();
    std::erase_if(cuts_, [&](const Cut& cut) {
      return cut.groups == 0 && cut.decrease < needed(cut.feature, ranks_.of(cut.feature));
    });
    sort_by_place(cuts_);
    rules_.choose(cuts_, judged, ranking_);
    return ranking_.kept();
  }
  // The feature whose codes the last search left; -1 = none.
  std::int32_t read_feature() const { return read_feature_; }
  // Of a cut that is a set of levels; nullptr for others.
  std::vector<LevelBranch>* levels(const Cut& cut) { return cut.groups > 0 ? &level_sets_[cut.levels] : nullptr; }

 private:
  // What the loops over one aspect's bins leave behind.
  struct Look {
    double rough[BINS];  // of every edge, -1 where no cut may stand
    Outlook outlook;
  };
  // What the search of one feature's bins finds; which member searches it, and when, changes only how much is looked
  // at.
  struct Found {
    double needed, reached;  // ranks
    std::vector<Cut> cuts;
  };

  double scale() const { return judged_->scale; }
  // The least decrease of a cut that may still be chosen.
  double needed(std::int32_t feature, double best) const {
    return rules_.needed(best, codes_.place(feature), 0.0, *judged_);
  }
  double rank(std::int32_t feature, double decrease) const {
    return decrease / scale() / rules_.cost(codes_.place(feature));
  }
  // What a cut raises its feature's rank to; a cut that is not good enough must not keep others out.
  double reached(std::int32_t feature, double decrease) const {
    decrease = std::max(decrease, 0.0);
    return rules_.good_enough(decrease) ? rank(feature, decrease) : KnownRanks::NOTHING;
  }
  void aim(Aspect<R>& aspect, double best) const { aspect.gauge.raise(needed(aspect.feature, best) - aspect.offset); }

  // Roughly how much every edge takes away; those near the best are then computed exactly.
  void scan_edges() {
    bool any = false;
    rough_.start(codes_.columns(), rules_.kept());
    for (std::size_t a = 0; a < aspects_.all().size(); ++a) {
      Aspect<R>& aspect = aspects_.all()[a];
      Look& look = looks_[a];
      aspect.gauge.edges(aspect.plane, rules_.settings->min_samples_leaf, look.outlook, look.rough);
      aspect.best_edge = greatest_inside(look.rough);
      if (aspect.best_edge < 0) continue;
      rough_.raise(aspect.feature, rank(aspect.feature, aspect.best_edge + aspect.offset));
      any = true;
    }
    if (!any) return;
    for_edges(rough_, [&](const Aspect<R>& aspect, int, const Cell* cell, i64 l) {
      ranks_.raise(aspect.feature, reached(aspect.feature, aspect.gauge.exact(cell, l) + aspect.offset));
    });
  }

  // Visits the edges that may attain what `ranks` asks of their features, each partition once.
  template <class Visit>
  void for_edges(const KnownRanks& ranks, const Visit& visit) const {
    const auto& all = const_cast<Aspects<R>&>(aspects_).all();
    typename R::Buffer cell(y_.width());
    for (std::size_t a = 0; a < all.size(); ++a) {
      const Aspect<R>& aspect = all[a];
      double least = needed(aspect.feature, ranks.of(aspect.feature)) - aspect.offset;
      least -= 1e-9 * std::abs(least) + 1e-11 * scale();
      if (!(aspect.best_edge >= least)) continue;
      i64 last = aspect.before;
      for (int b = 1; b < BINS; ++b) {
        if (!(looks_[a].rough[b] >= std::max(least, 0.0))) continue;
        y_.take(aspect.plane, b, cell.data());
        const i64 l = y_.count(cell.data());
        if (l != std::exchange(last, l)) visit(aspect, b, cell.data(), l);
      }
    }
  }

  void search_levels(const View& view, const u32* ids, const BinTable<R>& table) {
    const std::size_t first = codes_.cut_columns(), n_nominal = codes_.columns() - first;
    if (n_nominal == 0) return;
    found_levels_.assign(n_nominal, {});
    if (team_ && team_->size() > 1) {
      const double best = ranks_.least();
      team_->run(n_nominal, [&](std::size_t k, int member) {
        found_levels_[k] = search_level(view, ids, table, first + k, best, member);
      });
      for (const Cut& cut : found_levels_) keep_levels(cut);
    } else {
      for (std::size_t k = 0; k < n_nominal; ++k) {
        found_levels_[k] = search_level(view, ids, table, first + k, ranks_.least(), 0);
        keep_levels(found_levels_[k]);
      }
    }
  }
  void keep_levels(Cut cut) {
    if (cut.feature < 0) return;
    cuts_.push_back(cut);
    cut.decrease = std::max(cut.decrease, 0.0);
    if (rules_.good_enough(cut.decrease))
      ranks_.raise(cut.feature, rules_.compared(cut.decrease, cut.place, cut.groups, cut.known, *judged_));
  }

  Cut search_level(const View& view, const u32* ids, const BinTable<R>& table, std::size_t j, double best, int member) {
    LevelSearch<R>& search = level_searches_[member];
    const u32 n_levels = codes_.levels(j);
    const auto width = static_cast<std::size_t>(y_.width());
    search.start(*judged_);
    std::vector<Cell> missing(width);
    const auto add = [&](u32 level, const Cell* cell) {
      if (level == n_levels)
        missing.assign(cell, cell + width);
      else if (const i64 rows = y_.count(cell))
        search.add(level, cell, rows);
    };
    if (codes_.is_wide(j)) {
      each_wide_level(view, ids, j, add);
    } else {
      for (u32 level = 0; level <= n_levels; ++level) add(level, table.levels(j) + level * width);
    }
    const std::size_t k = j - codes_.cut_columns();
    const Cell* none = missing.data();
    Cut cut = search.find({static_cast<std::int32_t>(j), codes_.place(j), n_levels, best, none, y_.count(none)},
                          level_sets_[k]);
    cut.levels = static_cast<std::int32_t>(k);
    return cut;
  }

  // What the rows of each level of a wide column add up to: the node's rows sorted by level, which costs less than a
  // table of all levels in every node.
  template <class Add>
  void each_wide_level(const View& view, const u32* ids, std::size_t j, const Add& add) const {
    std::vector<KeyRow> rows(static_cast<std::size_t>(n_)), spare;
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {view.level(j, ids[i]), ids[i]};
    radix_sort(rows, spare);
    std::vector<Cell> cell(static_cast<std::size_t>(y_.width()));
    for (std::size_t i = 0; i < rows.size();) {
      const u32 level = rows[i].key;
      std::fill(cell.begin(), cell.end(), Cell{});
      for (; i < rows.size() && rows[i].key == level; ++i) y_.add(cell.data(), rows[i].row);
      add(level, cell.data());
    }
  }

  // Whether a cut inside any bin of this feature may be chosen; marks those bins. `a`: the feature's first aspect.
  bool mark(std::size_t a) {
    auto& all = aspects_.all();
    const std::int32_t feature = all[a].feature;
    auto& wanted = wanted_[feature];
    bool any = false;
    for (std::size_t i = a; i < all.size() && all[i].feature == feature; ++i) {
      aim(all[i], ranks_.of(feature));
      std::array<std::uint8_t, BINS> more;
      auto& marks = i == a ? wanted : more;
      any = all[i].gauge.bins(all[i].plane, rules_.settings->min_samples_leaf, looks_[i].outlook, marks.data()) || any;
      if (i > a)
        for (int b = 0; b < BINS; ++b) wanted[b] |= more[b];
    }
    if (all[a].known < n_) wanted[BINS - 1] = 0;  // rows without a value
    return any;
  }

  void open_bins(const View& view, const u32* ids) {
    const auto& all = aspects_.all();
    firsts_.clear();
    for (std::size_t a = 0; a < all.size(); ++a)
      if ((a == 0 || all[a - 1].feature != all[a].feature) && !codes_.is_single(all[a].feature) && mark(a))
        firsts_.push_back(static_cast<std::int32_t>(a));
    if (firsts_.empty()) return;
    // The most promising feature first: what it finds closes bins of the others.
    std::iter_swap(firsts_.begin(), std::max_element(firsts_.begin(), firsts_.end(), [&](auto a, auto b) {
                     return all[a].best_edge < all[b].best_edge;
                   }));
    collect(view, ids);
    refine(view, firsts_.data(), 1);
    std::size_t left = 1;
    for (std::size_t i = 1; i < firsts_.size(); ++i)
      if (mark(firsts_[i])) firsts_[left++] = firsts_[i];
    refine(view, firsts_.data() + 1, left - 1);
  }

  void refine(const View& view, const std::int32_t* firsts, std::size_t n_features) {
    if (n_features == 0) return;
    std::vector<Found> found(n_features);
    const auto walk = [&](std::size_t k, int member) {
      const auto first = static_cast<std::size_t>(firsts[k]);
      found[k] = {ranks_.of(aspects_.all()[first].feature), KnownRanks::NOTHING, {}};
      walk_feature(view, first, found[k], member);
    };
    const auto keep = [&](std::size_t k) {
      ranks_.raise(aspects_.all()[static_cast<std::size_t>(firsts[k])].feature, found[k].reached);
      cuts_.insert(cuts_.end(), found[k].cuts.begin(), found[k].cuts.end());
    };
    if (team_) team_->run(n_features, walk);
    for (std::size_t k = 0; k < n_features; ++k) {
      if (!team_) walk(k, 0);
      keep(k);
    }
  }

  void walk_feature(const View& view, std::size_t a, Found& here, int member) {
    auto& all = aspects_.all();
    const std::int32_t feature = all[a].feature;
    sort_by_code(items_[feature], spare_[member]);
    for (; a < all.size() && all[a].feature == feature; ++a) {
      Aspect<R>& aspect = all[a];
      aim(aspect, here.needed);
      refinements_[member].walk(
          view, static_cast<std::size_t>(feature), items_[feature],
          [&](int bin, Cell* out) { y_.take(aspect.plane, bin, out); }, aspect.gauge,
          [&](Cut cut, const Cell* sums) { offer(aspect, cut, sums, here); });
    }
  }

  void offer(Aspect<R>& aspect, Cut cut, const Cell* sums, Found& here) const {
    const i64 l = cut.left;
    if (!rules_.allows(l, aspect.n - l) || l == aspect.before) return;
    cut.decrease = aspect.gauge.exact(sums, l) + aspect.offset;
    describe(aspect, l, cut);
    here.reached = std::max(here.reached, reached(aspect.feature, cut.decrease));
    if (here.reached > here.needed) aim(aspect, here.needed = here.reached);
    if (cut.decrease >= needed(aspect.feature, here.needed)) here.cuts.push_back(cut);
  }

  void describe(const Aspect<R>& aspect, i64 l, Cut& cut) const {
    cut.feature = aspect.feature;
    cut.place = codes_.place(aspect.feature);
    cut.missing = aspect.missing;
    cut.left = l - aspect.before;
    cut.known = aspect.known;
  }

  // The rows of the wanted bins of all features to open, at once: what the first feature finds closes few bins, and a
  // second look at rows that lie far apart costs more than they do.
  void collect(const View& view, const u32* ids) {
    wishes_.clear();
    for (const std::int32_t first : firsts_) {
      const std::int32_t feature = aspects_.all()[first].feature;
      wishes_.push_back({feature, wanted_[feature].data(), &items_[feature]});
    }
    read_feature_ = wishes_[0].feature;
    collector_.collect(view, {ids, static_cast<u32>(n_)}, wishes_, read_);
  }

  void keep_edges() {
    for_edges(ranks_, [&](const Aspect<R>& aspect, int b, const Cell* cell, i64 l) {
      Cut cut;
      cut.code = static_cast<Code>(b * 256 - 1);
      cut.decrease = aspect.gauge.exact(cell, l) + aspect.offset;
      describe(aspect, l, cut);
      if (cut.decrease >= needed(aspect.feature, ranks_.of(aspect.feature))) cuts_.push_back(cut);
    });
  }

  const R y_;
  const Rules rules_;
  const Codes& codes_;
  Aspects<R> aspects_;
  std::vector<Refinement<R>> refinements_;  // one a member
  std::vector<LevelSearch<R>> level_searches_;
  std::vector<std::vector<Coded>> spare_;
  std::vector<Look> looks_;
  std::vector<std::array<std::uint8_t, BINS>> wanted_;
  std::vector<std::vector<Coded>> items_;
  std::vector<std::vector<LevelBranch>> level_sets_;  // of each nominal feature
  std::vector<Cut> found_levels_;
  std::vector<Wish> wishes_;
  Collector collector_;
  Code* read_ = nullptr;
  std::int32_t read_feature_ = -1;
  Team* team_;
  std::vector<std::int32_t> firsts_;  // the first aspects of features whose bins are opened
  std::vector<Cut> cuts_;
  KnownRanks rough_, ranks_;  // by edges but for rounding; exactly
  Ranking<Cut> ranking_;
  const Judged* judged_ = nullptr;
  i64 n_ = 0;
};

}  // namespace boxwood::coded

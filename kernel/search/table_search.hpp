// The best way to part a large node: edges of bins first, then sets of levels, then only the bins whose bound reaches
// the best so far. Invariant: what is found is what a full scan of every distinct value finds, ties by the written rule
// (settings.hpp). Cost: about 256 cells a feature; on data with signal about 2 % of a node's rows are looked at one by
// one.
#pragma once

#include "search/gather_rows.hpp"
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

  // feature -1 when nothing is good enough. Leaves the codes of one feature, which often is that of the cut, in `read`,
  // one a row.
  Cut find(const View& view, const BinTable<R>& table, const u32* ids, std::size_t count, const typename R::Sums& sums,
           const Judged& judged, Code* read) {
    read_ = read;
    read_feature_ = -1;
    best_ = -std::numeric_limits<double>::infinity();
    n_ = static_cast<i64>(count);
    judged_ = &judged;
    cuts_.clear();
    aspects_.look(codes_, table, n_, sums, judged);
    looks_.resize(std::max(looks_.size(), aspects_.all().size()));
    scan_edges();
    search_levels(table);
    open_bins(view, ids);
    keep_edges();
    std::erase_if(cuts_, [&](const Cut& cut) { return cut.groups == 0 && cut.decrease < needed(cut.feature, best_); });
    std::sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) {
      if (a.place != b.place) return a.place < b.place;
      return a.left != b.left ? a.left < b.left : a.missing > b.missing;
    });
    return rules_.choose(cuts_, judged);
  }
  // The feature whose codes the last search left; -1 = none.
  std::int32_t read_feature() const { return read_feature_; }
  // Of a cut that is a set of levels.
  const std::vector<LevelBranch>& levels(const Cut& cut) const { return level_sets_[cut.levels]; }

 private:
  // What the loops over one aspect's bins leave behind.
  struct Look {
    double rough[BINS];  // of every edge, -1 where no cut may stand
    Outlook outlook;
  };
  // What the search of one feature's bins finds; which member searches it, and when, changes only how much is looked
  // at.
  struct Found {
    double best;
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
  // Keeps the best rank so far; a cut that is not good enough must not keep others out.
  void raise(std::int32_t feature, double decrease, double& best) const {
    const double here = rank(feature, std::max(decrease, 0.0));
    if (here > best && rules_.good_enough(std::max(decrease, 0.0))) best = here;
  }
  void aim(Aspect<R>& aspect, double best) const { aspect.gauge.raise(needed(aspect.feature, best) - aspect.offset); }

  // Roughly how much every edge takes away; those near the best are then computed exactly.
  void scan_edges() {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < aspects_.all().size(); ++a) {
      Aspect<R>& aspect = aspects_.all()[a];
      Look& look = looks_[a];
      aspect.gauge.edges(aspect.plane, rules_.settings->min_samples_leaf, look.outlook, look.rough);
      aspect.best_edge = greatest_inside(look.rough);
      if (aspect.best_edge >= 0) best = std::max(best, rank(aspect.feature, aspect.best_edge + aspect.offset));
    }
    if (best < 0) return;
    for_edges(best, [&](const Aspect<R>& aspect, int, const Cell* cell, i64 l) {
      raise(aspect.feature, aspect.gauge.exact(cell, l) + aspect.offset, best_);
    });
  }

  // Visits the edges that may reach rank `best`, each partition once.
  template <class Visit>
  void for_edges(double best, const Visit& visit) const {
    const auto& all = const_cast<Aspects<R>&>(aspects_).all();
    typename R::Buffer cell(y_.width());
    for (std::size_t a = 0; a < all.size(); ++a) {
      const Aspect<R>& aspect = all[a];
      double least = needed(aspect.feature, best) - aspect.offset;
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

  void search_levels(const BinTable<R>& table) {
    const std::size_t first = codes_.cut_columns(), n_nominal = codes_.columns() - first;
    if (n_nominal == 0) return;
    found_levels_.assign(n_nominal, {});
    if (team_ && team_->size() > 1) {
      team_->run(n_nominal,
                 [&](std::size_t k, int member) { found_levels_[k] = search_level(table, first + k, best_, member); });
    } else {
      double best = best_;
      for (std::size_t k = 0; k < n_nominal; ++k) {
        found_levels_[k] = search_level(table, first + k, best, 0);
        if (found_levels_[k].feature >= 0) raise_levels(found_levels_[k], best);
      }
    }
    for (const Cut& cut : found_levels_) {
      if (cut.feature < 0) continue;
      cuts_.push_back(cut);
      raise_levels(cut, best_);
    }
  }
  void raise_levels(Cut cut, double& best) const {
    cut.decrease = std::max(cut.decrease, 0.0);
    const double here = rules_.compared(cut.decrease, cut.place, cut.groups, cut.known, *judged_);
    if (here > best && rules_.good_enough(cut.decrease)) best = here;
  }

  Cut search_level(const BinTable<R>& table, std::size_t j, double best, int member) {
    LevelSearch<R>& search = level_searches_[member];
    const Cell* cells = table.levels(j);
    const u32 n_levels = codes_.levels(j);
    const auto width = static_cast<std::size_t>(y_.width());
    search.start(*judged_);
    for (u32 level = 0; level < n_levels; ++level) {
      const Cell* cell = cells + level * width;
      const i64 rows = y_.count(cell);
      if (rows > 0) search.add(level, cell, rows);
    }
    const Cell* missing = cells + n_levels * width;
    const std::size_t k = j - codes_.cut_columns();
    Cut cut = search.find({static_cast<std::int32_t>(j), codes_.place(j), n_levels, best, missing, y_.count(missing)},
                          level_sets_[k]);
    cut.levels = static_cast<std::int32_t>(k);
    return cut;
  }

  // Whether a cut inside any bin of this feature may be chosen; marks those bins. `a`: the feature's first aspect.
  bool mark(std::size_t a) {
    auto& all = aspects_.all();
    const std::int32_t feature = all[a].feature;
    auto& wanted = wanted_[feature];
    bool any = false;
    for (std::size_t i = a; i < all.size() && all[i].feature == feature; ++i) {
      aim(all[i], best_);
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
    std::vector<Found> found(n_features, Found{best_, {}});
    const auto walk = [&](std::size_t k, int member) {
      walk_feature(view, static_cast<std::size_t>(firsts[k]), found[k], member);
    };
    if (team_) {
      team_->run(n_features, walk);
    } else {
      for (std::size_t k = 0; k < n_features; ++k) {
        walk(k, 0);
        if (k + 1 < n_features) found[k + 1].best = std::max(found[k].best, best_);
      }
    }
    for (const Found& here : found) {
      best_ = std::max(best_, here.best);
      cuts_.insert(cuts_.end(), here.cuts.begin(), here.cuts.end());
    }
  }

  void walk_feature(const View& view, std::size_t a, Found& here, int member) {
    auto& all = aspects_.all();
    const std::int32_t feature = all[a].feature;
    sort_by_code(items_[feature], spare_[member]);
    for (; a < all.size() && all[a].feature == feature; ++a) {
      Aspect<R>& aspect = all[a];
      aim(aspect, here.best);
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
    const double before = here.best;
    raise(aspect.feature, cut.decrease, here.best);
    if (here.best > before) aim(aspect, here.best);
    if (cut.decrease >= needed(aspect.feature, here.best)) here.cuts.push_back(cut);
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
    for_edges(best_, [&](const Aspect<R>& aspect, int b, const Cell* cell, i64 l) {
      Cut cut;
      cut.code = static_cast<Code>(b * 256 - 1);
      cut.decrease = aspect.gauge.exact(cell, l) + aspect.offset;
      describe(aspect, l, cut);
      if (cut.decrease >= needed(aspect.feature, best_)) cuts_.push_back(cut);
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
  const Judged* judged_ = nullptr;
  double best_ = 0;
  i64 n_ = 0;
};

}  // namespace boxwood::coded

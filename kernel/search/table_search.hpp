// The best way to part a large node: edges of bins first, then sets of levels, then only the bins whose bound reaches
// the best so far. Invariant: what is found is what a full scan of every distinct value finds, ties by the written rule
// (settings.hpp). Cost: about 256 cells a feature; on data with signal about 2 % of a node's rows are looked at one by
// one.
#pragma once

#include "search/gather_rows.hpp"
#include "search/known_ranks.hpp"
#include "search/missing_direction.hpp"
#include "search/refinement.hpp"
#include "search/table_levels.hpp"

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
        levels_(y_, rules_, codes, team),
        collector_(team),
        team_(team) {
    for (std::size_t m = 0; m < team_members(team); ++m) refinements_.emplace_back(y_);
  }
  LargeSearch(const LargeSearch&) = delete;

  // The best candidates, none when nothing is good enough. Leaves the codes of one feature, which often is that of the
  // cut, in `read`, one a row.
  std::vector<Cut>& find(const View& view, const BinTable<R>& table, const u32* ids, std::size_t count,
                         const typename R::Sums& sums, const Judged& judged, Code* read) {
    read_ = read;
    read_feature_ = -1;
    start(ranks_);
    best_left_.assign(codes_.cut_columns(), std::numeric_limits<i64>::max());
    n_ = static_cast<i64>(count);
    judged_ = &judged;
    whole_ = y_.whole_decreases() && rules_.ranks_by_decrease() && scale() < MOST_WHOLE;
    cuts_.clear();
    aspects_.look(codes_, table, n_, sums, judged);
    looks_.resize(std::max(looks_.size(), aspects_.all().size()));
    scan_edges();
    levels_.search(
        view, {ids, static_cast<u32>(count)}, table, judged, [&] { return ranks_.least(); },
        [&](const Cut& cut) { keep_levels(cut); });
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
  std::vector<LevelBranch>* levels(const Cut& cut) { return cut.groups > 0 ? &levels_.of(cut) : nullptr; }

 private:
  // What the loops over one aspect's bins leave behind.
  struct Look {
    double rough[BINS];  // of every edge, -1 where no cut may stand
    Outlook outlook;
  };
  // What the search of one feature's bins finds; which member searches it, and when, changes only how much is looked
  // at.
  struct Found {
    double needed;  // rank
    double greatest;  // decrease of a cut of the aspect at hand
    std::vector<Cut> cuts;
  };
  static constexpr double MOST_WHOLE = 1e9;  // mass of a node in which one error more is far above rounding

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
  // The least decrease of a later cut that may win over one of `decrease`. Whole decreases that differ do so by one:
  // where ties are common, as in counts of errors, none of them is looked at twice.
  double beyond(double decrease) const { return whole_ ? decrease + 0.5 : decrease; }
  double needed_by_later(std::int32_t feature) const {
    const double best = ranks_.of(feature), least = needed(feature, best);
    return !whole_ || best == KnownRanks::NOTHING ? least : std::max(least, beyond(best * scale()));
  }
  double needed_now(std::int32_t feature) const {
    return ranks_.loses_ties(feature) ? needed_by_later(feature) : needed(feature, ranks_.of(feature));
  }

  // Roughly how much every edge takes away; those near the best are then computed exactly.
  void scan_edges() {
    bool any = false;
    start(rough_);
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
      const double decrease = aspect.gauge.exact(cell, l) + aspect.offset;
      raise(aspect.feature, reached(aspect.feature, decrease), l - aspect.before);
      return decrease;
    });
  }

  void start(KnownRanks& ranks) const {
    ranks.start(codes_.columns(), rules_.kept(), [&](std::size_t j) { return codes_.place(j); });
  }
  void raise(std::int32_t feature, double rank, i64 left) {
    if (rank == KnownRanks::NOTHING) return;
    i64& best_left = best_left_[static_cast<std::size_t>(feature)];
    if (rank > ranks_.known(feature))
      best_left = left;
    else if (rank == ranks_.known(feature))
      best_left = std::min(best_left, left);
    ranks_.raise(feature, rank);
  }

  // Visits the edges that may attain what `ranks` asks of their features, each partition once, but for those that an
  // earlier edge surely keeps out. `visit` returns the decrease.
  template <class Visit>
  void for_edges(const KnownRanks& ranks, const Visit& visit) const {
    const auto& all = const_cast<Aspects<R>&>(aspects_).all();
    typename R::Buffer cell(y_.width());
    for (std::size_t a = 0; a < all.size(); ++a) {
      const Aspect<R>& aspect = all[a];
      const auto surely = [&](double decrease) { return decrease - 1e-9 * std::abs(decrease) - 1e-11 * scale(); };
      double least = surely(needed(aspect.feature, ranks.of(aspect.feature)) - aspect.offset);
      if (!(aspect.best_edge >= least)) continue;
      i64 last = aspect.before;
      for (int b = 1; b < BINS; ++b) {
        if (!(looks_[a].rough[b] >= std::max(least, 0.0))) continue;
        y_.take(aspect.plane, b, cell.data());
        const i64 l = y_.count(cell.data());
        if (l == std::exchange(last, l)) continue;
        least = std::max(least, surely(beyond(visit(aspect, b, cell.data(), l)) - aspect.offset));
      }
    }
  }

  void keep_levels(Cut cut) {
    cuts_.push_back(cut);
    cut.decrease = std::max(cut.decrease, 0.0);
    if (rules_.good_enough(cut.decrease))
      ranks_.raise(cut.feature, rules_.compared(cut.decrease, cut.place, cut.groups, cut.known, *judged_));
  }

  // Whether a cut inside any bin of this feature may be chosen; marks those bins. `a`: the feature's first aspect.
  bool mark(std::size_t a) {
    auto& all = aspects_.all();
    const std::int32_t feature = all[a].feature;
    auto& wanted = wanted_[feature];
    bool any = false;
    for (std::size_t i = a; i < all.size() && all[i].feature == feature; ++i) {
      std::array<std::uint8_t, BINS> more;
      auto& marks = i == a ? wanted : more;
      any = mark(all[i], looks_[i].outlook, marks) || any;
      if (i > a)
        for (int b = 0; b < BINS; ++b) wanted[b] |= more[b];
    }
    if (all[a].known < n_) wanted[BINS - 1] = 0;  // rows without a value
    return any;
  }
  bool mark(Aspect<R>& aspect, const Outlook& outlook, std::array<std::uint8_t, BINS>& marks) {
    const i64 least_rows = rules_.settings->min_samples_leaf;
    aspect.gauge.raise(needed_now(aspect.feature) - aspect.offset);
    if (!aspect.gauge.bins(aspect.plane, least_rows, outlook, marks.data())) return false;
    const i64 best_left = best_left_[static_cast<std::size_t>(aspect.feature)];
    // Ties matter only before the best cut that is known.
    if (!whole_ || ranks_.loses_ties(aspect.feature) || !ranks_.is_kept(aspect.feature)) return true;
    std::array<std::uint8_t, BINS> later;
    aspect.gauge.raise(needed_by_later(aspect.feature) - aspect.offset);
    aspect.gauge.bins(aspect.plane, least_rows, outlook, later.data());
    int any = 0;
    typename R::Buffer cell(y_.width());
    for (int b = 0; b < BINS; ++b) {
      y_.take(aspect.plane, b, cell.data());
      if (y_.count(cell.data()) - aspect.before >= best_left) marks[b] = later[b];
      any |= marks[b];
    }
    return any != 0;
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
      found[k] = {ranks_.of(aspects_.all()[first].feature), 0, {}};
      walk_feature(view, first, found[k], member);
    };
    const auto keep = [&](std::size_t k) {
      for (const Cut& cut : found[k].cuts) raise(cut.feature, reached(cut.feature, cut.decrease), cut.left);
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
      here.greatest = -std::numeric_limits<double>::infinity();
      aim(aspect, here);
      refinements_[member].walk(
          view, static_cast<std::size_t>(feature), items_[feature],
          [&](int bin, Cell* out) { y_.take(aspect.plane, bin, out); }, aspect.gauge,
          [&](Cut cut, const Cell* sums) { offer(aspect, cut, sums, here); });
    }
  }

  // Raises what the cuts of an aspect still to come must attain.
  void aim(Aspect<R>& aspect, const Found& here) const {
    const double least = std::max(needed_now(aspect.feature), needed(aspect.feature, here.needed));
    aspect.gauge.raise(std::max(least, beyond(here.greatest)) - aspect.offset);
  }
  // Of one aspect cuts come in ascending order, and one that takes no more away than one before it never wins.
  void offer(Aspect<R>& aspect, Cut cut, const Cell* sums, Found& here) const {
    const i64 l = cut.left;
    if (!rules_.allows(l, aspect.n - l) || l == aspect.before) return;
    cut.decrease = aspect.gauge.exact(sums, l) + aspect.offset;
    if (!(cut.decrease > here.greatest)) return;
    here.greatest = cut.decrease;
    describe(aspect, l, cut);
    here.needed = std::max(here.needed, reached(aspect.feature, cut.decrease));
    if (cut.decrease >= needed(aspect.feature, here.needed)) here.cuts.push_back(cut);
    aim(aspect, here);
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
      return cut.decrease;
    });
  }

  const R y_;
  const Rules rules_;
  const Codes& codes_;
  Aspects<R> aspects_;
  std::vector<Refinement<R>> refinements_;  // one a member
  std::vector<std::vector<Coded>> spare_;
  std::vector<Look> looks_;
  std::vector<std::array<std::uint8_t, BINS>> wanted_;
  std::vector<std::vector<Coded>> items_;
  TableLevels<R> levels_;
  std::vector<Wish> wishes_;
  Collector collector_;
  Code* read_ = nullptr;
  std::int32_t read_feature_ = -1;
  Team* team_;
  std::vector<std::int32_t> firsts_;  // the first aspects of features whose bins are opened
  std::vector<Cut> cuts_;
  KnownRanks rough_, ranks_;  // by edges but for rounding; exactly
  std::vector<i64> best_left_;  // of the lowest cut that reaches its feature's known rank: known rows on the left
  bool whole_ = false;  // decreases are whole numbers, by which features are ranked
  Ranking<Cut> ranking_;
  const Judged* judged_ = nullptr;
  i64 n_ = 0;
};

}  // namespace boxwood::coded

// The best split of a large node: edges of bins first, then sets of levels, then only the bins whose bound reaches
// the best so far. Invariant: what is found is what a full scan of every distinct value finds, ties by the written rule
// (settings.hpp). Cost: about 256 cells a feature; with signal in the data, about 2 % of a node's rows are read.
#pragma once

#include "search/gather_rows.hpp"
#include "search/known_ranks.hpp"
#include "search/missing_direction.hpp"
#include "search/refinement.hpp"
#include "search/table_levels.hpp"

namespace boxwood::coded {

template <class R>
class TableSearch {
 public:
  using Cell = typename R::Cell;
  using UpperBound = typename R::UpperBound;

  TableSearch(const R& y, const Rules& rules, const Codes& codes, ThreadPool* pool)
      : y_(y),
        rules_(rules),
        codes_(codes),
        directions_(y_, rules_),
        buffers_(pool_workers(pool)),
        candidate_bins_(codes.cut_columns()),
        items_(codes.cut_columns()),
        levels_(y_, rules_, codes, pool),
        gatherer_(pool),
        pool_(pool) {
    for (std::size_t m = 0; m < pool_workers(pool); ++m) refinements_.emplace_back(y_);
  }
  TableSearch(const TableSearch&) = delete;

  // The best candidates, none when nothing is good enough. Leaves the codes of one feature, which often is that of the
  // cut, in `read`, one a row.
  std::vector<Candidate>& find(const View& view, const BinTable<R>& table, const u32* ids, std::size_t count,
                               const typename R::Sums& sums, const NodeStats& stats, Code* read) {
    read_ = read;
    read_feature_ = -1;
    ranks_.start(codes_.columns(), rules_.kept());
    n_ = static_cast<i64>(count);
    stats_ = &stats;
    counts_errors_ = rules_.counts_errors(stats);
    cuts_.clear();
    directions_.start(codes_, table, n_, sums, stats);
    edges_.resize(std::max(edges_.size(), directions_.all().size()));
    scan_edges();
    levels_.search(
        view, {ids, static_cast<u32>(count)}, table, stats, [&] { return ranks_.least(); },
        [&](const Candidate& cut) { keep_levels(cut); });
    open_bins(view, ids);
    keep_edges();
    std::erase_if(cuts_, [&](const Candidate& cut) {
      return cut.groups == 0 && cut.decrease < needed(cut.feature, ranks_.of(cut.feature));
    });
    sort_by_place(cuts_);
    rules_.choose(cuts_, stats, ranking_);
    return ranking_.kept();
  }
  // The feature whose codes the last search left; -1 = none.
  std::int32_t read_feature() const { return read_feature_; }
  // Of a cut that is a set of levels; nullptr for others.
  std::vector<LevelBranch>* levels(const Candidate& cut) { return cut.groups > 0 ? &levels_.of(cut) : nullptr; }

 private:
  // What the loops over one direction's bins leave behind.
  struct Edges {
    double rough[BINS];  // of every edge, -1 where no cut is possible
    EdgeScan scan;
  };
  // What the search of one feature's bins finds; which worker searches it, and when, changes only the work.
  struct Found {
    double needed;  // rank
    double greatest;  // decrease of a cut of the current direction
    std::vector<Candidate> cuts;
  };

  double scale() const { return stats_->scale; }
  // Errors tie often, and of equal scores that of the earlier feature is chosen: a later one needs this much more,
  // which is less than the one error by which decreases differ.
  double handicap(std::int32_t feature) const {
    return counts_errors_ ? 0.5 * codes_.place(feature) / (codes_.place(feature) + 1) / scale() : 0.0;
  }
  // The least decrease of a later cut of the same feature that may win over one of `decrease`.
  double beyond(double decrease) const { return counts_errors_ ? decrease + 0.5 : decrease; }
  // The least decrease of a cut that may still be chosen.
  double needed(std::int32_t feature, double best) const {
    return rules_.needed(best, codes_.place(feature), handicap(feature), *stats_);
  }
  double rank(std::int32_t feature, double decrease) const {
    return decrease / scale() / rules_.cost(codes_.place(feature)) - handicap(feature);
  }
  // What a cut raises its feature's rank to; a cut that is not good enough must not keep others out.
  double reached(std::int32_t feature, double decrease) const {
    decrease = std::max(decrease, 0.0);
    return rules_.good_enough(decrease) ? rank(feature, decrease) : KnownRanks::NOTHING;
  }
  // Roughly how much every edge takes away; those near the best are then computed exactly.
  void scan_edges() {
    rough_.start(codes_.columns(), rules_.kept());
    for (std::size_t a = 0; a < directions_.all().size(); ++a) {
      MissingDirection<R>& direction = directions_.all()[a];
      Edges& edges = edges_[a];
      direction.bound.edges(direction.column, rules_.settings->min_samples_leaf, edges.scan, edges.rough);
      directions_.apply_limits(direction, *stats_, edges.rough);
      direction.best_edge = greatest_inside(edges.rough);
      if (direction.best_edge >= 0)
        rough_.raise(direction.feature, rank(direction.feature, direction.best_edge + direction.offset));
    }
    for_edges(rough_, [&](const MissingDirection<R>& direction, int, const Cell* cell, i64 l) {
      const double decrease = directions_.decrease(direction, *stats_, cell, l);
      ranks_.raise(direction.feature, reached(direction.feature, decrease));
      return decrease;
    });
  }

  // Visits the edges that attain what `ranks` requires of their features, each partition once, but for those that an
  // earlier edge surely keeps out. `visit` returns the decrease.
  template <class Visit>
  void for_edges(const KnownRanks& ranks, const Visit& visit) const {
    const auto& all = directions_.all();
    CellBuffer<Cell> cell(y_.width());
    for (std::size_t a = 0; a < all.size(); ++a) {
      const MissingDirection<R>& direction = all[a];
      const auto surely = [&](double decrease) { return decrease - 1e-9 * std::abs(decrease) - 1e-11 * scale(); };
      double least = surely(needed(direction.feature, ranks.of(direction.feature)) - direction.offset);
      if (!(direction.best_edge >= least)) continue;
      i64 last = direction.before;
      for (int b = 1; b < BINS; ++b) {
        if (!(edges_[a].rough[b] >= std::max(least, 0.0))) continue;
        take(y_, direction.column, b, cell.data());
        const i64 l = y_.count(cell.data());
        if (l == std::exchange(last, l)) continue;
        least = std::max(least, surely(beyond(visit(direction, b, cell.data(), l)) - direction.offset));
      }
    }
  }

  void keep_levels(Candidate cut) {
    cuts_.push_back(cut);
    cut.decrease = std::max(cut.decrease, 0.0);
    if (rules_.good_enough(cut.decrease))
      ranks_.raise(cut.feature,
                   rules_.compared(cut.decrease, cut.place, cut.groups, cut.known, *stats_) - handicap(cut.feature));
  }

  // Whether a cut inside any bin of this feature may be chosen; marks those bins. `a`: the feature's first direction.
  bool mark(std::size_t a) {
    auto& all = directions_.all();
    const std::int32_t feature = all[a].feature;
    auto& wanted = candidate_bins_[feature];
    bool any = false;
    for (std::size_t i = a; i < all.size() && all[i].feature == feature; ++i) {
      std::array<std::uint8_t, BINS> more;
      auto& marks = i == a ? wanted : more;
      any = mark(all[i], edges_[i].scan, marks) || any;
      if (i > a)
        for (int b = 0; b < BINS; ++b) wanted[b] |= more[b];
    }
    if (all[a].known < n_) wanted[BINS - 1] = 0;  // rows without a value
    const std::uint8_t* one_value = codes_.one_value(static_cast<std::size_t>(feature));
    for (int b = 0; one_value && b < BINS; ++b) wanted[b] &= !one_value[b];
    return any && (!one_value || std::count(wanted.begin(), wanted.end(), 0) < BINS);
  }
  bool mark(MissingDirection<R>& direction, const EdgeScan& scan, std::array<std::uint8_t, BINS>& marks) const {
    direction.bound.set_threshold(needed(direction.feature, ranks_.of(direction.feature)) - direction.offset);
    return direction.bound.bins(direction.column, rules_.settings->min_samples_leaf, scan, marks.data());
  }

  void open_bins(const View& view, const u32* ids) {
    const auto& all = directions_.all();
    firsts_.clear();
    for (std::size_t a = 0; a < all.size(); ++a)
      if ((a == 0 || all[a - 1].feature != all[a].feature) && !codes_.is_single(all[a].feature)) firsts_.push_back(a);
    if (firsts_.empty()) return;
    // The feature with the best edge first: what it finds closes bins of the others.
    std::iter_swap(firsts_.begin(), std::max_element(firsts_.begin(), firsts_.end(), [&](auto a, auto b) {
                     return all[a].best_edge < all[b].best_edge;
                   }));
    for (std::size_t next = 0; next < firsts_.size();) {
      const std::size_t alone = next == 0;
      next = gather(view, ids, next);
      refine(view, 0, alone);
      refine(view, alone, opened_.size());
    }
  }

  // `from`, `to`: places among the features gathered last; those whose bins have been closed since are left out.
  void refine(const View& view, std::size_t from, std::size_t to) {
    std::vector<Found> found(to - from);
    const auto walk = [&](std::size_t k, int worker) {
      const std::size_t first = opened_firsts_[from + k];
      found[k] = {ranks_.of(directions_.all()[first].feature), 0, {}};
      if (mark(first)) refine_feature(view, first, items_[from + k], found[k], worker);
    };
    if (pool_) pool_->run(found.size(), walk);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (!pool_) walk(k, 0);
      for (const Candidate& cut : found[k].cuts) ranks_.raise(cut.feature, reached(cut.feature, cut.decrease));
      cuts_.insert(cuts_.end(), found[k].cuts.begin(), found[k].cuts.end());
    }
  }

  void refine_feature(const View& view, std::size_t a, std::vector<Coded>& items, Found& here, int worker) {
    auto& all = directions_.all();
    const std::int32_t feature = all[a].feature;
    sort_by_code(items, buffers_[worker]);
    for (; a < all.size() && all[a].feature == feature; ++a) {
      MissingDirection<R>& direction = all[a];
      here.greatest = -std::numeric_limits<double>::infinity();
      update_threshold(direction, here);
      refinements_[worker].walk(
          view, static_cast<std::size_t>(feature), items,
          [&](int bin, Cell* out) { take(y_, direction.column, bin, out); }, direction.bound,
          [&](Candidate cut, const Cell* sums) { offer(direction, cut, sums, here); });
    }
  }

  // Raises what the cuts of a direction still to come must attain.
  void update_threshold(MissingDirection<R>& direction, const Found& here) const {
    direction.bound.set_threshold(std::max(needed(direction.feature, here.needed), beyond(here.greatest)) -
                                  direction.offset);
  }
  // Of one direction cuts come in ascending order, and one that takes no more away than one before it never wins.
  void offer(MissingDirection<R>& direction, Candidate cut, const Cell* sums, Found& here) const {
    const i64 l = cut.left;
    if (l == direction.before || !directions_.admits(direction, *stats_, sums, l)) return;
    cut.decrease = directions_.decrease(direction, *stats_, sums, l);
    if (!(cut.decrease > here.greatest)) return;
    here.greatest = cut.decrease;
    describe(direction, l, cut);
    here.needed = std::max(here.needed, reached(direction.feature, cut.decrease));
    if (cut.decrease >= needed(direction.feature, here.needed)) here.cuts.push_back(cut);
    update_threshold(direction, here);
  }

  void describe(const MissingDirection<R>& direction, i64 l, Candidate& cut) const {
    cut.feature = direction.feature;
    cut.place = codes_.place(direction.feature);
    cut.missing = direction.missing;
    cut.left = l - direction.before;
    cut.known = direction.known;
  }

  // The rows of the candidate bins of the features from `next` on, a portion at once: what the first feature finds
  // closes few bins, and a second pass over rows that lie far apart in memory costs more than they do. Returns where to
  // go on.
  std::size_t gather(const View& view, const u32* ids, std::size_t next) {
    opened_.clear();
    opened_firsts_.clear();
    for (Portion portion(static_cast<std::size_t>(n_), buffers_.size()); next < firsts_.size() && !portion.is_full();
         ++next) {
      const std::int32_t feature = directions_.all()[firsts_[next]].feature;
      if (!mark(firsts_[next]) && next > 0) continue;
      portion.add(candidate_bins_[feature]);
      opened_.push_back({feature, candidate_bins_[feature].data(), &items_[opened_.size()]});
      opened_firsts_.push_back(firsts_[next]);
    }
    if (read_) read_feature_ = opened_[0].feature;
    gatherer_.gather(view, {ids, static_cast<u32>(n_)}, opened_, std::exchange(read_, nullptr));
    return next;
  }

  void keep_edges() {
    for_edges(ranks_, [&](const MissingDirection<R>& direction, int b, const Cell* cell, i64 l) {
      Candidate cut;
      cut.code = static_cast<Code>(b * 256 - 1);
      cut.decrease = directions_.decrease(direction, *stats_, cell, l);
      describe(direction, l, cut);
      if (cut.decrease >= needed(direction.feature, ranks_.of(direction.feature))) cuts_.push_back(cut);
      return cut.decrease;
    });
  }

  const R y_;
  const Rules rules_;
  const Codes& codes_;
  MissingDirections<R> directions_;
  std::vector<Refinement<R>> refinements_;  // one a worker
  std::vector<std::vector<Coded>> buffers_;
  std::vector<Edges> edges_;
  std::vector<std::array<std::uint8_t, BINS>> candidate_bins_;
  std::vector<std::vector<Coded>> items_;  // of the features gathered last
  TableLevels<R> levels_;
  std::vector<OpenedBins> opened_;
  RowGatherer gatherer_;
  Code* read_ = nullptr;
  std::int32_t read_feature_ = -1;
  ThreadPool* pool_;
  std::vector<std::size_t> firsts_, opened_firsts_;  // first directions of features not single, of those gathered
  std::vector<Candidate> cuts_;
  KnownRanks rough_, ranks_;  // by edges but for rounding; exactly
  Ranking<Candidate> ranking_;
  const NodeStats* stats_ = nullptr;
  bool counts_errors_ = false;
  i64 n_ = 0;
};

}  // namespace boxwood::coded

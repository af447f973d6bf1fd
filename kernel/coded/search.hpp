// The best cut of a large node: edges of bins first, then only the bins whose bound reaches the best so far.
// Invariant: the cut found is the one a full scan of every distinct value finds, ties by the written rule (settings.hpp).
// Cost: about 256 cells a feature; on data with signal about 2 % of a node's rows are looked at one by one.
#pragma once

#include "refine.hpp"
#include "table.hpp"

namespace boxwood::coded {

// What every candidate must satisfy, and the order in which candidates are compared.
struct Rules {
  const Settings* settings;
  const Response* y;
  double root_weight = 0, root_risk = 0;

  // Decrease in whole-number units -> in true units of weight times measure.
  double true_decrease(double decrease) const {
    return y->kind == Response::Kind::mean   ? decrease * y->scale * y->scale * y->unit
           : y->kind == Response::Kind::rate ? decrease * y->low_scale * y->unit
                                             : decrease * y->unit;
  }

  bool allows(i64 left, i64 right) const {
    return left >= settings->min_samples_leaf && right >= settings->min_samples_leaf;
  }
  bool good_enough(double decrease) const {
    if (settings->min_share >= 0 && !(decrease > settings->min_share * root_risk)) return false;
    return true_decrease(decrease) / root_weight + 1e-15 >= settings->min_impurity_decrease;
  }
  bool is_open(const Judged& judged, i64 rows, std::int32_t depth) const {
    return !judged.pure && rows >= settings->min_samples_split && (settings->max_depth < 0 || depth < settings->max_depth);
  }

  // Goes through candidates in order of feature and position, as a full scan would.
  template <class Cuts>
  Cut choose(const Cuts& cuts, double scale) const {
    Cut best, of_feature;
    const auto close = [&] {
      if (of_feature.feature < 0) return;
      of_feature.decrease = std::max(of_feature.decrease, 0.0);
      const bool better = best.feature < 0 || of_feature.decrease / scale > bar_above(best.decrease / scale, 1.0);
      if (better && good_enough(of_feature.decrease)) best = of_feature;
    };
    for (const Cut& cut : cuts) {
      if (cut.feature != of_feature.feature) {
        close();
        of_feature = cut;
      } else if (cut.decrease > bar_above(of_feature.decrease, scale)) {
        of_feature = cut;
      }
    }
    close();
    return best;
  }
};

template <class R>
class LargeSearch {
 public:
  using Cell = typename R::Cell;
  using Gauge = typename R::Gauge;

  LargeSearch(const R& y, const Rules& rules, std::size_t columns, Team* team)
      : y_(y), rules_(rules), refinements_(members(team), Refinement<R>(y_)), spare_(members(team)), rough_(columns * BINS), best_edge_(columns), outlook_(columns), wanted_(columns), items_(columns), team_(team) {}

  // feature -1 when no cut is good enough. Leaves the codes of one feature, which often is that of the cut, in `codes`, one a row.
  Cut find(const View& view, const BinTable<R>& table, const u32* ids, std::size_t count, const typename R::Sums& sums, const Judged& judged,
           Code* codes) {
    codes_ = codes;
    read_ = -1;
    Gauge gauge(y_, sums, judged);
    if constexpr (requires { gauge.slop; }) gauge.slop = table.slop();
    best_ = -std::numeric_limits<double>::infinity();
    n_ = static_cast<i64>(count);
    scale_ = judged.scale;
    cuts_.clear();
    scan_edges(table, view.columns(), gauge);
    open_bins(view, table, ids, gauge);
    keep_edges(table, gauge);
    const double least = threshold();
    std::erase_if(cuts_, [&](const Cut& cut) { return cut.decrease < least; });
    std::sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) { return a.feature != b.feature ? a.feature < b.feature : a.left < b.left; });
    return rules_.choose(cuts_, scale_);
  }
  // The feature whose codes the last search left; -1 = none.
  std::int32_t read() const { return read_; }

 private:
  static std::size_t members(const Team* team) { return team ? static_cast<std::size_t>(team->size()) : 1; }
  double threshold() const { return surely_below(best_, scale_); }
  // What the search of one feature's bins finds; which member searches it, and when, changes only how much is looked at.
  struct Found {
    Gauge gauge;
    double best;
    std::vector<Cut> cuts;
  };

  // Whether a decrease may be chosen; the best so far is kept.
  bool raise(double decrease, double& best, Gauge& gauge) const {
    if (decrease > best) {
      best = decrease;
      gauge.raise(surely_below(best, scale_));
    }
    return decrease >= surely_below(best, scale_);
  }

  // Roughly how much every edge takes away; those near the best are then computed exactly.
  void scan_edges(const BinTable<R>& table, std::size_t columns, Gauge& gauge) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < columns; ++j) {
      double* rough = &rough_[j * BINS];
      gauge.edges(table.plane(j), rules_.settings->min_samples_leaf, outlook_[j], rough);
      best_edge_[j] = *std::max_element(rough + 1, rough + BINS);
      best = std::max(best, best_edge_[j]);
    }
    if (best < 0) return;
    for_edges(table, best, [&](std::size_t, int, const Cell* cell, i64 l) { raise(gauge.exact(cell, l), best_, gauge); });
  }

  // Visits the edges that may reach `least`, each partition once.
  template <class Visit>
  void for_edges(const BinTable<R>& table, double least, const Visit& visit) const {
    least -= 1e-9 * std::abs(least) + 1e-11 * scale_;
    for (std::size_t j = 0; j < best_edge_.size(); ++j) {
      if (!(best_edge_[j] >= least)) continue;
      i64 before = 0;
      for (int b = 1; b < BINS; ++b) {
        if (!(rough_[j * BINS + b] >= std::max(least, 0.0))) continue;
        Cell cell[R::MOST_WORDS];
        y_.take(table.plane(j), b, cell);
        const i64 l = y_.count(cell);
        if (l != std::exchange(before, l)) visit(j, b, cell, l);
      }
    }
  }

  // Whether a cut inside any bin of this feature may be chosen; marks those bins.
  bool mark(const BinTable<R>& table, std::size_t j, const Gauge& gauge) {
    return gauge.bins(table.plane(j), rules_.settings->min_samples_leaf, outlook_[j], wanted_[j].data());
  }

  void open_bins(const View& view, const BinTable<R>& table, const u32* ids, Gauge& gauge) {
    features_.clear();
    for (std::size_t j = 0; j < view.columns(); ++j)
      if (!view.all->is_single(j) && mark(table, j, gauge)) features_.push_back(static_cast<std::int32_t>(j));
    if (features_.empty()) return;
    // The most promising feature first: what it finds closes bins of the others.
    std::iter_swap(features_.begin(), std::max_element(features_.begin(), features_.end(), [&](auto a, auto b) { return best_edge_[a] < best_edge_[b]; }));
    collect(view, ids);
    refine(view, table, gauge, features_.data(), 1);
    std::size_t left = 1;
    for (std::size_t i = 1; i < features_.size(); ++i)
      if (mark(table, features_[i], gauge)) features_[left++] = features_[i];
    refine(view, table, gauge, features_.data() + 1, left - 1);
  }

  void refine(const View& view, const BinTable<R>& table, Gauge& gauge, const std::int32_t* features, std::size_t n_features) {
    if (n_features == 0) return;
    std::vector<Found> found(n_features, Found{gauge, best_, {}});
    const auto walk = [&](std::size_t k, int member) {
      const std::int32_t j = features[k];
      Found& here = found[k];
      sort_by_code(items_[j], spare_[member]);
      refinements_[member].walk(view, j, items_[j], [&](int bin, Cell* out) { y_.take(table.plane(j), bin, out); }, here.gauge, [&](Cut cut, const Cell* sums) {
        if (!rules_.allows(cut.left, n_ - cut.left)) return;
        cut.decrease = here.gauge.exact(sums, cut.left);
        if (raise(cut.decrease, here.best, here.gauge)) here.cuts.push_back(cut);
      });
    };
    if (team_) {
      team_->run(n_features, walk);
    } else {
      for (std::size_t k = 0; k < n_features; ++k) {
        walk(k, 0);
        if (k + 1 < n_features) raise(found[k].best, found[k + 1].best, found[k + 1].gauge);
      }
    }
    for (const Found& here : found) {
      raise(here.best, best_, gauge);
      cuts_.insert(cuts_.end(), here.cuts.begin(), here.cuts.end());
    }
  }

  // The rows of the wanted bins of all features to open, in one pass over the node: what the first feature finds closes few bins, and
  // a second look at rows that lie far apart costs more than they do.
  void collect(const View& view, const u32* ids) {
    for (const std::int32_t j : features_) items_[j].clear();
    read_ = features_[0];
    std::mutex mutex;
    collected_.resize(std::max(collected_.size(), members(team_) * PIECE));
    in_pieces(team_, static_cast<u32>(n_), [&](u32 from, u32 to, int member) {
      Coded* items = &collected_[static_cast<std::size_t>(member) * PIECE];
      for (const std::int32_t j : features_) {
        const std::size_t kept = j == read_ ? collect_piece<true>(view, ids + from, to - from, j, items, codes_ + from)
                                            : collect_piece<false>(view, ids + from, to - from, j, items, nullptr);
        const std::lock_guard lock(mutex);
        items_[j].insert(items_[j].end(), items, items + kept);
      }
    });
  }

  // With KEEPS the codes of all rows go to `all`.
  template <bool KEEPS>
  std::size_t collect_piece(const View& view, const u32* ids, u32 count, std::int32_t feature, Coded* items, Code* all) const {
    constexpr u32 AHEAD = 16;
    const auto& bins = wanted_[feature];
    const Code* codes = view.codes + feature;
    const std::size_t stride = view.columns();
    std::size_t kept = 0;
    for (u32 i = 0; i < count; ++i) {
      if (i + AHEAD < count) __builtin_prefetch(codes + ids[i + AHEAD] * stride);
      const u32 id = ids[i];
      const Code code = codes[id * stride];
      if constexpr (KEEPS) all[i] = code;
      items[kept] = {code, id};
      kept += bins[code >> 8];
    }
    return kept;
  }

  void keep_edges(const BinTable<R>& table, const Gauge& gauge) {
    const double least = threshold();
    for_edges(table, least, [&](std::size_t j, int b, const Cell* cell, i64 l) {
      const double decrease = gauge.exact(cell, l);
      if (decrease >= least) cuts_.push_back({static_cast<std::int32_t>(j), static_cast<Code>(b * 256 - 1), true, 0, 0, decrease, l});
    });
  }

  const R y_;
  const Rules rules_;
  std::vector<Refinement<R>> refinements_;  // one a member
  std::vector<std::vector<Coded>> spare_;
  std::vector<double> rough_;      // of every edge, -1 where no cut may stand
  std::vector<double> best_edge_;  // of every feature, roughly
  std::vector<Outlook> outlook_;
  std::vector<std::array<std::uint8_t, BINS>> wanted_;
  std::vector<std::vector<Coded>> items_;
  std::vector<Coded> collected_;
  Team* team_;
  Code* codes_ = nullptr;
  std::int32_t read_ = -1;
  std::vector<std::int32_t> features_;
  std::vector<Cut> cuts_;
  double best_ = 0, scale_ = 0;
  i64 n_ = 0;
};

}  // namespace boxwood::coded

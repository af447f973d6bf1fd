// Surrogates of a large node's split: tables of bins whose response is the branch taken, then the rows of the bins that
// may hold the best cut. Invariant: as in agreement.hpp: a bin beside which, or inside which, the best cut may lie is
// opened, unless no code of its feature has two values. Cost: about 1 ns a row and feature to count; a few rows in a
// hundred are sorted.
#pragma once

#include "search/bin_table.hpp"
#include "search/gather_rows.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

// Rows of one node. `branch`: of the row at each place, 0, 1, or more where the split does not know it.
struct BranchRows {
  const u32* ids;
  std::uint8_t* branch;
  u32 count;
  const i64* weight;  // by id, nullptr = 1 each
  i64 w(u32 at) const { return weight ? weight[ids[at]] : 1; }
};

// Rows of one bin or level by branch; of weight one they are counted alone, those of each branch in half a word.
struct BranchCell {
  u64 rows = 0;
  void add(int branch, i64) { rows += u64{1} << (32 * branch); }
  void add(const BranchCell& o) { rows += o.rows; }
  i64 rows_of(int branch) const { return static_cast<u32>(rows >> (32 * branch)); }
  i64 weight_of(int branch) const { return rows_of(branch); }
};
struct WeightedBranchCell : BranchCell {
  i64 weight[2] = {0, 0};
  void add(int branch, i64 w) {
    BranchCell::add(branch, w);
    weight[branch] += w;
  }
  void add(const WeightedBranchCell& o) {
    BranchCell::add(o);
    for (int b = 0; b < 2; ++b) weight[b] += o.weight[b];
  }
  i64 weight_of(int branch) const { return weight[branch]; }
};

template <class Cell>
class TableSurrogates {
 public:
  TableSurrogates(const View& view, Team* team) : view_(view), team_(team), cuts_(view.all->cut_columns()) {}

  // The split whose surrogates are searched: its rows, its feature, what agreements are shares of.
  struct Split {
    BranchRows rows;
    std::int32_t feature;
    Rating rating;
  };
  void find(const Split& split, Surrogates& out) {
    const u32 rows = split.rows.count;
    start(split, rows < FINE_ROWS ? 8 : rows < 2 * FINE_ROWS ? 7 : rows < 4 * FINE_ROWS ? 6 : 5);
    count();
    search(out);
  }
  // The same where every row has a branch and weighs one, from the tables of the split's children.
  template <class R>
  void find(const Split& split, const R& y, const BinTable<R>& left, const BinTable<R>& right, Surrogates& out) {
    const double majority = split.rating.majority({});
    const u32 rows = split.rows.count,
              to_read = 2 * BINS * static_cast<u32>(y.width() - 1);  // bins of many words are read no faster
    if (rows < to_read || (rows >= FINE_ROWS && majority < LOPSIDED)) return find(split, out);
    start(split, 8);
    read(y, left, right);
    search(out);
  }

 private:
  // From so many rows on bins are finer: what a bin hides grows like its rows, what tells good cuts from others like
  // their root. Where one branch has such a share, a cut that agrees better than the majority leaves few rows on a
  // side: then few bins are opened anyway.
  static constexpr u32 FINE_ROWS = 8192;
  static constexpr double LOPSIDED = 0.6;

  void start(const Split& split, int shift) {
    split_ = split;
    shift_ = shift;
    first_.clear();
    std::size_t size = 0;
    for (std::size_t j = 0; j < view_.columns(); ++j) {
      first_.push_back(size);
      if (j < cuts_)
        size += std::size_t{65536} >> shift;
      else if (!view_.all->is_wide(j))
        size += view_.all->levels(j) + std::size_t{1};
    }
    cells_.resize(team_members(team_));
    for (auto& cells : cells_) cells.assign(size, {});
    features_.resize(cuts_);
  }

  void count() {
    in_pieces(team_, split_.rows.count, [&](u32 from, u32 to, int member) {
      count_piece(from, to, cells_[static_cast<std::size_t>(member)].data());
    });
    for (std::size_t m = 1; m < cells_.size(); ++m)
      for (std::size_t i = 0; i < cells_[0].size(); ++i) cells_[0][i].add(cells_[m][i]);
  }
  void count_piece(u32 from, u32 to, Cell* cells) const {
    constexpr u32 AHEAD = 12;
    const BranchRows& rows = split_.rows;
    const std::size_t stride = view_.columns(), coded = view_.all->coded_columns();
    for (u32 i = from; i < to; ++i) {
      if (i + AHEAD < to) {
        const Code* later = view_.codes + rows.ids[i + AHEAD] * stride;
        __builtin_prefetch(later);
        __builtin_prefetch(later + stride - 1);
      }
      const std::uint8_t branch = rows.branch[i];
      if (branch > 1) continue;
      const i64 w = rows.w(i);
      const Code* codes = view_.codes + rows.ids[i] * stride;
      for (std::size_t j = 0; j < cuts_; ++j) cells[(j << (16 - shift_)) + (codes[j] >> shift_)].add(branch, w);
      for (std::size_t j = cuts_; j < coded; ++j) cells[first_[j] + codes[j]].add(branch, w);
    }
  }
  template <class R>
  void read(const R& y, const BinTable<R>& left, const BinTable<R>& right) {
    const BinTable<R>* of[2] = {&left, &right};
    typename R::Buffer sums(y.width());
    for (int branch = 0; branch < 2; ++branch) {
      const auto add = [&](Cell& cell, i64 rows) { cell.rows += static_cast<u64>(rows) << (32 * branch); };
      for (std::size_t j = 0; j < cuts_; ++j) {
        i64 before = 0;
        for (int b = 0; b < BINS; ++b) {
          y.take(of[branch]->plane(j), b + 1, sums.data());
          add(cells_[0][first_[j] + b], y.count(sums.data()) - std::exchange(before, y.count(sums.data())));
        }
      }
      for (std::size_t j = cuts_; j < view_.all->coded_columns(); ++j)
        for (u32 level = 0; level < view_.all->levels(j); ++level)
          add(cells_[0][first_[j] + level], y.count(of[branch]->levels(j) + level * y.width()));
    }
  }

  // A feature that is cut: what its edges between bins agree, then its best cut.
  struct Feature {
    BranchCounts all;
    i64 edge = 0, bound = 0;  // the best edge; no cut agrees more
    Surrogate best;
    std::vector<std::uint8_t> opened;
    std::vector<Coded> items;  // rows of opened bins, by code and place
    std::vector<Coded> spare;
    std::vector<std::pair<double, u32>> valued;
  };
  bool is_single(std::size_t j) const { return view_.all->is_single(j); }
  const Cell* cells(std::size_t j) const { return &cells_[0][first_[j]]; }
  std::size_t bins(std::size_t j) const { return (std::size_t{65536} >> shift_) - (view_.all->has_gaps(j) ? 1 : 0); }
  static BranchCounts counts_of(const Cell& cell) {
    return {{cell.weight_of(0), cell.weight_of(1)}, {cell.rows_of(0), cell.rows_of(1)}};
  }
  static i64 lead_of(const Cell& cell) { return cell.weight_of(0) - cell.weight_of(1); }
  static i64 rows_of(const Cell& cell) { return cell.rows_of(0) + cell.rows_of(1); }

  void search(Surrogates& out) {
    each_of(team_, cuts_, [&](std::size_t j) { scan_edges(j); });
    offer_levels(out);
    const double least = least_kept(out);
    std::vector<Wish> wishes;
    for (std::size_t j = 0; j < cuts_; ++j) {
      Feature& feature = features_[j];
      const i64 needed = std::max(split_.rating.needed(feature.all, least), feature.all.majority() + 1);
      if (is_own(j) || feature.bound < needed || is_single(j)) continue;
      open_bins(j, std::max(needed, feature.edge));
      wishes.push_back({static_cast<std::int32_t>(j), feature.opened.data(), &feature.items});
    }
    collect(wishes);
    each_of(team_, wishes.size(), [&](std::size_t k) { refine(static_cast<std::size_t>(wishes[k].feature)); });
    for (std::size_t j = 0; j < cuts_; ++j)
      if (features_[j].best.feature >= 0) out.offer(features_[j].best);
    each_of(team_, out.all().size(), [&](std::size_t k) { locate(out.all()[k]); });
  }
  bool is_own(std::size_t j) const { return static_cast<std::int32_t>(j) == split_.feature; }

  // No surrogate that agrees less is kept.
  double least_kept(const Surrogates& levels) const {
    std::vector<double> sure;
    for (const Surrogate& one : levels.all()) sure.push_back(one.agreement);
    Surrogate at_edge;
    for (std::size_t j = 0; j < cuts_; ++j)
      if (features_[j].edge > features_[j].all.majority() &&
          split_.rating.rate(features_[j].edge, features_[j].all, at_edge))
        sure.push_back(at_edge.agreement);
    if (sure.size() < levels.most()) return -1.0;
    std::nth_element(sure.begin(), sure.begin() + static_cast<std::ptrdiff_t>(levels.most() - 1), sure.end(),
                     std::greater<>());
    return sure[levels.most() - 1];
  }

  void scan_edges(std::size_t j) {
    Feature& feature = features_[j];
    feature.all = {};
    feature.best = {};
    feature.edge = feature.bound = 0;
    if (is_own(j)) return;
    for (std::size_t b = 0; b < bins(j); ++b) feature.all.add(counts_of(cells(j)[b]));
    AgreementScan<std::size_t> scan(feature.all, feature.all.majority());
    for (std::size_t b = 0; b < bins(j); ++b) {
      const Cell& cell = cells(j)[b];
      feature.bound = std::max(feature.bound, scan.bound(cell.weight_of(0), cell.weight_of(1)));
      if (rows_of(cell) > 0) scan.next(b, lead_of(cell), rows_of(cell));
    }
    feature.edge = scan.best();
    if (!is_single(j) || !scan.found) return;
    offer(j, scan.best(), scan.flipped);
    feature.best.code = static_cast<Code>(scan.below << shift_);
    feature.best.below = NOT_LOCATED;
  }

  void offer_levels(Surrogates& out) {
    for (std::size_t j = cuts_; j < view_.columns(); ++j) {
      if (is_own(j)) continue;
      levels_.start();
      if (view_.all->is_wide(j))
        add_wide_levels(j);
      else
        for (u32 level = 0; level < view_.all->levels(j); ++level) levels_.add(level, counts_of(cells(j)[level]));
      Surrogate one;
      const i64 agreed = levels_.best(split_.rating.rpart_quirk, branches_);
      if (agreed < 0 || !split_.rating.rate(agreed, levels_.all(), one)) continue;
      one.feature = static_cast<std::int32_t>(j);
      one.place = view_.all->place(j);
      out.offer(one, branches_);
    }
  }

  // Levels of a column that has more of them than codes: the rows in order of level.
  void add_wide_levels(std::size_t j) {
    std::vector<KeyRow> rows(split_.rows.count), spare;
    for (u32 i = 0; i < split_.rows.count; ++i) rows[i] = {view_.level(j, split_.rows.ids[i]), i};
    radix_sort(rows, spare);
    for (std::size_t i = 0; i < rows.size() && rows[i].key < view_.all->levels(j);) {
      const u32 level = rows[i].key;
      Cell cell;
      for (; i < rows.size() && rows[i].key == level; ++i) add_row(cell, rows[i].row);
      levels_.add(level, counts_of(cell));
    }
  }

  // Marks the bins inside or beside which a cut may agree as much as the bar.
  void open_bins(std::size_t j, i64 bar) {
    Feature& feature = features_[j];
    feature.edge = bar;
    AgreementScan<int> scan(feature.all, bar);
    feature.opened.assign(std::size_t{65536} >> shift_, 0);
    for (std::size_t b = 0; b < bins(j); ++b) {
      const Cell& cell = cells(j)[b];
      feature.opened[b] = scan.bound(cell.weight_of(0), cell.weight_of(1)) >= bar;
      scan.add(lead_of(cell), rows_of(cell));
    }
  }

  void collect(const std::vector<Wish>& wishes) {
    for (const Wish& wish : wishes) wish.items->clear();
    const BranchRows& rows = split_.rows;
    if (wishes.empty()) return;
    const std::size_t stride = view_.columns();
    for (u32 i = 0; i < rows.count; ++i) {
      if (i + 12 < rows.count) __builtin_prefetch(view_.codes + rows.ids[i + 12] * stride);
      const Code* codes = view_.codes + rows.ids[i] * stride;
      for (const Wish& wish : wishes) {
        const Code code = codes[wish.feature];
        if (wish.bins[code >> shift_]) wish.items->push_back({code, i});
      }
    }
  }

  // The best cut among the rows of the opened bins.
  void refine(std::size_t j) {
    Feature& feature = features_[j];
    sort_by_code(feature.items, feature.spare);
    AgreementScan<u32> scan(feature.all, feature.edge - 1);
    std::size_t bin = 0;
    for (std::size_t i = 0, end = 0; i < feature.items.size(); i = end) {
      const u32 code = feature.items[i].code;
      for (; bin < code >> shift_; ++bin)
        if (!feature.opened[bin]) scan.add(lead_of(cells(j)[bin]), rows_of(cells(j)[bin]));
      Cell cell;
      for (end = i; end < feature.items.size() && feature.items[end].code == code; ++end)
        add_row(cell, feature.items[end].id);
      const bool apart =
          end - i > 1 && (scan.improves() || scan.bound(cell.weight_of(0), cell.weight_of(1)) > scan.best());
      if (apart)
        add_values(j, i, end, scan);
      else
        scan.next(feature.items[i].id, lead_of(cell), rows_of(cell));
    }
    if (!scan.found) return;
    offer(j, scan.best(), scan.flipped);
    const u32* ids = split_.rows.ids;
    feature.best.below = view_.row(ids[scan.below]);
    feature.best.above = view_.row(ids[scan.above]);
    feature.best.code = view_.code(j, ids[scan.below]);
    feature.best.whole = view_.code(j, ids[scan.above]) != feature.best.code;
  }
  void add_row(Cell& cell, u32 at) const {
    if (split_.rows.branch[at] < 2) cell.add(split_.rows.branch[at], split_.rows.w(at));
  }
  // Rows of one code, by their values.
  void add_values(std::size_t j, std::size_t from, std::size_t to, AgreementScan<u32>& scan) {
    auto& valued = features_[j].valued;
    valued.clear();
    for (std::size_t i = from; i < to; ++i) {
      const u32 at = features_[j].items[i].id;
      valued.emplace_back(view_.value(j, split_.rows.ids[at]), at);
    }
    std::sort(valued.begin(), valued.end());
    for (std::size_t i = 0, end = 0; i < valued.size(); i = end) {
      Cell cell;
      for (end = i; end < valued.size() && valued[end].first == valued[i].first; ++end)
        add_row(cell, valued[end].second);
      scan.next(valued[i].second, lead_of(cell), rows_of(cell));
    }
  }

  void offer(std::size_t j, i64 agreed, bool flipped) {
    Feature& feature = features_[j];
    if (!split_.rating.rate(agreed, feature.all, feature.best)) return;
    feature.best.feature = static_cast<std::int32_t>(j);
    feature.best.place = view_.all->place(j);
    feature.best.flipped = flipped;
  }

  // The rows about a cut at an edge of bins that hold one value each.
  void locate(Surrogate& one) const {
    if (one.below != NOT_LOCATED) return;
    const BranchRows& rows = split_.rows;
    const auto j = static_cast<std::size_t>(one.feature);
    const int bin = one.code >> shift_, none = view_.all->has_gaps(j) ? NOTHING : BINS * BINS;
    u32 lowest = none;
    for (u32 i = 0; i < rows.count; ++i) {
      const Code code = view_.code(j, rows.ids[i]);
      if (code >> shift_ == bin) {
        one.below = i;
      } else if (code >> shift_ > bin && code < lowest) {
        lowest = code;
        one.above = i;
      }
    }
    one.code = view_.code(j, rows.ids[one.below]);
    one.below = view_.row(rows.ids[one.below]);
    one.above = view_.row(rows.ids[one.above]);
  }

  static constexpr u32 NOT_LOCATED = 0xFFFFFFFFu;

  const View& view_;
  Team* team_;
  const std::size_t cuts_;  // features that are cut; those after them are nominal
  Split split_{};
  int shift_ = 8;
  std::vector<std::size_t> first_;  // of each feature its first cell
  std::vector<std::vector<Cell>> cells_;  // of each member; of the first what all have counted
  std::vector<Feature> features_;
  LevelAgreement levels_;
  std::vector<LevelBranch> branches_;
};

}  // namespace boxwood::coded

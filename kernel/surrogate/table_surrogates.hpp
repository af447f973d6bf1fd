// Surrogates of a large node's split: tables of bins whose response is the branch taken, then only the bins that may
// hide a better cut. Invariant: the cut found is the lowest of those that agree best, at least two voting rows on each
// side. Cost: about 1 ns a row and feature to count; a few rows in a hundred are looked at one by one.
#pragma once

#include "surrogate/branch_tables.hpp"
#include "surrogate/level_branches.hpp"
#include "surrogate/settling.hpp"
#include "surrogate/sifter.hpp"

namespace boxwood::coded {

template <class Cell>
class TableSurrogates {
 public:
  TableSurrogates(const View& view, Team* team)
      : view_(view),
        team_(team),
        columns_(view.all->cut_columns()),
        votes_(view, team),
        sifter_(view, team),
        settler_(view, team) {}

  // What is asked: surrogates for the split of these rows by `feature`, so many at most.
  struct Asked {
    Voters voters;
    std::int32_t feature;
    Rating rating;
    std::size_t most;
  };
  void find(const Asked& asked, Surrogates& out) {
    const u32 rows = asked.voters.count;
    start(asked, rows < FINE_ROWS ? 8 : rows < 2 * FINE_ROWS ? 7 : rows < 4 * FINE_ROWS ? 6 : 5);
    votes_.count(voters_, shift_);
    find(asked.feature, asked.rating, asked.most, out);
  }
  // The same where every row votes and weighs one, from the tables of the split's children.
  template <class R>
  void find(const Asked& asked, const R& y, const BinTable<R>& left, const BinTable<R>& right, Surrogates& out) {
    const u32 rows = asked.voters.count,
              to_read = 2 * BINS * static_cast<u32>(y.width() - 1);  // bins of many words are read no faster
    if (rows < to_read || (rows >= FINE_ROWS && asked.rating.majority() < LOPSIDED)) return find(asked, out);
    start(asked, 8);
    votes_.read(y, left, right);
    find(asked.feature, asked.rating, asked.most, out);
  }

  // Marks the branch, more by SETTLED, of rows that the split does not know and a surrogate does.
  void settle(const Surrogates& found) { settler_.settle(voters_, found.all()); }

 private:
  // From so many rows on bins are finer: what a bin hides grows like its rows, what tells good cuts from others like
  // their root. Where one branch has such a share, a cut that agrees better than the majority leaves few rows on a
  // side: then few bins are opened anyway.
  static constexpr u32 FINE_ROWS = 8192;
  static constexpr double LOPSIDED = 0.6;
  static constexpr u32 MOST_ABOUT =
      16;  // where fewer than one row in so many is about a feature's best edge, its bins are opened

  void start(const Asked& asked, int shift) {
    voters_ = asked.voters;
    looks_.resize(columns_);
    shift_ = shift;
    n_bins_ = 65536 >> shift_;
  }

  void find(std::int32_t feature, const Rating& rating, std::size_t most, Surrogates& out) {
    each_of(team_, columns_,
            [&](std::size_t j) { looks_[j].wanted = static_cast<std::int32_t>(j) != feature && glance(j); });
    std::vector<double> sure;  // what the best edges agree
    for (const Look& look : looks_) {
      Surrogate at_edge;
      if (look.wanted && look.best.agreed > look.votes.most() && rating.rate(look.best.agreed, look.votes, at_edge))
        sure.push_back(at_edge.agreement);
    }
    offer_levels(feature, rating, out);
    for (const Surrogate& one : out.all()) sure.push_back(one.agreement);
    std::sort(sure.begin(), sure.end(), std::greater<>());
    const double least = sure.size() < most ? -1.0 : sure[most - 1];
    chosen_.clear();
    opened_.clear();
    for (std::size_t j = 0; j < columns_; ++j) {
      if (!looks_[j].wanted || looks_[j].reach < rating.needed(looks_[j].votes, least)) continue;
      chosen_.push_back(j);
      if (open(j, rating.needed(looks_[j].votes, least))) opened_.push_back(j);
    }
    wishes_.clear();
    for (const std::size_t j : opened_)
      wishes_.push_back({static_cast<std::int32_t>(j), looks_[j].opened.data(), &looks_[j].items});
    sifter_.collect(voters_, wishes_, shift_);
    each_of(team_, opened_.size(), [&](std::size_t k) { walk(opened_[k]); });
    for (const std::size_t j : chosen_) {
      Surrogate one;
      one.feature = static_cast<std::int32_t>(j);
      one.place = view_.all->place(j);
      one.flipped = looks_[j].best.flipped;
      if (looks_[j].best.agreed > looks_[j].votes.most() && rating.rate(looks_[j].best.agreed, looks_[j].votes, one))
        out.offer(one);
    }
    settler_.locate(voters_, out, [&](std::size_t k) {
      const auto j = static_cast<std::size_t>(out.all()[k].feature);
      return AboutCut{looks_[j].best, rows_about(j)};
    });
  }

  struct Look {
    bool wanted = false;
    Votes votes;
    i64 reach = 0;
    VotedCut best;
    std::vector<i64> reaches;  // the most that a cut inside each bin may agree
    std::vector<std::uint8_t> opened;
    std::vector<Coded> items;
    std::vector<Coded> spare;
    std::vector<std::pair<double, i64>> valued;  // value, weight with the branch as its sign
  };
  int bins(std::size_t j) const { return view_.all->has_gaps(j) ? n_bins_ - 1 : n_bins_; }
  double value(std::size_t j, u32 at) const { return view_.value(j, voters_.ids[at]); }
  Code code(std::size_t j, u32 at) const { return view_.code(j, voters_.ids[at]); }

  // Sets of levels of the nominal features.
  void offer_levels(std::int32_t feature, const Rating& rating, Surrogates& out) {
    for (std::size_t j = columns_; j < view_.columns(); ++j) {
      if (static_cast<std::int32_t>(j) == feature) continue;
      levels_.start();
      const Cell* cells = votes_.of(j);
      for (u32 level = 0; level < view_.all->levels(j); ++level)
        levels_.add(level, cells[level].of(0), cells[level].of(1), cells[level].count());
      Votes votes;
      Surrogate one;
      const i64 agreed = levels_.agreed(votes);
      if (agreed < 0 || !rating.rate(agreed, votes, one)) continue;
      one.feature = static_cast<std::int32_t>(j);
      one.place = view_.all->place(j);
      out.offer(one, levels_.told());
    }
  }

  // Edges of one feature's bins, and what cuts inside them may agree. False when nothing can agree better than the
  // majority.
  bool glance(std::size_t j) {
    votes_.add_up(j);
    const Cell* cells = votes_.of(j);
    Look& look = looks_[j];
    Cell all{};
    for (int b = 0; b < bins(j); ++b) all.add(cells[b]);
    look.votes = {{all.of(0), all.of(1)}, all.count()};
    look.best = {};
    look.best.agreed = look.votes.most();
    look.reaches.resize(static_cast<std::size_t>(n_bins_));
    const bool single = view_.all->is_single(j);
    i64 ahead = 0, rows = 0, reach = 0;
    for (int b = 0; b < bins(j); ++b) {
      offer(look, ahead, rows, {static_cast<Code>((b << shift_) - 1), true, 0});
      const i64 of[2] = {cells[b].of(0), cells[b].of(1)}, count = cells[b].count();
      look.reaches[b] = std::max(look.votes.weight[1] + ahead + of[0], look.votes.weight[0] - ahead + of[1]);
      reach = std::max(reach, count > 1 ? look.reaches[b] : 0);
      ahead += of[0] - of[1];
      rows += count;
    }
    look.reach = single ? look.best.agreed : std::max(look.best.agreed, reach);
    return look.reach > look.votes.most();
  }

  // Marks the bins that may hide a better cut, or an equal one before it, good enough to be kept.
  bool open(std::size_t j, i64 needed) {
    const Cell* cells = votes_.of(j);
    Look& look = looks_[j];
    const bool single = view_.all->is_single(j), found = look.best.agreed > look.votes.most();
    bool any = false;
    i64 before = 0;
    look.opened.assign(static_cast<std::size_t>(n_bins_), 0);
    for (int b = 0; b < bins(j) && !single; ++b) {
      const i64 reach = look.reaches[b];
      const bool better = found && before < look.best.rows ? reach >= look.best.agreed : reach > look.best.agreed;
      look.opened[b] = better && reach >= needed && cells[b].count() > 1;
      any = any || look.opened[b];
      before += cells[b].count();
    }
    if (!found || single || look.best.agreed < needed) return any;
    const About about = bins_about(j);
    if (about.rows > voters_.count / MOST_ABOUT) return any;
    std::fill(&look.opened[about.from], &look.opened[about.to] + 1, std::uint8_t{1});
    return true;
  }

  // The bins from that of the last row below the best cut so far to that of the first row over it, of those that vote.
  struct About {
    int from, to;
    i64 rows;
  };
  About bins_about(std::size_t j) const {
    const Cell* cells = votes_.of(j);
    const VotedCut& cut = looks_[j].best;
    About out{cut.code >> shift_, (cut.code + (cut.whole ? 1 : 0)) >> shift_, 0};
    while (cells[out.from].count() == 0) --out.from;
    while (cells[out.to].count() == 0) ++out.to;
    for (int b = out.from; b <= out.to; ++b) out.rows += cells[b].count();
    return out;
  }
  // All rows of the node in these bins.
  const std::vector<Coded>& rows_about(std::size_t j) {
    Look& look = looks_[j];
    const About about = bins_about(j);
    const auto is_open = [](std::uint8_t open) { return open != 0; };
    if (!look.opened.empty() && std::all_of(&look.opened[about.from], &look.opened[about.to] + 1, is_open))
      return look.items;
    look.items.resize(voters_.count);
    const auto first = static_cast<Code>(about.from << shift_),
               last = static_cast<Code>(((about.to + 1) << shift_) - 1);
    std::size_t kept = 0;
    for (u32 i = 0; i < voters_.count; ++i) {
      const Code c = code(j, i);
      look.items[kept] = {c, i};
      kept += c >= first && c <= last;
    }
    look.items.resize(kept);
    return look.items;
  }

  struct At {
    Code code;
    bool whole;
    double below;
  };
  // Rows and lead of branch 0 below a place where a cut may stand.
  static void offer(Look& look, i64 ahead, i64 rows, const At& at) {
    const i64 straight = look.votes.weight[1] + ahead, crossed = look.votes.weight[0] - ahead,
              agreed = std::max(straight, crossed);
    if (agreed < look.best.agreed || rows < 2 || look.votes.rows - rows < 2) return;  // most often the first
    const bool earlier = agreed == look.best.agreed && agreed > look.votes.most() && rows < look.best.rows;
    if (agreed > look.best.agreed || earlier)
      look.best = {agreed, rows, crossed > straight, at.whole, at.code, at.below};
  }

  void walk(std::size_t j) {
    Look& look = looks_[j];
    sort_by_code(look.items, look.spare);
    const Cell* cells = votes_.of(j);
    i64 ahead = 0, rows = 0;
    int next = 0;
    for (std::size_t i = 0; i < look.items.size();) {
      const auto code = static_cast<Code>(look.items[i].code);
      for (; next < code >> shift_; ++next) {
        ahead += cells[next].of(0) - cells[next].of(1);
        rows += cells[next].count();
      }
      const std::size_t from = i;
      i64 in_ahead = ahead, in_rows = rows;  // within this bin
      while (i < look.items.size() && look.items[i].code >> shift_ == look.items[from].code >> shift_) {
        std::size_t end = i + 1;
        while (end < look.items.size() && look.items[end].code == look.items[i].code) ++end;
        walk_code(j, look, i, end, in_ahead, in_rows);
        offer(look, in_ahead, in_rows, {static_cast<Code>(look.items[i].code), true, 0});
        i = end;
      }
    }
  }

  // Rows of one code, told apart by their values.
  void walk_code(std::size_t j, Look& look, std::size_t from, std::size_t to, i64& ahead, i64& rows) const {
    i64 of[2] = {0, 0}, voting = 0;
    for (std::size_t i = from; i < to; ++i) {
      const u32 at = look.items[i].id;
      if (voters_.branch[at] > 1) continue;
      of[voters_.branch[at]] += voters_.w(at);
      ++voting;
    }
    const i64 reach = std::max(look.votes.weight[1] + ahead + of[0], look.votes.weight[0] - ahead + of[1]);
    if (voting > 1 && reach >= look.best.agreed) walk_values(j, look, from, to, ahead, rows);
    ahead += of[0] - of[1];
    rows += voting;
  }
  void walk_values(std::size_t j, Look& look, std::size_t from, std::size_t to, i64 ahead, i64 rows) const {
    auto& valued = look.valued;
    valued.clear();
    for (std::size_t i = from; i < to; ++i) {
      const u32 at = look.items[i].id;
      if (voters_.branch[at] < 2)
        valued.emplace_back(value(j, at), voters_.branch[at] ? -voters_.w(at) : voters_.w(at));
    }
    std::sort(valued.begin(), valued.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i + 1 < valued.size(); ++i) {
      ahead += valued[i].second;
      ++rows;
      if (valued[i].first < valued[i + 1].first)
        offer(look, ahead, rows, {static_cast<Code>(look.items[from].code), false, valued[i].first});
    }
  }

  const View& view_;
  Team* team_;
  const std::size_t columns_;
  int shift_ = 8, n_bins_ = BINS;
  Voters voters_{};
  std::vector<Look> looks_;
  VoteTables<Cell> votes_;
  LevelVotes levels_;
  std::vector<Wish> wishes_;
  Sifter sifter_;
  std::vector<std::size_t> chosen_, opened_;  // features that may be kept; those of them with bins to look into
  Settler settler_;
};

}  // namespace boxwood::coded

// Stand-ins of a large node's split: tables of bins whose response is the branch taken, then only the bins that may hide a better cut.
// Invariant: the cut found is the lowest of those that agree best, at least two voting rows on each side.
// Cost: about 1 ns a row and feature to count; a few rows in a hundred are looked at one by one.
#pragma once

#include <array>
#include <mutex>

#include "refine.hpp"
#include "stand_in.hpp"

namespace boxwood::coded {

// Rows by branch in one bin; of weight one, so many in each half of a word.
struct VoteCell {
  u64 rows = 0;
  i64 weight[2] = {0, 0};
  void add(int branch, i64 w) {
    ++rows;
    weight[branch] += w;
  }
  void add(const VoteCell& o) {
    rows += o.rows;
    weight[0] += o.weight[0];
    weight[1] += o.weight[1];
  }
  i64 count() const { return static_cast<i64>(rows); }
  i64 of(int branch) const { return weight[branch]; }
};
struct CountCell {
  u64 rows = 0;
  void add(int branch, i64) { rows += u64{1} << (32 * branch); }
  void add(const CountCell& o) { rows += o.rows; }
  i64 count() const { return of(0) + of(1); }
  i64 of(int branch) const { return static_cast<u32>(rows >> (32 * branch)); }
};

// Added to the branch of a row that a stand-in sends.
constexpr std::uint8_t SETTLED = 4;

// Rows of one node, and what the split made of them. `branch`: of the row at each place, 0, 1, or more where the split does not know.
struct Voters {
  const u32* ids;
  std::uint8_t* branch;
  u32 count;
  const i64* weight;  // by id, nullptr = 1 each
  i64 w(u32 at) const { return weight ? weight[ids[at]] : 1; }
};

template <class Cell>
class LargeStandIns {
 public:
  LargeStandIns(const View& view, Team* team) : view_(view), team_(team), columns_(view.all->cut_columns()) {}

  // `feature`: the split's own.
  void find(const Voters& voters, std::int32_t feature, const Rating& rating, std::size_t most, StandIns& out) {
    voters_ = voters;
    looks_.resize(columns_);
    count();
    std::vector<double> sure;  // what the best edges agree
    for (std::size_t j = 0; j < columns_; ++j) {
      Look& look = looks_[j];
      look.wanted = false;
      if (static_cast<std::int32_t>(j) == feature || !glance(j)) continue;
      look.wanted = true;
      StandIn at_edge;
      if (look.best.agreed > look.votes.most() && rating.rate(look.best.agreed, look.votes, at_edge)) sure.push_back(at_edge.agreement);
    }
    std::sort(sure.begin(), sure.end(), std::greater<>());
    const double least = sure.size() < most ? -1.0 : sure[most - 1];
    chosen_.clear();
    opened_.clear();
    for (std::size_t j = 0; j < columns_; ++j) {
      if (!looks_[j].wanted || !(rating.agreement(looks_[j].reach, looks_[j].votes) >= least)) continue;
      chosen_.push_back(j);
      if (open(j, rating, least)) opened_.push_back(j);
    }
    collect();
    each(opened_.size(), [&](std::size_t k, int) { walk(opened_[k]); });
    for (const std::size_t j : chosen_) {
      StandIn one;
      one.feature = static_cast<std::int32_t>(j);
      one.place = view_.all->place(j);
      one.flipped = looks_[j].best.flipped;
      if (looks_[j].best.agreed > looks_[j].votes.most() && rating.rate(looks_[j].best.agreed, looks_[j].votes, one)) out.offer(one);
    }
  }

  // The rows about each cut.
  void locate_all(StandIns& found) {
    auto& all = found.all();
    codes_.resize(std::max(codes_.size(), all.size()));
    borders_.assign(all.size(), {});
    each(all.size(), [&](std::size_t k, int) { locate(all[k], codes_[k], borders_[k]); });
  }

  // The same; then marks the branch, more by SETTLED, of rows that the split does not know and a stand-in does.
  void settle(StandIns& found) {
    locate_all(found);
    in_pieces(team_, voters_.count, [&](u32 from, u32 to, int) {
      for (u32 i = from; i < to; ++i)
        if (voters_.branch[i] > 1) settle_row(found.all(), i);
    });
  }

 private:
  void settle_row(const std::vector<StandIn>& all, u32 i) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto j = static_cast<std::size_t>(all[k].feature);
      const Code code = codes_[k][i];
      if (is_none(j, code)) continue;
      const bool above = code > borders_[k].code || (code == borders_[k].code && value(j, i) > borders_[k].below);
      voters_.branch[i] = static_cast<std::uint8_t>(SETTLED + (above != all[k].flipped));
      return;
    }
  }

  // A way to part the voting rows: code below `code`, or equal to it and (`whole` or value <= below).
  struct Parting {
    i64 agreed = -1, rows = 0;
    bool flipped = false, whole = true;
    Code code = 0;
    double below = 0;
  };
  struct Look {
    bool wanted = false;
    Votes votes;
    i64 reach = 0;
    Parting best;
    std::array<i64, BINS> reaches;  // the most that a cut inside each bin may agree
    std::array<std::uint8_t, BINS> opened;
    std::vector<Coded> items;
    std::vector<Coded> spare;
    std::vector<std::pair<double, i64>> valued;  // value, weight with the branch as its sign
  };
  struct Border {
    Code code = 0;
    double below = 0;
  };

  template <class Task>
  void each(std::size_t n, const Task& task) {
    if (team_ && team_->size() > 1 && n > 1) {
      team_->run(n, task);
    } else {
      for (std::size_t k = 0; k < n; ++k) task(k, 0);
    }
  }

  bool is_none(std::size_t j, Code code) const { return code == NOTHING && view_.all->has_gaps(j); }
  int bins(std::size_t j) const { return view_.all->has_gaps(j) ? BINS - 1 : BINS; }
  double value(std::size_t j, u32 at) const { return view_.value(j, voters_.ids[at]); }
  Code code(std::size_t j, u32 at) const { return view_.code(j, voters_.ids[at]); }

  void count() {
    const std::size_t members = team_ ? static_cast<std::size_t>(team_->size()) : 1;
    cells_.resize(members);
    for (auto& cells : cells_) cells.assign(columns_ * BINS, {});
    in_pieces(team_, voters_.count, [&](u32 from, u32 to, int member) { count_piece(from, to, cells_[member].data()); });
    for (std::size_t m = 1; m < members; ++m)
      for (std::size_t i = 0; i < cells_[0].size(); ++i) cells_[0][i].add(cells_[m][i]);
  }
  void count_piece(u32 from, u32 to, Cell* cells) const {
    constexpr u32 AHEAD = 12;
    const std::size_t stride = view_.columns();
    for (u32 i = from; i < to; ++i) {
      if (i + AHEAD < to) __builtin_prefetch(view_.codes + voters_.ids[i + AHEAD] * stride);
      const std::uint8_t branch = voters_.branch[i];
      if (branch > 1) continue;
      const i64 w = voters_.w(i);
      const Code* codes = view_.codes + voters_.ids[i] * stride;
      for (std::size_t j = 0; j < columns_; ++j) cells[j * BINS + (codes[j] >> 8)].add(branch, w);
    }
  }

  // Edges of one feature's bins, and what cuts inside them may agree. False when nothing can agree better than the majority.
  bool glance(std::size_t j) {
    const Cell* cells = &cells_[0][j * BINS];
    Look& look = looks_[j];
    look.votes = {};
    for (int b = 0; b < bins(j); ++b) {
      for (int c = 0; c < 2; ++c) look.votes.weight[c] += cells[b].of(c);
      look.votes.rows += cells[b].count();
    }
    look.best = {};
    look.best.agreed = look.votes.most();
    i64 ahead = 0, rows = 0;
    for (int b = 0; b < bins(j); ++b) {
      offer(look, ahead, rows, {static_cast<Code>(b * 256 - 1), true, 0});
      look.reaches[b] = std::max(look.votes.weight[1] + ahead + cells[b].of(0), look.votes.weight[0] - ahead + cells[b].of(1));
      ahead += cells[b].of(0) - cells[b].of(1);
      rows += cells[b].count();
    }
    look.reach = look.best.agreed;
    if (!view_.all->is_single(j))
      for (int b = 0; b < bins(j); ++b)
        if (cells[b].count() > 1) look.reach = std::max(look.reach, look.reaches[b]);
    return look.reach > look.votes.most();
  }

  // Marks the bins that may hide a better cut, or an equal one before it, good enough to be kept.
  bool open(std::size_t j, const Rating& rating, double least) {
    const Cell* cells = &cells_[0][j * BINS];
    Look& look = looks_[j];
    const bool single = view_.all->is_single(j), found = look.best.agreed > look.votes.most();
    bool any = false;
    i64 before = 0;
    look.opened.fill(0);
    for (int b = 0; b < bins(j) && !single; ++b) {
      const i64 reach = look.reaches[b];
      const bool better = found && before < look.best.rows ? reach >= look.best.agreed : reach > look.best.agreed;
      look.opened[b] = better && cells[b].count() > 1 && rating.agreement(reach, look.votes) >= least;
      any = any || look.opened[b];
      before += cells[b].count();
    }
    return any;
  }

  struct At {
    Code code;
    bool whole;
    double below;
  };
  // Rows and lead of branch 0 below a place where a cut may stand.
  static void offer(Look& look, i64 ahead, i64 rows, const At& at) {
    if (rows < 2 || look.votes.rows - rows < 2) return;
    const i64 straight = look.votes.weight[1] + ahead, crossed = look.votes.weight[0] - ahead, agreed = std::max(straight, crossed);
    const bool earlier = agreed == look.best.agreed && agreed > look.votes.most() && rows < look.best.rows;
    if (agreed > look.best.agreed || earlier) look.best = {agreed, rows, crossed > straight, at.whole, at.code, at.below};
  }

  void walk(std::size_t j) {
    Look& look = looks_[j];
    sort_by_code(look.items, look.spare);
    const Cell* cells = &cells_[0][j * BINS];
    i64 ahead = 0, rows = 0;
    int next = 0;
    for (std::size_t i = 0; i < look.items.size();) {
      const auto code = static_cast<Code>(look.items[i].code);
      for (; next < code >> 8; ++next) {
        ahead += cells[next].of(0) - cells[next].of(1);
        rows += cells[next].count();
      }
      const std::size_t from = i;
      i64 in_ahead = ahead, in_rows = rows;  // within this bin
      while (i < look.items.size() && look.items[i].code >> 8 == look.items[from].code >> 8) {
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
    i64 of[2] = {0, 0};
    for (std::size_t i = from; i < to; ++i) of[voters_.branch[look.items[i].id]] += voters_.w(look.items[i].id);
    const i64 reach = std::max(look.votes.weight[1] + ahead + of[0], look.votes.weight[0] - ahead + of[1]);
    const auto lead = [&](std::size_t i) { return voters_.branch[look.items[i].id] ? -voters_.w(look.items[i].id) : voters_.w(look.items[i].id); };
    if (to - from > 1 && reach >= look.best.agreed) {
      auto& valued = look.valued;
      valued.clear();
      for (std::size_t i = from; i < to; ++i) valued.emplace_back(value(j, look.items[i].id), lead(i));
      std::sort(valued.begin(), valued.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      i64 in = ahead;
      for (std::size_t i = 0; i + 1 < valued.size(); ++i) {
        in += valued[i].second;
        if (valued[i].first < valued[i + 1].first)
          offer(look, in, rows + static_cast<i64>(i) + 1, {static_cast<Code>(look.items[from].code), false, valued[i].first});
      }
    }
    ahead += of[0] - of[1];
    rows += static_cast<i64>(to - from);
  }

  // Places of the voting rows in opened bins, with their codes: one pass over the node, piece by piece.
  void collect() {
    for (const std::size_t j : opened_) looks_[j].items.clear();
    if (opened_.empty()) return;
    std::mutex mutex;
    in_pieces(team_, voters_.count, [&](u32 from, u32 to, int) {
      std::array<Coded, PIECE> kept;
      for (const std::size_t j : opened_) {
        const std::size_t n = collect_piece(j, from, to, kept.data());
        const std::lock_guard lock(mutex);
        looks_[j].items.insert(looks_[j].items.end(), kept.data(), kept.data() + n);
      }
    });
  }
  std::size_t collect_piece(std::size_t j, u32 from, u32 to, Coded* kept) const {
    constexpr u32 AHEAD = 16;
    const auto& opened = looks_[j].opened;
    const Code* codes = view_.codes + j;
    const std::size_t stride = view_.columns();
    std::size_t n = 0;
    for (u32 i = from; i < to; ++i) {
      if (i + AHEAD < to) __builtin_prefetch(codes + voters_.ids[i + AHEAD] * stride);
      const Code c = codes[voters_.ids[i] * stride];
      kept[n] = {c, i};
      n += opened[c >> 8] & (voters_.branch[i] < 2);
    }
    return n;
  }

  // The greatest value that voted for the lower side, and the least value over it in the node.
  void locate(StandIn& one, std::vector<Code>& codes, Border& border) const {
    const std::size_t j = static_cast<std::size_t>(one.feature);
    const Parting& cut = looks_[j].best;
    const u32 n = voters_.count;
    codes.resize(n);
    int highest = -1;
    for (u32 i = 0; i < n; ++i) {
      const int c = codes[i] = code(j, i);
      if (voters_.branch[i] < 2 && c <= cut.code && c > highest && (cut.whole || c < cut.code || value(j, i) <= cut.below)) highest = c;
    }
    border.code = static_cast<Code>(highest);
    border.below = -std::numeric_limits<double>::infinity();
    bool found = false;
    int lowest = BINS * BINS;
    for (u32 i = 0; i < n; ++i) {
      const int c = codes[i];
      if (c > highest && !is_none(j, codes[i])) lowest = std::min(lowest, c);
      if (c != highest || voters_.branch[i] > 1) continue;
      const double x = value(j, i);
      if ((!cut.whole && c == cut.code && x > cut.below) || (found && !(x > border.below))) continue;
      border.below = x;
      one.below = view_.row(voters_.ids[i]);
      found = true;
    }
    double above = std::numeric_limits<double>::infinity();
    bool inside = false;
    found = false;
    for (u32 i = 0; i < n; ++i) {
      const int c = codes[i];
      if (c != highest && c != lowest) continue;
      if (is_none(j, codes[i]) || (c == lowest && inside)) continue;
      const double x = value(j, i);
      if (c == highest && !(x > border.below)) continue;
      if (found && (c == highest) == inside && !(x < above)) continue;
      above = x;
      inside = c == highest;
      found = true;
      one.above = view_.row(voters_.ids[i]);
    }
  }

  const View& view_;
  Team* team_;
  const std::size_t columns_;
  Voters voters_{};
  std::vector<Look> looks_;
  std::vector<std::vector<Cell>> cells_;
  std::vector<std::size_t> chosen_, opened_;  // features that may be kept; those of them with bins to look into
  std::vector<std::vector<Code>> codes_;  // of each stand-in's feature, by place
  std::vector<Border> borders_;
};

}  // namespace boxwood::coded

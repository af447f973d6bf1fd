// Where stand-ins cut, in rows of the learning set; and the branches they give to rows that the split does not know.
// Invariant: a cut lies between the greatest value that voted for its lower side and the least value over it in the node; the first
// stand-in that knows a row sends it. Cost: three passes over the node's rows for each stand-in, 0.5 ns a row each.
#pragma once

#include "stand_in.hpp"
#include "voters.hpp"

namespace boxwood::coded {

class Settler {
 public:
  Settler(const View& view, Team* team) : view_(view), team_(team) {}

  // The rows about each cut; `cuts`: of each that is one.
  void locate(const Voters& voters, StandIns& found, const std::vector<VotedCut>& cuts) {
    auto& all = found.all();
    codes_.resize(std::max(codes_.size(), all.size()));
    borders_.assign(all.size(), {});
    each_of(team_, all.size(), [&](std::size_t k) {
      if (all[k].n_levels)
        lay_out(found, all[k], borders_[k]);
      else
        locate(voters, cuts[k], all[k], codes_[k], borders_[k]);
    });
  }

  // Marks the branch, more by SETTLED, of rows that the split does not know and one of the stand-ins just located does.
  void settle(const Voters& voters, const std::vector<StandIn>& all) const {
    in_pieces(team_, voters.count, [&](u32 from, u32 to, int) {
      for (u32 i = from; i < to; ++i)
        if (voters.branch[i] > 1) settle_row(voters, all, i);
    });
  }

 private:
  struct Border {
    Code code = 0;
    double below = 0;
    std::vector<std::uint8_t> of_level;  // the branch of each level, NOBODY = not known
  };
  static constexpr std::uint8_t NOBODY = 0xff;

  void lay_out(const StandIns& found, const StandIn& one, Border& border) const {
    border.of_level.assign(view_.all->levels(static_cast<std::size_t>(one.feature)) + std::size_t{1}, NOBODY);
    for (const LevelBranch *level = found.levels(one), *end = level + one.n_levels; level != end; ++level)
      border.of_level[level->level] = static_cast<std::uint8_t>(level->branch);
  }

  // By one comparison that can be foreseen, as either alone cannot.
  static bool is_between(int below, int c, int above) { return static_cast<u32>(c - below - 1) < static_cast<u32>(above - below - 1); }
  bool is_none(std::size_t j, Code code) const { return code == NOTHING && view_.all->has_gaps(j); }
  double value(const Voters& voters, std::size_t j, u32 at) const { return view_.value(j, voters.ids[at]); }

  void settle_row(const Voters& voters, const std::vector<StandIn>& all, u32 i) const {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto j = static_cast<std::size_t>(all[k].feature);
      if (all[k].n_levels) {
        const std::uint8_t branch = borders_[k].of_level[view_.code(j, voters.ids[i])];
        if (branch == NOBODY) continue;
        voters.branch[i] = static_cast<std::uint8_t>(SETTLED + branch);
        return;
      }
      const Code code = codes_[k][i];
      if (is_none(j, code)) continue;
      const bool above = code > borders_[k].code || (code == borders_[k].code && value(voters, j, i) > borders_[k].below);
      voters.branch[i] = static_cast<std::uint8_t>(SETTLED + (above != all[k].flipped));
      return;
    }
  }

  // The greatest value that voted for the lower side, and the least value over it in the node.
  void locate(const Voters& voters, const VotedCut& cut, StandIn& one, std::vector<Code>& codes, Border& border) const {
    const std::size_t j = static_cast<std::size_t>(one.feature);
    const u32 n = voters.count;
    codes.resize(n);
    int highest = -1;
    for (u32 i = 0; i < n; ++i) {
      const int c = codes[i] = view_.code(j, voters.ids[i]);
      if (is_between(highest, c, cut.code + 1) && voters.branch[i] < 2 && (cut.whole || c < cut.code || value(voters, j, i) <= cut.below)) highest = c;
    }
    border.code = static_cast<Code>(highest);
    border.below = -std::numeric_limits<double>::infinity();
    bool found = false;
    int lowest = view_.all->has_gaps(j) ? int{NOTHING} : BINS * BINS;
    for (u32 i = 0; i < n; ++i) {
      const int c = codes[i];
      if (is_between(highest, c, lowest)) lowest = c;
      if (c != highest || voters.branch[i] > 1) continue;
      const double x = value(voters, j, i);
      if ((!cut.whole && c == cut.code && x > cut.below) || (found && !(x > border.below))) continue;
      border.below = x;
      one.below = view_.row(voters.ids[i]);
      found = true;
    }
    double above = std::numeric_limits<double>::infinity();
    bool inside = false;
    found = false;
    for (u32 i = 0; i < n; ++i) {
      const int c = codes[i];
      if (c != highest && c != lowest) continue;
      if (is_none(j, codes[i]) || (c == lowest && inside)) continue;
      const double x = value(voters, j, i);
      if (c == highest && !(x > border.below)) continue;
      if (found && (c == highest) == inside && !(x < above)) continue;
      above = x;
      inside = c == highest;
      found = true;
      one.above = view_.row(voters.ids[i]);
    }
  }

  const View& view_;
  Team* team_;
  std::vector<std::vector<Code>> codes_;  // of each stand-in's feature, by place
  std::vector<Border> borders_;
};

}  // namespace boxwood::coded

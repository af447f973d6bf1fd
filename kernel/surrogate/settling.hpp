// Where surrogates cut, in rows of the learning set; and the branches they give to rows that the split does not know.
// Invariant: a cut lies between the greatest value that voted for its lower side and the least value over it in the
// node; the first surrogate that knows a row sends it. Cost: a few operations for each row about a cut.
#pragma once

#include "search/refinement.hpp"
#include "surrogate/branch_counts.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

// A cut, and the rows of the node about it, each by its code and place: at least all those from the code of the
// greatest value that voted for its lower side to that of the least value over it.
struct AboutCut {
  const VotedCut& cut;
  const std::vector<Coded>& items;
};

class Settler {
 public:
  Settler(const View& view, Team* team) : view_(view), team_(team) {}

  // The rows about each cut, from codes and places of all rows of the node about it; `about(k)`: of surrogate k, which
  // is a cut.
  template <class About>
  void locate(const Voters& voters, Surrogates& found, const About& about) {
    auto& all = found.all();
    borders_.assign(all.size(), {});
    each_of(team_, all.size(), [&](std::size_t k) {
      if (all[k].n_levels)
        lay_out(found, all[k], borders_[k]);
      else
        locate(voters, about(k), all[k], borders_[k]);
    });
  }

  // Marks the branch, more by SETTLED, of rows that the split does not know and one of the surrogates just located
  // does.
  void settle(const Voters& voters, const std::vector<Surrogate>& all) const {
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

  // The least distance offered, and where; of equal ones the first place.
  struct Nearest {
    double distance = 0;
    u32 at = 0;
    bool found = false;
    void take(double other, u32 place) {
      if (!found || other < distance || (other == distance && place < at)) *this = {other, place, true};
    }
  };

  void lay_out(const Surrogates& found, const Surrogate& one, Border& border) const {
    border.of_level.assign(view_.all->levels(static_cast<std::size_t>(one.feature)) + std::size_t{1}, NOBODY);
    for (const LevelBranch *level = found.levels(one), *end = level + one.n_levels; level != end; ++level)
      border.of_level[level->level] = static_cast<std::uint8_t>(level->branch);
  }

  bool is_none(std::size_t j, u32 code) const { return code == NOTHING && view_.all->has_gaps(j); }
  double value(const Voters& voters, std::size_t j, u32 at) const { return view_.value(j, voters.ids[at]); }

  void settle_row(const Voters& voters, const std::vector<Surrogate>& all, u32 i) const {
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto j = static_cast<std::size_t>(all[k].feature);
      if (all[k].n_levels) {
        const std::uint8_t branch = borders_[k].of_level[view_.code(j, voters.ids[i])];
        if (branch == NOBODY) continue;
        voters.branch[i] = static_cast<std::uint8_t>(SETTLED + branch);
        return;
      }
      const Code code = view_.code(j, voters.ids[i]);
      if (is_none(j, code)) continue;
      const bool above =
          code > borders_[k].code || (code == borders_[k].code && value(voters, j, i) > borders_[k].below);
      voters.branch[i] = static_cast<std::uint8_t>(SETTLED + (above != all[k].flipped));
      return;
    }
  }

  // The greatest value that voted for the lower side, and the least value over it in the node; of equal ones the first
  // row's.
  void locate(const Voters& voters, const AboutCut& about, Surrogate& one, Border& border) const {
    const VotedCut& cut = about.cut;
    const auto j = static_cast<std::size_t>(one.feature);
    const bool single = view_.all->is_single(j);
    const auto value_at = [&](u32 at) { return single ? 0.0 : value(voters, j, at); };  // one row is as good as all
    int highest = -1, lowest = BINS * BINS;
    for (const auto& [code, at] : about.items) {
      const int c = static_cast<int>(code);
      if (c > highest && c <= cut.code && voters.branch[at] < 2 &&
          (cut.whole || c < cut.code || value_at(at) <= cut.below))
        highest = c;
    }
    Nearest below, inside, above;
    for (const auto& [code, at] : about.items) {
      const int c = static_cast<int>(code);
      if (c > highest && c < lowest && !is_none(j, code)) lowest = c;
      if (c != highest || voters.branch[at] > 1) continue;
      const double x = value_at(at);
      if (cut.whole || c != cut.code || x <= cut.below) below.take(-x, at);
    }
    border.code = static_cast<Code>(highest);
    border.below = value(voters, j, below.at);
    for (const auto& [code, at] : about.items) {
      const int c = static_cast<int>(code);
      if (c == lowest) above.take(value_at(at), at);
      if (c == highest && !single && value_at(at) > border.below) inside.take(value_at(at), at);
    }
    one.below = view_.row(voters.ids[below.at]);
    one.above = view_.row(voters.ids[inside.found ? inside.at : above.at]);
  }

  const View& view_;
  Team* team_;
  std::vector<Border> borders_;
};

}  // namespace boxwood::coded

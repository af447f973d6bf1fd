// Sends the rows of a large node to the children of its split.
// Invariant: ids keep their order; whoever sends which piece, the children are the same.
// Cost: a few passes over the node's rows.
#pragma once

#include <memory>

#include "grow/branch_codes.hpp"
#include "grow/partitioned.hpp"
#include "search/rows_view.hpp"
#include "surrogate/table_surrogates.hpp"

namespace boxwood::coded {

template <class R>
class Sending {
 public:
  using Sums = typename R::Sums;

  Sending(const R& y, const Rules& rules, const View& view, Ids& ids, Team* team)
      : y_(y), rules_(rules), view_(view), ids_(ids), team_(team), search_(view, team) {}

  // Room for a code of each row of a node.
  Code* codes_for(u32 count) {
    if (room_ < count) codes_ = room_for<Code>(count);
    room_ = std::max(room_, count);
    return codes_.get();
  }

  // `node`: sums of all its rows; `levels`: which level goes where, for a set of levels; else nullptr. `read`: the
  // feature whose codes are in the room; -1 = none.
  Parted<R> part(const Span& span, const Sums& node, const Cut& cut, const std::vector<LevelBranch>* levels,
                 std::int32_t read) {
    read_ = read;
    const u32 pieces = (span.count + PIECE - 1) / PIECE;
    parts_.assign(pieces, {});
    const bool known = cut.known == span.count && !levels && !cut.flipped;
    Parted<R> out = known ? part_known(span, node, cut) : part_with_gaps(span, cut, levels);
    owes_ = known && rules_.uses_surrogates();
    if (owes_) {
      last_ = cut;
      for (int c = 0; c < 2; ++c) weight_[c] = y_.weight(out.sums[c]);
    }
    out.missing = rules_.branch_in_prediction(out.missing, out.count);
    if (!levels) find_rows_about(span, cut, out);
    return out;
  }

  // Whether the surrogates of the split sent last, a cut that knows every row, are not yet looked for: they are found
  // more easily when its children are counted.
  bool owes() const { return owes_; }
  // Finds them; `left`, `right`: tables of the children, or nullptr.
  const Surrogates& find_owed(const Span& span, const BinTable<R>* left, const BinTable<R>* right) {
    owes_ = false;
    branch_.resize(std::max<std::size_t>(branch_.size(), span.count));
    in_pieces(team_, span.count, [&](u32 from, u32 to, int) {
      sides_to(codes_.get() + from, to - from, last_left(last_), &branch_[from]);
    });
    const auto split = start_surrogates(span, last_.feature, weight_);
    if constexpr (!R::weighted) {
      if (left && right) {
        search_.find(split, y_, *left, *right, surrogates_);
        return surrogates_;
      }
    }
    search_.find(split, surrogates_);
    return surrogates_;
  }
  // Of the split sent last, where they are found.
  const Surrogates* surrogates() const { return rules_.uses_surrogates() && !owes_ ? &surrogates_ : nullptr; }

 private:
  struct Part {
    u32 count[MOST_BRANCHES + 1] = {};  // the last: rows that stay
    u32 rights_before = 0;
    int highest = -1, lowest = BINS * BINS;  // codes about the cut, and the ids and values there
    u32 last_left = NO_ROW, first_right = NO_ROW;
    double below = -std::numeric_limits<double>::infinity(), above = -below;
    Sums sums[MOST_BRANCHES + 1];
  };
  struct Stretch {
    u32 from, to, left;
  };

  // A cut that knows every row: without a jump.
  Parted<R> part_known(const Span& span, const Sums& node, const Cut& cut) {
    const u32* in = ids_.of(span);
    u32* out = ids_.side[(span.depth + 1) & 1].get() + span.begin;
    const auto left = static_cast<u32>(cut.left);
    in_pieces(team_, span.count, [&](u32 from, u32 to, int) { look(in, from, to, cut); });
    u32 rights = 0;
    for (Part& part : parts_) part.rights_before = std::exchange(rights, rights + part.count[1]);
    const int summed = R::parts_exactly && rights > left ? 0 : 1;
    in_pieces(team_, span.count, [&](u32 from, u32 to, int) { send(in, out, {from, to, left}, cut, summed); });
    Parted<R> parted;
    parted.count[0] = left;
    parted.count[1] = span.count - left;
    for (int c = 0; c < 2; ++c) parted.sums[c] = sums_of(c);
    if constexpr (R::parts_exactly) {
      parted.sums[1 - summed] = node;
      y_.remove(parted.sums[1 - summed], parted.sums[summed]);
    }
    const i64 weight[2] = {y_.weight(parted.sums[0]), y_.weight(parted.sums[1])};
    parted.missing = rules_.missing_branch(cut.missing, weight, false);
    return parted;
  }

  Sums sums_of(int branch) const {
    Sums sums{};
    for (const Part& part : parts_) y_.join(sums, part.sums[branch]);
    y_.close(sums);
    return sums;
  }

  // Keeps the codes of the cut's feature, or 0 and 1 where a code is cut in two, and looks which side they take.
  void look(const u32* in, u32 from, u32 to, const Cut& cut) {
    read_codes(in, from, to, cut.feature);
    if (!cut.whole)
      for (u32 i = from; i < to; ++i)
        codes_[i] = codes_[i] > cut.code || (codes_[i] == cut.code && view_.value(cut.feature, in[i]) > cut.below);
    const Sides sides = sides_of(codes_.get() + from, to - from, last_left(cut));
    Part& part = parts_[from / PIECE];
    part.count[1] = sides.rights;
    part.highest = sides.highest;
    part.lowest = sides.lowest;
  }

  void read_codes(const u32* in, u32 from, u32 to, std::int32_t feature) {
    constexpr u32 AHEAD = 16;
    if (read_ == feature) return;
    const std::size_t columns = view_.columns();
    const Code* codes = view_.codes + feature;
    for (u32 i = from; i < to; ++i) {
      __builtin_prefetch(codes + in[i + AHEAD < to ? i + AHEAD : i] * columns);
      codes_[i] = codes[in[i] * columns];
    }
  }

  static Code last_left(const Cut& cut) { return cut.whole ? cut.code : 0; }

  // Sums up the rows of one side, or of both where one does not follow from the other.
  void send(const u32* in, u32* out, const Stretch& rows, const Cut& cut, int summed) {
    Part& part = parts_[rows.from / PIECE];
    const u32 count = rows.to - rows.from, rights = part.count[1];
    u32* to[2] = {out + (rows.from - part.rights_before), out + rows.left + part.rights_before};
    send_ids(codes_.get() + rows.from, last_left(cut), in + rows.from, count, to[0], to[1]);
    const u32 counts[2] = {count - rights, rights};
    for (int c = 0; c < 2; ++c) {
      if (R::parts_exactly && c != summed) continue;
      for (u32 i = 0; i < counts[c]; ++i) y_.add(part.sums[c], to[c][i]);
    }
  }

  // Rows without a value, or sets of levels: every row's branch first, then where rows without go, then all are sent.
  Parted<R> part_with_gaps(const Span& span, const Cut& cut, const std::vector<LevelBranch>* levels) {
    const u32* in = ids_.of(span);
    u32* out = ids_.side[(span.depth + 1) & 1].get() + span.begin;
    branch_.resize(std::max<std::size_t>(branch_.size(), span.count));
    if (levels) {
      of_level_.assign(view_.all->levels(cut.feature) + std::size_t{1}, UNKNOWN);
      for (const auto& [level, branch] : *levels) of_level_[level] = static_cast<std::uint8_t>(branch);
    }
    in_pieces(team_, span.count, [&](u32 from, u32 to, int) {
      read_branches(in, from, to, cut, levels != nullptr, parts_[from / PIECE]);
    });
    Parted<R> parted;
    for (int c = 0; c < 2; ++c) parted.sums[c] = sums_of(c);
    const i64 weight[2] = {y_.weight(parted.sums[0]), y_.weight(parted.sums[1])};
    const bool has_missing =
        std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.count[UNKNOWN] > 0; });
    parted.missing = rules_.missing_branch(cut.missing, weight, has_missing);
    if (rules_.uses_surrogates()) {
      find_surrogates(span, cut.feature, weight);
      for (int c = 0; c < 2; ++c) parted.sums[c] = sums_of(c);
    }
    u32 known[MOST_BRANCHES + 1] = {};
    for (const Part& part : parts_)
      for (int c = 0; c <= MOST_BRANCHES; ++c) known[c] += part.count[c];
    parted.n_branches = has_missing && rules_.own_branch() ? 3 : 2;
    const std::uint8_t unknown = parted.missing == STAYS ? UNKNOWN : static_cast<std::uint8_t>(parted.missing);
    u32 at[MOST_BRANCHES + 1] = {};
    for (int c = 0; c < MOST_BRANCHES; ++c)
      at[c + 1] = at[c] + (parted.count[c] = known[c] + (c == unknown ? known[UNKNOWN] : 0));
    if (unknown < UNKNOWN) y_.join(parted.sums[unknown], sums_of(UNKNOWN));
    in_order(at, unknown);
    in_pieces(team_, span.count, [&](u32 from, u32 to, int) { send_branches(in, out, from, to, unknown); });
    return parted;
  }

  using Search = TableSurrogates<std::conditional_t<R::weighted, WeightedBranchCell, BranchCell>>;

  typename Search::Split start_surrogates(const Span& span, std::int32_t feature, const i64 weight[2]) {
    surrogates_.start(static_cast<std::size_t>(rules_.settings->max_surrogates));
    const Rating rating{{static_cast<double>(weight[0]), static_cast<double>(weight[1])},
                        rules_.settings->style,
                        rules_.settings->rpart_quirk};
    return {{&view_, ids_.of(span), branch_.data(), span.count, weights()}, feature, rating};
  }

  // Surrogates of the split, and the branches of rows that it does not know and they do.
  void find_surrogates(const Span& span, std::int32_t feature, const i64 weight[2]) {
    search_.find(start_surrogates(span, feature, weight), surrogates_);
    if (std::none_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.count[UNKNOWN] > 0; })) return;
    in_pieces(team_, span.count,
              [&](u32 from, u32 to, int) { route_unknown(ids_.of(span), from, to, parts_[from / PIECE]); });
  }
  void route_unknown(const u32* in, u32 from, u32 to, Part& part) {
    part.count[UNKNOWN] = 0;
    part.sums[UNKNOWN] = {};
    for (u32 i = from; i < to; ++i) {
      if (branch_[i] < UNKNOWN) continue;
      branch_[i] = surrogates_.branch_of(view_, in[i], UNKNOWN);
      ++part.count[branch_[i]];
      y_.add(part.sums[branch_[i]], in[i]);
    }
  }
  const i64* weights() const {
    if constexpr (R::weighted) return y_.weight_of;
    return nullptr;
  }

  // From counts to the first places of each piece.
  void in_order(u32* at, std::uint8_t unknown) {
    for (Part& part : parts_) {
      if (unknown < UNKNOWN) part.count[unknown] += part.count[UNKNOWN];
      for (int c = 0; c < MOST_BRANCHES; ++c) at[c] += std::exchange(part.count[c], at[c]);
    }
  }

  void read_branches(const u32* in, u32 from, u32 to, const Cut& cut, bool levels, Part& part) {
    constexpr u32 AHEAD = 16;
    const bool known = read_ == cut.feature;
    for (u32 i = from; i < to; ++i) {
      if (!known && i + AHEAD < to) __builtin_prefetch(view_.codes + in[i + AHEAD] * view_.columns() + cut.feature);
      const Code code = known ? codes_[i] : view_.code(cut.feature, in[i]);
      std::uint8_t branch;
      if (levels) {
        branch = of_level_[view_.all->is_wide(cut.feature) ? view_.level(cut.feature, in[i]) : code];
      } else {
        const bool right =
            code > cut.code || (!cut.whole && code == cut.code && view_.value(cut.feature, in[i]) > cut.below);
        branch = code == NOTHING ? UNKNOWN : static_cast<std::uint8_t>(right != cut.flipped);
        if (code != NOTHING && right) part.lowest = std::min<int>(part.lowest, code);
        if (!right) part.highest = std::max<int>(part.highest, code);
        codes_[i] = code;
      }
      branch_[i] = branch;
      ++part.count[branch];
      y_.add(part.sums[branch], in[i]);
    }
  }

  void send_branches(const u32* in, u32* out, u32 from, u32 to, std::uint8_t unknown) {
    Part& part = parts_[from / PIECE];
    for (u32 i = from; i < to; ++i) {
      const std::uint8_t branch = branch_[i] == UNKNOWN ? unknown : branch_[i];
      if (branch == UNKNOWN) continue;
      out[part.count[branch]++] = in[i];
    }
  }

  // The rows whose values are about the cut.
  void find_rows_about(const Span& span, const Cut& cut, Parted<R>& out) {
    if (!cut.whole) {
      out.below = view_.row(cut.last_left);
      out.above = view_.row(cut.first_right);
      return;
    }
    About about{-1, BINS * BINS};
    for (const Part& part : parts_) {
      about.highest = std::max(about.highest, part.highest);
      about.lowest = std::min(about.lowest, part.lowest);
    }
    const u32* in = ids_.of(span);
    in_pieces(team_, span.count, [&](u32 from, u32 to, int) { find_values(in, from, to, cut.feature, about); });
    const auto below = std::max_element(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
      return b.last_left != NO_ROW && (a.last_left == NO_ROW || a.below < b.below);
    });
    const auto above = std::min_element(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
      return a.first_right != NO_ROW && (b.first_right == NO_ROW || a.above < b.above);
    });
    out.below = view_.row(below->last_left);
    if (above->first_right != NO_ROW) out.above = view_.row(above->first_right);
  }

  struct About {
    int highest, lowest;
  };
  void find_values(const u32* in, u32 from, u32 to, std::int32_t feature, const About& about) {
    Part& part = parts_[from / PIECE];
    const bool single = view_.all->is_single(feature);  // then one row is as good as all
    bool below = part.highest == about.highest, above = part.lowest == about.lowest;
    for (u32 i = from; i < to && (below || above); ++i) {
      const int code = codes_[i];
      if (code == about.highest && below) {
        const double value = view_.value(feature, in[i]);
        if (part.last_left == NO_ROW || value > part.below) part.last_left = in[i], part.below = value;
        below = !single;
      } else if (code == about.lowest && above) {
        const double value = view_.value(feature, in[i]);
        if (part.first_right == NO_ROW || value < part.above) part.first_right = in[i], part.above = value;
        above = !single;
      }
    }
  }

  static constexpr std::uint8_t UNKNOWN = MOST_BRANCHES;

  const R& y_;
  const Rules& rules_;
  const View& view_;
  Ids& ids_;
  Team* team_;
  Room<Code> codes_;  // of the cut's feature, for the rows of the node being parted
  u32 room_ = 0;
  std::int32_t read_ = -1;
  std::vector<std::uint8_t> branch_, of_level_;
  std::vector<Part> parts_;
  Search search_;
  Surrogates surrogates_;
  bool owes_ = false;
  Cut last_;  // the cut sent last, and what it sends to each branch
  i64 weight_[2] = {0, 0};
};

}  // namespace boxwood::coded

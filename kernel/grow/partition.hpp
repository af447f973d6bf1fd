// Partitions the rows of a large node among the children of its split.
// Invariant: ids keep their order; the children do not depend on which worker partitions which piece.
// Cost: a few passes over the node's rows.
#pragma once

#include "grow/branch_codes.hpp"
#include "search/cut_sides.hpp"
#include "search/rows_view.hpp"
#include "surrogate/table_surrogates.hpp"

namespace boxwood::coded {

// Ids of one set of rows, each node a range of one of two buffers.
struct Ids {
  ArenaArray<u32> side[2];
  void start(u32 count, const u32* rows) {
    for (auto& ids : side) ids = arena_array<u32>(count);
    for (u32 i = 0; i < count; ++i) side[0][i] = rows ? rows[i] : i;
  }
  u32* of(const Span& span) { return side[span.side].get() + span.begin; }
};

// The children of a node: children from left to right, a third one for rows without a value under an own branch.
struct Partitioned {
  u32 count[MOST_BRANCHES] = {};
  std::int32_t missing = STAYS, n_branches = 2;
  u32 below = NO_ROW, above = NO_ROW;  // rows whose values are about the cut
};

// `weighted`: whether rows weigh different amounts.
template <bool weighted>
class Partition {
 public:
  // `weight`: by id, nullptr = 1 each.
  Partition(const i64* weight, const Rules& rules, const View& view, Ids& ids, ThreadPool* pool)
      : weight_(weight),
        rules_(rules),
        view_(view),
        ids_(ids),
        pool_(pool),
        for_few_(view, pool),
        for_many_(view, pool) {}

  // Memory for the code of each row of a node; it grows and never shrinks.
  Code* codes_for(u32 count) {
    if (capacity_ < count) codes_ = arena_array<Code>(count);
    capacity_ = std::max(capacity_, count);
    return codes_.get();
  }

  // `levels`: which level goes where, for a set of levels; else nullptr. `read`: the feature whose codes are in this
  // memory; -1 = none. `stats`: of the node.
  Partitioned partition(const Span& span, const NodeStats& stats, const Candidate& cut,
                        const std::vector<LevelBranch>* levels, std::int32_t read) {
    inherited_ = stats.inherited.below(*rules_.settings, view_.all->place(static_cast<std::size_t>(cut.feature)));
    read_ = read;
    pieces_.assign((span.count + PIECE - 1) / PIECE, {});
    const bool known = cut.known == span.count && !levels && !cut.flipped;
    Partitioned out = known ? partition_known(span, cut) : partition_with_missing(span, cut, levels);
    out.missing = rules_.branch_in_prediction(out.missing, out.count);
    if (!levels) find_rows_about(span, cut, out);
    return out;
  }

  // Of the last split.
  const Surrogates* surrogates() const { return rules_.uses_surrogates() ? &surrogates_ : nullptr; }

 private:
  struct Piece {
    u32 count[MOST_BRANCHES + 1] = {};  // the last: rows that stay
    u32 rights_before = 0;
    int highest = -1, lowest = BINS * BINS;  // codes about the cut
    i64 weight[MOST_BRANCHES + 1] = {};
  };

  // A cut without missing values: a loop without a branch.
  Partitioned partition_known(const Span& span, const Candidate& cut) {
    const u32* in = ids_.of(span);
    u32* out = ids_.side[1 - span.side].get() + span.begin;
    in_pieces(pool_, span.count, [&](u32 from, u32 to, int) { count_sides(in, from, to, cut); });
    u32 rights = 0;
    for (Piece& piece : pieces_) piece.rights_before = std::exchange(rights, rights + piece.count[1]);
    const u32 left = span.count - rights;  // not that of the cut: X may have been changed since
    in_pieces(pool_, span.count, [&](u32 from, u32 to, int) { scatter(in, out, from, to, left, cut); });
    Partitioned children;
    children.count[0] = left;
    children.count[1] = rights;
    const i64 weight[2] = {weighted ? weight_on(0) : left, weighted ? weight_on(1) : rights};
    children.missing = rules_.missing_branch(cut.missing, weight, false);
    if (!rules_.uses_surrogates()) return children;
    branch_.resize(std::max<std::size_t>(branch_.size(), span.count));
    in_pieces(pool_, span.count,
              [&](u32 from, u32 to, int) { sides_to(&codes_[from], to - from, last_left(cut), &branch_[from]); });
    find_surrogates(span, cut.feature, weight);
    return children;
  }

  i64 weight_of(u32 id) const { return weighted && weight_ ? weight_[id] : 1; }
  i64 weight_on(int branch) const {
    i64 sum = 0;
    for (const Piece& piece : pieces_) sum += piece.weight[branch];
    return sum;
  }

  // Keeps the codes of the cut's feature, or 0 and 1 where a code is cut in two, and counts the rows of each side.
  void count_sides(const u32* in, u32 from, u32 to, const Candidate& cut) {
    read_codes(in, from, to, cut.feature);
    if (!cut.whole)
      for (u32 i = from; i < to; ++i) codes_[i] = is_above(view_, cut, codes_[i], in[i]);
    const Sides sides = sides_of(codes_.get() + from, to - from, last_left(cut));
    Piece& piece = pieces_[from / PIECE];
    piece.count[1] = sides.rights;
    piece.highest = sides.highest;
    piece.lowest = sides.lowest;
  }

  void read_codes(const u32* in, u32 from, u32 to, std::int32_t feature) {
    constexpr u32 AHEAD = 16;
    if (read_ == feature) return;
    const std::size_t columns = view_.columns();
    const Code* codes = view_.codes + feature;
    for (u32 i = from; i < to; ++i) {
      BOXWOOD_PREFETCH(codes + in[i + AHEAD < to ? i + AHEAD : i] * columns, 3);
      codes_[i] = codes[in[i] * columns];
    }
  }

  static Code last_left(const Candidate& cut) { return cut.whole ? cut.code : 0; }

  // `left`: rows of the node that go left.
  void scatter(const u32* in, u32* out, u32 from, u32 to, u32 left, const Candidate& cut) {
    Piece& piece = pieces_[from / PIECE];
    const u32 rights = piece.count[1], lefts = to - from - rights;
    u32 *const to_left = out + (from - piece.rights_before), *const to_right = out + left + piece.rights_before;
    partition_ids(codes_.get() + from, last_left(cut), in + from, to - from, to_left, to_right);
    if constexpr (!weighted) return;
    for (u32 i = 0; i < lefts; ++i) piece.weight[0] += weight_of(to_left[i]);
    for (u32 i = 0; i < rights; ++i) piece.weight[1] += weight_of(to_right[i]);
  }

  // Missing values, or sets of levels: the branch of every row with a value, then of those without, then the partition.
  Partitioned partition_with_missing(const Span& span, const Candidate& cut, const std::vector<LevelBranch>* levels) {
    const u32* in = ids_.of(span);
    u32* out = ids_.side[1 - span.side].get() + span.begin;
    branch_.resize(std::max<std::size_t>(branch_.size(), span.count));
    if (levels) {
      of_level_.assign(view_.all->levels(cut.feature) + std::size_t{1}, UNKNOWN);
      for (const auto& [level, branch] : *levels) of_level_[level] = static_cast<std::uint8_t>(branch);
    }
    in_pieces(pool_, span.count, [&](u32 from, u32 to, int) {
      read_branches(in, from, to, cut, levels != nullptr, pieces_[from / PIECE]);
    });
    Partitioned children;
    const i64 weight[2] = {weight_on(0), weight_on(1)};
    const bool has_missing =
        std::any_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return piece.count[UNKNOWN] > 0; });
    children.missing = rules_.missing_branch(cut.missing, weight, has_missing);
    if (rules_.uses_surrogates()) {
      find_surrogates(span, cut.feature, weight);
      // The branches that they give to rows without a value of the split's feature.
      if (has_missing) in_pieces(pool_, span.count, [&](u32 from, u32 to, int) { route_unknown(in, from, to); });
    }
    children.n_branches = has_missing && rules_.own_branch() ? 3 : 2;
    const std::uint8_t unknown = children.missing == STAYS ? UNKNOWN : static_cast<std::uint8_t>(children.missing);
    in_order(children, unknown);
    in_pieces(pool_, span.count, [&](u32 from, u32 to, int) { partition_branches(in, out, from, to, unknown); });
    return children;
  }

  void find_surrogates(const Span& span, std::int32_t feature, const i64 weight[2]) {
    constexpr u32 MANY = 8192;  // rows from which finer bins, of which fewer must be opened, are worth their clearing
    const SplitTaken split{ids_.of(span), branch_.data(), span.count,
                           weight_,       feature,        Rating::of(*rules_.settings, weight, inherited_)};
    span.count < MANY ? for_few_.find(split, surrogates_) : for_many_.find(split, surrogates_);
  }

  void route_unknown(const u32* in, u32 from, u32 to) {
    Piece& piece = pieces_[from / PIECE];
    piece.count[UNKNOWN] = 0;
    for (u32 i = from; i < to; ++i) {
      if (branch_[i] < UNKNOWN) continue;
      branch_[i] = surrogates_.branch_of(view_, in[i], UNKNOWN);
      ++piece.count[branch_[i]];
    }
  }

  // Adds up what each child gets; the counts of each piece become its first places.
  void in_order(Partitioned& children, std::uint8_t unknown) {
    for (Piece& piece : pieces_) {
      if (unknown < UNKNOWN) piece.count[unknown] += piece.count[UNKNOWN];
      for (int c = 0; c < MOST_BRANCHES; ++c) children.count[c] += piece.count[c];
    }
    u32 at[MOST_BRANCHES] = {0, children.count[0], children.count[0] + children.count[1]};
    for (Piece& piece : pieces_)
      for (int c = 0; c < MOST_BRANCHES; ++c) at[c] += std::exchange(piece.count[c], at[c]);
  }

  void read_branches(const u32* in, u32 from, u32 to, const Candidate& cut, bool levels, Piece& piece) {
    constexpr u32 AHEAD = 16;
    const bool known = read_ == cut.feature;
    for (u32 i = from; i < to; ++i) {
      if (!known && i + AHEAD < to) BOXWOOD_PREFETCH(view_.codes + in[i + AHEAD] * view_.columns() + cut.feature, 3);
      const Code code = known ? codes_[i] : view_.code(cut.feature, in[i]);
      std::uint8_t branch;
      if (levels) {
        branch = of_level_[view_.all->is_wide(cut.feature) ? view_.level(cut.feature, in[i]) : code];
      } else {
        const bool right = is_above(view_, cut, code, in[i]);
        branch = code == NOTHING ? UNKNOWN : static_cast<std::uint8_t>(right != cut.flipped);
        if (code != NOTHING && right) piece.lowest = std::min<int>(piece.lowest, code);
        if (!right) piece.highest = std::max<int>(piece.highest, code);
        codes_[i] = code;
      }
      branch_[i] = branch;
      ++piece.count[branch];
      piece.weight[branch] += weight_of(in[i]);
    }
  }

  void partition_branches(const u32* in, u32* out, u32 from, u32 to, std::uint8_t unknown) {
    Piece& piece = pieces_[from / PIECE];
    for (u32 i = from; i < to; ++i) {
      const std::uint8_t branch = branch_[i] == UNKNOWN ? unknown : branch_[i];
      if (branch == UNKNOWN) continue;
      out[piece.count[branch]++] = in[i];
    }
  }

  // The rows whose values are about the cut.
  void find_rows_about(const Span& span, const Candidate& cut, Partitioned& out) const {
    u32 below = cut.last_left, above = cut.first_right;
    if (cut.whole) {
      int highest = -1, lowest = BINS * BINS;
      for (const Piece& piece : pieces_) {
        highest = std::max(highest, piece.highest);
        lowest = std::min(lowest, piece.lowest);
      }
      below = row_of_code(span, cut.feature, highest, 1);
      above = row_of_code(span, cut.feature, lowest, -1);
    }
    out.below = view_.row(below);
    if (above != NO_ROW) out.above = view_.row(above);
  }
  // Of the rows of a code next to the cut, one of greatest value, or of least (-1).
  u32 row_of_code(const Span& span, std::int32_t feature, int code, double sign) const {
    const bool one_value = view_.all->is_one_value(feature, static_cast<u32>(code));  // then any row is as good as all
    const u32* in = ids_.of(span);
    u32 found = NO_ROW;
    double best = 0;
    for (u32 p = 0; p < pieces_.size(); ++p) {
      if (pieces_[p].highest != code && pieces_[p].lowest != code) continue;
      for (u32 i = p * PIECE, end = std::min(span.count, i + PIECE); i < end; ++i) {
        if (codes_[i] != code) continue;
        const double value = sign * view_.value(feature, in[i]);
        if (found == NO_ROW || value > best) found = in[i], best = value;
        if (one_value) return found;
      }
    }
    return found;
  }

  static constexpr std::uint8_t UNKNOWN = MOST_BRANCHES;

  const i64* const weight_;
  const Rules& rules_;
  const View& view_;
  Ids& ids_;
  ThreadPool* pool_;
  ArenaArray<Code> codes_;  // of the cut's feature, for the rows of the node being partitioned
  u32 capacity_ = 0;
  Inherited inherited_;  // what the children of the node at hand have
  std::int32_t read_ = -1;
  std::vector<std::uint8_t> branch_, of_level_;
  std::vector<Piece> pieces_;
  TableSurrogates<weighted, 8> for_few_;
  TableSurrogates<weighted, 6> for_many_;
  Surrogates surrogates_;
};

}  // namespace boxwood::coded

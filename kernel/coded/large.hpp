// Nodes of many rows: count, search, part, describe.
// Invariant: a child's table is counted or what remains of its parent's; ids of a node keep their order.
// Cost: about 1 ns a row and feature of the smaller child, and a few passes over the node's rows.
#pragma once

#include <optional>

#include "small.hpp"

namespace boxwood::coded {

// Ids of one set of rows, each node a stretch in one of two buffers.
struct Ids {
  Room<u32> side[2];
  void start(u32 count, const u32* rows) {
    for (auto& ids : side) ids = room_for<u32>(count);
    for (u32 i = 0; i < count; ++i) side[0][i] = rows ? rows[i] : i;
  }
  u32* of(const Span& span) { return side[span.depth & 1].get() + span.begin; }
};

// Nodes of more than SMALL rows: search, part, describe.
template <class R>
class LargeGrower {
 public:
  using Sums = typename R::Sums;
  using Table = BinTable<R>;

  struct Open {
    Span span;
    Sums sums;
    Judged judged;
    std::unique_ptr<Table> table;
  };

  LargeGrower(const R& y, const Rules& rules, const View& view, Ids& ids, Team* team)
      : y_(y), rules_(rules), describer_{rules}, view_(view), ids_(ids), team_(team), search_(y, rules, view.columns(), team) {}

  std::unique_ptr<Table> count(const Span& span) {
    auto table = fresh();
    const u32* ids = ids_.of(span);
    if (team_ && team_->size() > 1) {
      count_apart(ids, span.count, *table);
    } else {
      table->add(y_, view_, ids, span.count);
    }
    table->sum_up();
    return table;
  }

  // Splits a node; its children, described, or nothing.
  std::optional<std::array<Open, 2>> split(Open& node, Records& out) {
    if (!node.table) node.table = count(node.span);
    if (room_ < node.span.count) {
      codes_ = room_for<Code>(node.span.count);
      room_ = node.span.count;
    }
    const Cut cut = search_.find(view_, *node.table, ids_.of(node.span), node.span.count, node.sums, node.judged, codes_.get());
    if (cut.feature < 0) return std::nullopt;
    std::array<Open, 2> children;
    const double at = part(node.span, cut, children);
    describer_.split(out, node.span.record, {cut.feature, at, cut.decrease, {y_.weight(children[0].sums), y_.weight(children[1].sums), y_.weight(node.sums)}});
    for (int c = 0; c < 2; ++c) {
      Open& child = children[c];
      child.span.depth = node.span.depth + 1;
      child.span.record = out.nodes[node.span.record].first_child + c;
      child.judged = y_.judge(child.sums);
      if (child.judged.fine && is_fine(child.span)) throw NeedsFine{};
      describer_.node(y_, out, child.span.record, child.sums, child.judged);
    }
    return children;
  }

  // Gives tables to the children that go on as large nodes: one is counted, the other is what remains of the parent's.
  void hand_down(Open& parent, std::array<Open, 2>& children, u32 least) {
    const bool wanted[2] = {wants(children[0], least), wants(children[1], least)};
    const int smaller = children[1].span.count < children[0].span.count;
    if (!wanted[0] && !wanted[1]) {
      spare_.push_back(std::move(parent.table));
      return;
    }
    auto counted = count(children[smaller].span);
    if (wanted[1 - smaller]) {
      parent.table->subtract(*counted);
      children[1 - smaller].table = std::move(parent.table);
    } else {
      spare_.push_back(std::move(parent.table));
    }
    if (wanted[smaller])
      children[smaller].table = std::move(counted);
    else
      spare_.push_back(std::move(counted));
  }
  bool wants(const Open& node, u32 least) const {
    return node.span.count > least && rules_.is_open(node.judged, node.span.count, node.span.depth);
  }
  void give_back(std::unique_ptr<Table> table) {
    if (table) spare_.push_back(std::move(table));
  }

 private:
  std::unique_ptr<Table> fresh() {
    if (spare_.empty()) return std::make_unique<Table>(view_.columns(), y_.width());
    auto table = std::move(spare_.back());
    spare_.pop_back();
    table->clear();
    return table;
  }

  void count_apart(const u32* ids, u32 count, Table& out) {
    std::vector<std::unique_ptr<Table>> parts(team_->size());
    for (std::size_t m = 1; m < parts.size(); ++m) parts[m] = fresh();
    in_pieces(team_, count, [&](u32 from, u32 to, int member) {
      (member ? *parts[member] : out).add(y_, view_, ids + from, to - from);
    });
    for (std::size_t m = 1; m < parts.size(); ++m) {
      out.merge(*parts[m]);
      spare_.push_back(std::move(parts[m]));
    }
  }

  // Sends the ids of a node left and right, in their order; returns the value of the cut.
  double part(const Span& span, const Cut& cut, std::array<Open, 2>& children) {
    const u32* in = ids_.of(span);
    u32* out = ids_.side[(span.depth + 1) & 1].get() + span.begin;
    const auto left = static_cast<u32>(cut.left);
    const u32 pieces = (span.count + PIECE - 1) / PIECE;
    parts_.assign(pieces, {});
    in_pieces(team_, span.count, [&](u32 from, u32 to, int) { parts_[from / PIECE].rights = read_codes(in, from, to, cut); });
    u32 rights = 0;
    for (Part& part : parts_) part.rights_before = std::exchange(rights, rights + part.rights);
    in_pieces(team_, span.count, [&](u32 from, u32 to, int) { send(in, out, {from, to, left}, cut, parts_[from / PIECE]); });
    double below = -std::numeric_limits<double>::infinity(), above = -below;
    int highest = -1, lowest = BINS * BINS;
    for (const Part& part : parts_) {
      highest = std::max(highest, part.highest);
      lowest = std::min(lowest, part.lowest);
    }
    for (int c = 0; c < 2; ++c) {
      for (const Part& part : parts_) y_.join(children[c].sums, part.sums[c]);
      y_.close(children[c].sums);
      children[c].span.begin = span.begin + (c ? left : 0);
      children[c].span.count = c ? span.count - left : left;
    }
    if (!cut.whole) return cut_value(cut.below, cut.above, rules_.settings->rank_cuts);
    for (u32 i = 0; i < span.count; ++i) {
      const int code = codes_[i];
      if (code == highest) below = std::max(below, view_.value(cut.feature, in[i]));
      if (code == lowest) above = std::min(above, view_.value(cut.feature, in[i]));
    }
    return cut_value(below, above, rules_.settings->rank_cuts);
  }

  struct Part {
    u32 rights = 0, rights_before = 0;
    int highest = -1, lowest = BINS * BINS;
    Sums sums[2];
  };
  struct Stretch {
    u32 from, to, left;
  };

  // Keeps the codes of the cut's feature, or 0 and 1 where a code is cut in two. Returns how many rows go right.
  u32 read_codes(const u32* in, u32 from, u32 to, const Cut& cut) {
    constexpr u32 AHEAD = 16;
    const bool known = search_.read() == cut.feature;
    u32 rights = 0;
    for (u32 i = from; i < to; ++i) {
      if (!known && i + AHEAD < to) __builtin_prefetch(view_.codes + in[i + AHEAD] * view_.columns() + cut.feature);
      Code code = known ? codes_[i] : view_.code(cut.feature, in[i]);
      if (!cut.whole) code = code > cut.code || (code == cut.code && view_.value(cut.feature, in[i]) > cut.below);
      codes_[i] = code;
      rights += code > last_left(cut);
    }
    return rights;
  }

  static Code last_left(const Cut& cut) { return cut.whole ? cut.code : 0; }

  void send(const u32* in, u32* out, const Stretch& rows, const Cut& cut, Part& part) {
    std::size_t lefts = rows.from - part.rights_before;
    int highest = -1, lowest = BINS * BINS;
    for (u32 i = rows.from; i < rows.to; ++i) {
      const int code = codes_[i];
      const std::size_t right = code > last_left(cut);
      // Without a jump: to place `lefts` of the left child, or to left + i - lefts of the right one.
      out[lefts + ((rows.left + i - 2 * lefts) & (0 - right))] = in[i];
      lefts += 1 - right;
      const int side = -static_cast<int>(right);
      highest = std::max(highest, code | side);
      lowest = std::min(lowest, code | (~side & BINS * BINS));
    }
    part.highest = highest;
    part.lowest = lowest;
    const u32 first_left = rows.from - part.rights_before, first_right = rows.left + part.rights_before;
    for (std::size_t i = first_left; i < lefts; ++i) y_.add(part.sums[0], out[i]);
    for (u32 i = first_right; i < first_right + part.rights; ++i) y_.add(part.sums[1], out[i]);
  }

  bool is_fine(const Span& span) {
    if constexpr (requires { y_.low; }) {
      const u32* ids = ids_.of(span);
      for (u32 i = 1; i < span.count; ++i)
        if (y_.low[ids[i]] != y_.low[ids[0]]) return true;
    }
    return false;
  }

  const R y_;
  const Rules rules_;
  const Describer describer_;
  const View view_;
  Ids& ids_;
  Team* team_;
  LargeSearch<R> search_;
  std::vector<std::unique_ptr<Table>> spare_;
  Room<Code> codes_;  // of the cut's feature, for the rows of the node being parted
  u32 room_ = 0;
  std::vector<Part> parts_;
};

}  // namespace boxwood::coded

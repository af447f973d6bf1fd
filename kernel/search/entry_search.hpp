// The best cut, or set of levels, of one feature at one node from summed entries: bins, levels, or values of open bins.
// Invariant: the candidate is the one that a scan of all values finds, by the response, the bounds and the rules of
// memory; a bin stays closed only when no cut inside could be chosen. Cost: a pass over the entries; sets of levels as
// in search/level_search.hpp.
#pragma once

#include "response/response.hpp"
#include "search/cut_scan.hpp"
#include "search/entry_table.hpp"
#include "search/level_search.hpp"

namespace boxwood::coded {

// The best cut or set of levels of one feature at one node.
struct EntryCut : Candidate {
  CutEnd lower, upper;  // about a cut
  bool all_below = false;  // "known or missing" is the best: every value lies below
  i64 weight_left = 0;  // of the rows with a value: on the lower side, or in the sets' branch 0
  double score = 0;  // decrease per unit of weight, of a chosen one
  std::vector<LevelBranch> branches;  // of a set of levels
};

// A node's sums and what follows from them.
template <class R>
struct NodeSums {
  typename R::Sums sums;
  NodeStats stats;
};

template <class R>
NodeSums<R> node_of(const R& y, const typename R::Sums& sums) {
  return {sums, y.stats_of(sums)};
}

template <Response R>
class EntrySearch {
 public:
  using Cell = typename R::Cell;
  using Table = EntryTable<Cell>;

  // `best`: the rank that a candidate must reach.
  EntrySearch(const R& y, const Rules& rules, const NodeSums<R>& node, const Table& table, std::int32_t place,
              double best)
      : y_(y), rules_(rules), settings_(*rules.settings), node_(node), table_(table), place_(place), best_(best) {}

  // The candidate of the feature, -1 = none that is good enough.
  EntryCut find(const FeatureShape& shape) const {
    EntryCut cut;
    if (rows_known() == 0 || !rules_.may_use(place_, node_.stats)) return cut;
    shape.kind == Kind::nominal ? search_levels(shape.size, cut) : search_cuts(cut);
    cut.decrease = std::max(cut.decrease, 0.0);
    if (cut.feature >= 0 && !rules_.good_enough(cut.decrease)) cut.feature = -1;
    cut.rank = rules_.compared(cut.decrease, place_, cut.groups, cut.known, node_.stats);
    return cut;
  }

  // The values about every cut that may be chosen, or keep a later one out by the tie rule, once more is known.
  std::vector<Cut> ends() const {
    std::vector<Cut> out;
    Scan scan = cuts();
    table_.each([&](const CutEnd& end, i64 rows, i64 weight, const Cell* cell) {
      scan.next(end, rows, weight, [&](Cells& sums) { add(sums, cell); });
      if (!scan.partition.found) return;
      out.insert(out.end(), {scan.below.at, scan.above.at});
      scan.partition.begin_again(threshold());
    });
    return out;
  }

  // What the edges of each bin that may hold a better cut take away; negative = it stays closed.
  std::vector<double> candidate_bins() const {
    std::vector<double> out(table_.size(), -1.0);
    if (rows_known() == 0 || !rules_.may_use(place_, node_.stats)) return out;
    Scan scan = cuts();
    for (const Direction<R>& direction : scan.partition.directions()) {
      Cells from = scan.partition.with_missing(direction, Cells(width())), to = from;
      for (std::size_t b = 0; b < table_.size(); ++b) {
        add(to, table_.cell(b));
        if (table_.can_open(b) && can_hold(direction, from, to))
          out[b] = std::max({out[b], edge(direction, from), edge(direction, to)});
        from = to;
      }
    }
    return out;
  }

 private:
  using Scan = CutScan<R, CutEnd>;
  using Cells = typename Scan::Cells;

  std::size_t width() const { return static_cast<std::size_t>(y_.width()); }
  void add(Cells& sums, const Cell* cell) const {
    for (std::size_t k = 0; k < width(); ++k) sums[k] += cell[k];
  }

  i64 rows_known() const { return node_.sums.n - table_.rows_missing(); }

  Scan cuts() const {
    Scan scan(y_, rules_);
    scan.start(node_.sums, node_.stats, tolerance());
    scan.begin(table_.rows_missing(), table_.missing(), threshold(), rules_.sign(place_));
    return scan;
  }
  double threshold() const { return rules_.needed(best_, place_, 0, node_.stats); }
  // How far sums of doubles may be off.
  double tolerance() const {
    if constexpr (!R::one_cell) return 0.0;
    Cell all{};
    for (std::size_t b = 0; b <= table_.size(); ++b) all += *table_.cell(b);
    return R::tolerance(&all) * 4e-16;
  }

  // Whether a cut between two edges may be chosen.
  bool can_hold(const Direction<R>& direction, const Cells& from, const Cells& to) const {
    const i64 l = y_.count(from.data()), l_to = y_.count(to.data()), least = settings_.min_samples_leaf;
    return l_to > least && direction.n - l > least && direction.bound.bin_can_attain(from.data(), l, to.data(), l_to);
  }
  double edge(const Direction<R>& direction, const Cells& left) const {
    const i64 l = y_.count(left.data());
    if (l <= 0 || l >= direction.n) return 0.0;
    const double gain = direction.bound.exact(left.data(), l) + direction.offset;
    return gain > 0 ? gain : 0.0;
  }

  void search_levels(u32 n_levels, EntryCut& out) const {
    LevelSearch<R> search(y_, rules_);
    search.start(node_.stats);
    for (std::size_t v = 0; v < table_.size(); ++v)
      if (table_.bins.rows[v] > 0) search.add(static_cast<u32>(v), table_.cell(v));
    static_cast<Candidate&>(out) = search.find({place_, place_, n_levels, best_, table_.missing()}, out.branches);
    if (out.feature < 0) return;
    Cells sums[2] = {Cells(width()), Cells(width())};
    i64 weight[2] = {0, 0};
    for (const auto& [level, branch] : out.branches) {
      add(sums[branch], table_.cell(level));
      weight[branch] += table_.bins.weights[level];
    }
    const bool turned = settings_.order_by_mean && is_turned(y_, node_.stats, sums[0].data(), sums[1].data());
    if (turned && out.missing >= 0) out.missing = 1 - out.missing;
    for (auto& [level, branch] : out.branches) branch = turned ? 1 - branch : branch;
    out.weight_left = weight[turned];
  }

  void search_cuts(EntryCut& out) const {
    Scan scan = cuts();
    table_.each([&](const CutEnd& end, i64 rows, i64 weight, const Cell* cell) {
      scan.next(end, rows, weight, [&](Cells& sums) { add(sums, cell); });
    });
    if (!scan.finish(out)) return;
    out.feature = out.place = place_;
    out.lower = scan.below;
    out.upper = scan.above;
    out.all_below = scan.all_below;
    out.weight_left = scan.weight_left;
  }

  const R& y_;
  const Rules& rules_;
  const Settings& settings_;
  const NodeSums<R>& node_;
  const Table& table_;
  const std::int32_t place_;
  const double best_;
};

}  // namespace boxwood::coded

// Surrogates of a small node's split, from the sorted lists of its features.
// Invariant: as in agreement.hpp. Cost: about 0.7 ns an entry of a list that cannot offer one, 2 ns of one that may.
#pragma once

#include "search/sorted_lists.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

// `weighted`: whether rows weigh different amounts.
template <bool weighted>
class ListSurrogates {
 public:
  using Node = Lists::Range;

  explicit ListSurrogates(const Codes& codes) : codes_(codes) {}

  const Surrogates& found() const { return found_; }

  // `feature`: of the split, which knows the first `known` entries of its list; their branches are in `lists`, to
  // which those of the others are added where a surrogate knows them.
  // `weight_of`: by id, nullptr = 1 each.
  void find(const i64* weight_of, Lists& lists, const Node& node, std::int32_t feature, u32 known,
            const Rating& rating) {
    const u32* own = lists.of(feature, node.side) + node.begin;
    found_.start(rating);
    if (may_agree(known, rating)) {
      for (u32 i = 0; i < node.count; ++i) {
        const u32 id = id_of(own[i]);
        const i64 w = weighted && weight_of ? weight_of[id] : 1;
        signed_[id] = static_cast<Signed>(i >= known ? 0 : lists.branch()[id] ? -w : w);
      }
      for (const std::int32_t* j = node.first; j != node.last; ++j)
        if (*j != feature && rating.may_use(codes_.place(*j))) offer(lists, node, *j, rating);
    }
    for (u32 i = known; i < node.count; ++i)
      lists.branch()[id_of(own[i])] = found_.branch_of(lists.view(), lists.id_in_view(own[i]), MOST_BRANCHES);
  }

 private:
  // The weight of a row, below 0 on branch 1, 0 where the split does not know its branch.
  using Signed = std::conditional_t<weighted, i64, std::int8_t>;
  using Sum = std::conditional_t<weighted, i64, std::int32_t>;

  // The entries of a feature's list that have a value.
  struct List {
    std::int32_t feature;
    const u32* entries;
    u32 count;
  };

  // Whether two rows on each side can agree better than the majority. Where rows weigh one, they cannot with a branch
  // of a single row: what sends it right sends another one wrong.
  static bool may_agree(u32 known, const Rating& rating) {
    return weighted ? known >= 4 : std::min(rating.primary[0], rating.primary[1]) >= 2;
  }

  void offer(const Lists& lists, const Node& node, std::int32_t feature, const Rating& rating) {
    const u32* entries = lists.of(feature, node.side) + node.begin;
    const List list{feature, entries, lists.known(feature, entries, node.count)};
    codes_.is_nominal(static_cast<std::size_t>(feature)) ? offer_levels(lists, list, rating)
                                                         : offer_cut(lists, list, rating);
  }

  Sum weight(u32 entry) const { return signed_[id_of(entry)]; }

  // What a list's rows weigh on each branch; returns a bound of what its cuts agree.
  i64 bound(const List& list, BranchCounts& all) const {
    Sum lead = 0, weight = 0, rows = 0, highest = 0, lowest = 0;
    for (u32 i = 0; i < list.count; ++i) {
      const Sum w = this->weight(list.entries[i]);
      lead += w;
      weight += w < 0 ? -w : w;
      if constexpr (weighted) rows += w != 0;
      highest = lead > highest ? lead : highest;
      lowest = lead < lowest ? lead : lowest;
    }
    all.weight[0] = (static_cast<i64>(weight) + lead) / 2;
    all.weight[1] = static_cast<i64>(weight) - all.weight[0];
    all.rows[0] = weighted ? rows : weight;
    return std::max(all.weight[1] + highest, all.weight[0] - lowest);
  }

  void offer_cut(const Lists& lists, const List& list, const Rating& rating) {
    BranchCounts all;
    const i64 most = bound(list, all);
    if (most <= all.majority() || !found_.can_keep(rating.agreement(most, all))) return;
    AgreementScan<u32> scan(all, all.majority());
    u32 last = 0xFFFFFFFFu;
    for (u32 i = 0; i < list.count; ++i) {
      const u32 entry = list.entries[i];
      const Sum w = weight(entry);
      if (rank_of(entry) == last)
        scan.add(w, w != 0);
      else if (scan.next(entry, w, w != 0) && scan.best() == most)
        break;
      last = rank_of(entry);
    }
    const auto best = best_cut(lists.view(), static_cast<std::size_t>(list.feature), scan, all, rating,
                               [&](u32 entry) { return lists.id_in_view(entry); });
    if (best) found_.offer(*best);
  }

  void offer_levels(const Lists& lists, const List& list, const Rating& rating) {
    levels_.start();
    for (u32 i = 0; i < list.count;) {
      const u32 first = list.entries[i];
      BranchCounts counts;
      for (; i < list.count && rank_of(list.entries[i]) == rank_of(first); ++i) {
        const Sum w = weight(list.entries[i]);
        counts.weight[w < 0] += w < 0 ? -w : w;
        counts.rows[w < 0] += w != 0;
      }
      levels_.add(lists.level(list.feature, first), counts);
    }
    found_.offer(lists.view(), static_cast<std::size_t>(list.feature), levels_, rating);
  }

  const Codes& codes_;
  std::vector<Signed> signed_ = std::vector<Signed>(SMALL);
  LevelAgreement levels_;
  Surrogates found_;
};

}  // namespace boxwood::coded

// The lists of a small subtree: of every feature, its rows in order of value, partitioned at every split.
// Invariant: an entry is (rank, mark, id) of response/list_scanner.hpp; ranks are equal exactly for equal values (of a
// nominal feature, they are its levels); entries without a value come last. A node owns the same range of every list,
// in one of two buffers. Cost: sorting about 4 ns a value; partition 0.3 to 1.2 ns an entry.
#pragma once

#include "response/list_scanner.hpp"
#include "search/list_partition.hpp"
#include "search/list_sorting.hpp"
#include "search/rows_view.hpp"

namespace boxwood::coded {

class Lists {
 public:
  explicit Lists(const Codes& codes) : codes_(codes) {
    for (auto& list : lists_) list.reset(new u32[(codes.columns() + 1) * LIST]);
    wide_levels_.resize(codes.columns() - codes.coded_columns());
    branch_.resize(SMALL);
  }

  // Of the ids of one subtree; `mark`: a bit of each id, which its entries carry, or nullptr.
  void start(const View& view, const u32* ids, u32 count, const std::uint8_t* mark) {
    view_ = &view;
    ids_ = sorted_ids_ = ids;
    for (u32 i = 0; i < count; ++i) marked_[i] = static_cast<std::uint16_t>(i | (mark ? mark[i] << 15 : 0));
  }

  u32* of(std::int32_t feature, int side) { return lists_[side].get() + static_cast<std::size_t>(feature) * LIST; }
  const u32* of(std::int32_t feature, int side) const {
    return lists_[side].get() + static_cast<std::size_t>(feature) * LIST;
  }
  // A further list, which no feature orders: of all ids.
  std::int32_t list_all(u32 count) {
    const auto list = static_cast<std::int32_t>(codes_.columns());
    std::copy_n(marked_, count, of(list, 0));
    return list;
  }
  // What is sorted from now on: the entries of a range of that list.
  void sort_among(const u32* entries, u32 count) {
    chosen_.resize(SMALL);
    for (u32 i = 0; i < count; ++i) {
      chosen_[i] = id_in_view(entries[i]);
      marked_[i] = static_cast<std::uint16_t>(entries[i]);
    }
    sorted_ids_ = chosen_.data();
  }

  // Row of the learning set behind an entry.
  u32 row(u32 entry) const { return view_->row(id_in_view(entry)); }
  const View& view() const { return *view_; }
  u32 id_in_view(u32 entry) const { return ids_[id_of(entry)]; }
  Code code(std::int32_t feature, u32 entry) const {
    return view_->code(static_cast<std::size_t>(feature), id_in_view(entry));
  }
  // The branch of each id, by which lists are partitioned.
  std::uint8_t* branch() { return branch_.data(); }
  const std::uint8_t* branch() const { return branch_.data(); }

  // Level of an entry of a nominal feature.
  u32 level(std::int32_t j, u32 entry) const {
    if (!codes_.is_wide(static_cast<std::size_t>(j))) return rank_of(entry);
    return wide_levels_[static_cast<std::size_t>(j) - codes_.coded_columns()][rank_of(entry)];
  }

  // Puts a feature's entries in order of value; false when it is constant.
  bool sort(std::size_t j, u32 count) { return sort(j, count, of(static_cast<std::int32_t>(j), 0)); }
  bool sort(std::size_t j, u32 count, u32* out) {
    if (codes_.is_wide(j)) return sort_wide(j, count, out);
    u32 both = 0xffffffffu, any = 0;
    const Code* codes = view_->codes + j;
    const u32 none = codes_.missing_code(j);
    const bool counted = count >= sorter_.COUNTED;
    if (counted) sorter_.start();
    for (u32 i = 0; i < count; ++i) {
      const u32 at = codes[sorted_ids_[i] * view_->columns()], code = at == none ? NO_VALUE : at;
      both &= code;
      any |= code;
      out[i] = code << 16 | marked_[i];
      if (counted) sorter_.count(code);
    }
    if (both == any) return !codes_.is_nominal(j) && both != NO_VALUE && rank(j, out, count);
    sorter_.sort(out, count, both ^ any);
    return codes_.is_nominal(j) || rank(j, out, count);
  }

  // Entries of a range that have a value.
  u32 known(std::int32_t j, const u32* entries, u32 count) const {
    if (!codes_.has_missing(j) || rank_of(entries[count - 1]) != NO_VALUE) return count;
    return static_cast<u32>(std::lower_bound(entries, entries + count, NO_VALUE,
                                             [](u32 entry, u32 none) { return rank_of(entry) < none; }) -
                            entries);
  }

  // A range of the lists, and the features whose lists are partitioned.
  struct Range {
    u32 begin, count;
    int side;
    const std::int32_t *first, *last;
  };

  // Partitions the lists for the two children, those that are open; `left`: rows of the first.
  void partition(const Range& node, u32 left, const bool* open) {
    const PartitionBy by{branch_.data(), id_of(0xffffffffu)};
#if defined(BOXWOOD_X86)
    if (has_vbmi()) {
      partition_by_sixteens(by, node, left, open);
      return;
    }
#endif
    for (const std::int32_t* j = node.first; j != node.last; ++j) {
      u32* out = of(*j, 1 - node.side) + node.begin;
      partition_by_one(by, of(*j, node.side) + node.begin, node.count, open[0] ? out : nullptr,
                       open[1] ? out + left : nullptr);
    }
  }

  // The same for one child of any number, whose rows come to `begin`.
  void partition_to(const Range& node, std::uint8_t branch, u32 begin) {
    for (const std::int32_t* j = node.first; j != node.last; ++j) {
      const u32* in = of(*j, node.side) + node.begin;
      u32* out = of(*j, 1 - node.side) + begin;
      for (u32 i = 0; i < node.count; ++i)
        if (branch_[id_of(in[i])] == branch) *out++ = in[i];
    }
  }

 private:
  // Levels that do not fit a rank are numbered anew, in their order.
  bool sort_wide(std::size_t j, u32 count, u32* out) {
    auto& levels = wide_levels_[j - codes_.coded_columns()];
    std::vector<std::pair<u32, u32>> by_level(count);
    for (u32 i = 0; i < count; ++i) by_level[i] = {view_->level(j, sorted_ids_[i]), i};
    std::sort(by_level.begin(), by_level.end());
    levels.clear();
    for (u32 i = 0; i < count; ++i) {
      const auto [level, id] = by_level[i];
      const bool known = level < codes_.levels(j);
      if (known && (levels.empty() || levels.back() != level)) levels.push_back(level);
      const u32 rank = known ? static_cast<u32>(levels.size()) - 1 : NO_VALUE;
      out[i] = rank << 16 | marked_[id];
    }
    return rank_of(out[0]) != rank_of(out[count - 1]);
  }

  static constexpr std::size_t LIST = SMALL + 16;  // so that lists do not all begin at the same place of the cache

  bool rank(std::size_t j, u32* entries, u32 count) {
    return sorter_.rank(
               entries, count, [&](u32 code) { return codes_.is_one_value(j, code); },
               [&](u32 entry) { return view_->value(j, ids_[id_of(entry)]); }) > 1;
  }

#if defined(BOXWOOD_X86)
  BOXWOOD_VBMI void partition_by_sixteens(const PartitionBy& by, const Range& node, u32 left, const bool* open) {
    const Bits bits = bits_of(by.right);
    for (const std::int32_t* j = node.first; j != node.last; ++j) {
      u32* out = of(*j, 1 - node.side) + node.begin;
      partition_sixteen(bits, by.id_mask, of(*j, node.side) + node.begin, node.count, open[0] ? out : nullptr,
                        open[1] ? out + left : nullptr);
    }
  }
#endif
  const Codes& codes_;
  std::unique_ptr<u32[]> lists_[2];  // written before they are read: a small fit touches little of them
  ListSorter<SMALL> sorter_;
  std::vector<std::uint8_t> branch_;
  std::uint16_t marked_[SMALL];
  std::vector<std::vector<u32>> wide_levels_;  // of each wide column, the levels of its ranks
  const View* view_ = nullptr;
  const u32 *ids_ = nullptr, *sorted_ids_ = nullptr;  // of the subtree, in its order; those that are sorted
  std::vector<u32> chosen_;
};

}  // namespace boxwood::coded

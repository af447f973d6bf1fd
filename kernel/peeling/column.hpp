// One sorted column of a node from which rows are taken away: its best cut by classification error, found again in a few steps.
// Invariant: a leaf ends where a code ends, so what happens in a leaf depends on its own rows alone; stretch i of a level is made of
// stretches 2i and 2i + 1 of the level below.
// Cost: W^2 log n a row taken away, and the same to find the best cut.
#pragma once

#include <vector>

#include "../samples.hpp"
#include "stretch.hpp"

namespace boxwood {

// A cut of a column: the last row below it stands at place `at`.
struct PeeledCut {
  std::uint32_t at = 0, rows_below = 0, below = 0, above = 0;
};

template <int W>
class PeeledColumn {
 public:
  // `local`: number of each sample within the node.
  void build(const Entry* entries, std::uint32_t n, const std::int32_t* classes, const std::uint32_t* local) {
    entries_.assign(entries, entries + n);
    classes_.resize(n);
    places_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      classes_[i] = static_cast<std::uint8_t>(classes[sample_of(entries[i])]);
      places_[local[sample_of(entries[i])]] = i;
    }
    part_into_leaves();
    levels_.assign(1, std::vector<Stretch<W>>(begins_.size() - 1));
    for (std::uint32_t leaf = 0; leaf + 1 < begins_.size(); ++leaf) count_leaf(leaf);
    while (levels_.back().size() > 1) {
      const std::size_t level = levels_.size(), size = (levels_.back().size() + 1) / 2;
      levels_.emplace_back(size);
      for (std::size_t i = 0; i < size; ++i) join(level, i);
    }
  }

  // The greatest number of rows that the two sides' largest classes have together, with `least` rows or more on each side.
  std::int32_t most(const std::int32_t* total, std::int64_t least) const {
    Quest quest(total, least, levels_.back()[0].size());
    look(quest, levels_.size() - 1, 0);
    return quest.best;
  }

  // The first of the cuts that reach this number.
  PeeledCut first(const std::int32_t* total, std::int64_t least, std::int32_t wanted) const {
    Quest quest(total, least, levels_.back()[0].size());
    quest.wanted = wanted;
    seek(quest, levels_.size() - 1, 0);
    PeeledCut cut{quest.at, static_cast<std::uint32_t>(quest.rows), code_of(entries_[quest.at]), 0};
    std::uint32_t next = quest.at + 1;
    while (classes_[next] == GONE) ++next;
    cut.above = code_of(entries_[next]);
    return cut;
  }

  // Calls visit(sample) for the rows up to a place, or for those behind it.
  template <class Visit>
  void each_below(std::uint32_t at, const Visit& visit) const {
    each(0, at + 1, visit);
  }
  template <class Visit>
  void each_above(std::uint32_t at, const Visit& visit) const {
    each(at + 1, static_cast<std::uint32_t>(entries_.size()), visit);
  }
  template <class Visit>
  void each(const Visit& visit) const {
    each(0, static_cast<std::uint32_t>(entries_.size()), visit);
  }

  // Takes rows away, numbered within the node, and writes their entries in order where `out` says, unless that is nullptr.
  void take(const std::vector<std::uint32_t>& rows, Entry* out) {
    taken_.clear();
    for (const std::uint32_t row : rows) taken_.push_back(places_[row]);
    std::sort(taken_.begin(), taken_.end());
    touched_.clear();
    for (const std::uint32_t at : taken_) {
      if (out) *out++ = entries_[at];
      const std::uint32_t leaf = leaf_of(at);
      --levels_[0][leaf].rows[classes_[at]];
      classes_[at] = GONE;
      if (touched_.empty() || touched_.back() != leaf) touched_.push_back(leaf);
    }
    for (const std::uint32_t leaf : touched_) count_leaf(leaf);
    for (std::size_t level = 1; level < levels_.size(); ++level) {
      for (auto& i : touched_) i /= 2;
      touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
      for (const std::uint32_t i : touched_) join(level, i);
    }
  }

 private:
  static constexpr std::uint8_t GONE = 255;
  static constexpr std::uint32_t LEAF = 32;  // a leaf of several codes has at most twice as many rows

  // What is looked for, and what lies left of the stretch at hand.
  struct Quest {
    Quest(const std::int32_t* of_node, std::int64_t least_rows, std::int32_t n)
        : total(of_node), from(static_cast<std::int32_t>(std::min<std::int64_t>(least_rows, n))), until(n - from) {}
    const std::int32_t* total;
    std::int32_t from, until;  // rows that may lie left of a cut
    std::int32_t before[W] = {}, rows = 0;
    std::int32_t best = NO_CUT, wanted = NO_CUT;
    std::uint32_t at = 0;

    void pass(const Stretch<W>& stretch, std::int32_t size) {
      for (int k = 0; k < W; ++k) before[k] += stretch.rows[k];
      rows += size;
    }
    bool may_cut(std::int32_t size) const { return rows + size >= from && rows < until; }
  };

  void part_into_leaves() {
    begins_ = {0};
    const auto n = static_cast<std::uint32_t>(entries_.size());
    for (std::uint32_t i = 0; i < n;) {
      std::uint32_t end = i + 1;
      while (end < n && code_of(entries_[end]) == code_of(entries_[i])) ++end;
      const bool is_heap = end - i >= LEAF;  // a code of its own leaf, whose rows nobody needs to go through
      if (is_heap && begins_.back() != i) begins_.push_back(i);
      if (is_heap || end - begins_.back() >= LEAF) begins_.push_back(end);
      i = end;
    }
    if (begins_.back() != n) begins_.push_back(n);
  }

  std::uint32_t leaf_of(std::uint32_t at) const {
    return static_cast<std::uint32_t>(std::upper_bound(begins_.begin(), begins_.end(), at) - begins_.begin()) - 1;
  }
  bool is_heap(std::uint32_t leaf) const {
    return begins_[leaf + 1] - begins_[leaf] >= LEAF && code_of(entries_[begins_[leaf]]) == code_of(entries_[begins_[leaf + 1] - 1]);
  }

  void join(std::size_t level, std::size_t i) {
    const auto& below = levels_[level - 1];
    if (2 * i + 1 < below.size()) {
      levels_[level][i].join(below[2 * i], below[2 * i + 1]);
    } else {
      levels_[level][i] = below[2 * i];
    }
  }

  // Calls visit(place) at every end of a code in a leaf, when `add` has been called with the classes of all rows up to it.
  template <class Add, class Visit>
  void each_cut(std::uint32_t leaf, const Add& add, const Visit& visit) const {
    std::uint32_t last = begins_[leaf + 1];
    for (std::uint32_t i = begins_[leaf], end = last; i < end; ++i) {
      if (classes_[i] == GONE) continue;
      if (last != end && code_of(entries_[i]) != code_of(entries_[last])) visit(last);
      add(classes_[i]);
      last = i;
    }
    if (last != begins_[leaf + 1]) visit(last);
  }

  void count_leaf(std::uint32_t leaf) {
    Stretch<W>& stretch = levels_[0][leaf];
    const bool is_counted = levels_.size() > 1;
    if (is_counted && is_heap(leaf)) {
      std::fill_n(&stretch.leads[0][0], W * W, NO_CUT);
      if (stretch.size() > 0) stretch.add_cut();
      return;
    }
    stretch.clear();
    each_cut(leaf, [&](int k) { ++stretch.rows[k]; }, [&](std::uint32_t) { stretch.add_cut(); });
  }

  // The best over the cuts of a stretch: at once where all of them leave enough rows, else by its parts.
  void look(Quest& quest, std::size_t level, std::size_t i) const {
    const Stretch<W>& stretch = levels_[level][i];
    const std::int32_t size = stretch.size();
    if (size == 0 || !quest.may_cut(size)) return quest.pass(stretch, size);
    if (quest.rows + 1 >= quest.from && quest.rows + size <= quest.until) {
      quest.best = std::max(quest.best, stretch.most(quest.before, quest.total));
      return quest.pass(stretch, size);
    }
    if (level > 0) {
      look(quest, level - 1, 2 * i);
      if (2 * i + 1 < levels_[level - 1].size()) look(quest, level - 1, 2 * i + 1);
      return;
    }
    try_cuts(quest, static_cast<std::uint32_t>(i), [&](std::int32_t reached, std::uint32_t) { quest.best = std::max(quest.best, reached); });
  }

  // Whether the first cut that reaches what is wanted lies in this stretch; says where.
  bool seek(Quest& quest, std::size_t level, std::size_t i) const {
    const Stretch<W>& stretch = levels_[level][i];
    const std::int32_t size = stretch.size();
    if (size == 0 || !quest.may_cut(size) || stretch.most(quest.before, quest.total) < quest.wanted) {
      quest.pass(stretch, size);
      return false;
    }
    if (level > 0) return seek(quest, level - 1, 2 * i) || (2 * i + 1 < levels_[level - 1].size() && seek(quest, level - 1, 2 * i + 1));
    bool is_found = false;
    std::int32_t rows = 0;
    try_cuts(quest, static_cast<std::uint32_t>(i), [&](std::int32_t reached, std::uint32_t at) {
      if (is_found || reached < quest.wanted) return;
      is_found = true;
      quest.at = at;
      rows = quest.rows;
    });
    if (is_found) quest.rows = rows;
    return is_found;
  }

  // Calls visit(rows of the largest classes, place) for the cuts of a leaf that leave enough rows; passes the leaf.
  template <class Visit>
  void try_cuts(Quest& quest, std::uint32_t leaf, const Visit& visit) const {
    const auto add = [&](int k) {
      ++quest.before[k];
      ++quest.rows;
    };
    each_cut(leaf, add, [&](std::uint32_t at) {
      if (quest.rows >= quest.from && quest.rows <= quest.until) visit(rows_of_largest<W>(quest.before, quest.total), at);
    });
  }

  template <class Visit>
  void each(std::uint32_t from, std::uint32_t until, const Visit& visit) const {
    if (from >= until) return;
    for (std::uint32_t leaf = leaf_of(from); leaf + 1 < begins_.size() && begins_[leaf] < until; ++leaf) {
      if (levels_[0][leaf].size() == 0) continue;
      for (std::uint32_t i = std::max(from, begins_[leaf]), end = std::min(until, begins_[leaf + 1]); i < end; ++i)
        if (classes_[i] != GONE) visit(sample_of(entries_[i]));
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::uint8_t> classes_;       // of the row at each place, or GONE
  std::vector<std::uint32_t> places_;       // of each row of the node
  std::vector<std::uint32_t> begins_;       // of leaves, and the end of the last
  std::vector<std::vector<Stretch<W>>> levels_;
  std::vector<std::uint32_t> taken_, touched_;
};

}  // namespace boxwood

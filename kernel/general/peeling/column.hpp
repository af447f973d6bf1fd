// One sorted column of a node from which rows are taken away: its best cuts by classification error, found again in a
// few steps. Invariant: a stretch of the lowest level is a leaf; stretch i of a level is made of stretches 2i and 2i +
// 1 of the level below. Cost: W^2 log n a row taken away, and the same to find a cut.
#pragma once

#include <vector>

#include "general/peeling/rows.hpp"
#include "general/peeling/stretch.hpp"

namespace boxwood {

// A cut of a column: the last known row below it stands at place `at`. Rows without a value are not counted.
template <class M>
struct PeeledPlace {
  std::uint32_t at = 0;
  bool missing_left = false;  // by the column's own choice, where it has one
  std::uint32_t rows_below = 0;
  typename M::Sum left[M::W] = {};  // with the missing rows if they lie left

  // Cuts in the order of a scan: at each place first with the missing rows on the right, then with them on the left.
  std::uint64_t number() const { return 2 * std::uint64_t{at} + missing_left; }
};

template <class M>
class PeeledColumn {
 public:
  static constexpr int W = M::W;
  using Sum = typename M::Sum;
  using Lead = typename M::Lead;
  using Place = PeeledPlace<M>;

  // What is asked of a column: of a node's sums, with `least` rows or more on each side.
  struct Asked {
    const Sum* total;
    std::int64_t least;
    bool learns;  // rows without a value are tried on either side; else they have no say
  };

  // `local`: number of each sample within the node; `weight`: nullptr = 1 each.
  void build(const M& masses, const Entry* entries, std::uint32_t n, const std::int32_t* classes,
             const std::int64_t* weight, const std::uint32_t* local) {
    masses_ = &masses;
    rows_.build(entries, n, classes, weight, local);
    n_missing_ = static_cast<std::int32_t>(n - rows_.known());
    for (std::uint32_t at = rows_.known(); at < n; ++at) missing_[rows_.class_of(at)] += rows_.weight_of(at);
    levels_.assign(1, std::vector<Stretch<M>>(rows_.leaves()));
    for (std::uint32_t leaf = 0; leaf < rows_.leaves(); ++leaf) count_leaf(leaf);
    while (levels_.back().size() > 1) {
      const std::size_t level = levels_.size(), size = (levels_.back().size() + 1) / 2;
      levels_.emplace_back(size);
      for (std::size_t i = 0; i < size; ++i) join(level, i);
    }
  }

  std::int32_t rows_missing() const { return n_missing_; }
  const Sum* missing() const { return missing_; }
  // What a cut parts: all rows of a node, or those with a value.
  void parted(const Asked& asked, Sum* total) const {
    for (int k = 0; k < W; ++k) total[k] = asked.total[k] - (asked.learns ? Sum{0} : missing_[k]);
  }

  // The most that the two sides' largest classes weigh together; M::NO_CUT when there is no cut.
  Lead most(const Asked& asked) const {
    Lead best = M::NO_CUT;
    each_way(asked, [&](Quest& quest) {
      look(quest, levels_.size() - 1, 0);
      best = std::max(best, quest.best);
    });
    return best;
  }

  // The first of the cuts, from a number on, that reach what is wanted; false when none does.
  bool first(const Asked& asked, Lead wanted, std::uint64_t number, Place& out) const {
    bool is_found = false;
    each_way(asked, [&](Quest& quest) {
      quest.wanted = wanted;
      quest.since = static_cast<std::uint32_t>((number + !quest.missing_left) / 2);
      if (!seek(quest, levels_.size() - 1, 0) || (is_found && quest.found.at >= out.at)) return;
      is_found = true;
      out = quest.found;
    });
    return is_found;
  }

  std::uint32_t code(std::uint32_t at) const { return rows_.code(at); }
  std::uint32_t code_behind(std::uint32_t at) const { return rows_.code_behind(at); }

  // Calls visit(sample) for the rows with a value up to a place, for those behind it, for those without a value, for
  // all.
  template <class Visit>
  void each_below(std::uint32_t at, const Visit& visit) const {
    each(0, at + 1, visit);
  }
  template <class Visit>
  void each_above(std::uint32_t at, const Visit& visit) const {
    each(at + 1, rows_.known(), visit);
  }
  template <class Visit>
  void each_missing(const Visit& visit) const {
    if (n_missing_ > 0) each(rows_.known(), rows_.size(), visit);
  }
  template <class Visit>
  void each(const Visit& visit) const {
    each(0, rows_.size(), visit);
  }

  // Takes rows away, numbered within the node, and writes their entries in order where `out` says, unless that is
  // nullptr.
  void take(const std::vector<std::uint32_t>& rows, Entry* out) {
    taken_.clear();
    for (const std::uint32_t row : rows) taken_.push_back(rows_.place(row));
    std::sort(taken_.begin(), taken_.end());
    touched_.clear();
    for (const std::uint32_t at : taken_) {
      if (out) *out++ = rows_.entry(at);
      const std::uint32_t leaf = rows_.leaf_of(at);
      drop(levels_[0][leaf], at);
      if (at >= rows_.known()) {
        missing_[rows_.class_of(at)] -= rows_.weight_of(at);
        --n_missing_;
      }
      rows_.take(at);
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
  template <class Visit>
  void each(std::uint32_t from, std::uint32_t until, const Visit& visit) const {
    rows_.each(from, until, [this](std::uint32_t leaf) { return levels_[0][leaf].rows == 0; }, visit);
  }

  // What is looked for, with the missing rows on one side, and what lies left of the stretch at hand.
  struct Quest {
    Sum total[W];
    bool missing_left = false;
    std::int32_t from = 0, until = 0;  // rows that may lie left of a cut
    Sum before[W] = {};
    std::int32_t rows = 0;
    std::uint32_t since = 0;  // the first place where a cut counts
    Lead best = M::NO_CUT, wanted = M::NO_CUT;
    Place found;

    void pass(const Stretch<M>& stretch) {
      for (int k = 0; k < W; ++k) before[k] += stretch.sums[k];
      rows += stretch.rows;
    }
    bool may_cut(std::int32_t size) const { return rows + size >= from && rows < until; }
  };

  // Calls visit(quest) for each side on which the missing rows may be.
  template <class Visit>
  void each_way(const Asked& asked, const Visit& visit) const {
    const std::int32_t all = levels_.back()[0].rows - (asked.learns ? 0 : n_missing_);
    Quest quest;
    quest.from = static_cast<std::int32_t>(std::min<std::int64_t>(asked.least, all));
    quest.until = all - quest.from;
    parted(asked, quest.total);
    const bool has_two = asked.learns && n_missing_ > 0;
    Quest other = quest;
    visit(quest);
    if (!has_two) return;
    other.missing_left = true;
    other.rows = n_missing_;
    std::copy_n(missing_, W, other.before);
    visit(other);
  }

  void add(Stretch<M>& stretch, std::uint32_t at) const {
    stretch.sums[rows_.class_of(at)] += rows_.weight_of(at);
    ++stretch.rows;
  }
  void drop(Stretch<M>& stretch, std::uint32_t at) const {
    stretch.sums[rows_.class_of(at)] -= rows_.weight_of(at);
    --stretch.rows;
  }

  void join(std::size_t level, std::size_t i) {
    const auto& below = levels_[level - 1];
    if (2 * i + 1 < below.size()) {
      levels_[level][i].join(below[2 * i], below[2 * i + 1], *masses_);
    } else {
      levels_[level][i] = below[2 * i];
    }
  }

  void count_leaf(std::uint32_t leaf) {
    Stretch<M>& stretch = levels_[0][leaf];
    const bool is_counted = levels_.size() > 1;
    if (is_counted && (rows_.begin(leaf) >= rows_.known() || rows_.is_heap(leaf))) {
      std::fill_n(&stretch.leads[0][0], W * W, M::NO_CUT);
      if (stretch.rows > 0 && rows_.begin(leaf) < rows_.known()) stretch.add_cut(*masses_);
      return;
    }
    stretch.clear();
    rows_.each_cut(
        leaf, [&](std::uint32_t at) { add(stretch, at); }, [&](std::uint32_t) { stretch.add_cut(*masses_); });
  }

  // The best over the cuts of a stretch: at once where all of them leave enough rows, else by its parts.
  void look(Quest& quest, std::size_t level, std::size_t i) const {
    const Stretch<M>& stretch = levels_[level][i];
    if (stretch.rows == 0 || !quest.may_cut(stretch.rows)) return quest.pass(stretch);
    if (quest.rows + 1 >= quest.from && quest.rows + stretch.rows <= quest.until) {
      quest.best = std::max(quest.best, stretch.most(quest.before, quest.total, *masses_));
      return quest.pass(stretch);
    }
    if (level > 0) {
      look(quest, level - 1, 2 * i);
      if (2 * i + 1 < levels_[level - 1].size()) look(quest, level - 1, 2 * i + 1);
      return;
    }
    try_cuts(quest, static_cast<std::uint32_t>(i),
             [&](Lead reached, std::uint32_t) { quest.best = std::max(quest.best, reached); });
  }

  // Whether the first cut that reaches what is wanted lies in this stretch; says where.
  bool seek(Quest& quest, std::size_t level, std::size_t i) const {
    const Stretch<M>& stretch = levels_[level][i];
    const bool is_before = rows_.begin((i + 1) << level) <= quest.since;
    if (is_before || stretch.rows == 0 || !quest.may_cut(stretch.rows) ||
        stretch.most(quest.before, quest.total, *masses_) < quest.wanted) {
      quest.pass(stretch);
      return false;
    }
    if (level > 0)
      return seek(quest, level - 1, 2 * i) ||
             (2 * i + 1 < levels_[level - 1].size() && seek(quest, level - 1, 2 * i + 1));
    bool is_found = false;
    try_cuts(quest, static_cast<std::uint32_t>(i), [&](Lead reached, std::uint32_t at) {
      if (is_found || reached < quest.wanted || at < quest.since) return;
      is_found = true;
      quest.found.at = at;
      quest.found.missing_left = quest.missing_left;
      quest.found.rows_below = static_cast<std::uint32_t>(quest.rows - (quest.missing_left ? n_missing_ : 0));
      std::copy_n(quest.before, W, quest.found.left);
    });
    return is_found;
  }

  // Calls visit(mass of the largest classes, place) for the cuts of a leaf that leave enough rows; passes the leaf.
  template <class Visit>
  void try_cuts(Quest& quest, std::uint32_t leaf, const Visit& visit) const {
    const auto pass = [&](std::uint32_t at) {
      quest.before[rows_.class_of(at)] += rows_.weight_of(at);
      ++quest.rows;
    };
    rows_.each_cut(leaf, pass, [&](std::uint32_t at) {
      if (quest.rows >= quest.from && quest.rows <= quest.until)
        visit(mass_of_largest(quest.before, quest.total, *masses_), at);
    });
  }

  const M* masses_ = nullptr;
  PeeledRows<M> rows_;
  std::vector<std::vector<Stretch<M>>> levels_;
  std::vector<std::uint32_t> taken_, touched_;
  std::int32_t n_missing_ = 0;
  Sum missing_[W] = {};
};

}  // namespace boxwood

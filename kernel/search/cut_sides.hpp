// What the description of a candidate needs beside its gain: the rows about its cut, and which side is branch 0.
// Invariant: with `order_by_mean` branch 0 has the lower mean, and equal means are turned, as by rpart; else it is the
// lower side. Cost: one pass over the node's rows.
#pragma once

#include "search/rows_view.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

constexpr u32 NO_ROW = 0xFFFFFFFFu;

// Whether a row lies above a cut: no side is empty, even if X has been changed since the cut was found.
inline bool is_above(const View& view, const Candidate& cut, Code code, u32 id) {
  if (cut.whole || code != cut.code) return code > cut.code;
  return id == cut.first_right || (id != cut.last_left && view.value(cut.feature, id) > cut.below);
}

// Whether rows whose high parts are all the same differ in their low ones.
template <class R>
bool differ_in_low_parts(const R& y, const u32* ids, u32 count) {
  if constexpr (R::has_low_parts) return y.differ_in_low_parts(ids, count);
  return false;
}

// Whether the sides change places, so that branch 0 is that of the lower mean.
template <class R>
bool is_turned(const R& y, const NodeStats& stats, const typename R::Cell* left, const typename R::Cell* right) {
  return y.mean(left, stats) >= y.mean(right, stats);
}

template <class R>
class CutSides {
 public:
  using Cell = typename R::Cell;

  CutSides(const R& y, const View& view) : y_(y), view_(view) {}

  // `levels`: of a set of levels, in ascending order; else nullptr.
  void count(const u32* ids, u32 count, const Candidate& cut, const std::vector<LevelBranch>* levels) {
    const auto width = static_cast<std::size_t>(y_.width());
    const auto j = static_cast<std::size_t>(cut.feature);
    const u32 none = levels ? view_.all->levels(j) : u32{view_.all->missing_code(j)};
    cells_.assign(2 * width, Cell{});
    below_ = above_ = NO_ROW;
    if (levels) {
      of_level_.assign(view_.all->levels(j) + std::size_t{1}, 0);
      for (const auto& [level, branch] : *levels) of_level_[level] = static_cast<std::uint8_t>(branch);
    }
    for (u32 i = 0; i < count; ++i) {
      const u32 code = levels ? view_.level(j, ids[i]) : view_.code(j, ids[i]);
      if (code == none) continue;
      const bool right = levels ? of_level_[code] != 0 : is_above(view_, cut, static_cast<Code>(code), ids[i]);
      y_.add(&cells_[right ? width : 0], ids[i]);
      if (levels) continue;
      u32& about = right ? above_ : below_;
      if (about == NO_ROW || is_closer(j, ids[i], about, right)) about = ids[i];
    }
  }
  bool is_turned(const NodeStats& stats) const {
    return coded::is_turned(y_, stats, cells_.data(), cells_.data() + y_.width());
  }
  // Rows of the learning set; NO_ROW above where every known value is below.
  u32 below() const { return below_ == NO_ROW ? NO_ROW : view_.row(below_); }
  u32 above() const { return above_ == NO_ROW ? NO_ROW : view_.row(above_); }

 private:
  bool is_closer(std::size_t j, u32 id, u32 than, bool right) const {
    const Code a = view_.code(j, id), b = view_.code(j, than);
    if (a != b) return (a < b) == right;
    if (view_.all->is_one_value(j, a)) return false;
    const double x = view_.value(j, id), z = view_.value(j, than);
    return right ? x < z : x > z;
  }

  const R& y_;
  const View& view_;
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> of_level_;
  u32 below_ = NO_ROW, above_ = NO_ROW;
};

}  // namespace boxwood::coded

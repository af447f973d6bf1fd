// Surrogates of a split, ranked by how well they agree with it, and the branches they give to rows that the split does
// not know. Invariant: the agreement decides, then the order of the features; the first surrogate that knows a row
// routes it. Cost: a few operations a surrogate. Source: Breiman et al. 1984, 5.3.
#pragma once

#include <optional>

#include "search/rows_view.hpp"
#include "surrogate/agreement.hpp"

namespace boxwood::coded {

struct Surrogate : Agreement {
  std::int32_t feature = -1;  // as the codes number it
  bool flipped = false;  // branch 0 is the upper side
  bool whole = true;  // no code has values on both sides
  Code code = 0;  // of the value below the cut
  u32 below = 0, above = 0;  // rows of the learning set whose values are about the cut
  std::int32_t n_levels = 0;  // of a set of levels, which has no cut
  std::size_t first_level = 0;  // among the levels of whoever keeps it
};

// The best cut of a scan, if it agrees better than the majority; `id(place)`: of a row with the value at that place.
template <class Place, class IdOf>
std::optional<Surrogate> best_cut(const View& view, std::size_t feature, const AgreementScan<Place>& scan,
                                  const BranchCounts& all, const Rating& rating, const IdOf& id) {
  Surrogate one;
  if (!scan.found || !rating.rate(scan.best(), all, one)) return std::nullopt;
  const u32 below = id(scan.below), above = id(scan.above);
  one.feature = static_cast<std::int32_t>(feature);
  one.place = view.all->place(feature);
  one.flipped = scan.flipped;
  one.below = view.row(below);
  one.above = view.row(above);
  one.code = view.code(feature, below);
  one.whole = view.code(feature, above) != one.code;
  return one;
}

// The best surrogates of one split, best first; of equal ones that of the earlier feature. They may be offered in any
// order.
class Surrogates {
 public:
  void start(const Rating& rating) {
    most_ = static_cast<std::size_t>(rating.settings->max_surrogates);
    kept_.clear();
    levels_.clear();
  }
  std::size_t most() const { return most_; }
  // Whether one of such an agreement might be kept.
  bool can_keep(double agreement) const { return kept_.size() < most_ || agreement >= kept_.back().agreement; }
  void offer(const Surrogate& one) { keep_best(kept_, one, most_); }
  // The set of levels that agrees best, if it may be kept.
  void offer(const View& view, std::size_t feature, const LevelAgreement& levels, const Rating& rating) {
    Surrogate one;
    const i64 agreed = levels.best(*rating.settings, view.all->levels(feature), branches_);
    if (agreed < 0 || !rating.rate(agreed, levels.all(), one) || !can_keep(one.agreement)) return;
    one.feature = static_cast<std::int32_t>(feature);
    one.place = view.all->place(feature);
    one.n_levels = static_cast<std::int32_t>(branches_.size());
    one.first_level = levels_.size();
    levels_.insert(levels_.end(), branches_.begin(), branches_.end());
    offer(one);
  }
  std::vector<Surrogate>& all() { return kept_; }
  const std::vector<Surrogate>& all() const { return kept_; }
  const LevelBranch* levels(const Surrogate& one) const { return &levels_[one.first_level]; }

  // The branch of a row that the split does not know; `none` when no surrogate knows it either.
  std::uint8_t branch_of(const View& view, u32 id, std::uint8_t none) const {
    for (const Surrogate& one : kept_) {
      const auto j = static_cast<std::size_t>(one.feature);
      if (one.n_levels == 0) {
        const Code code = view.code(j, id);
        if (code == NOTHING && view.all->has_missing(j)) continue;
        const bool inside = !one.whole && code == one.code;
        return (inside ? view.value(j, id) > view.all->value(j, one.below) : code > one.code) != one.flipped;
      }
      const u32 level = view.level(j, id);
      const LevelBranch *first = levels(one), *last = first + one.n_levels;
      const auto at = std::lower_bound(first, last, level, [](const LevelBranch& a, u32 l) { return a.level < l; });
      if (at != last && at->level == level) return static_cast<std::uint8_t>(at->branch);
    }
    return none;
  }

 private:
  std::size_t most_ = 0;
  std::vector<Surrogate> kept_;
  std::vector<LevelBranch> levels_, branches_;
};

}  // namespace boxwood::coded

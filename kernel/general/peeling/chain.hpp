// The cut that a scan of a column would keep, where decreases that differ by less than rounding are equal.
// A scan keeps a cut when it beats the one kept so far by more than a tie. So the last cut it keeps is known from the
// few that come near the best: of those that reach some height below which none comes within a tie, the scan keeps the
// first, whatever was before. Invariant: the cut is the scan's, to the last bit of its decrease; stretches only say
// where to look. Cost: three looks into the column where no other cut comes near the best, else one more for each that
// the scan would keep.
#pragma once

#include "general/peeling/column.hpp"
#include "response/settings.hpp"

namespace boxwood {

template <class M>
class PeeledChain {
 public:
  using Place = PeeledPlace<M>;
  using Asked = typename PeeledColumn<M>::Asked;

  // `scale`: the mass of the node; a decrease is at most that.
  PeeledChain(const M& masses, const PeeledColumn<M>& column, const Asked& asked, double scale)
      : masses_(masses), column_(column), asked_(asked), scale_(scale), doubt_(scale * TIE / 20) {
    column.parted(asked, total_);
    for (int k = 0; k < M::W; ++k) largest_ = std::max(largest_, masses.mass(total_[k], k));
  }

  // Whether there is a cut; then it stands in `place`, with what it saves.
  bool find() {
    most_ = column_.most(asked_);
    if (most_ < 0 || !begin()) return false;
    saved = saved_at(place);
    // A sum of a stretch may be off by less than `doubt_`; what may pass the bar is computed as a scan computes it.
    for (Place next = place; most_ + doubt_ > largest_ + bar_above(saved, scale_);) {
      if (!column_.first(asked_, largest_ + bar_above(saved, scale_) - doubt_, next.number() + 1, next)) break;
      if (!(saved_at(next) > bar_above(saved, scale_))) continue;
      place = next;
      saved = saved_at(next);
    }
    return true;
  }

  Place place;
  double saved = 0;

 private:
  static constexpr int TRIES = 8;

  // A cut that the scan surely keeps for a while: the first that is so high that none before it was within a tie; else
  // the first of all.
  bool begin() {
    double height = most_ - 4 * TIE * scale_;
    for (int i = 0; i < TRIES && height > largest_; ++i) {
      Place near;
      if (!column_.first(asked_, height, 0, place)) return false;
      const double below = height - (2 * TIE * scale_ + 2 * doubt_);
      if (!column_.first(asked_, below, 0, near) || near.number() == place.number()) return true;
      height = most_ - 2 * (most_ - below);
    }
    return column_.first(asked_, M::NO_CUT, 0, place);
  }

  double saved_at(const Place& at) const { return mass_of_largest(at.left, total_, masses_) - largest_; }

  const M& masses_;
  const PeeledColumn<M>& column_;
  const Asked asked_;
  const double scale_, doubt_;
  typename M::Sum total_[M::W];
  double largest_ = 0, most_ = 0;
};

}  // namespace boxwood

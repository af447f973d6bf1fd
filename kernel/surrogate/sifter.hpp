// The rows of opened bins of several features, brought together in one pass over a node: most rows are dropped at first
// sight. Invariant: all rows of those bins, by code and place, in any order. Cost: about 4 ns a row of twenty features,
// and 1 ns a feature of each row kept.
#pragma once

#include <mutex>

#include "search/gather_rows.hpp"
#include "surrogate/sifting.hpp"

namespace boxwood::coded {

class Sifter {
 public:
  Sifter(const View& view, Team* team) : view_(view), team_(team) {}

  // Bins are the codes without their last `shift` bits.
  void collect(const Voters& voters, const std::vector<Wish>& wishes, int shift) {
    for (const Wish& wish : wishes) wish.items->clear();
    if (wishes.empty()) return;
    ranges_.clear();
    for (const Wish& wish : wishes) add_ranges(wish, shift);
    sieve_.start(view_, ranges_);
    std::mutex mutex;
    kept_.resize(team_members(team_) * wishes.size() * PIECE);
    sifted_.resize(team_members(team_) * PIECE);
    in_pieces(team_, voters.count, [&](u32 from, u32 to, int member) {
      Coded* kept = &kept_[static_cast<std::size_t>(member) * wishes.size() * PIECE];
      u32* sifted = &sifted_[static_cast<std::size_t>(member) * PIECE];
      const u32 count = sieve_.sift(voters, from, to, sifted);
      std::vector<std::size_t> counts;
      for (std::size_t k = 0; k < wishes.size(); ++k)
        counts.push_back(collect_feature(voters, wishes[k], shift, {sifted, count}, kept + k * PIECE));
      const std::lock_guard lock(mutex);
      for (std::size_t k = 0; k < wishes.size(); ++k)
        wishes[k].items->insert(wishes[k].items->end(), kept + k * PIECE, kept + k * PIECE + counts[k]);
    });
  }

 private:
  static constexpr std::size_t MOST_RANGES = 4;  // of a feature, to look for first

  struct Places {
    const u32* at;
    u32 count;
  };

  // Runs of opened bins; what comes after a few is one, with all between.
  void add_ranges(const Wish& wish, int shift) {
    const std::size_t before = ranges_.size(), bins = std::size_t{65536} >> shift;
    for (std::size_t b = 0; b < bins; ++b) {
      if (!wish.bins[b]) continue;
      const auto last = static_cast<Code>(((b + 1) << shift) - 1);
      if (ranges_.size() - before == MOST_RANGES || (b > 0 && wish.bins[b - 1])) {
        ranges_.back().last = last;
      } else {
        ranges_.push_back({static_cast<std::size_t>(wish.feature), static_cast<Code>(b << shift), last});
      }
    }
  }
  // The items of one feature from some places; how many.
  std::size_t collect_feature(const Voters& voters, const Wish& wish, int shift, const Places& places,
                              Coded* out) const {
    const auto j = static_cast<std::size_t>(wish.feature);
    std::size_t kept = 0;
    for (u32 i = 0; i < places.count; ++i) {
      const u32 at = places.at[i];
      const Code c = view_.code(j, voters.ids[at]);
      out[kept] = {c, at};
      kept += wish.bins[c >> shift];
    }
    return kept;
  }

  const View& view_;
  Team* team_;
  std::vector<Coded> kept_;  // of each member, room for the rows of a piece for each feature
  std::vector<Range> ranges_;
  Sieve sieve_;
  std::vector<u32> sifted_;  // of each member, places of rows of a piece
};

}  // namespace boxwood::coded

// Sets of levels as bits of a word: the tests of a plan ask whether a level has a bit, and a comparison of doubles
// answers. Invariant: a word is a double 2^52 + bits, negative for a level not seen in training; an entry is in a set
// where word and mask have a bit in common. So what is left of a word by a mask exceeds 2^52 exactly for the levels of
// the set. Cost: a bit a level for features of up to 50 levels, whatever the number of tests; a bit a test for others,
// in up to four words.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>

#include "predict/plan.hpp"

namespace boxwood {

class Marks {
 public:
  static constexpr std::size_t MOST_WORDS = 4;  // of a feature: each is looked up for every row

  // Which bits of which reading tell a set.
  struct Mark {
    std::uint32_t reading;
    std::uint64_t bits;
  };

  // `readings`: one for every feature, in their order; more are added.
  Marks(const std::vector<Asked>& features, std::vector<Reading>& readings)
      : features_(features), readings_(readings), words_(features.size()), taken_(features.size(), 0) {
    for (std::uint32_t j = 0; j < features.size(); ++j) {
      if (features[j].kind == Kind::numeric) continue;
      words_[j] = {j};
      readings_[j].of_entry = empty(j);
      if (!by_level(j)) continue;
      for (std::size_t e = 0; e < entries(j); ++e) set(readings_[j].of_entry[e], static_cast<int>(e));
    }
  }

  // A mark of the entries where `to` is `place`; nothing when there is no room for one more.
  std::optional<Mark> mark(std::uint32_t j, const std::vector<std::uint32_t>& to, std::uint32_t place) {
    if (by_level(j)) {
      Mark found{j, 0};
      for (std::size_t e = 0; e < to.size(); ++e) found.bits |= std::uint64_t{to[e] == place} << e;
      return found;
    }
    if (taken_[j] == static_cast<int>(MARK_BITS)) {
      if (words_[j].size() == MOST_WORDS) return {};
      words_[j].push_back(static_cast<std::uint32_t>(readings_.size()));
      readings_.push_back({j, empty(j)});
      taken_[j] = 0;
    }
    const Mark made{words_[j].back(), std::uint64_t{1} << taken_[j]};
    std::vector<double>& word = readings_[made.reading].of_entry;
    for (std::size_t e = 0; e < to.size(); ++e)
      if (to[e] == place) set(word[e], taken_[j]);
    ++taken_[j];
    return made;
  }

 private:
  std::size_t entries(std::uint32_t j) const { return static_cast<std::size_t>(features_[j].levels + LEVEL_SHIFT); }
  bool by_level(std::uint32_t j) const { return entries(j) <= MARK_BITS; }
  std::vector<double> empty(std::uint32_t j) const {
    std::vector<double> word(entries(j), MARK_CUT);
    word[0] = -MARK_CUT;
    return word;
  }
  static void set(double& word, int bit) {
    word = std::bit_cast<double>(std::bit_cast<std::uint64_t>(word) | std::uint64_t{1} << bit);
  }

  const std::vector<Asked>& features_;
  std::vector<Reading>& readings_;
  std::vector<std::vector<std::uint32_t>> words_;  // the readings of each feature
  std::vector<int> taken_;  // bits of the last of them
};

}  // namespace boxwood

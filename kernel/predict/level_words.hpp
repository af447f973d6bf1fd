// Levels as words: doubles whose low bits tell in which sets a level is, so that a test of levels is a masked
// comparison like that of a number. Invariant: a word is 2^52 + bits, negative for a level not seen in training; what a
// mask leaves of it exceeds 2^52 exactly for the levels of the set. Cost: a bit a level for features of up to 50
// levels, whatever the number of tests; for others a bit a test, in up to four words.
#pragma once

#include <bit>
#include <optional>

#include "predict/plan.hpp"

namespace boxwood {

// Whole numbers below 2^52 as normal doubles that hold them in their low bits.
constexpr std::uint64_t IN_LOW_BITS = std::uint64_t{0x433} << 52;
constexpr double NO_BITS = 0x1p52;
constexpr std::size_t WORD_BITS = 52;
inline double word_of(std::uint64_t bits) { return std::bit_cast<double>(IN_LOW_BITS | bits); }

class LevelWords {
 public:
  struct Test {
    std::uint32_t reading;
    std::uint64_t mask;
  };

  // Adds a reading for every feature, in their order; later more. That of a feature of many levels is the number of
  // the entry.
  LevelWords(const std::vector<PlanFeature>& features, std::vector<Reading>& readings)
      : features_(features), readings_(readings), words_(features.size()) {
    for (std::uint32_t j = 0; j < features.size(); ++j) {
      readings_.push_back({j, {}});
      if (features[j].kind != Kind::numeric)
        fill(readings_[j], [&](std::size_t e) { return by_level(j) ? std::uint64_t{1} << e : e; });
    }
  }

  // The test whether an entry is in a set; nothing when the words of the feature are full.
  template <class Contains>
  std::optional<Test> test(std::uint32_t j, const Contains& contains) {
    if (by_level(j)) {
      std::uint64_t bits = 0;
      for (std::size_t e = 0; e < entries(j); ++e) bits |= std::uint64_t{contains(e)} << e;
      return Test{j, IN_LOW_BITS | bits};
    }
    Words& words = words_[j];
    if (words.bits == WORD_BITS) {
      if (++words.count > MOST_WORDS) return {};
      words = {static_cast<std::uint32_t>(readings_.size()), 0, words.count};
      readings_.push_back({j, {}});
      fill(readings_.back(), [](std::size_t) { return std::uint64_t{0}; });
    }
    const std::uint64_t bit = std::uint64_t{1} << words.bits++;
    std::vector<double>& of_entry = readings_[words.last].word_of_entry;
    for (std::size_t e = 0; e < of_entry.size(); ++e)
      if (contains(e)) of_entry[e] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(of_entry[e]) | bit);
    return Test{words.last, IN_LOW_BITS | bit};
  }

 private:
  static constexpr int MOST_WORDS = 4;  // of a feature: each is looked up for every row
  struct Words {
    std::uint32_t last = 0;  // the reading of the last word
    std::size_t bits = WORD_BITS;  // that it has given away
    int count = 0;
  };

  std::size_t entries(std::uint32_t j) const { return static_cast<std::size_t>(features_[j].levels + LEVEL_SHIFT); }
  bool by_level(std::uint32_t j) const { return entries(j) <= WORD_BITS; }
  template <class Bits>
  void fill(Reading& reading, const Bits& bits) const {
    for (std::size_t e = 0; e < entries(reading.feature); ++e)
      reading.word_of_entry.push_back((e == 0 ? -1.0 : 1.0) * word_of(bits(e)));
  }

  const std::vector<PlanFeature>& features_;
  std::vector<Reading>& readings_;
  std::vector<Words> words_;  // of each feature
};

}  // namespace boxwood

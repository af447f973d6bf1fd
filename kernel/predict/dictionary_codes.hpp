// Where the values of features come from, and what a plan reads in their place: numbers as they are, words of levels by
// a look into a table. Invariant: an entry beyond the levels of training, and a number that is none of them, have the
// word of entry 0, which is below 0. Cost: a table is made once a call; a look takes about half a nanosecond.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

#include "encode/number_levels.hpp"
#include "predict/walk.hpp"

namespace boxwood {

// Of codes: -1 is missing, anything else below 0 was not seen in training.
inline std::size_t entry_of(std::int64_t level) {
  return level < -1 ? 0 : static_cast<std::size_t>(level + LEVEL_SHIFT);
}

// Numbers that are levels, rising, and their codes.
struct NumberedLevels {
  std::vector<double> numbers;
  std::vector<std::int32_t> codes;
};

// Where the values of a feature come from. Steps are in bytes.
struct Source {
  enum class Type { f64, f32, i8, i16, i32, i64, u8, u16, u32, u64, levels, codes };
  Type type = Type::f64;
  const std::byte* data = nullptr;
  std::ptrdiff_t step = sizeof(double);
  Asked asked;
  const std::vector<std::int32_t>* by_code =
      nullptr;  // of codes: the level of each; the last entry is for every other one, such as -1
  const NumberedLevels* by_value = nullptr;  // of numbers that are levels
  bool may_be_unseen = false;  // whether to look out for levels not seen in training

  std::size_t size() const {
    static constexpr std::size_t sizes[] = {8, 4, 1, 2, 4, 8, 1, 2, 4, 8, 4, 4};
    return sizes[static_cast<int>(type)];
  }
};

// What numbers mean that are levels: a look into a table where levels are whole numbers close together.
class NumberMeanings {
 public:
  NumberMeanings(const NumberedLevels& levels, const std::vector<double>& of_entry)
      : finder_(levels.numbers, levels.codes), of_entry_(of_entry) {
    some_unseen_ = std::any_of(levels.codes.begin(), levels.codes.end(), [](std::int32_t code) { return code < -1; });
    const std::vector<double>& numbers = levels.numbers;
    const bool whole = std::all_of(numbers.begin(), numbers.end(),
                                   [](double v) { return std::floor(v) == v && std::fabs(v) < 0x1p31; });
    if (!whole || numbers.empty() || numbers.back() - numbers.front() > 4'095) return;
    numbers_.resize(std::bit_ceil(static_cast<std::size_t>(numbers.back() - numbers.front()) + 1));
    for (std::size_t at = 0; at < numbers_.size(); ++at)
      numbers_[at] = static_cast<double>(at + 1);  // whose place is another
    words_.assign(numbers_.size(), 0.0);
    for (std::size_t v = 0; v < numbers.size(); ++v) {
      const std::size_t at = table().place(numbers[v]);
      numbers_[at] = numbers[v];
      words_[at] = of_entry[entry_of(levels.codes[v])];
    }
  }

  // Numbers by their low bits, and what they mean.
  struct Table {
    const double *numbers, *words;
    std::size_t mask;

    // What a number means; `differences` is no longer 0 where it is not in the table, and the answer is void.
    BOXWOOD_INLINE double look(double value, std::uint64_t& differences) const {
      const std::size_t at = place(value);
      differences |= std::bit_cast<std::uint64_t>(numbers[at]) ^ std::bit_cast<std::uint64_t>(value);
      return words[at];
    }
    // Whole numbers of up to 2^51 stand in the low bits of the sum as they are.
    BOXWOOD_INLINE std::size_t place(double value) const {
      return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(value + 0x1.8p52)) & mask;
    }
  };

  bool has_table() const { return !numbers_.empty(); }
  bool some_unseen() const { return some_unseen_; }  // some of the numbers are levels that training did not have
  Table table() const { return {numbers_.data(), words_.data(), numbers_.size() - 1}; }
  double meaning(double value) const { return of_entry_[entry_of(finder_.code(value))]; }

 private:
  LevelFinder finder_;
  const std::vector<double>& of_entry_;
  bool some_unseen_ = false;
  std::vector<double> numbers_, words_;
};

// A reading of a plan and where its values come from.
struct Brought {
  std::uint32_t reading;
  const Source* from;
  std::vector<double> table;  // of codes and levels: code, or entry -> word; the last is for all others
  std::size_t codes = 0;  // of codes: how many entries come before bytes without a meaning
  std::optional<NumberMeanings> by_value;  // of numbers that are levels

  bool is_number() const { return table.empty() && !by_value; }
};

// Gives every byte an entry, of which the first `codes` may have one of their own.
inline void every_byte(std::vector<double>& table, std::size_t codes) {
  const double others = table.back();
  table.resize(std::min(table.size(), codes));
  table.resize(256, others);
}

// What has to be brought for a plan: its readings, and features in which unseen levels are looked for.
inline std::vector<Brought> brought_for(const Plan& plan, const std::vector<Source>& sources) {
  std::vector<std::uint32_t> wanted = plan.used;
  for (std::uint32_t j = 0; j < sources.size(); ++j)
    if (sources[j].may_be_unseen && !std::binary_search(plan.used.begin(), plan.used.end(), j)) wanted.push_back(j);
  std::vector<Brought> out;
  for (const std::uint32_t r : wanted) {
    const Reading& reading = plan.readings[r];
    const Source& from = sources[reading.feature];
    Brought one{r, &from, {}, 0, {}};
    if (from.by_value) {
      one.by_value.emplace(*from.by_value, reading.of_entry);
    } else if (from.by_code) {
      for (const std::int32_t level : *from.by_code) one.table.push_back(reading.of_entry[entry_of(level)]);
      one.codes = one.table.size();
      if (from.size() == 1) every_byte(one.table, from.type == Source::Type::i8 ? 128 : 256);
    } else {
      one.table = reading.of_entry;  // of numbers: none
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace boxwood

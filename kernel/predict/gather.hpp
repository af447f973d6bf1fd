// Brings blocks of rows together for a plan, as doubles by columns, from columns of any type and place.
// Invariant: a missing number becomes NaN, a level its word (predict/level_words.hpp); a level that training did not
// have, and a number that is no level, the word of entry 0, which is below 0. No value is rounded. Cost: one load and
// one store a value, of the features that the plan reads alone; a look-up for a level. Doubles that lie side by side
// are read in place.
#pragma once

#include <optional>
#include <tuple>

#include "encode/number_levels.hpp"
#include "predict/walk.hpp"

namespace boxwood {

// Where the values of a feature come from. Steps are in bytes.
struct InputColumn {
  // What a column may hold, in the order of their numbers.
  using Types = std::tuple<double, float, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                           std::uint16_t, std::uint32_t, std::uint64_t>;
  enum class Meaning { number, code, level, level_number };  // level: -1 is missing, any other below 0 unseen
  std::size_t type = 0, size = sizeof(double);  // its number, and bytes of a value
  Meaning meaning = Meaning::number;
  const std::byte* data = nullptr;
  std::ptrdiff_t step = sizeof(double);
  std::vector<std::int32_t> level_of_code;  // of codes: the last entry is for every other one, such as -1
  std::vector<double> numbers;  // of numbers that are levels: rising, and the level of each
  std::vector<std::int32_t> level_of_number;
  bool may_be_unseen = false;  // whether to look out for levels not seen in training

  bool is_side_by_side() const { return step == static_cast<std::ptrdiff_t>(size); }

  // Calls then(T{}) with a value of the column's type.
  template <std::size_t I = 0, class Then>
  void typed(const Then& then) const {
    if (type == I) return then(std::tuple_element_t<I, Types>{});
    if constexpr (I + 1 < std::tuple_size_v<Types>) typed<I + 1>(then);
  }
};

// What a plan reads of some rows, and how: shared by all threads.
class GatherTask {
 public:
  GatherTask(const Plan& plan, const std::vector<InputColumn>& columns, std::size_t rows)
      : rows_(rows), readings_(plan.readings.size()) {
    std::vector<std::uint32_t> wanted = plan.used;
    for (std::uint32_t j = 0; j < columns.size(); ++j)  // features come first among readings
      if (columns[j].may_be_unseen && !std::binary_search(plan.used.begin(), plan.used.end(), j)) wanted.push_back(j);
    for (const std::uint32_t r : wanted) add(r, columns[plan.readings[r].feature], plan.readings[r].word_of_entry);
    if (rows < FEW_ROWS) return;
    for (const Part& part : parts_) prefetcher_.add(part.from->data, part.from->step);
    prefetcher_.finish();
  }

  const Prefetcher& prefetcher() const { return prefetcher_; }
  std::size_t rows() const { return rows_; }

 private:
  friend class Gatherer;

  struct Part {
    std::uint32_t reading;
    const InputColumn* from;
    std::vector<double> words;  // of codes, or of levels by entry; the last is for all others
    std::int64_t shift = 0;  // from a code to its word
    std::optional<NumberMap<double>> word_of_number;

    bool is_number() const { return from->meaning == InputColumn::Meaning::number; }
    bool is_in_place() const { return is_number() && from->type == 0 && from->is_side_by_side(); }
  };

  void add(std::uint32_t reading, const InputColumn& from, const std::vector<double>& word_of_entry) {
    Part& part = parts_.emplace_back(Part{reading, &from, {}, 0, {}});
    const auto words_of = [&](const std::vector<std::int32_t>& levels) {
      std::vector<double> words;
      for (const std::int32_t level : levels) words.push_back(word_of_entry[entry_of(level)]);
      return words;
    };
    if (from.meaning == InputColumn::Meaning::code) part.words = words_of(from.level_of_code);
    if (from.meaning == InputColumn::Meaning::level) {
      part.words = word_of_entry;
      part.words.push_back(word_of_entry[0]);
      part.shift = LEVEL_SHIFT;
    }
    if (from.meaning == InputColumn::Meaning::level_number)
      part.word_of_number.emplace(from.numbers, words_of(from.level_of_number), word_of_entry[entry_of(-1)],
                                  word_of_entry[0]);
  }

  std::size_t rows_, readings_;
  std::vector<Part> parts_;
  Prefetcher prefetcher_;
};

// Blocks of one thread.
class Gatherer {
 public:
  explicit Gatherer(const GatherTask& task)
      : task_(task), values_(task.parts_.size() * BLOCK), columns_(task.readings_) {}

  const double* const* columns() const { return columns_.data(); }
  bool any_unseen() const { return any_unseen_; }  // in any block
  bool is_exact() const { return is_exact_; }  // no whole number was beyond those that doubles hold

  void load(std::size_t first, std::size_t count) {
    for (std::size_t u = 0; u < task_.parts_.size(); ++u) {
      const GatherTask::Part& part = task_.parts_[u];
      const double*& column = columns_[part.reading];
      if (part.is_in_place()) {
        column = reinterpret_cast<const double*>(part.from->data) + first;
      } else {
        double* to = values_.data() + u * BLOCK;
        column = to;
        part.from->typed([&](auto of_type) { fill<decltype(of_type)>(part, first, count, to); });
      }
      int unseen = 0;
      for (std::size_t i = 0; i < count && part.from->may_be_unseen; ++i) unseen |= column[i] < 0.0;
      any_unseen_ = any_unseen_ || unseen;
    }
  }

 private:
  template <class T>
  void fill(const GatherTask::Part& part, std::size_t first, std::size_t count, double* to) {
    if (part.word_of_number) {
      each<T>(*part.from, first, count, [&](std::size_t i, T v) { to[i] = (*part.word_of_number)(double(v)); });
    } else if (!part.is_number()) {
      const double* words = part.words.data();
      const std::uint64_t last = part.words.size() - 1;
      const std::int64_t shift = part.shift;
      each<T>(*part.from, first, count, [=](std::size_t i, T code) {
        to[i] = words[std::min(static_cast<std::uint64_t>(static_cast<std::int64_t>(code) + shift), last)];
      });
    } else {
      each<T>(*part.from, first, count, [&](std::size_t i, T value) { to[i] = static_cast<double>(value); });
      if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
        for (std::size_t i = 0; i < count; ++i) is_exact_ &= std::fabs(to[i]) < 0x1p53;
    }
  }

  // Calls `put(i, value)` for each row of a block.
  template <class T, class Put>
  static void each(const InputColumn& from, std::size_t first, std::size_t count, const Put& put) {
    if (from.is_side_by_side()) {  // the compiler takes several at once
      const T* values = reinterpret_cast<const T*>(from.data) + first;
      for (std::size_t i = 0; i < count; ++i) put(i, values[i]);
    } else {
      const std::byte* at = from.data + static_cast<std::ptrdiff_t>(first) * from.step;
      for (std::size_t i = 0; i < count; ++i, at += from.step) put(i, *reinterpret_cast<const T*>(at));
    }
  }

  const GatherTask& task_;
  std::vector<double> values_;
  std::vector<const double*> columns_;
  bool any_unseen_ = false, is_exact_ = true;
};

}  // namespace boxwood

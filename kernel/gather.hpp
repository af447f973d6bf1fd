// Brings a block of rows together for a plan, as doubles, from columns of any type and place; columns of doubles are read in place.
// Invariant: a missing value becomes NaN, a level of a feature asked for by level its shifted code in the low bits; no value is rounded.
// Cost: one load and one store a value, of the features that the plan reads alone; a look into a small table for a level.
#pragma once

#include <bit>
#include <cmath>
#include <type_traits>

#include "lanes.hpp"
#include "levels.hpp"

namespace boxwood {

// A level as the plan asks for it: -1 is missing, anything else below 0 was not seen in training.
inline double level_bits(std::int64_t code) {
  return std::bit_cast<double>(IN_LOW_BITS + static_cast<std::uint64_t>(code < -1 ? 0 : code + LEVEL_SHIFT));
}

// What numbers mean that are levels: a look into a table where levels are whole numbers close together.
class LevelMeanings {
 public:
  LevelMeanings(const std::vector<double>& levels, const std::vector<std::int32_t>& codes) : finder_(levels, codes) {
    const bool whole = std::all_of(levels.begin(), levels.end(), [](double v) { return std::floor(v) == v && std::fabs(v) < 0x1p31; });
    if (!whole || levels.empty() || levels.back() - levels.front() > 4'095) return;
    first_ = levels.front();
    size_ = static_cast<std::uint64_t>(levels.back() - first_) + 1;
    table_.assign(size_ + 2, level_bits(-2));
    for (std::size_t v = 0; v < levels.size(); ++v) table_[static_cast<std::size_t>(levels[v] - first_)] = level_bits(codes[v]);
    table_[size_ + 1] = level_bits(-1);
  }

  BOXWOOD_INLINE double meaning(double value) const {
    if (size_ == 0) return level_bits(finder_.code(value));
    const double place = value - first_;
    const bool is_near = std::fabs(place) < 0x1p31;  // no for NaN
    const auto at = static_cast<std::int32_t>(is_near ? place : -1.0);
    const bool is_level = static_cast<double>(at) == place && static_cast<std::uint64_t>(at) < size_;
    return table_[is_level ? static_cast<std::uint64_t>(at) : size_ + (value != value)];
  }

 private:
  LevelFinder finder_;
  double first_ = 0.0;
  std::uint64_t size_ = 0;     // of the table: further on it says what no level means, and what NaN means
  std::vector<double> table_;
};

// Where the values of a feature come from. Steps are in bytes.
struct Source {
  enum class Type { f64, f32, i8, i16, i32, i64, u8, u16, u32, u64, levels, codes };
  Type type = Type::f64;
  const std::byte* data = nullptr;
  std::ptrdiff_t step = sizeof(double);
  Asked asked;
  const std::vector<double>* by_code = nullptr;  // of codes: what each is; the last entry is for every other one, such as -1
  const LevelMeanings* by_value = nullptr;       // of numbers that are levels
  bool may_be_unseen = false;                    // whether to look out for levels not seen in training

  std::size_t size() const {
    static constexpr std::size_t sizes[] = {8, 4, 1, 2, 4, 8, 1, 2, 4, 8, 4, 4};
    return sizes[static_cast<int>(type)];
  }
};

class Gatherer {
 public:
  // `which`: the rows wanted, or nullptr for all in their order.
  Gatherer(const Plan& plan, const std::vector<Source>& sources, const std::uint32_t* which)
      : sources_(sources), which_(which), brought_(plan.used), columns_(plan.features.size()) {
    for (std::uint32_t j = 0; j < sources.size(); ++j)
      if (sources[j].may_be_unseen && !std::binary_search(plan.used.begin(), plan.used.end(), j)) brought_.push_back(j);
    find_stride();
    std::size_t rooms = 0;
    for (const std::uint32_t j : brought_) room_of_.push_back(is_in_place(sources[j]) ? rooms : rooms++);
    values_.resize(stride_ == 1 ? BLOCK * rooms : BLOCK * stride_ + rooms);
    for (std::size_t u = 0; u < brought_.size(); ++u) columns_[brought_[u]] = room(u);
  }

  Gathered block() const { return {columns_.data(), stride_, lines_.data(), lines_.size()}; }
  bool met_unseen() const { return met_unseen_; }

  // Rows first..first+count-1, `rest` of them follow; false when a whole number does not fit a double.
  bool load(std::size_t first, std::size_t count, std::size_t rest) {
    bool exact = true;
    for (std::size_t u = 0; u < brought_.size(); ++u) {
      const std::uint32_t j = brought_[u];
      const Source& from = sources_[j];
      const Room to{room(u), stride_};
      if (is_in_place(from)) {
        columns_[j] = reinterpret_cast<const double*>(from.data) + first * stride_;
        continue;
      }
      switch (from.type) {
        case Source::Type::f64: copy<double>(from, first, count, to); break;
        case Source::Type::f32: copy<float>(from, first, count, to); break;
        case Source::Type::i8: copy<std::int8_t>(from, first, count, to); break;
        case Source::Type::i16: copy<std::int16_t>(from, first, count, to); break;
        case Source::Type::i32: copy<std::int32_t>(from, first, count, to); break;
        case Source::Type::i64: exact &= copy<std::int64_t>(from, first, count, to); break;
        case Source::Type::u8: copy<std::uint8_t>(from, first, count, to); break;
        case Source::Type::u16: copy<std::uint16_t>(from, first, count, to); break;
        case Source::Type::u32: copy<std::uint32_t>(from, first, count, to); break;
        case Source::Type::u64: exact &= copy<std::uint64_t>(from, first, count, to); break;
        case Source::Type::levels: levels(from, first, count, to); break;
        case Source::Type::codes: codes(from, first, count, to); break;
      }
      if (from.may_be_unseen)
        for (std::size_t i = 0; i < count; ++i) met_unseen_ |= std::bit_cast<std::uint64_t>(to[i]) == IN_LOW_BITS;
    }
    if (!which_) look_ahead(first + BLOCK, std::min(rest, 2 * BLOCK));
    return exact;
  }

 private:
  // Where the values of a feature are brought to.
  struct Room {
    double* first;
    std::size_t stride;
    double& operator[](std::size_t i) const { return first[i * stride]; }
  };
  double* room(std::size_t u) { return values_.data() + room_of_[u] * (stride_ == 1 ? BLOCK : 1); }

  // Doubles of a table by rows are read in place when all lie alike; what is brought is then laid out alike.
  void find_stride() {
    std::ptrdiff_t step = 0;
    std::size_t others = 0;
    for (const std::uint32_t j : brought_) {
      const Source& from = sources_[j];
      const bool is_double = from.type == Source::Type::f64 && !from.by_value;
      if (is_double) step = step == 0 || step == from.step ? from.step : -1;
      others += !is_double;
    }
    const auto size = static_cast<std::ptrdiff_t>(sizeof(double));
    if (which_ || step <= 0 || step % size != 0 || step / size > 64) return;
    if (others <= static_cast<std::size_t>(step / size)) stride_ = static_cast<std::size_t>(step / size);
  }
  bool is_in_place(const Source& from) const {
    const auto step = static_cast<std::ptrdiff_t>(stride_ * sizeof(double));
    return !which_ && from.type == Source::Type::f64 && !from.by_value && from.step == step;
  }

  const std::byte* place(const Source& from, std::size_t i) const {
    return from.data + static_cast<std::ptrdiff_t>(which_ ? which_[i] : i) * from.step;
  }

  // Calls `put(i, value)` for each row.
  template <class T, class Put>
  void each(const Source& from, std::size_t first, std::size_t count, const Put& put) const {
    if (!which_ && from.step == sizeof(T)) {  // side by side: the compiler takes several at once
      const T* values = reinterpret_cast<const T*>(from.data) + first;
      for (std::size_t i = 0; i < count; ++i) put(i, values[i]);
    } else {
      for (std::size_t i = 0; i < count; ++i) put(i, *reinterpret_cast<const T*>(place(from, first + i)));
    }
  }

  template <class T>
  bool copy(const Source& from, std::size_t first, std::size_t count, Room to) const {
    if (from.by_value) {
      const LevelMeanings& finder = *from.by_value;
      each<T>(from, first, count, [&](std::size_t i, T value) { to[i] = finder.meaning(static_cast<double>(value)); });
      return true;
    }
    if constexpr (std::is_integral_v<T>) {
      if (from.by_code) {
        const double* table = from.by_code->data();
        const std::uint64_t last = from.by_code->size() - 1;
        each<T>(from, first, count, [&](std::size_t i, T code) { to[i] = table[std::min(static_cast<std::uint64_t>(code), last)]; });
        return true;
      }
    }
    each<T>(from, first, count, [&](std::size_t i, T value) { to[i] = static_cast<double>(value); });
    bool exact = true;
    if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
      for (std::size_t i = 0; i < count; ++i) exact &= std::fabs(to[i]) < 0x1p53;
    return exact;
  }

  // Codes of levels: -1 missing, below that, or beyond the levels of training, not seen there.
  void levels(const Source& from, std::size_t first, std::size_t count, Room to) const {
    const auto known = static_cast<std::uint64_t>(from.asked.levels + LEVEL_SHIFT);
    each<std::int32_t>(from, first, count, [&](std::size_t i, std::int32_t code) {
      const auto entry = static_cast<std::uint64_t>(code + LEVEL_SHIFT);
      to[i] = std::bit_cast<double>(IN_LOW_BITS + (entry < known ? entry : 0));
    });
  }

  // Codes of a coded table: numbers by rank, or levels.
  void codes(const Source& from, std::size_t first, std::size_t count, Room to) const {
    const bool by_rank = from.asked.kind == Kind::numeric;
    const auto known = static_cast<std::uint32_t>(from.asked.levels);
    each<std::uint32_t>(from, first, count, [&](std::size_t i, std::uint32_t code) {
      if (by_rank) {
        to[i] = code == MISSING ? std::nan("") : static_cast<double>(code);
      } else {
        to[i] = level_bits(code == MISSING ? -1 : code < known ? static_cast<std::int64_t>(code) : -2);
      }
    });
  }

  // The lines of memory that rows first.. will need, `rest` rows after `first` - BLOCK there being.
  void look_ahead(std::size_t first, std::size_t rest) {
    lines_.clear();
    const std::size_t count = rest - std::min(rest, BLOCK);
    const std::byte* last = nullptr;
    for (const std::uint32_t j : brought_) {
      const Source& from = sources_[j];
      const std::byte* begin = from.data + static_cast<std::ptrdiff_t>(first) * from.step;
      const std::size_t size = from.size();
      if (from.step == static_cast<std::ptrdiff_t>(size)) {
        for (std::size_t at = 0; at < count * size; at += 64) lines_.push_back(begin + at);
      } else if (!last || begin < last || begin >= last + 64) {  // not in the lines of the feature before
        for (std::size_t i = 0; i < count; ++i) lines_.push_back(begin + static_cast<std::ptrdiff_t>(i) * from.step);
        last = begin;
      }
    }
  }

  const std::vector<Source>& sources_;
  const std::uint32_t* which_;
  std::vector<std::uint32_t> brought_;  // features: those that the plan reads, and those in which unseen levels are looked for
  std::size_t stride_ = 1;              // from row to row of a block
  bool met_unseen_ = false;
  std::vector<std::size_t> room_of_;
  std::vector<double> values_;
  std::vector<const double*> columns_;
  std::vector<const std::byte*> lines_;
};

}  // namespace boxwood

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

// Where the values of a feature come from. Steps are in bytes.
struct Source {
  enum class Type { f64, f32, i8, i16, i32, i64, u8, u16, u32, u64, levels, codes };
  Type type = Type::f64;
  const std::byte* data = nullptr;
  std::ptrdiff_t step = sizeof(double);
  Asked asked;
  const std::vector<double>* by_code = nullptr;  // of codes: what each is; the last entry is for every other one, such as -1
  const LevelFinder* by_value = nullptr;         // of numbers that are levels

  bool is_plain() const { return type == Type::f64 && step == sizeof(double) && !by_value; }
  std::size_t size() const {
    constexpr std::size_t sizes[] = {8, 4, 1, 2, 4, 8, 1, 2, 4, 8, 4, 4};
    return sizes[static_cast<int>(type)];
  }
};

class Gatherer {
 public:
  // `which`: the rows wanted, or nullptr for all in their order.
  Gatherer(const Plan& plan, const std::vector<Source>& sources, const std::uint32_t* which)
      : plan_(plan), sources_(sources), which_(which), values_(BLOCK * plan.used.size()), columns_(plan.features.size()) {
    for (std::size_t u = 0; u < plan.used.size(); ++u) columns_[plan.used[u]] = values_.data() + u * BLOCK;
  }

  Gathered block() const { return {columns_.data(), lines_.data(), lines_.size()}; }

  // Rows first..first+count-1, `rest` of them follow; false when a whole number does not fit a double.
  bool load(std::size_t first, std::size_t count, std::size_t rest) {
    bool exact = true;
    for (std::size_t u = 0; u < plan_.used.size(); ++u) {
      const std::uint32_t j = plan_.used[u];
      const Source& from = sources_[j];
      double* to = values_.data() + u * BLOCK;
      if (from.is_plain() && !which_) {  // as they should be already
        columns_[j] = reinterpret_cast<const double*>(from.data) + first;
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
    }
    if (!which_) look_ahead(first + BLOCK, std::min(rest, 2 * BLOCK));
    return exact;
  }

 private:
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
  bool copy(const Source& from, std::size_t first, std::size_t count, double* to) const {
    if (from.by_value) {
      const LevelFinder& finder = *from.by_value;
      each<T>(from, first, count, [&](std::size_t i, T value) { to[i] = level_bits(finder.code(static_cast<double>(value))); });
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
  void levels(const Source& from, std::size_t first, std::size_t count, double* to) const {
    const auto known = static_cast<std::uint64_t>(from.asked.levels + LEVEL_SHIFT);
    each<std::int32_t>(from, first, count, [&](std::size_t i, std::int32_t code) {
      const auto entry = static_cast<std::uint64_t>(code + LEVEL_SHIFT);
      to[i] = std::bit_cast<double>(IN_LOW_BITS + (entry < known ? entry : 0));
    });
  }

  // Codes of a coded table: numbers by rank, or levels.
  void codes(const Source& from, std::size_t first, std::size_t count, double* to) const {
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
    const std::byte* last = nullptr;
    for (const std::uint32_t j : plan_.used) {
      const Source& from = sources_[j];
      const std::size_t count = rest - std::min(rest, BLOCK);
      const std::byte* begin = from.data + static_cast<std::ptrdiff_t>(first) * from.step;
      if (from.step == static_cast<std::ptrdiff_t>(from.size())) {
        for (std::size_t at = 0; at < count * from.size(); at += 64) lines_.push_back(begin + at);
      } else if (!last || begin < last || begin >= last + 64) {  // not in the lines of the feature before
        for (std::size_t i = 0; i < count; ++i) lines_.push_back(begin + static_cast<std::ptrdiff_t>(i) * from.step);
        last = begin;
      }
    }
  }

  const Plan& plan_;
  const std::vector<Source>& sources_;
  const std::uint32_t* which_;
  std::vector<double> values_;
  std::vector<const double*> columns_;
  std::vector<const std::byte*> lines_;
};

}  // namespace boxwood

// Brings a block of rows together for a plan, as doubles, from columns of any type and place; columns of doubles are read in place.
// Invariant: a missing value becomes NaN, a level of a feature asked for by level its shifted code in the low bits; no value is rounded.
// Cost: one load and one store a value, of the features that the plan reads alone.
#pragma once

#include <bit>
#include <cmath>

#include "lanes.hpp"

namespace boxwood {

// Where the values of a feature come from. Steps are in bytes.
struct Source {
  enum class Type { f64, f32, i8, i16, i32, i64, u8, u16, u32, u64, levels, codes };
  Type type = Type::f64;
  const std::byte* data = nullptr;
  std::ptrdiff_t step = sizeof(double);
  Asked asked;
};

class Gatherer {
 public:
  // `which`: the rows wanted, or nullptr for all in their order.
  Gatherer(const Plan& plan, const std::vector<Source>& sources, const std::uint32_t* which)
      : plan_(plan), sources_(sources), which_(which), values_(BLOCK * plan.used.size()), columns_(plan.features.size()) {
    for (std::size_t u = 0; u < plan.used.size(); ++u) columns_[plan.used[u]] = values_.data() + u * BLOCK;
  }

  Gathered block() const { return {columns_.data()}; }

  // Rows first..first+count-1; false when a whole number does not fit a double.
  bool load(std::size_t first, std::size_t count) {
    bool exact = true;
    for (std::size_t u = 0; u < plan_.used.size(); ++u) {
      const std::uint32_t j = plan_.used[u];
      const Source& from = sources_[j];
      double* to = values_.data() + u * BLOCK;
      if (from.type == Source::Type::f64 && from.step == sizeof(double) && !which_) {  // as they should be already
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
        case Source::Type::levels: levels<std::int32_t>(from, first, count, to); break;
        case Source::Type::codes: codes(from, first, count, to); break;
      }
    }
    return exact;
  }

 private:
  const std::byte* place(const Source& from, std::size_t i) const {
    return from.data + static_cast<std::ptrdiff_t>(which_ ? which_[i] : i) * from.step;
  }

  template <class T>
  bool copy(const Source& from, std::size_t first, std::size_t count, double* to) const {
    if (!which_ && from.step == sizeof(T)) {  // side by side: the compiler takes several at once
      const T* values = reinterpret_cast<const T*>(from.data) + first;
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(values[i]);
    } else {
      for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(*reinterpret_cast<const T*>(place(from, first + i)));
    }
    bool exact = true;
    if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
      for (std::size_t i = 0; i < count; ++i) exact &= std::fabs(to[i]) < 0x1p53;
    return exact;
  }

  // Codes of levels: -1 missing, below that, or beyond the levels of training, not seen there.
  template <class T>
  void levels(const Source& from, std::size_t first, std::size_t count, double* to) const {
    const auto known = static_cast<std::uint64_t>(from.asked.levels + LEVEL_SHIFT);
    const auto shifted = [&](T code) {
      const auto entry = static_cast<std::uint64_t>(code + LEVEL_SHIFT);
      return std::bit_cast<double>(IN_LOW_BITS + (entry < known ? entry : 0));
    };
    if (!which_ && from.step == sizeof(T)) {
      const T* values = reinterpret_cast<const T*>(from.data) + first;
      for (std::size_t i = 0; i < count; ++i) to[i] = shifted(values[i]);
    } else {
      for (std::size_t i = 0; i < count; ++i) to[i] = shifted(*reinterpret_cast<const T*>(place(from, first + i)));
    }
  }

  // Codes of a coded table: numbers by rank, or levels.
  void codes(const Source& from, std::size_t first, std::size_t count, double* to) const {
    const bool by_rank = from.asked.kind == Kind::numeric;
    const auto known = static_cast<std::uint32_t>(from.asked.levels);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t code = *reinterpret_cast<const std::uint32_t*>(place(from, first + i));
      if (by_rank) {
        to[i] = code == MISSING ? std::nan("") : static_cast<double>(code);
      } else {
        const std::uint64_t entry = code == MISSING ? LEVEL_SHIFT - 1 : code < known ? code + std::uint64_t{LEVEL_SHIFT} : 0;
        to[i] = std::bit_cast<double>(IN_LOW_BITS + entry);
      }
    }
  }

  const Plan& plan_;
  const std::vector<Source>& sources_;
  const std::uint32_t* which_;
  std::vector<double> values_;
  std::vector<const double*> columns_;
};

}  // namespace boxwood

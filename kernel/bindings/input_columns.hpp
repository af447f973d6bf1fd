// Columns as they came, for prediction: numbers of any type, codes with the level of each, numbers that are levels.
// Invariant: types, lengths and alignment are checked; the columns point into arrays that the caller keeps alive.
#pragma once

#include <string>
#include <vector>

#include "bindings/binding.hpp"
#include "predict/gather.hpp"

namespace boxwood {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

inline InputColumn::Type type_of(nb::dlpack::dtype type) {
  using T = InputColumn::Type;
  const bool is_float = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float);
  const bool is_int = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
  const bool is_unsigned = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt);
  if (is_float && type.bits == 64) return T::f64;
  if (is_float && type.bits == 32) return T::f32;
  if (is_int) return type.bits == 8 ? T::i8 : type.bits == 16 ? T::i16 : type.bits == 32 ? T::i32 : T::i64;
  if (is_unsigned) return type.bits == 8 ? T::u8 : type.bits == 16 ? T::u16 : type.bits == 32 ? T::u32 : T::u64;
  throw std::invalid_argument("rows must hold float64, float32 or whole numbers");
}

// One entry a feature: ("numeric", values, low parts or None); ("ordinal" or "nominal", levels, how many); ("codes",
// codes, level of each code, -1 for missing ones: one more than there are codes, the last for all others); ("values",
// numbers, rising levels, their codes).
struct InputColumns {
  std::vector<InputColumn> columns;
  std::vector<bool> has_lows;
  std::size_t rows = 0;

  InputColumns(const nb::list& given, const std::vector<PlanFeature>& features) {
    if (given.size() != features.size()) throw std::invalid_argument("there must be a column for every feature");
    for (nb::handle item : given) take(nb::cast<nb::tuple>(item), features[columns.size()]);
  }

 private:
  void take(const nb::tuple& entry, const PlanFeature& feature) {
    using Meaning = InputColumn::Meaning;
    const auto values = nb::cast<AnyArray>(entry[1], false);
    if (values.ndim() != 1) throw std::invalid_argument("a column must have one dimension");
    if (!columns.empty() && values.shape(0) != rows)
      throw std::invalid_argument("every column must have one value a row");
    if (reinterpret_cast<std::uintptr_t>(values.data()) % values.itemsize() != 0)
      throw std::invalid_argument("a column must be aligned");
    rows = values.shape(0);
    InputColumn column;
    column.type = type_of(values.dtype());
    column.data = static_cast<const std::byte*>(values.data());
    column.step = values.stride(0) * static_cast<std::ptrdiff_t>(values.itemsize());
    const auto what = nb::cast<std::string>(entry[0]);
    if ((what == "numeric") != (feature.kind == Kind::numeric))
      throw std::invalid_argument("levels and numbers must not be mixed up");
    if (what == "codes" || what == "nominal" || what == "ordinal") {
      if (column.type == InputColumn::Type::f64 || column.type == InputColumn::Type::f32)
        throw std::invalid_argument("codes must be whole numbers");
      column.meaning = what == "codes" ? Meaning::code : Meaning::level;
    }
    if (what == "codes") {
      column.level_of_code = checked(array_view<std::int32_t>(entry[2]), feature.levels);
      if (column.level_of_code.empty()) throw std::invalid_argument("codes must have meanings");
      column.may_be_unseen = *std::min_element(column.level_of_code.begin(), column.level_of_code.end()) < -1;
    }
    if (what == "values") {
      const auto numbers = array_view<double>(entry[2]);
      column.meaning = Meaning::level_number;
      column.numbers.assign(numbers.data(), numbers.data() + numbers.size());
      column.level_of_number = checked(array_view<std::int32_t>(entry[3]), feature.levels);
      if (column.numbers.size() != column.level_of_number.size())
        throw std::invalid_argument("every level must have a code");
      column.may_be_unseen = true;
    }
    columns.push_back(std::move(column));
    has_lows.push_back(what == "numeric" && nb::len(entry) > 2 && !entry[2].is_none());
  }

  static std::vector<std::int32_t> checked(const In<std::int32_t>& levels, std::int32_t known) {
    std::vector<std::int32_t> found(levels.data(), levels.data() + levels.size());
    if (std::any_of(found.begin(), found.end(), [&](std::int32_t v) { return v >= known; }))
      throw std::invalid_argument("there is no such level");
    return found;
  }
};

}  // namespace boxwood

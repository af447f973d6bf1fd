// Columns as they came, for prediction: numbers of any type, codes with the level of each, numbers that are levels.
// Invariant: types, lengths and alignment are checked; the columns point into arrays that the caller keeps alive.
#pragma once

#include <string>
#include <vector>

#include "bindings/binding.hpp"
#include "predict/gather.hpp"

namespace boxwood {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

// The type of a column's values by its number.
template <std::size_t I = 0>
std::size_t type_of(nb::dlpack::dtype type) {
  if constexpr (I == std::tuple_size_v<InputColumn::Types>)
    throw std::invalid_argument("rows must hold float64, float32 or whole numbers");
  else
    return type == nb::dtype<std::tuple_element_t<I, InputColumn::Types>>() ? I : type_of<I + 1>(type);
}

// A table of numbers, or one entry a feature: ("numeric", values, low parts or None); ("ordinal" or "nominal", levels,
// how many); ("codes", codes, level of each code, -1 for missing ones: one more than there are codes, the last for all
// others); ("values", numbers, rising levels, their codes).
struct InputColumns {
  std::vector<InputColumn> columns;
  std::vector<bool> has_lows;
  std::size_t rows = 0;
  bool is_aligned = true;
  AnyArray table;  // if it is one

  InputColumns(nb::handle given, const std::vector<PlanFeature>& features) {
    if (nb::try_cast(given, table, false)) {
      take_table(features);
      return;
    }
    const auto list = nb::cast<nb::list>(given);
    require(list.size() == features.size(), "there must be a column for every feature");
    for (nb::handle item : list) take(nb::cast<nb::tuple>(item), features[columns.size()]);
    require(is_aligned, "a column must be aligned");
  }

  // Whether the table is of this type and the numbers of a row lie side by side.
  template <class T>
  bool is_by_rows() const {
    return table.is_valid() && table.dtype() == nb::dtype<T>() && (table.stride(1) == 1 || table.shape(1) == 1);
  }

 private:
  void take_table(const std::vector<PlanFeature>& features) {
    require(table.ndim() == 2 && table.shape(1) == features.size(), "there must be a column for every feature");
    for (const PlanFeature& feature : features)
      require(feature.kind == Kind::numeric, "a table of numbers has no levels");
    rows = table.shape(0);
    const InputColumn first = numbers_of(table);
    columns.assign(features.size(), first);
    for (std::size_t j = 0; j < columns.size(); ++j)
      columns[j].data += static_cast<std::ptrdiff_t>(j) * table.stride(1) * static_cast<std::ptrdiff_t>(first.size);
    has_lows.resize(columns.size());
  }

  // The numbers of a column, or of the first one of a table.
  InputColumn numbers_of(const AnyArray& values) {
    InputColumn column;
    column.type = type_of(values.dtype());
    column.size = values.itemsize();
    column.data = static_cast<const std::byte*>(values.data());
    column.step = values.stride(0) * static_cast<std::ptrdiff_t>(column.size);
    is_aligned = is_aligned && reinterpret_cast<std::uintptr_t>(column.data) % column.size == 0;
    return column;
  }

  void take(const nb::tuple& entry, const PlanFeature& feature) {
    using Meaning = InputColumn::Meaning;
    const auto values = nb::cast<AnyArray>(entry[1], false);
    require(values.ndim() == 1, "a column must have one dimension");
    require(columns.empty() || values.shape(0) == rows, "every column must have one value per row");
    rows = values.shape(0);
    InputColumn column = numbers_of(values);
    const auto what = nb::cast<std::string>(entry[0]);
    require((what == "numeric") == (feature.kind == Kind::numeric), "levels and numbers must not be mixed up");
    if (what == "codes" || what == "nominal" || what == "ordinal") {
      require(column.type > 1, "codes must be whole numbers");
      column.meaning = what == "codes" ? Meaning::code : Meaning::level;
    }
    if (what == "codes") {
      column.level_of_code = checked(array_view<std::int32_t>(entry[2]), feature.levels);
      require(!column.level_of_code.empty(), "codes must have meanings");
      column.may_be_unseen = *std::min_element(column.level_of_code.begin(), column.level_of_code.end()) < -1;
    }
    if (what == "values") {
      column.meaning = Meaning::level_number;
      column.numbers = copy_of(array_view<double>(entry[2]));
      column.level_of_number = checked(array_view<std::int32_t>(entry[3]), feature.levels);
      require(column.numbers.size() == column.level_of_number.size(), "every level must have a code");
      column.may_be_unseen = true;
    }
    columns.push_back(std::move(column));
    has_lows.push_back(what == "numeric" && nb::len(entry) > 2 && !entry[2].is_none());
  }

  static std::vector<std::int32_t> checked(const In<std::int32_t>& levels, std::int32_t known) {
    for (std::size_t i = 0; i < levels.size(); ++i) require(levels.data()[i] < known, "there is no such level");
    return copy_of(levels);
  }
};

}  // namespace boxwood

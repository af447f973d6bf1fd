// Columns as Python gives them, for every reader: numbers, with low parts or without, or level codes.
// Invariant: types and lengths are checked, nothing is copied; pointers stay good while the caller holds the arrays.
#pragma once

#include "bindings/binding.hpp"
#include "predict/route.hpp"

namespace boxwood {

// A column as rows go down a tree by it, and what else is known of it.
struct GivenColumn : ColumnView {
  Kind kind = Kind::numeric;
  std::uint32_t n_levels = 0;
  std::size_t rows = 0;

  // (kind, numbers, low parts or None) or (kind, level codes, number of levels)
  explicit GivenColumn(nb::handle item) {
    const auto entry = nb::cast<nb::tuple>(item);
    kind = kind_from(entry[0]);
    kind == Kind::numeric ? take(entry[1], entry[2]) : take_levels(entry);
  }
  // Numbers and their low parts or None.
  GivenColumn(nb::handle numbers, nb::handle low_parts) { take(numbers, low_parts); }
  // A column of a table of numbers.
  template <class Numbers>
  GivenColumn(const Numbers& table, std::size_t column) {
    take_numbers(table, static_cast<std::ptrdiff_t>(column) * table.stride(1));
  }

  double number(std::size_t i) const {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * stride;
    return narrow ? static_cast<double>(narrow[at]) : values[at];
  }
  // All numbers, side by side.
  std::vector<double> numbers() const {
    std::vector<double> out(rows);
    for (std::size_t i = 0; i < rows; ++i) out[i] = number(i);
    return out;
  }
  // Where the numbers lie, as {floats, doubles, low parts}.
  template <class Numbers>
  Numbers side_by_side() const {
    require(stride == 1 || rows < 2, "numbers must lie side by side");
    return {narrow, values, lows};
  }
  void require_levels() const {
    for (std::size_t i = 0; i < rows; ++i)
      require(levels[i] < static_cast<std::int64_t>(n_levels), "a level number is out of range");
  }

 private:
  void take_levels(const nb::tuple& entry) {
    const auto codes = array_view<std::int32_t>(entry[1]);
    levels = codes.data();
    rows = codes.size();
    n_levels = nb::cast<std::uint32_t>(entry[2]);
    nominal = kind == Kind::nominal;
  }
  template <class Numbers>
  void take_numbers(const Numbers& array, std::ptrdiff_t from) {
    rows = array.shape(0);
    stride = array.stride(0);
    if (array.dtype() == nb::dtype<float>())
      narrow = static_cast<const float*>(array.data()) + from;
    else
      values = static_cast<const double*>(array.data()) + from;
    require(narrow || array.dtype() == nb::dtype<double>(), "a column must be of float64 or float32");
  }
  void take(nb::handle given, nb::handle low_parts) {
    take_numbers(nb::cast<nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>>(given, false), 0);
    if (low_parts.is_none()) return;
    const auto low = array_view<double>(low_parts);
    require(low.size() == rows, "every value must have a low part");
    lows = low.data();
  }
};

// Of a table of numbers, or of a list of columns.
inline std::vector<GivenColumn> columns_from(nb::handle given) {
  std::vector<GivenColumn> columns;
  nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu> table;
  if (nb::try_cast(given, table, false)) {
    for (std::size_t j = 0; j < table.shape(1); ++j) columns.emplace_back(table, j);
    return columns;
  }
  for (nb::handle item : nb::cast<nb::list>(given)) {
    columns.emplace_back(item);
    require(columns.back().rows == columns[0].rows, "every column must have one value per row");
  }
  return columns;
}

// The rows to send down: a coded Table, for trees whose cuts are by rank, or a list of columns.
struct Rows {
  std::vector<ColumnView> views;
  std::size_t count = 0;

  explicit Rows(nb::handle given) {
    if (!nb::isinstance<Table>(given)) {
      const auto columns = columns_from(given);
      views.assign(columns.begin(), columns.end());
      if (!columns.empty()) count = columns[0].rows;
      return;
    }
    const Table& table = nb::cast<const Table&>(given);
    count = table.rows();
    for (const Column& column : table.columns()) {
      views.emplace_back().codes = column.codes.data();
      views.back().nominal = column.kind == Kind::nominal;
    }
  }

  void check(const In<std::uint32_t>& which) const { require_below(which, count, "there is no such row"); }
};

}  // namespace boxwood

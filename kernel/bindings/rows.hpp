// Rows as the bindings of prediction and explanation take them: lengths and types checked, nothing copied.
// Invariant: the views point into arrays that the caller keeps alive.
#pragma once

#include <string>
#include <vector>

#include "bindings/binding.hpp"
#include "predict/route.hpp"

namespace boxwood {

// The rows to send down: a coded Table, for trees whose cuts are by rank, or a list of columns.
struct Rows {
  std::vector<ColumnView> views;
  std::size_t count = 0;

  explicit Rows(nb::handle columns) {
    if (nb::isinstance<Table>(columns)) {
      take(nb::cast<const Table&>(columns));
    } else {
      for (nb::handle item : nb::cast<nb::list>(columns)) take(nb::cast<nb::tuple>(item));
    }
  }

  void check(const In<std::uint32_t>& which) const { require_below(which, count, "there is no such row"); }

 private:
  void take(const Table& table) {
    count = table.rows();
    for (const Column& column : table.columns()) {
      ColumnView coded;
      coded.codes = column.codes.data();
      coded.nominal = column.kind == Kind::nominal;
      views.push_back(coded);
    }
  }

  // (kind, values or level codes, lows or None)
  void take(const nb::tuple& entry) {
    ColumnView column;
    const auto kind = nb::cast<std::string>(entry[0]);
    std::size_t length;
    if (kind == "numeric") {
      const auto values = nb::cast<nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>>(entry[1], false);
      column.values = values.data();
      column.stride = values.stride(0);
      length = values.size();
      if (!entry[2].is_none()) {
        const auto lows = array_view<double>(entry[2]);
        if (lows.size() != length) throw std::invalid_argument("every value must have a low part");
        column.lows = lows.data();
      }
    } else {
      const auto levels = array_view<std::int32_t>(entry[1]);
      column.levels = levels.data();
      column.nominal = kind == "nominal";
      length = levels.size();
    }
    if (!views.empty() && length != count) throw std::invalid_argument("every column must have one value a row");
    count = length;
    views.push_back(column);
  }
};

}  // namespace boxwood

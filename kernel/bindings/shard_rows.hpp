// What Python gives of a shard's rows, checked: the place each is counted at, and columns of codes and values.
#pragma once

#include "bindings/binding.hpp"
#include "shards/count.hpp"

namespace boxwood::sharded {

inline Places places_from(const In<std::int16_t>& of, std::size_t count) {
  for (std::size_t i = 0; i < of.size(); ++i)
    if (of.data()[i] >= static_cast<std::int64_t>(count)) throw std::out_of_range("there is no such place");
  return {of.data(), of.size(), count};
}

// The same for samples that are parts of rows; `rows`: None, or the row of each sample.
inline Places places_from(const In<std::int16_t>& of, std::size_t count, nb::handle rows) {
  Places places = places_from(of, count);
  if (rows.is_none()) return places;
  const auto named = array_view<u32>(rows);
  if (named.size() != places.n) throw std::invalid_argument("every sample must have a row");
  places.rows = named.data();
  return places;
}

// One column of a shard: coarse codes of 16 bits (all ones = missing), or level codes (negative = missing).
struct CodedColumn {
  const std::uint16_t* codes = nullptr;
  const std::int32_t* levels = nullptr;
  std::size_t size = 0, rows = 0;

  CodedColumn(const nb::tuple& given, const Places& places) : size(nb::cast<std::size_t>(given[1])) {
    if (nb::isinstance<In<std::uint16_t>>(given[0])) {
      const auto a = array_view<std::uint16_t>(given[0]);
      codes = a.data();
      rows = a.size();
      bool bad = false;
      for (std::size_t i = 0; i < rows; ++i) bad |= (codes[i] != 0xFFFF) & (codes[i] >= size);
      if (bad) throw std::out_of_range("a code is out of range");
    } else {
      const auto a = array_view<std::int32_t>(given[0]);
      levels = a.data();
      rows = a.size();
      for (std::size_t i = 0; i < rows; ++i)
        if (levels[i] >= static_cast<std::int64_t>(size)) throw std::out_of_range("a level code is out of range");
    }
    if (!places.rows && rows != places.n) throw std::invalid_argument("every column must have one code a row");
    for (std::size_t i = 0; places.rows && i < places.n; ++i)
      if (places.rows[i] >= rows) throw std::out_of_range("there is no such row");
  }
  template <class Adder>
  Entries table(const Places& places, const Adder& adder) const {
    const auto by = [&](const auto& cell_of_row) {
      if (!places.rows) return count(places, size + 1, cell_of_row, adder);
      return count(places, size + 1, [&](std::size_t i) { return cell_of_row(places.rows[i]); }, adder);
    };
    if (codes) return by([this](std::size_t r) { return codes[r] == 0xFFFF ? size : std::size_t{codes[r]}; });
    return by([this](std::size_t r) { return levels[r] < 0 ? size : static_cast<std::size_t>(levels[r]); });
  }
};

// Low parts of whole numbers beyond 2**53, or null.
inline const double* lows_of(nb::handle given, std::size_t n) {
  if (given.is_none()) return nullptr;
  const auto lows = array_view<double>(given);
  if (lows.size() != n) throw std::invalid_argument("every value must have a low part");
  return lows.data();
}

// A numeric column: float64 or float32, with low parts or None.
inline ExactValues exact_values(nb::handle given, nb::handle lows, std::size_t n) {
  ExactValues out;
  if (take_values(given, out.wide, out.narrow) != n) throw std::invalid_argument("every row must have a value");
  out.lows = lows_of(lows, n);
  return out;
}

}  // namespace boxwood::sharded

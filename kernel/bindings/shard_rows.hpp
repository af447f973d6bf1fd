// What Python gives of a shard's rows, checked: the place each is counted at, and columns of codes.
#pragma once

#include "../sharded/count.hpp"
#include "door.hpp"

namespace boxwood::sharded {

inline Places places_from(const In<std::int16_t>& of, std::size_t count) {
  for (std::size_t i = 0; i < of.size(); ++i)
    if (of.data()[i] >= static_cast<std::int64_t>(count)) throw std::out_of_range("there is no such place");
  return {of.data(), of.size(), count};
}

// One column of a shard: coarse codes of 16 bits (all ones = missing), or level codes (negative = missing).
struct CodedColumn {
  const std::uint16_t* codes = nullptr;
  const std::int32_t* levels = nullptr;
  std::size_t size = 0;

  CodedColumn(const nb::tuple& given, std::size_t n) : size(nb::cast<std::size_t>(given[1])) {
    if (nb::isinstance<In<std::uint16_t>>(given[0])) {
      const auto a = array_view<std::uint16_t>(given[0]);
      check(a.size(), n);
      codes = a.data();
      for (std::size_t i = 0; i < n; ++i)
        if (codes[i] != 0xFFFF && codes[i] >= size) throw std::out_of_range("a code is out of range");
    } else {
      const auto a = array_view<std::int32_t>(given[0]);
      check(a.size(), n);
      levels = a.data();
      for (std::size_t i = 0; i < n; ++i)
        if (levels[i] >= static_cast<std::int64_t>(size)) throw std::out_of_range("a level code is out of range");
    }
  }
  template <class Adder>
  Entries table(const Places& places, const Adder& adder) const {
    if (codes)
      return count(places, size + 1, [this](std::size_t i) { return codes[i] == 0xFFFF ? size : std::size_t{codes[i]}; }, adder);
    return count(places, size + 1, [this](std::size_t i) { return levels[i] < 0 ? size : static_cast<std::size_t>(levels[i]); }, adder);
  }

 private:
  static void check(std::size_t length, std::size_t n) {
    if (length != n) throw std::invalid_argument("every column must have one code a row");
  }
};

// A numeric column of a shard: float64, or float32.
struct NumericColumn {
  const float* narrow = nullptr;
  const double* wide = nullptr;

  NumericColumn(nb::handle given, std::size_t n) {
    std::size_t length;
    if (nb::isinstance<In<float>>(given)) {
      const auto values = array_view<float>(given);
      narrow = values.data();
      length = values.size();
    } else {
      const auto values = array_view<double>(given);
      wide = values.data();
      length = values.size();
    }
    if (length != n) throw std::invalid_argument("every row must have a value");
  }
  template <class Task>
  auto with_values(const Task& task) const {
    return narrow ? task(narrow) : task(wide);
  }
};

}  // namespace boxwood::sharded

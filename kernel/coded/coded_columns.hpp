// Columns where they lie, beside the codes of their values: what coders fill and searches read.
// Invariant: columns that are cut stand first; copies share the codes and the bins. Cost: none by itself.
#pragma once

#include <memory>
#include <optional>

#include "bins.hpp"
#include "room.hpp"

namespace boxwood::coded {

struct CodedColumns {
  std::vector<RawColumn> raw;
  std::size_t n, p, cuts = 0;  // rows, columns, columns that are cut
  std::shared_ptr<Code[]> codes;
  std::vector<Coding> codings;     // of columns that are cut
  std::vector<std::uint8_t> gaps;  // whether a value is missing
  std::shared_ptr<std::vector<std::optional<Bins>>> bins;  // of columns that are binned

  CodedColumns(std::vector<RawColumn> columns, std::size_t rows)
      : raw(std::move(columns)), n(rows), p(raw.size()), gaps(p), bins(std::make_shared<std::vector<std::optional<Bins>>>(p)) {
    while (cuts < p && raw[cuts].kind != Kind::nominal) ++cuts;
    codes = room_for<Code>(n * p + SLACK);
    codings.resize(cuts);
  }

  static constexpr std::size_t SLACK = 16;  // codes are read a register at a time
  Code* at(std::size_t row, std::size_t j) const { return codes.get() + row * p + j; }
  bool is_binned(std::size_t j) const { return (*bins)[j].has_value(); }
  const Bins& bins_of(std::size_t j) const { return *(*bins)[j]; }

  // How many columns from j on, up to `end` and 16, stand side by side in memory.
  std::size_t side_by_side(std::size_t j, std::size_t end) const {
    std::size_t width = 1;
    while (j + width < end && width < 16 && raw[j].is_beside(raw[j + width], static_cast<std::ptrdiff_t>(width))) ++width;
    return width;
  }

  // Calls `then` with the values of column j from a row on, as doubles or floats.
  template <class Then>
  auto typed(std::size_t j, std::size_t from, const Then& then) const {
    const RawColumn& column = raw[j];
    return column.narrow ? then(column.floats() + column.place(from)) : then(column.doubles() + column.place(from));
  }

  void spread(const Code* column, std::size_t rows, Code* out) const {
    for (std::size_t r = 0; r < rows; ++r) out[r * p] = column[r];
  }
};

}  // namespace boxwood::coded

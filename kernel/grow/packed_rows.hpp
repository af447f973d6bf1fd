// Rows of doubles without their zeros: the moments of nodes of many classes, of which a small node has few.
// Invariant: what is unpacked is what was added. Cost: 12 bytes for each number other than zero, 8 for a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

class PackedRows {
 public:
  void shrink_to_fit() {
    ends_.shrink_to_fit();
    places_.shrink_to_fit();
    values_.shrink_to_fit();
  }
  // The next row.
  void add(const std::vector<double>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k] == 0) continue;
      places_.push_back(static_cast<std::uint32_t>(k));
      values_.push_back(row[k]);
    }
    ends_.push_back(values_.size());
  }
  // Writes the numbers of a row over zeros.
  void unpack(std::size_t row, double* to) const {
    for (std::size_t i = ends_[row]; i < ends_[row + 1]; ++i) to[places_[i]] = values_[i];
  }

 private:
  std::vector<std::size_t> ends_{0};
  std::vector<std::uint32_t> places_;
  std::vector<double> values_;
};

// Rows in several of them, all of one width, in an order of their own.
struct PackedTable {
  struct Place {
    std::uint32_t part, row;
  };
  std::size_t width = 0;
  std::vector<PackedRows> parts;
  std::vector<Place> rows;

  // Some rows, one after the other; `number(i)`: which the i-th of them is.
  template <class Number>
  std::vector<double> unpacked(std::size_t count, const Number& number) const {
    std::vector<double> out(count * width);
    for (std::size_t i = 0; i < count; ++i) {
      const Place& at = rows[number(i)];
      parts[at.part].unpack(at.row, &out[i * width]);
    }
    return out;
  }
};

}  // namespace boxwood

// Rows of doubles without their zeros: the moments of nodes of many classes, of which a small node has few.
// Invariant: what is unpacked is what was added. Cost: 12 bytes for each number other than zero, 8 for a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boxwood {

class PackedRows {
 public:
  bool empty() const { return ends_.size() == 1; }
  std::size_t numbers(std::size_t row) const { return ends_[row + 1] - ends_[row]; }
  void reserve(std::size_t rows, std::size_t numbers) {
    ends_.reserve(rows + 1);
    places_.reserve(numbers);
    values_.reserve(numbers);
  }
  void shrink_to_fit() {
    ends_.shrink_to_fit();
    places_.shrink_to_fit();
    values_.shrink_to_fit();
  }
  // The next row.
  void add(const std::vector<double>& row) {
    width_ = row.size();
    for (std::size_t k = 0; k < width_; ++k)
      if (row[k] != 0) add(static_cast<std::uint32_t>(k), row[k]);
    ends_.push_back(values_.size());
  }
  // A row of others, which are as wide.
  void add(const PackedRows& from, std::size_t row) {
    width_ = from.width_;
    for (std::size_t i = from.ends_[row]; i < from.ends_[row + 1]; ++i) add(from.places_[i], from.values_[i]);
    ends_.push_back(values_.size());
  }
  std::size_t rows() const { return ends_.size() - 1; }
  // Some rows, one after the other; `row(i)`: the i-th of them.
  template <class Row>
  std::vector<double> unpacked(std::size_t count, const Row& row) const {
    std::vector<double> out(count * width_);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t at = ends_[row(i)]; at < ends_[row(i) + 1]; ++at) out[i * width_ + places_[at]] = values_[at];
    return out;
  }

 private:
  void add(std::uint32_t place, double value) {
    places_.push_back(place);
    values_.push_back(value);
  }

  std::size_t width_ = 0;
  std::vector<std::size_t> ends_{0};
  std::vector<std::uint32_t> places_;
  std::vector<double> values_;
};

}  // namespace boxwood

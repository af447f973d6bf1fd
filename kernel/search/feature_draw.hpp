// The features that a node searches: all, or max_features of them that it draws.
// Rule: a node inspects the features that it may use in the order of a hash of its path and their place; it stops after
// max_features of them, or at the first one after them with which a split was found. A feature that is constant in the
// node counts as inspected. Invariant: the draw depends on the seed, the branches taken from the root, and the place of
// each feature in the learning set alone. Cost: about 3 ns a feature of the learning set.
#pragma once

#include <numeric>
#include <span>

#include "search/draws.hpp"
#include "search/rules.hpp"

namespace boxwood::coded {

inline std::vector<std::int32_t> numbers_below(std::size_t n) {
  std::vector<std::int32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

class FeatureDraw {
 public:
  // `columns`: those to draw from, in the order of the search; `place_of(column)`: in the learning set.
  template <class PlaceOf>
  FeatureDraw(const Rules& rules, std::vector<std::int32_t> columns, const PlaceOf& place_of)
      : rules_(rules), columns_(std::move(columns)), next_(columns_) {
    for (const std::int32_t j : columns_) places_.push_back(place_of(static_cast<std::size_t>(j)));
  }

  // In the order of the search.
  const std::vector<std::int32_t>& columns() const { return columns_; }

  // The next node.
  void start(const NodeStats& stats) {
    begin_ = end_ = 0;
    most_ = static_cast<std::size_t>(rules_.settings->max_features);
    if (most_ == 0) return;
    keyed_.clear();
    for (u32 i = 0; i < columns_.size(); ++i)
      if (rules_.may_use(places_[i], stats)) keyed_.emplace_back(draw_of(stats.inherited.path, places_[i]), i);
  }
  // Whether there are no more features to inspect.
  bool is_over() const { return end_ == (most_ == 0 ? columns_.size() : keyed_.size()); }
  // The next ones, in the order of the search: all, or those drawn, then one after the other.
  std::span<const std::int32_t> next() {
    if (most_ == 0) {
      end_ = columns_.size();
      return columns_;
    }
    begin_ = end_;
    end_ = std::min(keyed_.size(), begin_ == 0 ? most_ : begin_ + 1);
    draw();
    return next_;
  }

 private:
  // In the first turn those of least hash, then the others in its order.
  void draw() {
    const auto first = keyed_.begin() + static_cast<std::ptrdiff_t>(begin_),
               last = keyed_.begin() + static_cast<std::ptrdiff_t>(end_);
    if (begin_ == 0)
      std::partial_sort(first, last, keyed_.end());
    else if (begin_ == most_)
      std::sort(first, keyed_.end());
    std::sort(first, last, [](const auto& a, const auto& b) { return a.second < b.second; });
    next_.clear();
    std::transform(first, last, std::back_inserter(next_), [&](const auto& one) { return columns_[one.second]; });
  }

  const Rules& rules_;
  const std::vector<std::int32_t> columns_;
  std::vector<std::int32_t> places_, next_;
  std::size_t most_ = 0, begin_ = 0, end_ = 0;
  std::vector<std::pair<std::uint64_t, u32>> keyed_;  // hash of a feature's draw, its place among the columns
};

}  // namespace boxwood::coded

// The rows of a sorted column from which some are taken away, parted into leaves.
// Invariant: a leaf ends where a code ends, so what happens in a leaf depends on its own rows alone. Rows without a
// value stand behind the others, in leaves without a cut. Cost: a few steps a row taken away.
#pragma once

#include <vector>

#include "general/samples.hpp"

namespace boxwood {

template <class M>
class PeeledRows {
 public:
  using Sum = typename M::Sum;

  // `local`: number of each sample within the node; `weight`: nullptr = 1 each.
  void build(const Entry* entries, std::uint32_t n, const std::int32_t* classes, const std::int64_t* weight,
             const std::uint32_t* local) {
    entries_.assign(entries, entries + n);
    classes_.resize(n);
    places_.resize(n);
    weights_.resize(weight ? n : 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      classes_[i] = static_cast<std::uint8_t>(classes[sample_of(entries[i])]);
      places_[local[sample_of(entries[i])]] = i;
      if (weight) weights_[i] = static_cast<Sum>(weight[sample_of(entries[i])]);
    }
    part_into_leaves();
  }

  std::uint32_t leaves() const { return static_cast<std::uint32_t>(begins_.size() - 1); }
  // The place where a leaf begins; that of the end for the number behind the last.
  std::uint32_t begin(std::size_t leaf) const { return begins_[std::min(leaf, begins_.size() - 1)]; }
  std::uint32_t leaf_of(std::uint32_t at) const {
    return static_cast<std::uint32_t>(std::upper_bound(begins_.begin(), begins_.end(), at) - begins_.begin()) - 1;
  }
  // A code of its own leaf, whose rows nobody needs to go through.
  bool is_heap(std::uint32_t leaf) const {
    return begins_[leaf + 1] - begins_[leaf] >= LEAF && code(begins_[leaf]) == code(begins_[leaf + 1] - 1);
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  std::uint32_t known() const { return known_; }  // the first place of a row without a value
  std::uint32_t place(std::uint32_t row) const { return places_[row]; }
  Entry entry(std::uint32_t at) const { return entries_[at]; }
  std::uint32_t code(std::uint32_t at) const { return code_of(entries_[at]); }
  // The code of the next row behind a place, MISSING behind the last one with a value.
  std::uint32_t code_behind(std::uint32_t at) const {
    for (++at; classes_[at] == GONE;) ++at;
    return code(at);
  }
  // Of a row that is there.
  std::uint8_t class_of(std::uint32_t at) const { return classes_[at]; }
  Sum weight_of(std::uint32_t at) const { return weights_.empty() ? Sum{1} : weights_[at]; }

  void take(std::uint32_t at) { classes_[at] = GONE; }

  // Calls visit(place) at every end of a code in a leaf, when pass(place) has been called for all rows up to it.
  template <class Pass, class Visit>
  void each_cut(std::uint32_t leaf, const Pass& pass, const Visit& visit) const {
    const std::uint32_t end = begins_[leaf + 1];
    std::uint32_t last = end;
    for (std::uint32_t i = begins_[leaf]; i < end; ++i) {
      if (classes_[i] == GONE) continue;
      if (last != end && code(i) != code(last)) visit(last);
      pass(i);
      last = i;
    }
    if (last != end && last < known_) visit(last);
  }

  // Calls visit(sample) for the rows from a place to another; a leaf for which is_empty(leaf) is not gone through.
  template <class IsEmpty, class Visit>
  void each(std::uint32_t from, std::uint32_t until, const IsEmpty& is_empty, const Visit& visit) const {
    if (from >= until) return;
    for (std::uint32_t leaf = leaf_of(from); leaf < leaves() && begins_[leaf] < until; ++leaf) {
      if (is_empty(leaf)) continue;
      for (std::uint32_t i = std::max(from, begins_[leaf]), end = std::min(until, begins_[leaf + 1]); i < end; ++i)
        if (classes_[i] != GONE) visit(sample_of(entries_[i]));
    }
  }

 private:
  static constexpr std::uint8_t GONE = 255;
  static constexpr std::uint32_t LEAF = 32;  // a leaf of several codes has at most twice as many rows

  void part_into_leaves() {
    begins_ = {0};
    for (known_ = size(); known_ > 0 && code(known_ - 1) == MISSING;) --known_;
    for (std::uint32_t i = 0; i < known_;) {
      std::uint32_t end = i + 1;
      while (end < known_ && code(end) == code(i)) ++end;
      const bool is_heap = end - i >= LEAF;
      if (is_heap && begins_.back() != i) begins_.push_back(i);
      if (is_heap || end - begins_.back() >= LEAF) begins_.push_back(end);
      i = end;
    }
    if (begins_.back() != known_) begins_.push_back(known_);
    for (std::uint32_t end = known_; end < size();) begins_.push_back(end = std::min(size(), end + LEAF));
  }

  std::vector<Entry> entries_;
  std::vector<std::uint8_t> classes_;  // of the row at each place, or GONE
  std::vector<Sum> weights_;  // the same; empty = 1 each
  std::vector<std::uint32_t> places_;  // of each row of the node
  std::vector<std::uint32_t> begins_;  // of leaves, and the end of the last
  std::uint32_t known_ = 0;
};

}  // namespace boxwood

// The table of one feature in one node: present categories, each with its row of the test.
// Invariant: sums are whole numbers until they are complete, so rows depend neither on the order of samples nor on who
// added them up. Cost: one pass over the node's samples.
#pragma once

#include <span>

#include "chaid/groups.hpp"
#include "chaid/node_sums.hpp"

namespace boxwood::chaid {

// The category of a sample: its level or bin; missing values have the last one.
struct CategoryOf {
  const std::uint32_t* codes;  // of each row
  const std::uint32_t* row;  // of each sample
  const std::uint16_t* bins;  // of each sample; nullptr = a category is a code
  std::uint32_t n_known;  // levels or bins

  std::uint32_t operator()(std::uint32_t sample) const {
    if (bins) return bins[sample];
    const std::uint32_t code = codes[row[sample]];
    return code == MISSING ? n_known : code;
  }
};

// Whole sums of one category of a numeric target: deviations from the node's middle, and their squares.
struct MeanSums {
  std::int64_t rows = 0;
  Wide weight = 0, sum = 0;
  LongSum squares;

  // Squares move, as whole numbers, to a middle next to the category's mean, so that nothing cancels:
  // sum w (d - m)^2 = squares - m (sum + rest), where sum = m weight + rest.
  void put(bool case_weights, double unit, std::vector<double>& out) const {
    const auto middle = static_cast<std::int64_t>(sum / weight);
    const Wide rest = sum - middle * weight;
    LongSum moved = squares;
    moved.add_product(sum + rest, -middle);
    const double w = static_cast<double>(weight), off = static_cast<double>(rest);
    const double cases = case_weights ? static_cast<double>(rows) : w * unit;
    const double about = std::fmax(moved.value() - off / w * off, 0.0);
    out.insert(out.end(), {cases, w, static_cast<double>(middle) + off / w, about});
  }
};

class Tally {
 public:
  Tally(const ResponseColumns& y, bool case_weights) : y_(y), case_weights_(case_weights) {}

  bool is_mean() const { return y_.kind == ResponseColumns::Kind::mean; }
  // Sums that a category of classes has: their weights; with case weights, their counts before these.
  std::size_t class_sums() const { return static_cast<std::size_t>(y_.n_classes) * (case_weights_ ? 2 : 1); }

  Categories count(const CategoryOf& category, std::span<const std::uint32_t> ids, const coded::NodeStats& node) const {
    const std::size_t n = category.n_known + std::size_t{1};
    return is_mean() ? count_means(category, n, ids, node) : count_classes(category, n, ids);
  }

  // Those of `n` categories that have rows; the last one is that of missing values. `sums_of(c)`: of category c, its
  // MeanSums or a pointer to its sums of classes.
  template <class SumsOf>
  Categories present(std::size_t n, const std::int64_t* rows, const SumsOf& sums_of) const {
    Categories out;
    out.width = is_mean() ? 4 : static_cast<int>(class_sums());
    for (std::size_t c = 0; c < n; ++c) {
      if (rows[c] == 0) continue;
      out.codes.push_back(c + 1 == n ? MISSING : static_cast<std::uint32_t>(c));
      put(sums_of(c), out.rows);
    }
    return out;
  }

 private:
  void put(const MeanSums& sums, std::vector<double>& out) const { sums.put(case_weights_, y_.unit, out); }
  void put(const std::int64_t* sums, std::vector<double>& out) const {
    const std::size_t end = class_sums(), first_weight = end - static_cast<std::size_t>(y_.n_classes);
    for (std::size_t i = 0; i < end; ++i)
      out.push_back(static_cast<double>(sums[i]) * (i < first_weight ? 1.0 : y_.unit));
  }

  Categories count_classes(const CategoryOf& category, std::size_t n, std::span<const std::uint32_t> ids) const {
    const std::size_t width = class_sums(), first_weight = width - static_cast<std::size_t>(y_.n_classes);
    std::vector<std::int64_t> rows(n), sums(n * width);
    for (const std::uint32_t s : ids) {
      const std::uint32_t c = category(s);
      std::int64_t* at = sums.data() + c * width + y_.codes[s];
      ++rows[c];
      if (case_weights_) ++at[0];
      at[first_weight] += y_.weight_of(s);
    }
    return present(n, rows.data(), [&](std::size_t c) { return sums.data() + c * width; });
  }

  Categories count_means(const CategoryOf& category, std::size_t n, std::span<const std::uint32_t> ids,
                         const coded::NodeStats& node) const {
    const std::int64_t* part = node.by_low ? y_.low : y_.high;
    std::vector<std::int64_t> rows(n);
    std::vector<MeanSums> sums(n);
    for (const std::uint32_t s : ids) {
      const std::uint32_t c = category(s);
      const Wide w = y_.weight_of(s), d = part[s] - node.shift;
      MeanSums& at = sums[c];
      at.rows = ++rows[c];
      at.weight += w;
      at.sum += w * d;
      at.squares.add(d * d * w);
    }
    return present(n, rows.data(), [&](std::size_t c) { return sums[c]; });
  }

  const ResponseColumns& y_;
  const bool case_weights_;
};

}  // namespace boxwood::chaid

// The table of one feature in one node: present categories, each with its row of the test.
// Invariant: sums are whole numbers until they are complete, so rows do not depend on the order of samples.
// Cost: one pass over the node's samples for classes, two for means; categories are sorted where the node has fewer
// samples.
#pragma once

#include <span>

#include "chaid/groups.hpp"
#include "chaid/node_sums.hpp"

namespace boxwood::chaid {

// The category of a sample: its level or bin, or MISSING.
struct CategoryOf {
  const std::uint32_t* codes;  // of each row
  const std::uint32_t* row;  // of each sample
  const std::uint32_t* bins = nullptr;  // of each code; nullptr = the code itself
  std::uint32_t n_categories = 0;

  std::uint32_t operator()(std::uint32_t sample) const {
    const std::uint32_t code = codes[row[sample]];
    return code == MISSING || !bins ? code : bins[code];
  }
};

// Rows of the test out of whole sums of classes; with case weights, counts of the classes stand before their weights.
inline void class_rows(const std::vector<std::int64_t>& sums, int n_classes, bool case_weights, double unit,
                       Categories& out) {
  out.width = case_weights ? 2 * n_classes : n_classes;
  out.rows.resize(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const bool is_count = case_weights && i % static_cast<std::size_t>(out.width) < static_cast<std::size_t>(n_classes);
    out.rows[i] = static_cast<double>(sums[i]) * (is_count ? 1.0 : unit);
  }
}

// Whole sums of one category of a numeric target: deviations from the node's rounded mean, and their squares about
// `middle`.
struct MeanSums {
  std::int64_t rows = 0, middle = 0;
  Wide weight = 0, sum = 0;
  LongSum squares;

  void set_middle() { middle = static_cast<std::int64_t>(sum / weight); }

  // Its row of the test: nothing cancels, as squares are those about a number next to the category's mean.
  void put(bool case_weights, double unit, std::vector<double>& out) const {
    const double w = static_cast<double>(weight), off = static_cast<double>(sum - middle * weight);
    const double cases = case_weights ? static_cast<double>(rows) : w * unit;
    const double about = std::fmax(squares.value() - off / w * off, 0.0);
    out.insert(out.end(), {cases, w, static_cast<double>(middle) + off / w, about});
  }
};

class Tally {
 public:
  Tally(const ResponseColumns& y, bool case_weights) : y_(y), case_weights_(case_weights) {}

  Categories count(const CategoryOf& category, std::span<const std::uint32_t> ids, const coded::Judged& node) const {
    Categories out;
    const std::vector<std::uint32_t> place = places(category, ids, out);
    const auto place_of = [&](std::uint32_t sample) {
      const std::uint32_t c = category(sample);
      if (!place.empty()) return place[c == MISSING ? category.n_categories : c];
      return static_cast<std::uint32_t>(std::lower_bound(out.codes.begin(), out.codes.end(), c) - out.codes.begin());
    };
    if (y_.kind == ResponseColumns::Kind::classes) {
      count_classes(place_of, ids, out);
    } else {
      count_means(place_of, ids, node, out);
    }
    return out;
  }

 private:
  // Finds the present categories; returns the place of every category among them where a lookup table is worth it.
  static std::vector<std::uint32_t> places(const CategoryOf& category, std::span<const std::uint32_t> ids,
                                           Categories& out) {
    if (ids.size() < category.n_categories) {
      out.codes.reserve(ids.size());
      for (const std::uint32_t s : ids) out.codes.push_back(category(s));
      std::sort(out.codes.begin(), out.codes.end());
      out.codes.erase(std::unique(out.codes.begin(), out.codes.end()), out.codes.end());
      return {};
    }
    std::vector<std::uint32_t> place(category.n_categories + 1, 0);
    for (const std::uint32_t s : ids) place[std::min(category(s), category.n_categories)] = 1;
    for (std::uint32_t c = 0; c <= category.n_categories; ++c) {
      if (!place[c]) continue;
      place[c] = static_cast<std::uint32_t>(out.codes.size());
      out.codes.push_back(c == category.n_categories ? MISSING : c);
    }
    return place;
  }

  template <class PlaceOf>
  void count_classes(const PlaceOf& place_of, std::span<const std::uint32_t> ids, Categories& out) const {
    const std::size_t k = y_.n_classes, width = case_weights_ ? 2 * k : k;
    std::vector<std::int64_t> sums(out.size() * width, 0);
    for (const std::uint32_t s : ids) {
      std::int64_t* at = sums.data() + place_of(s) * width + y_.codes[s];
      at[0] += case_weights_ ? 1 : y_.weight_of(s);
      if (case_weights_) at[k] += y_.weight_of(s);
    }
    class_rows(sums, y_.n_classes, case_weights_, y_.unit, out);
  }

  // Deviations from the node's rounded mean first, from the category's own in a second pass: nothing cancels.
  template <class PlaceOf>
  void count_means(const PlaceOf& place_of, std::span<const std::uint32_t> ids, const coded::Judged& node,
                   Categories& out) const {
    const std::int64_t* part = node.fine ? y_.low : y_.high;
    std::vector<MeanSums> sums(out.size());
    std::vector<std::uint32_t> places(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      MeanSums& at = sums[places[i] = place_of(ids[i])];
      const Wide w = y_.weight_of(ids[i]);
      ++at.rows;
      at.weight += w;
      at.sum += w * (part[ids[i]] - node.shift);
    }
    for (MeanSums& at : sums) at.set_middle();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      MeanSums& at = sums[places[i]];
      const Wide d = part[ids[i]] - node.shift - at.middle;
      at.squares.add(d * d * y_.weight_of(ids[i]));
    }
    out.width = 4;
    for (const MeanSums& at : sums) at.put(case_weights_, y_.unit, out.rows);
  }

  const ResponseColumns& y_;
  const bool case_weights_;
};

}  // namespace boxwood::chaid

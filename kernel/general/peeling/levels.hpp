// A nominal column of a node from which rows are taken away: what the rows of each level weigh by class.
// Invariant: a level's rows stand in the order of its list, those without a value last; the sums are whole numbers.
// Cost: a few steps a row taken away.
#pragma once

#include <algorithm>
#include <vector>

#include "general/samples.hpp"

namespace boxwood {

class PeeledLevels {
 public:
  // `classes`, `weight` (nullptr = 1 each): of each sample; `local`: its number within the node.
  void build(const Entry* entries, std::uint32_t n, const std::int32_t* classes, const std::int64_t* weight,
             int n_classes, const std::uint32_t* local) {
    classes_ = classes;
    weight_ = weight;
    width_ = n_classes;
    local_ = local;
    entries_.assign(entries, entries + n);
    places_.resize(n);
    of_row_.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t s = sample_of(entries[i]);
      if (i == 0 || code_of(entries[i]) != levels_.back().code) levels_.push_back({code_of(entries[i]), i, i, 0});
      Level& level = levels_.back();
      ++level.end;
      ++level.rows;
      of_row_[local[s]] = static_cast<std::uint32_t>(levels_.size() - 1);
      places_[local[s]] = i;
    }
    sums_.assign(levels_.size() * width_, 0);
    for (const Entry entry : entries_) sum_of(local_[sample_of(entry)]) += weight_of(sample_of(entry));
  }

  // Calls visit(code, sums by class, rows) for the levels that have rows; that of rows without a value is MISSING.
  template <class Visit>
  void each_level(const Visit& visit) const {
    for (std::size_t l = 0; l < levels_.size(); ++l)
      if (levels_[l].rows > 0) visit(levels_[l].code, sums_.data() + l * width_, levels_[l].rows);
  }
  // Calls visit(sample) for the rows of a level.
  template <class Visit>
  void each_of(std::uint32_t code, const Visit& visit) const {
    const auto level = std::lower_bound(levels_.begin(), levels_.end(), code,
                                        [](const Level& l, std::uint32_t c) { return l.code < c; });
    if (level != levels_.end() && level->code == code) each_of(*level, visit);
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (const Level& level : levels_) each_of(level, visit);
  }

  // Takes rows away, numbered within the node, and writes their entries in order where `out` says, unless that is
  // nullptr.
  void take(const std::vector<std::uint32_t>& rows, Entry* out) {
    taken_.clear();
    for (const std::uint32_t row : rows) {
      Level& level = levels_[of_row_[row]];
      sum_of(row) -= weight_of(sample_of(entries_[places_[row]]));
      --level.rows;
      taken_.push_back(places_[row]);
      places_[row] = GONE;
    }
    if (out) {
      std::sort(taken_.begin(), taken_.end());
      for (const std::uint32_t at : taken_) *out++ = entries_[at];
    }
    for (const std::uint32_t row : rows) {
      Level& level = levels_[of_row_[row]];
      if (level.end - level.begin > 2 * level.rows) close_up(level);
    }
  }

 private:
  static constexpr std::uint32_t GONE = 0xFFFFFFFFu;

  // Entries from `begin` to `end`, of which `rows` are still there.
  struct Level {
    std::uint32_t code, begin, end, rows;
  };

  std::int64_t& sum_of(std::uint32_t row) {
    return sums_[of_row_[row] * width_ + classes_[sample_of(entries_[places_[row]])]];
  }
  std::int64_t weight_of(std::uint32_t s) const { return weight_ ? weight_[s] : 1; }
  bool is_there(std::uint32_t at) const { return places_[local_[sample_of(entries_[at])]] == at; }

  // Without gaps, so that nobody goes through rows that are gone again and again.
  void close_up(Level& level) {
    std::uint32_t to = level.begin;
    for (std::uint32_t at = level.begin; at < level.end; ++at) {
      if (!is_there(at)) continue;
      places_[local_[sample_of(entries_[at])]] = to;
      entries_[to++] = entries_[at];
    }
    level.end = to;
  }

  template <class Visit>
  void each_of(const Level& level, const Visit& visit) const {
    if (level.rows == 0) return;
    for (std::uint32_t at = level.begin; at < level.end; ++at)
      if (is_there(at)) visit(sample_of(entries_[at]));
  }

  const std::int32_t* classes_ = nullptr;
  const std::int64_t* weight_ = nullptr;
  const std::uint32_t* local_ = nullptr;
  std::size_t width_ = 0;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> places_;  // of each row of the node, or GONE
  std::vector<std::uint32_t> of_row_;  // which level each row has
  std::vector<Level> levels_;
  std::vector<std::int64_t> sums_;  // level by level
  std::vector<std::uint32_t> taken_;
};

}  // namespace boxwood

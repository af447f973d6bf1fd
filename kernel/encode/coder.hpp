// Gives every value of a table its code: maps from samples first, then all rows, then again the columns that their map
// served badly. Invariant: as in codes.hpp; which map a column gets depends on its values alone, whoever codes which
// rows. Cost: 1-2 ns a value; about 3 more where a column is coded again.
#pragma once

#include "encode/binner.hpp"
#include "encode/linear_codes.hpp"
#include "encode/unseen_values.hpp"

namespace boxwood::coded {

class Coder {
 public:
  Coder(CodedColumns& of, Team& team) : of_(of), team_(team), n_(of.n), p_(of.p), cuts_(of.cuts), strangers_(of.p) {}

  void code(std::uint32_t most_bins) {
    if (most_bins > 0) Binner(of_, most_bins, team_).bin();
    const std::size_t size = n_ <= LITTLE ? 32 : n_ < 20'000 ? 1024 : 4096;
    team_.run(cuts_, [&](std::size_t j, int) {
      if (of_.is_binned(j)) return;
      const auto sample = sorted_sample(of_.raw[j], n_, size);
      coding(j) = n_ <= LITTLE ? linear_coding(sample) : coding_of(sample, sample.size() < std::min(size, n_));
    });
    fill();
  }

 private:
  // Rows up to which a tree is grown from sorted lists alone: a rough map will do, and no bin is looked at.
  static constexpr std::size_t LITTLE = 1024;
  static constexpr std::size_t LOOKS = 8;
  using Counts =
      std::vector<std::vector<std::uint32_t>>;  // rows in each column's bins, in one chunk of LOOKS, of each member

  Coding& coding(std::size_t j) { return of_.codings[j]; }
  Code* out(std::size_t j, std::size_t from) const { return of_.at(from, j); }
  bool is_single(std::size_t j) const { return of_.codings[j].kind == Coding::Kind::single; }

  void fill() {
    for (std::size_t j = 0; j < cuts_;) {
      if (!of_.is_binned(j)) groups_.push_back({j, group_of(j)});
      j += of_.is_binned(j) ? 1 : groups_.back().second;
    }
    if (groups_.empty() && cuts_ == p_) return;
    Counts counts(team_.size(), std::vector<std::uint32_t>(cuts_ * BINS, 0));
    each_chunk(of_, team_, [&](std::size_t from, std::size_t rows, std::size_t i, int member) {
      code_chunk(from, rows);
      for (std::size_t j = cuts_; j < p_; ++j) level_chunk(j, from, rows);
      if (i % LOOKS == 0 && n_ > LITTLE) count_bins(from, rows, counts[member]);
    });
    for (std::size_t j = 0; j < p_; ++j)
      if (strangers_[j].gaps()) of_.gaps[j] = 1;
    if (n_ > LITTLE) mend(counts);
  }

  // How many columns from j on are coded at once: those side by side in memory, none of them binned.
  std::size_t group_of(std::size_t j) const {
    std::size_t end = j + 1;
    while (end < cuts_ && !of_.is_binned(end)) ++end;
    const std::size_t width = of_.side_by_side(j, end);
    return width == 16 ? 16 : width >= 4 ? 4 : 1;
  }

  // Whether one bin of a map holds much of the column.
  bool crowded(const Counts& counts, std::size_t j) const {
    for (int b = 0; b < BINS - 1; ++b) {
      std::size_t rows = 0;
      for (const auto& count : counts) rows += count[j * BINS + b];
      if (rows > n_ / LOOKS / 16 + CHUNK / 4) return true;
    }
    return false;
  }

  void count_bins(std::size_t from, std::size_t rows, std::vector<std::uint32_t>& count) const {
    for (std::size_t r = from; r < from + rows; ++r)
      for (std::size_t j = 0; j < cuts_; ++j) ++count[j * BINS + (*of_.at(r, j) >> 8)];
  }

  void code_chunk(std::size_t from, std::size_t rows) {
    for (const auto& group : groups_) {
      const std::size_t first = group.first, width = group.second;
      const bool missing =
          of_.typed(first, from, [&](const auto* values) { return code_group(first, width, values, from, rows); });
      for (std::size_t j = first; j < first + width; ++j) {
        if (coding(j).kind != Coding::Kind::linear) search_chunk(j, from, rows);
        if (missing) miss_chunk(j, from, rows);
      }
    }
  }

  // Linear codes of some columns side by side; whether a value is missing.
  template <class T>
  bool code_group(std::size_t j, std::size_t width, const T* values, std::size_t from, std::size_t rows) {
    const std::ptrdiff_t step = of_.raw[j].step;
    if (width == 16) return code_rows_16(LinearGroup<16>(&coding(j)), values, step, rows, out(j, from), p_);
    if (width == 4) return code_rows_4(LinearGroup<4>(&coding(j)), values, step, rows, out(j, from), p_);
    return code_alone(j, values, from, rows);
  }

  template <class T>
  bool code_alone(std::size_t j, const T* values, std::size_t from, std::size_t rows) {
    Code column[CHUNK];
    const bool missing = code_column(coding(j), values, of_.raw[j].step, rows, column);
    of_.spread(column, rows, out(j, from));
    return missing;
  }
  // Codes of a column that is not linear; a single column's codes are linear ones when it comes here.
  void search_chunk(std::size_t j, std::size_t from, std::size_t rows) {
    of_.typed(j, from, [&](const auto* values) {
      coding(j).kind == Coding::Kind::searched ? search_bins(j, values, from, rows) : look_up(j, values, from, rows);
    });
  }

  template <class T>
  void search_bins(std::size_t j, const T* values, std::size_t from, std::size_t rows) {
    const Coding& of = coding(j);
    const std::ptrdiff_t step = of_.raw[j].step;
    double x[CHUNK] = {};
    std::int32_t bin[CHUNK];
    Code column[CHUNK];
    for (std::size_t r = 0; r < rows; ++r) x[r] = static_cast<double>(values[static_cast<std::ptrdiff_t>(r) * step]);
    search_each(of.cuts.data(), of.slopes.data(), x, rows, bin, column);
    of_.spread(column, rows, out(j, from));
  }

  template <class T>
  void look_up(std::size_t j, const T* values, std::size_t from, std::size_t rows) {
    const std::ptrdiff_t step = of_.raw[j].step;
    const double* cuts = coding(j).cuts.data();
    const std::uint8_t* slots = coding(j).slots.empty() ? nullptr : coding(j).slots.data();
    Code* out = this->out(j, from);
    for (std::size_t r = 0; r < rows; ++r) {
      const double x = static_cast<double>(values[static_cast<std::ptrdiff_t>(r) * step]) + 0.0;
      const unsigned bin = slots ? slots[out[r * p_] / SLOT_WIDTH] : bin_searched(cuts, x);
      if ((cuts[bin] != x) & (x == x)) strangers_[j].meet(x);
      out[r * p_] = static_cast<Code>(bin << 8);
    }
  }

  void miss_chunk(std::size_t j, std::size_t from, std::size_t rows) {
    Code* out = this->out(j, from);
    bool any = false;
    for (std::size_t r = 0; r < rows; ++r) {
      const bool missing = std::isnan(of_.raw[j][from + r]);
      out[r * p_] |= static_cast<Code>(0 - static_cast<unsigned>(missing));
      any |= missing;
    }
    if (any) strangers_[j].miss();
  }

  void level_chunk(std::size_t j, std::size_t from, std::size_t rows) {
    Code* out = this->out(j, from);
    const std::int32_t* levels = of_.raw[j].levels + from;
    const bool wide = j >= of_.coded;
    const auto none = static_cast<std::int32_t>(of_.raw[j].n_levels);
    bool any = false;
    for (std::size_t r = 0; r < rows; ++r) {
      any |= levels[r] < 0;
      out[r * p_] = static_cast<Code>(wide ? 0 : levels[r] < 0 ? none : levels[r]);
    }
    if (any) strangers_[j].miss();
  }

  // Codes again, together, the columns that the first map served badly: with a bin for each value, in linear pieces
  // where there are more values than the sample showed, or, where one bin of pieces holds much of the column, in bins
  // of about equal numbers of rows.
  void mend(const Counts& counts) {
    std::vector<std::size_t> badly, pieces, worse;
    for (std::size_t j = 0; j < cuts_; ++j) {
      if (of_.is_binned(j)) continue;
      const bool full = of_.gaps[j] && is_single(j) && !std::isnan(coding(j).cuts[BINS - 1]);
      if (is_single(j) ? full || strangers_[j].any() : crowded(counts, j)) badly.push_back(j);
    }
    const Counts again = recode(badly, [&](std::size_t j) {
      const auto values = is_single(j) ? strangers_[j].joined(coding(j).cuts) : std::vector<double>{};
      if (!values.empty()) return single_coding(values);
      const auto sample = sorted_sample(of_.raw[j], n_, 4096);
      return is_single(j) ? linear_coding(sample) : searched_coding(sample);
    });
    for (const std::size_t j : badly)
      if (coding(j).kind == Coding::Kind::linear && crowded(again, j)) worse.push_back(j);
    recode(worse, [&](std::size_t j) { return searched_coding(sorted_sample(of_.raw[j], n_, 4096)); });
  }

  // Other maps for some columns; how the rows spread over their bins now.
  template <class Map>
  Counts recode(const std::vector<std::size_t>& columns, const Map& map) {
    if (columns.empty()) return {};
    team_.run(columns.size(), [&](std::size_t i, int) { coding(columns[i]) = map(columns[i]); });
    Counts counts(team_.size(), std::vector<std::uint32_t>(cuts_ * BINS, 0));
    each_chunk(of_, team_, [&](std::size_t from, std::size_t rows, std::size_t i, int member) {
      for (const std::size_t j : columns) {
        if (coding(j).kind != Coding::Kind::searched)
          of_.typed(j, from, [&](const auto* values) { return code_alone(j, values, from, rows); });
        if (coding(j).kind != Coding::Kind::linear) search_chunk(j, from, rows);
        if (of_.gaps[j]) miss_chunk(j, from, rows);
        if (i % LOOKS == 0)
          for (std::size_t r = from; r < from + rows; ++r) ++counts[member][j * BINS + (*of_.at(r, j) >> 8)];
      }
    });
    return counts;
  }

  CodedColumns& of_;
  Team& team_;
  const std::size_t n_, p_, cuts_;
  std::vector<Strangers> strangers_;
  std::vector<std::pair<std::size_t, std::size_t>> groups_;  // columns coded at once: the first, how many
};

}  // namespace boxwood::coded

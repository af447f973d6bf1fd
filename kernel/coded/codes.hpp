// The 16-bit codes of all columns, a row's codes side by side: one or two cache lines tell all about a row.
// Invariant: codes are monotone in the values of their column, NOTHING where one is missing; columns that are cut stand first,
// nominal ones after them: their codes are level numbers, and a missing level counts as one more.
// Cost: 2 bytes a value; 1-2 ns a value, rows shared among the team.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "../threads.hpp"
#include "linear.hpp"

namespace boxwood::coded {

// Values of a column that its sample did not have, and whether some are missing.
class Strangers {
 public:
  void meet(double x) {
    if (many_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    if (std::find(values_.begin(), values_.end(), x) == values_.end()) values_.push_back(x);
    if (values_.size() > BINS) many_.store(true, std::memory_order_relaxed);
  }
  void miss() { gaps_.store(true, std::memory_order_relaxed); }
  bool any() const { return !values_.empty(); }
  bool gaps() const { return gaps_.load(std::memory_order_relaxed); }
  // Together with the known ones, ascending; nothing when they are more than there are bins.
  std::vector<double> joined(const std::vector<double>& padded) const {
    std::vector<double> all = values_;
    for (const double x : padded)
      if (!std::isnan(x)) all.push_back(x);
    std::sort(all.begin(), all.end());
    if (all.size() > static_cast<std::size_t>(gaps() ? BINS - 1 : BINS)) all.clear();
    return all;
  }

 private:
  std::mutex mutex_;
  std::vector<double> values_;
  std::atomic<bool> many_{false}, gaps_{false};
};

class Codes {
 public:
  // `raw`: in the order of the learning set.
  Codes(std::vector<RawColumn> raw, std::size_t n, Team& team) : raw_(cut_ones_first(std::move(raw))), n_(n), p_(raw_.size()), gaps_(p_) {
    while (cuts_ < p_ && raw_[cuts_].kind != Kind::nominal) ++cuts_;
    codes_.reset(new Code[n_ * p_ + SLACK]);
    codings_.resize(cuts_);
    const std::size_t size = n_ < 20'000 ? 1024 : 4096;
    team.run(cuts_, [&](std::size_t j, int) {
      const auto sample = sorted_sample(raw_[j], n_, size);
      codings_[j] = coding_of(sample, sample.size() < std::min(size, n_));
    });
    fill(team);
  }

  // The same codes over the ranks of the values (dense codes of the same rows, in the order of the learning set): for trees that cut by rank.
  Codes(const Codes& codes, const std::vector<const std::uint32_t*>& ranks)
      : raw_(codes.raw_), n_(codes.n_), p_(codes.p_), cuts_(codes.cuts_), codes_(codes.codes_), codings_(codes.codings_), gaps_(codes.gaps_) {
    for (std::size_t j = 0; j < p_ && !ranks.empty(); ++j) ranks_.push_back(ranks[raw_[j].feature]);
  }

  std::size_t rows() const { return n_; }
  std::size_t columns() const { return p_; }
  std::size_t cut_columns() const { return cuts_; }
  bool is_nominal(std::size_t j) const { return j >= cuts_; }
  std::uint32_t levels(std::size_t j) const { return raw_[j].n_levels; }
  std::int32_t place(std::size_t j) const { return raw_[j].feature; }
  // Whether column j has a missing value.
  bool has_gaps(std::size_t j) const { return gaps_[j]; }
  bool has_missing() const { return std::find(gaps_.begin(), gaps_.end(), 1) != gaps_.end(); }
  Code missing_code(std::size_t j) const { return is_nominal(j) ? static_cast<Code>(raw_[j].n_levels) : NOTHING; }
  const Code* row(std::uint32_t r) const { return codes_.get() + static_cast<std::size_t>(r) * p_; }
  inline __attribute__((always_inline)) double value(std::size_t j, std::uint32_t r) const { return ranks_.empty() ? raw_[j][r] : static_cast<double>(ranks_[j][r]); }
  void prefetch(std::size_t j, std::uint32_t r) const {
    __builtin_prefetch(ranks_.empty() ? raw_[j].at(r) : &ranks_[j][r]);
  }
  // Whether equal codes of this column mean equal values.
  bool is_single(std::size_t j) const { return codings_[j].kind == Coding::Kind::single; }
  // Where to cut between two neighbouring values of a node (columns.hpp); `above` NaN: all known values are below.
  double cut_between(std::size_t j, double below, double above) const {
    if (!ranks_.empty()) return std::isnan(above) ? below : below + (above - below) / 2;
    if (raw_[j].kind == Kind::ordinal) return std::isnan(above) ? below + 0.5 : std::floor((below + above) / 2) + 0.5;
    const double middle = below + (above - below) / 2;
    return std::isfinite(below) && std::isfinite(above) && middle < above && std::isfinite(middle) ? middle : below;
  }

 private:
  static constexpr std::size_t CHUNK = 512, SLACK = 16, LOOKS = 8;

  static std::vector<RawColumn> cut_ones_first(std::vector<RawColumn> raw) {
    for (std::size_t j = 0; j < raw.size(); ++j) raw[j].feature = static_cast<std::int32_t>(j);
    std::stable_partition(raw.begin(), raw.end(), [](const RawColumn& column) { return column.kind != Kind::nominal; });
    return raw;
  }

  void fill(Team& team) {
    const std::size_t chunks = (n_ + CHUNK - 1) / CHUNK;
    std::vector<std::vector<std::uint32_t>> counts(team.size(), std::vector<std::uint32_t>(cuts_ * BINS, 0));
    std::vector<Strangers> strangers(p_);
    team.run(chunks, [&](std::size_t i, int member) {
      const std::size_t from = i * CHUNK, rows = std::min(CHUNK, n_ - from);
      code_chunk(from, rows, strangers);
      for (std::size_t j = cuts_; j < p_; ++j) level_chunk(j, from, rows, strangers[j]);
      if (i % LOOKS == 0) count_bins(from, rows, counts[member]);
    });
    for (std::size_t j = 0; j < p_; ++j) gaps_[j] = strangers[j].gaps();
    for (std::size_t j = 0; j < cuts_; ++j) {
      const bool full = gaps_[j] && is_single(j) && !std::isnan(codings_[j].cuts[BINS - 1]);
      if (is_single(j) ? full || strangers[j].any() : crowded(counts, j)) mend(j, strangers[j], team);
    }
  }

  // Whether one bin of a linear map holds much of the column.
  bool crowded(const std::vector<std::vector<std::uint32_t>>& counts, std::size_t j) const {
    for (int b = 0; b < BINS - 1; ++b) {
      std::size_t rows = 0;
      for (const auto& count : counts) rows += count[j * BINS + b];
      if (rows > n_ / LOOKS / 16 + CHUNK / 4) return true;
    }
    return false;
  }

  void count_bins(std::size_t from, std::size_t rows, std::vector<std::uint32_t>& count) const {
    const Code* code = codes_.get() + from * p_;
    for (std::size_t r = 0; r < rows; ++r, code += p_)
      for (std::size_t j = 0; j < cuts_; ++j) ++count[j * BINS + (code[j] >> 8)];
  }

  // Columns side by side in memory go together.
  std::size_t side_by_side(std::size_t j) const {
    std::size_t width = 1;
    while (j + width < cuts_ && width < 16 && raw_[j].is_beside(raw_[j + width], static_cast<std::ptrdiff_t>(width))) ++width;
    return width;
  }

  void code_chunk(std::size_t from, std::size_t rows, std::vector<Strangers>& strangers) {
    for (std::size_t j = 0; j < cuts_;) {
      const RawColumn& first = raw_[j];
      const auto [done, missing] = first.narrow ? code_group(j, first.floats() + first.place(from), from, rows)
                                                : code_group(j, first.doubles() + first.place(from), from, rows);
      for (std::size_t c = j; c < j + done; ++c) {
        if (codings_[c].kind != Coding::Kind::linear) search_chunk(c, from, rows, strangers[c]);
        if (missing) miss_chunk(c, from, rows, strangers[c]);
      }
      j += done;
    }
  }

  // Linear codes of the column j and those beside it that go with it; how many they are, and whether a value is missing.
  template <class T>
  std::pair<std::size_t, bool> code_group(std::size_t j, const T* values, std::size_t from, std::size_t rows) {
    const std::size_t width = side_by_side(j), done = width == 16 ? 16 : width >= 4 ? 4 : 1;
    const std::ptrdiff_t step = raw_[j].step;
    Code* out = codes_.get() + from * p_ + j;
    if (done == 16) return {done, code_rows_16(LinearGroup<16>(&codings_[j]), values, step, rows, out, p_)};
    if (done == 4) return {done, code_rows_4(LinearGroup<4>(&codings_[j]), values, step, rows, out, p_)};
    return {done, code_one(j, values, rows, out)};
  }
  template <class T>
  bool code_one(std::size_t j, const T* values, std::size_t rows, Code* out) {
    Code column[CHUNK];
    const bool missing = code_column(codings_[j], values, raw_[j].step, rows, column);
    for (std::size_t r = 0; r < rows; ++r) out[r * p_] = column[r];
    return missing;
  }
  void linear_chunk(std::size_t j, std::size_t from, std::size_t rows) {
    const RawColumn& raw = raw_[j];
    Code* out = codes_.get() + from * p_ + j;
    raw.narrow ? code_one(j, raw.floats() + raw.place(from), rows, out) : code_one(j, raw.doubles() + raw.place(from), rows, out);
  }

  // Codes of a column that is not linear; a single column's codes are linear ones when it comes here.
  void search_chunk(std::size_t j, std::size_t from, std::size_t rows, Strangers& strangers) {
    const Coding& coding = codings_[j];
    Code* out = codes_.get() + from * p_ + j;
    if (coding.kind == Coding::Kind::searched) {
      double x[CHUNK] = {};
      std::int32_t bin[CHUNK];
      Code column[CHUNK];
      for (std::size_t r = 0; r < rows; ++r) x[r] = raw_[j][from + r];
      search_each(coding.cuts.data(), coding.slopes.data(), x, rows, bin, column);
      for (std::size_t r = 0; r < rows; ++r) out[r * p_] = column[r];
      return;
    }
    const bool looked_up = !coding.slots.empty();
    for (std::size_t r = 0; r < rows; ++r) {
      const double x = raw_[j][from + r];
      const unsigned bin = looked_up ? coding.slots[out[r * p_] / SLOT_WIDTH] : bin_searched(coding.cuts.data(), x);
      if ((coding.cuts[bin] != x) & (x == x)) strangers.meet(x);
      out[r * p_] = static_cast<Code>(bin << 8);
    }
  }

  void miss_chunk(std::size_t j, std::size_t from, std::size_t rows, Strangers& strangers) {
    Code* out = codes_.get() + from * p_ + j;
    bool any = false;
    for (std::size_t r = 0; r < rows; ++r) {
      const bool missing = std::isnan(raw_[j][from + r]);
      out[r * p_] |= static_cast<Code>(0 - static_cast<unsigned>(missing));
      any |= missing;
    }
    if (any) strangers.miss();
  }

  void level_chunk(std::size_t j, std::size_t from, std::size_t rows, Strangers& strangers) {
    Code* out = codes_.get() + from * p_ + j;
    const std::int32_t* levels = raw_[j].levels + from;
    const auto none = static_cast<std::int32_t>(raw_[j].n_levels);
    bool any = false;
    for (std::size_t r = 0; r < rows; ++r) {
      any |= levels[r] < 0;
      out[r * p_] = static_cast<Code>(levels[r] < 0 ? none : levels[r]);
    }
    if (any) strangers.miss();
  }

  // Codes a column again that the first map served badly: with a bin for each value, in linear pieces where there are more values
  // than the sample showed, or in bins of about equal numbers of rows.
  void mend(std::size_t j, Strangers& strangers, Team& team) {
    if (is_single(j)) {
      const auto values = strangers.joined(codings_[j].cuts);
      codings_[j] = values.empty() ? linear_coding(sorted_sample(raw_[j], n_, 4096)) : single_coding(values);
      if (recode(j, team)) return;
    }
    codings_[j] = searched_coding(sorted_sample(raw_[j], n_, 4096));
    recode(j, team);
  }

  // Whether the rows spread well.
  bool recode(std::size_t j, Team& team) {
    std::vector<Strangers> none(1);
    std::vector<std::vector<std::uint32_t>> counts(team.size(), std::vector<std::uint32_t>(BINS, 0));
    team.run((n_ + CHUNK - 1) / CHUNK, [&](std::size_t i, int member) {
      const std::size_t from = i * CHUNK, rows = std::min(CHUNK, n_ - from);
      Code* out = codes_.get() + from * p_ + j;
      if (codings_[j].kind != Coding::Kind::searched) linear_chunk(j, from, rows);
      if (codings_[j].kind != Coding::Kind::linear) search_chunk(j, from, rows, none[0]);
      if (gaps_[j]) miss_chunk(j, from, rows, none[0]);
      if (i % LOOKS == 0)
        for (std::size_t r = 0; r < rows; ++r) ++counts[member][out[r * p_] >> 8];
    });
    return is_single(j) || !crowded(counts, 0);
  }

  const std::vector<RawColumn> raw_;
  std::vector<const std::uint32_t*> ranks_;
  std::size_t n_, p_, cuts_ = 0;
  std::shared_ptr<Code[]> codes_;
  std::vector<Coding> codings_;
  std::vector<std::uint8_t> gaps_;
};

}  // namespace boxwood::coded

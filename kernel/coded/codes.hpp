// The 16-bit codes of all columns, a row's codes side by side: one or two cache lines tell all about a row.
// Invariant: codes are monotone in the values of their column, NOTHING where one is missing; columns that are cut stand first,
// nominal ones after them: their codes are level numbers, and a missing level counts as one more.
// Cost: 2 bytes a value; 1-2 ns a value, rows shared among the team.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "../threads.hpp"
#include "bins.hpp"
#include "clones.hpp"
#include "coding.hpp"
#include "room.hpp"

namespace boxwood::coded {

// Parameters of W neighbouring columns, laid out so that one register holds the same parameter of all of them.
template <int W>
struct LinearGroup {
  std::array<double, W> center;
  std::array<std::array<float, W>, PIECES> start, slope;

  explicit LinearGroup(const Coding* codings) {
    for (int c = 0; c < W; ++c) {
      center[c] = codings[c].center;
      for (int piece = 0; piece < PIECES; ++piece) {
        start[piece][c] = codings[c].start[piece];
        slope[piece][c] = codings[c].slope[piece];
      }
    }
  }

  // One row; true when a value is missing.
  template <class T>
  inline __attribute__((always_inline)) bool code(const T* values, Code* out) const {
    std::array<float, W> x, sum{};
    std::array<std::int32_t, W> whole;
    int missing = 0;
    for (int c = 0; c < W; ++c) {
      missing |= values[c] != values[c];
      x[c] = static_cast<float>(static_cast<double>(values[c]) - center[c]);
    }
    for (int piece = 0; piece < PIECES; ++piece)
      for (int c = 0; c < W; ++c) {
        float v = (x[c] - start[piece][c]) * slope[piece][c];
        v = v > 0.0f ? v : 0.0f;
        sum[c] += v < PIECE_WIDTH ? v : PIECE_WIDTH;
      }
    for (int c = 0; c < W; ++c) whole[c] = static_cast<std::int32_t>(sum[c]);
    for (int c = 0; c < W; ++c) out[c] = static_cast<Code>(whole[c]);
    return missing != 0;
  }
};

// Rows of W values side by side, `step` values from row to row.
template <int W, class T>
inline __attribute__((always_inline)) bool code_rows(const LinearGroup<W>& group, const T* values, std::ptrdiff_t step, std::size_t rows,
                                                     Code* out, std::size_t stride) {
  bool missing = false;
  for (std::size_t r = 0; r < rows; ++r)
    missing |= group.code(values + static_cast<std::ptrdiff_t>(r) * step, out + r * stride);
  return missing;
}

// One column, `rows` values a step apart.
template <class T>
inline __attribute__((always_inline)) bool code_each(const Coding& coding, const T* values, std::ptrdiff_t step, std::size_t rows, Code* out) {
  int missing = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const double value = values[static_cast<std::ptrdiff_t>(r) * step];
    missing |= value != value;
    out[r] = linear_code(coding, value);
  }
  return missing != 0;
}

// The same by name and type, since a template has no versions for several processors.
#define BOXWOOD_CODES(T)                                                                                                        \
  BOXWOOD_CLONES inline bool code_rows_16(const LinearGroup<16>& group, const T* values, std::ptrdiff_t step, std::size_t rows, \
                                          Code* out, std::size_t stride) {                                                      \
    return code_rows(group, values, step, rows, out, stride);                                                                   \
  }                                                                                                                             \
  BOXWOOD_CLONES inline bool code_rows_4(const LinearGroup<4>& group, const T* values, std::ptrdiff_t step, std::size_t rows,   \
                                         Code* out, std::size_t stride) {                                                       \
    return code_rows(group, values, step, rows, out, stride);                                                                   \
  }                                                                                                                             \
  BOXWOOD_CLONES inline bool code_column(const Coding& coding, const T* values, std::ptrdiff_t step, std::size_t rows, Code* out) { \
    return code_each(coding, values, step, rows, out);                                                                          \
  }
BOXWOOD_CODES(double)
BOXWOOD_CODES(float)
#undef BOXWOOD_CODES

// Values of a column that its sample did not have, and whether some are missing.
class Strangers {
 public:
  void meet(double x) {
    const std::lock_guard lock(mutex_);
    if (values_.size() <= BINS && std::find(values_.begin(), values_.end(), x) == values_.end()) values_.push_back(x);
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
  std::atomic<bool> gaps_{false};
};

// As cut_between in columns.hpp, for plain numbers.
inline double cut_between_numbers(double below, double above) {
  const double middle = below + (above - below) / 2;
  return std::isfinite(below) && std::isfinite(above) && middle < above && std::isfinite(middle) ? middle : below;
}

class Codes {
 public:
  // `raw`: in the order of the learning set. With `most_bins` a column of more numbers is cut into at most so many bins first, whose
  // numbers are its values from then on.
  Codes(std::vector<RawColumn> raw, std::size_t n, Team& team, std::uint32_t most_bins = 0)
      : raw_(cut_ones_first(std::move(raw))), n_(n), p_(raw_.size()), gaps_(p_), bins_(std::make_shared<std::vector<std::optional<Bins>>>(p_)) {
    while (cuts_ < p_ && raw_[cuts_].kind != Kind::nominal) ++cuts_;
    codes_ = room_for<Code>(n_ * p_ + SLACK);
    codings_.resize(cuts_);
    const std::size_t size = n_ <= LITTLE ? 32 : n_ < 20'000 ? 1024 : 4096;
    if (most_bins > 0) find_bins(most_bins, team);
    team.run(cuts_, [&](std::size_t j, int) {
      if (is_binned(j)) return;
      const auto sample = sorted_sample(raw_[j], n_, size);
      codings_[j] = n_ <= LITTLE ? linear_coding(sample) : coding_of(sample, sample.size() < std::min(size, n_));
    });
    fill(team);
  }

  // The same codes over the ranks of the values (dense codes of the same rows, in the order of the learning set): for trees that cut by rank.
  Codes(const Codes& codes, const std::vector<const std::uint32_t*>& ranks)
      : raw_(codes.raw_), n_(codes.n_), p_(codes.p_), cuts_(codes.cuts_), codes_(codes.codes_), codings_(codes.codings_), gaps_(codes.gaps_), bins_(codes.bins_) {
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
  double value(std::size_t j, std::uint32_t r) const {
    if (!ranks_.empty()) return static_cast<double>(ranks_[j][r]);
    return is_binned(j) ? static_cast<double>(row(r)[j] / bins(j).stride()) : raw_[j][r];
  }
  void prefetch(std::size_t j, std::uint32_t r) const {
    __builtin_prefetch(ranks_.empty() ? raw_[j].at(r) : &ranks_[j][r]);
  }
  // Whether equal codes of this column mean equal values.
  bool is_single(std::size_t j) const { return codings_[j].kind == Coding::Kind::single || (is_binned(j) && bins(j).stride() == BINS); }
  bool is_binned(std::size_t j) const { return (*bins_)[j].has_value(); }
  const Bins& bins(std::size_t j) const { return *(*bins_)[j]; }
  // Where to cut between two neighbouring values of a node (columns.hpp); `above` NaN: all known values are below.
  double cut_between(std::size_t j, double below, double above) const {
    if (!ranks_.empty()) return std::isnan(above) ? below : below + (above - below) / 2;
    if (raw_[j].kind == Kind::ordinal) return std::isnan(above) ? below + 0.5 : std::floor((below + above) / 2) + 0.5;
    return cut_between_numbers(below, above);
  }

 private:
  // Rows up to which a tree is grown from sorted lists alone: a rough map will do, and no bin is looked at.
  static constexpr std::size_t LITTLE = 1024;
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
    std::vector<std::vector<std::vector<Bins::Ends>>> ends(team.size(), std::vector<std::vector<Bins::Ends>>(p_));
    const bool binned = std::any_of(bins_->begin(), bins_->end(), [](const auto& bins) { return bins.has_value(); });
    const std::size_t step = binned ? CHUNK / 4 : CHUNK;
    team.run(chunks, [&](std::size_t i, int member) {
      const std::size_t from = i * CHUNK, rows = std::min(CHUNK, n_ - from);
      // Bins look at column after column: few enough rows at a time that they stay in the cache.
      for (std::size_t at = 0; at < rows; at += step) code_chunk(from + at, std::min(step, rows - at), strangers, ends[member]);
      for (std::size_t j = cuts_; j < p_; ++j) level_chunk(j, from, rows, strangers[j]);
      if (i % LOOKS == 0 && n_ > LITTLE) count_bins(from, rows, counts[member]);
    });
    for (std::size_t j = 0; j < p_; ++j) gaps_[j] = strangers[j].gaps();
    for (const auto& of_member : ends)
      for (std::size_t j = 0; j < p_; ++j)
        if (!of_member[j].empty()) (*bins_)[j]->join(of_member[j]);
    if (n_ > LITTLE) mend(strangers, counts, team);
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

  // Calls `then` with the values of column j from a row on, as doubles or floats.
  template <class Then>
  auto typed(std::size_t j, std::size_t from, const Then& then) const {
    const RawColumn& column = raw_[j];
    return column.narrow ? then(column.floats() + column.place(from)) : then(column.doubles() + column.place(from));
  }

  void find_bins(std::uint32_t most, Team& team) {
    const std::vector<RawColumn> cut(raw_.begin(), raw_.begin() + static_cast<std::ptrdiff_t>(cuts_));
    const auto cuts = BinFinder(cut, n_, most, team).cuts();
    for (std::size_t j = 0; j < cuts_; ++j) {
      if (cuts[j].empty() || raw_[j].kind != Kind::numeric) continue;
      (*bins_)[j].emplace(cuts[j]);
      codings_[j].kind = Coding::Kind::binned;
    }
  }

  void code_chunk(std::size_t from, std::size_t rows, std::vector<Strangers>& strangers, std::vector<std::vector<Bins::Ends>>& ends) {
    for (std::size_t j = 0; j < cuts_;) {
      const auto [done, missing] = is_binned(j) ? std::pair{std::size_t{1}, false} : typed(j, from, [&](const auto* values) { return code_group(j, values, from, rows); });
      for (std::size_t c = j; c < j + done; ++c) {
        bool any = missing;
        if (is_binned(c)) {
          any = bin_chunk(c, from, rows, ends[c]);
        } else if (codings_[c].kind != Coding::Kind::linear) {
          search_chunk(c, from, rows, strangers[c]);
        }
        if (any) miss_chunk(c, from, rows, strangers[c]);
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
    return {done, code_alone(j, values, from, rows)};
  }

  template <class T>
  bool code_alone(std::size_t j, const T* values, std::size_t from, std::size_t rows) {
    Code column[CHUNK];
    const bool missing = code_column(codings_[j], values, raw_[j].step, rows, column);
    Code* out = codes_.get() + from * p_ + j;
    for (std::size_t r = 0; r < rows; ++r) out[r * p_] = column[r];
    return missing;
  }

  // Codes of the bins of a column, and the values at their ends; whether a value is missing.
  bool bin_chunk(std::size_t j, std::size_t from, std::size_t rows, std::vector<Bins::Ends>& ends) {
    const Bins& bins = this->bins(j);
    const std::uint32_t stride = bins.stride();
    Code* out = codes_.get() + from * p_ + j;
    std::uint16_t cells[CHUNK];
    ends.resize(bins.size());
    return typed(j, from, [&](const auto* values) {
      const std::ptrdiff_t step = raw_[j].step;
      const bool missing = cells_of(values, step, rows, cells);
      for (std::size_t r = 0; r < rows; ++r) {
        const double x = static_cast<double>(values[static_cast<std::ptrdiff_t>(r) * step]) + 0.0;
        const std::uint32_t bin = bins.bin(cells[r], x);
        out[r * p_] = static_cast<Code>(bin * stride);
        if (x < ends[bin].first) ends[bin].first = x;
        if (x > ends[bin].last) ends[bin].last = x;
      }
      return missing;
    });
  }

  // Codes of a column that is not linear; a single column's codes are linear ones when it comes here.
  void search_chunk(std::size_t j, std::size_t from, std::size_t rows, Strangers& strangers) {
    typed(j, from, [&](const auto* values) { search_values(j, values, codes_.get() + from * p_ + j, rows, strangers); });
  }

  template <class T>
  void search_values(std::size_t j, const T* values, Code* out, std::size_t rows, Strangers& strangers) {
    const Coding& coding = codings_[j];
    const std::ptrdiff_t step = raw_[j].step;
    const auto value = [&](std::size_t r) { return static_cast<double>(values[static_cast<std::ptrdiff_t>(r) * step]) + 0.0; };
    if (coding.kind == Coding::Kind::searched) {
      for (std::size_t r = 0; r < rows; ++r) out[r * p_] = searched_code(coding, value(r));
      return;
    }
    const double* cuts = coding.cuts.data();
    const std::uint8_t* slots = coding.slots.empty() ? nullptr : coding.slots.data();
    for (std::size_t r = 0; r < rows; ++r) {
      const double x = value(r);
      const unsigned bin = slots ? slots[out[r * p_] / SLOT_WIDTH] : bin_searched(cuts, x);
      if (cuts[bin] != x && x == x) strangers.meet(x);
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

  // Codes again, together, the columns that the first map served badly: with a bin for each value, or bins of about equal numbers of rows.
  void mend(std::vector<Strangers>& strangers, const std::vector<std::vector<std::uint32_t>>& counts, Team& team) {
    std::vector<std::size_t> served_badly;
    for (std::size_t j = 0; j < cuts_; ++j) {
      if (is_binned(j)) continue;
      const bool full = gaps_[j] && is_single(j) && !std::isnan(codings_[j].cuts[BINS - 1]);
      if (is_single(j) ? full || strangers[j].any() : crowded(counts, j)) served_badly.push_back(j);
    }
    if (served_badly.empty()) return;
    team.run(served_badly.size(), [&](std::size_t i, int) {
      const std::size_t j = served_badly[i];
      const auto values = is_single(j) ? strangers[j].joined(codings_[j].cuts) : std::vector<double>{};
      codings_[j] = values.empty() ? searched_coding(sorted_sample(raw_[j], n_, 4096)) : single_coding(values);
    });
    std::vector<Strangers> none(1);
    team.run((n_ + CHUNK - 1) / CHUNK, [&](std::size_t i, int) {
      const std::size_t from = i * CHUNK, rows = std::min(CHUNK, n_ - from);
      for (const std::size_t j : served_badly) {
        if (is_single(j)) typed(j, from, [&](const auto* values) { return code_alone(j, values, from, rows); });
        search_chunk(j, from, rows, none[0]);
        if (gaps_[j]) miss_chunk(j, from, rows, none[0]);
      }
    });
  }

  const std::vector<RawColumn> raw_;
  std::vector<const std::uint32_t*> ranks_;
  std::size_t n_, p_, cuts_ = 0;
  std::shared_ptr<Code[]> codes_;
  std::vector<Coding> codings_;
  std::vector<std::uint8_t> gaps_;
  std::shared_ptr<std::vector<std::optional<Bins>>> bins_;  // of columns that are binned
};

}  // namespace boxwood::coded

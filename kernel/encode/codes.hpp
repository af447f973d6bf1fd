// The 16-bit codes of all columns, a row's codes side by side: one or two cache lines tell all about a row.
// Invariant: codes are monotone in the values of their column, NOTHING where one is missing; columns that are cut come
// first, nominal ones after them: their codes are level numbers, and a missing level counts as one more. Cost: 2 bytes
// a value; 1-2 ns a value, rows shared among the pool.
#pragma once

#include "encode/coder.hpp"

namespace boxwood::coded {

class Codes {
 public:
  // `raw`: in the order of the learning set. With `most_bins` a column of more numbers is cut into at most so many bins
  // first, whose numbers are its values from then on.
  Codes(std::vector<RawColumn> raw, std::size_t n, ThreadPool& pool, std::uint32_t most_bins = 0)
      : coded_(cut_ones_first(std::move(raw)), n), p_(coded_.p) {
    Coder(coded_, pool).code(most_bins);
    find_values();
  }

  // The same codes over the ranks of the values (dense codes of the same rows, in the order of the learning set): for
  // trees that cut by rank.
  Codes(const Codes& codes, const std::vector<const std::uint32_t*>& ranks) : coded_(codes.coded_), p_(codes.p_) {
    for (std::size_t j = 0; j < p_ && !ranks.empty(); ++j) ranks_.push_back(ranks[coded_.raw[j].feature]);
    find_values();
  }

  std::size_t rows() const { return coded_.n; }
  std::size_t columns() const { return p_; }
  std::size_t cut_columns() const { return coded_.cuts; }
  bool is_nominal(std::size_t j) const { return j >= coded_.cuts; }
  // Columns from here on have more levels than codes: all their codes are 0, and levels are read where they lie.
  std::size_t coded_columns() const { return coded_.coded; }
  bool is_wide(std::size_t j) const { return j >= coded_.coded; }
  // Level of a row in a wide column; their number where there is none.
  std::uint32_t wide_level(std::size_t j, std::uint32_t r) const {
    return std::min(static_cast<std::uint32_t>(coded_.raw[j].levels[r]), levels(j));
  }
  std::uint32_t levels(std::size_t j) const { return coded_.raw[j].n_levels; }
  std::int32_t place(std::size_t j) const { return coded_.raw[j].feature; }
  // Whether column j has a missing value.
  bool has_missing(std::size_t j) const { return coded_.missing[j]; }
  bool has_missing() const { return std::count(coded_.missing.begin(), coded_.missing.end(), 1) > 0; }
  Code missing_code(std::size_t j) const { return is_nominal(j) ? static_cast<Code>(levels(j)) : NOTHING; }
  const Code* row(std::uint32_t r) const { return coded_.at(r, 0); }
  // Read for every tie of codes: one comparison finds columns of doubles.
  BOXWOOD_INLINE double value(std::size_t j, std::uint32_t r) const {
    const Values& from = values_[j];
    if (from.doubles) [[likely]]
      return comparable(from.doubles[static_cast<std::ptrdiff_t>(r) * from.step]);
    return other_value(j, r);
  }
  void prefetch(std::size_t j, std::uint32_t r) const {
    const Values& from = values_[j];
    if (from.doubles) [[likely]]
      return BOXWOOD_PREFETCH(from.doubles + static_cast<std::ptrdiff_t>(r) * from.step, 3);
    BOXWOOD_PREFETCH(ranks_.empty() ? coded_.raw[j].at(r) : &ranks_[j][r], 3);
  }
  // Whether equal codes of this column mean equal values.
  bool is_single(std::size_t j) const { return coded_.single[j]; }
  // Of a column that is not single, for each bin whether it holds one value; nullptr where none does.
  const std::uint8_t* one_value(std::size_t j) const {
    return coded_.one_value[j].empty() ? nullptr : coded_.one_value[j].data();
  }
  // Whether rows of this code have the same value.
  bool is_one_value(std::size_t j, std::uint32_t code) const {
    return is_single(j) || (one_value(j) && one_value(j)[code >> 8]);
  }
  bool is_binned(std::size_t j) const { return coded_.is_binned(j); }
  const Binned& bins(std::size_t j) const { return *coded_.bins[j]; }
  // The bin of a row in a binned column, -1 = missing.
  std::int32_t bin_of(std::size_t j, std::uint32_t r) const { return row(r)[j] == NOTHING ? -1 : row(r)[j] >> 8; }
  // Whether any number may be a threshold of a column: its values are numbers, and as they are.
  bool keeps_drawn(std::size_t j) const {
    return ranks_.empty() && !coded_.raw[j].exact && !is_binned(j) && coded_.raw[j].kind == Kind::numeric;
  }
  // Where to cut between two rows of neighbouring values of a node; without a row above, all known values are below.
  Cut cut_about(std::size_t j, std::uint32_t below, std::uint32_t above, bool is_short) const {
    if (const Column* exact = coded_.raw[j].exact; exact && ranks_.empty()) {
      const std::uint32_t last = exact->codes[below];
      if (above == MISSING) return {exact->values[last], exact->lows[last]};
      return boxwood::cut_between(*exact, last, exact->codes[above], is_short);
    }
    const double last = value(j, below);
    if (is_binned(j) && ranks_.empty()) {
      const double bin = above == MISSING ? last : boxwood::cut_between(last, value(j, above), is_short);
      return {coded_.bins[j]->thresholds[static_cast<std::size_t>(bin)], 0.0};
    }
    if (ranks_.empty() && coded_.raw[j].kind == Kind::ordinal)
      return {above == MISSING ? last + 0.5 : std::floor((last + value(j, above)) / 2) + 0.5, 0.0};
    return {above == MISSING ? last : cut_between(last, value(j, above), is_short), 0.0};
  }

 private:
  static std::vector<RawColumn> cut_ones_first(std::vector<RawColumn> raw) {
    for (std::size_t j = 0; j < raw.size(); ++j) raw[j].feature = static_cast<std::int32_t>(j);
    std::sort(raw.begin(), raw.end(), [](const RawColumn& a, const RawColumn& b) {
      return std::pair(a.order(), a.feature) < std::pair(b.order(), b.feature);
    });
    return raw;
  }

  // Where the values of a column are, if they are doubles; nullptr = elsewhere.
  struct Values {
    const double* doubles;
    std::ptrdiff_t step;
  };

  void find_values() {
    for (std::size_t j = 0; j < p_; ++j) {
      const RawColumn& raw = coded_.raw[j];
      values_.push_back(
          {!ranks_.empty() || is_binned(j) || raw.narrow || is_nominal(j) ? nullptr : raw.doubles(), raw.step});
    }
  }

  BOXWOOD_NOINLINE double other_value(std::size_t j, std::uint32_t r) const {
    if (!ranks_.empty()) return static_cast<double>(ranks_[j][r]);
    return is_binned(j) ? static_cast<double>(row(r)[j] >> 8) : comparable(coded_.raw[j][r]);
  }

  CodedColumns coded_;
  std::size_t p_;
  std::vector<Values> values_;
  std::vector<const std::uint32_t*> ranks_;
};

}  // namespace boxwood::coded

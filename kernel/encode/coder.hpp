// Gives every value of a table its code: maps from samples first, then all rows, then again the columns that their map
// served badly.
// Invariant: as in codes.hpp; which map a column gets depends on its values alone, whoever codes which rows. Cost: 1-2
// ns a value; about 3 more where a column is coded again.
#pragma once

#include "encode/binner.hpp"
#include "encode/column_codes.hpp"
#include "encode/unseen_values.hpp"

namespace boxwood::coded {

class Coder {
 public:
  Coder(CodedColumns& of, ThreadPool& pool) : of_(of), pool_(pool), n_(of.n), codings_(of.cuts), unseen_(of.p) {}

  void code(std::uint32_t most_bins) {
    std::vector<std::size_t> columns, binned;
    for (std::size_t j = 0; j < of_.p; ++j)
      (most_bins > 0 && has_more_values(j, most_bins, n_ <= LITTLE) ? binned : columns).push_back(j);
    code(columns);
    // What looked like few values seldom turns out to be too many.
    for (const std::size_t j : columns)
      if (most_bins > 0 && (!is_single(j) || codings_[j].values.size() > most_bins) &&
          has_more_values(j, most_bins, true))
        binned.push_back(j);
    Binner(of_, most_bins, pool_).bin(binned);
  }

 private:
  // Rows up to which a tree is grown from sorted lists alone: a rough map will do, and no bin is read.
  static constexpr std::size_t LITTLE = 1024;
  static constexpr std::size_t SAMPLED = 8;  // in one chunk of so many the rows of each bin are counted
  using Counts = std::vector<std::vector<std::uint32_t>>;  // rows in each column's bins, of each worker

  bool is_numeric(std::size_t j) const { return j < of_.cuts && of_.raw[j].kind == Kind::numeric; }

  // Whether a column has more values. Unless `surely`, a few values are taken for all as soon as hardly any is new
  // among 1 / PARTS of the rows.
  bool has_more_values(std::size_t j, std::uint32_t most, bool surely) const {
    if (!is_numeric(j) || n_ <= most) return false;
    constexpr std::size_t PARTS = 32;
    constexpr std::uint64_t NONE = ~std::uint64_t{0};  // the key of no number
    std::array<std::uint64_t, 1024> seen;  // each at the first free place from that of its hash
    seen.fill(NONE);
    std::size_t count = 0;
    for (std::size_t part = 0, before = 0; part < PARTS; ++part, before = count) {
      for (std::size_t i = part; i < n_ && count <= most; i += PARTS) {
        const double x = of_.raw[j][i];
        if (x != x) continue;
        const std::uint64_t key = ordered_bits(x);
        std::size_t at = key * 0x9e3779b97f4a7c15ULL >> 54;
        while (seen[at] != key && seen[at] != NONE) at = (at + 1) % seen.size();
        count += std::exchange(seen[at], key) != key;
      }
      if (!surely && count < before + 8) break;
    }
    return count > most;
  }

  // By maps from samples first, then again what these served badly.
  void code(const std::vector<std::size_t>& columns) {
    const std::size_t size = n_ <= LITTLE ? 32 : n_ < 20'000 ? 1024 : 4096;
    const Counts counts = code(columns, [&](std::size_t j) {
      const auto sample = sorted_sample(of_.raw[j], n_, size);
      return n_ <= LITTLE ? linear_coding(sample) : coding_of(sample, sample.size() < std::min(size, n_));
    });
    if (n_ > LITTLE) code_again(columns, counts);
  }

  bool is_single(std::size_t j) const { return j < of_.cuts && codings_[j].kind == Coding::Kind::single; }

  // Codes some columns by the maps that `map` gives those that are cut; how their rows spread over the bins.
  template <class Map>
  Counts code(const std::vector<std::size_t>& columns, const Map& map) {
    if (columns.empty()) return {};
    pool_.run(columns.size(), [&](std::size_t i, int) {
      if (columns[i] < of_.cuts) codings_[columns[i]] = map(columns[i]);
    });
    Counts counts(static_cast<std::size_t>(pool_.size()), std::vector<std::uint32_t>(of_.cuts * BINS, 0));
    each_chunk(of_, pool_, [&](std::size_t from, std::size_t rows, std::size_t i, int worker) {
      Code codes[CHUNK];
      for (const std::size_t j : columns) {
        const bool missing = j < of_.cuts
                                 ? of_.typed(
                                       j, from, [&](const auto* values) { return code_values(j, values, rows, codes); })
                                 : code_levels(j, from, rows, codes);
        if (missing) unseen_[j].set_missing();
        Code* out = of_.at(from, j);
        for (std::size_t r = 0; r < rows; ++r) out[r * of_.p] = codes[r];
        if (j >= of_.cuts || i % SAMPLED != 0 || n_ <= LITTLE) continue;
        for (std::size_t r = 0; r < rows; ++r) ++counts[worker][j * BINS + (codes[r] >> 8)];
      }
    });
    for (const std::size_t j : columns) {
      of_.missing[j] = unseen_[j].has_missing();
      of_.single[j] = j < of_.cuts && is_single(j);
      if (j < of_.cuts) of_.one_value[j] = codings_[j].one_value;
    }
    return counts;
  }

  template <class T>
  bool code_values(std::size_t j, const T* values, std::size_t rows, Code* out) {
    const std::ptrdiff_t step = of_.raw[j].step;
    if (codings_[j].kind == Coding::Kind::linear) return linear_codes(codings_[j], values, step, rows, out);
    return bin_codes(codings_[j], values, step, rows, out, [&](double value) { unseen_[j].add(value); });
  }

  bool code_levels(std::size_t j, std::size_t from, std::size_t rows, Code* out) const {
    const std::int32_t* levels = of_.raw[j].levels + from;
    const bool wide = j >= of_.coded;
    const auto none = static_cast<std::int32_t>(of_.raw[j].n_levels);
    bool missing = false;
    for (std::size_t r = 0; r < rows; ++r) {
      missing |= levels[r] < 0;
      out[r] = static_cast<Code>(wide ? 0 : levels[r] < 0 ? none : levels[r]);
    }
    return missing;
  }

  // Whether one bin of a map holds much of the column.
  bool is_crowded(const Counts& counts, std::size_t j) const {
    for (int b = 0; b < BINS - 1; ++b) {
      std::size_t rows = 0;
      for (const auto& count : counts) rows += count[j * BINS + b];
      if (rows > n_ / SAMPLED / 16 + CHUNK / 4) return true;
    }
    return false;
  }

  // Other maps for the columns that the first one served badly: a bin for each value or, where those are too many or
  // one bin of pieces holds much of the column, bins of about equal numbers of rows.
  void code_again(const std::vector<std::size_t>& columns, const Counts& counts) {
    std::vector<std::size_t> badly;
    for (const std::size_t j : columns) {
      if (j >= of_.cuts) continue;
      const bool full = of_.missing[j] && is_single(j) && codings_[j].values.size() == BINS;
      const bool linear = codings_[j].kind == Coding::Kind::linear;
      if (is_single(j) ? full || unseen_[j].any() : linear && is_crowded(counts, j)) badly.push_back(j);
    }
    code(badly, [&](std::size_t j) {
      auto values = is_single(j) ? unseen_[j].joined(codings_[j].values) : std::vector<double>{};
      return values.empty() ? searched_coding(sorted_sample(of_.raw[j], n_, 4096)) : single_coding(std::move(values));
    });
  }

  CodedColumns& of_;
  ThreadPool& pool_;
  const std::size_t n_;
  std::vector<Coding> codings_;  // of columns that are cut
  std::vector<UnseenValues> unseen_;
};

}  // namespace boxwood::coded

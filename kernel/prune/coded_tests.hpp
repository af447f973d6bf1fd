// The tests of a tree in terms of codes, so that coded rows go down a tree without their values being looked up.
// Invariant: a coded row takes the branch that its values take (predict/route.hpp); reads only.
// Cost: one bisection of a dictionary for each break, once; then a comparison a row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "encode/columns.hpp"
#include "predict/route.hpp"

namespace boxwood {

class CodedTests {
 public:
  static constexpr std::int32_t UNKNOWN = -1;  // missing, or a position without a branch

  // `by_rank`: the breaks are codes already.
  CodedTests(const SplitView& splits, std::size_t size, const std::vector<Column>& columns, bool by_rank)
      : splits_(splits), columns_(columns), cuts_(size ? static_cast<std::size_t>(splits.breaks_start[size]) : 0) {
    for (std::size_t s = 0; s < size; ++s)
      for (std::int32_t at = splits.breaks_start[s]; at < splits.breaks_start[s + 1]; ++at)
        cuts_[at] = first_above(columns[splits.feature[s]], splits.breaks[at], splits.lows[at], by_rank);
  }

  std::int32_t branch(std::int32_t s, std::uint32_t row) const {
    const Column& column = columns_[splits_.feature[s]];
    const std::uint32_t code = column.codes[row];
    if (code == MISSING) return UNKNOWN;
    if (column.kind == Kind::nominal) return of_position(s, static_cast<std::int32_t>(code));
    const std::uint32_t *first = cuts_.data() + splits_.breaks_start[s],
                        *last = cuts_.data() + splits_.breaks_start[s + 1];
    if (last - first == 1) return of_position(s, code >= *first);
    return of_position(s, static_cast<std::int32_t>(std::upper_bound(first, last, code) - first));
  }

  // Split `s` at a glance when it is one cut with a branch on either side; else `codes` is nullptr.
  struct OneCut {
    const std::uint32_t* codes = nullptr;
    std::uint32_t cut = 0;
    std::int32_t low = 0, high = 0;
  };

  OneCut one_cut(std::int32_t s) const {
    const Column& column = columns_[splits_.feature[s]];
    const std::int32_t at = splits_.index_start[s];
    if (column.kind == Kind::nominal || splits_.breaks_start[s + 1] - splits_.breaks_start[s] != 1 ||
        splits_.index_start[s + 1] - at != 2)
      return {};
    return {column.codes.data(), cuts_[splits_.breaks_start[s]], splits_.index[at], splits_.index[at + 1]};
  }

  // Whether every position of split `s` has a branch.
  bool lists_all(std::int32_t s, std::int32_t n_positions) const {
    return splits_.index_start[s + 1] - splits_.index_start[s] == n_positions;
  }

  std::int32_t of_position(std::int32_t s, std::int32_t position) const {
    const std::int32_t *first = splits_.position + splits_.index_start[s],
                       *last = splits_.position + splits_.index_start[s + 1];
    const std::int32_t* index = splits_.index + splits_.index_start[s];
    if (position < last - first && first[position] == position) return index[position];
    const std::int32_t* at = std::lower_bound(first, last, position);
    return at != last && *at == position ? index[at - first] : UNKNOWN;
  }

 private:
  // The first code whose value lies above a break.
  static std::uint32_t first_above(const Column& column, double cut, double low, bool by_rank) {
    if (by_rank || column.kind != Kind::numeric)
      return static_cast<std::uint32_t>(std::clamp(std::floor(cut) + 1.0, 0.0, static_cast<double>(column.n_codes)));
    std::uint32_t first = 0, count = column.n_codes;
    while (count > 0) {
      const std::uint32_t half = count / 2, at = first + half;
      const double value = column.values[at], rest = column.lows.empty() ? 0.0 : column.lows[at];
      const bool above = cut < value || (cut == value && low < rest);
      first = above ? first : at + 1;
      count = above ? half : count - half - 1;
    }
    return first;
  }

  const SplitView splits_;
  const std::vector<Column>& columns_;
  std::vector<std::uint32_t> cuts_;
};

}  // namespace boxwood

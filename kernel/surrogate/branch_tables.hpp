// Tables of a large node whose response is the branch taken: what the voting rows of each bin, or level, weigh on each
// branch. Invariant: whole numbers, whoever counts which rows. Cost: about 0.8 ns a row and feature; where the tables
// of both children are known, and rows weigh one, a few operations a bin.
#pragma once

#include <type_traits>
#include <vector>

#include "search/bin_table.hpp"
#include "surrogate/branch_counts.hpp"

namespace boxwood::coded {

template <class Cell>
class VoteTables {
 public:
  VoteTables(const View& view, Team* team) : view_(view), team_(team), columns_(view.all->cut_columns()) {}

  // Bins are the codes without their last `shift` bits. What members have counted of levels is added up, of bins not
  // yet.
  void count(const Voters& voters, int shift) {
    voters_ = voters;
    shift_ = shift;
    find_places();
    is_narrow_ = std::is_same_v<Cell, CountCell> && voters.count <= NarrowCell::MOST;
    cells_.resize(team_members(team_));
    counted_by_ = cells_.size();
    if (is_narrow_) {
      narrow_.resize(cells_.size());
      cells_[0].resize(size_);
      count_into(narrow_);
    } else {
      count_into(cells_);
    }
    if (columns_ < view_.columns()) add_up(first_[columns_], size_);
  }
  // The same, bins of 256 codes, from the tables of the two children that the voters, every row of the node, are sent
  // to.
  template <class R>
  void read(const R& y, const BinTable<R>& left, const BinTable<R>& right) {
    shift_ = 8;
    find_places();
    is_narrow_ = false;
    counted_by_ = 1;
    cells_.resize(std::max<std::size_t>(cells_.size(), 1));
    cells_[0].resize(size_);
    for (std::size_t j = 0; j < columns_; ++j) read_bins(y, left.plane(j), right.plane(j), &cells_[0][first_[j]]);
    for (std::size_t j = columns_; j < view_.columns(); ++j) {
      const typename R::Cell* of[2] = {left.levels(j), right.levels(j)};
      for (u32 level = 0; level < view_.all->levels(j); ++level)
        cells_[0][first_[j] + level] =
            Cell::of_rows(y.count(of[0] + level * y.width()), y.count(of[1] + level * y.width()));
    }
  }
  void add_up(std::size_t j) { add_up(first_[j], j + 1 < first_.size() ? first_[j + 1] : size_); }
  const Cell* of(std::size_t j) const { return &cells_[0][first_[j]]; }

 private:
  void find_places() {
    first_.clear();
    size_ = 0;
    for (std::size_t j = 0; j < view_.columns(); ++j) {
      first_.push_back(size_);
      size_ += j < columns_ ? std::size_t{65536} >> shift_ : view_.all->levels(j) + std::size_t{1};
    }
  }
  void add_up(std::size_t from, std::size_t to) {
    if constexpr (std::is_same_v<Cell, CountCell>) {
      for (std::size_t i = from; is_narrow_ && i < to; ++i) cells_[0][i] = narrow_[0][i].widened();
      for (std::size_t m = 1; is_narrow_ && m < counted_by_; ++m)
        for (std::size_t i = from; i < to; ++i) cells_[0][i].add(narrow_[m][i].widened());
    }
    for (std::size_t m = 1; !is_narrow_ && m < counted_by_; ++m)
      for (std::size_t i = from; i < to; ++i) cells_[0][i].add(cells_[m][i]);
  }

  template <class R>
  static void read_bins(const R& y, const typename R::Cell* left, const typename R::Cell* right, Cell* out) {
    const auto below = [&](const typename R::Cell* plane, int bin) {
      typename R::Cell cell[R::MOST_WORDS];
      y.take(plane, bin, cell);
      return y.count(cell);
    };
    for (int b = 0; b < BINS; ++b)
      out[b] = Cell::of_rows(below(left, b + 1) - below(left, b), below(right, b + 1) - below(right, b));
  }

  template <class Counted>
  void count_into(std::vector<std::vector<Counted>>& of_members) {
    for (auto& cells : of_members) cells.assign(size_, {});
    in_pieces(team_, voters_.count, [&](u32 from, u32 to, int member) {
      count_piece(from, to, of_members[static_cast<std::size_t>(member)].data());
    });
  }
  template <class Counted>
  void count_piece(u32 from, u32 to, Counted* cells) const {
    constexpr u32 AHEAD = 12;
    const std::size_t stride = view_.columns();
    for (u32 i = from; i < to; ++i) {
      if (i + AHEAD < to) {
        const Code* later = view_.codes + voters_.ids[i + AHEAD] * stride;
        __builtin_prefetch(later);
        __builtin_prefetch(later + stride - 1);
      }
      const std::uint8_t branch = voters_.branch[i];
      if (branch > 1) continue;
      const i64 w = voters_.w(i);
      const Code* codes = view_.codes + voters_.ids[i] * stride;
      for (std::size_t j = 0; j < columns_; ++j) cells[(j << (16 - shift_)) + (codes[j] >> shift_)].add(branch, w);
      for (std::size_t j = columns_; j < stride; ++j) cells[first_[j] + codes[j]].add(branch, w);
    }
  }

  const View& view_;
  Team* team_;
  const std::size_t columns_;  // cut by their codes; those after them are nominal
  Voters voters_{};
  int shift_ = 8;
  std::size_t size_ = 0;
  std::vector<std::size_t> first_;  // of each feature its first cell
  std::vector<std::vector<Cell>> cells_;  // of each member, or of the first what all have counted
  std::vector<std::vector<NarrowCell>> narrow_;
  bool is_narrow_ = false;  // members count in narrow cells
  std::size_t counted_by_ = 1;  // so many members
};

}  // namespace boxwood::coded

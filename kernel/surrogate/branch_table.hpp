// Tables of a large node whose response is the branch taken: rows of each bin, or level, by the branch of the split.
// Invariant: whole numbers, whoever counts which rows. Cost: about 0.8 ns a row and feature; a few operations a bin
// where the tables of both children are known and rows weigh one.
#pragma once

#include "search/bin_table.hpp"
#include "surrogate/agreement.hpp"

namespace boxwood::coded {

// Rows of one node. `branch`: of the row at each place, 0, 1, or more where the split does not know it.
struct BranchRows {
  const View* view;
  const u32* ids;
  std::uint8_t* branch;
  u32 count;
  const i64* weight;  // by id, nullptr = 1 each

  i64 w(u32 at) const { return weight ? weight[ids[at]] : 1; }
  // Calls visit(place, codes) for some rows.
  template <class Visit>
  void each(u32 from, u32 to, const Visit& visit) const {
    constexpr u32 AHEAD = 12;
    const std::size_t stride = view->columns();
    for (u32 i = from; i < to; ++i) {
      if (i + AHEAD < to) {
        const Code* later = view->codes + ids[i + AHEAD] * stride;
        __builtin_prefetch(later);
        __builtin_prefetch(later + stride - 1);
      }
      visit(i, view->codes + ids[i] * stride);
    }
  }
};

// Rows of one bin or level by branch; of weight one they are counted alone, those of each branch in half a word.
struct BranchCell {
  u64 rows = 0;
  void add(int branch, i64) { rows += u64{1} << (32 * branch); }
  void add(const BranchCell& o) { rows += o.rows; }
  i64 rows_of(int branch) const { return static_cast<u32>(rows >> (32 * branch)); }
  i64 weight_of(int branch) const { return rows_of(branch); }
  i64 lead() const { return rows_of(0) - rows_of(1); }
  i64 count() const { return rows_of(0) + rows_of(1); }
};
struct WeightedBranchCell : BranchCell {
  i64 weight[2] = {0, 0};
  void add(int branch, i64 w) {
    BranchCell::add(branch, w);
    weight[branch] += w;
  }
  void add(const WeightedBranchCell& o) {
    BranchCell::add(o);
    for (int b = 0; b < 2; ++b) weight[b] += o.weight[b];
  }
  i64 weight_of(int branch) const { return weight[branch]; }
  i64 lead() const { return weight[0] - weight[1]; }
};
template <class Cell>
BranchCounts counts_of(const Cell& cell) {
  return {{cell.weight_of(0), cell.weight_of(1)}, {cell.rows_of(0), cell.rows_of(1)}};
}

template <class Cell>
class BranchTable {
 public:
  BranchTable(const View& view, Team* team) : view_(view), team_(team), cuts_(view.all->cut_columns()) {}

  // Bins are the codes without their last `shift` bits.
  void count(const BranchRows& rows, int shift);
  // The same, bins of 256 codes, from the tables of the split's children: every row has a branch, and weighs one.
  template <class R>
  void read(const R& y, const BinTable<R>& left, const BinTable<R>& right) {
    start(8);
    const BinTable<R>* of[2] = {&left, &right};
    typename R::Buffer sums(y.width());
    for (int branch = 0; branch < 2; ++branch) {
      const auto add = [&](Cell& cell, i64 rows) { cell.rows += static_cast<u64>(rows) << (32 * branch); };
      for (std::size_t j = 0; j < cuts_; ++j) {
        i64 before = 0;
        for (int b = 0; b < BINS; ++b) {
          y.take(of[branch]->column(j), b + 1, sums.data());
          add(cells_[0][first_[j] + b], y.count(sums.data()) - std::exchange(before, y.count(sums.data())));
        }
      }
      for (std::size_t j = cuts_; j < view_.all->coded_columns(); ++j)
        for (u32 level = 0; level < view_.all->levels(j); ++level)
          add(cells_[0][first_[j] + level], y.count(of[branch]->levels(j) + level * y.width()));
    }
  }

  std::size_t cut_columns() const { return cuts_; }
  // Of a feature: its cells, and how many of them are bins of known values.
  const Cell* of(std::size_t j) const { return &cells_[0][first_[j]]; }
  std::size_t bins(std::size_t j) const { return bins() - (view_.all->has_gaps(j) ? 1 : 0); }
  std::size_t bins() const { return std::size_t{65536} >> shift_; }
  std::size_t bin(u32 code) const { return code >> shift_; }

 private:
  void start(int shift);

  const View& view_;
  Team* team_;
  const std::size_t cuts_;  // features that are cut; those after them are nominal
  int shift_ = 8;
  std::vector<std::size_t> first_;  // of each feature its first cell
  std::vector<std::vector<Cell>> cells_;  // of each member; of the first what all have counted
};

}  // namespace boxwood::coded

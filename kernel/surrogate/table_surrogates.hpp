// Surrogates of a large node's split: tables of bins whose response is the branch taken, then the rows of the bins that
// may hold the best cut. Invariant: as in agreement.hpp: every bin inside or beside which the best cut may lie is
// opened. Cost: about 1 ns a row and feature to count; a few rows in a hundred are sorted.
#pragma once

#include "search/refinement.hpp"
#include "surrogate/branch_table.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

template <class Cell>
class TableSurrogates {
 public:
  TableSurrogates(const View& view, Team* team) : view_(view), team_(team), table_(view, team) {}

  // The split whose surrogates are searched: its rows, its feature, what agreements are shares of.
  struct Split {
    BranchRows rows;
    std::int32_t feature;
    Rating rating;
  };
  void find(const Split& split, Surrogates& out);
  // The same where every row has a branch and weighs one, from the tables of the split's children.
  template <class R>
  void find(const Split& split, const R& y, const BinTable<R>& left, const BinTable<R>& right, Surrogates& out) {
    const u32 rows = split.rows.count,
              to_read = 2 * BINS * static_cast<u32>(y.width() - 1);  // bins of many words are read no faster
    if (rows < to_read || (rows >= FINE_ROWS && split.rating.majority({}) < LOPSIDED)) return find(split, out);
    table_.read(y, left, right);
    search(split, out);
  }

 private:
  // From so many rows on bins are finer: what a bin hides grows like its rows, what tells good cuts from others like
  // their root. Where one branch has such a share, a cut that agrees better than the majority leaves few rows on a
  // side: then few bins are opened anyway.
  static constexpr u32 FINE_ROWS = 8192;
  static constexpr double LOPSIDED = 0.6;

  // A feature that is cut: what its edges between bins agree, then its best cut.
  struct Feature {
    BranchCounts all;
    i64 threshold = 0, bound = 0;  // what its best edge agrees, and what may be kept; no cut agrees more than the bound
    std::vector<std::uint8_t> opened;
    std::vector<Coded> items, spare;  // rows of opened bins, by code and place
    std::vector<std::pair<double, u32>> valued;
    std::optional<Surrogate> best;
  };
  // What one member finds of a feature: bins still open, and the rows of those that were.
  struct Gathering {
    std::size_t feature;
    bool several;  // whether bins have more than one value; else one row of each is enough
    std::vector<std::uint8_t> open;
    std::vector<Coded> items;
  };

  void search(const Split& split, Surrogates& out);
  bool is_own(std::size_t j) const { return static_cast<std::int32_t>(j) == split_.feature; }
  void scan_edges(std::size_t j);
  void offer_levels(Surrogates& out);
  void add_wide_levels(std::size_t j);
  double least_kept(const Surrogates& levels) const;
  void open_bins(std::size_t j);
  void gather(const std::vector<std::size_t>& features);
  void refine(std::size_t j);
  void add_values(Feature& feature, std::size_t j, std::size_t from, std::size_t to, AgreementScan<u32>& scan) const;
  void add_row(Cell& cell, u32 at) const {
    if (split_.rows.branch[at] < 2) cell.add(split_.rows.branch[at], split_.rows.w(at));
  }

  const View& view_;
  Team* team_;
  BranchTable<Cell> table_;
  Split split_{};
  std::vector<Feature> features_;
  LevelAgreement levels_;
};

extern template class TableSurrogates<BranchCell>;
extern template class TableSurrogates<WeightedBranchCell>;

}  // namespace boxwood::coded

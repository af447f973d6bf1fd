// Surrogates of a large node's split: tables of bins whose response is the branch taken, then the rows of the bins that
// may hold the best cut. Invariant: as in agreement.hpp: every bin inside or beside which the best cut may lie is
// opened. Cost: about 1 ns a row and feature to count; a few rows in a hundred are sorted.
#pragma once

#include "search/gather_rows.hpp"
#include "surrogate/branch_taken.hpp"
#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

// The split whose surrogates are searched: its feature, what agreements are shares of, and its rows; `branch`: of the
// row at each place; `weight`: by id, nullptr = 1 each.
struct SplitTaken {
  const u32* ids;
  const std::uint8_t* branch;
  u32 count;
  const i64* weight;
  std::int32_t feature;
  Rating rating;
};

// A bin holds the codes that share what is left of them after `SHIFT` bits.
template <bool weighted, int SHIFT>
class TableSurrogates {
 public:
  TableSurrogates(const View& view, ThreadPool* pool)
      : view_(view), pool_(pool), gatherer_(pool), buffers_(pool_workers(pool)) {}

  void find(const SplitTaken& split, Surrogates& out);

 private:
  using Taken = BranchTaken<weighted>;
  using Table = BinTable<Taken, SHIFT>;
  static constexpr int BINS = Table::BINS;

  // A feature that is cut: what its edges between bins agree, then its best cut.
  struct Feature {
    BranchCounts all;
    i64 threshold = 0, bound = 0;  // what its best edge agrees, and what may be kept; no cut agrees more than the bound
    int bins = 0;  // of known values
    std::array<std::uint8_t, BINS> opened, gathered;  // these without the bins of one value
    std::vector<ValuedRow> valued;
    std::optional<Surrogate> best;
  };

  void count(const SplitTaken& split);
  bool may_use(std::size_t j) const {
    return static_cast<std::int32_t>(j) != split_.feature && split_.rating.may_use(view_.all->place(j));
  }
  void scan_edges(std::size_t j);
  void offer_levels(Surrogates& out);
  double least_kept(const Surrogates& levels) const;
  void open_bins(std::size_t j);
  std::size_t gather(std::size_t from);
  void refine(std::size_t j, std::vector<Coded>& items, std::vector<Coded>& buffer);
  void add_values(std::size_t j, std::span<const Coded> rows, AgreementScan<u32>& scan);
  bool is_one_value(std::size_t j, int b) const { return view_.all->is_one_value(j, static_cast<u32>(b) << SHIFT); }
  BranchCounts bin(std::size_t j, int b) const { return Taken::counts(tables_[0].column(j)[b + 1]); }
  BranchCounts counts_of_row(u32 id) const { return Taken::counts(taken_.row(id)); }

  const View& view_;
  ThreadPool* pool_;
  RowGatherer gatherer_;
  SplitTaken split_{};
  Taken taken_{};
  std::vector<std::uint8_t> branch_;  // by id
  std::vector<Table> tables_;  // one a worker
  std::vector<Feature> features_;
  std::vector<std::size_t> opened_;  // features of which some bins are
  std::vector<std::vector<Coded>> items_, buffers_;  // rows by code: of the features gathered last; one a worker
  LevelAgreement levels_;
};

extern template class TableSurrogates<false, 8>;
extern template class TableSurrogates<true, 8>;
extern template class TableSurrogates<false, 6>;
extern template class TableSurrogates<true, 6>;

}  // namespace boxwood::coded

// Sets of levels of the nominal features of a large node, from the node's table or, of a wide column, from its rows.
// Invariant: which thread searches which feature changes only how much is computed. Cost: that of level_search.hpp; of
// a wide column a sort of the node's rows.
#pragma once

#include "search/bin_table.hpp"
#include "search/gather_rows.hpp"
#include "search/level_search.hpp"

namespace boxwood::coded {

template <class R>
class TableLevels {
 public:
  using Cell = typename R::Cell;

  TableLevels(const R& y, const Rules& rules, const Codes& codes, ThreadPool* pool)
      : y_(y), rules_(rules), codes_(codes), pool_(pool), sets_(codes.columns() - codes.cut_columns()) {
    for (std::size_t m = 0; m < pool_workers(pool); ++m) searches_.emplace_back(y, rules);
  }
  TableLevels(const TableLevels&) = delete;

  // Calls `keep` with the best set of each feature that may win over candidates of rank `best()`.
  template <class Best, class Keep>
  void search(const View& view, const RowGatherer::Rows& rows, const BinTable<R>& table, const NodeStats& stats,
              const Best& best, const Keep& keep) {
    const bool together = pool_ && pool_->size() > 1;
    const auto features = nominal(table.features());
    found_.resize(features.size());
    if (together) {
      const double known = best();
      pool_->run(found_.size(), [&](std::size_t k, int worker) {
        found_[k] = search_one(view, rows, table, stats, features[k], known, worker);
      });
    }
    for (std::size_t k = 0; k < found_.size(); ++k) {
      if (!together) found_[k] = search_one(view, rows, table, stats, features[k], best(), 0);
      if (found_[k].feature >= 0) keep(found_[k]);
    }
  }
  std::vector<LevelBranch>& of(const Candidate& cut) { return sets_[cut.levels]; }

 private:
  std::span<const std::int32_t> nominal(std::span<const std::int32_t> features) const {
    const auto cuts = static_cast<std::int32_t>(codes_.cut_columns());
    return features.subspan(static_cast<std::size_t>(std::ranges::lower_bound(features, cuts) - features.begin()));
  }
  Candidate search_one(const View& view, const RowGatherer::Rows& rows, const BinTable<R>& table,
                       const NodeStats& stats, std::int32_t feature, double best, int worker) {
    LevelSearch<R>& search = searches_[worker];
    const auto j = static_cast<std::size_t>(feature);
    if (!rules_.may_use(codes_.place(j), stats)) return {};
    const u32 n_levels = codes_.levels(j);
    const auto width = static_cast<std::size_t>(y_.width());
    search.start(stats);
    std::vector<Cell> missing(width);
    const auto add = [&](u32 level, const Cell* cell) {
      if (level == n_levels)
        missing.assign(cell, cell + width);
      else if (y_.count(cell) > 0)
        search.add(level, cell);
    };
    if (codes_.is_wide(j)) {
      std::vector<Cell> cell(width);
      each_wide_level(view, rows, j, [&](u32 level, auto first, auto last) {
        std::fill(cell.begin(), cell.end(), Cell{});
        for (; first != last; ++first) y_.add(cell.data(), first->row);
        add(level, cell.data());
      });
    } else {
      for (u32 level = 0; level <= n_levels; ++level) add(level, table.levels(j) + level * width);
    }
    const std::size_t k = j - codes_.cut_columns();
    Candidate cut = search.find({feature, codes_.place(j), n_levels, best, missing.data()}, sets_[k]);
    cut.levels = static_cast<std::int32_t>(k);
    return cut;
  }

  const R& y_;
  const Rules& rules_;
  const Codes& codes_;
  ThreadPool* pool_;
  std::vector<std::vector<LevelBranch>> sets_;  // of each nominal feature
  std::vector<Candidate> found_;
  std::vector<LevelSearch<R>> searches_;  // one a worker
};

}  // namespace boxwood::coded

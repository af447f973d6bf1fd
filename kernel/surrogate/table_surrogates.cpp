// The search for surrogates from tables, for rows that weigh one and for others; it does not depend on the response.
#include "surrogate/table_surrogates.hpp"

namespace boxwood::coded {

template <class Cell>
void BranchTable<Cell>::start(int shift) {
  shift_ = shift;
  first_.clear();
  std::size_t size = 0;
  for (std::size_t j = 0; j < view_.columns(); ++j) {
    first_.push_back(size);
    size += j < cuts_ ? bins() : view_.all->is_wide(j) ? 0 : view_.all->levels(j) + std::size_t{1};
  }
  cells_.resize(team_members(team_));
  for (auto& cells : cells_) cells.assign(size, {});
}

template <class Cell>
void BranchTable<Cell>::count(const BranchRows& rows, int shift) {
  start(shift);
  in_pieces(team_, rows.count, [&](u32 from, u32 to, int member) {
    Cell* cells = cells_[static_cast<std::size_t>(member)].data();
    const std::size_t columns = view_.all->coded_columns();
    rows.each(from, to, [&](u32 at, const Code* codes) {
      const std::uint8_t branch = rows.branch[at];
      if (branch > 1) return;
      const i64 w = rows.w(at);
      for (std::size_t j = 0; j < cuts_; ++j) cells[(j << (16 - shift)) + (codes[j] >> shift)].add(branch, w);
      for (std::size_t j = cuts_; j < columns; ++j) cells[first_[j] + codes[j]].add(branch, w);
    });
  });
  for (std::size_t m = 1; m < cells_.size(); ++m)
    for (std::size_t i = 0; i < cells_[0].size(); ++i) cells_[0][i].add(cells_[m][i]);
}

template <class Cell>
void TableSurrogates<Cell>::find(const Split& split, Surrogates& out) {
  const u32 rows = split.rows.count;
  table_.count(split.rows, rows < FINE_ROWS ? 8 : rows < 2 * FINE_ROWS ? 7 : rows < 4 * FINE_ROWS ? 6 : 5);
  search(split, out);
}

template <class Cell>
void TableSurrogates<Cell>::search(const Split& split, Surrogates& out) {
  split_ = split;
  out.start(split.rating);
  features_.resize(table_.cut_columns());
  each_of(team_, features_.size(), [&](std::size_t j) { scan_edges(j); });
  offer_levels(out);
  const double least = least_kept(out);
  std::vector<std::size_t> opened;
  for (std::size_t j = 0; j < features_.size(); ++j) {
    Feature& feature = features_[j];
    const i64 needed = std::max(split.rating.needed(feature.all, least), feature.all.majority() + 1);
    if (feature.bound < needed) continue;
    feature.threshold = std::max(feature.threshold, needed);
    open_bins(j);
    opened.push_back(j);
  }
  if (opened.empty()) return;
  gather(opened);
  each_of(team_, opened.size(), [&](std::size_t k) { refine(opened[k]); });
  for (const std::size_t j : opened)
    if (features_[j].best) out.offer(*features_[j].best);
}

template <class Cell>
void TableSurrogates<Cell>::scan_edges(std::size_t j) {
  Feature& feature = features_[j];
  feature.all = {};
  feature.threshold = feature.bound = 0;
  if (is_own(j)) return;
  const Cell *first = table_.of(j), *last = first + table_.bins(j);
  for (const Cell* cell = first; cell != last; ++cell) feature.all.add(counts_of(*cell));
  AgreementScan<const Cell*> scan(feature.all, feature.all.majority());
  for (const Cell* cell = first; cell != last; ++cell) {
    feature.bound = std::max(feature.bound, scan.bound(cell->weight_of(0), cell->weight_of(1)));
    if (cell->count() > 0) scan.next(cell, cell->lead(), cell->count());
  }
  feature.threshold = scan.best();
}

template <class Cell>
void TableSurrogates<Cell>::offer_levels(Surrogates& out) {
  for (std::size_t j = table_.cut_columns(); j < view_.columns(); ++j) {
    if (is_own(j)) continue;
    levels_.start();
    if (view_.all->is_wide(j))
      add_wide_levels(j);
    else
      for (u32 level = 0; level < view_.all->levels(j); ++level) levels_.add(level, counts_of(table_.of(j)[level]));
    out.offer(view_, j, levels_, split_.rating);
  }
}

// Levels of a column that has more of them than codes: the rows in order of level.
template <class Cell>
void TableSurrogates<Cell>::add_wide_levels(std::size_t j) {
  std::vector<KeyRow> rows(split_.rows.count), spare;
  for (u32 i = 0; i < split_.rows.count; ++i) rows[i] = {view_.level(j, split_.rows.ids[i]), i};
  radix_sort(rows, spare);
  for (std::size_t i = 0; i < rows.size() && rows[i].key < view_.all->levels(j);) {
    const u32 level = rows[i].key;
    Cell cell;
    for (; i < rows.size() && rows[i].key == level; ++i) add_row(cell, rows[i].row);
    levels_.add(level, counts_of(cell));
  }
}

// No surrogate that agrees less is kept: so many sets of levels and edges between bins are better.
template <class Cell>
double TableSurrogates<Cell>::least_kept(const Surrogates& levels) const {
  std::vector<double> sure;
  for (const Surrogate& one : levels.all()) sure.push_back(one.agreement);
  Agreement edge;
  for (const Feature& feature : features_)
    if (feature.threshold > feature.all.majority() && split_.rating.rate(feature.threshold, feature.all, edge))
      sure.push_back(edge.agreement);
  std::sort(sure.rbegin(), sure.rend());
  return sure.size() < levels.most() ? -1.0 : sure[levels.most() - 1];
}

// Marks the bins inside or beside which a cut may agree as much as the threshold.
template <class Cell>
void TableSurrogates<Cell>::open_bins(std::size_t j) {
  Feature& feature = features_[j];
  AgreementScan<u32> scan(feature.all, feature.threshold);
  feature.opened.assign(table_.bins(), 0);
  for (std::size_t b = 0; b < table_.bins(j); ++b) {
    const Cell& cell = table_.of(j)[b];
    feature.opened[b] = scan.bound(cell.weight_of(0), cell.weight_of(1)) >= feature.threshold;
    scan.add(cell.lead(), cell.count());
  }
}

template <class Cell>
void TableSurrogates<Cell>::gather(const std::vector<std::size_t>& features) {
  std::vector<Gathering> none;
  for (const std::size_t j : features) none.push_back({j, !view_.all->is_single(j), features_[j].opened, {}});
  std::vector<std::vector<Gathering>> found(team_members(team_), none);
  in_pieces(team_, split_.rows.count, [&](u32 from, u32 to, int member) {
    auto& here = found[static_cast<std::size_t>(member)];
    split_.rows.each(from, to, [&](u32 at, const Code* codes) {
      for (Gathering& of : here) {
        const Code code = codes[of.feature];
        std::uint8_t& open = of.open[table_.bin(code)];
        if (!open) continue;
        of.items.push_back({code, at});
        open = of.several;
      }
    });
  });
  for (const std::size_t j : features) features_[j].items.clear();
  for (auto& of_member : found)
    for (Gathering& of : of_member) {
      auto& items = features_[of.feature].items;
      if (items.empty())
        items.swap(of.items);
      else
        items.insert(items.end(), of.items.begin(), of.items.end());
    }
}

// The best cut among the rows of the opened bins.
template <class Cell>
void TableSurrogates<Cell>::refine(std::size_t j) {
  Feature& feature = features_[j];
  const auto& items = feature.items;
  const Cell* cells = table_.of(j);
  const bool single = view_.all->is_single(j);
  sort_by_code(feature.items, feature.spare);
  AgreementScan<u32> scan(feature.all, feature.threshold - 1);
  std::size_t bin = 0;
  for (std::size_t i = 0, end = 0; i < items.size(); i = end) {
    for (; bin < table_.bin(items[i].code); ++bin)
      if (!feature.opened[bin]) scan.add(cells[bin].lead(), cells[bin].count());
    Cell cell;
    for (end = i; end < items.size() && items[end].code == items[i].code; ++end) add_row(cell, items[end].id);
    if (single) cell = cells[bin];
    if (!single && end - i > 1 && (scan.improves() || scan.bound(cell.weight_of(0), cell.weight_of(1)) > scan.best()))
      add_values(feature, j, i, end, scan);
    else
      scan.next(items[i].id, cell.lead(), cell.count());
  }
  feature.best = best_cut(view_, j, scan, feature.all, split_.rating, [&](u32 at) { return split_.rows.ids[at]; });
}

// Rows of one code, by their values.
template <class Cell>
void TableSurrogates<Cell>::add_values(Feature& feature, std::size_t j, std::size_t from, std::size_t to,
                                       AgreementScan<u32>& scan) const {
  auto& valued = feature.valued;
  valued.clear();
  for (std::size_t i = from; i < to; ++i)
    valued.emplace_back(view_.value(j, split_.rows.ids[feature.items[i].id]), feature.items[i].id);
  std::sort(valued.begin(), valued.end());
  for (std::size_t i = 0, end = 0; i < valued.size(); i = end) {
    Cell cell;
    for (end = i; end < valued.size() && valued[end].first == valued[i].first; ++end) add_row(cell, valued[end].second);
    scan.next(valued[i].second, cell.lead(), cell.count());
  }
}

template class TableSurrogates<BranchCell>;
template class TableSurrogates<WeightedBranchCell>;

}  // namespace boxwood::coded

// The search for surrogates from tables, for rows that weigh one and for others; it does not depend on the response.
#include "surrogate/table_surrogates.hpp"

namespace boxwood::coded {

template <bool weighted, int SHIFT>
void TableSurrogates<weighted, SHIFT>::find(const SplitTaken& split, Surrogates& out) {
  count(split);
  out.start(split.rating);
  each_of(pool_, features_.size(), [&](std::size_t j, int) { scan_edges(j); });
  offer_levels(out);
  const double least = least_kept(out);
  opened_.clear();
  for (std::size_t j = 0; j < features_.size(); ++j) {
    Feature& feature = features_[j];
    const i64 needed = std::max(split.rating.needed(feature.all, least), feature.all.majority() + 1);
    if (feature.bound < needed) continue;
    feature.threshold = std::max(feature.threshold, needed);
    open_bins(j);
    opened_.push_back(j);
  }
  for (std::size_t from = 0, to; from < opened_.size(); from = to) {
    to = gather(from);
    each_of(pool_, to - from,
            [&](std::size_t k, int worker) { refine(opened_[from + k], items_[k], buffers_[worker]); });
  }
  for (const std::size_t j : opened_)
    if (features_[j].best) out.offer(*features_[j].best);
}

template <bool weighted, int SHIFT>
void TableSurrogates<weighted, SHIFT>::count(const SplitTaken& split) {
  split_ = split;
  branch_.resize(view_.all->rows());
  taken_ = {branch_.data(), split.weight};
  if (tables_.empty()) {
    for (std::size_t m = 0; m < pool_workers(pool_); ++m) tables_.emplace_back(*view_.all, 1);
    features_.resize(view_.all->cut_columns());
    items_.resize(features_.size());
  }
  for (auto& table : tables_) table.clear();
  in_pieces(pool_, split.count, [&](u32 from, u32 to, int worker) {
    for (u32 i = from; i < to; ++i) branch_[split.ids[i]] = split.branch[i];
    tables_[static_cast<std::size_t>(worker)].add(taken_, view_, split.ids + from, to - from);
  });
  for (std::size_t m = 1; m < tables_.size(); ++m) tables_[0].merge(tables_[m]);
}

template <bool weighted, int SHIFT>
void TableSurrogates<weighted, SHIFT>::scan_edges(std::size_t j) {
  Feature& feature = features_[j];
  feature.all = {};
  feature.threshold = feature.bound = 0;
  if (!may_use(j)) return;
  feature.bins = BINS - view_.all->has_missing(j);
  typename Taken::Cell all{};
  for (int b = 0; b < feature.bins; ++b) all += tables_[0].column(j)[b + 1];
  feature.all = Taken::counts(all);
  AgreementScan<int> scan(feature.all, feature.all.majority());
  for (int b = 0; b < feature.bins; ++b) {
    const BranchCounts counts = bin(j, b);
    feature.bound = std::max(feature.bound, scan.bound(counts));
    if (counts.count() > 0) scan.next(0, counts);
  }
  feature.threshold = scan.best();
}

template <bool weighted, int SHIFT>
void TableSurrogates<weighted, SHIFT>::offer_levels(Surrogates& out) {
  for (std::size_t j = features_.size(); j < view_.columns(); ++j) {
    if (!may_use(j)) continue;
    levels_.start();
    if (view_.all->is_wide(j))
      each_wide_level(view_, {split_.ids, split_.count}, j, [&](u32 level, auto first, auto last) {
        BranchCounts counts;
        for (; first != last; ++first) counts += counts_of_row(first->row);
        if (level < view_.all->levels(j)) levels_.add(level, counts);
      });
    else
      for (u32 level = 0; level < view_.all->levels(j); ++level)
        levels_.add(level, Taken::counts(tables_[0].levels(j)[level]));
    out.offer(view_, j, levels_, split_.rating);
  }
}

// No surrogate that agrees less is kept: so many sets of levels and edges between bins are better.
template <bool weighted, int SHIFT>
double TableSurrogates<weighted, SHIFT>::least_kept(const Surrogates& levels) const {
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
template <bool weighted, int SHIFT>
void TableSurrogates<weighted, SHIFT>::open_bins(std::size_t j) {
  Feature& feature = features_[j];
  AgreementScan<int> scan(feature.all, feature.threshold);
  feature.opened = {};
  for (int b = 0; b < feature.bins; ++b) {
    const BranchCounts counts = bin(j, b);
    feature.opened[b] = scan.bound(counts) >= feature.threshold;
    scan.add(counts);
  }
}

// The rows of opened bins of a portion of the features, and where that ends; one row of each bin of one value.
template <bool weighted, int SHIFT>
std::size_t TableSurrogates<weighted, SHIFT>::gather(std::size_t from) {
  std::vector<OpenedBins> several;
  std::size_t to = from;
  for (Portion portion(split_.count, buffers_.size()); to < opened_.size() && !portion.is_full(); ++to) {
    const std::size_t j = opened_[to];
    Feature& feature = features_[j];
    feature.gathered = feature.opened;
    for (int b = 0; b < BINS; ++b) feature.gathered[b] &= !is_one_value(j, b);
    items_[to - from].clear();
    if (view_.all->is_single(j)) continue;
    portion.add(feature.gathered);
    several.push_back({static_cast<std::int32_t>(j), feature.gathered.data(), &items_[to - from], SHIFT});
  }
  gatherer_.gather(view_, {split_.ids, split_.count}, several, nullptr);
  const bool all_known = std::all_of(split_.branch, split_.branch + split_.count, [](auto to) { return to < 2; });
  for (std::size_t k = 0; k < to - from; ++k) {
    const std::size_t j = opened_[from + k];
    auto open = features_[j].opened;
    std::size_t left = 0;  // bins of which a row is still to come
    for (int b = 0; b < features_[j].bins; ++b) {
      open[b] = open[b] && is_one_value(j, b) && (!all_known || bin(j, b).count() > 0);
      left += open[b];
    }
    for (u32 i = 0; left > 0 && i < split_.count; ++i) {
      const Code code = view_.code(j, split_.ids[i]);
      if (!std::exchange(open[code >> SHIFT], 0)) continue;
      items_[k].push_back({code, split_.ids[i]});
      --left;
    }
  }
  return to;
}

// The best cut among the rows of the opened bins.
template <bool weighted, int SHIFT>
void TableSurrogates<weighted, SHIFT>::refine(std::size_t j, std::vector<Coded>& items, std::vector<Coded>& buffer) {
  Feature& feature = features_[j];
  sort_by_code(items, buffer);
  AgreementScan<u32> scan(feature.all, feature.threshold - 1);
  int b = 0;
  for (std::size_t i = 0, end = 0; i < items.size(); i = end) {
    for (; b < static_cast<int>(items[i].code >> SHIFT); ++b)
      if (!feature.opened[b]) scan.add(bin(j, b));
    BranchCounts counts;
    for (end = i; end < items.size() && items[end].code == items[i].code; ++end) counts += counts_of_row(items[end].id);
    const bool one_value = is_one_value(j, b);
    if (one_value) counts = bin(j, b);
    if (!one_value && end - i > 1 && (scan.improves() || scan.bound(counts) > scan.best()))
      add_values(j, {&items[i], end - i}, scan);
    else
      scan.next(items[i].id, counts);
  }
  feature.best = best_cut(view_, j, scan, feature.all, split_.rating, [](u32 id) { return id; });
}

// Rows of one code, by their values.
template <bool weighted, int SHIFT>
void TableSurrogates<weighted, SHIFT>::add_values(std::size_t j, std::span<const Coded> rows,
                                                  AgreementScan<u32>& scan) {
  auto& valued = features_[j].valued;
  valued.clear();
  for (const Coded& row : rows) valued.push_back({view_.value(j, row.id), row.id});
  sort_by_value(valued);
  for (std::size_t i = 0, end = 0; i < valued.size(); i = end) {
    BranchCounts counts;
    for (end = i; end < valued.size() && valued[end].value == valued[i].value; ++end)
      counts += counts_of_row(valued[end].id);
    scan.next(valued[i].id, counts);
  }
}

template class TableSurrogates<false, 8>;
template class TableSurrogates<true, 8>;
template class TableSurrogates<false, 6>;
template class TableSurrogates<true, 6>;

}  // namespace boxwood::coded

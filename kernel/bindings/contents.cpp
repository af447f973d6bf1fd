// Bindings: the content of rows in shards: ranks, keys, and hashes that folds are drawn by.
#include "shards/contents.hpp"
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bindings/columns.hpp"

namespace boxwood {
namespace {

using namespace sharded;

// `given`: values, bins, low parts or None, and the range of bins.
Ranged ranged(const nb::tuple& given) {
  const GivenColumn column(given[0], given[2]);
  require(column.rows < MISSING, "a column has too many values");
  const auto [low, high] = nb::cast<std::pair<std::uint16_t, std::uint16_t>>(given[3]);
  return {column.side_by_side<ExactValues>(), array_of<std::uint16_t>(given[1], column.rows), column.rows, low, high};
}

nb::tuple distinct_of(const nb::tuple& given) {
  const Ranged values = ranged(given);
  DistinctValues found = without_gil(1, [&](Team&) { return distinct_values(values); });
  return arrays(std::move(found.value), std::move(found.low), std::move(found.rows));
}

nb::object ranks_of(const nb::tuple& given, In<double> known, In<double> low, std::uint32_t first) {
  const Ranged values = ranged(given);
  if (known.size() >= MISSING - first) throw std::length_error("a column has too many different values");
  require(low.size() == 0 || low.size() == known.size(), "every value must have a low part");
  const KnownValues all{known.data(), low.size() ? low.data() : nullptr, known.size()};
  return to_numpy(without_gil(1, [&](Team&) { return ranks_among(values, all, first); }));
}

// (missing, up, down, any missing), or None
Ends ends_from(nb::handle given) {
  if (given.is_none()) return {};
  const auto [missing, up, down, any] = nb::cast<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, bool>>(given);
  return {missing, up, down, any};
}

// (a column of ranks or levels, code of each level or None, number of codes, ends or None)
ContentColumn content_column(const nb::tuple& given, std::size_t n) {
  const GivenColumn column(given[0]);
  require(column.rows == n, "every column must have one value a row");
  ContentColumn out;
  out.kind = column.kind;
  out.distinct = nb::cast<std::uint32_t>(given[2]);
  out.ends = ends_from(given[3]);
  if (column.kind == Kind::numeric) {
    out.ranks = column.side_by_side<ExactValues>();
  } else {
    column.require_levels();
    out.levels = column.levels;
    out.dense = array_of<std::uint32_t>(given[1], column.n_levels);
  }
  return out;
}

std::vector<ContentColumn> content_columns(const nb::list& given, std::size_t n) {
  std::vector<ContentColumn> columns;
  for (nb::handle column : given) columns.push_back(content_column(nb::cast<nb::tuple>(column), n));
  return columns;
}

nb::object keys_of(const nb::list& given, std::size_t n, int threads) {
  const auto columns = content_columns(given, n);
  return to_numpy(without_gil(Table::team_size(threads, n * columns.size()),
                              [&](Team& team) { return content_keys(columns, n, team); }));
}

// For every column: sums (lower, upper half) of missing, up and down of each group; and its number of missing values.
nb::tuple ends_of(const nb::list& given, const nb::tuple& rows, std::size_t groups, nb::handle hashes, std::size_t n,
                  int threads) {
  const auto columns = content_columns(given, n);
  const auto row = array_view<std::uint32_t>(rows[0]);
  const auto group = array_view<std::uint16_t>(rows[1]);
  require(group.size() == row.size(), "every row must have a group");
  require_below(row, n, "there is no such row");
  require_below(group, groups, "there is no such group");
  const GroupedRows grouped{row.data(), group.data(), row.size(), groups,
                            hashes.is_none() ? nullptr : array_of<std::uint64_t>(hashes, n)};
  std::vector<std::uint64_t> sums;
  std::vector<std::int64_t> missing;
  for (const EndSums& each : of_each(columns.size(), Table::team_size(threads, row.size() * columns.size()),
                                     [&](std::size_t j) { return end_sums(columns[j], grouped); })) {
    missing.push_back(each.missing);
    for (const auto& of_group : each.of_group)
      for (const HalvedSum& sum : of_group) sums.insert(sums.end(), {sum.low, sum.high});
  }
  return arrays(std::move(sums), std::move(missing));
}

nb::object hashes_of(const nb::list& given, std::size_t different, std::size_t n, int threads) {
  const auto columns = content_columns(given, n);
  return to_numpy(without_gil(Table::team_size(threads, n * columns.size()),
                              [&](Team& team) { return content_hashes(columns, different, n, team); }));
}

// What the cells of one column add to their rows.
nb::object cells_of(const nb::tuple& given, std::size_t different, std::size_t n, int threads) {
  const ContentColumn column = content_column(given, n);
  std::vector<std::uint64_t> out(n);
  without_gil(Table::team_size(threads, n), [&](Team& team) {
    const Cells cells(column, different);
    each_block(team, n, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) out[i] = cells.at(i);
    });
  });
  return to_numpy(std::move(out));
}

// Whether all cells of a column add the same: it tells no rows apart. Needs no rows.
bool is_constant(nb::handle kind, std::uint32_t distinct, nb::handle ends, std::size_t different) {
  ContentColumn column;
  column.kind = kind_from(kind);
  column.distinct = distinct;
  column.ends = ends_from(ends);
  return Cells(column, different).constant();
}

}  // namespace

void bind_contents(nb::module_& m) {
  m.def("content_distinct", &distinct_of, "given"_a,
        "Different values inside some bins, their low parts, and their rows.");
  m.def("content_ranks", &ranks_of, "given"_a, "known"_a, "low"_a, "first"_a, "Ranks of values inside some bins.");
  m.def("content_keys", &keys_of, "columns"_a, "n"_a, "threads"_a, "A key of each row; equal rows have equal keys.");
  m.def("content_ends", &ends_of, "columns"_a, "rows"_a, "groups"_a, "hashes"_a.none(), "n"_a, "threads"_a,
        "What tells columns apart, as sums.");
  m.def("content_hashes", &hashes_of, "columns"_a, "different"_a, "n"_a, "threads"_a, "A hash of each row.");
  m.def("content_cells", &cells_of, "column"_a, "different"_a, "n"_a, "threads"_a,
        "What each cell of a column adds to its row.");
  m.def("content_constant", &is_constant, "kind"_a, "distinct"_a, "ends"_a, "different"_a);
}

}  // namespace boxwood

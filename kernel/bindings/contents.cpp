// Bindings: the content of rows in shards: ranks, keys, and hashes that folds are drawn by.
#include "shards/contents.hpp"
#include "bindings/binding.hpp"

namespace boxwood {
namespace {

using namespace sharded;

Ranged ranged(nb::handle values, In<std::uint16_t> bins, const MaybeIn<double>& lows, const nb::tuple& span) {
  Ranged out;
  out.n = take_values(values, out.wide, out.narrow);
  if (bins.size() != out.n || (lows && lows->size() != out.n) || out.n >= MISSING)
    throw std::invalid_argument("every value must have a bin");
  out.bins = bins.data();
  out.lows = lows ? lows->data() : nullptr;
  out.low = nb::cast<std::uint16_t>(span[0]);
  out.high = nb::cast<std::uint16_t>(span[1]);
  return out;
}

nb::tuple distinct_of(nb::handle values, In<std::uint16_t> bins, MaybeIn<double> lows, const nb::tuple& span) {
  const Ranged given = ranged(values, bins, lows, span);
  DistinctValues found;
  without_gil(1, [&](Team&) { found = distinct_values(given); });
  return arrays(std::move(found.value), std::move(found.low), std::move(found.rows));
}

nb::object ranks_of(nb::handle values, In<std::uint16_t> bins, MaybeIn<double> lows, const nb::tuple& span,
                    const nb::tuple& known, std::uint32_t first) {
  const Ranged given = ranged(values, bins, lows, span);
  const auto value = array_view<double>(known[0]), low = array_view<double>(known[1]);
  if (value.size() >= MISSING - first) throw std::length_error("a column has too many different values");
  if (low.size() && low.size() != value.size()) throw std::invalid_argument("every value must have a low part");
  const KnownValues all{value.data(), low.size() ? low.data() : nullptr, value.size()};
  std::vector<std::uint32_t> ranks;
  without_gil(1, [&](Team&) { ranks = ranks_among(given, all, first); });
  return to_numpy(std::move(ranks));
}

// (kind, values or levels, code of each level or None, number of codes, (missing, up, down, any missing) or None)
ContentColumn content_column(const nb::tuple& given, std::size_t n) {
  ContentColumn column;
  column.kind = kind_from(given[0]);
  column.distinct = nb::cast<std::uint32_t>(given[3]);
  std::size_t length;
  if (column.kind == Kind::numeric) {
    length = take_values(given[1], column.wide, column.narrow);
  } else {
    const auto levels = array_view<std::int32_t>(given[1]);
    const auto dense = array_view<std::uint32_t>(given[2]);
    length = levels.size();
    for (std::size_t i = 0; i < length; ++i)
      if (levels.data()[i] >= static_cast<std::int64_t>(dense.size()))
        throw std::out_of_range("a level code is out of range");
    column.levels = levels.data();
    column.dense = dense.data();
  }
  if (length != n) throw std::invalid_argument("every column must have one value a row");
  if (!given[4].is_none()) {
    const auto ends = nb::cast<nb::tuple>(given[4]);
    column.ends = {nb::cast<std::uint64_t>(ends[0]), nb::cast<std::uint64_t>(ends[1]), nb::cast<std::uint64_t>(ends[2]),
                   nb::cast<bool>(ends[3])};
  }
  return column;
}

std::vector<ContentColumn> content_columns(const nb::list& given, std::size_t n) {
  std::vector<ContentColumn> columns;
  for (nb::handle column : given) columns.push_back(content_column(nb::cast<nb::tuple>(column), n));
  return columns;
}

nb::object keys_of(const nb::list& given, std::size_t n, int threads) {
  const auto columns = content_columns(given, n);
  std::vector<std::uint64_t> keys;
  without_gil(Table::team_size(threads, n * columns.size()),
              [&](Team& team) { keys = content_keys(columns, n, team); });
  return to_numpy(std::move(keys));
}

// For every column: sums (lower, upper half) of missing, up and down of each group; and its number of missing values.
nb::tuple ends_of(const nb::list& given, const nb::tuple& rows, std::size_t groups, MaybeIn<std::uint64_t> hashes,
                  std::size_t n, int threads) {
  const auto columns = content_columns(given, n);
  const auto row = array_view<std::uint32_t>(rows[0]);
  const auto group = array_view<std::uint16_t>(rows[1]);
  if (group.size() != row.size() || (hashes && hashes->size() != n))
    throw std::invalid_argument("every row must have a group and a hash");
  for (std::size_t at = 0; at < row.size(); ++at)
    if (row.data()[at] >= n || group.data()[at] >= groups) throw std::out_of_range("there is no such row or group");
  const GroupedRows grouped{row.data(), group.data(), row.size(), groups, hashes ? hashes->data() : nullptr};
  std::vector<EndSums> found(columns.size());
  without_gil(Table::team_size(threads, row.size() * columns.size()), [&](Team& team) {
    team.run(columns.size(), [&](std::size_t j, int) { found[j] = end_sums(columns[j], grouped); });
  });
  std::vector<std::uint64_t> sums;
  std::vector<std::int64_t> missing;
  for (const EndSums& each : found) {
    missing.push_back(each.missing);
    for (const auto& of_group : each.of_group)
      for (const HalvedSum& sum : of_group) sums.insert(sums.end(), {sum.low, sum.high});
  }
  return arrays(std::move(sums), std::move(missing));
}

nb::object hashes_of(const nb::list& given, std::size_t different, std::size_t n, int threads) {
  const auto columns = content_columns(given, n);
  std::vector<std::uint64_t> hashes;
  without_gil(Table::team_size(threads, n * columns.size()),
              [&](Team& team) { hashes = content_hashes(columns, different, n, team); });
  return to_numpy(std::move(hashes));
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
bool is_constant(nb::handle kind, std::uint32_t distinct, const nb::tuple& ends, std::size_t different) {
  ContentColumn column;
  column.kind = kind_from(kind);
  column.distinct = distinct;
  column.ends = {nb::cast<std::uint64_t>(ends[0]), nb::cast<std::uint64_t>(ends[1]), nb::cast<std::uint64_t>(ends[2]),
                 nb::cast<bool>(ends[3])};
  return Cells(column, different).constant();
}

}  // namespace

void bind_contents(nb::module_& m) {
  m.def("content_distinct", &distinct_of, "values"_a, "bins"_a, "lows"_a.none(), "span"_a,
        "Different values inside some bins, their low parts, and their rows.");
  m.def("content_ranks", &ranks_of, "values"_a, "bins"_a, "lows"_a.none(), "span"_a, "known"_a, "first"_a,
        "Ranks of values inside some bins.");
  m.def("content_keys", &keys_of, "columns"_a, "n"_a, "threads"_a, "A key of each row; equal rows have equal keys.");
  m.def("content_ends", &ends_of, "columns"_a, "rows"_a, "groups"_a, "hashes"_a.none(), "n"_a, "threads"_a,
        "What tells columns apart, as sums.");
  m.def("content_hashes", &hashes_of, "columns"_a, "different"_a, "n"_a, "threads"_a, "A hash of each row.");
  m.def("content_cells", &cells_of, "column"_a, "different"_a, "n"_a, "threads"_a,
        "What each cell of a column adds to its row.");
  m.def("content_constant", &is_constant, "kind"_a, "distinct"_a, "ends"_a, "different"_a);
}

}  // namespace boxwood

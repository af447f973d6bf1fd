// Bindings: shards: what a shard adds up of its rows, and where parts of rows go.
#include "bindings/columns.hpp"
#include "bindings/response.hpp"
#include "bindings/tree_view.hpp"
#include "encode/exact_codes.hpp"
#include "response/mean.hpp"
#include "response/multiclass.hpp"
#include "response/rate.hpp"
#include "shards/count.hpp"
#include "shards/node_sums.hpp"
#include "shards/share_out.hpp"

namespace boxwood {
namespace {

using namespace sharded;

// The place each sample is counted at, -1 = none; `rows`: None, or the row of each sample that is a part of one.
Places places_from(const In<std::int16_t>& of, std::size_t count, nb::handle rows) {
  for (std::size_t i = 0; i < of.size(); ++i)
    if (of.data()[i] >= static_cast<std::int64_t>(count)) throw std::out_of_range("there is no such place");
  Places places{of.data(), of.size(), count};
  if (rows.is_none()) return places;
  const auto named = array_view<u32>(rows);
  require(named.size() == places.n, "every sample must have a row");
  places.rows = named.data();
  return places;
}

// What is summed: the response, or the branch that a split takes; "exact": squares of a mean are exact, and "cases":
// weights are those of cases, as CHAID's tests need them.
struct Summed {
  ResponseColumns y;
  const std::uint8_t *by_low = nullptr, *branch = nullptr;
  bool exact = false, cases = false;

  Summed(const nb::dict& d, std::size_t n, std::size_t places) {
    if (nb::cast<std::string>(d["kind"]) == "branches") {
      branch = array_of<std::uint8_t>(d["branch"], n);
      if (!d["weight"].is_none()) y.weight = array_of<i64>(d["weight"], n);
      return;
    }
    y = read_response(d, n);
    exact = nb::cast<bool>(d["exact"]);
    cases = nb::cast<bool>(d["cases"]);
    if (y.kind != ResponseColumns::Kind::mean) return;
    by_low = array_of<std::uint8_t>(d["by_low"], places);
  }

  template <class Task>
  auto with_adder(const Task& task) const {
    if (branch) return task(BranchAdder{branch, y.weight});
    if (y.kind == ResponseColumns::Kind::rate) return task(RateAdder{y.high, y.low, y.weight});
    if (y.kind == ResponseColumns::Kind::mean && exact)
      return task(MeanAdder<LongSum>{y.high, y.low, y.weight, by_low});
    if (y.kind == ResponseColumns::Kind::mean) return task(MeanAdder<double>{y.high, y.low, y.weight, by_low});
    if (cases) return task(CaseAdder{y.codes, y.weight, y.n_classes});
    if (y.weight) return task(ClassAdder<i64>{y.codes, y.weight, y.n_classes});
    return task(ClassAdder<u32>{y.codes, nullptr, y.n_classes});
  }
};

// A column of a shard: (codes, number of bins or levels, values, low parts, opened). Coarse codes have 16 bits, all
// ones = missing; level codes 32, negative = missing. Values, low parts and the bins that are to be opened at every
// place may be None.
struct ShardColumn {
  const std::uint16_t* codes = nullptr;
  const std::int32_t* levels = nullptr;
  ExactValues exact;
  const std::uint8_t* opened = nullptr;
  std::size_t size = 0, rows = 0;

  ShardColumn(nb::handle item, const Places& places) {
    const auto given = nb::cast<nb::tuple>(item);
    size = nb::cast<std::size_t>(given[1]);
    if (nb::isinstance<In<std::uint16_t>>(given[0]))
      take(given[0], codes);
    else
      take(given[0], levels);
    if (!given[2].is_none()) {
      const GivenColumn numbers(given[2], given[3]);
      require(codes && numbers.rows == rows, "codes and values must fit the rows");
      exact = numbers.side_by_side<ExactValues>();
    }
    if (!given[4].is_none()) opened = array_of<std::uint8_t>(given[4], size * places.count);
    require(places.rows || rows == places.n, "every column must have one code a row");
    for (std::size_t i = 0; places.rows && i < places.n; ++i)
      if (places.rows[i] >= rows) throw std::out_of_range("there is no such row");
  }
  template <class Adder>
  Entries table(const Places& places, const Adder& adder) const {
    if (levels)
      return count(
          places, size + 1,
          [&](std::size_t i) { return std::min(std::size_t{static_cast<u32>(levels[places.row(i)])}, size); }, adder);
    return count(
        places, size + 1, [&](std::size_t i) { return std::min<std::size_t>(codes[places.row(i)], size); }, adder);
  }

 private:
  template <class T>
  void take(nb::handle given, const T*& to) {
    const auto array = array_view<T>(given);
    to = array.data();
    rows = array.size();
    bool bad = false;
    for (std::size_t i = 0; i < rows; ++i)
      bad |= (to[i] != static_cast<T>(-1)) & (static_cast<std::int64_t>(to[i]) >= static_cast<std::int64_t>(size));
    if (bad) throw std::out_of_range("a code is out of range");
  }
};

// What a pool finds of each column.
template <class Task>
auto of_columns(const nb::list& given, const Places& places, int threads, const Task& task) {
  std::vector<ShardColumn> columns;
  for (nb::handle item : given) columns.emplace_back(item, places);
  return of_each(columns.size(), Table::pool_size(threads, places.n * columns.size()),
                 [&](std::size_t j) { return task(columns[j]); });
}

nb::tuple node_stats(In<std::int16_t> of, std::size_t count, const nb::dict& response, int threads) {
  const Places places = places_from(of, count, nb::none());
  const ResponseColumns y = read_response(response, places.n);
  NodeWords out;
  const auto add_up = [&](const auto& response) {
    std::vector<typename std::decay_t<decltype(response)>::Sums> nodes(count);
    places.each([&](std::size_t i, std::size_t place) { response.add(nodes[place], static_cast<u32>(i)); });
    for (auto& node : nodes) response.put(node, out);
  };
  without_gil(threads, [&](ThreadPool&) {
    if (y.kind == ResponseColumns::Kind::classes)
      add_up(coded::WeightedMulticlassResponse{{y.codes, y.n_classes, nullptr, y.weight}});
    else if (y.kind == ResponseColumns::Kind::mean)
      add_up(coded::BothHalves{{y.high, y.low, y.weight}, {y.low, y.low, y.weight}});
    else
      add_up(coded::RateResponse{y.high, y.low, y.log, y.weight, 0, 0, &y});
  });
  return arrays(std::move(out.words), std::move(out.ends));
}

nb::list tables(In<std::int16_t> of, std::size_t count, nb::handle rows, const nb::list& columns,
                const nb::dict& summed, int threads) {
  const Places places = places_from(of, count, rows);
  const Summed sums(summed, places.n, count);
  nb::list out;
  for (Entries& e : of_columns(columns, places, threads, [&](const ShardColumn& column) {
         return sums.with_adder([&](const auto& adder) { return column.table(places, adder); });
       }))
    out.append(arrays(std::move(e.rows), std::move(e.words), std::move(e.spread)));
  return out;
}

nb::list values_in_bins(In<std::int16_t> of, std::size_t count, nb::handle rows, const nb::list& columns,
                        const nb::dict& summed, int threads) {
  const Places places = places_from(of, count, rows);
  const Summed sums(summed, places.n, count);
  nb::list out;
  for (Values& v : of_columns(columns, places, threads, [&](const ShardColumn& c) {
         require(c.codes && c.opened, "only numeric columns have bins to open");
         const auto opened = opened_rows(places, c.size, c.codes, c.exact, c.opened);
         return sums.with_adder(
             [&](const auto& adder) { return count_values(count, opened, c.exact.lows != nullptr, adder); });
       }))
    out.append(arrays(std::move(v.start), std::move(v.value), std::move(v.low), std::move(v.entries.rows),
                      std::move(v.entries.words), std::move(v.entries.spread)));
  return out;
}

// Parts of rows that are at `nodes` with whole `weights`, distributed: (row, node, weight) of every part. `known`:
// weight of the known values that go to each node from its parent, by which rows of unknown value are shared out.
nb::tuple share_out(nb::handle tree, const nb::list& columns, In<u32> rows, In<std::int32_t> nodes, In<i64> weights,
                    In<i64> known, int threads) {
  constexpr std::size_t CHUNK = 1 << 16;
  const TreeView view = tree_view(tree, nb::none());
  const Rows held(columns);
  const std::size_t n = rows.size(), n_nodes = node_count(tree);
  require(nodes.size() == n && weights.size() == n && known.size() == n_nodes,
          "every part must have a node and a weight");
  require_below(nodes, n_nodes, "there is no such node");
  held.check(rows);
  const auto n_children = array_view<std::int32_t>(tree.attr("n_children"));
  const Descent descent(view, held.views);
  std::vector<u32> row;
  std::vector<std::int32_t> node;
  std::vector<i64> weight;
  for (const auto& found : of_each((n + CHUNK - 1) / CHUNK, Table::pool_size(threads, n), [&](std::size_t chunk) {
         std::vector<RowPart> out;
         for (std::size_t i = chunk * CHUNK; i < std::min(n, (chunk + 1) * CHUNK); ++i)
           distribute(descent, view, n_children.data(), known.data(),
                      {rows.data()[i], nodes.data()[i], weights.data()[i]}, out);
         return out;
       }))
    for (const RowPart& part : found) {
      row.push_back(part.row);
      node.push_back(part.node);
      weight.push_back(part.weight);
    }
  return arrays(std::move(row), std::move(node), std::move(weight));
}

// Codes of numbers, their different values, rising, and low parts of these.
nb::tuple value_codes(In<double> values, nb::handle low_parts) {
  const double* lows = low_parts.is_none() ? nullptr : array_of<double>(low_parts, values.size());
  require(values.size() < MISSING, "a column has too many values");
  Column column = without_gil(1, [&](ThreadPool&) { return encode_numeric(copy_of(values), lows); });
  return arrays(std::move(column.codes), std::move(column.values), std::move(column.lows));
}

}  // namespace

void bind_shards(nb::module_& m) {
  m.def("shard_stats", &node_stats, "places"_a, "count"_a, "response"_a, "threads"_a,
        "Sums of the response at each place, as words.");
  m.def("shard_tables", &tables, "places"_a, "count"_a, "rows"_a.none(), "columns"_a, "summed"_a, "threads"_a,
        "Rows and sums of every bin or level of columns at each place.");
  m.def("shard_values", &values_in_bins, "places"_a, "count"_a, "rows"_a.none(), "columns"_a, "summed"_a, "threads"_a,
        "Rows and sums by exact value inside some bins of columns, at each place.");
  m.def("shard_share_out", &share_out, "tree"_a, "columns"_a, "rows"_a, "nodes"_a, "weights"_a, "known"_a, "threads"_a,
        "Row, node and weight of the parts that parts of rows become down the tree.");
  m.def("value_codes", &value_codes, "values"_a, "low_parts"_a.none(),
        "Codes of numbers, dense and in their order, and the value and low part of each code.");
}

}  // namespace boxwood

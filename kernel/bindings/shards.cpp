// Bindings: shards: what a shard adds up of its rows, and where its rows go.
#include "bindings/binding.hpp"
#include "bindings/response.hpp"
#include "bindings/shard_rows.hpp"
#include "bindings/tree_view.hpp"
#include "shards/count.hpp"
#include "shards/node_sums.hpp"
#include "shards/share_out.hpp"

namespace boxwood {
namespace {

using namespace sharded;

// What is summed: the response, or the branch that a split takes. Owns what the adders point to.
struct Summed {
  ResponseColumns y;
  std::vector<double> factors;
  std::vector<i64> middle;
  std::vector<std::uint8_t> fine;
  const std::uint8_t* branch = nullptr;
  const i64* weight = nullptr;

  Summed(const nb::dict& d, std::size_t n, std::size_t places) {
    if (nb::cast<std::string>(d["kind"]) == "branches") {
      const auto branches = array_view<std::uint8_t>(d["branch"]);
      if (branches.size() != n) throw std::invalid_argument("every row must have a branch");
      branch = branches.data();
      if (!d["weight"].is_none()) weight = array_view<i64>(d["weight"]).data();
      return;
    }
    y = read_response(d, n, factors);
    if (y.kind != ResponseColumns::Kind::mean) return;
    const auto middles = array_view<i64>(d["middle"]);
    const auto halves = array_view<std::uint8_t>(d["fine"]);
    if (middles.size() != places || halves.size() != places)
      throw std::invalid_argument("every place must have a middle");
    middle.assign(middles.data(), middles.data() + places);
    fine.assign(halves.data(), halves.data() + places);
  }

  template <class Task>
  auto with_adder(const Task& task) const {
    if (branch) return task(BranchAdder{branch, weight});
    if (y.kind == ResponseColumns::Kind::classes && !y.weight)
      return task(ClassAdder<u32>{y.codes, nullptr, y.n_classes});
    if (y.kind == ResponseColumns::Kind::classes) return task(ClassAdder<i64>{y.codes, y.weight, y.n_classes});
    if (y.kind == ResponseColumns::Kind::mean)
      return task(MeanAdder<double>{y.high, y.low, y.weight, middle.data(), fine.data()});
    return task(PoissonAdder{y.high, y.low, y.weight});
  }
};

nb::tuple entries_out(Entries&& e) { return arrays(std::move(e.rows), std::move(e.words), std::move(e.spread)); }

nb::tuple node_stats(In<std::int16_t> of, std::size_t count, const nb::dict& response, int threads) {
  const Places places = places_from(of, count);
  std::vector<double> factors;
  const ResponseColumns y = read_response(response, places.n, factors);
  NodeWords out;
  const auto add_up = [&](const auto& response) {
    std::vector<typename std::decay_t<decltype(response)>::Sums> nodes(count);
    places.each([&](std::size_t i, std::size_t place) { response.add(nodes[place], static_cast<u32>(i)); });
    for (auto& node : nodes) put(response, node, out);
  };
  without_gil(threads, [&](Team&) {
    if (y.kind == ResponseColumns::Kind::classes)
      add_up(coded::WeightedMulticlassResponse{{y.codes, y.n_classes, nullptr, y.weight}});
    else if (y.kind == ResponseColumns::Kind::mean)
      add_up(BothHalves{{y.high, y.low, y.weight}, {y.low, y.low, y.weight}});
    else
      add_up(WidePoisson{y.high, y.low, y.log, y.weight, 0, &y});
  });
  return arrays(std::move(out.words), std::move(out.ends));
}

nb::list tables(In<std::int16_t> of, std::size_t count, nb::handle rows, const nb::list& columns,
                const nb::dict& summed, int threads) {
  const Places places = places_from(of, count, rows);
  const Summed sums(summed, places.n, count);
  std::vector<CodedColumn> coded;
  for (nb::handle column : columns) coded.emplace_back(nb::cast<nb::tuple>(column), places);
  std::vector<Entries> found(coded.size());
  without_gil(Table::team_size(threads, places.n * coded.size()), [&](Team& team) {
    team.run(coded.size(), [&](std::size_t j, int) {
      found[j] = sums.with_adder([&](const auto& adder) { return coded[j].table(places, adder); });
    });
  });
  nb::list out;
  for (Entries& e : found) out.append(entries_out(std::move(e)));
  return out;
}

// A numeric column of a shard with the bins that are to be opened at every place.
struct OpenedColumn {
  CodedColumn coded;
  ExactValues exact;
  In<std::uint8_t> opened;

  // (codes, number of bins, values, opened bins, low parts or None)
  OpenedColumn(const nb::tuple& given, const Places& places)
      : coded(given, places),
        exact(exact_values(given[2], given[4], coded.rows)),
        opened(array_view<std::uint8_t>(given[3])) {
    if (!coded.codes || opened.size() != coded.size * places.count)
      throw std::invalid_argument("codes and bins must fit the rows");
  }
  template <class Adder>
  Values values(const Places& places, const Adder& adder) const {
    return count_values(places, coded.size, coded.codes, exact, opened.data(), adder);
  }
};

nb::list values_in_bins(In<std::int16_t> of, std::size_t count, nb::handle rows, const nb::list& columns,
                        const nb::dict& summed, int threads) {
  const Places places = places_from(of, count, rows);
  const Summed sums(summed, places.n, count);
  std::vector<OpenedColumn> opened;
  for (nb::handle column : columns) opened.emplace_back(nb::cast<nb::tuple>(column), places);
  std::vector<Values> found(opened.size());
  without_gil(Table::team_size(threads, places.n * opened.size()), [&](Team& team) {
    team.run(opened.size(), [&](std::size_t j, int) {
      found[j] = sums.with_adder([&](const auto& adder) { return opened[j].values(places, adder); });
    });
  });
  nb::list out;
  for (Values& v : found)
    out.append(arrays(std::move(v.start), std::move(v.value), std::move(v.low), std::move(v.entries.rows),
                      std::move(v.entries.words), std::move(v.entries.spread)));
  return out;
}

// A column of a shard as rows go down a tree: doubles and their low parts or None, floats in single precision, or level
// codes.
ColumnView view_of(const nb::tuple& given, std::size_t n) {
  ColumnView view;
  std::size_t length;
  const auto kind = nb::cast<std::string>(given[0]);
  if (kind != "numeric") {
    const auto levels = array_view<std::int32_t>(given[1]);
    view.levels = levels.data();
    view.nominal = kind == "nominal";
    length = levels.size();
  } else {
    length = take_values(given[1], view.values, view.narrow);
    view.lows = lows_of(given[2], length);
  }
  if (length != n) throw std::invalid_argument("every column must have one value a row");
  return view;
}

// Where rows end that stand at `nodes`, int32, one a row.
nb::object route(nb::handle tree, const nb::list& columns, In<std::int32_t> nodes, int threads) {
  const TreeView view = tree_view(tree, nb::none());
  const std::size_t n = nodes.size(), n_nodes = node_count(tree);
  std::vector<ColumnView> views;
  for (nb::handle column : columns) views.push_back(view_of(nb::cast<nb::tuple>(column), n));
  require_below(nodes, n_nodes, "there is no such node");
  std::vector<std::int32_t> ends(n);
  const Descent descent(view, views);
  constexpr std::size_t CHUNK = 1 << 16;
  without_gil(Table::team_size(threads, n), [&](Team& team) {
    team.run((n + CHUNK - 1) / CHUNK, [&](std::size_t chunk, int) {
      std::uint8_t met = 0;
      for (std::size_t i = chunk * CHUNK; i < std::min(n, (chunk + 1) * CHUNK); ++i)
        ends[i] = descent.end(nodes.data()[i], i, met);
    });
  });
  return to_numpy(std::move(ends));
}

// Parts of rows that stand at `nodes` with whole `weights`, distributed: (row, node, weight) of every part. `known`:
// weight of the known values that go to each node from its parent, by which rows of unknown value are shared out.
nb::tuple share_out(nb::handle tree, const nb::list& columns, In<u32> rows, In<std::int32_t> nodes, In<i64> weights,
                    In<i64> known, int threads) {
  const TreeView view = tree_view(tree, nb::none());
  const std::size_t n = rows.size(), n_nodes = node_count(tree);
  if (nodes.size() != n || weights.size() != n || known.size() != n_nodes)
    throw std::invalid_argument("every part must have a node and a weight");
  std::size_t least = std::numeric_limits<std::size_t>::max();
  std::vector<ColumnView> views;
  for (nb::handle column : columns) {
    const auto given = nb::cast<nb::tuple>(column);
    const std::size_t length = nb::len(nb::handle(given[1]));
    least = std::min(least, length);
    views.push_back(view_of(given, length));
  }
  require_below(nodes, n_nodes, "there is no such node");
  require_below(rows, least, "there is no such row");
  const auto n_children = array_view<std::int32_t>(tree.attr("n_children"));
  const Descent descent(view, views);
  constexpr std::size_t CHUNK = 1 << 16;
  std::vector<RowParts> found((n + CHUNK - 1) / CHUNK);
  without_gil(Table::team_size(threads, n), [&](Team& team) {
    team.run(found.size(), [&](std::size_t chunk, int) {
      for (std::size_t i = chunk * CHUNK; i < std::min(n, (chunk + 1) * CHUNK); ++i)
        distribute(descent, view, n_children.data(), known.data(), {rows.data()[i], nodes.data()[i], weights.data()[i]},
                   found[chunk]);
    });
  });
  RowParts all;
  for (const RowParts& part : found) all.join(part);
  return arrays(std::move(all.row), std::move(all.node), std::move(all.weight));
}

}  // namespace

void bind_shards(nb::module_& m) {
  m.def("shard_stats", &node_stats, "places"_a, "count"_a, "response"_a, "threads"_a,
        "Sums of the response at each place, as words.");
  m.def("shard_tables", &tables, "places"_a, "count"_a, "rows"_a.none(), "columns"_a, "summed"_a, "threads"_a,
        "Rows and sums of every bin or level of columns at each place.");
  m.def("shard_values", &values_in_bins, "places"_a, "count"_a, "rows"_a.none(), "columns"_a, "summed"_a, "threads"_a,
        "Rows and sums by exact value inside some bins of columns, at each place.");
  m.def("shard_route", &route, "tree"_a, "columns"_a, "nodes"_a, "threads"_a,
        "Where rows end that stand at some nodes of a tree.");
  m.def("shard_share_out", &share_out, "tree"_a, "columns"_a, "rows"_a, "nodes"_a, "weights"_a, "known"_a, "threads"_a,
        "Row, node and weight of the parts that parts of rows become on their way down.");
}

}  // namespace boxwood

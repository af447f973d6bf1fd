// The door to sending rows down a tree.
#include "../apply.hpp"
#include "door.hpp"
#include "doors.hpp"

namespace boxwood {
namespace {

SplitView split_view(nb::handle table) {
  const auto ints = [&](const char* name) { return array_view<std::int32_t>(table.attr(name)).data(); };
  const auto reals = [&](const char* name) { return array_view<double>(table.attr(name)).data(); };
  return {ints("feature"), ints("breaks_start"), ints("index_start"), ints("position"), ints("index"), reals("breaks"),
          reals("breaks_low")};
}

TreeView tree_view(nb::handle tree, const std::int32_t* unseen) {
  const auto ints = [&](const char* name) { return array_view<std::int32_t>(tree.attr(name)).data(); };
  return {ints("first_child"), ints("missing"), ints("surrogate_start"), unseen, split_view(tree.attr("splits")),
          split_view(tree.attr("surrogates"))};
}

// Coded rows down a tree whose cuts are by rank: the node each ends in.
nb::object apply_coded(nb::handle tree, const Table& table, In<std::uint32_t> rows, int threads) {
  const TreeView view = tree_view(tree, nullptr);
  std::vector<ColumnView> views;
  for (const Column& column : table.columns()) {
    ColumnView coded;
    coded.codes = column.codes.data();
    coded.nominal = column.kind == Kind::nominal;
    views.push_back(coded);
  }
  std::vector<std::int32_t> leaf(rows.size());
  std::vector<std::uint8_t> met(rows.size());
  const std::size_t n_nodes = array_view<std::int32_t>(tree.attr("missing")).size();
  without_gil(rows.size() < 20'000 ? 1 : threads, [&](Team& team) {
    apply(view, n_nodes, views, rows.data(), rows.size(), leaf.data(), met.data(), team);
  });
  return to_numpy(std::move(leaf));
}

// Columns as (kind, values or level codes, lows or None); `tree` is a tree.Tree whose arrays have been validated.
nb::tuple apply_tree(nb::handle tree, MaybeIn<std::int32_t> unseen, const nb::list& columns, std::size_t rows, int threads) {
  const TreeView view = tree_view(tree, unseen ? unseen->data() : nullptr);
  std::vector<ColumnView> views;
  for (nb::handle item : columns) {
    const auto entry = nb::cast<nb::tuple>(item);
    ColumnView column;
    const auto kind = nb::cast<std::string>(entry[0]);
    std::size_t length;
    if (kind == "numeric") {
      const auto values = nb::cast<nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>>(entry[1], false);
      column.values = values.data();
      column.stride = values.stride(0);
      length = values.size();
      if (!entry[2].is_none()) column.lows = array_view<double>(entry[2]).data();
    } else {
      const auto levels = array_view<std::int32_t>(entry[1]);
      column.levels = levels.data();
      column.nominal = kind == "nominal";
      length = levels.size();
    }
    if (length != rows) throw std::invalid_argument("every column must have one value a row");
    views.push_back(column);
  }
  const std::size_t n_nodes = array_view<std::int32_t>(tree.attr("missing")).size();
  std::vector<std::int32_t> leaf(rows);
  std::vector<std::uint8_t> met(rows);
  without_gil(rows < 20'000 ? 1 : threads, [&](Team& team) {
    apply(view, n_nodes, views, nullptr, rows, leaf.data(), met.data(), team);
  });
  return nb::make_tuple(to_numpy(std::move(leaf)), to_numpy(std::move(met)));
}

}  // namespace

void open_prediction(nb::module_& m) {
  m.def("apply_coded", &apply_coded, "tree"_a, "table"_a, "rows"_a, "threads"_a);
  m.def("apply", &apply_tree, "tree"_a, "unseen"_a.none(), "columns"_a, "rows"_a, "threads"_a);
}

}  // namespace boxwood

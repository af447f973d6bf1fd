// Bindings of Shapley values.
#include "bindings/columns.hpp"
#include "bindings/tree_view.hpp"
#include "explain/shap.hpp"

namespace boxwood {
namespace {

// Values as one flat array (rows x features x width). `nodes`: (share, cover, stays, prediction), see GameTree.
nb::object shap_tree(nb::handle tree, nb::handle unseen, nb::handle columns, nb::handle background,
                     const nb::tuple& nodes, std::size_t points, int threads) {
  const TreeView view = tree_view(tree, unseen);
  const std::size_t n_nodes = node_count(tree);
  const Rows rows(columns);
  std::optional<Rows> others;
  if (!background.is_none()) others.emplace(background);
  const auto share = array_view<double>(nodes[0]), cover = array_view<double>(nodes[1]),
             stays = array_view<double>(nodes[2]);
  const auto prediction = nb::cast<InMatrix<double>>(nodes[3], false);
  const auto n_children = array_view<std::int32_t>(tree.attr("n_children"));
  for (const std::size_t size : {share.size(), cover.size(), stays.size(), prediction.shape(0), n_children.size()})
    require(size == n_nodes, "every node must have its shares and prediction");
  require(!others || (others->count > 0 && others->views.size() == rows.views.size()),
          "the background must have rows with the same columns");
  require(points > 0, "at least one point is needed");
  const GameTree game{n_children.data(), share.data(), cover.data(),       stays.data(),
                      prediction.data(), n_nodes,      prediction.shape(1)};
  std::vector<double> values(rows.count * rows.views.size() * game.width);
  without_gil(threads, [&](Team& team) {
    const Quadrature quadrature(points);
    shapley(view, game, quadrature, rows.views, rows.count, others ? &others->views : nullptr,
            others ? others->count : 0, values.data(), team);
  });
  return to_numpy(std::move(values));
}

}  // namespace

void bind_explaining(nb::module_& m) {
  m.def("shap", &shap_tree, "tree"_a, "unseen"_a.none(), "columns"_a, "background"_a.none(), "nodes"_a, "points"_a,
        "threads"_a);
}

}  // namespace boxwood

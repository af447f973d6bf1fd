// The door to Shapley values.
#include "bindings/binding.hpp"
#include "bindings/bindings.hpp"
#include "bindings/rows.hpp"
#include "bindings/tree_view.hpp"
#include "explain/shap.hpp"

namespace boxwood {
namespace {

using Says = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Values as one flat array (rows x features x width). `facts`: (share, cover, stays, says) of the nodes, see GameFacts.
nb::object shap_tree(nb::handle tree, nb::handle unseen, nb::handle columns, nb::handle background,
                     const nb::tuple& facts, std::size_t points, int threads) {
  const TreeView view = tree_view(tree, unseen);
  const std::size_t n_nodes = node_count(tree);
  const Rows rows(columns);
  std::optional<Rows> others;
  if (!background.is_none()) others.emplace(background);
  const auto share = array_view<double>(facts[0]), cover = array_view<double>(facts[1]),
             stays = array_view<double>(facts[2]);
  const auto says = nb::cast<Says>(facts[3], false);
  const auto n_children = array_view<std::int32_t>(tree.attr("n_children"));
  for (const std::size_t size : {share.size(), cover.size(), stays.size(), says.shape(0), n_children.size()})
    if (size != n_nodes) throw std::invalid_argument("every node must have its facts");
  if (others && (others->count == 0 || others->views.size() != rows.views.size()))
    throw std::invalid_argument("the background must have rows with the same columns");
  if (points == 0) throw std::invalid_argument("at least one point is needed");
  const GameFacts game{n_children.data(), share.data(), cover.data(), stays.data(),
                       says.data(),       n_nodes,      says.shape(1)};
  std::vector<double> values(rows.count * rows.views.size() * game.width);
  without_gil(threads, [&](Team& team) {
    const Quadrature quadrature(points);
    shapley(view, game, quadrature, rows.views, rows.count, others ? &others->views : nullptr,
            others ? others->count : 0, values.data(), team);
  });
  return to_numpy(std::move(values));
}

}  // namespace

void open_explaining(nb::module_& m) {
  m.def("shap", &shap_tree, "tree"_a, "unseen"_a.none(), "columns"_a, "background"_a.none(), "facts"_a, "points"_a,
        "threads"_a);
}

}  // namespace boxwood

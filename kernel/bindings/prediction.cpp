// Bindings: rows down a tree: whole, in fractions, and as games of their features (Shapley values).
#include "bindings/columns.hpp"
#include "bindings/tree_view.hpp"
#include "explain/shap.hpp"
#include "predict/fractional.hpp"

namespace boxwood {
namespace {

// Where rows end (all of them when `which` is None), and what happened to them on the path; a row that is shared out
// ends where that begins. `start`: the node that each row is at, None = the root.
nb::tuple apply_tree(nb::handle tree, nb::handle unseen, nb::handle columns, MaybeIn<std::uint32_t> which, int threads,
                     MaybeIn<std::int32_t> start) {
  const TreeView view = tree_view(tree, unseen);
  const Rows rows(columns);
  if (which) rows.check(*which);
  const std::size_t count = which ? which->size() : rows.count;
  require(!start || start->size() == count, "every row must have a node");
  if (start) require_below(*start, node_count(tree), "there is no such node");
  std::vector<std::int32_t> leaf(count);
  std::vector<std::uint8_t> flags(count);
  without_gil(count < 20'000 ? 1 : threads, [&](ThreadPool& pool) {
    apply(view, rows.views, which ? which->data() : nullptr, start ? start->data() : nullptr, count, leaf.data(),
          flags.data(), pool);
  });
  return arrays(std::move(leaf), std::move(flags));
}

// What a shared descent needs to know of the tree besides its view.
SharedDescent shared_descent(const TreeView& view, nb::handle tree, const Rows& rows, const In<double>& share) {
  require(share.size() == node_count(tree), "every node must have a share");
  return {view, rows.views, array_view<std::int32_t>(tree.attr("n_children")).data(), share.data()};
}

// The largest part of each row, what happened to it on the path, and (row by row) the mixture of `values`, which have
// one row a node.
nb::tuple mix_tree(nb::handle tree, nb::handle unseen, nb::handle columns, In<std::uint32_t> which,
                   const nb::tuple& share_and_values, int threads) {
  const auto share = array_view<double>(share_and_values[0]);
  const auto values = nb::cast<InMatrix<double>>(share_and_values[1], false);
  const TreeView view = tree_view(tree, unseen);
  const Rows rows(columns);
  rows.check(which);
  const SharedDescent descent = shared_descent(view, tree, rows, share);
  require(values.shape(0) == share.size(), "every node must have values");
  const NodeValues of_nodes{values.data(), values.shape(1)};
  std::vector<std::int32_t> largest(which.size());
  std::vector<std::uint8_t> flags(which.size());
  std::vector<double> mixture(which.size() * of_nodes.width);
  without_gil(which.size() < 2'000 ? 1 : threads, [&](ThreadPool& pool) {
    mix(descent, which.data(), which.size(), of_nodes, largest.data(), flags.data(), mixture.data(), pool);
  });
  return arrays(std::move(largest), std::move(flags), std::move(mixture));
}

nb::tuple parts_tree(nb::handle tree, nb::handle unseen, nb::handle columns, In<std::uint32_t> which,
                     In<double> share) {
  const TreeView view = tree_view(tree, unseen);
  const Rows rows(columns);
  rows.check(which);
  const SharedDescent descent = shared_descent(view, tree, rows, share);
  Parts parts;
  without_gil(1, [&](ThreadPool& pool) { parts = parts_of(descent, which.data(), which.size(), pool.interrupts()); });
  return arrays(std::move(parts.start), std::move(parts.node), std::move(parts.share));
}

// Shapley values as one flat array (rows x features x width). `nodes`: (share, cover, stays, prediction), see GameTree;
// `quadrature`: points and weights.
nb::object shap_tree(nb::handle tree, nb::handle unseen, nb::handle columns, nb::handle background,
                     const nb::tuple& nodes, const nb::tuple& quadrature, int threads) {
  const TreeView view = tree_view(tree, unseen);
  const std::size_t n_nodes = node_count(tree);
  const Rows rows(columns);
  std::optional<Rows> others;
  if (!background.is_none()) others.emplace(background);
  const double *share = array_of<double>(nodes[0], n_nodes), *cover = array_of<double>(nodes[1], n_nodes),
               *stays = array_of<double>(nodes[2], n_nodes);
  const auto prediction = nb::cast<InMatrix<double>>(nodes[3], false);
  const auto n_children = array_view<std::int32_t>(tree.attr("n_children"));
  require(prediction.shape(0) == n_nodes && n_children.size() == n_nodes, "every node must have its prediction");
  require(!others || (others->count > 0 && others->views.size() == rows.views.size()),
          "the background must have rows with the same columns");
  const auto points = array_view<double>(quadrature[0]);
  require(points.size() > 0, "at least one point is needed");
  const Quadrature rule{points.data(), array_of<double>(quadrature[1], points.size()), points.size()};
  const GameTree game{view, n_children.data(), share, cover, stays, prediction.data(), n_nodes, prediction.shape(1)};
  std::vector<double> values(rows.count * rows.views.size() * game.width);
  without_gil(threads, [&](ThreadPool& pool) {
    shapley(game, rule, rows.views, rows.count, others ? &others->views : nullptr, others ? others->count : 0,
            values.data(), pool);
  });
  return to_numpy(std::move(values));
}

}  // namespace

void bind_prediction(nb::module_& m) {
  m.def("apply", &apply_tree, "tree"_a, "unseen"_a.none(), "columns"_a, "which"_a.none(), "threads"_a,
        "start"_a.none() = nb::none());
  m.def("mix", &mix_tree, "tree"_a, "unseen"_a.none(), "columns"_a, "which"_a, "share_and_values"_a, "threads"_a);
  m.def("parts", &parts_tree, "tree"_a, "unseen"_a.none(), "columns"_a, "which"_a, "share"_a);
  m.def("shap", &shap_tree, "tree"_a, "unseen"_a.none(), "columns"_a, "background"_a.none(), "nodes"_a, "quadrature"_a,
        "threads"_a);
}

}  // namespace boxwood

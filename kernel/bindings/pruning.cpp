// Bindings of pruning: estimated errors, subtree raising, weakest links, losses of held-out rows.
#include "bindings/columns.hpp"
#include "bindings/tree_view.hpp"
#include "prune/held_out.hpp"
#include "prune/raising.hpp"
#include "prune/rule_conditions.hpp"
#include "prune/weakest_links.hpp"

namespace boxwood {
namespace {

Pessimism pessimism_from(const nb::dict& d) {
  return {nb::cast<double>(d["log_confidence"]), nb::cast<double>(d["squared_z"]), nb::cast<bool>(d["two_thirds"]),
          nb::cast<bool>(d["last_largest"])};
}

nb::object added_errors(In<double> weight, In<double> errors, const nb::dict& rule) {
  require(weight.size() == errors.size(), "there must be as many errors as weights");
  const Pessimism pessimism = pessimism_from(rule);
  std::vector<double> added(weight.size());
  for (std::size_t i = 0; i < added.size(); ++i) added[i] = pessimism.added(weight.data()[i], errors.data()[i]);
  return to_numpy(std::move(added));
}

// (node it was, whether it is a leaf, rows, class weights) of each node. `cases`: rows of the columns, their classes,
// their weights (whole multiples of rule["unit"]), and whether some node may share a row out.
nb::tuple prune_and_raise(nb::handle tree, nb::handle columns, const nb::tuple& cases, const nb::dict& rule,
                          std::int32_t n_classes) {
  const auto rows = array_view<std::uint32_t>(cases[0]);
  const auto codes = array_view<std::int32_t>(cases[1]);
  const auto weights = array_view<std::int64_t>(cases[2]);
  const std::uint8_t* fractional = array_of<std::uint8_t>(cases[3], rows.size());
  require(codes.size() == rows.size() && weights.size() == rows.size(), "every row must have a class and a weight");
  const Rows table(columns);
  table.check(rows);
  require_below(codes, static_cast<std::size_t>(n_classes), "there is no such class");
  std::vector<Case> given[2];
  for (std::size_t i = 0; i < rows.size(); ++i)
    given[fractional[i] != 0].push_back({rows.data()[i], codes.data()[i], weights.data()[i]});
  const TreeView view = tree_view(tree, nb::none());
  const std::int32_t* n_children = array_view<std::int32_t>(tree.attr("n_children")).data();
  const CaseRouter router(view, n_children, node_count(tree), table.views);
  const auto unit = nb::cast<double>(rule["unit"]);
  const Pessimism pessimism = pessimism_from(rule);
  Raised raised = without_gil(1, [&](ThreadPool& pool) {
    return Raising(router, n_classes, unit, pessimism, pool.interrupts())
        .prune(std::move(given[0]), std::move(given[1]));
  });
  return arrays(std::move(raised.origin), std::move(raised.leaf), std::move(raised.rows), std::move(raised.classes));
}

// (places of the conditions that stay, rows covered, weight, weight of errors, estimated error rate) of a rule.
// `failing`: for each condition a bit for each row; `whole`: the error rate of the predicted class on the whole.
nb::tuple simplified_rule(InMatrix<std::uint64_t> failing, const nb::tuple& cases, std::int32_t predicted, double whole,
                          const nb::dict& rule) {
  const auto y = array_view<std::int32_t>(cases[0]);
  const std::int64_t* weight = array_of<std::int64_t>(cases[1], y.size());
  require(failing.shape(1) == (y.size() + 63) / 64, "every row must have a bit for each condition");
  const RuleRows rows{y.data(), weight, y.size(), nb::cast<double>(rule["unit"]), predicted, whole};
  const Pessimism pessimism = pessimism_from(rule);
  RuleConditions conditions(rows, failing.data(), failing.shape(0), pessimism);
  conditions.simplify();
  return nb::make_tuple(to_numpy(conditions.kept()), to_numpy(conditions.covered()), conditions.sums().weight,
                        conditions.sums().errors, conditions.rate());
}

// Children must follow their parent.
void require_parents(const In<std::int32_t>& parent) {
  for (std::size_t t = 0; t < parent.size(); ++t)
    if (parent.data()[t] >= static_cast<std::int64_t>(t) || (t > 0 && parent.data()[t] < 0))
      throw std::out_of_range("child indices must exceed their parent's");
}

void require_links(const In<std::int32_t>& parent, const In<std::int32_t>& first_child,
                   const In<std::int32_t>& n_children) {
  require(n_children.size() == first_child.size() && parent.size() == first_child.size(),
          "every node must have a parent and children");
  require_parents(parent);
  const auto nodes = static_cast<std::int64_t>(first_child.size());
  for (std::int64_t t = 0; t < nodes; ++t) {
    const std::int64_t child = first_child.data()[t], count = n_children.data()[t];
    if (count < 0 || (count > 0 && (child <= t || child + count > nodes)))
      throw std::out_of_range("child indices must exceed their parent's");
  }
}

// (collapses_at, alphas, n_leaves, risks) of the weakest-link family.
nb::tuple weakest_links_of(In<std::int32_t> parent, In<std::int32_t> first_child, In<std::int32_t> n_children,
                           In<double> risk, double tolerance) {
  require_links(parent, first_child, n_children);
  require(risk.size() == parent.size(), "every node must have a risk");
  const TreeShape tree{parent.data(), first_child.data(), n_children.data(), parent.size(), tolerance};
  Family family = without_gil(1, [&](ThreadPool&) { return family_of(tree, copy_of(risk)); });
  return arrays(std::move(family.collapses_at), std::move(family.alphas), std::move(family.n_leaves),
                std::move(family.risks));
}

// `rows`: node, response, weight and what weighs squares of each.
std::vector<HeldOutRow> held_out_rows(const nb::tuple& rows, std::size_t nodes) {
  const auto node = array_view<std::int64_t>(rows[0]);
  const std::size_t n = node.size();
  const double *y = array_of<double>(rows[1], n), *weight = array_of<double>(rows[2], n);
  const double* square = array_of<double>(rows[3], n);
  require_below(node, nodes, "there is no such node");
  std::vector<HeldOutRow> given(n);
  for (std::size_t i = 0; i < n; ++i)
    given[i] = {static_cast<std::int32_t>(node.data()[i]), y[i], weight[i], square[i]};
  return given;
}

NestedNodes nested_nodes(const In<std::int32_t>& parent, const In<double>& collapses_at, const In<double>& betas) {
  require(collapses_at.size() == parent.size(), "every node must have an alpha");
  require_parents(parent);
  return {parent.data(), collapses_at.data(), parent.size(), betas.data(), betas.size()};
}

nb::object squared_error_changes_of(In<std::int32_t> parent, In<double> collapses_at, In<double> betas,
                                    const nb::tuple& rows, In<double> predicted) {
  const NestedNodes family = nested_nodes(parent, collapses_at, betas);
  require(predicted.size() == parent.size(), "every node must have a prediction");
  const auto given = held_out_rows(rows, family.nodes);
  return to_numpy(without_gil(1, [&](ThreadPool&) { return squared_error_changes(family, predicted.data(), given); }));
}

// `trees`: (parent, collapses_at, betas, rows) of each. `losses(node, class)`: several tables of the losses of some
// classes at some nodes, one a row; the nodes of a tree are numbered after those of the trees before it.
nb::object class_loss_changes_of(const nb::list& trees, const nb::callable& losses, std::size_t n_classes,
                                 std::size_t strata) {
  require(strata == 1 || strata == n_classes, "strata are one, or one a class");
  std::vector<NestedNodes> families;
  std::vector<std::vector<ClassAtNode>> held;
  std::vector<std::int32_t> node, of_class;
  std::int32_t start = 0;
  for (const nb::handle one : trees) {
    const auto tree = nb::cast<nb::tuple>(one);
    const NestedNodes family =
        nested_nodes(array_view<std::int32_t>(tree[0]), array_view<double>(tree[1]), array_view<double>(tree[2]));
    const auto given = held_out_rows(nb::cast<nb::tuple>(tree[3]), family.nodes);
    const auto is_class = [&](const HeldOutRow& row) { return row.y >= 0 && row.y < static_cast<double>(n_classes); };
    if (!std::all_of(given.begin(), given.end(), is_class)) throw std::out_of_range("responses must be class numbers");
    held.push_back(without_gil(1, [&](ThreadPool&) { return classes_at_nodes(family, n_classes, given); }));
    for (const ClassAtNode& at : held.back()) node.push_back(start + at.node), of_class.push_back(at.of);
    families.push_back(family);
    start += static_cast<std::int32_t>(family.nodes);
  }
  const std::size_t size = node.size();
  const auto found =
      nb::cast<InMatrix<double>>(losses(to_numpy(std::move(node)), to_numpy(std::move(of_class))), false);
  require(found.shape(1) == size, "every class at a node must have a loss");
  ClassLosses tables{found.data(), found.shape(0), size, n_classes};
  return to_numpy(without_gil(1, [&](ThreadPool&) {
    std::vector<double> changes;
    for (std::size_t i = 0; i < families.size(); tables.loss += held[i++].size()) {
      const auto of_tree = class_loss_changes(families[i], held[i], tables, strata);
      changes.insert(changes.end(), of_tree.begin(), of_tree.end());
    }
    return changes;
  }));
}

}  // namespace

void bind_pruning(nb::module_& m) {
  m.def("weakest_links", &weakest_links_of, "parent"_a, "first_child"_a, "n_children"_a, "risk"_a, "tolerance"_a);
  m.def("squared_error_changes", &squared_error_changes_of, "parent"_a, "collapses_at"_a, "betas"_a, "rows"_a,
        "predicted"_a);
  m.def("class_loss_changes", &class_loss_changes_of, "trees"_a, "losses"_a, "n_classes"_a, "strata"_a);
  m.def("added_errors", &added_errors, "weight"_a, "errors"_a, "rule"_a);
  m.def("simplified_rule", &simplified_rule, "failing"_a, "cases"_a, "predicted"_a, "whole"_a, "rule"_a);
  m.def("prune_and_raise", &prune_and_raise, "tree"_a, "columns"_a, "cases"_a, "rule"_a, "n_classes"_a);
}

}  // namespace boxwood

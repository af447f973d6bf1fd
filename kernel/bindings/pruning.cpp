// The door to pruning: estimated errors, raising with the cases at hand, weakest links, losses of held-out rows.
#include "bindings/binding.hpp"
#include "bindings/bindings.hpp"
#include "bindings/tree_view.hpp"
#include "prune/held_out.hpp"
#include "prune/raising.hpp"
#include "prune/weakest_links.hpp"

namespace boxwood {
namespace {

Pessimism pessimism_from(const nb::dict& d) {
  return {nb::cast<double>(d["log_confidence"]), nb::cast<double>(d["squared_z"]), nb::cast<bool>(d["two_thirds"]),
          nb::cast<bool>(d["last_largest"])};
}

nb::object added_errors(In<double> weight, In<double> errors, const nb::dict& rule) {
  if (weight.size() != errors.size()) throw std::invalid_argument("there must be as many errors as weights");
  const Pessimism pessimism = pessimism_from(rule);
  std::vector<double> added(weight.size());
  for (std::size_t i = 0; i < added.size(); ++i) added[i] = pessimism.added(weight.data()[i], errors.data()[i]);
  return to_numpy(std::move(added));
}

// `cases`: rows of the table, their classes, and their weights (whole multiples of rule["unit"]).
nb::dict prune_and_raise(nb::handle tree, const Table& table, const nb::tuple& cases, const nb::dict& rule,
                         std::int32_t n_classes, bool by_rank) {
  const auto rows = array_view<std::uint32_t>(cases[0]);
  const auto codes = array_view<std::int32_t>(cases[1]);
  const auto weights = array_view<std::int64_t>(cases[2]);
  if (codes.size() != rows.size() || weights.size() != rows.size())
    throw std::invalid_argument("every row must have a class and a weight");
  std::vector<Case> given(rows.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    given[i] = {rows.data()[i], codes.data()[i], weights.data()[i]};
    if (given[i].row >= table.rows() || given[i].y < 0 || given[i].y >= n_classes)
      throw std::out_of_range("there is no such row or class");
  }
  const TreeView view = tree_view(tree, nb::none());
  const auto positions = array_view<std::int32_t>(tree.attr("splits").attr("n_positions"));
  const Raising::Setup setup{view,
                             array_view<std::int32_t>(tree.attr("n_children")).data(),
                             node_count(tree),
                             array_view<std::int32_t>(tree.attr("surrogates").attr("feature")).size(),
                             positions.data(),
                             table.columns(),
                             by_rank,
                             n_classes,
                             nb::cast<double>(rule["unit"]),
                             pessimism_from(rule)};
  Raised raised;
  without_gil(1, [&](Team& team) { raised = Raising(setup, team.watch()).prune(given); });
  nb::dict out;
  out["origin"] = to_numpy(std::move(raised.origin));
  out["parent"] = to_numpy(std::move(raised.parent));
  out["leaf"] = to_numpy(std::move(raised.leaf));
  out["rows"] = to_numpy(std::move(raised.rows));
  out["classes"] = to_numpy(std::move(raised.classes));
  return out;
}

void check_links(const In<std::int32_t>& parent, const In<std::int32_t>& first_child,
                 const In<std::int32_t>& n_children) {
  if (n_children.size() != first_child.size() || parent.size() != first_child.size())
    throw std::invalid_argument("every node must have a parent and children");
  const auto nodes = static_cast<std::int64_t>(first_child.size());
  for (std::int64_t t = 0; t < nodes; ++t) {
    const std::int64_t child = first_child.data()[t], count = n_children.data()[t];
    if (count < 0 || (count > 0 && (child <= t || child + count > nodes)) || parent.data()[t] >= t ||
        (t > 0 && parent.data()[t] < 0))
      throw std::out_of_range("children stand behind their parent");
  }
}

// (collapses_at, alphas, n_leaves, risks) of the weakest-link family.
nb::tuple weakest_links_of(In<std::int32_t> parent, In<std::int32_t> first_child, In<std::int32_t> n_children,
                           In<double> risk, double tolerance) {
  check_links(parent, first_child, n_children);
  if (risk.size() != parent.size()) throw std::invalid_argument("every node must have a risk");
  const Links tree{parent.data(), first_child.data(), n_children.data(), parent.size(), tolerance};
  Family family;
  without_gil(1, [&](Team&) { family = family_of(tree, {risk.data(), risk.data() + risk.size()}); });
  return nb::make_tuple(to_numpy(std::move(family.collapses_at)), to_numpy(std::move(family.alphas)),
                        to_numpy(std::move(family.n_leaves)), to_numpy(std::move(family.risks)));
}

// `rows`: node, response and weight of each, and how many are alike (or None: one each); `said`: of each node; `table`:
// losses of classes, K * K, or None for squared differences.
nb::object loss_changes_of(In<std::int32_t> parent, In<double> collapses_at, In<double> betas, const nb::tuple& rows,
                           In<double> said, MaybeIn<double> table) {
  const auto node = array_view<std::int64_t>(rows[0]);
  const auto y = array_view<double>(rows[1]), weight = array_view<double>(rows[2]);
  MaybeIn<std::int64_t> count;
  if (!rows[3].is_none()) count = array_view<std::int64_t>(rows[3]);
  if (count && count->size() != node.size()) throw std::invalid_argument("every row must have a number");
  if (collapses_at.size() != parent.size() || said.size() != parent.size() || y.size() != node.size() ||
      weight.size() != node.size())
    throw std::invalid_argument(
        "every node must have a price and say something, every row have a response and a weight");
  const auto n_classes =
      static_cast<std::int32_t>(table ? std::lround(std::sqrt(static_cast<double>(table->size()))) : 0);
  const auto is_class = [&](double k) { return !table || (k >= 0 && k < n_classes); };
  for (std::size_t t = 0; t < parent.size(); ++t)
    if (parent.data()[t] >= static_cast<std::int64_t>(t) || (t > 0 && parent.data()[t] < 0) ||
        !is_class(said.data()[t]))
      throw std::out_of_range("children stand behind their parent, and say a class");
  std::vector<HeldOutRow> given(node.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    given[i] = {static_cast<std::int32_t>(node.data()[i]), y.data()[i], weight.data()[i], count ? count->data()[i] : 1};
    if (node.data()[i] < 0 || node.data()[i] >= static_cast<std::int64_t>(parent.size()) || !is_class(given[i].y))
      throw std::out_of_range("there is no such node or class");
  }
  const NestedNodes family{parent.data(), collapses_at.data(), parent.size(), betas.data(), betas.size()};
  std::vector<double> changes;
  without_gil(1, [&](Team&) {
    changes = loss_changes(family, {said.data(), table ? table->data() : nullptr, n_classes}, given);
  });
  return to_numpy(std::move(changes));
}

}  // namespace

void open_pruning(nb::module_& m) {
  m.def("weakest_links", &weakest_links_of, "parent"_a, "first_child"_a, "n_children"_a, "risk"_a, "tolerance"_a);
  m.def("loss_changes", &loss_changes_of, "parent"_a, "collapses_at"_a, "betas"_a, "rows"_a, "said"_a,
        "table"_a.none());
  m.def("added_errors", &added_errors, "weight"_a, "errors"_a, "rule"_a);
  m.def("prune_and_raise", &prune_and_raise, "tree"_a, "table"_a, "cases"_a, "rule"_a, "n_classes"_a, "by_rank"_a);
}

}  // namespace boxwood

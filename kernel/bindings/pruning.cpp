// The door to pruning by estimated errors: what is added to errors, and raising with the cases at hand.
#include "../pruning/raising.hpp"
#include "../pruning/weakest_links.hpp"
#include "door.hpp"
#include "doors.hpp"
#include "tree_view.hpp"

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
nb::dict prune_and_raise(nb::handle tree, const Table& table, const nb::tuple& cases, const nb::dict& rule, std::int32_t n_classes,
                         bool by_rank) {
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
  const Raising::Setup setup{view, array_view<std::int32_t>(tree.attr("n_children")).data(), node_count(tree),
                             array_view<std::int32_t>(tree.attr("surrogates").attr("feature")).size(), positions.data(), table.columns(),
                             by_rank, n_classes, nb::cast<double>(rule["unit"]), pessimism_from(rule)};
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

nb::object own_collapse_of(In<std::int32_t> first_child, In<std::int32_t> n_children, In<double> risk, double tolerance) {
  if (n_children.size() != first_child.size() || risk.size() != first_child.size())
    throw std::invalid_argument("every node must have its children and a risk");
  const auto nodes = static_cast<std::int64_t>(first_child.size());
  for (std::int64_t t = 0; t < nodes; ++t) {
    const std::int64_t child = first_child.data()[t], count = n_children.data()[t];
    if (count < 0 || (count > 0 && (child <= t || child + count > nodes))) throw std::out_of_range("children stand behind their parent");
  }
  const Links tree{first_child.data(), n_children.data(), first_child.size(), tolerance};
  std::vector<double> own;
  without_gil(1, [&](Team&) { own = own_collapse(tree, {risk.data(), risk.data() + risk.size()}); });
  return to_numpy(std::move(own));
}

}  // namespace

void open_pruning(nb::module_& m) {
  m.def("own_collapse", &own_collapse_of, "first_child"_a, "n_children"_a, "risk"_a, "tolerance"_a);
  m.def("added_errors", &added_errors, "weight"_a, "errors"_a, "rule"_a);
  m.def("prune_and_raise", &prune_and_raise, "tree"_a, "table"_a, "cases"_a, "rule"_a, "n_classes"_a, "by_rank"_a);
}

}  // namespace boxwood

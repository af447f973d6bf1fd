// Bindings of grown trees: their arrays by name, as a dictionary of copies or one by one as views.
#include "bindings/nodes.hpp"

namespace boxwood {
namespace {

// Calls f(name, array) for every array, in the order of SplitTable's fields.
template <class F>
void each_array(SplitRows& rows, const F& f) {
  f("feature", rows.feature);
  f("breaks_start", rows.breaks_start);
  f("breaks", rows.breaks);
  f("breaks_low", rows.lows);
  f("n_positions", rows.n_positions);
  f("index_start", rows.index_start);
  f("position", rows.position);
  f("index", rows.index);
}

template <class F>
void each_array(GrownNodes& nodes, const F& f) {
  f("parent", nodes.parent);
  f("first_child", nodes.first_child);
  f("n_children", nodes.n_children);
  f("moments", nodes.moments);
  f("rows", nodes.rows);
  f("missing", nodes.missing);
  f("heuristic", nodes.heuristic);
  f("score", nodes.score);
  f("surrogate_start", nodes.surrogate_start);
  f("agreement", nodes.agreement);
  f("adjusted", nodes.adjusted);
  f("competitor_start", nodes.competitor_start);
  f("competitor_score", nodes.competitor_score);
}

template <class F>
void each_table(GrownNodes& nodes, const F& f) {
  f("splits", nodes.splits);
  f("surrogates", nodes.surrogates);
  f("competitors", nodes.competitors);
}

template <class T>
nb::object view(std::vector<T>& data, nb::handle owner) {
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data.data(), {data.size()}, owner).cast();
}

}  // namespace

nb::dict grown_nodes(GrownNodes nodes) {
  nb::dict out;
  const auto put_in = [](nb::dict& to) {
    return [&to](const char* name, auto& array) { to[name] = to_numpy(std::move(array)); };
  };
  each_array(nodes, put_in(out));
  each_table(nodes, [&](const char* name, SplitRows& rows) {
    nb::dict table;
    each_array(rows, put_in(table));
    out[name] = table;
  });
  if (!nodes.log_p.empty()) out["log_p"] = to_numpy(std::move(nodes.log_p));
  return out;
}

nb::object Nodes::array(nb::handle_t<Nodes> self, const std::string& name) {
  nb::object found;
  each_array(nb::cast<Nodes&>(self).nodes_, [&](const char* known, auto& array) {
    if (name == known) found = view(array, self);
  });
  require(found.is_valid(), "nodes have no such array");
  return found;
}

// In the order of SplitTable's fields.
nb::tuple Nodes::table(nb::handle_t<Nodes> self, const std::string& name) {
  nb::list found;
  each_table(nb::cast<Nodes&>(self).nodes_, [&](const char* known, SplitRows& rows) {
    if (name == known) each_array(rows, [&](const char*, auto& array) { found.append(view(array, self)); });
  });
  require(nb::len(found) > 0, "nodes have no such table");
  return nb::tuple(found);
}

void bind_nodes(nb::module_& m) {
  nb::class_<Nodes>(m, "Nodes", "A grown tree; its arrays are created when they are fetched.")
      .def("array", &Nodes::array, "name"_a)
      .def("table", &Nodes::table, "name"_a)
      .def_prop_ro("root", &Nodes::root);
}

}  // namespace boxwood

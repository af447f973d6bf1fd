// Bindings of grown trees: each array is an attribute, a view of memory that the tree owns and the view keeps alive.
#include "bindings/binding.hpp"

namespace boxwood {
namespace {

using Nodes = nb::class_<GrownNodes>;

template <class T>
nb::object view(std::vector<T>& data, nb::handle owner) {
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data.data(), {data.size()}, owner).cast();
}

// `given`: a name and the member it sets, again and again.
void bind_arrays(Nodes&) {}
template <class T, class... Given>
void bind_arrays(Nodes& nodes, const char* name, std::vector<T> GrownNodes::* worker, const Given&... given) {
  nodes.def_prop_ro(
      name, [worker](nb::handle_t<GrownNodes> self) { return view(nb::cast<GrownNodes&>(self).*worker, self); });
  bind_arrays(nodes, given...);
}

// In the order of SplitTable's fields.
void bind_splits(Nodes& nodes, const char* name, SplitRows GrownNodes::* worker) {
  nodes.def_prop_ro(name, [worker](nb::handle_t<GrownNodes> self) {
    SplitRows& r = nb::cast<GrownNodes&>(self).*worker;
    return nb::make_tuple(view(r.feature, self), view(r.breaks_start, self), view(r.breaks, self), view(r.lows, self),
                          view(r.n_positions, self), view(r.index_start, self), view(r.position, self),
                          view(r.index, self));
  });
}

}  // namespace

void bind_nodes(nb::module_& m) {
  using N = GrownNodes;
  Nodes nodes(m, "Nodes", "A grown tree, or the nodes of one level; its arrays are created when they are fetched.");
  bind_arrays(nodes, "parent", &N::parent, "first_child", &N::first_child, "n_children", &N::n_children, "rows",
              &N::rows, "missing", &N::missing, "heuristic", &N::heuristic, "score", &N::score, "surrogate_start",
              &N::surrogate_start, "agreement", &N::agreement, "adjusted", &N::adjusted, "competitor_start",
              &N::competitor_start, "competitor_score", &N::competitor_score, "log_p", &N::log_p);
  nodes.def_prop_ro("moments", [](nb::handle_t<N> self) {
    N& grown = nb::cast<N&>(self);
    const PackedTable packed = std::exchange(grown.packed_moments, {});
    if (packed.width > 0) grown.moments = packed.unpacked(packed.rows.size(), [](std::size_t t) { return t; });
    return view(grown.moments, self);
  });
  // The moments of some nodes while those of all are packed; else None.
  nodes.def("moments_at", [](const N& self, In<std::int64_t> at) -> nb::object {
    if (self.packed_moments.width == 0) return nb::none();
    require_below(at, self.packed_moments.rows.size(), "there is no such node");
    return to_numpy(self.packed_moments.unpacked(at.size(), [&](std::size_t i) { return at.data()[i]; }));
  });
  bind_splits(nodes, "splits", &N::splits);
  bind_splits(nodes, "surrogates", &N::surrogates);
  bind_splits(nodes, "competitors", &N::competitors);
  nodes.def_prop_ro("root", [](const N& self) { return nb::make_tuple(self.root_weight, self.root_risk); });
}

}  // namespace boxwood

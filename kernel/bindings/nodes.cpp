// The door to what growth leaves behind, and to labels on their way in.
#include "nodes.hpp"

#include "../labels.hpp"
#include "doors.hpp"

namespace boxwood {
namespace {

template <class T>
nb::object view(std::vector<T>& data, nb::handle owner) {
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data.data(), {data.size()}, owner).cast();
}

// (labels as int64, codes) of whole numbers close together, or None.
template <class T>
nb::object labels_of(const nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>& y) {
  std::optional<Labels> found;
  without_gil(1, [&](Team& team) { found = whole_labels(static_cast<const T*>(y.data()), y.stride(0), y.size(), team.watch()); });
  if (!found) return nb::none();
  return nb::make_tuple(nb::cast(found->labels), to_numpy(std::move(found->codes)));
}

nb::object whole_labels_of(const nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>& y) {
  using Code = nb::dlpack::dtype_code;
  const auto type = y.dtype();
  if (y.size() == 0 || reinterpret_cast<std::uintptr_t>(y.data()) % (type.bits / 8) != 0) return nb::none();
  const auto code = static_cast<Code>(type.code);
  if (code == Code::Float && type.bits == 64) return labels_of<double>(y);
  if (code == Code::Float && type.bits == 32) return labels_of<float>(y);
  if (code == Code::Int && type.bits == 64) return labels_of<std::int64_t>(y);
  if (code == Code::Int && type.bits == 32) return labels_of<std::int32_t>(y);
  if (code == Code::Int && type.bits == 16) return labels_of<std::int16_t>(y);
  if (code == Code::Int && type.bits == 8) return labels_of<std::int8_t>(y);
  if (code == Code::UInt && type.bits == 64) return labels_of<std::uint64_t>(y);
  if (code == Code::UInt && type.bits == 32) return labels_of<std::uint32_t>(y);
  if (code == Code::UInt && type.bits == 16) return labels_of<std::uint16_t>(y);
  if (code == Code::UInt && type.bits == 8) return labels_of<std::uint8_t>(y);
  return nb::none();
}

}  // namespace

nb::object Nodes::array(nb::handle self, const std::string& name) {
  GrownNodes& n = nb::cast<Nodes&>(self).nodes_;
  if (name == "parent") return view(n.parent, self);
  if (name == "first_child") return view(n.first_child, self);
  if (name == "n_children") return view(n.n_children, self);
  if (name == "moments") return view(n.moments, self);
  if (name == "rows") return view(n.rows, self);
  if (name == "missing") return view(n.missing, self);
  if (name == "heuristic") return view(n.heuristic, self);
  if (name == "score") return view(n.score, self);
  if (name == "surrogate_start") return view(n.surrogate_start, self);
  if (name == "agreement") return view(n.agreement, self);
  if (name == "adjusted") return view(n.adjusted, self);
  if (name == "competitor_start") return view(n.competitor_start, self);
  if (name == "competitor_score") return view(n.competitor_score, self);
  throw std::invalid_argument("nodes have no array " + name);
}

// In the order of SplitTable's fields.
nb::tuple Nodes::table(nb::handle self, const std::string& name) {
  GrownNodes& n = nb::cast<Nodes&>(self).nodes_;
  if (name != "splits" && name != "surrogates" && name != "competitors") throw std::invalid_argument("nodes have no table " + name);
  SplitRows& s = name == "splits" ? n.splits : name == "surrogates" ? n.surrogates : n.competitors;
  return nb::make_tuple(view(s.feature, self), view(s.breaks_start, self), view(s.breaks, self), view(s.lows, self),
                        view(s.n_positions, self), view(s.index_start, self), view(s.position, self), view(s.index, self));
}

void open_nodes(nb::module_& m) {
  nb::class_<Nodes>(m, "Nodes", "A grown tree, whose arrays are made when they are asked for.")
      .def("array", [](nb::handle_t<Nodes> self, const std::string& name) { return Nodes::array(self, name); }, "name"_a)
      .def("table", [](nb::handle_t<Nodes> self, const std::string& name) { return Nodes::table(self, name); }, "name"_a);
  m.def("whole_labels", &whole_labels_of, "y"_a);
}

}  // namespace boxwood

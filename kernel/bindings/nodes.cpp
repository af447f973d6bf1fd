// The door to what growth leaves behind, and to labels and quantities on their way in.
#include "bindings/nodes.hpp"

#include <nanobind/stl/tuple.h>

#include "bindings/bindings.hpp"
#include "encode/labels.hpp"
#include "encode/number_levels.hpp"
#include "encode/whole_numbers.hpp"

namespace boxwood {
namespace {

template <class T>
nb::object view(std::vector<T>& data, nb::handle owner) {
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data.data(), {data.size()}, owner).cast();
}

using Labels = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using Codes = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
nb::object labels_of(const Labels& y, const Codes& codes) {
  std::optional<std::vector<std::int64_t>> found;
  without_gil(1, [&](Team& team) {
    found = whole_labels(static_cast<const T*>(y.data()), y.stride(0), y.size(), codes.data(), team.watch());
  });
  return found ? nb::cast(*found) : nb::none();
}

// The labels as a list, with the codes of the rows in `codes`; None when y is not of whole numbers close together.
nb::object whole_labels_of(const Labels& y, const Codes& codes) {
  using Code = nb::dlpack::dtype_code;
  const auto type = y.dtype();
  if (codes.size() != y.size()) throw std::invalid_argument("every label must have a code");
  if (y.size() == 0 || reinterpret_cast<std::uintptr_t>(y.data()) % (type.bits / 8) != 0) return nb::none();
  const auto code = static_cast<Code>(type.code);
  if (code == Code::Float && type.bits == 64) return labels_of<double>(y, codes);
  if (code == Code::Float && type.bits == 32) return labels_of<float>(y, codes);
  if (code == Code::Int && type.bits == 64) return labels_of<std::int64_t>(y, codes);
  if (code == Code::Int && type.bits == 32) return labels_of<std::int32_t>(y, codes);
  if (code == Code::Int && type.bits == 16) return labels_of<std::int16_t>(y, codes);
  if (code == Code::Int && type.bits == 8) return labels_of<std::int8_t>(y, codes);
  if (code == Code::UInt && type.bits == 64) return labels_of<std::uint64_t>(y, codes);
  if (code == Code::UInt && type.bits == 32) return labels_of<std::uint32_t>(y, codes);
  if (code == Code::UInt && type.bits == 16) return labels_of<std::uint16_t>(y, codes);
  if (code == Code::UInt && type.bits == 8) return labels_of<std::uint8_t>(y, codes);
  return nb::none();
}

using Whole = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// `by`: center, scale, and how many steps of `low` one of `high` is.
void whole_quantity(In<double> y, const std::tuple<double, double, double>& by, const Whole& high, const Whole& low) {
  constexpr std::size_t PART = std::size_t{1} << 16;
  const std::size_t n = y.size();
  if (high.size() != n || low.size() != n) throw std::invalid_argument("every value must have a high and a low part");
  const FixedPoint point{std::get<0>(by), std::get<1>(by), std::get<2>(by)};
  without_gil(1, [&](Team& team) {
    team.run((n + PART - 1) / PART, [&](std::size_t i, int) {
      const std::size_t from = i * PART;
      to_whole(y.data() + from, std::min(PART, n - from), point, high.data() + from, low.data() + from);
    });
  });
}

template <class T>
nb::object codes_of(const nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>& table, const nb::list& wanted,
                    int threads) {
  const std::size_t rows = table.shape(0);
  ToCode<T> task{static_cast<const T*>(table.data()), table.stride(0), table.stride(1), {}, {}, {}};
  std::vector<std::vector<std::int32_t>> out(nb::len(wanted), std::vector<std::int32_t>(rows));
  for (nb::handle item : wanted) {
    const auto [column, levels, codes] =
        nb::cast<std::tuple<std::size_t, std::vector<double>, std::vector<std::int32_t>>>(item);
    if (column >= table.shape(1) || levels.size() != codes.size())
      throw std::invalid_argument("there is no such column, or a level has no code");
    task.out.push_back(out[task.columns.size()].data());
    task.columns.push_back(column);
    task.code_of.emplace_back(levels, codes, -1, -2);
  }
  bool known = false;
  without_gil(Table::team_size(threads, rows * out.size()), [&](Team& team) { known = code_levels(task, rows, team); });
  if (!known) return nb::none();
  nb::list found;
  for (auto& codes : out) found.append(to_numpy(std::move(codes)));
  return found;
}

// Level codes of columns of a table of numbers, for (column, rising levels, their codes); None when some value is no
// level.
nb::object level_codes(const nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>& table, const nb::list& wanted,
                       int threads) {
  using Code = nb::dlpack::dtype_code;
  const auto type = table.dtype();
  const auto code = static_cast<Code>(type.code);
  if (reinterpret_cast<std::uintptr_t>(table.data()) % (type.bits / 8) != 0) return nb::none();
  if (code == Code::Float && type.bits == 64) return codes_of<double>(table, wanted, threads);
  if (code == Code::Float && type.bits == 32) return codes_of<float>(table, wanted, threads);
  if (code == Code::Int && type.bits == 64) return codes_of<std::int64_t>(table, wanted, threads);
  if (code == Code::Int && type.bits == 32) return codes_of<std::int32_t>(table, wanted, threads);
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
  if (name != "splits" && name != "surrogates" && name != "competitors")
    throw std::invalid_argument("nodes have no table " + name);
  SplitRows& s = name == "splits" ? n.splits : name == "surrogates" ? n.surrogates : n.competitors;
  return nb::make_tuple(view(s.feature, self), view(s.breaks_start, self), view(s.breaks, self), view(s.lows, self),
                        view(s.n_positions, self), view(s.index_start, self), view(s.position, self),
                        view(s.index, self));
}

void open_nodes(nb::module_& m) {
  nb::class_<Nodes>(m, "Nodes", "A grown tree, whose arrays are made when they are asked for.")
      .def(
          "array", [](nb::handle_t<Nodes> self, const std::string& name) { return Nodes::array(self, name); }, "name"_a)
      .def(
          "table", [](nb::handle_t<Nodes> self, const std::string& name) { return Nodes::table(self, name); },
          "name"_a);
  m.def("level_codes", &level_codes, "table"_a, "wanted"_a, "threads"_a);
  m.def("whole_quantity", &whole_quantity, "y"_a, "by"_a, "high"_a.noconvert(), "low"_a.noconvert());
  m.def("whole_labels", &whole_labels_of, "y"_a, "codes"_a.noconvert());
}

}  // namespace boxwood

// The door to codes and to growing whole trees from them, without sorting any column.
#include "../coded/grower.hpp"
#include "door.hpp"
#include "doors.hpp"
#include "nodes.hpp"
#include "response.hpp"
#include "settings.hpp"

namespace boxwood {
namespace {

using coded::Codes;


class PyCodes {
 public:
  PyCodes(const nb::list& columns, std::size_t rows, int threads, std::uint32_t most_bins) : kept_(columns) {
    if (most_bins == 1 || most_bins > 65535) throw std::invalid_argument("a column has 2 to 65535 bins, 0 = as many as values");
    coded::keep_what_is_freed();
    std::vector<coded::RawColumn> raw;
    for (nb::handle item : columns) {
      const auto values = nb::cast<nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>>(item, false);
      const bool narrow = values.dtype() == nb::dtype<float>();
      if (!narrow && values.dtype() != nb::dtype<double>()) throw std::invalid_argument("a column must be of float64 or float32");
      if (values.size() != rows) throw std::invalid_argument("every column must have as many values as the table has rows");
      raw.push_back({values.data(), values.stride(0), narrow});
    }
    without_gil(Table::team_size(threads, rows * raw.size()), [&](Team& team) { codes_ = std::make_unique<Codes>(std::move(raw), rows, team, most_bins); });
  }
  bool has_missing() const { return codes_->has_missing(); }
  const Codes& codes() const { return *codes_; }

  // The cut behind each bin but the last, or None where the values are kept.
  nb::object bins(std::size_t j) const {
    if (j >= codes_->columns()) throw std::out_of_range("no such column");
    if (!codes_->is_binned(j)) return nb::none();
    const auto& ends = codes_->bins(j).ends();
    std::vector<double> cuts;
    for (std::size_t b = 1; b < ends.size(); ++b) cuts.push_back(coded::cut_value(ends[b - 1].last, ends[b].first, false));
    return to_numpy(std::move(cuts));
  }
  // Bin of each row in a column that is binned, NaN = missing.
  nb::object binned(std::size_t j) const {
    if (j >= codes_->columns() || !codes_->is_binned(j)) throw std::out_of_range("no such binned column");
    std::vector<double> out(codes_->rows());
    for (std::size_t r = 0; r < out.size(); ++r) out[r] = codes_->bin(j, r);
    return to_numpy(std::move(out));
  }

 private:
  nb::list kept_;
  std::unique_ptr<Codes> codes_;
};

Codes ranked(const Codes& codes, const nb::object& table) {
  std::vector<const std::uint32_t*> ranks;
  if (table.is_none()) return {codes, ranks};
  const Table& t = nb::cast<const Table&>(table);
  if (t.rows() != codes.rows() || t.columns().size() != codes.columns()) throw std::invalid_argument("codes and ranks must be of the same table");
  for (const Column& column : t.columns()) ranks.push_back(column.codes.data());
  return {codes, ranks};
}

std::vector<std::uint32_t> taken_rows(nb::handle item, std::size_t n) {
  const auto rows = array_view<std::uint32_t>(item);
  if (rows.size() == 0) throw std::invalid_argument("a tree needs at least one row");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows.data()[i] >= n || (i > 0 && rows.data()[i] <= rows.data()[i - 1])) throw std::out_of_range("rows must ascend within the table");
  return {rows.data(), rows.data() + rows.size()};
}

// What trees are grown from: y is indexed by row of the codes; the rows of each tree, ascending, none = all.
struct Learned {
  Codes codes;
  Response y;
  Settings settings;
  std::vector<std::vector<std::uint32_t>> rows;
  coded::Sizes sizes;
};

// Several trees go side by side, each by one member; a single one is shared by the team. True: the general grower must do it.
template <class R>
bool grow_all(const Learned& l, const R& y, Team& team, std::vector<GrownNodes>& out) {
  const coded::Rules rules{&l.settings, &l.y, 0, 0};
  std::atomic<bool> fine{false};
  const auto grow = [&](std::size_t i, Team& members) {
    const auto& rows = l.rows[i];
    const std::size_t count = rows.empty() ? l.codes.rows() : rows.size();
    try {
      out[i] = coded::grow(y, rules, l.codes, rows.empty() ? nullptr : rows.data(), static_cast<std::uint32_t>(count), l.sizes, members);
    } catch (const coded::NeedsFine&) {
      fine.store(true);
    }
  };
  if (out.size() == 1) {
    grow(0, team);
  } else {
    team.run(out.size(), [&](std::size_t i, int) {
      Watch watch([&] { return team.watch().stopped(); });
      Team alone(1, watch);
      grow(i, alone);
    });
  }
  return fine.load();
}

template <class Measure>
bool grow_classes(const Learned& l, const Measure& measure, Team& team, std::vector<GrownNodes>& out) {
  const std::vector<std::uint8_t> code(l.y.codes, l.y.codes + l.codes.rows());
  if (l.y.n_classes == 2) return grow_all(l, coded::TwoClasses<Measure>{code.data(), 2, &measure}, team, out);
  return grow_all(l, coded::ManyClasses<Measure>{code.data(), l.y.n_classes, &measure}, team, out);
}

bool grow_means(const Learned& l, Team& team, std::vector<GrownNodes>& out) {
  const std::size_t n = l.codes.rows();
  Wide sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += l.y.high[i];
  const auto origin = static_cast<std::int64_t>(sum / static_cast<Wide>(n));
  std::vector<std::int64_t> high(n);
  for (std::size_t i = 0; i < n; ++i) high[i] = l.y.high[i] - origin;
  return grow_all(l, coded::Quantity{high.data(), l.y.low, origin}, team, out);
}

bool grow_measured(const Learned& l, Team& team, std::vector<GrownNodes>& out) {
  if (l.y.kind == Response::Kind::mean) return grow_means(l, team, out);
  if (l.settings.measure == MeasureName::gini) return grow_classes(l, Gini{}, team, out);
  Entropy entropy;
  entropy.look_up(l.codes.rows());
  return grow_classes(l, entropy, team, out);
}

// The whole trees, or None when this grower must leave them to the general one. `rows`: of each tree, or None for all rows in one
// tree; `ranks`: the table of the same rows, for cuts by rank, or None.
nb::object grow_coded(const PyCodes& codes, const nb::dict& response, const nb::dict& settings, int threads, const nb::object& rows,
                      const nb::object& ranks, const nb::tuple& sizes) {
  std::vector<double> factors;
  const std::size_t n = codes.codes().rows();
  Learned l{ranked(codes.codes(), ranks), read_response(response, n, factors), settings_from(settings), {}, {}};
  l.sizes = {nb::cast<std::uint32_t>(sizes[0]), nb::cast<std::uint32_t>(sizes[1])};
  if (l.sizes.block < 1 || l.sizes.small < 1 || l.sizes.small > coded::SMALL)
    throw std::invalid_argument("a block has at least 1 row, a small node 1 to 1024");
  if (rows.is_none()) {
    l.rows.emplace_back();
  } else {
    for (nb::handle item : nb::cast<nb::list>(rows)) l.rows.push_back(taken_rows(item, n));
  }
  std::vector<GrownNodes> grown(l.rows.size());
  bool fine = false;
  without_gil(Table::team_size(threads, n * l.codes.columns()), [&](Team& team) { fine = grow_measured(l, team, grown); });
  if (fine) return nb::none();
  nb::list out;
  for (GrownNodes& nodes : grown) out.append(held(std::move(nodes)));
  return out;
}

}  // namespace

void open_coded(nb::module_& m) {
  nb::class_<PyCodes>(m, "Codes", "Order-preserving 16-bit codes of numeric columns, rows side by side.")
      .def(nb::init<const nb::list&, std::size_t, int, std::uint32_t>(), "columns"_a, "rows"_a, "threads"_a, "most_bins"_a = 0)
      .def("bins", &PyCodes::bins, "column"_a)
      .def("binned", &PyCodes::binned, "column"_a)
      .def_prop_ro("has_missing", &PyCodes::has_missing);
  m.def("grow_coded", &grow_coded, "codes"_a, "response"_a, "settings"_a, "threads"_a, "rows"_a.none() = nb::none(),
        "ranks"_a.none() = nb::none(), "sizes"_a = nb::make_tuple(coded::Sizes{}.block, coded::Sizes{}.small));
}

}  // namespace boxwood

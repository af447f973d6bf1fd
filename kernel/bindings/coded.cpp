// Bindings: codes and to growing whole trees from them, without sorting any column.
#include "bindings/coded.hpp"

#include <cmath>
#include <deque>

#include "bindings/response.hpp"
#include "bindings/settings.hpp"
#include "encode/exact_codes.hpp"

namespace boxwood {
namespace {

using coded::Codes;

class PyCodes {
 public:
  // `columns`: a matrix, or a list of ("numeric", values, None), ("ordinal" or "nominal", level numbers, number of
  // levels).
  PyCodes(const nb::object& columns, std::size_t rows, int threads, std::uint32_t most_bins) : kept_(columns) {
    if (most_bins == 1 || most_bins > coded::MOST_BINS)
      throw std::invalid_argument("a column has 2 to 65280 bins, 0 = as many as values");
    if (rows > 1024) coded::keep_freed_memory();
    std::vector<coded::RawColumn> raw;
    if (nb::isinstance<nb::list>(columns)) {
      for (nb::handle item : columns) raw.push_back(raw_column(nb::cast<nb::tuple>(item), rows));
    } else {
      raw = raw_matrix(columns, rows);
    }
    without_gil(Table::team_size(threads, rows * raw.size()),
                [&](Team& team) { codes_ = std::make_unique<Codes>(std::move(raw), rows, team, most_bins); });
  }

  bool has_missing() const { return codes_->has_missing(); }
  const Codes& codes() const { return *codes_; }

  // Feature that is binned -> the threshold behind each of its bins; behind the last one, its greatest value.
  nb::dict thresholds() const {
    nb::dict out;
    for (std::size_t j = 0; j < codes_->columns(); ++j)
      if (codes_->is_binned(j))
        out[nb::int_(codes_->place(j))] = to_numpy(std::vector<double>(codes_->bins(j).thresholds));
    return out;
  }

 private:
  static std::vector<coded::RawColumn> raw_matrix(const nb::object& columns, std::size_t rows) {
    const auto matrix = nb::cast<nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>>(columns, false);
    const bool narrow = matrix.dtype() == nb::dtype<float>();
    if (!narrow && matrix.dtype() != nb::dtype<double>())
      throw std::invalid_argument("a matrix must be of float64 or float32");
    if (matrix.shape(0) != rows) throw std::invalid_argument("a matrix must have as many rows as the table");
    std::vector<coded::RawColumn> raw(matrix.shape(1));
    for (std::size_t j = 0; j < raw.size(); ++j) {
      const auto place = static_cast<std::ptrdiff_t>(j) * matrix.stride(1);
      raw[j].data = narrow ? static_cast<const void*>(static_cast<const float*>(matrix.data()) + place)
                           : static_cast<const double*>(matrix.data()) + place;
      raw[j].step = matrix.stride(0);
      raw[j].narrow = narrow;
    }
    return raw;
  }

  coded::RawColumn raw_column(const nb::tuple& entry, std::size_t rows) {
    coded::RawColumn raw;
    const auto check = [rows](std::size_t n) {
      if (n != rows) throw std::invalid_argument("every column must have as many values as the table has rows");
    };
    const auto kind = nb::cast<std::string>(entry[0]);
    if (kind == "numeric" && !entry[2].is_none()) {
      const auto values = array_view<double>(entry[1]), lows = array_view<double>(entry[2]);
      check(values.size());
      check(lows.size());
      const Column& exact = exact_.emplace_back(encode_numeric(copy_of(values), lows.data()));
      raw.kind = Kind::ordinal;
      raw.exact = &exact;
      raw.data = ranked(exact.codes.data(), rows, MISSING);
      return raw;
    }
    if (kind == "numeric") {
      const auto values = nb::cast<nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>>(entry[1], false);
      raw.narrow = values.dtype() == nb::dtype<float>();
      if (!raw.narrow && values.dtype() != nb::dtype<double>())
        throw std::invalid_argument("a column must be of float64 or float32");
      check(values.size());
      raw.data = values.data();
      raw.step = values.stride(0);
      return raw;
    }
    const auto levels = array_view<std::int32_t>(entry[1]);
    check(levels.size());
    raw.n_levels = nb::cast<std::uint32_t>(entry[2]);
    for (std::size_t i = 0; i < rows; ++i)
      if (levels.data()[i] >= static_cast<std::int64_t>(raw.n_levels))
        throw std::invalid_argument("a level number is out of range");
    raw.kind = kind == "ordinal" ? Kind::ordinal : Kind::nominal;
    raw.levels = levels.data();
    if (raw.kind == Kind::nominal) return raw;
    raw.data = ranked(levels.data(), rows, -1);
    return raw;
  }

  // Numbers of levels or values as they are cut; `missing` and what is negative has no value.
  template <class T>
  const double* ranked(const T* codes, std::size_t rows, T missing) {
    auto& ranks = ranks_.emplace_back(rows);
    for (std::size_t i = 0; i < rows; ++i)
      ranks[i] = codes[i] == missing || codes[i] < 0 ? std::nan("") : static_cast<double>(codes[i]);
    return ranks.data();
  }

  nb::object kept_;
  std::deque<std::vector<double>> ranks_;  // of ordinal columns and exact ones: numbers as they are cut
  std::deque<Column> exact_;  // columns of whole numbers beyond 2^53
  std::unique_ptr<Codes> codes_;
};

Codes ranked(const Codes& codes, const nb::object& table) {
  std::vector<const std::uint32_t*> ranks;
  if (table.is_none()) return {codes, ranks};
  const Table& t = nb::cast<const Table&>(table);
  if (t.rows() != codes.rows() || t.columns().size() != codes.columns())
    throw std::invalid_argument("codes and ranks must be of the same table");
  for (const Column& column : t.columns()) ranks.push_back(column.codes.data());
  return {codes, ranks};
}

std::vector<std::uint32_t> taken_rows(nb::handle item, std::size_t n) {
  const auto rows = array_view<std::uint32_t>(item);
  if (rows.size() == 0) throw std::invalid_argument("a tree needs at least one row");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows.data()[i] >= n || (i > 0 && rows.data()[i] <= rows.data()[i - 1]))
      throw std::out_of_range("rows must ascend within the table");
  return {rows.data(), rows.data() + rows.size()};
}

void grow_measured(const Learned& l, Team& team, std::vector<GrownNodes>& out) {
  constexpr std::size_t LOOKED_UP = std::size_t{1} << 22;
  if (l.y.kind == ResponseColumns::Kind::mean) return grow_mean(l, team, out);
  if (l.y.kind == ResponseColumns::Kind::rate) return grow_poisson(l, team, out);
  const bool plain = !l.y.weight && !l.y.factors && l.y.n_classes <= coded::MOST_CLASSES;
  if (!plain || (l.settings.measure.is<Entropy>() && l.codes.rows() > LOOKED_UP))
    return grow_weighted_classes(l, team, out);
  return grow_classes(l, team, out);
}

// A recipe that has been read, so that many fits need not read it again.
struct ReadSettings {
  Settings settings;
  explicit ReadSettings(const nb::dict& given) : settings(settings_from(given)) {}
};

Settings settings_of(const nb::object& given) {
  return nb::isinstance<nb::dict>(given) ? settings_from(nb::borrow<nb::dict>(given))
                                         : nb::cast<const ReadSettings&>(given).settings;
}

// The whole trees. `rows`: of each tree, or None for all rows in one tree; `ranks`: the table of the same rows, for
// cuts by rank, or None.
nb::list grow_coded(const PyCodes& codes, const nb::dict& response, const nb::object& settings, int threads,
                    const nb::object& rows, const nb::object& ranks, const nb::tuple& sizes) {
  std::vector<double> factors;
  const std::size_t n = codes.codes().rows();
  Learned l{ranked(codes.codes(), ranks), read_response(response, n, factors), settings_of(settings), {}, {}};
  l.sizes = {nb::cast<std::uint32_t>(sizes[0]), nb::cast<std::uint32_t>(sizes[1])};
  if (l.sizes.block < 1 || l.sizes.small < 1 || l.sizes.small > coded::SMALL)
    throw std::invalid_argument("a block has at least 1 row, a small node 1 to 1024");
  if (rows.is_none()) {
    l.rows.emplace_back();
  } else {
    for (nb::handle item : nb::cast<nb::list>(rows)) l.rows.push_back(taken_rows(item, n));
  }
  std::vector<GrownNodes> grown(l.rows.size());
  without_gil(Table::team_size(threads, n * l.codes.columns()), [&](Team& team) { grow_measured(l, team, grown); });
  nb::list out;
  for (GrownNodes& nodes : grown) out.append(nb::cast(std::move(nodes)));
  return out;
}

}  // namespace

void bind_coded(nb::module_& m) {
  nb::class_<PyCodes>(m, "Codes", "16-bit codes of columns, order-preserving or of levels, rows side by side.")
      .def(nb::init<const nb::object&, std::size_t, int, std::uint32_t>(), "columns"_a, "rows"_a, "threads"_a,
           "most_bins"_a = 0)
      .def("thresholds", &PyCodes::thresholds)
      .def_prop_ro("has_missing", &PyCodes::has_missing);
  nb::class_<ReadSettings>(m, "Settings", "The settings of a recipe of binary splits, read once.")
      .def(nb::init<const nb::dict&>(), "given"_a);
  m.def("grow_coded", &grow_coded, "codes"_a, "response"_a, "settings"_a, "threads"_a, "rows"_a.none() = nb::none(),
        "ranks"_a.none() = nb::none(), "sizes"_a = nb::make_tuple(coded::Sizes{}.block, coded::Sizes{}.small));
}

}  // namespace boxwood

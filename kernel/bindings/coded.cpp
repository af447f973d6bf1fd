// Bindings: codes and to growing whole trees from them, without sorting any column.
#include <cmath>
#include <deque>

#include "bindings/columns.hpp"
#include "bindings/response.hpp"
#include "encode/exact_codes.hpp"
#include "grow/grow_input.hpp"

namespace boxwood {
namespace {

using coded::Codes;

class PyCodes {
 public:
  // `columns`: a table of numbers, or a list of ("numeric", values, low parts or None) or ("ordinal" or "nominal",
  // level numbers, number of levels).
  PyCodes(const nb::object& columns, std::size_t rows, int threads, std::uint32_t most_bins) : kept_(columns) {
    require(most_bins != 1 && most_bins <= coded::MOST_BINS, "a column has 2 to 255 bins, 0 = as many as values");
    if (rows > 1024) coded::keep_freed_memory();
    std::vector<coded::RawColumn> raw;
    for (const GivenColumn& given : columns_from(columns)) {
      require(given.rows == rows, "every column must have as many values as the table has rows");
      raw.push_back(raw_column(given));
    }
    without_gil(Table::pool_size(threads, rows * raw.size()),
                [&](ThreadPool& pool) { codes_ = std::make_unique<Codes>(std::move(raw), rows, pool, most_bins); });
  }

  bool has_missing() const { return codes_->has_missing(); }
  const Codes& codes() const { return *codes_; }

  // Feature that is binned -> the threshold behind each of its bins; behind the last one, its greatest value.
  nb::dict thresholds() const {
    return of_binned([&](std::size_t j) { return codes_->bins(j).thresholds; });
  }
  // Feature that is binned -> the bin of each row, -1 = missing.
  nb::dict bins() const {
    return of_binned([&](std::size_t j) {
      std::vector<std::int32_t> bins(codes_->rows());
      for (std::size_t i = 0; i < bins.size(); ++i) bins[i] = codes_->bin_of(j, static_cast<std::uint32_t>(i));
      return bins;
    });
  }

 private:
  template <class Of>
  nb::dict of_binned(const Of& of) const {
    nb::dict out;
    for (std::size_t j = 0; j < codes_->columns(); ++j)
      if (codes_->is_binned(j)) out[nb::int_(codes_->place(j))] = to_numpy(of(j));
    return out;
  }

  coded::RawColumn raw_column(const GivenColumn& given) {
    coded::RawColumn raw;
    raw.kind = given.kind;
    raw.n_levels = given.n_levels;
    if (given.kind == Kind::numeric && given.lows) {
      raw.kind = Kind::ordinal;
      raw.exact = &exact_.emplace_back(encode_numeric(given.numbers(), given.lows));
      raw.data = ranked(raw.exact->codes.data(), given.rows, MISSING);
    } else if (given.kind == Kind::numeric) {
      raw.narrow = given.narrow != nullptr;
      raw.data = given.narrow ? static_cast<const void*>(given.narrow) : given.values;
      raw.step = given.stride;
    } else {
      given.require_levels();
      raw.levels = given.levels;
      if (given.kind == Kind::ordinal) raw.data = ranked(given.levels, given.rows, -1);
    }
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
  require(t.rows() == codes.rows() && t.columns().size() == codes.columns(),
          "codes and ranks must be of the same table");
  for (const Column& column : t.columns()) ranks.push_back(column.codes.data());
  return {codes, ranks};
}

std::vector<std::uint32_t> taken_rows(nb::handle item, std::size_t n) {
  const auto rows = array_view<std::uint32_t>(item);
  require(rows.size() > 0, "a tree needs at least one row");
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows.data()[i] >= n || (i > 0 && rows.data()[i] <= rows.data()[i - 1]))
      throw std::out_of_range("rows must ascend within the table");
  return copy_of(rows);
}

void grow_by_response(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out) {
  if (input.y.kind == ResponseColumns::Kind::mean) return grow_mean(input, pool, out);
  if (input.y.kind == ResponseColumns::Kind::rate) return grow_rates(input, pool, out);
  if (input.y.kind == ResponseColumns::Kind::several) return grow_several(input, pool, out);
  if (input.y.kind == ResponseColumns::Kind::quantiles) return grow_quantiles(input, pool, out);
  const bool plain = !input.y.weight && !input.y.factors && input.y.n_classes <= 256;
  return plain ? grow_classes(input, pool, out) : grow_weighted_classes(input, pool, out);
}

// The whole trees. `rows`: of each tree, or None for all rows in one tree; `ranks`: the table of the same rows, for
// cuts by rank, or None.
std::vector<GrownNodes> grow_coded(const PyCodes& codes, const nb::dict& response, const Settings& settings,
                                   int threads, const nb::object& rows, const nb::object& ranks,
                                   const nb::tuple& sizes) {
  const std::size_t n = codes.codes().rows();
  GrowInput input{ranked(codes.codes(), ranks), nullptr, n, read_response(response, n), settings, {}, {}};
  input.sizes = {nb::cast<std::uint32_t>(sizes[0]), nb::cast<std::uint32_t>(sizes[1])};
  require(input.sizes.block >= 1 && input.sizes.small >= 1 && input.sizes.small <= coded::SMALL,
          "a block has at least 1 row, a small node 1 to 1024");
  if (rows.is_none()) {
    input.rows.emplace_back();
  } else {
    for (nb::handle item : nb::cast<nb::list>(rows)) input.rows.push_back(taken_rows(item, n));
  }
  std::vector<GrownNodes> grown(input.rows.size());
  without_gil(Table::pool_size(threads, n * input.codes->columns()),
              [&](ThreadPool& pool) { grow_by_response(input, pool, grown); });
  return grown;
}

class PySparse {
 public:
  // Column j holds values[i] in row rows[i] for i from starts[j] to starts[j + 1], and zero in all other rows.
  PySparse(std::size_t n, const In<std::int64_t>& starts, const In<std::uint32_t>& rows, const In<double>& values,
           int threads) {
    require(starts.size() > 0 && starts.data()[0] == 0 && rows.size() == values.size() && n < MISSING, "no columns");
    for (std::size_t j = 1; j < starts.size(); ++j)
      require(starts.data()[j] >= starts.data()[j - 1], "starts must not fall");
    require(starts.data()[starts.size() - 1] == static_cast<std::int64_t>(rows.size()), "starts must end with all");
    require_below(rows, n, "there is no such row");
    without_gil(Table::pool_size(threads, rows.size()), [&](ThreadPool& pool) {
      columns_.emplace(n, std::span(starts.data(), starts.size()), rows.data(), values.data(), pool);
    });
  }
  const coded::SparseColumns& columns() const { return *columns_; }
  bool has_missing() const { return columns_->has_missing(); }

  // Of every entry that is not zero its column, its row and the rank of its value (2^32 - 1 where it has none); of each
  // column how many values it has, and the rank of zero.
  nb::tuple ranks() const {
    std::vector<std::uint32_t> column, row, rank, distinct, zero;
    for (std::uint32_t j = 0; j < columns_->columns(); ++j) {
      for (const coded::SparseEntry& entry : columns_->column(j)) {
        column.push_back(j);
        row.push_back(entry.row);
        rank.push_back(entry.rank);
      }
      distinct.push_back(columns_->distinct(j));
      zero.push_back(columns_->zero(j));
    }
    return arrays(std::move(column), std::move(row), std::move(rank), std::move(distinct), std::move(zero));
  }

 private:
  std::optional<coded::SparseColumns> columns_;
};

// The same from sparse columns; `rows`: of each tree.
std::vector<GrownNodes> grow_sparse(const PySparse& sparse, const nb::dict& response, const Settings& settings,
                                    int threads, const nb::list& rows) {
  const std::size_t n = sparse.columns().rows();
  GrowInput input{std::nullopt, &sparse.columns(), n, read_response(response, n), settings, {}, {}};
  for (nb::handle item : rows) input.rows.push_back(taken_rows(item, n));
  std::vector<GrownNodes> grown(input.rows.size());
  const std::size_t entries = sparse.columns().entries() + n;
  without_gil(Table::pool_size(threads, entries * input.rows.size()),
              [&](ThreadPool& pool) { grow_by_response(input, pool, grown); });
  return grown;
}

}  // namespace

void bind_coded(nb::module_& m) {
  nb::class_<PyCodes>(m, "Codes", "16-bit codes of columns, order-preserving or of levels, rows side by side.")
      .def(nb::init<const nb::object&, std::size_t, int, std::uint32_t>(), "columns"_a, "rows"_a, "threads"_a,
           "most_bins"_a = 0)
      .def("thresholds", &PyCodes::thresholds)
      .def("bins", &PyCodes::bins)
      .def_prop_ro("has_missing", &PyCodes::has_missing);
  nb::class_<PySparse>(m, "SparseColumns", "Columns of few values other than zero, each in order of value.")
      .def(nb::init<std::size_t, const In<std::int64_t>&, const In<std::uint32_t>&, const In<double>&, int>(), "n"_a,
           "starts"_a, "rows"_a, "values"_a, "threads"_a)
      .def("ranks", &PySparse::ranks)
      .def_prop_ro("has_missing", &PySparse::has_missing);
  m.def("grow_sparse", &grow_sparse, "sparse"_a, "response"_a, "settings"_a, "threads"_a, "rows"_a);
  nb::class_<Settings>(m, "Settings", "The settings of a recipe of binary splits, read once.")
      .def(nb::new_(&settings_from), "given"_a);
  m.def("grow_coded", &grow_coded, "codes"_a, "response"_a, "settings"_a, "threads"_a, "rows"_a.none() = nb::none(),
        "ranks"_a.none() = nb::none(), "sizes"_a = nb::make_tuple(coded::Sizes{}.block, coded::Sizes{}.small));
}

}  // namespace boxwood

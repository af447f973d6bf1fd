// Bindings of the table: columns in, codes kept behind a Table, fingerprints of rows out; work without the GIL.
#include "bindings/binding.hpp"
#include "encode/exact_codes.hpp"
#include "encode/row_hash.hpp"

namespace boxwood {
namespace {

struct Raw {
  In<double> values;
  MaybeIn<double> lows;
  In<std::int32_t> levels;
  std::uint32_t n_levels = 0;
  Kind kind = Kind::numeric;
};

Raw raw_column(nb::handle item, std::size_t rows) {
  const auto entry = nb::cast<nb::tuple>(item);
  Raw raw;
  raw.kind = kind_from(entry[0]);
  std::size_t length;
  if (raw.kind == Kind::numeric) {
    raw.values = array_view<double>(entry[1]);
    if (!entry[2].is_none()) raw.lows = array_view<double>(entry[2]);
    length = raw.values.size();
    require(!raw.lows || raw.lows->size() == rows, "every value must have a low part");
  } else {
    raw.levels = array_view<std::int32_t>(entry[1]);
    raw.n_levels = nb::cast<std::uint32_t>(entry[2]);
    length = raw.levels.size();
  }
  require(length == rows, "every column must have as many values as the table has rows");
  return raw;
}

// An interpreter that ends never gives the GIL back: Python before 3.14 unwinds the thread then, which no destructor
// survives. The thread waits for the end of the process, with all it holds.
void take_gil(PyThreadState* state) noexcept try { PyEval_RestoreThread(state); } catch (...) {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

void run_without_gil(int threads, const std::function<void(Team&)>& body) {
  bool interrupted = false, cancelled = false;
  {
    const std::unique_ptr<PyThreadState, decltype(&take_gil)> thread(PyEval_SaveThread(), &take_gil);
    Watch watch([&] {
      take_gil(thread.get());
      interrupted = interrupted || PyErr_CheckSignals() != 0;
      PyEval_SaveThread();
      return interrupted;
    });
    try {
      Team team(threads, watch);
      body(team);
    } catch (const Cancelled&) {
      cancelled = true;
    }
  }
  if (interrupted) throw nb::python_error();
  if (cancelled) throw std::runtime_error("cancelled");
}

Table::Table(std::size_t rows) : rows_(rows) {
  if (rows >= MISSING) throw std::length_error("a table holds at most 2**32 - 2 rows");
}

void Table::encode(const nb::list& columns, int threads) {
  std::vector<Raw> raw;
  for (nb::handle item : columns) raw.push_back(raw_column(item, rows_));
  columns_.assign(raw.size(), {});
  without_gil(team_size(threads, raw.size() * rows_), [&](Team& team) {
    team.run(raw.size(), [&](std::size_t j, int) {
      const Raw& r = raw[j];
      columns_[j] = r.kind == Kind::numeric
                        ? encode_numeric(copy_of(r.values), r.lows ? r.lows->data() : nullptr)
                        : encode_levels(r.levels.data(), rows_, r.n_levels, r.kind == Kind::ordinal);
    });
  });
}

nb::tuple Table::fingerprints(int threads) const {
  std::vector<std::uint64_t> hash;
  std::vector<std::uint32_t> order(rows_);
  std::iota(order.begin(), order.end(), 0u);
  without_gil(team_size(threads, rows_ * columns_.size()), [&](Team& team) {
    hash = row_fingerprints(columns_, rows_, team);
    order = order_of(hash, order);
  });
  return arrays(std::move(hash), std::move(order));
}

void bind_table(nb::module_& m) {
  nb::class_<Table>(m, "Table", "Columns as order-preserving codes with the exact values behind them.")
      .def(nb::init<std::size_t>(), "rows"_a)
      .def("encode", &Table::encode, "columns"_a, "threads"_a)
      .def("fingerprints", &Table::fingerprints, "threads"_a);
}

}  // namespace boxwood

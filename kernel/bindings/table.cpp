// Bindings of the table: columns in, codes kept behind a Table, numbers of rows out; work without the GIL.
#include "bindings/columns.hpp"
#include "encode/exact_codes.hpp"
#include "encode/row_hash.hpp"

namespace boxwood {
namespace {

// An interpreter that ends never gives the GIL back: Python before 3.14 unwinds the thread then, which no destructor
// survives. The thread waits for the end of the process, with all it holds.
void take_gil(PyThreadState* state) noexcept try { PyEval_RestoreThread(state); } catch (...) {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// What `task` makes of each column.
template <class Task>
auto of_columns(const nb::list& given, std::size_t rows, int threads, const Task& task) {
  const std::vector<GivenColumn> columns = columns_from(given);
  require(columns.empty() || columns[0].rows == rows, "every column must have as many values as the table has rows");
  return of_each(columns.size(), Table::pool_size(threads, columns.size() * rows), [&](std::size_t j) {
    if (columns[j].kind != Kind::numeric) columns[j].require_levels();
    return task(columns[j]);
  });
}

}  // namespace

void run_without_gil(int threads, const std::function<void(ThreadPool&)>& body) {
  bool interrupted = false, cancelled = false;
  {
    const std::unique_ptr<PyThreadState, decltype(&take_gil)> thread(PyEval_SaveThread(), &take_gil);
    InterruptCheck interrupts([&] {
      take_gil(thread.get());
      interrupted = interrupted || PyErr_CheckSignals() != 0;
      PyEval_SaveThread();
      return interrupted;
    });
    try {
      ThreadPool pool(threads, interrupts);
      body(pool);
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

void Table::encode(const nb::list& given, int threads, bool ranks_only) {
  columns_ = of_columns(given, rows_, threads, [&](const GivenColumn& c) {
    return c.kind == Kind::numeric ? encode_numeric(c.numbers(), c.lows, ranks_only)
                                   : encode_levels(c.levels, rows_, c.n_levels, c.kind == Kind::ordinal);
  });
}

void Table::sort(const nb::list& given, int threads) {
  auto sorted = of_columns(given, rows_, threads, [&](const GivenColumn& c) {
    return c.kind == Kind::numeric ? sort_numeric(c.numbers(), c.lows)
                                   : sort_levels(c.levels, rows_, c.n_levels, c.kind == Kind::ordinal);
  });
  for (SortedColumn& one : sorted) {
    columns_.push_back(std::move(one.column));
    lists.push_back(std::move(one.list));
  }
}

nb::tuple Table::row_numbers(const Table& more, int threads) const {
  require(more.rows_ == rows_, "both tables must have the same rows");
  std::pair<std::vector<std::uint64_t>, std::vector<std::uint32_t>> found;
  without_gil(pool_size(threads, rows_ * columns_.size()),
              [&](ThreadPool& pool) { found = boxwood::row_numbers({&columns_, &more.columns_}, rows_, pool); });
  return arrays(std::move(found.first), std::move(found.second));
}

void bind_table(nb::module_& m) {
  nb::class_<Table>(m, "Table", "Columns as order-preserving codes with the exact values behind them.")
      .def(nb::init<std::size_t>(), "rows"_a)
      .def("encode", &Table::encode, "columns"_a, "threads"_a, "ranks_only"_a = false)
      .def("sort", &Table::sort, "columns"_a, "threads"_a)
      .def("row_numbers", &Table::row_numbers, "more"_a, "threads"_a);
}

}  // namespace boxwood

// What the bindings of growers have in common: the two steps of a level, or the whole tree at once.
// Invariant: holds references to the table and the arrays of the response, which the grower reads.
#pragma once

#include <memory>

#include "bindings/binding.hpp"
#include "bindings/response.hpp"

namespace boxwood {

template <class Grower>
class PyLevelGrower {
 public:
  PyLevelGrower(nb::object table, const In<std::uint32_t>& rows, const nb::dict& response, const nb::dict& settings,
                int threads)
      : kept_table_(table), kept_response_(response), rows_(copy_of(rows)) {
    require_below(rows, this->table().rows(), "there is no such row");
    threads_ = Table::pool_size(threads, rows_.size() * columns().size());
    y_ = read_response(response, rows_.size());
    make(settings);
  }

  void root() {
    without_gil(threads_, [&](ThreadPool& pool) { grower_->root(pool); });
  }
  void best_splits(In<std::uint8_t> open) {
    const std::vector<std::uint8_t> flags = copy_of(open);
    require(flags.size() == grower_->level.rows.size(), "is_open must have one value for each node of the level");
    without_gil(threads_, [&](ThreadPool& pool) { grower_->best_splits(flags, pool); });
  }
  void route() {
    without_gil(threads_, [&](ThreadPool& pool) { grower_->route(pool); });
  }
  GrownNodes level() { return grower_->level; }
  GrownNodes finish() {
    return without_gil(threads_, [&](ThreadPool& pool) { return grower_->finish(pool); });
  }

  // The class in Python; steps of its own are added by the caller.
  static nb::class_<PyLevelGrower> bind(nb::module_& m, const char* name, const char* doc) {
    using G = PyLevelGrower;
    return nb::class_<G>(m, name, doc)
        .def(nb::init<nb::object, In<std::uint32_t>, const nb::dict&, const nb::dict&, int>(), "table"_a, "rows"_a,
             "response"_a, "settings"_a, "threads"_a)
        .def("root", &G::root)
        .def("best_splits", &G::best_splits, "is_open"_a)
        .def("route", &G::route)
        .def("level", &G::level)
        .def("finish", &G::finish);
  }

  // Work on the grower without the GIL.
  template <class Work>
  auto with(const Work& work) {
    return without_gil(threads_, [&](ThreadPool& pool) { return work(*grower_, pool); });
  }
  std::size_t samples() const { return rows_.size(); }
  const std::vector<Column>& columns() const { return table().columns(); }

 private:
  void make(const nb::dict& settings);  // written for each grower
  Table& table() const { return nb::cast<Table&>(kept_table_); }

  nb::object kept_table_;
  nb::dict kept_response_;
  std::vector<std::uint32_t> rows_;
  int threads_ = 1;
  ResponseColumns y_;
  std::unique_ptr<Grower> grower_;
};

}  // namespace boxwood

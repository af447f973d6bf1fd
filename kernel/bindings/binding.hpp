// What all bindings share: arrays in and out, checks of arguments, work without the GIL that Ctrl-C interrupts, the
// table. Invariant: nothing here computes; lengths and types are checked before a pointer is taken, and no array is
// copied when it is read.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "encode/columns.hpp"
#include "grow/grown_nodes.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood {

namespace nb = nanobind;
using namespace nb::literals;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using MaybeIn = std::optional<In<T>>;
template <class T>
using InMatrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The array itself, never a converted copy: pointers into it stay valid while the caller holds it.
template <class T>
In<T> array_view(nb::handle h) {
  return nb::cast<In<T>>(h, false);
}

// The elements of an array that has as many as what it belongs to.
template <class T>
const T* array_of(nb::handle h, std::size_t n) {
  const auto array = array_view<T>(h);
  if (array.size() != n) throw std::invalid_argument("arrays that belong together must have one length");
  return array.data();
}

template <class T>
std::vector<T> copy_of(const In<T>& array) {
  return {array.data(), array.data() + array.size()};
}

inline void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

// Every index must lie in [0, limit).
template <class T>
void require_below(const In<T>& indices, std::size_t limit, const char* message) {
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (static_cast<std::size_t>(indices.data()[i]) >= limit) throw std::out_of_range(message);
}

// The value of a name in a settings dictionary.
template <class T>
T named(nb::handle name, std::initializer_list<std::pair<std::string_view, T>> values) {
  const auto given = nb::cast<std::string>(name);
  for (const auto& [known, value] : values)
    if (given == known) return value;
  throw std::invalid_argument("unknown name: " + given);
}

inline Kind kind_from(nb::handle name) {
  return named<Kind>(name, {{"numeric", Kind::numeric}, {"ordinal", Kind::ordinal}, {"nominal", Kind::nominal}});
}

// An array that owns the vector's memory.
template <class T>
nb::object to_numpy(std::vector<T> data) {
  auto* kept = new std::vector<T>(std::move(data));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner).cast();
}

// A tuple of arrays.
template <class... T>
nb::tuple arrays(std::vector<T>... data) {
  return nb::make_tuple(to_numpy(std::move(data))...);
}

// Runs `body(pool)` without the GIL; signals are checked every 50 ms, so that Ctrl-C raises KeyboardInterrupt.
void run_without_gil(int threads, const std::function<void(ThreadPool&)>& body);

// The same for a body that returns something or nothing.
template <class Body>
auto without_gil(int threads, const Body& body) {
  using Result = decltype(body(std::declval<ThreadPool&>()));
  if constexpr (std::is_void_v<Result>) {
    run_without_gil(threads, body);
  } else {
    std::optional<Result> result;
    run_without_gil(threads, [&](ThreadPool& pool) { result.emplace(body(pool)); });
    return std::move(*result);
  }
}

// What `task(i)` returns for each i below n, found without the GIL by a pool.
template <class Task>
auto of_each(std::size_t n, int threads, const Task& task) {
  std::vector<decltype(task(n))> found(n);
  run_without_gil(threads, [&](ThreadPool& pool) { pool.run(n, [&](std::size_t i, int) { found[i] = task(i); }); });
  return found;
}

// The columns of a learning set, encoded once and shared by every grower and fold.
class Table {
 public:
  explicit Table(std::size_t rows);
  Table(const Table&) = delete;

  // Numeric columns (values float64, lows float64 or None) and level columns (int32 codes, negative = missing).
  // `ranks_only`: nothing but codes, for trees of binary splits.
  void encode(const nb::list& columns, int threads, bool ranks_only);
  // The same without codes: lists of the rows by rising code instead, for trees of many branches.
  void sort(const nb::list& columns, int threads);
  // A number for each row, from its cells in both tables, and the rows by rising number.
  nb::tuple row_numbers(const Table& more, int threads) const;

  // Threads to use: small tables are not worth starting any.
  static int pool_size(int threads, std::size_t work) { return work < 200'000 ? 1 : threads; }

  const std::vector<Column>& columns() const { return columns_; }
  std::size_t rows() const { return rows_; }

  std::vector<std::unique_ptr<Entry[]>> lists;  // of each column, if sorted; one that is used up is empty

 private:
  std::size_t rows_;
  std::vector<Column> columns_;
};

}  // namespace boxwood

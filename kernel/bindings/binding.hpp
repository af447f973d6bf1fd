// What every door between Python and the kernel needs: arrays in and out, the GIL released, Ctrl-C let in, the table.
// Invariant: nothing here computes; lengths and types are checked before a pointer is taken.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

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

// The array itself, never a converted copy: pointers into it stay good while the caller holds it.
template <class T>
In<T> array_view(nb::handle h) {
  return nb::cast<In<T>>(h, false);
}

// Runs `body(team)` without the GIL; Ctrl-C is asked for every 50 ms and becomes KeyboardInterrupt.
template <class Body>
void without_gil(int threads, const Body& body) {
  bool interrupted = false, cancelled = false;
  {
    nb::gil_scoped_release release;
    Watch watch([&] {
      nb::gil_scoped_acquire acquire;
      interrupted = interrupted || PyErr_CheckSignals() != 0;
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

template <class T>
nb::object to_numpy(std::vector<T>&& data) {
  auto* kept = new std::vector<T>(std::move(data));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner).cast();
}

inline nb::dict split_rows(SplitRows&& rows) {
  nb::dict out;
  out["feature"] = to_numpy(std::move(rows.feature));
  out["breaks_start"] = to_numpy(std::move(rows.breaks_start));
  out["breaks"] = to_numpy(std::move(rows.breaks));
  out["breaks_low"] = to_numpy(std::move(rows.lows));
  out["n_positions"] = to_numpy(std::move(rows.n_positions));
  out["index_start"] = to_numpy(std::move(rows.index_start));
  out["position"] = to_numpy(std::move(rows.position));
  out["index"] = to_numpy(std::move(rows.index));
  return out;
}

inline nb::dict grown_nodes(GrownNodes&& nodes) {
  nb::dict out;
  out["parent"] = to_numpy(std::move(nodes.parent));
  out["first_child"] = to_numpy(std::move(nodes.first_child));
  out["n_children"] = to_numpy(std::move(nodes.n_children));
  out["moments"] = to_numpy(std::move(nodes.moments));
  out["rows"] = to_numpy(std::move(nodes.rows));
  out["missing"] = to_numpy(std::move(nodes.missing));
  out["heuristic"] = to_numpy(std::move(nodes.heuristic));
  out["score"] = to_numpy(std::move(nodes.score));
  out["splits"] = split_rows(std::move(nodes.splits));
  out["surrogate_start"] = to_numpy(std::move(nodes.surrogate_start));
  out["surrogates"] = split_rows(std::move(nodes.surrogates));
  out["agreement"] = to_numpy(std::move(nodes.agreement));
  out["adjusted"] = to_numpy(std::move(nodes.adjusted));
  out["competitor_start"] = to_numpy(std::move(nodes.competitor_start));
  out["competitors"] = split_rows(std::move(nodes.competitors));
  out["competitor_score"] = to_numpy(std::move(nodes.competitor_score));
  return out;
}

// The columns of a learning set, encoded once and shared by every grower and fold.
class Table {
 public:
  explicit Table(std::size_t rows);

  // Numeric columns (values float64, lows float64 or None) and level columns (int32 codes, negative = missing).
  void encode(const nb::list& columns, int threads);
  // A hash of each row, and the rows in the order of these.
  nb::tuple fingerprints(int threads) const;

  // Small tables are not worth a team.
  static int team_size(int threads, std::size_t work) { return work < 200'000 ? 1 : threads; }

  const std::vector<Column>& columns() const { return columns_; }
  std::size_t rows() const { return rows_; }

 private:
  std::size_t rows_;
  std::vector<Column> columns_;
};

}  // namespace boxwood

// The door to growing multiway trees: a recipe and classes as dictionaries, the questions of a level, the whole tree.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "bindings/binding.hpp"
#include "bindings/bindings.hpp"
#include "bindings/multiway_settings.hpp"
#include "bindings/nodes.hpp"
#include "multiway/grower.hpp"

namespace boxwood {
namespace {

// Grows multiway trees of classes on some rows of a table; holds references to the arrays it reads.
class PyMultiwayGrower {
 public:
  PyMultiwayGrower(nb::object table, In<std::uint32_t> rows, const nb::dict& response, const nb::dict& settings,
                   int threads)
      : kept_table_(table), kept_response_(response) {
    const Table& t = nb::cast<const Table&>(table);
    const multiway::Settings s = multiway::settings_from(settings);
    std::vector<std::uint32_t> taken(rows.data(), rows.data() + rows.size());
    threads_ = Table::team_size(threads, taken.size() * t.columns().size());
    read_response(response, taken.size());
    const bool shares = s.unknown == multiway::Unknown::fractional && any_missing(t, taken);
    const auto make = [&](auto measure) -> std::unique_ptr<multiway::GrowerBase> {
      using Measure = typename decltype(measure)::type;
      const bool raises = shares && s.root_rows == 0;  // below another root weights came raised
      return std::make_unique<multiway::Grower<Measure>>(t.columns(), std::move(taken), t.rows(), y_, s,
                                                         raises ? share_shift() : 0, threads_);
    };
    if (y_.weight || shares) {
      grower_ = make(std::type_identity<multiway::Weights>{});
    } else {
      grower_ = make(std::type_identity<multiway::Counts>{});
    }
  }

  void root() {
    without_gil(threads_, [&](Team& team) { grower_->root(team); });
  }
  void best_splits(In<std::uint8_t> open) {
    const std::vector<std::uint8_t> flags(open.data(), open.data() + open.size());
    if (flags.size() != grower_->level.rows.size())
      throw std::invalid_argument("is_open must have one value a node of the level");
    without_gil(threads_, [&](Team& team) { grower_->best_splits(flags, team); });
  }
  void route() {
    without_gil(threads_, [&](Team& team) { grower_->route(team); });
  }
  nb::dict level() { return grown_nodes(GrownNodes(grower_->level)); }
  nb::object finish() {
    GrownNodes nodes;
    without_gil(threads_, [&](Team& team) { nodes = grower_->finish(team); });
    return held(std::move(nodes));
  }

 private:
  void read_response(const nb::dict& d, std::size_t n) {
    const auto codes = array_view<std::int32_t>(d["codes"]);
    if (codes.size() != n) throw std::invalid_argument("codes must have one value a sample");
    y_.codes = codes.data();
    if (!d["weight"].is_none()) {
      const auto weight = array_view<std::int64_t>(d["weight"]);
      if (weight.size() != n) throw std::invalid_argument("weight must have one value a sample");
      y_.weight = weight.data();
    }
    y_.unit = nb::cast<double>(d["unit"]);
    y_.n_classes = nb::cast<int>(d["n_classes"]);
    total_ = 0;
    for (std::size_t s = 0; s < n; ++s) {
      if (y_.codes[s] < 0 || y_.codes[s] >= y_.n_classes) throw std::invalid_argument("a class code is out of range");
      total_ += static_cast<std::uint64_t>(y_.weight_of(static_cast<std::uint32_t>(s)));
    }
  }

  static bool any_missing(const Table& table, const std::vector<std::uint32_t>& rows) {
    for (const Column& column : table.columns()) {
      if (column.order.empty() || column.codes[column.order.back()] != MISSING) continue;
      if (rows.size() == table.rows()) return true;
      for (const std::uint32_t row : rows)
        if (column.codes[row] == MISSING) return true;
    }
    return false;
  }

  // Bits by which weights are raised, so that shares hardly round and the total stays below 2^62.
  int share_shift() const { return std::clamp(62 - static_cast<int>(std::bit_width(total_)), 0, 40); }

  nb::object kept_table_;
  nb::dict kept_response_;
  int threads_ = 1;
  std::uint64_t total_ = 0;
  ResponseColumns y_;
  std::unique_ptr<multiway::GrowerBase> grower_;
};

}  // namespace

void open_multiway(nb::module_& m) {
  nb::class_<PyMultiwayGrower>(m, "MultiwayGrower",
                               "Answers the two questions of a level of a multiway tree, or grows it whole.")
      .def(nb::init<nb::object, In<std::uint32_t>, const nb::dict&, const nb::dict&, int>(), "table"_a, "rows"_a,
           "response"_a, "settings"_a, "threads"_a)
      .def("root", &PyMultiwayGrower::root)
      .def("best_splits", &PyMultiwayGrower::best_splits, "is_open"_a)
      .def("route", &PyMultiwayGrower::route)
      .def("level", &PyMultiwayGrower::level)
      .def("finish", &PyMultiwayGrower::finish);
}

}  // namespace boxwood

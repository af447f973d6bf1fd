// Compiled trees: rows in, the values of their leaves out.
#include "bindings/input_columns.hpp"
#include "bindings/tree_view.hpp"
#include "predict/blocks.hpp"
#include "predict/compile.hpp"

namespace boxwood {
namespace {

using Output = nb::ndarray<nb::device::cpu>;

int threads_for(std::size_t rows, int threads) { return rows < 20'000 ? 1 : threads; }

class PyPlan {
 public:
  // `features`: (kind, number of levels) of each; `unseen` as in TreeView.
  PyPlan(nb::handle tree, nb::handle unseen, const nb::list& features) {
    std::vector<PlanFeature> kinds;
    for (nb::handle item : features) {
      const auto entry = nb::cast<nb::tuple>(item);
      kinds.push_back({kind_from(entry[0]), nb::cast<std::int32_t>(entry[1])});
    }
    const TreeView view = tree_view(tree, unseen);
    const auto children = array_view<std::int32_t>(tree.attr("n_children"));
    const auto rows = array_view<std::int64_t>(tree.attr("rows"));
    plan_ = PlanWriter(view, children.data(), rows.data(), children.size(), std::move(kinds)).write();
  }

  bool possible() const { return plan_.has_value(); }
  nb::object node_of() const { return to_numpy(std::vector<std::int32_t>(plan_->node_of)); }

  // Writes to row i of `out` the row of `values` that belongs to the leaf of row i. `rows`: a table of numbers, or a
  // list of columns (InputColumns). Returns whether some level was not seen in training, and None; or False when a
  // whole number is beyond those that doubles hold; or the numbers of rows that are shared out, if there are any.
  nb::tuple predict(nb::handle rows, const AnyArray& values, const Output& out, int threads) const {
    const std::size_t n_leaves = plan_->node_of.size();
    require(values.ndim() > 0 && out.ndim() > 0 && values.nbytes() % n_leaves == 0, "every leaf must have a value");
    const LeafValues of_leaves{static_cast<const std::byte*>(values.data()), values.nbytes() / n_leaves,
                               static_cast<std::byte*>(out.data())};
    std::vector<std::uint32_t> shared;
    std::mutex lock;
    const auto sharing = std::find_if(plan_->met.begin(), plan_->met.end(), [](auto met) { return met & MET_SHARED; });
    const auto least = static_cast<std::uint32_t>(sharing - plan_->met.begin());  // few rows end in leaves from here on
    const Arrived arrived = [&](std::size_t first, std::size_t count, const std::uint32_t* leaves) {
      of_leaves.copy(first, count, leaves);
      if (std::all_of(leaves, leaves + count, [=](std::uint32_t leaf) { return leaf < least; })) return;
      const std::lock_guard guard(lock);
      for (std::size_t i = 0; i < count; ++i)
        if (plan_->met[leaves[i]] & MET_SHARED) shared.push_back(static_cast<std::uint32_t>(first + i));
    };
    const auto check = [&](std::size_t count) {
      require(count * of_leaves.width == out.nbytes(), "there must be room for the value of every row");
    };
    AnyArray table;
    const std::optional<bool> unseen = nb::try_cast(rows, table, false)
                                           ? walk(table, threads, check, arrived)
                                           : walk(nb::cast<nb::list>(rows), threads, check, arrived);
    if (!unseen) return nb::make_tuple(false, nb::cast(false));
    if (shared.empty()) return nb::make_tuple(*unseen, nb::none());
    std::sort(shared.begin(), shared.end());
    return nb::make_tuple(*unseen, to_numpy(std::move(shared)));
  }

 private:
  template <class Check>
  std::optional<bool> walk(const nb::list& given, int threads, const Check& check, const Arrived& arrived) const {
    const InputColumns input(given, plan_->features);
    check(input.rows);
    if (!is_comparable(input)) return {};
    return walk(input.columns, input.rows, threads, arrived);
  }

  template <class Check>
  std::optional<bool> walk(const AnyArray& table, int threads, const Check& check, const Arrived& arrived) const {
    require(table.ndim() == 2 && table.shape(1) == plan_->features.size(), "there must be a column for every feature");
    for (const PlanFeature& feature : plan_->features)
      require(feature.kind == Kind::numeric, "a table of numbers has no levels");
    const std::size_t type = type_of(table.dtype()), rows = table.shape(0), size = table.itemsize();
    check(rows);
    if (reinterpret_cast<std::uintptr_t>(table.data()) % size != 0) return {};
    const bool beside = table.stride(1) == 1 || table.shape(1) == 1;
    if (beside && type == 0) return walk<double>(table, threads, arrived);
    if (beside && type == 1) return walk<float>(table, threads, arrived);
    std::vector<InputColumn> columns(table.shape(1));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      columns[j].type = type;
      columns[j].size = size;
      columns[j].data = static_cast<const std::byte*>(table.data()) +
                        static_cast<std::ptrdiff_t>(j) * table.stride(1) * static_cast<std::ptrdiff_t>(size);
      columns[j].step = table.stride(0) * static_cast<std::ptrdiff_t>(size);
    }
    return walk(columns, rows, threads, arrived);
  }

  template <class T>
  std::optional<bool> walk(const AnyArray& table, int threads, const Arrived& arrived) const {
    const RowMajor<T> rows{static_cast<const T*>(table.data()), table.stride(0)};
    without_gil(threads_for(table.shape(0), threads),
                [&](Team& team) { walk_table(*plan_, rows, table.shape(0), arrived, team); });
    return false;
  }

  std::optional<bool> walk(const std::vector<InputColumn>& columns, std::size_t rows, int threads,
                           const Arrived& arrived) const {
    std::optional<bool> unseen;
    without_gil(threads_for(rows, threads),
                [&](Team& team) { unseen = walk_columns(*plan_, columns, rows, arrived, team); });
    return unseen;
  }

  // Whether doubles tell the values apart that the plan reads.
  bool is_comparable(const InputColumns& input) const {
    return std::none_of(plan_->used.begin(), plan_->used.end(),
                        [&](std::uint32_t r) { return input.has_lows[plan_->readings[r].feature]; });
  }

  std::optional<Plan> plan_;
};

}  // namespace

void bind_plan(nb::module_& m) {
  nb::class_<PyPlan>(m, "Plan", "A tree compiled for prediction.")
      .def(nb::init<nb::handle, nb::handle, const nb::list&>(), "tree"_a, "unseen"_a.none(), "features"_a)
      .def_prop_ro("possible", &PyPlan::possible)
      .def("node_of", &PyPlan::node_of)
      .def("predict", &PyPlan::predict, "rows"_a, "values"_a, "out"_a, "threads"_a);
}

}  // namespace boxwood

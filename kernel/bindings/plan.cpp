// Compiled trees: rows in, the values of their leaves out.
#include "bindings/input_columns.hpp"
#include "bindings/tree_view.hpp"
#include "predict/blocks.hpp"
#include "predict/compile.hpp"

namespace boxwood {
namespace {

using Output = nb::ndarray<nb::device::cpu>;

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
    const auto sharing =
        std::find_if(plan_->flags.begin(), plan_->flags.end(), [](auto flags) { return flags & ROUTE_SHARED; });
    const auto least =
        static_cast<std::uint32_t>(sharing - plan_->flags.begin());  // few rows end in leaves from here on
    const Arrived arrived = [&](std::size_t first, std::size_t count, const std::uint32_t* leaves) {
      of_leaves.copy(first, count, leaves);
      if (std::all_of(leaves, leaves + count, [=](std::uint32_t leaf) { return leaf < least; })) return;
      const std::lock_guard guard(lock);
      for (std::size_t i = 0; i < count; ++i)
        if (plan_->flags[leaves[i]] & ROUTE_SHARED) shared.push_back(static_cast<std::uint32_t>(first + i));
    };
    const InputColumns input(rows, plan_->features);
    require(input.rows * of_leaves.width == out.nbytes(), "there must be room for the value of every row");
    std::optional<bool> unseen;
    if (input.is_aligned && is_comparable(input))
      without_gil(input.rows < 20'000 ? 1 : threads, [&](ThreadPool& pool) { unseen = walk(input, arrived, pool); });
    if (!unseen) return nb::make_tuple(false, nb::cast(false));
    if (shared.empty()) return nb::make_tuple(*unseen, nb::none());
    std::sort(shared.begin(), shared.end());
    return nb::make_tuple(*unseen, to_numpy(std::move(shared)));
  }

 private:
  std::optional<bool> walk(const InputColumns& input, const Arrived& arrived, ThreadPool& pool) const {
    const auto by_rows = [&]<class T>(T) {
      const RowMajor<T> rows{static_cast<const T*>(input.table.data()), input.table.stride(0)};
      walk_table(*plan_, rows, input.rows, arrived, pool);
      return false;
    };
    if (input.is_by_rows<double>()) return by_rows(double{});
    if (input.is_by_rows<float>()) return by_rows(float{});
    return walk_columns(*plan_, input.columns, input.rows, arrived, pool);
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

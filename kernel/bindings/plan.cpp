// The door to compiled trees: rows in, what their ends say out.
#include "bindings/bindings.hpp"
#include "bindings/given.hpp"
#include "bindings/rows.hpp"
#include "bindings/tree_view.hpp"
#include "predict/blocks.hpp"
#include "predict/compile.hpp"

namespace boxwood {
namespace {

using Room = nb::ndarray<nb::device::cpu>;

int team_for(std::size_t rows, int threads) { return rows < 20'000 ? 1 : threads; }

class PyPlan {
 public:
  // `features`: (kind, number of levels) of each; `unseen` as in TreeView; `at_once`: how many numbers may be compared
  // at once, at most.
  PyPlan(nb::handle tree, nb::handle unseen, const nb::list& features, int at_once) {
    std::vector<Asked> asked;
    for (nb::handle item : features) {
      const auto entry = nb::cast<nb::tuple>(item);
      const auto kind = nb::cast<std::string>(entry[0]);
      asked.push_back({kind == "numeric"   ? Kind::numeric
                       : kind == "ordinal" ? Kind::ordinal
                                           : Kind::nominal,
                       nb::cast<std::int32_t>(entry[1])});
    }
    const TreeView view = tree_view(tree, unseen);
    const auto children = array_view<std::int32_t>(tree.attr("n_children"));
    const auto rows = array_view<std::int64_t>(tree.attr("rows"));
    plan_ = written(view, children.data(), rows.data(), children.size(), asked);
    if (!plan_) return;
    plan_->crown = crown_of(*plan_, std::min(at_once, crown::numbers_at_once()));
    plan_->narrow = narrow_of(*plan_);
  }

  bool possible() const { return plan_.has_value(); }
  nb::object node_of() const { return to_numpy(std::vector<std::int32_t>(plan_->node_of)); }

  // Writes to row i of `out` the row of `says` that belongs to the end where row i arrives. Returns None; or False when
  // a whole number is beyond those that doubles hold; or, when some rows are shared out, their numbers.
  nb::object say(nb::handle rows, nb::handle which, const AnyArray& says, const Room& out, int threads) const {
    return told(says, out, [&](const auto& fits, const auto& arrived) {
      return send(rows, which, {false, threads}, fits, arrived);
    });
  }

  // The same for columns as they came (given.hpp), and whether some level was not seen in training.
  nb::tuple say_given(const nb::list& columns, const AnyArray& says, const Room& out, int threads) const {
    const Given given(columns, plan_->features);
    std::atomic<bool> unseen{false};
    nb::object shared = told(says, out, [&](const auto& fits, const auto& arrived) {
      fits(given.count());
      bool exact = false;
      without_gil(team_for(given.count(), threads), [&](Team& team) {
        exact = gathered({given.sources(), nullptr, given.count()}, false, arrived, team, unseen);
      });
      return exact;
    });
    return nb::make_tuple(shared, unseen.load());
  }

  // Node in which each row ends and what it met, as _kernel.apply has them, for rows given as a list of columns.
  // Nothing when the plan cannot tell: a whole number is beyond those that doubles hold, or the plain way may pass what
  // is missing.
  nb::tuple land(nb::handle tree, nb::handle unseen, nb::handle columns, nb::handle in_place, int threads) const {
    if (plan_->gaps) return {};
    const TreeView view = tree_view(tree, unseen);
    const Rows rows(columns);
    const Descent descent(view, rows.views);
    std::vector<std::int32_t> node(rows.count);
    std::vector<std::uint8_t> met(rows.count);
    const auto arrived = [&](std::size_t first, std::size_t count, const std::uint32_t* ends) {
      for (std::size_t i = first; i < first + count; ++i) {
        met[i] = 0;
        node[i] = ends ? plan_->node_of[ends[i - first]] : descent.end(0, i, met[i]);
      }
    };
    const auto fits = [&](std::size_t count) {
      if (count != rows.count) throw std::invalid_argument("the table must have the rows of the columns");
    };
    const bool exact = send(in_place.is_none() ? columns : in_place, nb::none(), {true, threads}, fits, arrived);
    return exact ? nb::make_tuple(to_numpy(std::move(node)), to_numpy(std::move(met))) : nb::tuple();
  }

 private:
  template <class Send>
  nb::object told(const AnyArray& says, const Room& out, const Send& send_rows) const {
    const std::size_t n_ends = plan_->node_of.size();
    if (says.ndim() == 0 || out.ndim() == 0 || says.nbytes() % n_ends != 0)
      throw std::invalid_argument("every end must say something");
    const Answers answers{static_cast<const std::byte*>(says.data()), says.nbytes() / n_ends,
                          static_cast<std::byte*>(out.data())};
    std::vector<std::uint32_t> shared;
    std::mutex lock;
    const auto arrived = [&](std::size_t first, std::size_t count, const std::uint32_t* ends) {
      answers(first, count, ends);
      if (!plan_->shares) return;
      for (std::size_t i = 0; i < count; ++i) {
        if (!(plan_->met[ends[i]] & MET_SHARED)) continue;
        const std::lock_guard guard(lock);
        shared.push_back(static_cast<std::uint32_t>(first + i));
      }
    };
    const auto fits = [&](std::size_t count) {
      if (count * answers.width != out.nbytes())
        throw std::invalid_argument("there must be room for what every row is told");
    };
    if (!send_rows(fits, arrived)) return nb::cast(false);
    if (!plan_->shares || shared.empty()) return nb::none();
    std::sort(shared.begin(), shared.end());
    return to_numpy(std::move(shared));
  }

  struct How {
    bool known_only;
    int threads;
  };

  template <class Fits, class Arrived>
  bool send(nb::handle rows, nb::handle which, How how, const Fits& fits, const Arrived& arrived) const {
    AnyArray table;
    if (which.is_none() && nb::try_cast(rows, table, false)) return send_table(table, how, fits, arrived);
    const Rows given(rows);
    if (given.views.size() != plan_->features.size())
      throw std::invalid_argument("there must be a column for every feature");
    std::size_t count = given.count;
    const std::uint32_t* wanted = nullptr;
    if (!which.is_none()) {
      const auto numbers = array_view<std::uint32_t>(which);
      given.check(numbers);
      wanted = numbers.data();
      count = numbers.size();
    }
    fits(count);
    std::vector<Source> sources;
    for (const ColumnView& view : given.views) sources.push_back(source_of(view, plan_->features[sources.size()]));
    for (const std::uint32_t j : plan_->used)
      if (given.views[j].lows) return false;
    bool exact = false;
    std::atomic<bool> unseen{false};  // codes of training say so themselves
    without_gil(team_for(count, how.threads),
                [&](Team& team) { exact = gathered({sources, wanted, count}, how.known_only, arrived, team, unseen); });
    return exact;
  }

  template <class Fits, class Arrived>
  bool send_table(const AnyArray& table, How how, const Fits& fits, const Arrived& arrived) const {
    if (table.ndim() != 2 || table.shape(1) != plan_->features.size())
      throw std::invalid_argument("there must be a column for every feature");
    for (const Asked& asked : plan_->features)
      if (asked.kind != Kind::numeric) throw std::invalid_argument("a table of numbers has no levels");
    const Source::Type type = type_of(table.dtype());
    const std::size_t rows = table.shape(0), size = table.itemsize();
    fits(rows);
    if (reinterpret_cast<std::uintptr_t>(table.data()) % size != 0) return false;
    const int threads = team_for(rows, how.threads);
    const bool beside = table.stride(1) == 1 || table.shape(1) == 1;
    if (beside && (type == Source::Type::f64 || type == Source::Type::f32)) {
      without_gil(threads, [&](Team& team) {
        if (type == Source::Type::f64) {
          const RowMajor<double> view{static_cast<const double*>(table.data()), table.stride(0)};
          in_place(view, rows, how.known_only, arrived, team);
        } else {
          const RowMajor<float> view{static_cast<const float*>(table.data()), table.stride(0)};
          in_place(view, rows, how.known_only, arrived, team);
        }
      });
      return true;
    }
    std::vector<Source> sources;
    const auto step = static_cast<std::ptrdiff_t>(size);
    for (std::size_t j = 0; j < table.shape(1); ++j)
      sources.push_back(
          {type, static_cast<const std::byte*>(table.data()) + static_cast<std::ptrdiff_t>(j) * table.stride(1) * step,
           table.stride(0) * step, plan_->features[j]});
    bool exact = false;
    std::atomic<bool> unseen{false};
    without_gil(threads,
                [&](Team& team) { exact = gathered({sources, nullptr, rows}, how.known_only, arrived, team, unseen); });
    return exact;
  }

  template <class T, class Arrived>
  void in_place(const RowMajor<T>& table, std::size_t rows, bool known_only, const Arrived& arrived, Team& team) const {
    if (known_only) {
      send_in_place<Plain>(*plan_, table, rows, arrived, team);
    } else {
      send_in_place<Whole>(*plan_, table, rows, arrived, team);
    }
  }
  template <class Arrived>
  bool gathered(const Scattered& rows, bool known_only, const Arrived& arrived, Team& team,
                std::atomic<bool>& unseen) const {
    if (known_only) return send_gathered<Plain>(*plan_, rows, arrived, team, unseen);
    if (plan_->masked) return send_gathered<Masked>(*plan_, rows, arrived, team, unseen);
    if (plan_->table.empty()) return send_gathered<Whole>(*plan_, rows, arrived, team, unseen);
    return send_gathered<Mixed>(*plan_, rows, arrived, team, unseen);
  }

  static Source source_of(const ColumnView& view, const Asked& asked) {
    const auto bytes = [](const auto* p) { return reinterpret_cast<const std::byte*>(p); };
    if (view.codes) return {Source::Type::codes, bytes(view.codes), sizeof(std::uint32_t), asked};
    if (view.levels) return {Source::Type::levels, bytes(view.levels), sizeof(std::int32_t), asked};
    return {Source::Type::f64, bytes(view.values), view.stride * static_cast<std::ptrdiff_t>(sizeof(double)), asked};
  }

  std::optional<Plan> plan_;
};

}  // namespace

void open_plan(nb::module_& m) {
  nb::class_<PyPlan>(m, "Plan", "A tree compiled for sending rows down.")
      .def(nb::init<nb::handle, nb::handle, const nb::list&, int>(), "tree"_a, "unseen"_a.none(), "features"_a,
           "at_once"_a = 8)
      .def_prop_ro("possible", &PyPlan::possible)
      .def("node_of", &PyPlan::node_of)
      .def("say", &PyPlan::say, "rows"_a, "which"_a.none(), "says"_a, "out"_a, "threads"_a)
      .def("say_given", &PyPlan::say_given, "columns"_a, "says"_a, "out"_a, "threads"_a)
      .def("land", &PyPlan::land, "tree"_a, "unseen"_a.none(), "columns"_a, "in_place"_a.none(), "threads"_a);
}

}  // namespace boxwood

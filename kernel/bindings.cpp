// The door between Python and the kernel: checks dtypes and lengths, releases the GIL, turns errors into exceptions; nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apply.hpp"
#include "encode.hpp"
#include "fingerprint.hpp"
#include "grower.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace boxwood;

namespace {

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

nb::dict split_rows(SplitRows&& rows) {
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

nb::dict grown_nodes(GrownNodes&& nodes) {
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
  explicit Table(std::size_t rows) : rows_(rows) {
    if (rows >= MISSING) throw std::length_error("a table holds at most 2**32 - 2 rows");
  }

  // Numeric columns (values float64, lows float64 or None) and level columns (int32 codes, negative = missing).
  void encode(const nb::list& columns, int threads) {
    struct Raw {
      In<double> values;
      MaybeIn<double> lows;
      In<std::int32_t> levels;
      std::uint32_t n_levels = 0;
      bool ordinal = false, numeric = false;
    };
    std::vector<Raw> raw;
    for (nb::handle item : columns) {
      const auto entry = nb::cast<nb::tuple>(item);
      Raw r;
      r.numeric = nb::cast<std::string>(entry[0]) == "numeric";
      if (r.numeric) {
        r.values = array_view<double>(entry[1]);
        if (!entry[2].is_none()) r.lows = array_view<double>(entry[2]);
        check_length(r.values.size());
        if (r.lows) check_length(r.lows->size());
      } else {
        r.ordinal = nb::cast<std::string>(entry[0]) == "ordinal";
        r.levels = array_view<std::int32_t>(entry[1]);
        r.n_levels = nb::cast<std::uint32_t>(entry[2]);
        check_length(r.levels.size());
      }
      raw.push_back(r);
    }
    columns_.assign(raw.size(), {});
    without_gil(team_size(threads, raw.size() * rows_), [&](Team& team) {
      team.run(raw.size(), [&](std::size_t j, int) {
        const Raw& r = raw[j];
        columns_[j] = r.numeric ? encode_numeric(r.values.data(), r.lows ? r.lows->data() : nullptr, rows_)
                                : encode_levels(r.levels.data(), rows_, r.n_levels, r.ordinal);
      });
    });
  }

  nb::object fingerprints(In<std::uint32_t> rows, int threads) const {
    std::vector<std::uint32_t> taken(rows.data(), rows.data() + rows.size());
    std::vector<std::uint64_t> hash;
    without_gil(team_size(threads, taken.size() * columns_.size()),
                [&](Team& team) { hash = row_fingerprints(columns_, taken, team); });
    return to_numpy(std::move(hash));
  }

  // Small tables are not worth a team.
  static int team_size(int threads, std::size_t work) { return work < 200'000 ? 1 : threads; }

  const std::vector<Column>& columns() const { return columns_; }
  std::size_t rows() const { return rows_; }

 private:
  void check_length(std::size_t n) const {
    if (n != rows_) throw std::invalid_argument("every column must have as many values as the table has rows");
  }
  std::size_t rows_;
  std::vector<Column> columns_;
};

Settings settings_from(const nb::dict& d) {
  Settings s;
  const auto measure = nb::cast<std::string>(d["measure"]);
  s.measure = measure == "gini"       ? MeasureName::gini
              : measure == "entropy"  ? MeasureName::entropy
              : measure == "error"    ? MeasureName::error
              : measure == "variance" ? MeasureName::variance
                                      : MeasureName::poisson;
  const auto policy = nb::cast<std::string>(d["policy"]);
  s.policy = policy == "surrogate"    ? Policy::surrogate
             : policy == "majority"   ? Policy::majority
             : policy == "learned"    ? Policy::learned
             : policy == "own_branch" ? Policy::own_branch
                                      : Policy::error;
  s.exhaustive_levels = nb::cast<int>(d["exhaustive_levels"]);
  s.min_samples_level = nb::cast<std::int64_t>(d["min_samples_level"]);
  s.pool_above = nb::cast<std::int64_t>(d["pool_above"]);
  s.correct_levels = nb::cast<bool>(d["correct_levels"]);
  s.feature_costs = nb::cast<std::vector<double>>(d["feature_costs"]);
  s.order_by_mean = nb::cast<bool>(d["order_by_mean"]);
  s.min_share = nb::cast<double>(d["min_share"]);
  s.max_depth = nb::cast<std::int64_t>(d["max_depth"]);
  s.min_samples_split = nb::cast<std::int64_t>(d["min_samples_split"]);
  s.min_samples_leaf = nb::cast<std::int64_t>(d["min_samples_leaf"]);
  s.min_impurity_decrease = nb::cast<double>(d["min_impurity_decrease"]);
  s.max_surrogates = nb::cast<int>(d["max_surrogates"]);
  s.style = nb::cast<int>(d["style"]);
  s.stay = nb::cast<bool>(d["stay"]);
  s.rpart_quirk = nb::cast<bool>(d["rpart_quirk"]);
  s.max_competitors = nb::cast<int>(d["max_competitors"]);
  s.rank_cuts = nb::cast<bool>(d["rank_cuts"]);
  return s;
}

// Grows trees on some rows of a table; holds references to the arrays it reads.
class PyGrower {
 public:
  PyGrower(nb::object table, In<std::uint32_t> rows, const nb::dict& response, const nb::dict& settings, int threads)
      : kept_table_(table), kept_response_(response) {
    const Table& t = nb::cast<const Table&>(table);
    const Settings s = settings_from(settings);
    n_ = rows.size();
    threads_ = Table::team_size(threads, n_ * t.columns().size());
    read_response(response);
    auto samples = std::make_unique<Samples>(t.columns(), std::vector<std::uint32_t>(rows.data(), rows.data() + n_), t.rows());
    grower_ = make(std::move(samples), s);
  }

  void root() { call([&](Team& team) { grower_->root(team); }); }
  void best_splits(In<std::uint8_t> open) {
    const std::vector<std::uint8_t> flags(open.data(), open.data() + open.size());
    call([&](Team& team) { grower_->best_splits(flags, team); });
  }
  void route() { call([&](Team& team) { grower_->route(team); }); }
  nb::dict level() { return grown_nodes(GrownNodes(grower_->level)); }
  nb::dict finish() {
    GrownNodes nodes;
    call([&](Team& team) { nodes = grower_->finish(team); });
    return grown_nodes(std::move(nodes));
  }

 private:
  template <class Body>
  void call(const Body& body) {
    without_gil(threads_, body);
  }

  template <class T>
  const T* array(const nb::dict& d, const char* name) {
    if (!d.contains(name) || d[name].is_none()) return nullptr;
    const auto a = array_view<T>(d[name]);
    if (a.size() != n_) throw std::invalid_argument(std::string(name) + " must have one value a sample");
    return a.data();
  }

  void read_response(const nb::dict& d) {
    const auto kind = nb::cast<std::string>(d["kind"]);
    y_.kind = kind == "classes" ? Response::Kind::classes : kind == "mean" ? Response::Kind::mean : Response::Kind::rate;
    y_.codes = array<std::int32_t>(d, "codes");
    y_.weight = array<std::int64_t>(d, "weight");
    y_.high = array<std::int64_t>(d, "high");
    y_.low = array<std::int64_t>(d, "low");
    y_.log = array<std::int64_t>(d, "log");
    y_.unit = nb::cast<double>(d["unit"]);
    y_.center = nb::cast<double>(d["center"]);
    y_.scale = nb::cast<double>(d["scale"]);
    y_.low_scale = nb::cast<double>(d["low_scale"]);
    y_.log_scale = nb::cast<double>(d["log_scale"]);
    factors_ = nb::cast<std::vector<double>>(d["factors"]);
    y_.n_classes = nb::cast<int>(d["n_classes"]);
    y_.factors = factors_.empty() ? nullptr : factors_.data();
    if (y_.kind != Response::Kind::classes) return;
    for (std::size_t i = 0; i < n_; ++i)
      if (y_.codes[i] < 0 || y_.codes[i] >= y_.n_classes) throw std::invalid_argument("a class code is out of range");
  }

  template <class M>
  std::unique_ptr<GrowerBase> make_classes(std::unique_ptr<Samples> samples, const Settings& s, const M& measure) {
    if (y_.n_classes == 2 && !y_.weight && !y_.factors) {
      ones_.assign(y_.codes, y_.codes + n_);
      return make_with(TwoCounts<M>{ones_.data(), &measure}, std::move(samples), s);
    }
    return make_with(Classes<M>{y_.n_classes, y_.codes, y_.weight, y_.factors, &measure}, std::move(samples), s);
  }

  template <class P>
  std::unique_ptr<GrowerBase> make_with(const P& policy, std::unique_ptr<Samples> samples, const Settings& s) {
    return std::make_unique<Grower<P>>(policy, std::move(samples), y_, s, threads_);
  }

  std::unique_ptr<GrowerBase> make(std::unique_ptr<Samples> samples, const Settings& s) {
    constexpr std::size_t NARROW = std::size_t{1} << 21;
    if (y_.kind == Response::Kind::rate) return make_with(Rate{y_.high, y_.low, y_.weight}, std::move(samples), s);
    if (y_.kind == Response::Kind::mean) {
      if (y_.weight) return make_with(Mean<Wide, true>{y_.high, y_.weight, y_.low}, std::move(samples), s);
      if (n_ > NARROW) return make_with(Mean<Wide, false>{y_.high, nullptr, y_.low}, std::move(samples), s);
      return make_with(Mean<std::int64_t, false>{y_.high, nullptr, y_.low}, std::move(samples), s);
    }
    if (s.measure == MeasureName::gini) return make_classes(std::move(samples), s, gini_);
    if (s.measure == MeasureName::entropy) return make_classes(std::move(samples), s, entropy_);
    return make_classes(std::move(samples), s, error_);
  }

  nb::object kept_table_;
  nb::dict kept_response_;
  std::size_t n_ = 0;
  int threads_ = 1;
  Response y_;
  std::vector<double> factors_;
  std::vector<std::uint8_t> ones_;
  Gini gini_;
  Entropy entropy_;
  ClassificationError error_;
  std::unique_ptr<GrowerBase> grower_;
};

SplitView split_view(nb::handle table) {
  const auto ints = [&](const char* name) { return array_view<std::int32_t>(table.attr(name)).data(); };
  const auto reals = [&](const char* name) { return array_view<double>(table.attr(name)).data(); };
  return {ints("feature"), ints("breaks_start"), ints("index_start"), ints("position"), ints("index"), reals("breaks"),
          reals("breaks_low")};
}

TreeView tree_view(nb::handle tree, const In<std::int32_t>& majority) {
  const auto ints = [&](const char* name) { return array_view<std::int32_t>(tree.attr(name)).data(); };
  return {ints("first_child"), ints("missing"), majority.data(), ints("surrogate_start"), split_view(tree.attr("splits")),
          split_view(tree.attr("surrogates"))};
}

// Coded rows down a tree whose cuts are by rank: the node each ends in.
nb::object apply_coded(nb::handle tree, In<std::int32_t> majority, const Table& table, In<std::uint32_t> rows, int threads) {
  const TreeView view = tree_view(tree, majority);
  std::vector<ColumnView> views;
  for (const Column& column : table.columns()) {
    ColumnView coded;
    coded.codes = column.codes.data();
    coded.nominal = column.kind == Kind::nominal;
    views.push_back(coded);
  }
  std::vector<std::int32_t> leaf(rows.size());
  std::vector<std::uint8_t> met(rows.size());
  const std::size_t n_nodes = array_view<std::int32_t>(tree.attr("missing")).size();
  without_gil(rows.size() < 20'000 ? 1 : threads, [&](Team& team) {
    apply(view, n_nodes, views, false, rows.data(), rows.size(), leaf.data(), met.data(), team);
  });
  return to_numpy(std::move(leaf));
}

// Columns as (kind, values or level codes, lows or None); `tree` is a tree.Tree whose arrays have been validated.
nb::tuple apply_tree(nb::handle tree, In<std::int32_t> majority, const nb::list& columns, std::size_t rows, bool unseen_to_majority,
                     int threads) {
  const TreeView view = tree_view(tree, majority);
  std::vector<ColumnView> views;
  for (nb::handle item : columns) {
    const auto entry = nb::cast<nb::tuple>(item);
    ColumnView column;
    const auto kind = nb::cast<std::string>(entry[0]);
    std::size_t length;
    if (kind == "numeric") {
      const auto values = nb::cast<nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>>(entry[1], false);
      column.values = values.data();
      column.stride = values.stride(0);
      length = values.size();
      if (!entry[2].is_none()) column.lows = array_view<double>(entry[2]).data();
    } else {
      const auto levels = array_view<std::int32_t>(entry[1]);
      column.levels = levels.data();
      column.nominal = kind == "nominal";
      length = levels.size();
    }
    if (length != rows) throw std::invalid_argument("every column must have one value a row");
    views.push_back(column);
  }
  const std::size_t n_nodes = array_view<std::int32_t>(tree.attr("missing")).size();
  std::vector<std::int32_t> leaf(rows);
  std::vector<std::uint8_t> met(rows);
  without_gil(rows < 20'000 ? 1 : threads, [&](Team& team) {
    apply(view, n_nodes, views, unseen_to_majority, nullptr, rows, leaf.data(), met.data(), team);
  });
  return nb::make_tuple(to_numpy(std::move(leaf)), to_numpy(std::move(met)));
}

}  // namespace

NB_MODULE(_kernel, m) {
  m.doc() = "The hot loops of boxwood: arrays in, arrays out.";
  nb::class_<Table>(m, "Table", "Columns as order-preserving codes with the exact values behind them.")
      .def(nb::init<std::size_t>(), "rows"_a)
      .def("encode", &Table::encode, "columns"_a, "threads"_a)
      .def("fingerprints", &Table::fingerprints, "rows"_a, "threads"_a);
  nb::class_<PyGrower>(m, "Grower", "Answers the two questions of a level, or grows the whole tree.")
      .def(nb::init<nb::object, In<std::uint32_t>, const nb::dict&, const nb::dict&, int>(), "table"_a, "rows"_a, "response"_a,
           "settings"_a, "threads"_a)
      .def("root", &PyGrower::root)
      .def("best_splits", &PyGrower::best_splits, "is_open"_a)
      .def("route", &PyGrower::route)
      .def("level", &PyGrower::level)
      .def("finish", &PyGrower::finish);
  m.def("apply_coded", &apply_coded, "tree"_a, "majority"_a, "table"_a, "rows"_a, "threads"_a);
  m.def("apply", &apply_tree, "tree"_a, "majority"_a, "columns"_a, "rows"_a, "unseen_to_majority"_a, "threads"_a);
}

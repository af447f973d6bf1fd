// Bindings: growing binary trees: the questions of a level, the whole tree.
#include "bindings/binding.hpp"
#include "bindings/nodes.hpp"
#include "bindings/response.hpp"
#include "bindings/settings.hpp"
#include "general/grower.hpp"

namespace boxwood {
namespace {

// Grows trees on some rows of a table; holds references to the arrays it reads.
class PyGrower {
 public:
  PyGrower(nb::object table, In<std::uint32_t> rows, const nb::dict& response, const nb::dict& settings, int threads)
      : kept_table_(table), kept_response_(response) {
    const Table& t = nb::cast<const Table&>(table);
    const Settings s = settings_from(settings);
    n_ = rows.size();
    threads_ = Table::team_size(threads, n_ * t.columns().size());
    y_ = read_response(response, n_, factors_);
    auto samples =
        std::make_unique<Samples>(t.columns(), std::vector<std::uint32_t>(rows.data(), rows.data() + n_), t.rows());
    grower_ = make(std::move(samples), s);
  }

  void root() {
    call([&](Team& team) { grower_->root(team); });
  }
  void best_splits(In<std::uint8_t> open) {
    const std::vector<std::uint8_t> flags(open.data(), open.data() + open.size());
    call([&](Team& team) { grower_->best_splits(flags, team); });
  }
  void route() {
    call([&](Team& team) { grower_->route(team); });
  }
  nb::dict level() { return grown_nodes(GrownNodes(grower_->level)); }
  nb::object finish() {
    GrownNodes nodes;
    call([&](Team& team) { nodes = grower_->finish(team); });
    return to_python(std::move(nodes));
  }

 private:
  template <class Body>
  void call(const Body& body) {
    without_gil(threads_, body);
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
    if (y_.kind == ResponseColumns::Kind::rate)
      return make_with(Rate{y_.high, y_.low, y_.weight}, std::move(samples), s);
    if (y_.kind == ResponseColumns::Kind::mean) {
      if (y_.weight) return make_with(Mean<Wide, true>{y_.high, y_.weight, y_.low}, std::move(samples), s);
      if (n_ > NARROW) return make_with(Mean<Wide, false>{y_.high, nullptr, y_.low}, std::move(samples), s);
      return make_with(Mean<std::int64_t, false>{y_.high, nullptr, y_.low}, std::move(samples), s);
    }
    if (s.measure.is<Gini>()) return make_classes(std::move(samples), s, gini_);
    constexpr std::size_t LOOKED_UP = std::size_t{1} << 22;
    if (s.measure.is<Entropy>() && !y_.weight && n_ <= LOOKED_UP) entropy_.look_up(n_);
    if (s.measure.is<Entropy>()) return make_classes(std::move(samples), s, entropy_);
    if (s.measure.is<ClassificationError>()) return make_classes(std::move(samples), s, error_);
    measure_ = s.measure;
    return make_classes(std::move(samples), s, measure_);
  }

  nb::object kept_table_;
  nb::dict kept_response_;
  std::size_t n_ = 0;
  int threads_ = 1;
  ResponseColumns y_;
  std::vector<double> factors_;
  std::vector<std::uint8_t> ones_;
  Gini gini_;
  Entropy entropy_;
  ClassificationError error_;
  ClassMeasure measure_;
  std::unique_ptr<GrowerBase> grower_;
};

}  // namespace

void bind_growth(nb::module_& m) {
  nb::class_<PyGrower>(m, "Grower", "Answers the two questions of a level, or grows the whole tree.")
      .def(nb::init<nb::object, In<std::uint32_t>, const nb::dict&, const nb::dict&, int>(), "table"_a, "rows"_a,
           "response"_a, "settings"_a, "threads"_a)
      .def("root", &PyGrower::root)
      .def("best_splits", &PyGrower::best_splits, "is_open"_a)
      .def("route", &PyGrower::route)
      .def("level", &PyGrower::level)
      .def("finish", &PyGrower::finish);
}

}  // namespace boxwood

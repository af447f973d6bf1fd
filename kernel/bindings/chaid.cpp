// The door to CHAID: growing by merged categories, the tests of a node's features, tail probabilities as logarithms.
#include "bindings/binding.hpp"
#include "bindings/bindings.hpp"
#include "bindings/chaid_settings.hpp"
#include "bindings/response.hpp"
#include "chaid/grower.hpp"

namespace boxwood {
namespace {

nb::dict judged_feature(const chaid::Judged& judged) {
  const auto plain = [](std::uint32_t code) { return code == MISSING ? std::int64_t{-1} : std::int64_t{code}; };
  nb::list groups;
  for (const auto& group : judged.groups) {
    nb::list codes;
    for (const std::uint32_t code : group) codes.append(plain(code));
    groups.append(codes);
  }
  nb::dict out;
  out["state"] = judged.state == chaid::Judged::State::tested     ? "tested"
                 : judged.state == chaid::Judged::State::constant ? "constant"
                                                                  : "too small";
  out["floating"] = judged.floating;
  out["n_categories"] = judged.codes.size();
  out["groups"] = groups;
  out["statistic"] = judged.test.statistic;
  out["df"] = judged.test.df;
  out["df2"] = judged.test.df2;
  out["log_p"] = judged.test.log_p;
  out["log_multiplier"] = judged.log_multiplier;
  out["log_adjusted_p"] = judged.log_adjusted;
  return out;
}

// Grows CHAID trees on some rows of a table; holds references to the arrays it reads.
class PyChaidGrower {
 public:
  PyChaidGrower(nb::object table, In<std::uint32_t> rows, const nb::dict& response, const nb::dict& settings,
                int threads)
      : kept_table_(table), kept_response_(response), n_(rows.size()) {
    const Table& t = nb::cast<const Table&>(table);
    threads_ = Table::team_size(threads, n_ * t.columns().size());
    for (std::size_t i = 0; i < n_; ++i)
      if (rows.data()[i] >= t.rows()) throw std::invalid_argument("there is no such row");
    const ResponseColumns y = read_response(response, n_, factors_);
    std::vector<std::uint32_t> taken(rows.data(), rows.data() + n_);
    const chaid::Settings s = chaid::settings_from(settings);
    if (!s.ends.empty() && s.ends.size() != t.columns().size())
      throw std::invalid_argument("every column must have its ends of bins");
    grower_ = std::make_unique<chaid::Grower>(t.columns(), std::move(taken), y, s);
  }

  void root() {
    without_gil(threads_, [&](Team& team) { grower_->root(team); });
  }
  void best_splits(In<std::uint8_t> open) {
    const std::vector<std::uint8_t> flags(open.data(), open.data() + open.size());
    if (flags.size() != grower_->level.rows.size()) throw std::invalid_argument("one flag a node is needed");
    without_gil(threads_, [&](Team& team) { grower_->best_splits(flags, team); });
  }
  void route() {
    without_gil(threads_, [&](Team& team) { grower_->route(team); });
  }
  nb::dict level() { return with_p(GrownNodes(grower_->level), std::vector<double>(grower_->log_p)); }
  nb::dict finish() {
    GrownNodes nodes;
    std::vector<double> log_p;
    without_gil(threads_, [&](Team& team) { nodes = grower_->finish(team, log_p); });
    return with_p(std::move(nodes), std::move(log_p));
  }
  nb::list tests(In<std::uint32_t> samples) {
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (samples.data()[i] >= n_) throw std::invalid_argument("there is no such sample");
    if (samples.size() == 0) throw std::invalid_argument("a node has at least one sample");
    std::vector<chaid::Judged> judged;
    without_gil(threads_, [&](Team& team) { judged = grower_->tests({samples.data(), samples.size()}, team); });
    nb::list out;
    for (const chaid::Judged& feature : judged) out.append(judged_feature(feature));
    return out;
  }
  nb::tuple bin_ends(std::size_t feature) {
    if (feature >= nb::cast<const Table&>(kept_table_).columns().size())
      throw std::invalid_argument("there is no such feature");
    std::vector<double> values, lows;
    for (const Cut& end : grower_->bin_ends(feature)) {
      values.push_back(end.value);
      lows.push_back(end.low);
    }
    return nb::make_tuple(to_numpy(std::move(values)), to_numpy(std::move(lows)));
  }

 private:
  static nb::dict with_p(GrownNodes&& nodes, std::vector<double>&& log_p) {
    nb::dict out = grown_nodes(std::move(nodes));
    out["log_p"] = to_numpy(std::move(log_p));
    return out;
  }

  nb::object kept_table_;
  nb::dict kept_response_;
  std::size_t n_;
  int threads_ = 1;
  std::vector<double> factors_;
  std::unique_ptr<chaid::Grower> grower_;
};

nb::object chi2_tails(In<double> statistic, In<double> df) {
  if (statistic.size() != df.size()) throw std::invalid_argument("one number of degrees of freedom a statistic");
  std::vector<double> out(statistic.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = log_chi2_tail(statistic.data()[i], df.data()[i]);
  return to_numpy(std::move(out));
}

nb::object f_tails(In<double> statistic, In<double> df1, In<double> df2) {
  if (statistic.size() != df1.size() || statistic.size() != df2.size())
    throw std::invalid_argument("one pair of degrees of freedom a statistic");
  std::vector<double> out(statistic.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = log_f_tail(statistic.data()[i], df1.data()[i], df2.data()[i]);
  return to_numpy(std::move(out));
}

}  // namespace

void open_chaid(nb::module_& m) {
  nb::class_<PyChaidGrower>(m, "ChaidGrower", "Answers the two questions of a level by CHAID, or grows the whole tree.")
      .def(nb::init<nb::object, In<std::uint32_t>, const nb::dict&, const nb::dict&, int>(), "table"_a, "rows"_a,
           "response"_a, "settings"_a, "threads"_a)
      .def("root", &PyChaidGrower::root)
      .def("best_splits", &PyChaidGrower::best_splits, "is_open"_a)
      .def("route", &PyChaidGrower::route)
      .def("level", &PyChaidGrower::level)
      .def("finish", &PyChaidGrower::finish)
      .def("tests", &PyChaidGrower::tests, "samples"_a)
      .def("bin_ends", &PyChaidGrower::bin_ends, "feature"_a);
  m.def("log_chi2_tails", &chi2_tails, "statistic"_a, "df"_a);
  m.def("log_f_tails", &f_tails, "statistic"_a, "df1"_a, "df2"_a);
}

}  // namespace boxwood

// Bindings of CHAID: growing by merged categories, the tests of a node's features, tail probabilities as logarithms.
#include "bindings/level_grower.hpp"
#include "bindings/settings.hpp"
#include "chaid/grower.hpp"

namespace boxwood {
namespace {

nb::dict feature_test(const chaid::FeatureTest& test) {
  using State = chaid::FeatureTest::State;
  const auto plain = [](std::uint32_t code) { return code == MISSING ? std::int64_t{-1} : std::int64_t{code}; };
  nb::list groups;
  for (const auto& group : test.groups) {
    nb::list codes;
    for (const std::uint32_t member : group.members) codes.append(plain(test.categories.codes[member]));
    groups.append(codes);
  }
  nb::dict out;
  out["state"] = test.state == State::tested ? "tested" : test.state == State::constant ? "constant" : "too small";
  out["floating"] = test.floating();
  out["n_categories"] = test.categories.size();
  out["groups"] = groups;
  out["statistic"] = test.test.statistic;
  out["df"] = test.test.df;
  out["df2"] = test.test.df2;
  out["log_p"] = test.test.log_p;
  out["log_multiplier"] = test.log_multiplier;
  out["log_adjusted_p"] = test.log_adjusted;
  return out;
}

class PyChaidGrower : public PyLevelGrower<chaid::Grower> {
 public:
  PyChaidGrower(nb::object table, In<std::uint32_t> rows, const nb::dict& response, const nb::dict& settings,
                int threads)
      : PyLevelGrower(table, rows, response, threads) {
    const chaid::Settings s = chaid::settings_from(settings);
    require(s.ends.empty() || s.ends.size() == columns().columns().size(), "every column must have its ends of bins");
    grower_ = std::make_unique<chaid::Grower>(columns().columns(), rows_, y_, s);
  }

  nb::list tests(In<std::uint32_t> samples) {
    require_below(samples, rows_.size(), "there is no such sample");
    require(samples.size() > 0, "a node has at least one sample");
    nb::list out;
    for (const chaid::FeatureTest& test :
         without_gil(threads_, [&](Team& team) { return grower_->tests({samples.data(), samples.size()}, team); }))
      out.append(feature_test(test));
    return out;
  }
  nb::tuple bin_ends(std::size_t feature) {
    require(feature < columns().columns().size(), "there is no such feature");
    return cuts_out(grower_->bin_ends(feature));
  }
};

nb::object chi2_tails(In<double> statistic, In<double> df) {
  require(statistic.size() == df.size(), "every statistic must have its degrees of freedom");
  std::vector<double> out(statistic.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = log_chi2_tail(statistic.data()[i], df.data()[i]);
  return to_numpy(std::move(out));
}

nb::object f_tails(In<double> statistic, In<double> df1, In<double> df2) {
  require(statistic.size() == df1.size() && statistic.size() == df2.size(),
          "every statistic must have its degrees of freedom");
  std::vector<double> out(statistic.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = log_f_tail(statistic.data()[i], df1.data()[i], df2.data()[i]);
  return to_numpy(std::move(out));
}

}  // namespace

void bind_chaid(nb::module_& m) {
  bind_level_grower<PyChaidGrower>(m, "ChaidGrower",
                                   "Finds and makes the splits of CHAID level by level, or the whole tree.")
      .def("tests", &PyChaidGrower::tests, "samples"_a)
      .def("bin_ends", &PyChaidGrower::bin_ends, "feature"_a);
  m.def("log_chi2_tails", &chi2_tails, "statistic"_a, "df"_a);
  m.def("log_f_tails", &f_tails, "statistic"_a, "df1"_a, "df2"_a);
}

}  // namespace boxwood

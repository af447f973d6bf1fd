// Bindings of CHAID: growing by merged categories, the tests of a node's features, tail probabilities as logarithms.
#include "bindings/level_grower.hpp"
#include "bindings/settings.hpp"
#include "chaid/grower.hpp"

namespace boxwood {
namespace {

// State, whether the missing category may merge with any, categories, groups, statistic, degrees of freedom (two), and
// logarithms of p, multiplier and adjusted p.
nb::tuple feature_test(const chaid::FeatureTest& test) {
  using State = chaid::FeatureTest::State;
  const auto plain = [](std::uint32_t code) { return code == MISSING ? std::int64_t{-1} : std::int64_t{code}; };
  nb::list groups;
  for (const auto& group : test.groups) {
    nb::list codes;
    for (const std::uint32_t member : group.members) codes.append(plain(test.categories.codes[member]));
    groups.append(codes);
  }
  const char* state = test.state == State::tested ? "tested" : test.state == State::constant ? "constant" : "too small";
  return nb::make_tuple(state, test.floating(), test.categories.size(), groups, test.test.statistic, test.test.df,
                        test.test.df2, test.test.log_p(), test.log_multiplier, test.log_adjusted);
}

using PyChaidGrower = PyLevelGrower<chaid::Grower>;

nb::list tests(PyChaidGrower& grower, In<std::uint32_t> samples) {
  require_below(samples, grower.samples(), "there is no such sample");
  require(samples.size() > 0, "a node has at least one sample");
  nb::list out;
  for (const chaid::FeatureTest& test : grower.with(
           [&](chaid::Grower& of, ThreadPool& pool) { return of.tests({samples.data(), samples.size()}, pool); }))
    out.append(feature_test(test));
  return out;
}

nb::tuple bin_ends(PyChaidGrower& grower, std::size_t feature) {
  require(feature < grower.columns().size(), "there is no such feature");
  return cuts_out(grower.with([&](chaid::Grower& of, ThreadPool&) { return of.bin_ends(feature); }));
}

// Bins of values by the frequency below each and its own, in units of `unit`.
nb::object chaid_bins(In<std::int64_t> below, In<std::int64_t> here, std::int64_t total, double unit, int n_bins) {
  require(below.size() == here.size(), "every value must have its frequency");
  const chaid::BinRule rule{total, unit, n_bins};
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < here.size(); ++i) out.push_back(rule(below.data()[i], here.data()[i]));
  return to_numpy(std::move(out));
}

nb::object chi2_tails(In<double> statistic, In<double> df) {
  require(statistic.size() == df.size(), "every statistic must have its degrees of freedom");
  std::vector<double> out;
  for (std::size_t i = 0; i < df.size(); ++i) out.push_back(log_chi2_tail(statistic.data()[i], df.data()[i]));
  return to_numpy(std::move(out));
}

nb::object f_tails(In<double> f, In<double> df1, In<double> df2) {
  require(f.size() == df1.size() && f.size() == df2.size(), "every statistic must have its degrees of freedom");
  std::vector<double> out;
  for (std::size_t i = 0; i < f.size(); ++i) out.push_back(log_f_tail(f.data()[i], df1.data()[i], df2.data()[i]));
  return to_numpy(std::move(out));
}

}  // namespace

template <>
void PyChaidGrower::make(const nb::dict& settings) {
  const chaid::Settings s = chaid::settings_from(settings);
  require(s.ends.empty() || s.ends.size() == columns().size(), "every column must have its ends of bins");
  grower_ = std::make_unique<chaid::Grower>(columns(), rows_, y_, s);
}

void bind_chaid(nb::module_& m) {
  PyChaidGrower::bind(m, "ChaidGrower", "Finds and makes the splits of CHAID level by level, or the whole tree.")
      .def("tests", &tests, "samples"_a)
      .def("bin_ends", &bin_ends, "feature"_a);
  m.def("chaid_bins", &chaid_bins, "below"_a, "here"_a, "total"_a, "unit"_a, "n_bins"_a);
  m.def("log_chi2_tails", &chi2_tails, "statistic"_a, "df"_a);
  m.def("log_f_tails", &f_tails, "statistic"_a, "df1"_a, "df2"_a);
}

}  // namespace boxwood

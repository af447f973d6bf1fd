// Bindings of MARS: a search that keeps the model's orthonormal columns and the sums of every (parent, feature).
#include "bindings/binding.hpp"
#include "mars/search.hpp"

namespace boxwood {
namespace {

std::vector<mars::Factor> read_factors(nb::handle list, std::size_t p) {
  std::vector<mars::Factor> out;
  for (nb::handle item : nb::cast<nb::list>(list)) {
    const auto entry = nb::cast<nb::tuple>(item);
    const mars::Factor factor{nb::cast<std::size_t>(entry[0]), nb::cast<int>(entry[1]), nb::cast<double>(entry[2])};
    require(factor.feature < p, "there is no such feature");
    out.push_back(factor);
  }
  return out;
}

std::vector<mars::ParentTerm> read_parents(const nb::list& list, std::size_t p) {
  std::vector<mars::ParentTerm> out;
  for (nb::handle item : list) {
    const auto entry = nb::cast<nb::tuple>(item);
    const auto forms = array_view<std::int8_t>(entry[2]);
    require(forms.size() == p, "a parent must have the allowed forms of every feature");
    out.push_back({nb::cast<int>(entry[0]), read_factors(entry[1], p), copy_of(forms)});
  }
  return out;
}

class MarsSearch {
 public:
  // Columns, y of shape (n, K) and the roots of the weights have the same rows.
  MarsSearch(const nb::list& columns, InMatrix<double> y, MaybeIn<double> root_weight, nb::tuple spans,
             std::size_t memory, int threads)
      : threads_(threads), kept_(columns) {
    mars::Rows rows;
    rows.n = y.shape(0);
    if (rows.n == 0 || rows.n >= MISSING) throw std::length_error("the search takes from 1 to 2**32 - 2 rows");
    if (root_weight) rows.root_weight = copy_of(*root_weight);
    require(rows.root_weight.empty() || rows.root_weight.size() == rows.n, "every row needs a weight");
    for (nb::handle item : columns) {
      const auto column = array_view<double>(item);
      require(column.size() == rows.n, "every column must have one value a row");
      rows.columns.push_back(column.data());
    }
    const mars::SpanRule rule{nb::cast<int>(spans[0]), nb::cast<int>(spans[1]), nb::cast<double>(spans[2]),
                              nb::cast<bool>(spans[3])};
    work_ = rows.n * rows.columns.size();
    search_.emplace(std::move(rows), y.data(), y.shape(1), rule, memory);
    without_gil(team(), [&](Team& team) { search_->sort(team); });
  }

  // Coefficients on the columns before, own norm, norm of the whole product, inner products with the responses; or
  // None.
  nb::tuple attempt(nb::list factors) {
    const auto read = read_factors(factors, search_->rows().columns.size());
    mars::Appended found = without_gil(team(), [&](Team& team) { return search_->attempt(read, team); });
    nb::object with_y = nb::none();
    if (found.independent) with_y = to_numpy(std::move(found.with_y));
    return nb::make_tuple(to_numpy(std::move(found.coefficients)), found.norm, found.whole_norm, with_y);
  }

  void end_trial(bool keep) { search_->end_trial(keep); }

  nb::dict examine(const nb::list& parents, double least_share, In<double> least_linear, double limit) {
    const std::size_t p = search_->rows().columns.size();
    const auto terms = read_parents(parents, p);
    require(least_linear.size() == p, "least_linear must have one number a feature");
    const std::vector<double> least = copy_of(least_linear);
    std::vector<double> gain, cut;
    std::vector<std::uint8_t> linear, new_form;
    for (const mars::Best& best : without_gil(
             team(), [&](Team& team) { return search_->examine(terms, {least_share, 0.0, limit}, least, team); })) {
      gain.push_back(best.gain);
      cut.push_back(best.cut);
      linear.push_back(best.linear);
      new_form.push_back(best.new_form);
    }
    nb::dict out;
    out["gain"] = to_numpy(std::move(gain));
    out["cut"] = to_numpy(std::move(cut));
    out["linear"] = to_numpy(std::move(linear));
    out["new_form"] = to_numpy(std::move(new_form));
    return out;
  }

  double exact_gain(nb::list parent, std::size_t feature, double cut, bool linear, bool new_form) {
    const std::size_t p = search_->rows().columns.size();
    const auto factors = read_factors(parent, p);
    require(feature < p, "there is no such feature");
    return without_gil(
        team(), [&](Team& team) { return search_->exact_gain(factors, feature, {0.0, cut, linear, new_form}, team); });
  }

  // All knots of one (parent, feature) and their gains.
  nb::tuple all_knots(nb::tuple parent, std::size_t feature, double least_share, double least_linear) {
    const std::size_t p = search_->rows().columns.size();
    nb::list one;
    one.append(parent);
    const auto terms = read_parents(one, p);
    require(feature < p, "there is no such feature");
    auto [cuts, gains] = search_->all_knots(terms[0], feature, {least_share, least_linear, 0.0});
    return arrays(std::move(cuts), std::move(gains));
  }

 private:
  int team() const { return Table::team_size(threads_, work_); }

  int threads_;
  std::size_t work_ = 0;
  nb::list kept_;  // keeps the columns alive
  std::optional<mars::Search> search_;
};

}  // namespace

void bind_mars(nb::module_& m) {
  nb::class_<MarsSearch>(m, "MarsSearch", "The search for the next term of a MARS model.")
      .def(nb::init<nb::list, InMatrix<double>, MaybeIn<double>, nb::tuple, std::size_t, int>(), "columns"_a, "y"_a,
           "root_weight"_a.none(), "spans"_a, "memory"_a, "threads"_a)
      .def("attempt", &MarsSearch::attempt, "factors"_a)
      .def("end_trial", &MarsSearch::end_trial, "keep"_a)
      .def("examine", &MarsSearch::examine, "parents"_a, "least_share"_a, "least_linear"_a, "limit"_a)
      .def("exact_gain", &MarsSearch::exact_gain, "parent"_a, "feature"_a, "cut"_a, "linear"_a, "new_form"_a)
      .def("all_knots", &MarsSearch::all_knots, "parent"_a, "feature"_a, "least_share"_a, "least_linear"_a);
}

}  // namespace boxwood

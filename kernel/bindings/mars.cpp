// Bindings of MARS: a search that keeps the model's orthonormal columns and the sums of every (parent, feature).
#include <nanobind/stl/tuple.h>

#include "bindings/binding.hpp"
#include "mars/search.hpp"

namespace boxwood {
namespace {

std::vector<mars::Factor> read_factors(nb::handle list, std::size_t p) {
  std::vector<mars::Factor> out;
  for (const auto& [j, direction, cut] : nb::cast<std::vector<std::tuple<std::size_t, int, double>>>(list)) {
    require(j < p, "there is no such feature");
    out.push_back({j, direction, cut});
  }
  return out;
}

// (term, factors, allowed forms of every feature)
mars::ParentTerm read_parent(nb::handle item, std::size_t p) {
  const auto entry = nb::cast<nb::tuple>(item);
  const std::int8_t* forms = array_of<std::int8_t>(entry[2], p);
  return {nb::cast<int>(entry[0]), read_factors(entry[1], p), {forms, forms + p}};
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
    for (nb::handle item : columns) rows.columns.push_back(array_of<double>(item, rows.n));
    const auto [between, at_end, widen, by_weight] = nb::cast<std::tuple<int, int, double, bool>>(spans);
    work_ = rows.n * rows.columns.size();
    search_.emplace(std::move(rows), y.data(), y.shape(1), mars::SpanRule{between, at_end, widen, by_weight}, memory);
    without_gil(pool(), [&](ThreadPool& pool) { search_->sort(pool); });
  }

  // Coefficients on the columns before, own norm, norm of the whole product, products with the responses; or None.
  nb::tuple attempt(nb::list factors) {
    const auto read = read_factors(factors, p());
    mars::Appended found = without_gil(pool(), [&](ThreadPool& pool) { return search_->attempt(read, pool); });
    nb::object with_y = nb::none();
    if (found.independent) with_y = to_numpy(std::move(found.with_y));
    return nb::make_tuple(to_numpy(std::move(found.coefficients)), found.norm, found.whole_norm, with_y);
  }

  void end_trial(bool keep) { search_->end_trial(keep); }

  // Gain, cut, whether the term is linear, and whether its form is new: of each parent and feature.
  nb::tuple examine(const nb::list& parents, double least_share, In<double> least_linear, double limit) {
    std::vector<mars::ParentTerm> terms;
    for (nb::handle parent : parents) terms.push_back(read_parent(parent, p()));
    require(least_linear.size() == p(), "least_linear must have one number a feature");
    const std::vector<double> least = copy_of(least_linear);
    std::vector<double> gain, cut;
    std::vector<std::uint8_t> linear, new_form;
    for (const mars::Best& best : without_gil(pool(), [&](ThreadPool& pool) {
           return search_->examine(terms, {least_share, 0.0, limit}, least, pool);
         })) {
      gain.push_back(best.gain);
      cut.push_back(best.cut);
      linear.push_back(best.linear);
      new_form.push_back(best.new_form);
    }
    return arrays(std::move(gain), std::move(cut), std::move(linear), std::move(new_form));
  }

  double exact_gain(nb::list parent, std::size_t feature, double cut, bool linear, bool new_form) {
    const auto factors = read_factors(parent, p());
    require(feature < p(), "there is no such feature");
    return without_gil(pool(), [&](ThreadPool& pool) {
      return search_->exact_gain(factors, feature, {0.0, cut, linear, new_form}, pool);
    });
  }

  // All knots of one (parent, feature) and their gains.
  nb::tuple all_knots(nb::tuple parent, std::size_t feature, double least_share, double least_linear) {
    const auto term = read_parent(parent, p());
    require(feature < p(), "there is no such feature");
    auto [cuts, gains] = search_->all_knots(term, feature, {least_share, least_linear, 0.0});
    return arrays(std::move(cuts), std::move(gains));
  }

 private:
  std::size_t p() const { return search_->rows().columns.size(); }
  int pool() const { return Table::pool_size(threads_, work_); }

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

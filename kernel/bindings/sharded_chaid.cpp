// Bindings: CHAID from shards: bins of numeric columns, categories counted, splits of a level.
#include <optional>

#include "bindings/binding.hpp"
#include "bindings/response.hpp"
#include "bindings/settings.hpp"
#include "bindings/shard_rows.hpp"
#include "bindings/summed_stats.hpp"
#include "chaid/bins.hpp"
#include "encode/coarse_codes.hpp"
#include "shards/chaid.hpp"
#include "shards/spans.hpp"

namespace boxwood {
namespace {

using namespace sharded;

// A numeric column by its coarse bins: (rows, weight, (least, low parts), (greatest, low parts)) of each column
// (codes, number of bins, values, low parts or None).
nb::list spans(In<std::int16_t> of, const nb::list& columns, MaybeIn<i64> weight, int threads) {
  const Places places = places_from(of, 1);
  const std::size_t n = places.n;
  if (weight && weight->size() != n) throw std::invalid_argument("every row must have a weight");
  std::vector<CodedColumn> coded;
  std::vector<ExactValues> exact;
  for (nb::handle column : columns) {
    const auto given = nb::cast<nb::tuple>(column);
    coded.emplace_back(given, places);
    exact.push_back(exact_values(given[2], given[3], n));
    if (!coded.back().codes) throw std::invalid_argument("only numeric columns have spans");
  }
  const i64* weights = weight ? weight->data() : nullptr;
  std::vector<Spans> found(coded.size());
  without_gil(Table::team_size(threads, n * coded.size()), [&](Team& team) {
    team.run(coded.size(), [&](std::size_t j, int) {
      found[j] = spans_of(places, coded[j].codes, exact[j], weights, coded[j].size);
    });
  });
  nb::list out;
  for (Spans& s : found)
    out.append(nb::make_tuple(to_numpy(std::move(s.rows)), to_numpy(std::move(s.weight)), chaid::cuts_out(s.least),
                              chaid::cuts_out(s.greatest)));
  return out;
}

class PyBinSearch {
 public:
  // `least`, `greatest`: values and low parts.
  PyBinSearch(In<i64> frequency, const nb::tuple& least, const nb::tuple& greatest, double unit, int n_bins)
      : size_(frequency.size()) {
    const std::vector<Cut> low = chaid::cuts_from(least), high = chaid::cuts_from(greatest);
    if (low.size() != size_ || high.size() != size_) throw std::invalid_argument("every coarse bin must have its span");
    search_.emplace(copy_of(frequency), low, high, unit, n_bins);
  }
  nb::object candidate_bins() const { return to_numpy(search_->candidate_bins()); }
  void take_values(std::size_t bin, const nb::tuple& values, In<i64> frequency) {
    std::vector<Cut> listed = chaid::cuts_from(values);
    if (bin >= size_) throw std::out_of_range("there is no such bin");
    if (frequency.size() != listed.size()) throw std::invalid_argument("every value must have a frequency");
    search_->take_values(bin, std::move(listed), copy_of(frequency));
  }
  nb::tuple ends() const { return chaid::cuts_out(search_->ends()); }

 private:
  std::size_t size_;
  std::optional<chaid::BinSearch> search_;
};

// A column as categories: level codes, or numbers cut at the ends of bins, which are coded when their turn comes.
struct CategoryColumn {
  std::optional<CodedColumn> levels;
  ExactValues exact;
  std::optional<CoarseCodes> codes;
  std::vector<Cut> cuts;  // where low parts decide; else empty
  std::size_t size;

  // (level codes, number of levels, None) or (values, number of bins, (cuts between the bins, low parts), low parts or
  // None)
  CategoryColumn(const nb::tuple& given, const Places& places) : size(nb::cast<std::size_t>(given[1])) {
    if (given[2].is_none()) {
      levels.emplace(given, places);
      return;
    }
    exact = exact_values(given[0], given[3], places.n);
    cuts = chaid::cuts_from(nb::cast<nb::tuple>(given[2]));
    if (cuts.size() + 1 != std::max<std::size_t>(size, 1) || cuts.size() > MOST_CUTS)
      throw std::invalid_argument("cuts and bins do not fit");
    std::vector<double> plain;
    for (const Cut& cut : cuts) plain.push_back(cut.value);
    codes.emplace(plain);
    if (!exact.lows && std::all_of(cuts.begin(), cuts.end(), [](const Cut& cut) { return cut.low == 0.0; }))
      cuts.clear();
  }
  template <class Adder>
  Entries table(const Places& places, const Adder& adder) const {
    if (levels) return levels->table(places, adder);
    std::vector<std::uint16_t> coded(places.n);
    if (exact.narrow)
      codes->code(exact.narrow, places.n, coded.data());
    else
      codes->code(exact.wide, places.n, coded.data());
    if (!cuts.empty()) settle(coded);
    return count(places, size + 1, [&](std::size_t i) { return std::min<std::size_t>(coded[i], size); }, adder);
  }

 private:
  // Among cuts of one value, low parts decide.
  void settle(std::vector<std::uint16_t>& coded) const {
    for (std::size_t i = 0; i < coded.size(); ++i) {
      const Cut x{exact.value(i), exact.lows ? exact.lows[i] : 0.0};
      while (coded[i] < cuts.size() && is_below(cuts[coded[i]], x)) ++coded[i];  // a missing value has a greater code
    }
  }
};

// Rows and sums of every category of columns at each place; `middle` and `fine` of each place are read for a numeric
// target.
nb::list categories(In<std::int16_t> of, std::size_t n_places, const nb::list& columns, const nb::dict& response,
                    bool cases, int threads) {
  const Places places = places_from(of, n_places);
  std::vector<double> factors;
  const ResponseColumns y = read_response(response, places.n, factors);
  std::vector<CategoryColumn> listed;
  for (nb::handle column : columns) listed.emplace_back(nb::cast<nb::tuple>(column), places);
  std::optional<In<i64>> middle;
  std::optional<In<std::uint8_t>> fine;
  if (y.kind == ResponseColumns::Kind::mean) {
    middle = array_view<i64>(response["middle"]);
    fine = array_view<std::uint8_t>(response["fine"]);
    if (middle->size() != n_places || fine->size() != n_places)
      throw std::invalid_argument("every place must have a middle");
  }
  std::vector<Entries> found(listed.size());
  without_gil(Table::team_size(threads, places.n * listed.size()), [&](Team& team) {
    team.run(listed.size(), [&](std::size_t j, int) {
      if (middle)
        found[j] = listed[j].table(places, MeanAdder<LongSum>{y.high, y.low, y.weight, middle->data(), fine->data()});
      else if (cases)
        found[j] = listed[j].table(places, CaseAdder{y.codes, y.weight, y.n_classes});
      else if (y.weight)
        found[j] = listed[j].table(places, ClassAdder<i64>{y.codes, y.weight, y.n_classes});
      else
        found[j] = listed[j].table(places, ClassAdder<u32>{y.codes, nullptr, y.n_classes});
    });
  });
  nb::list out;
  for (Entries& e : found) out.append(arrays(std::move(e.rows), std::move(e.words)));
  return out;
}

class PyCategorySearch {
 public:
  PyCategorySearch(const nb::dict& response, const nb::dict& settings, const nb::list& features, int threads)
      : threads_(threads) {
    y_ = read_response(response, 0, factors_);
    std::vector<chaid::Feature> listed;
    for (nb::handle h : features) {
      const auto f = nb::cast<nb::tuple>(h);
      listed.push_back({kind_from(f[0]), nb::cast<u32>(f[1]), {}});
    }
    const chaid::Settings s = chaid::settings_from(settings);
    words_ = category_words({y_, s.case_weights});
    search_ = std::make_unique<CategorySearch>(y_, s, std::move(listed));
  }

  // A level begins: rows, middle, whether only the fine half differs, and moments of its nodes.
  nb::tuple start(In<i64> words, In<i64> ends, bool is_root) {
    level_ = search_->start(level_words(words, ends, y_), is_root);
    return stats_out(level_);
  }

  double all_cases() const { return search_->all_cases(); }
  nb::object closed() const { return to_numpy(search_->closed()); }
  void set_bins(std::size_t feature, const nb::tuple& ends) {
    search_->set_bins(feature_at(feature), chaid::cuts_from(ends));
  }

  void take_table(std::size_t node, std::size_t feature, In<i64> rows, In<i64> words) {
    if (node >= level_.rows.size()) throw std::out_of_range("there is no such node");
    if (rows.size() != search_->features()[feature_at(feature)].n_categories + std::size_t{1} ||
        words.size() != words_ * rows.size())
      throw std::invalid_argument("a table does not fit its feature");
    search_->take_table(node, feature, {rows.data(), words.data(), nullptr, rows.size(), words_});
  }
  void choose(const std::vector<std::size_t>& nodes) {
    for (const std::size_t node : nodes)
      if (node >= level_.rows.size()) throw std::out_of_range("there is no such node");
    without_gil(threads_, [&](Team& team) { search_->choose(nodes, team); });
  }
  GrownNodes level() const {
    GrownNodes nodes;
    nodes.rows = level_.rows;
    nodes.moments = level_.moments;
    search_->describe(nodes);
    return nodes;
  }

 private:
  std::size_t feature_at(std::size_t j) const {
    if (j >= search_->features().size()) throw std::out_of_range("there is no such feature");
    return j;
  }

  ResponseColumns y_;
  std::vector<double> factors_;
  std::size_t words_ = 0;
  int threads_;
  LevelStats level_;
  std::unique_ptr<CategorySearch> search_;
};

}  // namespace

void bind_sharded_chaid(nb::module_& m) {
  m.def("shard_spans", &spans, "places"_a, "columns"_a, "weight"_a.none(), "threads"_a,
        "Rows, weight, least and greatest value in every coarse bin of numeric columns, of the rows at a place.");
  m.def("shard_categories", &categories, "places"_a, "count"_a, "columns"_a, "response"_a, "cases"_a, "threads"_a,
        "Rows and sums of every category of columns at each place.");
  nb::class_<PyBinSearch>(m, "BinSearch", "Bins of a numeric column from the added spans of shards.")
      .def(nb::init<In<i64>, const nb::tuple&, const nb::tuple&, double, int>(), "frequency"_a, "least"_a, "greatest"_a,
           "unit"_a, "n_bins"_a)
      .def("candidate_bins", &PyBinSearch::candidate_bins)
      .def("take_values", &PyBinSearch::take_values)
      .def("ends", &PyBinSearch::ends);
  nb::class_<PyCategorySearch>(m, "CategorySearch", "Best splits of a level by CHAID from the summed tables of shards.")
      .def(nb::init<const nb::dict&, const nb::dict&, const nb::list&, int>(), "response"_a, "settings"_a, "features"_a,
           "threads"_a)
      .def("start", &PyCategorySearch::start, "words"_a, "ends"_a, "is_root"_a)
      .def("all_cases", &PyCategorySearch::all_cases)
      .def("closed", &PyCategorySearch::closed)
      .def("set_bins", &PyCategorySearch::set_bins)
      .def("take_table", &PyCategorySearch::take_table)
      .def("choose", &PyCategorySearch::choose)
      .def("level", &PyCategorySearch::level);
}

}  // namespace boxwood

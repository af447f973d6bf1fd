// Bindings: the search over the sums of all shards, level by level.
#include <nanobind/stl/pair.h>

#include <memory>

#include "bindings/binding.hpp"
#include "bindings/response.hpp"
#include "bindings/settings.hpp"
#include "bindings/summed_stats.hpp"
#include "shards/multiway.hpp"
#include "shards/search.hpp"

namespace boxwood {
namespace {

using namespace sharded;

// The search over summed tables, level by level.
class PyLevelSearch {
 public:
  // `rows`: of all shards. A recipe of multiway splits has "once" among its settings.
  PyLevelSearch(const nb::dict& response, bool weighted, const nb::dict& settings, const nb::list& features,
                std::size_t rows)
      : s_(settings.contains("once") ? Settings() : settings_from(settings)) {
    y_ = read_response(response, 0, factors_);
    for (nb::handle h : features) {
      const auto f = nb::cast<nb::tuple>(h);
      features_.push_back({kind_from(f[0]), nb::cast<u32>(f[1])});
    }
    search_ = settings.contains("once") ? make_multiway(multiway::settings_from(settings), weighted, rows)
                                        : make(weighted, rows);
  }

  // A level begins: rows, middle, whether only the fine half differs, and moments of its nodes.
  nb::tuple start(In<i64> words, In<i64> ends, bool is_root) {
    level_ = search_->start(level_words(words, ends, y_), is_root);
    return stats_out(level_);
  }

  // Weight and risk of the root.
  nb::tuple root() const { return nb::make_tuple(search_->root_weight(), search_->root_risk()); }
  // Nodes that are not to be split whatever their features offer.
  nb::object closed() const { return to_numpy(std::vector<std::uint8_t>(level_.pure)); }

  void take_table(std::size_t node, std::size_t feature, In<i64> rows, In<i64> words, In<double> spread) {
    search_->take_table(checked(node), feature_at(feature), given(rows, words, spread, features_[feature].size + 1));
  }
  nb::object candidate_bins(std::size_t node, std::size_t feature) {
    return to_numpy(search_->candidate_bins(checked(node), feature_at(feature)));
  }
  // `lows`: empty where the column has none.
  void take_values(std::size_t node, std::size_t feature, In<double> values, In<double> lows, In<u32> bins,
                   In<i64> rows, In<i64> words, In<double> spread) {
    const Given sums = given(rows, words, spread, values.size());
    search_->take_values(checked(node), feature_at(feature), checked_values(values, lows, bins, feature), sums);
  }
  void choose(std::size_t node) { search_->choose(checked(node)); }
  nb::list unresolved() const {
    nb::list out;
    for (NeededBins& q : search_->unresolved())
      out.append(nb::make_tuple(q.node, q.feature, to_numpy(std::move(q.bins))));
    return out;
  }
  // `first`, `last`: value and low part of both ends of a bin.
  void resolve(std::size_t node, std::size_t feature, u32 bin, std::pair<double, double> first,
               std::pair<double, double> last) {
    search_->resolve(checked(node), feature_at(feature), bin, {first.first, first.second}, {last.first, last.second});
  }
  void take_branch_counts(std::size_t node, std::size_t feature, In<i64> rows, In<i64> words) {
    if (words.size() != 4 * rows.size() || rows.size() != features_[feature_at(feature)].size + 1)
      throw std::invalid_argument("a table of branch counts does not fit");
    search_->take_branch_counts(checked(node), feature, {rows.data(), words.data(), nullptr, rows.size(), 4});
  }
  nb::object surrogate_bins(std::size_t node, std::size_t feature) {
    return to_numpy(search_->surrogate_bins(checked(node), feature_at(feature)));
  }
  void take_branch_values(std::size_t node, std::size_t feature, In<double> values, In<double> lows, In<u32> bins,
                          In<i64> rows, In<i64> words) {
    if (words.size() != 4 * rows.size() || rows.size() != values.size())
      throw std::invalid_argument("branch counts by value do not fit");
    search_->take_branch_values(checked(node), feature_at(feature), checked_values(values, lows, bins, feature),
                                {rows.data(), words.data(), nullptr, rows.size(), 4});
  }
  void choose_surrogates(std::size_t node) { search_->choose_surrogates(checked(node)); }
  // Weights of the known values that each branch of the level's splits gets, in order.
  nb::object known_weights() const { return to_numpy(search_->known_weights()); }
  GrownNodes level() const {
    GrownNodes out;
    out.rows = level_.rows;
    out.moments = level_.moments;
    search_->describe(out);
    return out;
  }

 private:
  std::size_t checked(std::size_t node) const {
    if (node >= level_.rows.size()) throw std::out_of_range("there is no such node");
    return node;
  }
  std::size_t feature_at(std::size_t j) const {
    if (j >= features_.size()) throw std::out_of_range("there is no such feature");
    return j;
  }
  OpenedValues checked_values(const In<double>& values, const In<double>& lows, const In<u32>& bins,
                              std::size_t feature) const {
    const std::size_t count = values.size();
    if (bins.size() != count || (lows.size() != 0 && lows.size() != count))
      throw std::invalid_argument("every value must have a bin and a low part");
    for (std::size_t v = 0; v < count; ++v)
      if (bins.data()[v] >= features_[feature].size) throw std::out_of_range("there is no such bin");
    return {values.data(), lows.size() == 0 ? nullptr : lows.data(), bins.data()};
  }
  Given given(const In<i64>& rows, const In<i64>& words, const In<double>& spread, std::size_t count) const {
    const std::size_t width = words_of(y_);
    const bool has_spread = y_.kind == ResponseColumns::Kind::mean;
    if (rows.size() != count || words.size() != count * width || (has_spread && spread.size() != count))
      throw std::invalid_argument("a table does not fit its feature");
    return {rows.data(), words.data(), has_spread ? spread.data() : nullptr, count, width};
  }

  template <class R>
  std::unique_ptr<SummedSearchBase> with(const R& y) const {
    return std::make_unique<SummedSearch<R>>(y, y_, s_, features_);
  }
  std::unique_ptr<SummedSearchBase> make(bool weighted, std::size_t rows) const {
    constexpr double NO_LIMIT = std::numeric_limits<double>::infinity();
    constexpr std::size_t FITS = std::size_t{1} << 31;  // rows that are counted in half a word
    if (y_.kind == ResponseColumns::Kind::mean) return with(coded::WeightedMeanResponse{nullptr, nullptr});
    if (y_.kind == ResponseColumns::Kind::rate)
      return with(WidePoisson{nullptr, nullptr, nullptr, nullptr, NO_LIMIT, &y_});
    if (y_.n_classes != 2)
      return with(coded::WeightedMulticlassResponse{{nullptr, y_.n_classes, &s_.measure, nullptr, y_.factors}});
    const coded::ClassCounts<std::uint8_t> classes{nullptr, 2, &s_.measure, nullptr, y_.factors};
    if (weighted || y_.factors || rows >= FITS) return with(coded::WeightedBinaryResponse{classes});
    return with(coded::BinaryResponse{classes});
  }

  std::unique_ptr<SummedSearchBase> make_multiway(const multiway::Settings& settings, bool weighted,
                                                  std::size_t rows) const {
    return std::make_unique<SummedMultiway>(y_, settings, weighted, features_, rows);
  }

  ResponseColumns y_;
  const Settings s_;
  std::vector<double> factors_;
  std::vector<FeatureShape> features_;
  LevelStats level_;
  std::unique_ptr<SummedSearchBase> search_;
};

}  // namespace

void bind_level_search(nb::module_& m) {
  nb::class_<PyLevelSearch>(m, "LevelSearch", "Best splits of a level from the summed tables of shards.")
      .def(nb::init<const nb::dict&, bool, const nb::dict&, const nb::list&, std::size_t>(), "response"_a, "weighted"_a,
           "settings"_a, "features"_a, "rows"_a)
      .def("start", &PyLevelSearch::start, "words"_a, "ends"_a, "is_root"_a)
      .def("root", &PyLevelSearch::root)
      .def("closed", &PyLevelSearch::closed)
      .def("take_table", &PyLevelSearch::take_table)
      .def("candidate_bins", &PyLevelSearch::candidate_bins)
      .def("take_values", &PyLevelSearch::take_values)
      .def("choose", &PyLevelSearch::choose)
      .def("unresolved", &PyLevelSearch::unresolved)
      .def("resolve", &PyLevelSearch::resolve)
      .def("take_branch_counts", &PyLevelSearch::take_branch_counts)
      .def("surrogate_bins", &PyLevelSearch::surrogate_bins)
      .def("take_branch_values", &PyLevelSearch::take_branch_values)
      .def("choose_surrogates", &PyLevelSearch::choose_surrogates)
      .def("known_weights", &PyLevelSearch::known_weights)
      .def("level", &PyLevelSearch::level);
}

}  // namespace boxwood

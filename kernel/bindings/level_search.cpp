// Bindings: the search over the sums of all shards, level by level.
#include <nanobind/stl/pair.h>

#include <memory>

#include "bindings/response.hpp"
#include "shards/chaid.hpp"
#include "shards/multiway.hpp"

namespace boxwood {
namespace {

using namespace sharded;

// The search over summed tables, level by level. `branches`: about the branch that a node's split takes, in the place
// of the response, for surrogates.
class PyLevelSearch {
 public:
  // `features`: (kind, bins or levels) of each; `rows`: of all shards. The settings are those of any recipe.
  PyLevelSearch(const nb::dict& response, const nb::dict& settings, const nb::list& features, bool weighted,
                std::size_t rows, int threads)
      : kept_(response), y_(read_response(response, 0)), words_(y_.words_of_entry()), threads_(threads) {
    for (nb::handle h : features) {
      const auto f = nb::cast<nb::tuple>(h);
      features_.push_back({kind_from(f[0]), nb::cast<u32>(f[1])});
    }
    if (settings.contains("once")) {
      const auto s = multiway::settings_from(settings);
      search_ = std::make_unique<SummedMultiway>(y_, s, weighted, features_, rows);
    } else if (settings.contains("exhaustive")) {
      const auto s = chaid::settings_from(settings);
      words_ = category_words({y_, s.case_weights});
      has_spread_ = false;
      search_ = std::make_unique<CategorySearch>(y_, s, features_);
    } else {
      constexpr std::size_t FITS = std::size_t{1} << 31;  // rows that are counted in half a word
      s_ = settings_from(settings);
      search_ = binary_search(y_, s_, features_, weighted || rows >= FITS);
    }
  }

  // A level begins: rows, whether only the low half differs, whether a node is not to be split whatever its features
  // offer, and moments of its nodes.
  nb::tuple start(In<i64> words, In<i64> ends, bool is_root) {
    const std::size_t count = words.size() / y_.words_of_node();
    require(words.size() == count * y_.words_of_node() && ends.size() == count * y_.ends_of_node(),
            "every node must have its sums");
    level_ = search_->start({words.data(), ends.data(), count}, is_root);
    const LevelStats out = level_;
    return arrays(out.rows, out.by_low, out.closed, out.moments);
  }
  // Where the means below each node of the level should be, in units of y.
  void limit_means(In<double> least, In<double> greatest) {
    require(least.size() == level_.rows.size() && greatest.size() == least.size(), "every node must have its limits");
    search_->limit_means(least.data(), greatest.data());
  }
  // Weight and risk of the root; under CHAID its cases.
  std::pair<double, double> root() const { return search_->root(); }
  // Under CHAID: the greatest value in each bin of a numeric feature, and low parts.
  void set_bins(std::size_t j, const nb::tuple& given) {
    const std::vector<Cut> ends = cuts_from(given);
    features_[feature_at(j)].size = static_cast<u32>(ends.size());
    search_->set_bins(j, ends);
  }

  void take_table(std::size_t node, std::size_t j, In<i64> rows, In<i64> words, In<double> spread, bool branches) {
    require(rows.size() == features_[feature_at(j)].size + std::size_t{1}, "a table does not fit its feature");
    search_->take_table(checked(node), j, given(rows, words, spread, branches), branches);
  }
  nb::object candidate_bins(std::size_t node, std::size_t j, bool branches) {
    return to_numpy(search_->candidate_bins(checked(node), feature_at(j), branches));
  }
  // `lows`: empty where the column has none.
  void take_values(std::size_t node, std::size_t j, In<double> values, In<double> lows, In<u32> bins, In<i64> rows,
                   In<i64> words, In<double> spread, std::size_t counted, bool branches) {
    const std::size_t count = values.size();
    require(rows.size() == count && bins.size() == count && (lows.size() == 0 || lows.size() == count),
            "every value must have rows, a bin and a low part");
    require_below(bins, features_[feature_at(j)].size, "there is no such bin");
    search_->take_values(checked(node), j, {values.data(), lows.size() ? lows.data() : nullptr, bins.data(), counted},
                         given(rows, words, spread, branches), branches);
  }
  // The values of a feature about cuts that may be chosen, and low parts.
  nb::list ends(std::size_t node, std::size_t j, bool branches) const {
    nb::list out;
    for (const Cut& end : search_->ends(checked(node), feature_at(j), branches))
      out.append(nb::make_tuple(end.value, end.low));
    return out;
  }
  void choose(const std::vector<std::size_t>& nodes, bool branches) {
    for (const std::size_t node : nodes) checked(node);
    without_gil(threads_, [&](ThreadPool& pool) { search_->choose(nodes, branches, pool); });
  }
  nb::list unresolved() const {
    nb::list out;
    for (NeededBins& q : search_->unresolved())
      out.append(nb::make_tuple(q.node, q.feature, to_numpy(std::move(q.bins))));
    return out;
  }
  // `first`, `last`: value and low part of both ends of a bin.
  void resolve(std::size_t node, std::size_t j, u32 bin, std::pair<double, double> first,
               std::pair<double, double> last) {
    search_->resolve(checked(node), feature_at(j), bin, {first.first, first.second}, {last.first, last.second});
  }
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
  Given given(const In<i64>& rows, const In<i64>& words, const In<double>& spread, bool branches) const {
    const std::size_t width = branches ? 4 : words_, count = rows.size();
    const bool has_spread = has_spread_ && !branches && y_.kind == ResponseColumns::Kind::mean;
    require(words.size() == count * width && (!has_spread || spread.size() == count), "a table does not fit its rows");
    return {rows.data(), words.data(), has_spread ? spread.data() : nullptr, count, width};
  }

  const nb::dict kept_;  // keeps the factors of classes alive
  const ResponseColumns y_;
  Settings s_;  // of binary splits: the search refers to its measure
  std::size_t words_;
  bool has_spread_ = true;
  int threads_;
  std::vector<FeatureShape> features_;
  LevelStats level_;
  std::unique_ptr<SummedSearchBase> search_;
};

}  // namespace

void bind_level_search(nb::module_& m) {
  using L = PyLevelSearch;
  nb::class_<L>(m, "LevelSearch", "Best splits of a level from the summed tables of shards.")
      .def(nb::init<const nb::dict&, const nb::dict&, const nb::list&, bool, std::size_t, int>(), "response"_a,
           "settings"_a, "features"_a, "weighted"_a, "rows"_a, "threads"_a)
      .def("start", &L::start, "words"_a, "ends"_a, "is_root"_a)
      .def("limit_means", &L::limit_means, "least"_a, "greatest"_a)
      .def("root", &L::root)
      .def("set_bins", &L::set_bins)
      .def("take_table", &L::take_table)
      .def("candidate_bins", &L::candidate_bins)
      .def("take_values", &L::take_values)
      .def("ends", &L::ends)
      .def("choose", &L::choose)
      .def("unresolved", &L::unresolved)
      .def("resolve", &L::resolve)
      .def("known_weights", &L::known_weights)
      .def("level", &L::level);
}

}  // namespace boxwood

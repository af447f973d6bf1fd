// Bindings: what follows from answers of shards: values of two of them merged, a table less those of its parts.
#include "bindings/binding.hpp"
#include "shards/merge.hpp"
#include "shards/remainder.hpp"

namespace boxwood {
namespace {

using namespace sharded;

// The arrays of one list, kept while they are read.
struct GivenValues {
  In<i64> count, rows, words;
  In<double> value, low, spread;

  explicit GivenValues(const nb::dict& d)
      : count(array_view<i64>(d["count"])),
        rows(array_view<i64>(d["rows"])),
        words(array_view<i64>(d["words"])),
        value(array_view<double>(d["value"])),
        low(array_view<double>(d["low"])),
        spread(array_view<double>(d["spread"])) {
    std::size_t total = 0;
    for (std::size_t g = 0; g < count.size(); ++g) {
      if (count.data()[g] < 0) throw std::invalid_argument("a group cannot have fewer than no values");
      total += static_cast<std::size_t>(count.data()[g]);
    }
    const std::size_t n = value.size();
    if (total != n || rows.size() != n || (n && words.size() % n) || (spread.size() && spread.size() != n) ||
        (low.size() && low.size() != n))
      throw std::invalid_argument("every value must have its group, rows and sums");
  }
  ValueList list() const {
    return {count.data(), value.data(), low.size() ? low.data() : nullptr,
            rows.data(),  words.data(), spread.size() ? spread.data() : nullptr};
  }
  std::size_t width() const { return value.size() ? words.size() / value.size() : 0; }
};

nb::dict merge_values(const nb::dict& one, const nb::dict& other) {
  const GivenValues a(one), b(other);
  if (a.count.size() != b.count.size()) throw std::invalid_argument("both lists must have the same groups");
  const std::size_t n[2] = {a.value.size(), b.value.size()};
  if (n[0] && n[1] && (a.width() != b.width() || (a.spread.size() > 0) != (b.spread.size() > 0)))
    throw std::invalid_argument("both lists must sum the same");
  MergedValues merged = without_gil(1, [&](Team&) {
    return Merge(a.list(), b.list(), std::max(a.width(), b.width()), a.spread.size() + b.spread.size() > 0)
        .all(a.count.size());
  });
  nb::dict out;
  out["count"] = to_numpy(std::move(merged.count));
  out["value"] = to_numpy(std::move(merged.value));
  out["low"] = to_numpy(std::move(merged.low));
  out["rows"] = to_numpy(std::move(merged.entries.rows));
  out["words"] = to_numpy(std::move(merged.entries.words));
  out["spread"] = to_numpy(std::move(merged.entries.spread));
  return out;
}

// The arrays of one table, kept while they are read: (rows, words, spread, middle).
struct GivenTable {
  In<i64> rows, words;
  In<double> spread;
  i64 middle;

  explicit GivenTable(const nb::tuple& t)
      : rows(array_view<i64>(t[0])),
        words(array_view<i64>(t[1])),
        spread(array_view<double>(t[2])),
        middle(nb::cast<i64>(t[3])) {}
  TableView view() const { return {rows.data(), words.data(), spread.size() ? spread.data() : nullptr, middle}; }
};

nb::tuple table_left(const nb::tuple& whole, const nb::list& parts, i64 middle) {
  const GivenTable all(whole);
  const std::size_t count = all.rows.size(), width = count ? all.words.size() / count : 0;
  const bool is_mean = all.spread.size() > 0;
  std::vector<GivenTable> given;
  std::vector<TableView> views;
  for (nb::handle part : parts) {
    given.emplace_back(nb::cast<nb::tuple>(part));
    const GivenTable& t = given.back();
    if (t.rows.size() != count || t.words.size() != all.words.size() || t.spread.size() != all.spread.size())
      throw std::invalid_argument("tables of one feature must be alike");
    views.push_back(t.view());
  }
  if (is_mean && (all.spread.size() != count || all.words.size() != 4 * count))
    throw std::invalid_argument("a table of means has four words an entry");
  Entries left = is_mean ? left_of_means(all.view(), views, count, middle) : left_of(all.view(), views, count, width);
  return arrays(std::move(left.rows), std::move(left.words), std::move(left.spread));
}

}  // namespace

void bind_merging(nb::module_& m) {
  m.def("table_left", &table_left, "whole"_a, "parts"_a, "middle"_a,
        "A feature's table at a node less those of all children but one.");
  m.def("merge_values", &merge_values, "one"_a, "other"_a,
        "Lists of values by group of two shards as one; equal values become one.");
}

}  // namespace boxwood

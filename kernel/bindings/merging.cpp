// Bindings: what follows from answers of shards: values of two of them merged, a table less those of its parts.
#include "bindings/binding.hpp"
#include "shards/merge.hpp"
#include "shards/remainder.hpp"

namespace boxwood {
namespace {

using namespace sharded;

// A list as it lies in memory, and what one value of it has.
struct GivenValues : ValueList {
  std::size_t groups, n, width;

  explicit GivenValues(const nb::dict& d) {
    const auto counts = array_view<i64>(d["count"]);
    const auto values = array_view<double>(d["value"]);
    const auto optional = [&](const char* name) {
      return nb::len(nb::object(d[name])) ? array_of<double>(d[name], n) : nullptr;
    };
    groups = counts.size();
    n = values.size();
    width = n ? nb::len(nb::object(d["words"])) / n : 0;
    count = counts.data();
    value = values.data();
    low = optional("low");
    spread = optional("spread");
    rows = array_of<i64>(d["rows"], n);
    words = array_of<i64>(d["words"], width * n);
    std::size_t total = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      require(count[g] >= 0, "a group cannot have fewer than no values");
      total += static_cast<std::size_t>(count[g]);
    }
    require(total == n, "every value must have its group");
  }
};

nb::tuple merge_values(const nb::dict& one, const nb::dict& other) {
  const GivenValues a(one), b(other);
  require(a.groups == b.groups, "both lists must have the same groups");
  require(a.n == 0 || b.n == 0 || (a.width == b.width && !a.spread == !b.spread), "both lists must sum the same");
  MergedValues merged = without_gil(
      1, [&](Team&) { return Merge(a, b, std::max(a.width, b.width), a.spread || b.spread).all(a.groups); });
  return arrays(std::move(merged.count), std::move(merged.value), std::move(merged.low), std::move(merged.entries.rows),
                std::move(merged.entries.words), std::move(merged.entries.spread));
}

// (rows, words, spread, middle)
TableView table_from(nb::handle item, std::size_t count) {
  const auto t = nb::cast<nb::tuple>(item);
  return {array_of<i64>(t[0], count), array_of<i64>(t[1], 4 * count), array_of<double>(t[2], count),
          nb::cast<i64>(t[3])};
}

nb::tuple table_left(const nb::tuple& whole, const nb::list& parts, i64 middle) {
  const std::size_t count = nb::len(nb::handle(whole[0]));
  std::vector<TableView> views;
  for (nb::handle part : parts) views.push_back(table_from(part, count));
  Entries left = left_of(table_from(whole, count), views, count, middle);
  return arrays(std::move(left.rows), std::move(left.words), std::move(left.spread));
}

}  // namespace

void bind_merging(nb::module_& m) {
  m.def("table_left", &table_left, "whole"_a, "parts"_a, "middle"_a,
        "The table of a numeric target at a node less those of all children but one.");
  m.def("merge_values", &merge_values, "one"_a, "other"_a,
        "Lists of values by group of two shards as one; equal values become one.");
}

}  // namespace boxwood

// Bindings of multiway trees: the two steps of a level, the whole tree.
#include "multiway/grower.hpp"

#include <bit>

#include "bindings/level_grower.hpp"

namespace boxwood {
namespace {

// Whether one of the rows has a missing value, which are last in the lists.
bool any_missing(const Table& table, const std::vector<std::uint32_t>& rows) {
  std::vector<bool> is_taken(table.rows(), false);
  for (const std::uint32_t row : rows) is_taken[row] = true;
  return std::any_of(table.lists.begin(), table.lists.end(), [&](const auto& list) {
    for (std::size_t i = list ? table.rows() : 0; i-- > 0 && multiway::code_of(list[i]) == MISSING;)
      if (is_taken[static_cast<std::uint32_t>(list[i])]) return true;
    return false;
  });
}

// Bits by which weights are raised, so that shares hardly round and the total stays below 2^62.
int share_shift(const ResponseColumns& y, std::size_t samples) {
  std::uint64_t total = 0;
  for (std::uint32_t s = 0; s < samples; ++s) total += static_cast<std::uint64_t>(y.weight_of(s));
  return std::clamp(62 - static_cast<int>(std::bit_width(total)), 0, 40);
}

}  // namespace

template <>
void PyLevelGrower<multiway::Grower>::make(const nb::dict& settings) {
  const multiway::Settings s = multiway::settings_from(settings);
  require(table().lists.size() == columns().size(), "the table must be sorted");
  const bool shares = s.policy == multiway::Policy::fractional && any_missing(table(), rows_);
  const bool raises = shares && s.root_rows == 0;  // below another root, weights are raised already
  const bool uses_up = nb::cast<bool>(settings["uses_up"]);
  grower_ =
      std::make_unique<multiway::Grower>(columns(), table().lists, uses_up, rows_, table().rows(), y_, s,
                                         y_.weight || shares, raises ? share_shift(y_, rows_.size()) : 0, threads_);
}

void bind_multiway(nb::module_& m) {
  PyLevelGrower<multiway::Grower>::bind(
      m, "MultiwayGrower", "Finds and makes the splits of a multiway tree level by level, or grows it whole.");
}

}  // namespace boxwood

// Bindings of multiway trees: the two steps of a level, the whole tree.
#include "multiway/grower.hpp"

#include <bit>

#include "bindings/level_grower.hpp"

namespace boxwood {
namespace {

bool any_missing(const std::vector<Column>& columns, const std::vector<std::uint32_t>& rows) {
  return std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
    return std::any_of(rows.begin(), rows.end(), [&](std::uint32_t row) { return column.codes[row] == MISSING; });
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
  const bool shares = s.unknown == multiway::Unknown::fractional && any_missing(columns(), rows_);
  const bool raises = shares && s.root_rows == 0;  // below another root, weights are raised already
  grower_ = std::make_unique<multiway::Grower>(columns(), rows_, table().rows(), y_, s, y_.weight || shares,
                                               raises ? share_shift(y_, rows_.size()) : 0, threads_);
}

void bind_multiway(nb::module_& m) {
  PyLevelGrower<multiway::Grower>::bind(
      m, "MultiwayGrower", "Finds and makes the splits of a multiway tree level by level, or grows it whole.");
}

}  // namespace boxwood

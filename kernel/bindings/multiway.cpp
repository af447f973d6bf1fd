// Bindings of multiway trees: the two steps of a level, the whole tree.
#include <bit>

#include "bindings/level_grower.hpp"
#include "bindings/settings.hpp"
#include "multiway/grower.hpp"

namespace boxwood {
namespace {

class PyMultiwayGrower : public PyLevelGrower<multiway::Grower> {
 public:
  PyMultiwayGrower(nb::object table, In<std::uint32_t> rows, const nb::dict& response, const nb::dict& settings,
                   int threads)
      : PyLevelGrower(table, rows, response, threads) {
    const multiway::Settings s = multiway::settings_from(settings);
    const bool shares = s.unknown == multiway::Unknown::fractional && any_missing();
    const bool raises = shares && s.root_rows == 0;  // below another root, weights are raised already
    grower_ = std::make_unique<multiway::Grower>(columns().columns(), rows_, columns().rows(), y_, s,
                                                 y_.weight || shares, raises ? share_shift() : 0, threads_);
  }

 private:
  bool any_missing() const {
    for (const Column& column : columns().columns()) {
      if (column.order.empty() || column.codes[column.order.back()] != MISSING) continue;
      for (const std::uint32_t row : rows_)
        if (column.codes[row] == MISSING) return true;
    }
    return false;
  }

  // Bits by which weights are raised, so that shares hardly round and the total stays below 2^62.
  int share_shift() const {
    std::uint64_t total = 0;
    for (std::size_t s = 0; s < rows_.size(); ++s)
      total += static_cast<std::uint64_t>(y_.weight_of(static_cast<std::uint32_t>(s)));
    return std::clamp(62 - static_cast<int>(std::bit_width(total)), 0, 40);
  }
};

}  // namespace

void bind_multiway(nb::module_& m) {
  bind_level_grower<PyMultiwayGrower>(
      m, "MultiwayGrower", "Finds and makes the splits of a multiway tree level by level, or grows it whole.");
}

}  // namespace boxwood

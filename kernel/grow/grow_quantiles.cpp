// Growing trees by quantiles of a numeric target from codes, with weights or without.
#include <numeric>

#include "grow/grow_input.hpp"
#include "grow/quantile_grower.hpp"

namespace boxwood {

namespace {

template <class Int>
GrownNodes grow_one(const GrowInput& input, const std::vector<std::uint32_t>& given, ThreadPool& pool) {
  const ResponseColumns& y = input.y;
  std::vector<std::uint32_t> rows = given;
  if (rows.empty()) {
    rows.resize(input.n);
    std::iota(rows.begin(), rows.end(), 0u);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return y.values[a] < y.values[b]; });
  coded::QuantileRows<Int> response{{{y.levels, y.levels + y.n_levels}, y.above, y.below}, {}, y.scale, y.unit};
  for (const std::uint32_t row : rows) {
    response.rows.value.push_back(y.values[row]);
    response.rows.high.push_back(y.high[row] - y.high[rows[rows.size() / 2]]);
    response.rows.low.push_back(y.low[row]);
    response.rows.weight.push_back(y.weight_of(row));
  }
  return coded::grow(response, {&input.settings, &y, 0, 0}, *input.codes, rows, pool);
}

}  // namespace

void grow_quantiles(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out) {
  constexpr std::size_t NARROW = std::size_t{1} << 21;  // rows up to which sums of distances fit 64 bits
  const auto grow = [&](std::size_t i, ThreadPool& workers) {
    const bool narrow = !input.y.weight && input.n <= NARROW;
    out[i] =
        narrow ? grow_one<std::int64_t>(input, input.rows[i], workers) : grow_one<Wide>(input, input.rows[i], workers);
  };
  each_tree(out.size(), pool, grow);
}

}  // namespace boxwood

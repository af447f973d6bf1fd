// Growing trees of several responses from codes, with weights or without.
#include "grow/grow_input.hpp"
#include "response/several.hpp"

namespace boxwood {

void grow_several(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out) {
  constexpr std::size_t NARROW = std::size_t{1} << 22;  // rows up to which sums fit 64 bits
  constexpr double MOST_SQUARES = 0x1p36;  // of a row, so that those of so many rows fit too
  const std::size_t n = input.n, columns = static_cast<std::size_t>(input.y.n_columns), step = columns + 1;
  std::vector<std::int64_t> origins(columns), rows(n * step);
  for (std::size_t c = 0; c < columns; ++c) {
    Wide sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += input.y.rows[i * columns + c];
    origins[c] = static_cast<std::int64_t>(sum / static_cast<Wide>(n));
  }
  std::vector<double> squares(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < columns; ++c) {
      const std::int64_t x = rows[i * step + c] = input.y.rows[i * columns + c] - origins[c];
      squares[i] += input.y.factors[c] * (static_cast<double>(x) * static_cast<double>(x));
    }
  const double most = *std::max_element(squares.begin(), squares.end()), unit = most > 0 ? most / MOST_SQUARES : 1.0;
  for (std::size_t i = 0; i < n; ++i)
    rows[i * step + columns] = static_cast<std::int64_t>(std::ceil(squares[i] / unit));
  const auto grow = [&]<bool weighted>(coded::SeveralOf<weighted> y) { grow_all(input, y, pool, out); };
  const int width = input.y.n_columns;
  const bool classes = input.y.n_classes > 0;
  if (input.y.weight || n > NARROW)
    return grow(coded::WeightedSeveralResponse{rows.data(), width, input.y.factors, unit, origins.data(), classes,
                                               input.y.lows, input.y.weight});
  grow(coded::SeveralResponse{rows.data(), width, input.y.factors, unit, origins.data(), classes, input.y.lows});
}

}  // namespace boxwood

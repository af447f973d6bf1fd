// Growing trees of a numeric target, and of events in exposure, from codes, with weights or without.
#include "grow/grow_input.hpp"
#include "response/mean.hpp"
#include "response/rate.hpp"

namespace boxwood {

void grow_mean(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out) {
  constexpr std::size_t NARROW = std::size_t{1} << 24;  // rows up to which sums about a node's mean fit 64 bits
  const std::size_t n = input.n;
  Wide sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += input.y.high[i];
  const auto origin = static_cast<std::int64_t>(sum / static_cast<Wide>(n));
  std::vector<std::int64_t> high(n);
  for (std::size_t i = 0; i < n; ++i) high[i] = input.y.high[i] - origin;
  if (input.y.weight || n > NARROW)
    return grow_all(input, coded::WeightedMeanResponse{high.data(), input.y.low, input.y.weight, origin}, pool, out);
  return grow_all(input, coded::MeanResponse{high.data(), input.y.low, nullptr, origin}, pool, out);
}

void grow_rates(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out) {
  const ResponseColumns& y = input.y;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::uint32_t i = 0; i < input.n; ++i) {
    const double rate = static_cast<double>(y.low[i]) / static_cast<double>(y.high[i]);
    least = std::min(least, rate);
    most = std::max(most, rate);
  }
  grow_all(input, coded::RateResponse{y.high, y.low, y.log, y.weight, least * (1 - 1e-12), most * (1 + 1e-12), &y},
           pool, out);
}

}  // namespace boxwood

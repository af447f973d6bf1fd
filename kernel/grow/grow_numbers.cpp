// Growing trees of a numeric target, and of events in exposure, from codes, with weights or without.
#include "grow/learned.hpp"
#include "response/mean.hpp"
#include "response/poisson.hpp"

namespace boxwood {

void grow_mean(const Learned& l, ThreadPool& pool, std::vector<GrownNodes>& out) {
  constexpr std::size_t NARROW = std::size_t{1} << 24;  // rows up to which sums about a node's mean fit 64 bits
  const std::size_t n = l.n;
  Wide sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += l.y.high[i];
  const auto origin = static_cast<std::int64_t>(sum / static_cast<Wide>(n));
  std::vector<std::int64_t> high(n);
  for (std::size_t i = 0; i < n; ++i) high[i] = l.y.high[i] - origin;
  if (l.y.weight || n > NARROW)
    return grow_all(l, coded::WeightedMeanResponse{high.data(), l.y.low, l.y.weight, origin}, pool, out);
  return grow_all(l, coded::MeanResponse{high.data(), l.y.low, nullptr, origin}, pool, out);
}

void grow_poisson(const Learned& l, ThreadPool& pool, std::vector<GrownNodes>& out) {
  const ResponseColumns& y = l.y;
  double most = 0;
  for (std::uint32_t i = 0; i < l.n; ++i)
    most = std::max(most, static_cast<double>(y.low[i]) / static_cast<double>(y.high[i]));
  most *= 1 + 1e-12;
  grow_all(l, coded::PoissonResponse{y.high, y.low, y.log, y.weight, most, &y}, pool, out);
}

}  // namespace boxwood

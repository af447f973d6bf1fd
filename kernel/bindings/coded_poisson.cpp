// Growing trees of events in exposure from codes, with weights or without.
#include "bindings/coded.hpp"
#include "search/weighted_list_scanner.hpp"

namespace boxwood {

void grow_poisson(const Learned& l, Team& team, std::vector<GrownNodes>& out) {
  const ResponseColumns& y = l.y;
  Wide exposure = 0, events = 0;
  double most = 0;
  for (std::uint32_t i = 0; i < l.codes.rows(); ++i) {
    const Wide w = y.weight_of(i);
    exposure += w * y.high[i];
    events += w * y.low[i];
    most = std::max(most, static_cast<double>(y.low[i]) / static_cast<double>(y.high[i]));
  }
  most *= 1 + 1e-12;
  constexpr Wide FITS = Wide{1} << 62;
  if (exposure < FITS && events < FITS)
    return grow_all(l, coded::PoissonResponse<std::int64_t>{y.high, y.low, y.log, y.weight, most, &y}, team, out);
  return grow_all(l, coded::PoissonResponse<Wide>{y.high, y.low, y.log, y.weight, most, &y}, team, out);
}

}  // namespace boxwood

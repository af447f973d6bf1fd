// The search over summed tables for binary splits, for each kind of response.
#include "response/binary.hpp"
#include "response/mean.hpp"
#include "response/multiclass.hpp"
#include "response/rate.hpp"
#include "shards/search.hpp"

namespace boxwood::sharded {

std::unique_ptr<SummedSearchBase> binary_search(const ResponseColumns& y, const Settings& settings,
                                                const std::vector<FeatureShape>& features, bool wide) {
  constexpr double NO_LIMIT = std::numeric_limits<double>::infinity();
  const auto with = [&]<class R>(const R& response) -> std::unique_ptr<SummedSearchBase> {
    return std::make_unique<SummedSearch<R>>(response, y, settings, features);
  };
  if (y.kind == ResponseColumns::Kind::mean) return with(coded::WeightedMeanResponse{nullptr, nullptr});
  if (y.kind == ResponseColumns::Kind::rate)
    return with(coded::RateResponse{nullptr, nullptr, nullptr, nullptr, 0, NO_LIMIT, &y});
  if (y.n_classes == 2 && !wide && !y.factors) return with(coded::BinaryResponse{{nullptr, 2, &settings.measure}});
  return with(coded::WeightedMulticlassResponse{{nullptr, y.n_classes, &settings.measure, nullptr, y.factors}});
}

}  // namespace boxwood::sharded

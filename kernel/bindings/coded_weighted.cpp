// Growing trees of classes from codes, with weights of rows, factors of classes, or many classes.
#include "bindings/coded.hpp"
#include "search/weighted_list_scanner.hpp"

namespace boxwood {

void grow_weighted_classes(const Learned& l, Team& team, std::vector<GrownNodes>& out) {
  const ClassMeasure* measure = &l.settings.measure;
  if (l.y.n_classes > 2) {
    const coded::ClassCounts<std::int32_t> y{l.y.codes, l.y.n_classes, measure, l.y.weight, l.y.factors};
    return grow_all(l, coded::WeightedMulticlassResponse{y}, team, out);
  }
  const auto code = short_codes(l);
  const coded::ClassCounts<std::uint8_t> y{code.data(), l.y.n_classes, measure, l.y.weight, l.y.factors};
  return grow_all(l, coded::WeightedBinaryResponse{y}, team, out);
}

}  // namespace boxwood

// Growing trees of classes from codes: each row and class counting one, or with weights of rows, factors of classes, or
// many classes.
#include "bindings/coded.hpp"
#include "response/binary.hpp"
#include "response/multiclass.hpp"
#include "search/weighted_list_scanner.hpp"

namespace boxwood {

void grow_classes(const Learned& l, Team& team, std::vector<GrownNodes>& out) {
  ClassMeasure measure = l.settings.measure;
  measure.look_up(l.codes.rows());
  const auto code = short_codes(l);
  const coded::ClassCounts<std::uint8_t> y{code.data(), l.y.n_classes, &measure};
  if (l.y.n_classes == 2) return grow_all(l, coded::BinaryResponse{y}, team, out);
  return grow_all(l, coded::MulticlassResponse{y}, team, out);
}

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

// Growing trees of classes from codes: each row and class counting one, or with weights of rows, factors of classes, or
// many classes.
#include "grow/learned.hpp"
#include "response/binary.hpp"
#include "response/multiclass.hpp"

namespace boxwood {

void grow_classes(const Learned& l, ThreadPool& pool, std::vector<GrownNodes>& out) {
  ClassMeasure measure = l.settings.measure;
  measure.look_up(l.n);
  const std::vector<std::uint8_t> code(l.y.codes, l.y.codes + l.n);
  const coded::ClassCounts<false> y{code.data(), l.y.n_classes, &measure};
  if (l.y.n_classes == 2) return grow_all(l, coded::BinaryResponse{y}, pool, out);
  return grow_all(l, coded::MulticlassResponse{y}, pool, out);
}

void grow_weighted_classes(const Learned& l, ThreadPool& pool, std::vector<GrownNodes>& out) {
  const coded::ClassCounts<true> y{l.y.codes, l.y.n_classes, &l.settings.measure, l.y.weight, l.y.factors};
  grow_all(l, coded::WeightedMulticlassResponse{y}, pool, out);
}

}  // namespace boxwood

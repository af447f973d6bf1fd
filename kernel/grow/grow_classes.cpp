// Growing trees of classes from codes: each row and class counting one, or with weights of rows, factors of classes, or
// more than 256 classes.
#include "grow/grow_input.hpp"
#include "response/binary.hpp"
#include "response/multiclass.hpp"

namespace boxwood {

void grow_classes(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out) {
  ClassMeasure measure = input.settings.measure;
  measure.look_up(input.n);
  const std::vector<std::uint8_t> code(input.y.codes, input.y.codes + input.n);
  const coded::ClassCounts<false> y{code.data(), input.y.n_classes, &measure};
  if (input.y.n_classes == 2) return grow_all(input, coded::BinaryResponse{y}, pool, out);
  if (input.y.n_classes > coded::MOST_CLASSES) return grow_all(input, coded::ManyClassesResponse{y}, pool, out);
  return grow_all(input, coded::MulticlassResponse{y}, pool, out);
}

void grow_weighted_classes(const GrowInput& input, ThreadPool& pool, std::vector<GrownNodes>& out) {
  ClassMeasure measure = input.settings.measure;
  if (!input.y.weight && !input.y.factors) measure.look_up(input.n);
  const coded::ClassCounts<true> y{input.y.codes, input.y.n_classes, &measure, input.y.weight, input.y.factors};
  grow_all(input, coded::WeightedMulticlassResponse{y}, pool, out);
}

}  // namespace boxwood

// Growing trees of classes from codes, with weights of rows, factors of classes, or many classes.
#include "bindings/coded.hpp"
#include "response/weighted_binary.hpp"
#include "search/weighted_multiclass_scanner.hpp"

namespace boxwood {

bool grow_weighted_classes(const Learned& l, Team& team, std::vector<GrownNodes>& out) {
  const ResponseColumns& y = l.y;
  if (y.n_classes > coded::MOST_WEIGHTED_CLASSES) throw std::invalid_argument("a class must fit in one byte");
  const auto code = short_codes(l);
  if (y.n_classes == 2)
    return grow_all(l, coded::WeightedPair{code.data(), y.weight, y.factors, {l.settings.measure}}, team, out);
  return grow_all(l, coded::WeightedClasses{code.data(), y.weight, y.factors, y.n_classes, {l.settings.measure}}, team,
                  out);
}

}  // namespace boxwood

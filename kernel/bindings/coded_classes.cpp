// Growing trees of classes from codes, each row and class counting one.
#include "bindings/coded.hpp"
#include "response/multiclass.hpp"

namespace boxwood {
namespace {

template <class Measure>
bool grow_by(const Learned& l, const Measure& measure, Team& team, std::vector<GrownNodes>& out) {
  const auto code = short_codes(l);
  if (l.y.n_classes == 2) return grow_all(l, coded::TwoClasses<Measure>{code.data(), 2, &measure}, team, out);
  return grow_all(l, coded::ManyClasses<Measure>{code.data(), l.y.n_classes, &measure}, team, out);
}

}  // namespace

bool grow_classes(const Learned& l, Team& team, std::vector<GrownNodes>& out) {
  if (l.settings.measure == MeasureName::gini) return grow_by(l, Gini{}, team, out);
  if (l.settings.measure == MeasureName::error) return grow_by(l, ClassificationError{}, team, out);
  Entropy entropy;
  entropy.look_up(l.codes.rows());
  return grow_by(l, entropy, team, out);
}

}  // namespace boxwood

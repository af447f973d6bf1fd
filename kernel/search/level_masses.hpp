// What the levels of a nominal feature weigh by class, with the classes left out that none of them has.
// Invariant: column k of the table is class classes[k]; `known` + `missing` add up to `total` where missing values have
// a say. Cost: groups times classes.
#pragma once

#include "search/level_groups.hpp"

namespace boxwood {

struct LevelMasses {
  std::size_t groups = 0, width = 0;
  std::vector<int> classes;
  std::vector<double> mass;  // groups x width
  std::vector<double> whole;  // of each group
  std::vector<double> missing, total;  // by class; nothing missing: zeros
  double n = 0, n_missing = 0;

  const double* of(std::size_t g) const { return mass.data() + g * width; }

  // `missing_sums`: of the rows without a value, or nullptr where they have no say.
  template <class P>
  void collect(const P& policy, const Groups<P>& levels, const typename P::Int* known,
               const typename P::Int* missing_sums) {
    classes.clear();
    for (int k = 0; k < levels.width; ++k)
      if (known[k] != 0 || (missing_sums && missing_sums[k] != 0)) classes.push_back(k);
    groups = levels.size();
    width = classes.size();
    mass.resize(groups * width);
    whole.assign(groups, 0.0);
    missing.assign(width, 0.0);
    total.assign(width, 0.0);
    for (std::size_t g = 0; g < groups; ++g) {
      for (std::size_t k = 0; k < width; ++k) {
        const double m = policy.mass(levels.sum(g), classes[k]);
        mass[g * width + k] = m;
        whole[g] += m;
        total[k] += m;
      }
    }
    n = n_missing = 0;
    for (std::size_t k = 0; k < width; ++k) {
      if (missing_sums) missing[k] = policy.mass(missing_sums, classes[k]);
      total[k] += missing[k];
      n_missing += missing[k];
      n += total[k];
    }
  }
};

}  // namespace boxwood

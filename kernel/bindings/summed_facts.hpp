// Facts of a level's nodes out of the words that shards have added up (sources/sharded/level_stats.py).
#pragma once

#include "bindings/binding.hpp"
#include "shards/words.hpp"

namespace boxwood::sharded {

struct SummedFacts {
  In<i64> rows, words;
  In<std::uint8_t> pure, fine;
  In<double> about;
};

inline std::vector<NodeFacts> facts_from(const SummedFacts& given, const ResponseColumns& y, const Settings& settings) {
  const std::size_t n = given.rows.size();
  const std::size_t step = y.kind == ResponseColumns::Kind::classes ? static_cast<std::size_t>(y.n_classes)
                           : y.kind == ResponseColumns::Kind::mean  ? 7
                                                                    : 10;
  if (given.words.size() != step * n || given.pure.size() != n || given.fine.size() != n || given.about.size() != n)
    throw std::invalid_argument("every node must have its facts");
  std::vector<NodeFacts> facts(n);
  for (std::size_t i = 0; i < n; ++i) {
    NodeFacts& f = facts[i];
    const i64* w = given.words.data() + i * step;
    if (y.kind == ResponseColumns::Kind::classes) {
      f.classes.assign(w, w + step);
      f.settle_classes(y, settings);
    } else if (y.kind == ResponseColumns::Kind::mean) {
      f.weight = w[0];
      f.sum_high = wide_of(w + 1);
      f.sum_low = wide_of(w + 4);
      f.fine = given.fine.data()[i];
      f.pure = given.pure.data()[i];
      f.set_shift();
      f.settle_mean(given.about.data()[i]);
    } else {
      f.weight = w[0];
      f.exposure = wide_of(w + 1);
      f.events = wide_of(w + 4);
      f.log = wide_of(w + 7);
      f.pure = given.pure.data()[i];
      f.settle_rate(y);
    }
  }
  return facts;
}

}  // namespace boxwood::sharded

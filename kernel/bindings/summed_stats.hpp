// Statistics of a level's nodes, between the words that shards have added up and the driver.
#pragma once

#include "bindings/binding.hpp"
#include "shards/node_sums.hpp"

namespace boxwood::sharded {

inline LevelWords level_words(const In<i64>& words, const In<i64>& ends, const ResponseColumns& y) {
  const std::size_t count = words.size() / words_of_node(y);
  require(words.size() == count * words_of_node(y) && ends.size() == count * ends_of_node(y),
          "every node must have its sums");
  return {words.data(), ends.data(), count};
}

// (rows, middle, fine, moments)
inline nb::tuple stats_out(const LevelStats& level) {
  return arrays(std::vector<i64>(level.rows), std::vector<i64>(level.middle), std::vector<std::uint8_t>(level.fine),
                std::vector<double>(level.moments));
}

}  // namespace boxwood::sharded

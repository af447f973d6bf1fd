// Bindings of the order of a tree's leaves: pairs that must not fall, and the values nearest to those of the leaves.
#include "prune/leaf_order.hpp"
#include "bindings/binding.hpp"
#include "prune/isotonic.hpp"

namespace boxwood {
namespace {

// The arrays of boxes as `tree/leaf_order.py` makes them, all checked.
NodeBoxes boxes_from(const nb::dict& d) {
  const auto sign = array_view<std::int32_t>(d["sign"]);
  const auto parent = array_view<std::int32_t>(d["parent"]);
  const std::size_t nodes = parent.size(), features = sign.size();
  const auto first_word = array_of<std::int32_t>(d["first_word"], features + 1);
  const auto words = static_cast<std::size_t>(first_word[features]);
  NodeBoxes out{nodes,
                features,
                words,
                parent.data(),
                array_of<std::int32_t>(d["first_child"], nodes),
                array_of<std::int32_t>(d["n_children"], nodes),
                array_of<std::int32_t>(d["feature"], nodes),
                array_of<std::int32_t>(d["low"], nodes * features),
                array_of<std::int32_t>(d["high"], nodes * features),
                array_of<std::uint64_t>(d["levels"], nodes * words),
                first_word,
                array_of<std::uint8_t>(d["need"], nodes * features),
                sign.data(),
                array_of<std::uint8_t>(d["gaps"], features)};
  for (std::size_t j = 0; j < features; ++j)
    require(first_word[j] >= 0 && first_word[j] <= first_word[j + 1], "words of levels must be in order");
  for (std::size_t t = 0; t < nodes; ++t) {
    const std::int64_t child = out.first_child[t], count = out.n_children[t], above = out.parent[t];
    const bool is_child = t == 0 || (above >= 0 && above < static_cast<std::int64_t>(t));
    require(is_child && count >= 0, "child indices must exceed their parent's");
    require(count == 0 || (child > static_cast<std::int64_t>(t) && child + count <= static_cast<std::int64_t>(nodes) &&
                           out.feature[t] >= 0 && out.feature[t] < static_cast<std::int64_t>(features)),
            "every split must have a feature and children");
  }
  return out;
}

// (leaves, leaves that must not be below these), of those whose values are not in order, or `all`.
nb::tuple ordered_leaves(const nb::dict& boxes, In<double> values, bool all) {
  const NodeBoxes given = boxes_from(boxes);
  require(values.size() == given.nodes, "every node must have a value");
  std::vector<std::int32_t> low, high;
  without_gil(1, [&](ThreadPool&) {
    LeafOrder(given).each(values.data(), all, [&](std::int32_t a, std::int32_t b) {
      low.push_back(a);
      high.push_back(b);
    });
    return 0;
  });
  return arrays(std::move(low), std::move(high));
}

// The block of each node, named by one of its leaves: leaves of a block share a value. Only pairs whose values are not
// in order are required, and more of them until all are.
nb::object isotonic_blocks(const nb::dict& boxes, In<double> weight, In<double> values) {
  const NodeBoxes given = boxes_from(boxes);
  require(values.size() == given.nodes && weight.size() == given.nodes, "every node must have a weight and a value");
  return to_numpy(without_gil(1, [&](ThreadPool& pool) {
    Isotonic isotonic(copy_of(weight), copy_of(values));
    LeafOrder order(given);
    std::vector<double> fitted = copy_of(values);
    constexpr int MOST = 16;  // pairs of a leaf that are required at once: others often follow from them
    std::vector<int> required(fitted.size());
    for (bool found = true; found;) {
      std::fill(required.begin(), required.end(), 0);
      pool.interrupts().poll();
      pool.interrupts().check();
      found = false;
      order.each(fitted.data(), false, [&](std::int32_t a, std::int32_t b) {
        found = true;
        if (required[a] >= MOST && required[b] >= MOST) return;
        ++required[a];
        ++required[b];
        isotonic.require(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
      });
      if (!found) break;
      isotonic.solve();
      for (std::size_t t = 0; t < fitted.size(); ++t) fitted[t] = isotonic.fitted(static_cast<std::uint32_t>(t));
    }
    return isotonic.blocks();
  }));
}

}  // namespace

void bind_leaf_order(nb::module_& m) {
  m.def("ordered_leaves", &ordered_leaves, "boxes"_a, "values"_a, "all"_a);
  m.def("isotonic_blocks", &isotonic_blocks, "boxes"_a, "weight"_a, "values"_a);
}

}  // namespace boxwood

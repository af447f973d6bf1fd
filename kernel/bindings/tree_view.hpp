// A Python Tree, or nodes as they were grown, as the kernel reads it: pointers into its arrays, which the caller keeps
// alive.
// Invariant: nothing is copied; `tree` is a tree.Tree whose arrays have been validated, or Nodes.
#pragma once

#include "bindings/binding.hpp"
#include "grow/grown_nodes.hpp"
#include "predict/route.hpp"

namespace boxwood {

inline SplitView split_view(nb::handle table) {
  const auto ints = [&](const char* name) { return array_view<std::int32_t>(table.attr(name)).data(); };
  const auto reals = [&](const char* name) { return array_view<double>(table.attr(name)).data(); };
  return {ints("feature"), ints("breaks_start"), ints("index_start"), ints("position"),
          ints("index"),   reals("breaks"),      reals("breaks_low")};
}

inline SplitView split_view(const SplitRows& rows) {
  return {rows.feature.data(), rows.breaks_start.data(), rows.index_start.data(), rows.position.data(),
          rows.index.data(),   rows.breaks.data(),       rows.lows.data()};
}

// `unseen`: an array as in TreeView, or None.
inline TreeView tree_view(nb::handle tree, nb::handle unseen) {
  const std::int32_t* branches = unseen.is_none() ? nullptr : array_view<std::int32_t>(unseen).data();
  if (nb::isinstance<GrownNodes>(tree)) {
    const auto& grown = nb::cast<const GrownNodes&>(tree);
    return {grown.first_child.data(), grown.missing.data(),         grown.surrogate_start.data(),
            split_view(grown.splits), split_view(grown.surrogates), branches};
  }
  const auto ints = [&](const char* name) { return array_view<std::int32_t>(tree.attr(name)).data(); };
  return {ints("first_child"),
          ints("missing"),
          ints("surrogate_start"),
          split_view(tree.attr("splits")),
          split_view(tree.attr("surrogates")),
          branches};
}

inline std::size_t node_count(nb::handle tree) { return array_view<std::int32_t>(tree.attr("missing")).size(); }

}  // namespace boxwood

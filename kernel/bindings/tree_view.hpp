// A Python Tree as the kernel reads it: pointers into its arrays, which the caller keeps alive.
// Invariant: nothing is copied; `tree` is a tree.Tree whose arrays have been validated.
#pragma once

#include "bindings/binding.hpp"
#include "predict/route.hpp"

namespace boxwood {

inline SplitView split_view(nb::handle table) {
  const auto ints = [&](const char* name) { return array_view<std::int32_t>(table.attr(name)).data(); };
  const auto reals = [&](const char* name) { return array_view<double>(table.attr(name)).data(); };
  return {ints("feature"), ints("breaks_start"), ints("index_start"), ints("position"),
          ints("index"),   reals("breaks"),      reals("breaks_low")};
}

// `unseen`: an array as in TreeView, or None.
inline TreeView tree_view(nb::handle tree, nb::handle unseen) {
  const auto ints = [&](const char* name) { return array_view<std::int32_t>(tree.attr(name)).data(); };
  return {ints("first_child"),
          ints("missing"),
          ints("surrogate_start"),
          split_view(tree.attr("splits")),
          split_view(tree.attr("surrogates")),
          unseen.is_none() ? nullptr : array_view<std::int32_t>(unseen).data()};
}

inline std::size_t node_count(nb::handle tree) { return array_view<std::int32_t>(tree.attr("missing")).size(); }

}  // namespace boxwood

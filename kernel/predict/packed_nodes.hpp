// Writes the nodes of a plan in half the room, for rows that go down eight at a time
// (predict/packed_nodes_by_eight.hpp). Invariant: every row ends where the plan's own nodes lead it. Cost: 24 bytes a
// node; a pass over all of them, and over a few levels below the crown.
#pragma once

#include <optional>

#include "predict/packed_nodes_by_eight.hpp"

namespace boxwood {

namespace narrow {

// The node number of a link.
inline std::uint32_t number_of(const Plan& plan, std::uint32_t link) {
  return link / plan.eights() * 2 + link % plan.eights();
}

// How many steps lead everyone who lacks nothing from the crown to an end, in so many at most and by not too many nodes
// a level.
inline std::optional<int> sure_steps(const Plan& plan, const Narrow& made, int most) {
  constexpr std::size_t MOST_NODES = 1024;
  const std::size_t first = std::size_t{1} << plan.crown.depth;
  std::vector<std::uint32_t> here(made.begins.begin() + first, made.begins.begin() + 2 * first), next;
  for (int steps = 0; steps <= most; ++steps) {
    const auto is_end = [&](std::uint32_t at) { return made.nodes[at].first == at; };
    here.erase(std::remove_if(here.begin(), here.end(), is_end), here.end());
    if (here.empty()) return steps;
    if (here.size() > MOST_NODES) return {};
    next.clear();
    for (const std::uint32_t at : here)
      for (std::uint32_t side = 0; side < 2; ++side) next.push_back(made.nodes[at].first + side);
    here.swap(next);
  }
  return {};
}

}  // namespace narrow

// The narrow nodes of a plan; none where its crown is not wide, where tables are asked, or where rows stop in the
// crown: too many would have to be brought together again.
inline Narrow narrow_of(const Plan& plan) {
  Narrow made;
  if (plan.crown.depth == 0 || !plan.crown.is_wide || plan.crown.stops || !plan.table.empty()) return made;
  const PlanNodes nodes(plan);
  const auto count = static_cast<std::uint32_t>(plan.lines.size() * sizeof(Plan::Line) / (8 * plan.eights()) * 2);
  for (std::uint32_t place = 0; place < count; ++place) {
    const PlanNodes::Node node = nodes[plan.link_to(place)];
    const std::uint64_t mask = plan.masked ? std::bit_cast<std::uint64_t>(node.mask()) : ~std::uint64_t{0};
    const double cut = mask == ~std::uint64_t{0} ? node.cut() : std::bit_cast<double>(narrow::AS_NAN | mask);
    made.nodes.push_back({cut, narrow::number_of(plan, node.lead().first), node.lead().feature});
    made.gone.push_back(narrow::number_of(plan, node.tail().gone + 1));
    made.ends.push_back(node.tail().end);
  }
  for (const std::uint32_t link : plan.crown.links) made.begins.push_back(narrow::number_of(plan, link));
  const int rest = plan.lead - plan.crown.depth;
  const std::optional<int> sure = narrow::sure_steps(plan, made, rest + 2);
  made.is_sure = sure.has_value();
  made.steps = sure.value_or(rest);
  return made;
}

}  // namespace boxwood

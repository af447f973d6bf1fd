// Shapley values of a prediction: how much each feature moves it away from the prediction without any feature.
// The game: at a node that tests a feature of the coalition, the row is routed by its own value (surrogates and shares
// included); at any other node it follows the reference: all branches by their weight, or the route of a background
// row. The worth of a coalition is the prediction of the leaves reached, weighted by share. A leaf's weight is a
// product over the features on its path, x_j for those of the coalition and z_j for the others, so the value of feature
// j is (x_j - z_j) times the integral of prod_{k != j} (z_k + t (x_k - z_k)) over t in [0, 1]: a polynomial, which
// Gauss-Legendre quadrature integrates exactly, with positive terms and hence no cancellation. Background rows go down
// together as long as they are routed alike.
// Invariant: reads only; the values of a row depend on that row and the references alone. No recursion. Cost: nodes
// that only one of row and reference can reach, once for all references that come there alike, times half the number of
// features on a path, times the width of a prediction.
// Source: Lundberg, Erion, Lee (2018), arXiv:1802.03888, algorithm 2 (the same sums); Owen (1972) for the integral.
#pragma once

#include <algorithm>
#include <vector>

#include "explain/game.hpp"
#include "explain/game_tree.hpp"

namespace boxwood {

// Computes the values of L rows at a time; one player a thread.
template <std::size_t L>
class Player {
 public:
  Player(const GameTree& tree, const Quadrature& quadrature, const Router& router, const References& others)
      : tree_(tree), rule_(quadrature), router_(router), others_(others), edge_(router.columns), routes_(tree.n_nodes) {
    values_.resize(router.columns * tree.width * L);
    list_.resize(others.count());
    reserve(0);
  }

  // The values (features x width x L), means over the references; calls `watch` from time to time.
  template <class Watch>
  const std::vector<double>& play(const Lanes<std::size_t, L>& rows, const Watch& watch) {
    rows_ = rows;
    ++plays_;
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t i = 0; i < others_.count(); ++i) list_[i].row = static_cast<std::uint32_t>(i);
    std::size_t depth = 0;
    frames_[0].group = {0, others_.count()}, frames_[0].top = others_.count(), frames_[0].ends = 0;
    enter(0, 0);
    for (std::size_t step = 1;; ++step) {
      if (step % 1024 == 0) watch();
      if (frames_[depth].node >= 0 && next(frames_[depth])) {
        if (follow(depth)) ++depth;
      } else {
        if (depth == 0) return values_;
        credit_edge(depth--);
        edge_[frames_[depth].tested] = frames_[depth].edge;
      }
    }
  }

 private:
  struct Reference {
    std::uint32_t row;
    std::int32_t route;  // at the node that was entered last with it
  };

  // References of the list.
  struct Group {
    std::size_t first, last;
    std::size_t size() const { return last - first; }
  };

  // Which references of a frame go along a branch together: all (the cover, or where nothing depends on them), those
  // routed to it, those whose shares go to it, or the others, where only rows are routed to it.
  enum Kind : std::uint8_t { ALL, ROUTED, SHARING, OTHERS };

  // A node on the path, -1 where the path has ended. `factors`: of the feature of the edge into the node. `edge`: depth
  // of the last edge on the path that tests the same feature as the node, 0 = none. `group`: the references here; in
  // the list they lie by their routes from `sorted` on, STAYS and SHARED first, and end at the numbers after
  // `ends`; from `top` on the list is free.
  struct Frame {
    Factors<L> factors;
    std::int32_t node, branch;  // the branch followed now, with the references of `kind`
    Kind kind;
    std::size_t tested, edge, sorted, top, ends;
    Group group;
  };

  struct Known {
    std::size_t play = 0;
    Lanes<std::int32_t, L> route{};
  };

  std::size_t points() const { return rule_.n * L; }
  double* reach(std::size_t depth) { return reach_.data() + depth * points(); }
  double* inverse(std::size_t depth) { return inverse_.data() + depth * points(); }
  double* sums(std::size_t depth) { return sums_.data() + depth * points() * tree_.width; }

  void reserve(std::size_t depth) {
    if (frames_.size() > depth) return;
    frames_.resize(2 * depth + 16);
    reach_.resize(frames_.size() * points(), 1.0);
    inverse_.resize(reach_.size(), 1.0);
    sums_.resize(frames_.size() * points() * tree_.width);
    frames_[0].factors.own.fill(1.0);
    frames_[0].factors.other = 1.0;
  }

  // Routes of the rows at a node, found once.
  const Lanes<std::int32_t, L>& own(std::int32_t node) {
    Known& known = routes_[static_cast<std::size_t>(node)];
    if (known.play != plays_) {
      known.play = plays_;
      for (std::size_t l = 0; l < L; ++l) known.route[l] = router_.route(node, rows_[l]);
    }
    return known.route;
  }

  // Whether the references' routes at the node of a frame matter, each by itself.
  bool by_routes(const Frame& frame) const { return frames_[frame.edge].factors.other > 0.0 && !others_.by_cover(); }

  // Starts a frame at a node, or at that below it where one branch is followed and no factor changes.
  void enter(std::size_t depth, std::int32_t node) {
    Frame& frame = frames_[depth];
    for (std::int32_t only; tree_.feature(node) >= 0; node = tree_.child(node, only)) {
      frame.tested = static_cast<std::size_t>(tree_.feature(node)), frame.edge = edge_[frame.tested];
      frame.node = node;
      only = only_branch(frame);
      if (only >= 0) continue;
      frame.branch = STAYS - 1, frame.kind = ALL;
      if (by_routes(frame)) sort(frame);
      return std::fill(sums(depth), sums(depth + 1), 0.0);
    }
    end(depth, node, frame.group.size());
  }

  // The branch that all rows and references follow, as far as anything depends on them; negative if there is none.
  std::int32_t only_branch(const Frame& frame) {
    constexpr std::int32_t ANY = STAYS - 1;
    const Factors<L>& factors = frames_[frame.edge].factors;
    std::int32_t only = ANY;
    if (by_routes(frame)) {
      count(frame);
      const std::int32_t first = list_[frame.group.first].route;
      only = end_of(frame, first)[1] == frame.group.size() ? first : SHARED;
    } else if (factors.other > 0.0) {
      return SHARED;
    }
    const Lanes<std::int32_t, L>& routes = own(frame.node);
    for (std::size_t l = 0; l < L; ++l)
      if (factors.own[l] > 0.0) only = only == ANY || only == routes[l] ? routes[l] : SHARED;
    return only;
  }

  std::size_t* end_of(const Frame& frame, std::int32_t route) { return ends_.data() + frame.ends + (route - STAYS); }
  std::size_t n_routes(std::int32_t node) const { return static_cast<std::size_t>(tree_.n_children[node]) + 2; }

  void count(const Frame& frame) {
    const std::size_t last = frame.ends + n_routes(frame.node) + 1;
    if (ends_.size() < last) ends_.resize(2 * last);
    std::size_t* ends = end_of(frame, STAYS);
    std::fill(ends, ends_.data() + last, 0);
    for (std::size_t i = frame.group.first; i < frame.group.last; ++i)
      ++ends[(list_[i].route = others_.route(frame.node, list_[i].row)) - STAYS + 1];
  }

  // A copy of the frame's references, by route.
  void sort(Frame& frame) {
    frame.kind = OTHERS, frame.sorted = frame.top, frame.top += frame.group.size();
    if (list_.size() < frame.top) list_.resize(2 * frame.top);
    std::size_t* ends = end_of(frame, STAYS);  // first where each route starts
    for (std::size_t i = 1; i < n_routes(frame.node); ++i) ends[i] += ends[i - 1];
    for (std::size_t i = frame.group.first; i < frame.group.last; ++i)
      list_[frame.sorted + ends[list_[i].route - STAYS]++] = list_[i];
  }

  Group routed(const Frame& frame, std::int32_t route) {
    const std::size_t* end = end_of(frame, route);
    return {frame.sorted + (route == STAYS ? 0 : end[-1]), frame.sorted + *end};
  }

  // Moves to the next branch and kind that some weight goes along; false at the end.
  bool next(Frame& frame) {
    for (;;) {
      if (frame.kind == ROUTED || frame.kind == SHARING) {
        frame.kind = static_cast<Kind>(frame.kind + 1);
      } else {
        if (++frame.branch == SHARED) ++frame.branch;
        if (frame.branch == tree_.n_children[frame.node]) return false;
        if (frame.kind == OTHERS) frame.kind = ROUTED;
      }
      if (weigh(frame)) return true;
    }
  }

  // Sets the edge of a frame's branch; false when no weight goes along it.
  bool weigh(const Frame& frame) {
    const double share = tree_.share_of(frame.node, frame.branch);
    double part = 0.0;
    std::size_t count = frame.group.size();
    if (frame.kind == ALL) part = tree_.cover_of(frame.node, frame.branch);
    if (frame.kind == ROUTED) part = 1.0, count = routed(frame, frame.branch).size();
    if (frame.kind == SHARING) part = share, count = routed(frame, SHARED).size();
    if (frame.kind == OTHERS) count -= routed(frame, frame.branch).size() + routed(frame, SHARED).size();
    if (count == 0) return false;
    const Factors<L>& before = frames_[frame.edge].factors;
    move_.before = before;
    move_.after.other = before.other * part;
    const Lanes<std::int32_t, L>& routes = own(frame.node);
    for (std::size_t l = 0; l < L; ++l)
      move_.after.own[l] = before.own[l] * (routes[l] == frame.branch ? 1.0 : routes[l] == SHARED ? share : 0.0);
    return move_.lives();
  }

  // Follows a frame's branch; whether a frame lies below.
  bool follow(std::size_t depth) {
    reserve(depth + 1);
    Frame &frame = frames_[depth], &below = frames_[depth + 1];
    extend(rule_, move_, {reach(depth), inverse(frame.edge)}, {reach(depth + 1), inverse(depth + 1)});
    below.factors = move_.after;
    below.group = group(frame);
    below.top = std::max(frame.top, below.group.last);
    below.ends = frame.ends + (frame.kind == ALL ? 0 : n_routes(frame.node) + 1);
    if (frame.branch == STAYS) {
      end(depth + 1, frame.node, below.group.size());
      return credit_edge(depth + 1), false;
    }
    edge_[frame.tested] = depth + 1;
    return enter(depth + 1, tree_.child(frame.node, frame.branch)), true;
  }

  // The references of a frame that follow its branch.
  Group group(const Frame& frame) {
    if (frame.kind == ALL) return frame.group;
    const Group routed_here = routed(frame, frame.branch), sharing = routed(frame, SHARED);
    if (frame.kind != OTHERS) return frame.kind == ROUTED ? routed_here : sharing;
    const std::size_t most = frame.top + frame.group.size(), last = frame.sorted + frame.group.size();
    if (list_.size() < most) list_.resize(2 * most);
    const auto list = list_.begin();
    auto to = std::copy(list + frame.sorted, list + std::min(sharing.first, routed_here.first), list + frame.top);
    to = std::copy(list + sharing.last, list + std::max(sharing.last, routed_here.first), to);
    to = std::copy(list + std::max(sharing.last, routed_here.last), list + last, to);
    return {frame.top, static_cast<std::size_t>(to - list)};
  }

  void end(std::size_t depth, std::int32_t node, std::size_t references) {
    frames_[depth].node = -1;
    end_lanes<L>(rule_, reach(depth), tree_.prediction + static_cast<std::size_t>(node) * tree_.width,
                 static_cast<double>(references), {sums(depth), tree_.width});
  }

  void credit_edge(std::size_t depth) {
    const Frame& above = frames_[depth - 1];
    credit(rule_, Edge<L>{frames_[above.edge].factors, frames_[depth].factors}, {inverse(above.edge), inverse(depth)},
           {sums(depth), tree_.width}, sums(depth - 1), 1.0 / static_cast<double>(others_.count()),
           values_.data() + above.tested * tree_.width * L);
  }

  const GameTree& tree_;
  const Quadrature& rule_;
  const Router& router_;
  References others_;
  std::vector<std::size_t> edge_;  // of each feature: depth of its last edge on the path to the current node, or 0
  std::vector<Known> routes_;  // of each node
  std::vector<Frame> frames_;
  std::vector<Reference> list_;
  std::vector<std::size_t> ends_;
  std::vector<double> reach_, inverse_, sums_, values_;
  Edge<L> move_;
  Lanes<std::size_t, L> rows_{};
  std::size_t plays_ = 0;
};

// Values of all rows (rows x features x width), L at a time.
template <std::size_t L>
void shapley_in_lanes(const GameTree& tree, const Quadrature& rule, const Router& router, const References& others,
                      std::size_t rows, double* values, ThreadPool& pool) {
  std::vector<Player<L>> players(static_cast<std::size_t>(pool.size()), Player<L>(tree, rule, router, others));
  const std::size_t size = router.columns * tree.width;
  pool.run((rows + L - 1) / L, [&](std::size_t task, int worker) {
    Lanes<std::size_t, L> lanes;
    for (std::size_t l = 0; l < L; ++l) lanes[l] = std::min(task * L + l, rows - 1);
    const std::vector<double>& found = players[static_cast<std::size_t>(worker)].play(lanes, [&] {
      if (worker == 0) pool.interrupts().poll();
      pool.interrupts().check();
    });
    for (std::size_t l = 0; l < L && task * L + l < rows; ++l)
      for (std::size_t i = 0; i < size; ++i) values[lanes[l] * size + i] = found[i * L + l];
  });
}

// The same against the cover, or as means over `background` rows.
inline void shapley(const GameTree& tree, const Quadrature& rule, const std::vector<ColumnView>& columns,
                    std::size_t rows, const std::vector<ColumnView>* background, std::size_t n_background,
                    double* values, ThreadPool& pool) {
  const Router router(tree, columns), others(tree, background ? *background : columns);
  if (background) return shapley_in_lanes<1>(tree, rule, router, {tree, others, n_background}, rows, values, pool);
  if (rows < 4) return shapley_in_lanes<1>(tree, rule, router, {}, rows, values, pool);
  shapley_in_lanes<8>(tree, rule, router, {}, rows, values, pool);  // takes as long as three or four rows alone
}

}  // namespace boxwood

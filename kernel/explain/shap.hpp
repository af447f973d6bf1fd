// Shapley values of what a tree says of a row: how much each feature moved the answer away from what is said without
// knowing it. The game: at a node that tests a feature of the coalition the row goes its own way (surrogates and shares
// included); at any other node it goes as the reference does: down all branches by their weight, or the way of a
// background row. The worth of a coalition is what is said at the ends, by shares. An end's part in it is a product
// over the features on its way, x_j for those of the coalition and z_j for the others, so the value of feature j is
// (x_j - z_j) times the integral of prod_{k != j} (z_k + t (x_k - z_k)) over t in [0, 1]: a polynomial, which
// Gauss-Legendre quadrature integrates exactly, with positive terms and hence no cancellation. Invariant: reads only;
// the values of a row depend on that row and the references in their order alone. No recursion. Cost: nodes that the
// row or the reference can reach, times half the number of features on a way, times the numbers said. Source: Lundberg,
// Erion, Lee (2018), arXiv:1802.03888, algorithm 2 (the same sums); Owen (1972) for the integral.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "predict/route.hpp"

namespace boxwood {

// What the game needs to know of a tree besides its view; arrays have one entry a node.
struct GameFacts {
  const std::int32_t* n_children;
  const double* share;  // of a node among its siblings, by weight: how a missing value is shared out
  const double* cover;  // of a node in its parent: by weight, rows that stayed there included
  const double* stays;  // of the rows of a node, those that stayed there
  const double* says;  // `width` numbers a node
  std::size_t n_nodes, width;
};

// Points and weights on [0, 1] that integrate polynomials of degree 2 n - 1 exactly.
struct Quadrature {
  std::vector<double> point, weight;

  explicit Quadrature(std::size_t n) : point(n), weight(n) {
    for (std::size_t i = 0; i < n; ++i) {
      double x = std::cos(3.14159265358979323846 * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5)),
             slope = 1.0;
      for (int step = 0; step < 100; ++step) {
        double below = 1.0, here = x;
        for (std::size_t k = 2; k <= n; ++k) {
          const double d = static_cast<double>(k), next = ((2 * d - 1) * x * here - (d - 1) * below) / d;
          below = here;
          here = next;
        }
        slope = static_cast<double>(n) * (x * here - below) / (x * x - 1);
        const double moved = here / slope;
        x -= moved;
        if (std::abs(moved) <= 1e-16) break;
      }
      point[i] = (1 - x) / 2;
      weight[i] = 1 / ((1 - x * x) * slope * slope);
    }
  }
};

// Plays the game for one row after the other; one player a thread.
class Player {
 public:
  static constexpr std::int32_t BY_COVER = -9;  // the reference that goes down all branches

  Player(const TreeView& tree, const GameFacts& facts, const Quadrature& quadrature, std::size_t n_features)
      : tree_(tree), facts_(facts), rule_(quadrature), x_(n_features, 1.0), z_(n_features, 1.0) {}

  // Adds `scale` times the values of row `x` of `rows` to `values` (features x width). Without `others` the reference
  // is the cover.
  void play(const Descent& rows, std::size_t x, const Descent* others, std::size_t z, double scale, double* values) {
    rows_ = &rows, others_ = others, row_ = x, other_ = z, scale_ = scale, values_ = values;
    std::size_t depth = 0;
    room(0);
    std::fill(reach(0), reach(0) + points(), 1.0);
    enter(0, 0, 1.0, 1.0);
    for (;;) {
      Frame& frame = frames_[depth];
      if (frame.next < frame.last) {
        const std::int32_t child = frame.next++;
        const double own = frame.x * part(frame.route, child, frame.node),
                     other = frame.z * part(frame.reference, child, frame.node);
        if (own == 0.0 && other == 0.0) continue;
        const std::int32_t feature = frame.tested;
        room(++depth);
        go(reach(depth - 1), reach(depth), frames_[depth - 1], own, other);
        x_[feature] = own, z_[feature] = other;
        enter(depth, child, own, other);
      } else {
        if (depth == 0) return;
        const Frame& above = frames_[depth - 1];
        credit(above, frame.own, frame.other, said(depth));
        x_[above.tested] = above.x, z_[above.tested] = above.z;
        const double* from = said(depth);
        double* to = said(depth - 1);
        for (std::size_t i = 0; i < points() * facts_.width; ++i) to[i] += from[i];
        --depth;
      }
    }
  }

 private:
  // `x`, `z`: parts of the tested feature on the way to the node; `own`, `other`: those of the feature of the edge into
  // it.
  struct Frame {
    std::int32_t node, next, last, tested, route, reference;
    double x, z, own, other;
  };

  std::size_t points() const { return rule_.point.size(); }
  double* reach(std::size_t depth) { return reach_.data() + depth * points(); }
  double* said(std::size_t depth) { return said_.data() + depth * points() * facts_.width; }
  double mix(double x, double z, std::size_t q) const { return z + rule_.point[q] * (x - z); }

  void room(std::size_t depth) {
    if (frames_.size() > depth) return;
    frames_.resize(2 * depth + 16);
    reach_.resize(frames_.size() * points());
    said_.resize(frames_.size() * points() * facts_.width);
  }

  // Share of what comes to a node by a route that goes on to a child.
  double part(std::int32_t route, std::int32_t child, std::int32_t node) const {
    if (route >= 0) return child - tree_.first_child[node] == route ? 1.0 : 0.0;
    return route == SHARED ? facts_.share[child] : route == BY_COVER ? facts_.cover[child] : 0.0;
  }
  double staying(std::int32_t route, std::int32_t node) const {
    return route == STAYS ? 1.0 : route == BY_COVER ? facts_.stays[node] : 0.0;
  }

  std::int32_t route_of(const Descent& rows, std::size_t row, std::int32_t node) const {
    std::uint8_t met = 0;
    const std::int32_t route = rows.route(node, row, met);
    if (route != SHARED) return route;
    const std::int32_t first = tree_.first_child[node];
    for (std::int32_t child = first; child < first + facts_.n_children[node]; ++child)
      if (facts_.share[child] > 0.0) return SHARED;
    return STAYS;
  }

  void enter(std::size_t depth, std::int32_t node, double own, double other) {
    Frame& frame = frames_[depth];
    double* sum = said(depth);
    frame = {node, 0, 0, tree_.splits.feature[node], 0, 0, 1.0, 1.0, own, other};
    std::fill(sum, sum + points() * facts_.width, 0.0);
    if (frame.tested < 0) return say(node, reach(depth), sum);
    frame.x = x_[frame.tested], frame.z = z_[frame.tested];
    frame.route = route_of(*rows_, row_, node);
    frame.reference = others_ ? route_of(*others_, other_, node) : BY_COVER;
    frame.next = tree_.first_child[node];
    frame.last = frame.next + facts_.n_children[node];
    const double stays = frame.x * staying(frame.route, node), rest = frame.z * staying(frame.reference, node);
    if (stays != 0.0 || rest != 0.0) end_here(depth, stays, rest);
  }

  // What stays at a node is an end of its own, behind an edge of the tested feature.
  void end_here(std::size_t depth, double own, double other) {
    room(depth + 1);
    const Frame& frame = frames_[depth];
    double *sum = said(depth), *apart = said(depth + 1);
    go(reach(depth), reach(depth + 1), frame, own, other);
    std::fill(apart, apart + points() * facts_.width, 0.0);
    say(frame.node, reach(depth + 1), apart);
    credit(frame, own, other, apart);
    for (std::size_t i = 0; i < points() * facts_.width; ++i) sum[i] += apart[i];
  }

  // The products along a way when the parts of the tested feature become `own` and `other`.
  void go(const double* from, double* to, const Frame& frame, double own, double other) const {
    for (std::size_t q = 0; q < points(); ++q) to[q] = from[q] / mix(frame.x, frame.z, q) * mix(own, other, q);
  }

  void say(std::int32_t node, const double* reached, double* sum) const {
    const double* says = facts_.says + static_cast<std::size_t>(node) * facts_.width;
    for (std::size_t q = 0; q < points(); ++q)
      for (std::size_t k = 0; k < facts_.width; ++k) sum[q * facts_.width + k] += reached[q] * says[k];
  }

  // What the ends below an edge owe to its feature: with the parts after the edge, instead of those before it.
  void credit(const Frame& above, double own, double other, const double* sum) {
    if (own == other && above.x == above.z) return;
    double* value = values_ + static_cast<std::size_t>(above.tested) * facts_.width;
    for (std::size_t q = 0; q < points(); ++q) {
      const double after = (own - other) / mix(own, other, q), before = (above.x - above.z) / mix(above.x, above.z, q);
      const double factor = scale_ * rule_.weight[q] * (after - before);
      for (std::size_t k = 0; k < facts_.width; ++k) value[k] += factor * sum[q * facts_.width + k];
    }
  }

  const TreeView& tree_;
  const GameFacts& facts_;
  const Quadrature& rule_;
  std::vector<double> x_, z_;  // parts of each feature on the way to where we are
  std::vector<Frame> frames_;
  std::vector<double> reach_, said_;
  const Descent *rows_ = nullptr, *others_ = nullptr;
  std::size_t row_ = 0, other_ = 0;
  double scale_ = 1.0;
  double* values_ = nullptr;
};

// Values of all rows (rows x features x width, zeros before): against the cover, or as means over `background` rows.
inline void shapley(const TreeView& tree, const GameFacts& facts, const Quadrature& quadrature,
                    const std::vector<ColumnView>& columns, std::size_t rows, const std::vector<ColumnView>* background,
                    std::size_t n_background, double* values, Team& team) {
  const Descent descent(tree, columns);
  std::optional<Descent> others;
  if (background) others.emplace(tree, *background);
  std::vector<Player> players(static_cast<std::size_t>(team.size()), Player(tree, facts, quadrature, columns.size()));
  team.run(rows, [&](std::size_t row, int member) {
    Player& player = players[static_cast<std::size_t>(member)];
    double* own = values + row * columns.size() * facts.width;
    if (!others) return player.play(descent, row, nullptr, 0, 1.0, own);
    for (std::size_t b = 0; b < n_background; ++b) {
      if (member == 0 && b % 16 == 0) team.watch().poll();
      team.watch().check();
      player.play(descent, row, &*others, b, 1.0 / static_cast<double>(n_background), own);
    }
  });
}

}  // namespace boxwood

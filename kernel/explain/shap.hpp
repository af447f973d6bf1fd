// Shapley values of a prediction: how much each feature moves it away from the prediction without any feature.
// The game: at a node that tests a feature of the coalition, the row is routed by its own value (surrogates and shares
// included); at any other node it follows the reference: all branches by their weight, or the route of a background
// row. The worth of a coalition is the prediction of the leaves reached, weighted by share. A leaf's weight is a
// product over the features on its path, x_j for those of the coalition and z_j for the others, so the value of feature
// j is (x_j - z_j) times the integral of prod_{k != j} (z_k + t (x_k - z_k)) over t in [0, 1]: a polynomial, which
// Gauss-Legendre quadrature integrates exactly, with positive terms and hence no cancellation. Invariant: reads only;
// the values of a row depend on that row and the references in their order alone. No recursion. Cost: nodes that the
// row or the reference can reach, times half the number of features on a path, times the width of a prediction. Source:
// Lundberg, Erion, Lee (2018), arXiv:1802.03888, algorithm 2 (the same sums); Owen (1972) for the integral.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "predict/route.hpp"

namespace boxwood {

// The arrays of a tree that a TreeView lacks, one entry a node.
struct GameTree {
  const std::int32_t* n_children;
  const double* share;  // of a node among its siblings, by weight: how a missing value is shared out
  const double* cover;  // of a node in its parent: by weight, rows that stayed there included
  const double* stays;  // share of the rows of a node that stayed there
  const double* prediction;  // `width` numbers a node
  std::size_t n_nodes, width;
};

// Points and weights on [0, 1] that integrate polynomials of degree 2 n - 1 exactly.
struct Quadrature {
  const double *point, *weight;
  std::size_t n;
};

// Computes the values of one row after the other; one player a thread.
class Player {
 public:
  static constexpr std::int32_t BY_COVER = -9;  // the reference that follows all branches by weight

  Player(const TreeView& tree, const GameTree& nodes, const Quadrature& quadrature, std::size_t n_features)
      : tree_(tree), nodes_(nodes), rule_(quadrature), x_(n_features, 1.0), z_(n_features, 1.0) {}

  // Adds `scale` times the values of row `x` of `rows` to `values` (features x width). Without `others` the reference
  // is the cover.
  void play(const Descent& rows, std::size_t x, const Descent* others, std::size_t z, double scale, double* values) {
    rows_ = &rows, others_ = others, row_ = x, other_ = z, scale_ = scale, values_ = values;
    std::size_t depth = 0;
    reserve(0);
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
        reserve(++depth);
        extend(reach(depth - 1), reach(depth), frames_[depth - 1], own, other);
        x_[feature] = own, z_[feature] = other;
        enter(depth, child, own, other);
      } else {
        if (depth == 0) return;
        const Frame& above = frames_[depth - 1];
        credit(above, frame.own, frame.other, sums(depth));
        x_[above.tested] = above.x, z_[above.tested] = above.z;
        const double* from = sums(depth);
        double* to = sums(depth - 1);
        for (std::size_t i = 0; i < points() * nodes_.width; ++i) to[i] += from[i];
        --depth;
      }
    }
  }

 private:
  // `x`, `z`: factors of the tested feature on the path to the node; `own`, `other`: those of the feature of the edge
  // into it.
  struct Frame {
    std::int32_t node, next, last, tested, route, reference;
    double x, z, own, other;
  };

  std::size_t points() const { return rule_.n; }
  double* reach(std::size_t depth) { return reach_.data() + depth * points(); }
  double* sums(std::size_t depth) { return sums_.data() + depth * points() * nodes_.width; }
  double mix(double x, double z, std::size_t q) const { return z + rule_.point[q] * (x - z); }

  void reserve(std::size_t depth) {
    if (frames_.size() > depth) return;
    frames_.resize(2 * depth + 16);
    reach_.resize(frames_.size() * points());
    sums_.resize(frames_.size() * points() * nodes_.width);
  }

  // Share of the weight at a node that follows a route to a child.
  double part(std::int32_t route, std::int32_t child, std::int32_t node) const {
    if (route >= 0) return child - tree_.first_child[node] == route ? 1.0 : 0.0;
    return route == SHARED ? nodes_.share[child] : route == BY_COVER ? nodes_.cover[child] : 0.0;
  }
  double staying(std::int32_t route, std::int32_t node) const {
    return route == STAYS ? 1.0 : route == BY_COVER ? nodes_.stays[node] : 0.0;
  }

  std::int32_t route_of(const Descent& rows, std::size_t row, std::int32_t node) const {
    std::uint8_t met = 0;
    const std::int32_t route = rows.route(node, row, met);
    if (route != SHARED) return route;
    const std::int32_t first = tree_.first_child[node];
    for (std::int32_t child = first; child < first + nodes_.n_children[node]; ++child)
      if (nodes_.share[child] > 0.0) return SHARED;
    return STAYS;
  }

  void enter(std::size_t depth, std::int32_t node, double own, double other) {
    Frame& frame = frames_[depth];
    double* sum = sums(depth);
    frame = {node, 0, 0, tree_.splits.feature[node], 0, 0, 1.0, 1.0, own, other};
    std::fill(sum, sum + points() * nodes_.width, 0.0);
    if (frame.tested < 0) return add_prediction(node, reach(depth), sum);
    frame.x = x_[frame.tested], frame.z = z_[frame.tested];
    frame.route = route_of(*rows_, row_, node);
    frame.reference = others_ ? route_of(*others_, other_, node) : BY_COVER;
    frame.next = tree_.first_child[node];
    frame.last = frame.next + nodes_.n_children[node];
    const double stays = frame.x * staying(frame.route, node), rest = frame.z * staying(frame.reference, node);
    if (stays != 0.0 || rest != 0.0) add_staying(depth, stays, rest);
  }

  // The share that stays at a node is a leaf of its own, below an edge of the tested feature.
  void add_staying(std::size_t depth, double own, double other) {
    reserve(depth + 1);
    const Frame& frame = frames_[depth];
    double *sum = sums(depth), *alone = sums(depth + 1);
    extend(reach(depth), reach(depth + 1), frame, own, other);
    std::fill(alone, alone + points() * nodes_.width, 0.0);
    add_prediction(frame.node, reach(depth + 1), alone);
    credit(frame, own, other, alone);
    for (std::size_t i = 0; i < points() * nodes_.width; ++i) sum[i] += alone[i];
  }

  // The products along a path when the factors of the tested feature become `own` and `other`.
  void extend(const double* from, double* to, const Frame& frame, double own, double other) const {
    for (std::size_t q = 0; q < points(); ++q) to[q] = from[q] / mix(frame.x, frame.z, q) * mix(own, other, q);
  }

  void add_prediction(std::int32_t node, const double* reached, double* sum) const {
    const double* prediction = nodes_.prediction + static_cast<std::size_t>(node) * nodes_.width;
    for (std::size_t q = 0; q < points(); ++q)
      for (std::size_t k = 0; k < nodes_.width; ++k) sum[q * nodes_.width + k] += reached[q] * prediction[k];
  }

  // Credits the feature of an edge with the leaves below it: its factors after the edge replace those before it.
  void credit(const Frame& above, double own, double other, const double* sum) {
    if (own == other && above.x == above.z) return;
    double* value = values_ + static_cast<std::size_t>(above.tested) * nodes_.width;
    for (std::size_t q = 0; q < points(); ++q) {
      const double after = (own - other) / mix(own, other, q), before = (above.x - above.z) / mix(above.x, above.z, q);
      const double factor = scale_ * rule_.weight[q] * (after - before);
      for (std::size_t k = 0; k < nodes_.width; ++k) value[k] += factor * sum[q * nodes_.width + k];
    }
  }

  const TreeView& tree_;
  const GameTree& nodes_;
  const Quadrature& rule_;
  std::vector<double> x_, z_;  // factors of each feature on the path to the current node
  std::vector<Frame> frames_;
  std::vector<double> reach_, sums_;
  const Descent *rows_ = nullptr, *others_ = nullptr;
  std::size_t row_ = 0, other_ = 0;
  double scale_ = 1.0;
  double* values_ = nullptr;
};

// Values of all rows (rows x features x width, zeros before): against the cover, or as means over `background` rows.
inline void shapley(const TreeView& tree, const GameTree& nodes, const Quadrature& quadrature,
                    const std::vector<ColumnView>& columns, std::size_t rows, const std::vector<ColumnView>* background,
                    std::size_t n_background, double* values, ThreadPool& pool) {
  const Descent descent(tree, columns);
  std::optional<Descent> others;
  if (background) others.emplace(tree, *background);
  std::vector<Player> players(static_cast<std::size_t>(pool.size()), Player(tree, nodes, quadrature, columns.size()));
  pool.run(rows, [&](std::size_t row, int worker) {
    Player& player = players[static_cast<std::size_t>(worker)];
    double* own = values + row * columns.size() * nodes.width;
    if (!others) return player.play(descent, row, nullptr, 0, 1.0, own);
    for (std::size_t b = 0; b < n_background; ++b) {
      if (worker == 0 && b % 16 == 0) pool.interrupts().poll();
      pool.interrupts().check();
      player.play(descent, row, &*others, b, 1.0 / static_cast<double>(n_background), own);
    }
  });
}

}  // namespace boxwood

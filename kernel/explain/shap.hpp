// Shapley values of a prediction: how much each feature moves it away from the prediction without any feature.
// The game: at a node that tests a feature of the coalition, the row is routed by its own value (surrogates and shares
// included); at any other node it follows the reference: all branches by their weight, or the route of a background
// row. The worth of a coalition is the prediction of the leaves reached, weighted by share. A leaf's weight is a
// product over the features on its path, x_j for those of the coalition and z_j for the others, so the value of feature
// j is (x_j - z_j) times the integral of prod_{k != j} (z_k + t (x_k - z_k)) over t in [0, 1]: a polynomial, which
// Gauss-Legendre quadrature integrates exactly, with positive terms and hence no cancellation. Invariant: reads only;
// the values of a row depend on that row and the references in their order alone. No recursion. Cost: nodes that only
// one of row and reference can reach, times half the number of features on a path, times the width of a prediction.
// Source: Lundberg, Erion, Lee (2018), arXiv:1802.03888, algorithm 2 (the same sums); Owen (1972) for the integral.
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
  static constexpr double LEAST = 1e-300;  // of the factors of a feature, so that one over them is finite

  Player(const TreeView& tree, const GameTree& nodes, const Quadrature& quadrature, std::size_t n_features)
      : tree_(tree), nodes_(nodes), rule_(quadrature), edge_(n_features, 0), routes_(nodes.n_nodes) {}

  // Adds `scale` times the values of row `x` of `rows` to `values` (features x width). Without `others` the reference
  // is the cover.
  void play(const Descent& rows, std::size_t x, const Descent* others, std::size_t z, double scale, double* values) {
    n_rows_ += rows_ != &rows || row_ != x;
    rows_ = &rows, others_ = others, row_ = x, other_ = z, scale_ = scale, values_ = values;
    std::size_t depth = 0;
    reserve(0);
    enter(0, 0);
    for (;;) {
      Frame& frame = frames_[depth];
      if (frame.next < frame.last) {
        const std::int32_t child = frame.next++;
        const Frame& edge = frames_[frame.edge];
        const double own = edge.own * part(frame.route, child, frame.node),
                     other = edge.other * part(frame.reference, child, frame.node);
        if (own + other < LEAST) continue;
        const std::int32_t feature = frame.tested;
        reserve(++depth);
        extend(depth, own, other);
        edge_[feature] = depth;
        enter(depth, child);
      } else {
        if (depth == 0) return;
        credit(depth);
        const Frame& above = frames_[--depth];
        edge_[above.tested] = above.edge;
      }
    }
  }

 private:
  // `edge`: depth of the last edge on the path to the node that tests the same feature, 0 = none; `own`, `other`:
  // factors of the feature of the edge into the node.
  struct Frame {
    std::int32_t node, next, last, tested, route, reference;
    std::size_t edge;
    double own = 1.0, other = 1.0;
  };

  struct KnownRoute {
    std::size_t of = 0;  // n_rows_ of the row it belongs to
    std::int32_t route = 0;
  };

  std::size_t points() const { return rule_.n; }
  double* reach(std::size_t depth) { return reach_.data() + depth * points(); }
  double* sums(std::size_t depth) { return sums_.data() + depth * points() * nodes_.width; }
  double* inverse(std::size_t depth) { return inverse_.data() + depth * points(); }

  void reserve(std::size_t depth) {
    if (frames_.size() > depth) return;
    frames_.resize(2 * depth + 16);
    reach_.resize(frames_.size() * points(), 1.0);
    inverse_.resize(reach_.size(), 1.0);
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
    const double* first = nodes_.share + tree_.first_child[node];
    return std::any_of(first, first + nodes_.n_children[node], [](double x) { return x > 0.0; }) ? SHARED : STAYS;
  }

  // The same of the row that is explained, found once for all references.
  std::int32_t own_route(std::int32_t node) {
    KnownRoute& known = routes_[node];
    if (known.of != n_rows_) known = {n_rows_, route_of(*rows_, row_, node)};
    return known.route;
  }

  // Where the row and the reference follow one branch, no factor changes: the frame is that of the node below.
  void enter(std::size_t depth, std::int32_t node) {
    Frame& frame = frames_[depth];
    for (frame.node = node, frame.next = frame.last = 0;; frame.node = tree_.first_child[frame.node] + frame.route) {
      frame.tested = tree_.splits.feature[frame.node];
      if (frame.tested < 0) return set_prediction(depth, frame.node);
      frame.route = own_route(frame.node);
      frame.reference = others_ ? route_of(*others_, other_, frame.node) : BY_COVER;
      if (frame.route < 0 || frame.route != frame.reference) break;
    }
    frame.edge = edge_[frame.tested], frame.next = tree_.first_child[node = frame.node];
    frame.last = frame.next + nodes_.n_children[node];
    std::fill(sums(depth), sums(depth + 1), 0.0);
    const Frame& edge = frames_[frame.edge];
    const double own = edge.own * staying(frame.route, node), other = edge.other * staying(frame.reference, node);
    if (own + other < LEAST) return;
    reserve(++depth);  // the share that stays is a leaf of its own, below an edge of the tested feature
    extend(depth, own, other);
    set_prediction(depth, node);
    credit(depth);
  }

  // An edge: the products along the path, and one over what the factors of its feature contribute to them.
  void extend(std::size_t depth, double own, double other) {
    const double *from = reach(depth - 1), *before = inverse(frames_[depth - 1].edge);
    for (std::size_t q = 0; q < points(); ++q) {
      const double mixed = other + rule_.point[q] * (own - other);
      reach(depth)[q] = from[q] * before[q] * mixed;
      inverse(depth)[q] = 1.0 / mixed;
    }
    frames_[depth].own = own, frames_[depth].other = other;
  }

  void set_prediction(std::size_t depth, std::int32_t node) {
    const double* prediction = nodes_.prediction + static_cast<std::size_t>(node) * nodes_.width;
    double* sum = sums(depth);
    for (std::size_t q = 0; q < points(); ++q)
      for (std::size_t k = 0; k < nodes_.width; ++k) *sum++ = reach(depth)[q] * prediction[k];
  }

  // Adds the leaves below an edge to those of the node above, and credits them to the feature of the edge: its factors
  // after the edge replace those before it.
  void credit(std::size_t depth) {
    const Frame &frame = frames_[depth], &above = frames_[depth - 1], &edge = frames_[above.edge];
    const double *from = sums(depth), *before = inverse(above.edge), *after = inverse(depth);
    double *to = sums(depth - 1), *value = values_ + static_cast<std::size_t>(above.tested) * nodes_.width;
    for (std::size_t i = 0; i < points() * nodes_.width; ++i) to[i] += from[i];
    if (frame.own == frame.other && edge.own == edge.other) return;
    for (std::size_t q = 0; q < points(); ++q) {
      const double gained = (frame.own - frame.other) * after[q] - (edge.own - edge.other) * before[q];
      for (std::size_t k = 0; k < nodes_.width; ++k) value[k] += scale_ * rule_.weight[q] * gained * *from++;
    }
  }

  const TreeView& tree_;
  const GameTree& nodes_;
  const Quadrature& rule_;
  std::vector<std::size_t> edge_;  // of each feature: depth of its last edge on the path to the current node, or 0
  std::vector<Frame> frames_;
  std::vector<double> reach_, inverse_, sums_;
  std::vector<KnownRoute> routes_;  // of each node
  std::size_t n_rows_ = 0;  // explained so far, the current one too
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

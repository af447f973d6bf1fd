// Steps of the sum over coalitions down a tree: weights at each point of a quadrature, for L rows at a time,
// one in each lane of a wide register.
// Invariant: the numbers of a lane do not depend on the other lanes.
// Source: Owen (1972), for the integral (explain/shap.hpp).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "parallel/simd_clones.hpp"

namespace boxwood {

// Points and weights on [0, 1] that integrate polynomials of degree 2 n - 1 exactly.
struct Quadrature {
  const double *point, *weight;
  std::size_t n;
};

template <class T, std::size_t L>
using Lanes = std::array<T, L>;

// Factors of a feature on a path: of each row's own value, and of the references.
template <std::size_t L>
struct Factors {
  Lanes<double, L> own;
  double other;
};

// An edge of a path: what the factors of its feature were above it, and are below it.
template <std::size_t L>
struct Edge {
  static constexpr double LEAST = 1e-300;  // of the factors together, so that one over them is finite

  Factors<L> before, after;

  // Whether any weight goes along the edge, in a lane or at all.
  bool lives(std::size_t lane) const { return !(after.own[lane] + after.other < LEAST); }
  bool lives() const {
    bool any = false;
    for (std::size_t l = 0; l < L; ++l) any |= lives(l);
    return any;
  }
};

// At each point, for each lane: the product of the factors along a path, and one over those of the last feature.
struct Products {
  double *reach, *inverse;
};

// Sums of the predictions below a node, each times its weight: a number a point, output and lane.
struct PathSums {
  double* of;
  std::size_t width;  // of a prediction
};

inline std::uint64_t all_bits(bool on) { return on ? ~std::uint64_t{0} : 0; }

// A choice without a branch.
inline double either(std::uint64_t first, double a, double b) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & first) | (std::bit_cast<std::uint64_t>(b) & ~first));
}

// The products below an edge: as above where it changes no factor, zero where neither row nor reference can go.
// `above`: those of the path, and of the feature before the edge.
template <std::size_t L>
BOXWOOD_INLINE void extend_lanes(const Quadrature& rule, const Edge<L>& edge, const Products& above,
                                 const Products& below) {
  Lanes<std::uint64_t, L> kept, lives;
  Lanes<double, L> spread, reach, inverse;
  const double other = edge.after.other;
  for (std::size_t l = 0; l < L; ++l) {
    kept[l] = all_bits(edge.after.own[l] == edge.before.own[l] && other == edge.before.other);
    lives[l] = all_bits(edge.lives(l));
    spread[l] = edge.after.own[l] - other;
  }
  for (std::size_t q = 0; q < rule.n; ++q) {
    const double point = rule.point[q];
    const double *from = above.reach + q * L, *before = above.inverse + q * L;
    for (std::size_t l = 0; l < L; ++l) {
      const double mixed = other + point * spread[l];
      reach[l] = either(lives[l], either(kept[l], from[l], from[l] * before[l] * mixed), 0.0);
      inverse[l] = either(lives[l], 1.0 / mixed, 0.0);
    }
    for (std::size_t l = 0; l < L; ++l) below.reach[q * L + l] = reach[l];
    for (std::size_t l = 0; l < L; ++l) below.inverse[q * L + l] = inverse[l];
  }
}

// The sums of a node that ends a path of some references.
template <std::size_t L>
BOXWOOD_INLINE void end_lanes(const Quadrature& rule, const double* reach, const double* prediction, double references,
                              const PathSums& sums) {
  double* to = sums.of;
  for (std::size_t q = 0; q < rule.n; ++q, reach += L)
    for (std::size_t k = 0; k < sums.width; ++k, to += L) {
      Lanes<double, L> sum;
      for (std::size_t l = 0; l < L; ++l) sum[l] = reach[l] * references * prediction[k];
      for (std::size_t l = 0; l < L; ++l) to[l] = sum[l];
    }
}

// Adds the sums below an edge to those above it, and credits them to its feature, whose factors after the edge replace
// those before it. `inverse`: before and after; `value`: `scale` times the credit, a number an output and lane.
template <std::size_t L>
BOXWOOD_INLINE void credit_lanes(const Quadrature& rule, const Edge<L>& edge,
                                 const std::array<const double*, 2>& inverse, const PathSums& below, double* above,
                                 double scale, double* value) {
  Lanes<double, L> before, after, gained;
  for (std::size_t l = 0; l < L; ++l) {
    before[l] = edge.before.own[l] - edge.before.other;
    after[l] = edge.after.own[l] - edge.after.other;
  }
  const double* from = below.of;
  for (std::size_t q = 0; q < rule.n; ++q) {
    const double weight = scale * rule.weight[q];
    const double *of_before = inverse[0] + q * L, *of_after = inverse[1] + q * L;
    for (std::size_t l = 0; l < L; ++l) gained[l] = weight * (after[l] * of_after[l] - before[l] * of_before[l]);
    for (std::size_t k = 0; k < below.width; ++k, from += L, above += L) {
      Lanes<double, L> sum, all;
      for (std::size_t l = 0; l < L; ++l) {
        sum[l] = above[l] + from[l];
        all[l] = value[k * L + l] + gained[l] * from[l];
      }
      for (std::size_t l = 0; l < L; ++l) above[l] = sum[l];
      for (std::size_t l = 0; l < L; ++l) value[k * L + l] = all[l];
    }
  }
}

inline void extend(const Quadrature& rule, const Edge<1>& edge, const Products& above, const Products& below) {
  extend_lanes(rule, edge, above, below);
}
BOXWOOD_CLONES static void extend(const Quadrature& rule, const Edge<8>& edge, const Products& above,
                                  const Products& below) {
  extend_lanes(rule, edge, above, below);
}

inline void credit(const Quadrature& rule, const Edge<1>& edge, const std::array<const double*, 2>& inverse,
                   const PathSums& below, double* above, double scale, double* value) {
  credit_lanes(rule, edge, inverse, below, above, scale, value);
}
BOXWOOD_CLONES static void credit(const Quadrature& rule, const Edge<8>& edge,
                                  const std::array<const double*, 2>& inverse, const PathSums& below, double* above,
                                  double scale, double* value) {
  credit_lanes(rule, edge, inverse, below, above, scale, value);
}

}  // namespace boxwood

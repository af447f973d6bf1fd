// Isotonic regression: the numbers nearest to given ones, by weighted squares, of which required pairs rise.
// Invariant: exact for any partial order; elements of a block share its mean, so the same blocks minimise Gini, log
// loss and deviances (Robertson, Wright and Dykstra 1988, theorem 1.5.1). Cost: a minimum cut for each block found.
// Source: Maxwell and Muckstadt 1985; Luss, Rosset and Shahar 2012: elements are divided at their mean as long as a set
// that contains whatever must be higher gains by being above it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace boxwood {

// The greatest sum of a set of nodes that contains, with a node, all nodes that its edges lead to: by a maximum flow
// from nodes above 0 to those below (Dinic 1970).
class Closure {
 public:
  Closure(const std::vector<double>& gain, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges)
      : n_(gain.size()), out_(n_ + 2), level_(n_ + 2), next_(n_ + 2) {
    double all = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      all += std::abs(gain[i]);
      if (gain[i] > 0) connect(n_, i, gain[i]);
      if (gain[i] < 0) connect(i, n_ + 1, -gain[i]);
    }
    rounding_ = 1e-13 * all;
    for (const auto& [low, high] : edges) connect(low, high, std::numeric_limits<double>::infinity());
    while (find_levels()) {
      std::fill(next_.begin(), next_.end(), 0);
      while (push(n_, std::numeric_limits<double>::infinity()) > rounding_) {
      }
    }
  }
  // Of each node, whether it is in the set.
  bool contains(std::size_t i) const { return level_[i] >= 0; }

 private:
  struct Arc {
    std::size_t to, back;
    double capacity;
  };
  void connect(std::size_t from, std::size_t to, double capacity) {
    out_[from].push_back({to, out_[to].size(), capacity});
    out_[to].push_back({from, out_[from].size() - 1, 0.0});
  }
  bool find_levels() {
    std::fill(level_.begin(), level_.end(), -1);
    std::vector<std::size_t> queue{n_};
    level_[n_] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const Arc& arc : out_[queue[at]])
        if (arc.capacity > rounding_ && level_[arc.to] < 0) {
          level_[arc.to] = level_[queue[at]] + 1;
          queue.push_back(arc.to);
        }
    return level_[n_ + 1] >= 0;
  }
  double push(std::size_t from, double most) {
    if (from == n_ + 1) return most;
    for (std::size_t& at = next_[from]; at < out_[from].size(); ++at) {
      Arc& arc = out_[from][at];
      if (!(arc.capacity > rounding_) || level_[arc.to] != level_[from] + 1) continue;
      const double pushed = push(arc.to, std::min(most, arc.capacity));
      if (!(pushed > rounding_)) continue;
      arc.capacity -= pushed;
      out_[arc.to][arc.back].capacity += pushed;
      return pushed;
    }
    return 0.0;
  }

  const std::size_t n_;
  double rounding_ = 0;
  std::vector<std::vector<Arc>> out_;
  std::vector<std::int64_t> level_;
  std::vector<std::size_t> next_;
};

class Isotonic {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  Isotonic(std::vector<double> weight, std::vector<double> value)
      : weight_(std::move(weight)), value_(std::move(value)), block_(value_.size()), fitted_(value_) {
    std::iota(block_.begin(), block_.end(), 0u);
  }
  // The first of two elements must not be above the second.
  void require(std::uint32_t low, std::uint32_t high) { pairs_.push_back({low, high}); }

  // Each element's block, named by one of its elements.
  const std::vector<std::uint32_t>& blocks() const { return block_; }
  double fitted(std::uint32_t element) const { return fitted_[element]; }

  void solve() {
    std::iota(block_.begin(), block_.end(), 0u);
    fitted_ = value_;
    for (const Pair& pair : pairs_) block_[root(pair.first)] = root(pair.second);
    std::vector<std::vector<std::uint32_t>> members(value_.size());
    std::vector<std::vector<Pair>> within(value_.size());
    for (std::uint32_t i = 0; i < value_.size(); ++i) members[root(i)].push_back(i);
    for (const Pair& pair : pairs_) within[root(pair.first)].push_back(pair);
    std::iota(block_.begin(), block_.end(), 0u);
    for (std::size_t r = 0; r < members.size(); ++r)
      if (members[r].size() > 1) divide(std::move(members[r]), std::move(within[r]));
    join_near();
  }

 private:
  std::uint32_t root(std::uint32_t i) {
    while (block_[i] != i) i = block_[i] = block_[block_[i]];
    return i;
  }

  double mean(const std::vector<std::uint32_t>& members) const {
    double weight = 0, sum = 0;
    for (const std::uint32_t i : members) weight += weight_[i], sum += weight_[i] * value_[i];
    return weight > 0 ? sum / weight : value_[members[0]];
  }

  void share_value(const std::vector<std::uint32_t>& members) {
    const double mean = this->mean(members);
    for (const std::uint32_t i : members) block_[i] = members[0], fitted_[i] = mean;
  }

  void divide(std::vector<std::uint32_t> first, std::vector<Pair> first_pairs) {
    std::vector<std::pair<std::vector<std::uint32_t>, std::vector<Pair>>> open;
    open.push_back({std::move(first), std::move(first_pairs)});
    std::vector<std::uint32_t> place(value_.size());
    while (!open.empty()) {
      const auto [members, pairs] = std::move(open.back());
      open.pop_back();
      const double mean = this->mean(members);
      std::vector<double> gain;
      for (std::uint32_t at = 0; at < members.size(); ++at) {
        place[members[at]] = at;
        gain.push_back(weight_[members[at]] * (value_[members[at]] - mean));
      }
      std::vector<Pair> edges;
      for (const auto& [low, high] : pairs) edges.push_back({place[low], place[high]});
      const Closure closure(gain, edges);
      std::vector<std::uint32_t> sides[2];
      std::vector<Pair> inside[2];
      for (std::uint32_t at = 0; at < members.size(); ++at) sides[closure.contains(at)].push_back(members[at]);
      if (sides[0].empty() || sides[1].empty()) {
        share_value(members);
        continue;
      }
      for (const Pair& pair : pairs) {
        const bool low = closure.contains(place[pair.first]), high = closure.contains(place[pair.second]);
        if (low == high) inside[low].push_back(pair);
      }
      for (int upper = 0; upper < 2; ++upper) open.push_back({std::move(sides[upper]), std::move(inside[upper])});
    }
  }

  // Blocks that only rounding keeps apart, or in the wrong order, are one.
  void join_near() {
    for (bool joined = true; joined;) {
      joined = false;
      for (const auto& [low, high] : pairs_) {
        const double a = fitted_[low], b = fitted_[high];
        if (block_[low] == block_[high] || a < b - 1e-12 * (std::abs(a) + std::abs(b))) continue;
        const std::uint32_t names[2] = {block_[low], block_[high]};
        std::vector<std::uint32_t> members;
        for (std::uint32_t i = 0; i < block_.size(); ++i)
          if (block_[i] == names[0] || block_[i] == names[1]) members.push_back(i);
        share_value(members);
        joined = true;
      }
    }
  }

  const std::vector<double> weight_, value_;
  std::vector<std::uint32_t> block_;
  std::vector<double> fitted_;
  std::vector<Pair> pairs_;
};

}  // namespace boxwood

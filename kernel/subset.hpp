// Best partition of a nominal feature's present levels into two sets.
// Two classes, means and rates: order levels by mean, the best of k-1 cuts is the best of all subsets (Breiman et al. 1984, th. 4.5;
// Fisher 1958). More classes: every subset in Gray-code order up to `exhaustive_levels`, above that the k-1 cuts along the principal
// direction of the class shares (Coppersmith, Hong & Hosking 1999), marked heuristic.
// Cost: one pass over the node's list (levels are runs in it), then k log k, or 2^(k-1).
#pragma once

#include <bit>
#include <numeric>

#include "scan.hpp"

namespace boxwood {

// The present levels of a feature in a node, as groups: one a level, rare levels pooled into a last one.
template <class P>
struct Groups {
  using Int = typename P::Int;
  int width = 0;
  std::vector<Int> sums;                     // group-major, `width` each
  std::vector<std::int64_t> rows;            // rows of each group
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members;  // (level, group), by level

  std::size_t size() const { return rows.size(); }
  Int* sum(std::size_t g) { return sums.data() + g * width; }
  const Int* sum(std::size_t g) const { return sums.data() + g * width; }

  void collect(const P& policy, const Entry* entries, std::uint32_t known, std::int64_t min_rows) {
    start(policy.width());
    for (std::uint32_t i = 0; i < known;) {
      const std::uint32_t level = code_of(entries[i]);
      Int* into = open(level);
      for (; i < known && code_of(entries[i]) == level; ++i) {
        policy.add(into, sample_of(entries[i]));
        ++rows.back();
      }
    }
    if (min_rows > 1) pool(min_rows);
  }

  void start(int sums_a_group) {
    width = sums_a_group;
    sums.clear();
    rows.clear();
    members.clear();
  }

  // A group for one more level, above the others; its sums, still 0, as are its rows.
  Int* open(std::uint32_t level) {
    members.emplace_back(level, static_cast<std::uint32_t>(rows.size()));
    rows.push_back(0);
    sums.resize(sums.size() + width, Int{0});
    return sum(rows.size() - 1);
  }

  // Levels of fewer rows share a last group.
  void pool(std::int64_t min_rows) {
    std::vector<Int> pooled(width, Int{0}), kept_sums;
    std::vector<std::int64_t> kept_rows;
    std::vector<std::uint32_t> place(rows.size());
    std::int64_t pooled_rows = 0;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      if (rows[g] < min_rows) {
        pooled_rows += rows[g];
        for (int k = 0; k < width; ++k) pooled[k] += sum(g)[k];
        place[g] = MISSING;
      } else {
        place[g] = static_cast<std::uint32_t>(kept_rows.size());
        kept_rows.push_back(rows[g]);
        kept_sums.insert(kept_sums.end(), sum(g), sum(g) + width);
      }
    }
    const auto last = static_cast<std::uint32_t>(kept_rows.size());
    if (pooled_rows > 0) {
      kept_rows.push_back(pooled_rows);
      kept_sums.insert(kept_sums.end(), pooled.begin(), pooled.end());
    }
    for (auto& [level, group] : members) group = place[group] == MISSING ? last : place[group];
    rows = std::move(kept_rows);
    sums = std::move(kept_sums);
  }
};

// Leading eigenvector of the weighted covariance of group shares, by power iteration on the groups themselves.
inline std::vector<double> principal_direction(const std::vector<double>& shares, const std::vector<double>& mass, int width) {
  const std::size_t groups = mass.size();
  const double total = std::accumulate(mass.begin(), mass.end(), 0.0);
  std::vector<double> mean(width, 0.0), centred(shares);
  for (std::size_t g = 0; g < groups; ++g)
    for (int k = 0; k < width; ++k) mean[k] += mass[g] * shares[g * width + k] / total;
  std::size_t farthest = 0;
  double most = -1.0;
  for (std::size_t g = 0; g < groups; ++g) {
    double norm = 0.0;
    for (int k = 0; k < width; ++k) {
      centred[g * width + k] -= mean[k];
      norm += centred[g * width + k] * centred[g * width + k];
    }
    if (mass[g] * norm > most) most = mass[g] * norm, farthest = g;
  }
  std::vector<double> v(centred.begin() + farthest * width, centred.begin() + (farthest + 1) * width), next(width);
  const auto normalise = [width](std::vector<double>& x) {
    double norm = 0.0;
    for (int k = 0; k < width; ++k) norm += x[k] * x[k];
    if (norm > 0)
      for (int k = 0; k < width; ++k) x[k] /= std::sqrt(norm);
  };
  normalise(v);
  for (int round = 0; round < 1000; ++round) {
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t g = 0; g < groups; ++g) {
      const double* c = &centred[g * width];
      const double along = std::inner_product(c, c + width, v.begin(), 0.0) * mass[g];
      for (int k = 0; k < width; ++k) next[k] += along * c[k];
    }
    normalise(next);
    double moved = 0.0;
    for (int k = 0; k < width; ++k) moved = std::max(moved, std::abs(next[k] - v[k]));
    v.swap(next);
    if (moved < 1e-14) break;
  }
  int largest = 0;
  for (int k = 1; k < width; ++k)
    if (std::abs(v[k]) > std::abs(v[largest]) * (1 + 1e-9)) largest = k;
  if (v[largest] < 0)
    for (double& x : v) x = -x;
  return v;
}

template <class P>
class SubsetSearch {
 public:
  using Int = typename P::Int;

  SubsetSearch(const P& policy, const Settings& settings, int n_classes)
      : policy_(policy), settings_(settings), many_classes_(n_classes > 2) {}

  // Searches the groups and writes the winner's levels into `out`.
  void search(const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    const std::size_t k = groups.size();
    side_.assign(k, 1);
    if (!many_classes_ || k > static_cast<std::size_t>(settings_.exhaustive_levels)) {
      out.heuristic = many_classes_ && k > 2;
      order(groups);
      cut_along_order(groups, trial, out);
    } else {
      every_subset(groups, trial, out);
    }
    if (trial.offer_known_against_missing()) {
      side_.assign(k, 0);
      out.missing = 1;
    }
    if (!trial.found) return;
    out.levels.clear();
    for (const auto& [level, group] : groups.members) out.levels.push_back({level, side_[group]});
  }

 private:
  void order(const Groups<P>& groups) {
    const std::size_t k = groups.size();
    order_.resize(k);
    std::iota(order_.begin(), order_.end(), 0u);
    key_.resize(k);
    for (std::size_t g = 0; g < k; ++g) key_[g] = policy_.mean(groups.sum(g));
    if constexpr (requires(const Int* sum) { policy_.mass(sum, 0); })
      if (many_classes_) project(groups);
    std::stable_sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) { return key_[a] < key_[b]; });
  }

  void project(const Groups<P>& groups) {
    const int width = groups.width;
    const std::size_t k = groups.size();
    std::vector<double> shares(k * width), mass(k, 0.0);
    for (std::size_t g = 0; g < k; ++g) {
      for (int c = 0; c < width; ++c) {
        shares[g * width + c] = policy_.mass(groups.sum(g), c);
        mass[g] += shares[g * width + c];
      }
      for (int c = 0; c < width; ++c) shares[g * width + c] /= mass[g];
    }
    const auto v = principal_direction(shares, mass, width);
    for (std::size_t g = 0; g < k; ++g) key_[g] = std::inner_product(v.begin(), v.end(), shares.begin() + g * width, 0.0);
  }

  void cut_along_order(const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    left_.assign(groups.width, Int{0});
    std::int64_t n_left = 0;
    std::size_t best = 0;
    for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
      const Int* sum = groups.sum(order_[i]);
      for (int k = 0; k < groups.width; ++k) left_[k] += sum[k];
      n_left += groups.rows[order_[i]];
      if (trial.offer(left_.data(), n_left)) {
        best = i + 1;
        out.missing = trial.missing_branch;
      }
    }
    for (std::size_t i = 0; i < best; ++i) side_[order_[i]] = 0;
  }

  void every_subset(const Groups<P>& groups, Trial<P>& trial, Candidate& out) {
    left_.assign(groups.width, Int{0});
    std::int64_t n_left = 0;
    std::uint64_t best = 0;
    for (std::uint64_t i = 1; i < (std::uint64_t{1} << (groups.size() - 1)); ++i) {
      const std::uint64_t gray = i ^ (i >> 1), flipped = gray ^ ((i - 1) ^ ((i - 1) >> 1));
      const int g = std::countr_zero(flipped);
      const int sign = gray & flipped ? 1 : -1;
      for (int k = 0; k < groups.width; ++k) left_[k] += sign * groups.sum(g)[k];
      n_left += sign * groups.rows[g];
      if (trial.offer(left_.data(), n_left)) {
        best = gray;
        out.missing = trial.missing_branch;
      }
    }
    for (std::size_t g = 0; g < groups.size(); ++g) side_[g] = best >> g & 1 ? 0 : 1;
  }

  const P& policy_;
  const Settings& settings_;
  const bool many_classes_;
  std::vector<std::uint32_t> order_;
  std::vector<double> key_;
  std::vector<Int> left_;
  std::vector<std::int32_t> side_;
};

}  // namespace boxwood

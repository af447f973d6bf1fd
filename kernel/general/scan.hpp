// Best cut of ordered rows: one pass over a node's sorted list, sums updated sample by sample.
// Invariant: after position i the left sums hold entries 0..i; a cut stands only between different codes.
// Cost: about 2-4 ns a value. Source: Breiman et al. 1984, 2.4; missing directions as in SPECS 5.4 and the twin
// sources/reference.py.
#pragma once

#include <limits>
#include <type_traits>
#include <vector>

#include "general/samples.hpp"
#include "response/moments.hpp"
#include "response/screens.hpp"
#include "response/settings.hpp"
#include "search/split.hpp"

namespace boxwood {

// The best partition in two met so far for one feature of one node, and the rules a new one must beat.
template <class P>
class Trial {
 public:
  using Int = typename P::Int;

  Trial(const P& policy, const Settings& settings, double scale)
      : policy_(policy), settings_(settings), scale_(scale), width_(policy.width()) {}

  // `known`: sums over rows with a known value; `missing`: over the others, `n_missing` of them.
  void start(const Int* known, const Int* missing, std::int64_t n_known, std::int64_t n_missing) {
    known_ = known;
    missing_ = missing;
    n_known_ = n_known;
    n_missing_ = n_missing;
    found = false;
    best = 0.0;
    bar_ = -std::numeric_limits<double>::infinity();
    learned_ = settings_.policy == Policy::learned && n_missing > 0;
    offset_ = 0.0;
    if (n_missing == 0) return;
    all_.assign(known, known + width_);
    for (int k = 0; k < width_; ++k) all_[k] += missing[k];
    if (settings_.policy == Policy::own_branch) offset_ = policy_.decrease(known, all_.data());
  }

  // Only partitions above `least` count: less cannot win.
  void ask_for(double least) { bar_ = least; }

  // Offers the partition with `left` on branch 0; true when it is the new best.
  bool offer(const Int* left, std::int64_t n_left) {
    if (learned_) return offer_learned(left, n_left);
    if (n_left < settings_.min_samples_leaf || n_known_ - n_left < settings_.min_samples_leaf) return false;
    if (!policy_.may_exceed(left, known_, bar_ - offset_)) return false;
    return take(policy_.decrease(left, known_) + offset_, -1);
  }

  // "Known or missing" as a split of its own (learned direction).
  bool offer_known_against_missing() {
    if (!learned_ || n_known_ < settings_.min_samples_leaf || n_missing_ < settings_.min_samples_leaf) return false;
    return take(policy_.decrease(known_, all_.data()), 1);
  }

  // What has been found, to go back to.
  struct State {
    bool found;
    double best, bar;
    int missing_branch;
  };
  State state() const { return {found, best, bar_, missing_branch}; }
  void go_back(const State& to) {
    found = to.found;
    best = to.best;
    bar_ = to.bar;
    missing_branch = to.missing_branch;
  }

  // Whether a partition needs more than `decrease > bar()` to be asked for: then no caller may leave one out.
  bool is_plain() const { return !learned_ && offset_ == 0.0; }
  // Whether missing values may go to either side, and what a partition of the others must take away.
  bool learns() const { return learned_; }
  double needed() const { return bar_ - offset_; }
  // What is taken away where rows that may go to either side part from all others.
  double known_apart() const { return learned_ ? policy_.decrease(known_, all_.data()) : 0.0; }
  double scale() const { return scale_; }
  const Int* missing() const { return missing_; }
  std::int64_t rows_known() const { return n_known_; }
  std::int64_t rows_missing() const { return n_missing_; }
  double bar() const { return bar_; }
  const Int* known() const { return known_; }

  bool found = false;
  double best = 0.0;
  int missing_branch = -1;  // set by the learned direction, else -1

 private:
  bool offer_learned(const Int* left, std::int64_t n_left) {
    bool better = false;
    const std::int64_t n_right = n_known_ - n_left, least = settings_.min_samples_leaf;
    if (n_left >= least && n_right + n_missing_ >= least) better = take(policy_.decrease(left, all_.data()), 1);
    if (n_left + n_missing_ >= least && n_right >= least) {
      with_.assign(left, left + width_);
      for (int k = 0; k < width_; ++k) with_[k] += missing_[k];
      better = take(policy_.decrease(with_.data(), all_.data()), 0) || better;
    }
    return better;
  }
  bool take(double decrease, int missing) {
    if (!(decrease > bar_)) return false;
    found = true;
    best = decrease;
    missing_branch = missing;
    bar_ = bar_above(decrease, scale_);
    return true;
  }

  const P& policy_;
  const Settings& settings_;
  const double scale_;
  const int width_;
  const Int *known_ = nullptr, *missing_ = nullptr;
  std::int64_t n_known_ = 0, n_missing_ = 0;
  bool learned_ = false;
  double bar_ = 0.0, offset_ = 0.0;
  std::vector<Int> all_, with_;
};

template <class P, class Screen>
void screened_scan(const Entry* entries, std::uint32_t known, Screen screen, Trial<P>& trial, Candidate& out) {
  screen.raise(trial.bar());
  for (std::uint32_t i = 0; i + 1 < known; ++i) {
    const std::int64_t l = i + 1;
    screen.add(sample_of(entries[i]), l);
    if (!screen.may_win(l) || code_of(entries[i]) == code_of(entries[i + 1])) continue;
    if (!trial.offer(screen.sums(), l)) continue;
    screen.raise(trial.bar());
    out.below = code_of(entries[i]);
    out.above = code_of(entries[i + 1]);
    out.missing = trial.missing_branch;
  }
}

// Scans a plain trial behind the policy's screen; false when the policy has none.
template <class P>
bool scan_screened(const P& policy, const Entry* entries, std::uint32_t known, Trial<P>& trial,
                   std::vector<typename P::Int>& sums, Candidate& out) {
  const auto* total = trial.known();
  if constexpr (std::is_same_v<P, TwoCounts<Gini>>) {
    screened_scan(entries, known, TwoClassGiniScreen{policy.ones, known, total[1]}, trial, out);
    return true;
  } else if constexpr (std::is_same_v<P, TwoCounts<Entropy>>) {
    if (policy.measure->table.empty()) return false;
    screened_scan(entries, known, EntropyScreen(policy.ones, policy.measure->table.data(), total, 2, sums), trial, out);
    return true;
  } else if constexpr (std::is_same_v<P, Classes<Gini>>) {
    if (policy.weight || policy.factors) return false;
    screened_scan(entries, known, GiniScreen(policy.codes, total, policy.n_classes, sums), trial, out);
    return true;
  } else if constexpr (std::is_same_v<P, Classes<Entropy>>) {
    if (policy.weight || policy.factors || policy.measure->table.empty()) return false;
    screened_scan(entries, known,
                  EntropyScreen(policy.codes, policy.measure->table.data(), total, policy.n_classes, sums), trial, out);
    return true;
  } else if constexpr (std::is_same_v<P, Mean<std::int64_t, false>>) {
    screened_scan(entries, known, MeanScreen{policy.high, policy.shift, known, static_cast<double>(total[1])}, trial,
                  out);
    return true;
  }
  return false;
}

template <class P>
void scan_all(const P& policy, const Entry* entries, std::uint32_t known, Trial<P>& trial,
              std::vector<typename P::Int>& sums, Candidate& out) {
  using Int = typename P::Int;
  Int fixed[P::fixed_width ? P::fixed_width : 1] = {};
  if constexpr (P::fixed_width == 0) sums.assign(policy.width(), 0);
  Int* left = P::fixed_width ? fixed : sums.data();
  for (std::uint32_t i = 0; i + 1 < known; ++i) {
    policy.add(left, sample_of(entries[i]));
    if (code_of(entries[i]) == code_of(entries[i + 1])) continue;
    if (trial.offer(left, i + 1)) {
      out.below = code_of(entries[i]);
      out.above = code_of(entries[i + 1]);
      out.missing = trial.missing_branch;
    }
  }
}

// Scans cuts of many classes, or of some that weigh, behind a screen of squares; false where there is none.
template <class P>
bool scan_squares(const P& policy, const Entry* entries, std::uint32_t known, Trial<P>& trial,
                  std::vector<typename P::Int>& sums, Candidate& out) {
  constexpr bool by_entropy = std::is_same_v<P, Classes<Entropy>>;
  if constexpr (by_entropy || std::is_same_v<P, Classes<Gini>>) {
    if (known == 0) return false;
    // A row is dearer with the screen; what it saves is cuts, of which there are no more than codes.
    const std::uint64_t cuts = std::min(known, code_of(entries[known - 1]) - code_of(entries[0]));
    if (cuts * policy.n_classes < 4 * std::uint64_t{known} || !(trial.is_plain() || trial.learns())) return false;
    std::vector<SquaresScreen::Line> lines;
    SquaresScreen screen(policy, by_entropy, trial.known(), trial.learns() ? trial.missing() : nullptr, known, lines);
    screen.raise(trial.bar());
    sums.assign(policy.width(), 0);
    for (std::uint32_t i = 0; i + 1 < known; ++i) {
      const std::uint32_t s = sample_of(entries[i]);
      policy.add(sums.data(), s);
      screen.add(policy.codes[s], policy.weight ? policy.weight[s] : 1);
      if (code_of(entries[i]) == code_of(entries[i + 1]) || !screen.may_win() || !trial.offer(sums.data(), i + 1))
        continue;
      screen.raise(trial.bar());
      out.below = code_of(entries[i]);
      out.above = code_of(entries[i + 1]);
      out.missing = trial.missing_branch;
    }
    return true;
  }
  return false;
}

template <class P>
void scan_cuts(const P& policy, const Entry* entries, std::uint32_t known, Trial<P>& trial,
               std::vector<typename P::Int>& sums, Candidate& out) {
  if (trial.is_plain() && scan_screened(policy, entries, known, trial, sums, out)) return;
  if (!scan_squares(policy, entries, known, trial, sums, out)) scan_all(policy, entries, known, trial, sums, out);
  if (known > 0 && trial.offer_known_against_missing()) {
    out.below = code_of(entries[known - 1]);
    out.above = MISSING;
    out.missing = 1;
  }
}

}  // namespace boxwood

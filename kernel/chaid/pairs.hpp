// The most similar pair of groups, kept up to date while groups are merged.
// Invariant: the result is the allowable pair with the largest p, the first on ties, in the order (1,2), (1,3) ...
// (2,3) ... Cost: about as many tests as there are allowable pairs, then a few times the number of groups a merge;
// memory O(groups).
#pragma once

#include "chaid/groups.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood::chaid {

// Checks for an interrupt; only the calling thread, member 0, may poll Python.
struct Interrupt {
  Watch& watch;
  int member;
  void check() const {
    if (member == 0) watch.poll();
    watch.check();
  }
};

class Pairs {
 public:
  // `ordered`: only neighbours may merge.
  Pairs(const Groups& groups, Test& test, bool ordered, Interrupt interrupt)
      : groups_(groups), test_(test), ordered_(ordered), interrupt_(interrupt) {
    find_all();
  }

  struct Best {
    std::size_t a, b;
    double log_p;
  };

  Best best() const {
    std::size_t at = 0;
    for (std::size_t a = 1; a < partner_.size(); ++a)
      if (surely_above(log_p_[a], log_p_[at])) at = a;
    return {at, partner_[at], log_p_[at]};
  }

  void find_all() {
    const std::size_t n = groups_.size() - 1;
    partner_.resize(n);
    log_p_.resize(n);
    for (std::size_t a = 0; a < n; ++a) find(a);
  }

  // After group b > a joined group a.
  void merged(std::size_t a, std::size_t b) {
    if (ordered_) return merged_neighbours(a);
    const std::size_t n = groups_.size() - 1;
    if (b < partner_.size()) {
      partner_.erase(partner_.begin() + static_cast<std::ptrdiff_t>(b));
      log_p_.erase(log_p_.begin() + static_cast<std::ptrdiff_t>(b));
    } else {
      partner_.pop_back();
      log_p_.pop_back();
    }
    for (std::size_t k = 0; k < n; ++k) {
      const bool touched = k == a || partner_[k] == a || partner_[k] == b;
      if (partner_[k] > b) --partner_[k];
      if (touched) {
        find(k);
      } else if (k < a) {
        compare(k, a);
      }
    }
  }

 private:
  void merged_neighbours(std::size_t a) {
    log_p_.erase(log_p_.begin() + static_cast<std::ptrdiff_t>(a));
    partner_.pop_back();
    if (a > 0) find(a - 1);
    if (a < partner_.size()) find(a);
  }

  // The best partner of group a among the later groups.
  void find(std::size_t a) {
    interrupt_.check();
    const std::size_t end = ordered_ ? a + 2 : groups_.size();
    partner_[a] = a + 1;
    log_p_[a] = test_.log_p_of_pair(groups_.row(a), groups_.row(a + 1));
    for (std::size_t b = a + 2; b < end; ++b) {
      const double log_p = test_.log_p_of_pair(groups_.row(a), groups_.row(b));
      if (surely_above(log_p, log_p_[a])) take(a, b, log_p);
    }
  }

  // The pair of a and b is new: it wins if it is better, or as good and earlier.
  void compare(std::size_t a, std::size_t b) {
    const double log_p = test_.log_p_of_pair(groups_.row(a), groups_.row(b));
    if (surely_above(log_p, log_p_[a]) || (b < partner_[a] && !surely_above(log_p_[a], log_p))) take(a, b, log_p);
  }

  void take(std::size_t a, std::size_t b, double log_p) {
    partner_[a] = b;
    log_p_[a] = log_p;
  }

  const Groups& groups_;
  Test& test_;
  const bool ordered_;
  const Interrupt interrupt_;
  std::vector<std::size_t> partner_;
  std::vector<double> log_p_;
};

}  // namespace boxwood::chaid

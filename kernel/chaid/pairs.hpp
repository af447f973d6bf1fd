// The most similar pair of groups, kept up to date while groups are merged.
// Invariant: the result is the allowable pair with the largest p, the first on ties, in the order (1,2), (1,3) ...
// (2,3) ... Cost: about as many statistics as there are allowable pairs, then a few times the number of groups a merge,
// and far fewer p values; memory O(groups).
#pragma once

#include "chaid/groups.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood::chaid {

// Checks for an interrupt; only the calling thread, worker 0, may poll Python.
struct Interrupt {
  InterruptCheck& interrupts;
  int worker;
  void check() const {
    if (worker == 0) interrupts.poll();
    interrupts.check();
  }
};

class Pairs {
 public:
  // `ordered`: only neighbours may merge.
  Pairs(const Groups& groups, bool ordered, Interrupt interrupt)
      : groups_(groups), ordered_(ordered), interrupt_(interrupt) {
    find_all();
  }

  struct Best {
    std::size_t a, b;
    double log_p;
  };

  Best best() const {
    std::size_t at = 0;
    for (std::size_t a = 1; a < partners_.size(); ++a)
      if (surely_above(partners_[a].log_p, partners_[at].log_p)) at = a;
    return {at, partners_[at].group, partners_[at].log_p};
  }

  void find_all() {
    partners_.resize(groups_.size() - 1);
    for (std::size_t a = 0; a < partners_.size(); ++a) find(a);
  }

  // After group b > a joined group a.
  void merged(std::size_t a, std::size_t b) {
    partners_.erase(partners_.begin() + static_cast<std::ptrdiff_t>(std::min(b, partners_.size() - 1)));
    for (std::size_t k = 0; k < partners_.size(); ++k) {
      const bool touched = k == a || partners_[k].group == a || partners_[k].group == b;
      if (partners_[k].group > b) --partners_[k].group;
      if (touched)
        find(k);
      else if (k < a && !ordered_)
        compare(k, a);
    }
  }

 private:
  struct Partner {
    std::size_t group;
    double log_p;
    TestResult test, lost;  // with the partner, and the last with another group whose p was needed
  };

  // The best partner of group a among the later groups; nothing exceeds p = 1.
  void find(std::size_t a) {
    interrupt_.check();
    const TestResult test = groups_.test_of(a, a + 1);
    partners_[a] = {a + 1, test.log_p(), test, test};
    const std::size_t end = ordered_ ? a + 2 : groups_.size();
    for (std::size_t b = a + 2; b < end && surely_above(0.0, partners_[a].log_p); ++b) compare(a, b);
  }

  // The pair of a and b is new: it wins if it is better, or as good and earlier. Most have too large a statistic.
  void compare(std::size_t a, std::size_t b) {
    Partner& best = partners_[a];
    const TestResult test = groups_.test_of(a, b);
    if (b > best.group ? test.dominates(best.test) || test.dominates(best.lost)
                       : surely_above(best.log_p, test.bound(best.test, best.log_p)))
      return;
    const double log_p = test.log_p();
    if (surely_above(log_p, best.log_p) || (b < best.group && !surely_above(best.log_p, log_p)))
      best = {b, log_p, test, test};
    else
      best.lost = test;
  }

  const Groups& groups_;
  const bool ordered_;
  const Interrupt interrupt_;
  std::vector<Partner> partners_;  // of every group but the last: the most similar later one
};

}  // namespace boxwood::chaid

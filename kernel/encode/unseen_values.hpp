// Values of a column that its sample did not have, and whether some are missing: what workers notice while they code
// it. Invariant: any order of calls, from any threads, leaves the same answers. Cost: a lock for each unseen value,
// until they are too many.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <vector>

#include "encode/coding.hpp"

namespace boxwood::coded {

class UnseenValues {
 public:
  void add(double x) {
    if (many_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(mutex_);
    if (std::find(values_.begin(), values_.end(), x) == values_.end()) values_.push_back(x);
    if (values_.size() > BINS) many_.store(true, std::memory_order_relaxed);
  }
  void set_missing() { missing_.store(true, std::memory_order_relaxed); }
  bool any() const { return !values_.empty(); }
  bool has_missing() const { return missing_.load(std::memory_order_relaxed); }
  // Together with the known ones, ascending; nothing when they are more than there are bins.
  std::vector<double> joined(const std::vector<double>& padded) const {
    std::vector<double> all = values_;
    for (const double x : padded)
      if (!std::isnan(x)) all.push_back(x);
    std::sort(all.begin(), all.end());
    if (all.size() > static_cast<std::size_t>(has_missing() ? BINS - 1 : BINS)) all.clear();
    return all;
  }

 private:
  std::mutex mutex_;
  std::vector<double> values_;
  std::atomic<bool> many_{false}, missing_{false};
};

}  // namespace boxwood::coded

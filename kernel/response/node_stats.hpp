// What is known of a node from its exact sums, and what responses share to keep such sums.
// Invariant: sums are whole numbers, so they are the same in any order.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "encode/mix.hpp"
#include "response/bin_bounds.hpp"
#include "response/response_columns.hpp"
#include "response/settings.hpp"

namespace boxwood::coded {

constexpr int MOST_BRANCHES = 3;  // two, and one for rows without a value

// Where the means of the nodes below should be, by the splits above that have an order;
// in whole-number units (ResponseColumns::limit).
struct ValueLimits {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();

  bool any() const {
    return low > -std::numeric_limits<double>::infinity() || high < std::numeric_limits<double>::infinity();
  }
  double nearest(double mean) const { return std::clamp(mean, low, high); }
};

// What a node has from the splits above it, handed on to its children when it is split (Rules::hand_on). A limit that
// depends on them keeps its state here.
struct Inherited {
  std::int32_t depth = 0;
  std::uint64_t groups = ~std::uint64_t{0};  // of features, to which all features on the path belong
  std::int32_t used[2] = {-1, -1};  // the first different features on the path
  std::uint64_t path = 0;  // hash of the seed and of the branches taken from the root: what the node draws
  ValueLimits values{};

  // Whether a node may be split by a feature, by those on its path.
  bool may_use(const Settings& settings, std::int32_t place) const {
    if (!settings.groups.empty() && (settings.groups[static_cast<std::size_t>(place)] & groups) == 0) return false;
    const int most = settings.features_on_path;
    return most == 0 || used[most - 1] < 0 || used[0] == place || used[1] == place;
  }
  // What the children of a node have that is split by a feature.
  Inherited below(const Settings& settings, std::int32_t place) const {
    Inherited out = *this;
    ++out.depth;
    if (!settings.groups.empty()) out.groups &= settings.groups[static_cast<std::size_t>(place)];
    if (used[0] < 0)
      out.used[0] = place;
    else if (used[1] < 0 && used[0] != place)
      out.used[1] = place;
    return out;
  }
};

// `risk`: weight times impurity, in whole-number units; `scale`: one unit of score (weight under factors, sum of
// squares, or deviance).
struct NodeStats {
  double risk = 0.0, scale = 0.0;
  bool pure = true, by_low = false;
  Inherited inherited;
  i64 shift = 0;  // means: the rounded mean, from which exact scores count
  double tolerance = 0;  // how far sums of doubles in the node's table may be off
};

// A response of high and low parts: so many steps of `low` are one of `high`.
constexpr int LOW_BITS = 30;

// No candidate below this can be chosen once one of decrease `best` is known; see the tie rule in settings.hpp.
inline double surely_below(double best, double scale) { return best - 4 * TIE * (best > scale ? best : scale); }

// Sums that are added and subtracted field by field: the derived type lists them in `fields()`.
template <class T>
struct Additive {
  friend T& operator+=(T& a, const T& b) {
    return a.each(b, [](auto& x, const auto& y) { x += y; }), a;
  }
  friend T& operator-=(T& a, const T& b) {
    return a.each(b, [](auto& x, const auto& y) { x -= y; }), a;
  }

 private:
  template <class Do>
  void each(const T& other, const Do& act) {
    std::apply(
        [&](auto&... x) { std::apply([&](const auto&... y) { (act(x, y), ...); }, const_cast<T&>(other).fields()); },
        static_cast<T&>(*this).fields());
  }
};

// One bin's cells of all columns, side by side: without allocation where they are few.
template <class Cell>
class CellBuffer {
 public:
  explicit CellBuffer(int width) {
    if (width > FEW) far_.resize(static_cast<std::size_t>(width));
  }
  Cell* data() { return far_.empty() ? near_ : far_.data(); }
  const Cell* data() const { return far_.empty() ? near_ : far_.data(); }

 private:
  static constexpr int FEW = 33;
  Cell near_[FEW];
  std::vector<Cell> far_;
};

// A bin's cells of all columns of a feature, put side by side.
template <class R>
void take(const R& y, const typename R::Cell* column, int bin, typename R::Cell* out) {
  for (int k = 0; k < y.width(); ++k) out[k] = column[k * STEP + bin];
}

// The values of some rows, copied together.
template <class T>
const T* gathered(const T* from, const u32* ids, u32 count, std::vector<T>& to) {
  if (!from) return nullptr;
  to.resize(std::max<std::size_t>(to.size(), count));
  for (u32 i = 0; i < count; ++i) to[i] = from[ids[i]];
  return to.data();
}

}  // namespace boxwood::coded

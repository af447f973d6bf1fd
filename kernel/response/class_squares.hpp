// By Gini, what a partition of classes in two depends on.
#pragma once

namespace boxwood::coded {

// Mass of the left side, and the sums of squared masses, or of terms, of the classes of either side.
struct ClassSquares {
  double mass = 0, left = 0, right = 0;
};

}  // namespace boxwood::coded

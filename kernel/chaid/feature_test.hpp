// The test of one feature in one node: its groups, the test of their table, the multiplier and the adjusted p.
// Invariant: depends on the node's samples alone; logarithms throughout, so that no p is 0 by underflow.
// Cost: that of merging (merge.hpp). Source: SPECS 8.2 to 8.6.
#pragma once

#include "chaid/merge.hpp"
#include "chaid/multiplier.hpp"
#include "response/moments.hpp"

namespace boxwood::chaid {

struct FeatureTest {
  enum class State { constant, too_small, tested };
  State state = State::constant;
  bool floating = false;  // ordered, with missing values
  std::vector<std::uint32_t> codes;  // present categories
  std::vector<std::vector<std::uint32_t>> groups;  // codes of each group
  std::vector<double> rows;  // of each group, `width` numbers
  int width = 0;
  TestResult test;
  double log_multiplier = 0.0, log_adjusted = 0.0;
};

class FeatureTester {
 public:
  FeatureTester(const ResponseColumns& y, const Settings& s) : y_(y), s_(s) {}

  // `categories`: of the feature in the node.
  FeatureTest test(const Categories& categories, bool ordered, Interrupt interrupt) const {
    FeatureTest out;
    out.codes = categories.codes;
    out.floating = ordered && categories.has_missing();
    if (categories.size() < 2) return out;
    const auto test = new_test();
    Merger merger(categories, ordered, *test, s_, interrupt);
    Groups groups = merger.merge();
    const bool fits = s_.min_segment <= 0 || merger.absorb_small(groups, s_.min_segment);
    out.state = fits ? FeatureTest::State::tested : FeatureTest::State::too_small;
    conclude(groups, ordered, *test, out);
    return out;
  }

  bool has_small_branch(const FeatureTest& tested) const {
    return least_cases(tested, *new_test()) < s_.min_cases_leaf - 1e-9;
  }

  // The branches of the chosen split must have the minimum size: small groups are merged, and the test is that of the
  // groups left. False when there are too few cases for two branches.
  bool enlarge(FeatureTest& tested, const Categories& categories, bool ordered, Interrupt interrupt) const {
    const auto test = new_test();
    Merger merger(categories, ordered, *test, s_, interrupt);
    Groups groups = merger.regroup(tested.groups);
    if (!merger.absorb_small(groups, s_.min_cases_leaf)) return false;
    conclude(groups, ordered, *test, tested);
    return true;
  }

 private:
  std::unique_ptr<Test> new_test() const {
    return make_test(y_.kind == ResponseColumns::Kind::classes ? y_.n_classes : 0, s_);
  }

  void conclude(const Groups& groups, bool ordered, Test& test, FeatureTest& out) const {
    const Categories& categories = groups.categories();
    out.groups.clear();
    out.rows.clear();
    out.width = categories.width;
    for (const std::size_t g : groups.in_place()) {
      out.groups.emplace_back();
      for (const std::uint32_t member : groups[g].members) out.groups.back().push_back(categories.codes[member]);
      out.rows.insert(out.rows.end(), groups[g].row.begin(), groups[g].row.end());
    }
    out.test = groups.test_all(test);
    const auto whole = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    const Merging merging{
        whole(categories.size()), whole(groups.size()), ordered, out.floating, s_.exhaustive, s_.biggs};
    out.log_multiplier = s_.bonferroni ? log_multiplier(merging) : 0.0;
    out.log_adjusted = std::fmin(0.0, out.test.log_p + out.log_multiplier);
  }

  static double least_cases(const FeatureTest& tested, const Test& test) {
    double least = test.cases(tested.rows.data());
    for (std::size_t g = 1; g < tested.groups.size(); ++g)
      least = std::fmin(least, test.cases(tested.rows.data() + g * tested.width));
    return least;
  }

  const ResponseColumns& y_;
  const Settings& s_;
};

}  // namespace boxwood::chaid

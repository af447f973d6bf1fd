// The test of one feature in one node: its groups, the test of their table, the multiplier and the adjusted p.
// Invariant: depends on the node's samples alone; logarithms throughout, so that no p is 0 by underflow.
// Cost: that of merging (merge.hpp). Source: docs/chaid.md.
#pragma once

#include "chaid/merge.hpp"
#include "chaid/multiplier.hpp"
#include "response/response_columns.hpp"

namespace boxwood::chaid {

struct FeatureTest {
  enum class State { constant, too_small, tested } state = State::constant;
  bool ordered = false;
  Categories categories;
  std::vector<Group> groups;  // in the order of branches
  TestResult test;
  double log_multiplier = 0.0, log_adjusted = 0.0;

  bool floating() const { return ordered && categories.has_missing(); }
};

class FeatureTester {
 public:
  FeatureTester(const ResponseColumns& y, const Settings& s) : y_(y), s_(s) {}

  // `categories`: of the feature in the node.
  FeatureTest test(Categories categories, bool ordered, Interrupt interrupt) const {
    FeatureTest out;
    out.ordered = ordered;
    out.categories = std::move(categories);
    if (out.categories.size() < 2) return out;
    const auto test = new_test();
    Merger merger(out.categories, ordered, *test, s_, interrupt);
    Groups groups = merger.merge();
    const bool fits = s_.min_segment <= 0 || merger.absorb_small(groups, s_.min_segment);
    out.state = fits ? FeatureTest::State::tested : FeatureTest::State::too_small;
    conclude(groups, out);
    return out;
  }

  // The branches of the chosen split must have the minimum size: small groups are merged, and the test is that of the
  // groups left. False when there are too few cases for two branches.
  bool enlarge(FeatureTest& tested, Interrupt interrupt) const {
    const auto test = new_test();
    const auto is_small = [&](const Group& g) { return test->cases(g.row.data()) < s_.min_cases_leaf - 1e-9; };
    if (std::none_of(tested.groups.begin(), tested.groups.end(), is_small)) return true;
    Merger merger(tested.categories, tested.ordered, *test, s_, interrupt);
    Groups groups = merger.regroup(tested.groups);
    if (!merger.absorb_small(groups, s_.min_cases_leaf)) return false;
    conclude(groups, tested);
    return true;
  }

 private:
  std::unique_ptr<Test> new_test() const {
    return make_test(y_.kind == ResponseColumns::Kind::classes ? y_.n_classes : 0, s_);
  }

  void conclude(const Groups& groups, FeatureTest& out) const {
    const auto whole = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    const Merging merging{
        whole(out.categories.size()), whole(groups.size()), out.ordered, out.floating(), s_.exhaustive, s_.biggs};
    out.groups = groups.by_place();
    out.test = groups.test_all();
    out.log_multiplier = s_.bonferroni ? log_multiplier(merging) : 0.0;
    out.log_adjusted = std::fmin(0.0, out.test.log_p() + out.log_multiplier);
  }

  const ResponseColumns& y_;
  const Settings& s_;
};

}  // namespace boxwood::chaid

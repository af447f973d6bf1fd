// One feature in one node judged: its groups, the test of their table, the multiplier and the adjusted p; and which
// feature wins. Invariant: depends on the node's samples alone; logarithms throughout, so that no p is ever 0 by
// underflow. Source: SPECS 8.2 to 8.7.
#pragma once

#include <optional>

#include "chaid/merge.hpp"
#include "chaid/multiplier.hpp"
#include "response/moments.hpp"

namespace boxwood::chaid {

struct Judged {
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

class Judge {
 public:
  Judge(const ResponseColumns& y, const Settings& s) : y_(y), s_(s) {}

  // `categories`: of the feature in the node, whoever counted them.
  Judged feature(const Categories& categories, bool ordered, Interrupt interrupt) const {
    Judged out;
    out.codes = categories.codes;
    out.floating = ordered && categories.has_missing();
    if (categories.size() < 2) return out;
    const auto test = new_test();
    Merger merger(categories, ordered, *test, s_, interrupt);
    Groups groups = merger.merge();
    const bool fits = s_.min_segment <= 0 || merger.absorb_small(groups, s_.min_segment);
    out.state = fits ? Judged::State::tested : Judged::State::too_small;
    conclude(groups, ordered, *test, out);
    return out;
  }

  bool has_small_branch(const Judged& judged) const {
    return least_cases(judged, *new_test()) < s_.min_cases_leaf - 1e-9;
  }

  // The split taken must have branches of the least size: small groups are merged, and the figures are those of the
  // groups left. False when too few cases are left for two branches.
  bool enlarge(Judged& judged, const Categories& categories, bool ordered, Interrupt interrupt) const {
    const auto test = new_test();
    Merger merger(categories, ordered, *test, s_, interrupt);
    Groups groups = merger.regroup(judged.groups);
    if (!merger.absorb_small(groups, s_.min_cases_leaf)) return false;
    conclude(groups, ordered, *test, judged);
    return true;
  }

  // The feature with the smallest adjusted p; ties by the smaller p, then the larger statistic, then the first. None
  // tested: -1.
  std::int32_t best(const std::vector<Judged>& features) const {
    std::int32_t best = -1;
    for (std::size_t j = 0; j < features.size(); ++j) {
      if (features[j].state != Judged::State::tested) continue;
      if (best < 0 || beats(features[j], features[best])) best = static_cast<std::int32_t>(j);
    }
    return best;
  }

  bool significant(const Judged& judged) const { return judged.log_adjusted <= s_.log_alpha + 1e-12; }

 private:
  std::unique_ptr<Test> new_test() const {
    return make_test(y_.kind == ResponseColumns::Kind::classes ? y_.n_classes : 0, s_);
  }

  void conclude(const Groups& groups, bool ordered, Test& test, Judged& out) const {
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

  static double least_cases(const Judged& judged, const Test& test) {
    double least = test.cases(judged.rows.data());
    for (std::size_t g = 1; g < judged.groups.size(); ++g)
      least = std::fmin(least, test.cases(judged.rows.data() + g * judged.width));
    return least;
  }

  bool beats(const Judged& a, const Judged& b) const {
    if (smaller(a.log_adjusted, b.log_adjusted)) return true;
    if (smaller(b.log_adjusted, a.log_adjusted)) return false;
    if (smaller(a.test.log_p, b.test.log_p)) return true;
    if (smaller(b.test.log_p, a.test.log_p)) return false;
    return surely_above(a.test.statistic, b.test.statistic);
  }
  // Whether one p is smaller than another, by more than rounding on the scale on which they are compared.
  bool smaller(double log_a, double log_b) const {
    return s_.compare_logs ? surely_above(-log_a, -log_b) : std::exp(log_a) < std::exp(log_b) - 1e-12;
  }

  const ResponseColumns& y_;
  const Settings& s_;
};

}  // namespace boxwood::chaid

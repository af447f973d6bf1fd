// The surrogate of a nominal feature: every level goes to the branch that more of its voting rows weigh for.
// Invariant: twin of by_level in ../surrogates.hpp: ties to the branch that weighs more in all, then to branch 1; two
// rows on each side. Cost: a few operations a level.
#pragma once

#include "surrogate/surrogate.hpp"

namespace boxwood::coded {

class LevelVotes {
 public:
  void start() { levels_.clear(); }
  // Levels in ascending order, each once; those without voting rows may be left out.
  void add(u32 level, i64 weight0, i64 weight1, i64 rows) {
    if (rows > 0) levels_.push_back({level, {weight0, weight1}, rows});
  }

  // What the best set of levels agrees, and who voted; -1 when it leaves a side less than two rows.
  i64 agreed(Votes& votes) {
    votes = {};
    i64 agreed = 0, sent[2] = {0, 0};
    for (const Level& one : levels_) {
      votes.weight[0] += one.weight[0];
      votes.weight[1] += one.weight[1];
      votes.rows += one.rows;
      agreed += std::max(one.weight[0], one.weight[1]);
    }
    heavier_ = votes.weight[0] > votes.weight[1] ? 0 : 1;
    for (const Level& one : levels_) sent[branch_of(one)] += one.rows;
    return sent[0] >= 2 && sent[1] >= 2 ? agreed : -1;
  }

  // Which level goes where, after `agreed`.
  const std::vector<LevelBranch>& told() {
    told_.clear();
    for (const Level& one : levels_) told_.push_back({one.level, branch_of(one)});
    return told_;
  }

 private:
  struct Level {
    u32 level;
    i64 weight[2], rows;
  };
  int branch_of(const Level& one) const {
    return one.weight[0] == one.weight[1] ? heavier_ : one.weight[0] > one.weight[1] ? 0 : 1;
  }

  std::vector<Level> levels_;
  std::vector<LevelBranch> told_;
  int heavier_ = 1;
};

}  // namespace boxwood::coded

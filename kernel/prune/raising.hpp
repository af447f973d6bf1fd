// Prunes by estimated errors and lifts the largest branch of a node into its place where that promises fewer of them.
// Invariant: weights and shares are whole numbers, so the result does not depend on the order of rows. No recursion:
// the tree may be a chain. `stands_[place]` is the node that now stands where node `place` once was; lifting a branch
// changes one number. Cost: one descent of the rows, then for each node the descent of the rows of its smaller branches
// (and of the rows with shared values) down its largest; a lifted branch is gone through again. Source: Quinlan (1993),
// C4.5, section 4.2, and release 8 of the program, from its description; SPECS 4.3 and 4.6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "multiway/whole_share.hpp"
#include "parallel/thread_pool.hpp"
#include "prune/coded_tests.hpp"
#include "prune/error_based.hpp"
#include "search/split.hpp"

namespace boxwood {

// A row, or a part of one, with its class.
struct Case {
  std::uint32_t row;
  std::int32_t y;
  std::int64_t weight;
};

// The pruned tree in level order; `origin` is the node of the old tree whose split or place it has.
struct Raised {
  std::vector<std::int32_t> origin, parent;
  std::vector<std::uint8_t> leaf;
  std::vector<std::int64_t> rows, classes;
};

class Raising {
 public:
  struct Setup {
    const TreeView& tree;
    const std::int32_t* n_children;
    std::size_t n_nodes, n_surrogates;
    const std::int32_t* n_positions;
    const std::vector<Column>& columns;
    bool by_rank;
    std::int32_t n_classes;
    double unit;  // what a weight of 1 stands for
    Pessimism rule;
  };

  Raising(const Setup& setup, Watch& watch)
      : s_(setup),
        watch_(watch),
        splits_(setup.tree.splits, setup.n_nodes, setup.columns, setup.by_rank),
        surrogates_(setup.tree.surrogates, setup.n_surrogates, setup.columns, setup.by_rank),
        stands_(setup.n_nodes),
        leaf_(setup.n_nodes),
        facts_(setup.n_nodes),
        sure_(setup.n_nodes * k()),
        all_(setup.n_nodes * k()) {
    for (std::size_t t = 0; t < s_.n_nodes; ++t) {
      stands_[t] = static_cast<std::int32_t>(t);
      leaf_[t] = s_.tree.splits.feature[t] < 0;
    }
  }

  Raised prune(const std::vector<Case>& cases) {
    const std::vector<char> may_be_shared = shared_rows(cases);
    std::vector<Case> loose;
    for (std::size_t i = 0; i < cases.size(); ++i) (may_be_shared[i] ? loose : sure_rows_).push_back(cases[i]);
    buffer_.resize(sure_rows_.size());
    enter(0, 0, sure_rows_.size(), std::move(loose));
    while (!path_.empty()) advance();
    return in_level_order();
  }

 private:
  static constexpr double SLACK = 0.1;

  // What is known of the node that stands somewhere. Sure rows take one branch at every node of the tree, whatever is
  // pruned; the others may be shared out, and by other shares when rows are added.
  struct Facts {
    std::int64_t sure = 0;  // weight of the sure rows
    std::int64_t rows = 0;  // rows and parts of rows
    double limit = 0.0;  // estimated errors of the branch as it is pruned now
    double sure_limit = 0.0;  // the same if it had the sure rows alone
    double least = 0.0;  // no rows that are added to the sure ones make it fewer
  };

  // A node whose branches are being pruned: its sure rows are sure_rows_[begin, end), parted by branch.
  struct Step {
    std::int32_t place;
    std::size_t begin, end;
    std::vector<Case> loose;
    std::vector<std::size_t> starts;  // sure rows of branch c: [starts[c], starts[c + 1])
    std::vector<std::vector<Case>> loose_of_branch;
    std::int32_t next = 0, largest = 0;
    double leaf_limit = 0.0;
  };

  struct Task {
    std::int32_t place;
    std::size_t begin, end;
  };

  std::size_t k() const { return static_cast<std::size_t>(s_.n_classes); }
  std::int32_t child(std::int32_t node, std::int32_t branch) const { return s_.tree.first_child[node] + branch; }

  // Rows that a node may share out: a value is missing, or has no branch, where a missing value is shared.
  std::vector<char> shared_rows(const std::vector<Case>& cases) const {
    std::vector<std::vector<char>> asks(s_.columns.size());
    for (std::size_t t = 0; t < s_.n_nodes; ++t) {
      const std::int32_t j = s_.tree.splits.feature[t];
      if (j < 0 || s_.tree.missing[t] != SHARED) continue;
      const Column& column = s_.columns[j];
      const auto node = static_cast<std::int32_t>(t);
      std::vector<char>& at = asks[j];
      if (at.empty()) at.assign(column.kind == Kind::nominal ? column.n_codes + 1 : 2, 0);
      at.back() = 1;
      if (splits_.lists_all(node, s_.n_positions[t])) continue;
      if (column.kind != Kind::nominal) at.front() = 1;
      for (std::uint32_t level = 0; column.kind == Kind::nominal && level < column.n_codes; ++level)
        if (splits_.of_position(node, static_cast<std::int32_t>(level)) < 0) at[level] = 1;
    }
    std::vector<char> found(cases.size(), 0);
    for (std::size_t j = 0; j < asks.size(); ++j) {
      if (asks[j].empty()) continue;
      const Column& column = s_.columns[j];
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::uint32_t code = column.codes[cases[i].row];
        found[i] |= code == MISSING ? asks[j].back() : asks[j][column.kind == Kind::nominal ? code : 0];
      }
    }
    return found;
  }

  // Branch of a row at a node: its value's, a surrogate's, or where missing values go (perhaps SHARED). `cut` is of the
  // node.
  std::int32_t branch_of(std::int32_t node, const CodedTests::OneCut& cut, std::uint32_t row) const {
    if (cut.codes && cut.codes[row] != MISSING) return cut.codes[row] < cut.cut ? cut.low : cut.high;
    const std::int32_t branch = splits_.branch(node, row);
    if (branch >= 0) return branch;
    for (std::int32_t s = s_.tree.surrogate_start[node]; s < s_.tree.surrogate_start[node + 1]; ++s) {
      const std::int32_t other = surrogates_.branch(s, row);
      if (other >= 0) return other;
    }
    if (s_.tree.missing[node] == STAYS) throw std::domain_error("a row stays at an inner node");
    return s_.tree.missing[node];
  }

  // A bound that the limit of a leaf with these rows and any more does not go below: the limit grows with the weight
  // and with the errors, but for steps of one in ten thousand where the rule changes its formula, and for release 8
  // where nearly all rows are wrong.
  double least_of(const std::int64_t* classes, double limit) const {
    const double most = static_cast<double>(*std::max_element(classes, classes + k())) * s_.unit;
    return s_.rule.two_thirds && most <= 0.5 ? 0.0 : (1.0 - 1e-3) * limit;
  }

  double limit_of(const std::int64_t* classes) const {
    std::int64_t total = 0, most = 0;
    for (std::size_t c = 0; c < k(); ++c) {
      total += classes[c];
      most = std::max(most, classes[c]);
    }
    return s_.rule.limit(static_cast<double>(total) * s_.unit, static_cast<double>(total - most) * s_.unit);
  }

  // Takes the rows that come to a place, and begins to prune what stands there.
  void enter(std::int32_t place, std::size_t begin, std::size_t end, std::vector<Case>&& loose) {
    watch_.poll();
    watch_.check();
    const std::int32_t node = stands_[place];
    std::int64_t *sure = &sure_[node * k()], *all = &all_[node * k()];
    std::fill(sure, sure + k(), 0);
    for (std::size_t i = begin; i < end; ++i) sure[sure_rows_[i].y] += sure_rows_[i].weight;
    std::copy(sure, sure + k(), all);
    for (const Case& part : loose) all[part.y] += part.weight;
    Facts& facts = facts_[node];
    facts.sure = 0;
    for (std::size_t c = 0; c < k(); ++c) facts.sure += sure[c];
    facts.rows = static_cast<std::int64_t>(end - begin + loose.size());
    facts.sure_limit = limit_of(sure);
    facts.least = least_of(sure, facts.sure_limit);
    facts.limit = limit_of(all);
    // A branch that no row takes any more has nothing to say.
    if (facts.rows == 0) leaf_[node] = 1;
    if (leaf_[node]) return;
    Step step{place, begin, end, std::move(loose), {}, {}, 0, 0, facts.limit};
    part(step, node);
    path_.push_back(std::move(step));
  }

  // Parts the rows of a step among the branches of `node`, and finds the largest of these.
  void part(Step& step, std::int32_t node) {
    const auto branches = static_cast<std::size_t>(s_.n_children[node]);
    std::vector<std::int64_t> weight(branches, 0);
    step.starts.assign(branches + 1, step.begin);
    branch_.resize(std::max(branch_.size(), step.end - step.begin));
    const CodedTests::OneCut cut = splits_.one_cut(node);
    for (std::size_t i = step.begin; i < step.end; ++i) {
      const std::int32_t b = branch_of(node, cut, sure_rows_[i].row);
      branch_[i - step.begin] = b;
      ++step.starts[b + 1];
      weight[b] += sure_rows_[i].weight;
    }
    for (std::size_t b = 0; b < branches; ++b) step.starts[b + 1] += step.starts[b] - step.begin;
    std::vector<std::size_t> to(step.starts.begin(), step.starts.end() - 1);
    for (std::size_t i = step.begin; i < step.end; ++i) buffer_[to[branch_[i - step.begin]]++] = sure_rows_[i];
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(step.begin),
              buffer_.begin() + static_cast<std::ptrdiff_t>(step.end),
              sure_rows_.begin() + static_cast<std::ptrdiff_t>(step.begin));
    step.loose_of_branch.assign(branches, {});
    part_loose(step.loose.data(), step.loose.size(), node, weight,
               [&](std::size_t b, const Case& part) { step.loose_of_branch[b].push_back(part); });
    step.largest = 0;
    for (std::size_t b = 1; b < branches; ++b)
      if (weight[b] > weight[step.largest] || (s_.rule.last_largest && weight[b] == weight[step.largest]))
        step.largest = static_cast<std::int32_t>(b);
  }

  // Sends cases to the branches of `node`, those of unknown value to every branch by its share of the known weight.
  // `weight` is that of rows already in the branches, and grows by the known cases.
  template <class Goes>
  void part_loose(const Case* cases, std::size_t count, std::int32_t node, std::vector<std::int64_t>& weight,
                  const Goes& goes) {
    unknown_.clear();
    const CodedTests::OneCut cut = splits_.one_cut(node);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t b = branch_of(node, cut, cases[i].row);
      if (b == SHARED) {
        unknown_.push_back(cases[i]);
      } else {
        weight[static_cast<std::size_t>(b)] += cases[i].weight;
        goes(static_cast<std::size_t>(b), cases[i]);
      }
    }
    if (unknown_.empty()) return;
    std::int64_t known = 0;
    for (const std::int64_t w : weight) known += w;
    for (std::size_t b = 0; b < weight.size(); ++b) {
      if (weight[b] == 0) continue;
      for (const Case& whole : unknown_) {
        const std::int64_t part = share_of(whole.weight, weight[b], known);
        if (part > 0) goes(b, {whole.row, whole.y, part});
      }
    }
  }

  // The next branch of the deepest open node; or, when all are pruned, the decision about the node.
  void advance() {
    Step& step = path_.back();
    const std::int32_t node = stands_[step.place];
    if (step.next < s_.n_children[node]) {
      const auto b = static_cast<std::size_t>(step.next++);
      enter(child(node, static_cast<std::int32_t>(b)), step.starts[b], step.starts[b + 1],
            std::move(step.loose_of_branch[b]));
      return;
    }
    Facts& facts = facts_[node];
    double below = 0.0, sure_below = 0.0, least_below = 0.0;
    for (std::int32_t b = 0; b < s_.n_children[node]; ++b) {
      const Facts& branch = facts_[stands_[child(node, b)]];
      below += branch.limit;
      sure_below += branch.sure_limit;
      least_below += branch.least;
    }
    // Above this, the branch is not lifted, and a leaf that is good enough for the branches is good enough for it.
    const double lifted = limit_if_lifted(step, node, below + SLACK);
    Step done = std::move(path_.back());
    path_.pop_back();
    if (done.leaf_limit <= lifted + SLACK && done.leaf_limit <= below + SLACK) {
      leaf_[node] = 1;
      return;
    }
    if (lifted <= below + SLACK) {
      stands_[done.place] = stands_[child(node, done.largest)];
      enter(done.place, done.begin, done.end, std::move(done.loose));
      return;
    }
    facts.limit = below;
    facts.sure_limit = sure_below;
    facts.least = least_below;
  }

  // Estimated errors of the largest branch of `node` if it had all the node's rows; or a number above `enough` that
  // they exceed: then they are too many, however many. `left` is the least that the branches still to be looked at can
  // have.
  double limit_if_lifted(const Step& step, std::int32_t node, double enough) {
    const auto b = static_cast<std::size_t>(step.largest);
    const std::int32_t largest = stands_[child(node, step.largest)];
    if (leaf_[largest]) return step.leaf_limit;
    double limit = 0.0, left = facts_[largest].least;
    if (left > enough) return left;
    pool_.assign(sure_rows_.begin() + static_cast<std::ptrdiff_t>(step.begin),
                 sure_rows_.begin() + static_cast<std::ptrdiff_t>(step.starts[b]));
    pool_.insert(pool_.end(), sure_rows_.begin() + static_cast<std::ptrdiff_t>(step.starts[b + 1]),
                 sure_rows_.begin() + static_cast<std::ptrdiff_t>(step.end));
    pool_.insert(pool_.end(), step.loose.begin(), step.loose.end());
    tasks_.assign(1, {child(node, step.largest), 0, pool_.size()});
    for (std::size_t done = 0; !tasks_.empty() && limit + left <= enough; ++done) {
      if (done % 64 == 0) watch_.poll();
      watch_.check();
      const Task task = tasks_.back();
      tasks_.pop_back();
      const std::int32_t at = stands_[task.place];
      if (task.begin != task.end && !leaf_[at]) {
        part_task(at, task);
        continue;
      }
      limit += task.begin == task.end ? facts_[at].sure_limit : limit_with(at, task);
      left = tasks_.empty() ? 0.0 : left - facts_[at].least;
    }
    return limit + left;
  }

  // Estimated errors of a leaf with its own sure rows and those of the task.
  double limit_with(std::int32_t leaf, const Task& task) {
    classes_.assign(&sure_[leaf * k()], &sure_[leaf * k()] + k());
    for (std::size_t i = task.begin; i < task.end; ++i) classes_[pool_[i].y] += pool_[i].weight;
    return limit_of(classes_.data());
  }

  // Parts the rows of a task, which stand at the end of the pool, and puts a task for each branch in its place.
  void part_task(std::int32_t node, const Task& task) {
    const auto branches = static_cast<std::size_t>(s_.n_children[node]);
    weight_.resize(branches);
    for (std::size_t b = 0; b < branches; ++b)
      weight_[b] = facts_[stands_[child(node, static_cast<std::int32_t>(b))]].sure;
    count_.assign(branches + 1, 0);
    parted_.clear();
    part_loose(pool_.data() + task.begin, task.end - task.begin, node, weight_, [&](std::size_t b, const Case& part) {
      parted_.push_back({b, part});
      ++count_[b + 1];
    });
    pool_.resize(task.begin + parted_.size());
    std::size_t at = task.begin;
    for (std::size_t b = 0; b < branches; ++b) {
      tasks_.push_back({child(node, static_cast<std::int32_t>(b)), at, at + count_[b + 1]});
      at += count_[b + 1];
      count_[b + 1] = at - task.begin;
    }
    count_[0] = 0;
    for (const auto& [b, part] : parted_) pool_[task.begin + count_[b]++] = part;
  }

  Raised in_level_order() const {
    Raised out;
    std::vector<std::int32_t> places{0};
    out.parent.push_back(-1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::int32_t node = stands_[places[i]];
      out.origin.push_back(node);
      out.leaf.push_back(leaf_[node]);
      out.rows.push_back(facts_[node].rows);
      out.classes.insert(out.classes.end(), &all_[node * k()], &all_[node * k()] + k());
      for (std::int32_t b = 0; !leaf_[node] && b < s_.n_children[node]; ++b) {
        places.push_back(child(node, b));
        out.parent.push_back(static_cast<std::int32_t>(i));
      }
    }
    return out;
  }

  const Setup s_;
  Watch& watch_;
  const CodedTests splits_, surrogates_;
  std::vector<std::int32_t> stands_;
  std::vector<std::uint8_t> leaf_;
  std::vector<Facts> facts_;
  std::vector<std::int64_t> sure_, all_;  // class weights of the node that stands somewhere: of its sure rows, of all

  std::vector<Step> path_;
  std::vector<Case> sure_rows_, buffer_;
  std::vector<std::int32_t> branch_;

  std::vector<Case> pool_, unknown_;
  std::vector<Task> tasks_;
  std::vector<std::pair<std::size_t, Case>> parted_;
  std::vector<std::size_t> count_;
  std::vector<std::int64_t> weight_, classes_;
};

}  // namespace boxwood

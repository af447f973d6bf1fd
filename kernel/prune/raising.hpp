// Prunes by estimated errors, and replaces a node by its largest branch where that has fewer of them (subtree raising).
// Invariant: weights and shares are whole numbers, so the result does not depend on the order of rows. No recursion:
// the tree may be a path. `at_[place]` is the node that is now at the place of node `place`; raising a branch changes
// one number. Cost: one descent of the rows, then for each node the descent of the rows of its smaller branches (and of
// the rows with shared values) down its largest; a raised branch is traversed again. Source: Quinlan (1993), C4.5,
// section 4.2, and release 8 of the program, from its description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "multiway/whole_share.hpp"
#include "parallel/thread_pool.hpp"
#include "prune/cases.hpp"
#include "prune/error_based.hpp"

namespace boxwood {

// The pruned tree in level order; `origin` is the node of the old tree whose split it has.
struct Raised {
  std::vector<std::int32_t> origin;
  std::vector<std::uint8_t> leaf;
  std::vector<std::int64_t> rows, classes;
};

class Raising {
 public:
  // `unit`: the weight of one unit of whole-number weight.
  Raising(const CaseRouter& tree, std::int32_t n_classes, double unit, const Pessimism& rule,
          InterruptCheck& interrupts)
      : tree_(tree),
        n_classes_(static_cast<std::size_t>(n_classes)),
        unit_(unit),
        rule_(rule),
        interrupts_(interrupts),
        at_(tree.size()),
        leaf_(tree.size()),
        errors_(tree.size()),
        whole_(tree.size() * n_classes_),
        all_(tree.size() * n_classes_) {
    for (std::size_t t = 0; t < tree.size(); ++t) {
      at_[t] = static_cast<std::int32_t>(t);
      leaf_[t] = tree.is_leaf(t);
    }
  }

  // `fractional`: cases that some node may share out.
  Raised prune(std::vector<Case> whole, std::vector<Case> fractional) {
    whole_rows_ = std::move(whole);
    enter(0, 0, whole_rows_.size(), std::move(fractional));
    while (!path_.empty()) advance();
    return in_level_order();
  }

 private:
  static constexpr double SLACK = 0.1;

  // Estimated errors of a branch as it is pruned now. Whole rows take one branch at every node of the tree, whatever is
  // pruned; fractional rows may be shared out, and by other shares when rows are added.
  struct Errors {
    std::int64_t whole = 0;  // weight of the whole rows
    std::int64_t rows = 0;  // rows and parts of rows
    double limit = 0.0;  // of all rows
    double whole_limit = 0.0;  // of the whole rows alone
  };

  // A node whose branches are being pruned: its whole rows are whole_rows_[begin, end), grouped by branch.
  struct Frame {
    std::int32_t place;
    std::size_t begin, end;
    std::vector<Case> fractional;
    std::vector<std::size_t> starts;  // whole rows of branch c: [starts[c], starts[c + 1])
    std::vector<std::vector<Case>> fractional_of_branch;
    std::int32_t next = 0, largest = 0;
    double leaf_limit = 0.0;
  };

  struct Task {
    std::int32_t place;
    std::size_t begin, end;
  };

  std::int32_t branch_of(std::int32_t node, std::uint32_t row) const {
    const std::int32_t branch = tree_.route(node, row);
    if (branch == STAYS) throw std::domain_error("a row stays at an inner node");
    return branch;
  }

  // Takes the rows of a place, and begins to prune the node there.
  void enter(std::int32_t place, std::size_t begin, std::size_t end, std::vector<Case>&& fractional) {
    interrupts_.poll();
    interrupts_.check();
    const std::int32_t node = at_[place];
    std::int64_t *whole = &whole_[node * n_classes_], *all = &all_[node * n_classes_];
    std::fill(whole, whole + n_classes_, 0);
    for (std::size_t i = begin; i < end; ++i) whole[whole_rows_[i].y] += whole_rows_[i].weight;
    std::copy(whole, whole + n_classes_, all);
    for (const Case& part : fractional) all[part.y] += part.weight;
    Errors& errors = errors_[node];
    errors.whole = 0;
    for (std::size_t c = 0; c < n_classes_; ++c) errors.whole += whole[c];
    errors.rows = static_cast<std::int64_t>(end - begin + fractional.size());
    errors.whole_limit = rule_.limit_of(whole, n_classes_, unit_);
    errors.limit = rule_.limit_of(all, n_classes_, unit_);
    if (errors.rows == 0) leaf_[node] = 1;
    if (leaf_[node]) return;
    Frame frame{place, begin, end, std::move(fractional), {}, {}, 0, 0, errors.limit};
    partition(frame, node);
    path_.push_back(std::move(frame));
  }

  // Groups the rows of a frame by the branches of `node`, and finds the largest of these.
  void partition(Frame& frame, std::int32_t node) {
    const auto branches = static_cast<std::size_t>(tree_.n_children(node));
    std::vector<std::int64_t> weight(branches, 0);
    frame.starts = {frame.begin};
    clear_branches(branches);
    assign_rows(whole_rows_.data() + frame.begin, frame.end - frame.begin, node, weight,
                [&](std::size_t b, const Case& whole) { of_branch_[b].push_back(whole); });
    if (!unknown_.empty()) throw std::domain_error("X changed during the fit: a known value is missing now");
    auto out = whole_rows_.begin() + static_cast<std::ptrdiff_t>(frame.begin);
    for (std::size_t b = 0; b < branches; ++b) {
      out = std::copy(of_branch_[b].begin(), of_branch_[b].end(), out);
      frame.starts.push_back(static_cast<std::size_t>(out - whole_rows_.begin()));
    }
    frame.fractional_of_branch.assign(branches, {});
    assign_rows(frame.fractional.data(), frame.fractional.size(), node, weight,
                [&](std::size_t b, const Case& part) { frame.fractional_of_branch[b].push_back(part); });
    frame.largest = 0;
    for (std::size_t b = 1; b < branches; ++b)
      if (weight[b] > weight[frame.largest] || (rule_.last_largest && weight[b] == weight[frame.largest]))
        frame.largest = static_cast<std::int32_t>(b);
  }

  // Assigns cases to the branches of `node`, those of unknown value to every branch by its share of the known weight.
  // `weight` is that of rows already in the branches, and grows by the known cases.
  template <class Assign>
  void assign_rows(const Case* cases, std::size_t count, std::int32_t node, std::vector<std::int64_t>& weight,
                   const Assign& assign) {
    unknown_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t b = branch_of(node, cases[i].row);
      if (b == SHARED) {
        unknown_.push_back(cases[i]);
      } else {
        weight[static_cast<std::size_t>(b)] += cases[i].weight;
        assign(static_cast<std::size_t>(b), cases[i]);
      }
    }
    if (unknown_.empty()) return;
    std::int64_t known = 0;
    for (const std::int64_t w : weight) known += w;
    for (std::size_t b = 0; b < weight.size(); ++b) {
      if (weight[b] == 0) continue;
      for (const Case& whole : unknown_) {
        const std::int64_t part = share_of(whole.weight, weight[b], known);
        if (part > 0) assign(b, {whole.row, whole.y, part});
      }
    }
  }

  // The next branch of the deepest open node; or, when all are pruned, the decision about the node.
  void advance() {
    Frame& frame = path_.back();
    const std::int32_t node = at_[frame.place];
    if (frame.next < tree_.n_children(node)) {
      const auto b = static_cast<std::size_t>(frame.next++);
      enter(tree_.child(node, b), frame.starts[b], frame.starts[b + 1], std::move(frame.fractional_of_branch[b]));
      return;
    }
    double below = 0.0, whole_below = 0.0;
    for (std::int32_t b = 0; b < tree_.n_children(node); ++b) {
      const Errors& branch = errors_[at_[tree_.child(node, b)]];
      below += branch.limit;
      whole_below += branch.whole_limit;
    }
    const double raised = limit_if_raised(frame, node);
    Frame done = std::move(path_.back());
    path_.pop_back();
    if (done.leaf_limit <= raised + SLACK && done.leaf_limit <= below + SLACK) {
      leaf_[node] = 1;
      return;
    }
    if (raised <= below + SLACK) {
      at_[done.place] = at_[tree_.child(node, done.largest)];
      enter(done.place, done.begin, done.end, std::move(done.fractional));
      return;
    }
    errors_[node].limit = below;
    errors_[node].whole_limit = whole_below;
  }

  // Estimated errors of the largest branch of `node` if it had all the node's rows.
  double limit_if_raised(const Frame& frame, std::int32_t node) {
    const auto b = static_cast<std::size_t>(frame.largest);
    const std::int32_t largest = tree_.child(node, b);
    if (leaf_[at_[largest]]) return frame.leaf_limit;
    const Case* whole = whole_rows_.data();
    pool_.assign(whole + frame.begin, whole + frame.starts[b]);
    pool_.insert(pool_.end(), whole + frame.starts[b + 1], whole + frame.end);
    pool_.insert(pool_.end(), frame.fractional.begin(), frame.fractional.end());
    tasks_.assign(1, {largest, 0, pool_.size()});
    double limit = 0.0;
    for (std::size_t done = 0; !tasks_.empty(); ++done) {
      if (done % 64 == 0) interrupts_.poll();
      interrupts_.check();
      const Task task = tasks_.back();
      tasks_.pop_back();
      const std::int32_t at = at_[task.place];
      if (task.begin == task.end)
        limit += errors_[at].whole_limit;
      else if (leaf_[at])
        limit += limit_with(at, task);
      else
        partition_task(at, task);
    }
    return limit;
  }

  // Estimated errors of a leaf with its own whole rows and those of the task.
  double limit_with(std::int32_t leaf, const Task& task) {
    classes_.assign(&whole_[leaf * n_classes_], &whole_[leaf * n_classes_] + n_classes_);
    for (std::size_t i = task.begin; i < task.end; ++i) classes_[pool_[i].y] += pool_[i].weight;
    return rule_.limit_of(classes_.data(), n_classes_, unit_);
  }

  // Groups the rows of a task, which are at the end of the pool, by branch; a task for each branch replaces it.
  void partition_task(std::int32_t node, const Task& task) {
    const auto branches = static_cast<std::size_t>(tree_.n_children(node));
    weight_.resize(branches);
    for (std::size_t b = 0; b < branches; ++b) weight_[b] = errors_[at_[tree_.child(node, b)]].whole;
    clear_branches(branches);
    assign_rows(pool_.data() + task.begin, task.end - task.begin, node, weight_,
                [&](std::size_t b, const Case& part) { of_branch_[b].push_back(part); });
    pool_.resize(task.begin);
    for (std::size_t b = 0; b < branches; ++b) {
      const std::vector<Case>& rows = of_branch_[b];
      tasks_.push_back({tree_.child(node, b), pool_.size(), pool_.size() + rows.size()});
      pool_.insert(pool_.end(), rows.begin(), rows.end());
    }
  }

  void clear_branches(std::size_t branches) {
    of_branch_.resize(std::max(of_branch_.size(), branches));
    for (std::vector<Case>& rows : of_branch_) rows.clear();
  }

  Raised in_level_order() const {
    Raised out;
    std::vector<std::int32_t> places{0};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::int32_t node = at_[places[i]];
      out.origin.push_back(node);
      out.leaf.push_back(leaf_[node]);
      out.rows.push_back(errors_[node].rows);
      out.classes.insert(out.classes.end(), &all_[node * n_classes_], &all_[node * n_classes_] + n_classes_);
      for (std::int32_t b = 0; !leaf_[node] && b < tree_.n_children(node); ++b) places.push_back(tree_.child(node, b));
    }
    return out;
  }

  const CaseRouter& tree_;
  const std::size_t n_classes_;
  const double unit_;
  const Pessimism rule_;
  InterruptCheck& interrupts_;
  std::vector<std::int32_t> at_;
  std::vector<std::uint8_t> leaf_;
  std::vector<Errors> errors_;
  std::vector<std::int64_t> whole_, all_;  // class weights of each node: of its whole rows, of all

  std::vector<Frame> path_;
  std::vector<Case> whole_rows_;
  std::vector<std::vector<Case>> of_branch_;

  std::vector<Case> pool_, unknown_;
  std::vector<Task> tasks_;
  std::vector<std::int64_t> weight_, classes_;
};

}  // namespace boxwood

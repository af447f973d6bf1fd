// The search for the next term over every (parent, feature), and the columns of the model that it is scored against.
// Invariant: a task is one (parent, feature), summed by one thread in a fixed order; sums are kept between steps within
// the memory limit, which changes the time only. Cost: linear in rows and in columns not yet taken out, for each pair.
// Source: Friedman 1991, algorithm 2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "mars/pair.hpp"

namespace boxwood::mars {

// The forms that a feature may take under a parent.
enum Form : std::int8_t { NOTHING = 0, KNOTS = 1, LINEAR_ONLY = 2, KNOTS_OF_OLD_FORM = 3 };

struct ParentTerm {
  int number;  // its pairs are kept under it
  std::vector<Factor> factors;
  std::vector<std::int8_t> forms;  // of each feature
};

struct Appended {
  std::vector<double> coefficients;  // on the columns before
  std::vector<double> with_y;  // inner products with the responses
  double norm = 0.0, whole_norm = 0.0;
  bool independent = false;
};

class Search {
 public:
  // `memory`: limit in bytes of columns, ranks and everything held here; sums are kept within it.
  Search(Rows rows, const double* y, std::size_t n_responses, SpanRule rule, std::size_t memory)
      : rows_(std::move(rows)), basis_(rows_.n, y, n_responses), rule_(rule), memory_(memory), counted_(rows_.n) {
    if (!rule_.by_weight || rows_.root_weight.empty()) return;
    double whole = 0.0;
    for (std::size_t r = 0; r < rows_.n; ++r) whole += rows_.weight(r);
    counted_ = static_cast<std::size_t>(std::llround(std::min(whole, 1e15)));
  }

  const Rows& rows() const { return rows_; }
  void sort(ThreadPool& pool) { rows_.sort(pool); }

  // Tries the product of some factors as a column of the model; a linearly dependent one is left out.
  Appended attempt(const std::vector<Factor>& factors, ThreadPool& pool) {
    Large<double> v;
    rows_.product(factors, v);
    Appended out;
    out.whole_norm = std::sqrt(basis_.square(v));
    out.coefficients = basis_.project_out(v, pool);
    out.norm = std::sqrt(basis_.square(v));
    out.independent = out.norm > 1e-7 * out.whole_norm;
    if (!out.independent) return out;
    for (double& value : v) value /= out.norm;
    out.with_y = basis_.attempt(v, pool);
    return out;
  }

  // Keeps the columns tried since the last call in the model, or removes them.
  void end_trial(bool keep) {
    basis_.end_trial(keep);
    const std::size_t limit = memory_for_sums();
    while (!pairs_.empty() && kept_bytes_ > limit) {  // youngest parents first: the others are searched more often
      const auto last = std::prev(pairs_.end());
      kept_bytes_ -= last->second.takes;
      pairs_.erase(last);
    }
  }

  // The best candidate of every (parent, feature), parents by features.
  std::vector<Best> examine(const std::vector<ParentTerm>& terms, const Rule& rule,
                            const std::vector<double>& least_linear, ThreadPool& pool) {
    const std::size_t p = rows_.columns.size();
    std::vector<Best> found(terms.size() * p);
    const auto workers = static_cast<std::size_t>(pool.size());
    std::vector<Scratch> scratch(workers);
    std::vector<Pair> temporary(workers);  // for those that are not kept
    std::vector<Parent> parents(parents_at_once(workers));
    workers_ = workers;
    for (std::size_t from = 0; from < terms.size(); from += parents.size()) {
      const std::size_t count = std::min(parents.size(), terms.size() - from);
      std::vector<Spans> widths(count);
      for (std::size_t i = 0; i < count; ++i) widths[i] = prepare(terms[from + i], parents[i]);
      const std::vector<Pair*> kept = reserve(terms, from, widths);
      pool.run(count * p, [&](std::size_t task, int worker) {
        const std::size_t i = task / p, feature = task % p;
        const std::int8_t form = terms[from + i].forms[feature];
        if (form == NOTHING) return;
        const auto mine = static_cast<std::size_t>(worker);
        Pair& pair = kept[task] ? *kept[task] : temporary[mine];
        if (!kept[task]) pair.clear();
        const bool knots = form == KNOTS || form == KNOTS_OF_OLD_FORM;
        Rule here = rule;
        here.least_linear = least_linear[feature] * parents[i].mean_square;
        update(pair, feature, parents[i], widths[i], knots, scratch[mine]);
        found[(from + i) * p + feature] =
            pair.best(here, form == KNOTS || form == LINEAR_ONLY, knots, basis_.n_responses());
      });
    }
    return found;
  }

  // The gain of one candidate, its columns made orthogonal to the model one by one: what decides between near ties.
  double exact_gain(const std::vector<Factor>& parent, std::size_t feature, const Best& candidate,
                    ThreadPool& pool) const {
    double gain = 0.0;
    Large<double> linear, hinge;
    if (candidate.new_form) {
      gain += gain_of({parent, {feature, LINEAR, 0.0}}, nullptr, linear, pool);
      if (candidate.linear) return gain;
    }
    return gain +
           gain_of({parent, {feature, RIGHT, candidate.cut}}, candidate.new_form ? &linear : nullptr, hinge, pool);
  }

  // All knots of one pair with their gains, for tests.
  std::pair<std::vector<double>, std::vector<double>> all_knots(const ParentTerm& term, std::size_t feature,
                                                                const Rule& rule) {
    Parent parent;
    const Spans width = prepare(term, parent);
    Pair pair;
    Scratch scratch;
    update(pair, feature, parent, width, true, scratch);
    return {pair.knots(), pair.gains(rule, term.forms[feature] == KNOTS, basis_.n_responses())};
  }

 private:
  // The gain of a column beyond the model, and perhaps another column; `v` becomes its orthogonal part, of norm 1.
  double gain_of(const std::pair<std::vector<Factor>, Factor>& product, const Large<double>* other, Large<double>& v,
                 ThreadPool& pool) const {
    std::vector<Factor> factors = product.first;
    factors.push_back(product.second);
    rows_.product(factors, v);
    static_cast<void>(basis_.project_out(v, pool));
    for (int round = 0; other && round < 2; ++round) static_cast<void>(basis_.take_out(*other, v));
    const double norm = std::sqrt(basis_.square(v));
    if (!(norm > 0.0)) return 0.0;
    for (double& value : v) value /= norm;
    double gain = 0.0;
    for (const double c : basis_.dot_responses(v, pool)) gain += c * c;
    return gain;
  }

  Spans prepare(const ParentTerm& term, Parent& parent) const {
    rows_.product(term.factors, parent.value);
    parent.list(rows_, rule_.by_weight);
    return spans(rule_, counted_, rows_.columns.size(), parent.n_positive, !term.factors.empty());
  }

  void update(Pair& pair, std::size_t feature, const Parent& parent, const Spans& width, bool knots,
              Scratch& scratch) const {
    pair.prepare(rows_, basis_.n_responses(), feature, parent, width, knots,
                 rule_.by_weight && !rows_.root_weight.empty(), scratch);
    pair.add_columns(basis_, parent, rows_.columns[feature], scratch);
  }

  // Pairs that are kept between steps, within the memory limit; a null pointer beyond it.
  std::vector<Pair*> reserve(const std::vector<ParentTerm>& terms, std::size_t from, const std::vector<Spans>& widths) {
    const std::size_t p = rows_.columns.size();
    std::vector<Pair*> kept(widths.size() * p, nullptr);
    const std::size_t limit = memory_for_sums();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::size_t takes = Pair::bytes(most_knots(widths[i].between), basis_.n_responses());
      for (std::size_t j = 0; j < p; ++j) {
        if (terms[from + i].forms[j] == NOTHING) continue;
        const std::pair<int, std::size_t> key{terms[from + i].number, j};
        const auto at = pairs_.find(key);
        if (at != pairs_.end()) {
          kept[i * p + j] = &at->second.pair;
        } else if (kept_bytes_ + takes <= limit) {
          kept_bytes_ += takes;
          Kept& added = pairs_[key];
          added.takes = takes;
          kept[i * p + j] = &added.pair;
        }
      }
    }
    return kept;
  }

  std::size_t parents_at_once(std::size_t workers) const {
    return std::max<std::size_t>(1, 4 * workers / std::max<std::size_t>(rows_.columns.size(), 1));
  }

  std::size_t most_knots(std::size_t between) const { return std::min(rows_.n, counted_ / between) + 2; }

  // What the rest leaves of the memory limit, at least 1 MB.
  std::size_t memory_for_sums() const {
    const std::size_t n = rows_.n, p = rows_.columns.size(), n_responses = basis_.n_responses();
    const std::size_t knots = most_knots(spans(rule_, counted_, p, static_cast<double>(counted_), false).between);
    std::size_t taken = (n * (p + n_responses) + 3 * rows_.root_weight.size()) * sizeof(double) + basis_.bytes();
    for (const Ranks& rank : rows_.rank) taken += rank.size() * sizeof(std::uint32_t);
    taken += parents_at_once(workers_) * n * (sizeof(double) + sizeof(std::uint32_t));
    taken += workers_ * (Scratch::bytes(n, !rows_.root_weight.empty(), knots) + Pair::bytes(knots, n_responses));
    constexpr std::size_t least = std::size_t{1} << 20;
    return std::max(least, memory_ > taken ? memory_ - taken : 0);
  }

  struct Kept {
    Pair pair;
    std::size_t takes = 0;
  };

  Rows rows_;
  Basis basis_;
  SpanRule rule_;
  std::size_t memory_, kept_bytes_ = 0;
  std::size_t counted_;  // rows, or their weight where a weight of 3 is three rows
  std::map<std::pair<int, std::size_t>, Kept> pairs_;  // by term and feature
  std::size_t workers_ = 1;  // threads
};

}  // namespace boxwood::mars

// Which leaves of a tree must not exceed which others, where what is predicted may only rise, or fall, with some
// features. Invariant: leaf a is below leaf b if a row of a and one of b exist that agree in all other features, and of
// which that of b is nowhere lower in these (Potharst and Feelders 2002); rows lack the same values. Pairs that only
// rows with gaps could have are all counted, wherever surrogates lead these rows.
// Cost: pairs of nodes whose boxes exclude each other, or whose values are in order, are left with all below them.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace boxwood {

// The boxes of nodes in the features that a tree tests, in cells between its thresholds.
struct NodeBoxes {
  enum Need : std::uint8_t { any, known, missing };  // of a value, by rows that reach the node

  std::size_t nodes, features, words;
  const std::int32_t *parent, *first_child, *n_children, *feature;
  const std::int32_t *low, *high;  // (node, feature): the first cell, and the one after the last
  const std::uint64_t* levels;  // (node, word): a bit for each level of nominal features
  const std::int32_t* first_word;  // (feature + 1): the same one twice for features with an order
  const std::uint8_t* need;  // (node, feature)
  const std::int32_t* sign;  // (feature): 1 = what is predicted rises, -1 = it falls, 0 = rows agree in it
  const std::uint8_t* gaps;  // (feature): rows may lack its value

  std::size_t at(std::int32_t node, std::size_t j) const { return static_cast<std::size_t>(node) * features + j; }

  // Whether rows of `a` and `b` may be such a pair as far as one feature tells; `divides`: the paths part by it.
  bool fits(std::int32_t a, std::int32_t b, std::size_t j, bool divides) const {
    const std::uint8_t p = need[at(a, j)], q = need[at(b, j)];
    if (p == missing || q == missing) return !divides && p != known && q != known;
    if (gaps[j] && !divides && p == any && q == any) return true;
    if (first_word[j] < first_word[j + 1]) {
      const std::uint64_t *u = levels + static_cast<std::size_t>(a) * words,
                          *v = levels + static_cast<std::size_t>(b) * words;
      for (std::int32_t w = first_word[j]; w < first_word[j + 1]; ++w)
        if (u[w] & v[w]) return true;
      return false;
    }
    const std::int32_t from = low[at(a, j)], to = high[at(a, j)], from_b = low[at(b, j)], to_b = high[at(b, j)];
    if (from >= to || from_b >= to_b) return false;
    return (sign[j] < 0 || from < to_b) && (sign[j] > 0 || from_b < to);
  }
  bool is_below(std::int32_t a, std::int32_t b, std::size_t divided_by) const {
    for (std::size_t j = 0; j < features; ++j)
      if (!fits(a, b, j, j == divided_by)) return false;
    return true;
  }
};

class LeafOrder {
 public:
  explicit LeafOrder(const NodeBoxes& boxes) : boxes_(boxes), least_(boxes.nodes), most_(boxes.nodes) {}

  // Calls take(a, b) for the leaves a below b whose values, one a node, are not in order; with `all` for all of them.
  template <class Take>
  void each(const double* values, bool all, const Take& take) {
    for (std::size_t t = boxes_.nodes; t-- > 0;) {
      if (boxes_.n_children[t] == 0) least_[t] = most_[t] = values[t];
      if (t == 0) break;
      const auto parent = static_cast<std::size_t>(boxes_.parent[t]);
      const std::int32_t end = boxes_.first_child[parent] + boxes_.n_children[parent];
      const bool first = t + 1 == static_cast<std::size_t>(end);
      least_[parent] = first ? least_[t] : std::min(least_[parent], least_[t]);
      most_[parent] = first ? most_[t] : std::max(most_[parent], most_[t]);
    }
    // Rows that part by a free feature do not agree in it; where both lack it, they follow the same branch.
    for (std::size_t t = 0; t < boxes_.nodes; ++t) {
      const std::int32_t first = boxes_.first_child[t], n = boxes_.n_children[t];
      if (n == 0 || boxes_.sign[boxes_.feature[t]] == 0) continue;
      for (std::int32_t a = first; a < first + n; ++a)
        for (std::int32_t b = first; b < first + n; ++b)
          if (a != b) compare(a, b, boxes_.feature[t], all, take);
    }
  }

 private:
  template <class Take>
  void compare(std::int32_t first, std::int32_t second, std::int32_t divided_by, bool all, const Take& take) {
    open_.assign(1, {first, second});
    while (!open_.empty()) {
      const auto [a, b] = open_.back();
      open_.pop_back();
      if (!all && most_[a] <= least_[b]) continue;
      if (!boxes_.is_below(a, b, static_cast<std::size_t>(divided_by))) continue;
      const bool leaf = boxes_.n_children[a] == 0, other = boxes_.n_children[b] == 0;
      if (leaf && other) {
        take(a, b);
        continue;
      }
      const bool of_a = !leaf && (other || a < b);
      const std::int32_t parent = of_a ? a : b;
      for (std::int32_t c = 0; c < boxes_.n_children[parent]; ++c) {
        const std::int32_t child = boxes_.first_child[parent] + c;
        open_.push_back(of_a ? std::pair{child, b} : std::pair{a, child});
      }
    }
  }

  const NodeBoxes& boxes_;
  std::vector<double> least_, most_;  // of the leaves below each node
  std::vector<std::pair<std::int32_t, std::int32_t>> open_;
};

}  // namespace boxwood

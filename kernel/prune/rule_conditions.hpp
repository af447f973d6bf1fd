// One rule made simpler: conditions are dropped if that does not raise the estimated error rate (Quinlan 1993, 5.1).
// Invariant: sums of weights are whole numbers; of equal candidates the first is dropped.
// Cost: a pass over n / 64 words for each condition and each that is dropped, and a few nanoseconds for each row that
// fails one condition only, or none.
#pragma once

#include <bit>
#include <limits>
#include <vector>

#include "parallel/simd_clones.hpp"
#include "prune/error_based.hpp"

namespace boxwood {

// Adds (flip = 0) or subtracts (flip = ~0) the bits of `carry` to one binary digit of a number for each row; what is
// carried to the next digit stays in `carry`.
BOXWOOD_CLONES static void step_digit(std::uint64_t* digit, std::uint64_t* carry, std::uint64_t flip, std::size_t n) {
  for (std::size_t w = 0; w < n; ++w) {
    const std::uint64_t next = (digit[w] ^ flip) & carry[w];
    digit[w] ^= carry[w];
    carry[w] = next;
  }
}

BOXWOOD_CLONES static void toggle(std::uint64_t* digit, const std::uint64_t* bits, std::size_t n) {
  for (std::size_t w = 0; w < n; ++w) digit[w] ^= bits[w];
}

// Rows, and a class that a rule predicts for them; `whole`: that class's error rate on the whole.
struct RuleRows {
  const std::int32_t* y;
  const std::int64_t* weight;
  std::size_t n;
  double unit;
  std::int32_t predicted;
  double whole;
};

class RuleConditions {
 public:
  struct Sums {
    std::int64_t weight = 0, errors = 0;
  };

  // `failing`: for each condition a bit for each row, in words; bits beyond the last row are not read.
  RuleConditions(const RuleRows& rows, const std::uint64_t* failing, std::size_t size, const Pessimism& pessimism)
      : rows_(rows), failing_(failing), words_((rows.n + 63) / 64), pessimism_(pessimism), only_(size) {
    for (std::size_t longest = size; longest > 0; longest /= 2)
      count_.emplace_back(words_), place_.emplace_back(words_);
    for (std::size_t c = 0; c < size; ++c) kept_.push_back(static_cast<std::int32_t>(c)), count(c, 0);
    for (const std::int32_t row : covered()) add(all_, row);
    add_only(nullptr);
  }

  // Drops the condition without which a rate does not rise, that of the smallest estimate first, until there is none.
  void simplify() {
    for (auto removed = next(); removed != kept_.end(); removed = next()) {
      const auto c = static_cast<std::size_t>(*removed);
      kept_.erase(removed);
      all_.weight += only_[c].weight, all_.errors += only_[c].errors;
      count(c, ~std::uint64_t{0});
      add_only(failing_ + c * words_);
    }
  }

  const std::vector<std::int32_t>& kept() const { return kept_; }
  const Sums& sums() const { return all_; }
  double rate() const { return rates(all_).estimated; }

  // Rows that fail no condition.
  std::vector<std::int32_t> covered() const {
    std::vector<std::int32_t> found;
    each_row([&](std::size_t w) { return ~failed(w, 0); },
             [&](std::size_t row) { found.push_back(static_cast<std::int32_t>(row)); });
    return found;
  }

 private:
  static constexpr double EQUAL = 1e-12;  // rates that differ by less are equal

  struct Rates {
    double estimated, actual;
  };

  Rates rates(const Sums& sums) const {
    const double weight = static_cast<double>(sums.weight) * rows_.unit;
    const double errors = static_cast<double>(sums.errors) * rows_.unit;
    if (!(weight > 0.0)) return {rows_.whole, 0.0};
    return {pessimism_.limit(weight, errors) / weight, errors / weight};
  }

  // The condition to drop next, or the end.
  std::vector<std::int32_t>::iterator next() {
    const Rates now = rates(all_);
    double least = std::numeric_limits<double>::infinity();
    auto found = kept_.end();
    for (auto k = kept_.begin(); k != kept_.end(); ++k) {
      const Rates then = rates({all_.weight + only_[*k].weight, all_.errors + only_[*k].errors});
      const bool may_go = then.estimated <= now.estimated + EQUAL || then.actual <= now.actual + EQUAL;
      if (may_go && then.estimated < least) least = then.estimated, found = k;
    }
    return found;
  }

  // Condition c comes (flip = 0) or goes (flip = ~0).
  void count(std::size_t c, std::uint64_t flip) {
    const std::uint64_t* failing = failing_ + c * words_;
    std::vector<std::uint64_t> carry(failing, failing + words_);
    for (auto& digit : count_) step_digit(digit.data(), carry.data(), flip, words_);
    for (std::size_t b = 0; b < place_.size(); ++b)
      if (c >> b & 1) toggle(place_[b].data(), failing, words_);
  }

  // The rows that fail one condition, of `among` if given, go to the sums of that condition.
  void add_only(const std::uint64_t* among) {
    if (kept_.empty()) return;
    const auto one = [&](std::size_t w) {
      return count_[0][w] & ~failed(w, 1) & (among ? among[w] : ~std::uint64_t{0});
    };
    each_row(one, [&](std::size_t row) {
      std::size_t c = 0;
      for (std::size_t b = 0; b < place_.size(); ++b) c |= (place_[b][row / 64] >> row % 64 & 1) << b;
      add(only_[c], row);
    });
  }

  // Rows that fail 2^digit conditions or more.
  std::uint64_t failed(std::size_t w, std::size_t digit) const {
    std::uint64_t found = 0;
    for (; digit < count_.size(); ++digit) found |= count_[digit][w];
    return found;
  }

  void add(Sums& sums, std::size_t row) const {
    sums.weight += rows_.weight[row];
    if (rows_.y[row] != rows_.predicted) sums.errors += rows_.weight[row];
  }

  template <class Bits, class Body>
  void each_row(const Bits& bits, const Body& body) const {
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t left = bits(w);
      if (w + 1 == words_) left &= ~std::uint64_t{0} >> (64 * words_ - rows_.n);
      for (; left != 0; left &= left - 1) body(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }

  const RuleRows rows_;
  const std::uint64_t* failing_;
  const std::size_t words_;
  const Pessimism& pessimism_;
  // Binary digits, a bit for each row: how many conditions it fails, and the exclusive or of these conditions' numbers:
  // of a row that fails one only, that one's number.
  std::vector<std::vector<std::uint64_t>> count_, place_;
  std::vector<std::int32_t> kept_;
  Sums all_;  // of the rows that fail no condition
  std::vector<Sums> only_;  // of those that fail one, by that one
};

}  // namespace boxwood

// The measure of classes of a fit, chosen when the program runs.
// Invariant: `decrease` is what trees are built from; everything else only bounds it.
// Cost: one predictable branch a call; counts are looked up where `look_up` made a table.
#pragma once

#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include "response/measures.hpp"
#include "response/tsallis.hpp"

namespace boxwood {

// Every measure of classes, by its NAME. A new one is a header like measures.hpp and a place in this list.
using ClassMeasures = std::variant<Gini, Entropy, ClassificationError, Tsallis>;

class ClassMeasure {
 public:
  ClassMeasure() = default;
  explicit ClassMeasure(ClassMeasures of) : of_(of) {}
  // By its NAME, or "NAME:parameter".
  static ClassMeasure named(const std::string& name) {
    ClassMeasure out;
    if (!out.choose(name, static_cast<const ClassMeasures*>(nullptr)))
      throw std::invalid_argument("there is no measure of classes named " + name);
    return out;
  }

  template <class M>
  bool is() const {
    return std::holds_alternative<M>(of_);
  }

  // The exact decrease; left and total: whole weights by class.
  double many(const std::int64_t* left, const std::int64_t* total, int n_classes, const double* factors) const {
    if (const double* table = factors ? nullptr : logs())
      return Entropy::many(left, total, n_classes, factors,
                           [&](double count) { return table[static_cast<std::size_t>(count)]; });
    return std::visit([&](const auto& m) { return m.many(left, total, n_classes, factors); }, of_);
  }
  double two(const std::int64_t* left, const std::int64_t* total) const {
    if (is<Gini>()) return Gini{}.two(left, total);
    return many(left, total, 2, nullptr);
  }

  // Weight times impurity; `mass(k)`: of class k.
  template <class Mass>
  double impurity(int n_classes, const Mass& mass) const {
    return std::visit([&](const auto& m) { return m.impurity(n_classes, mass); }, of_);
  }
  // How far two decreases may be off by rounding, in units of score; `n`: mass of the node.
  double noise(double n, int present) const {
    return std::visit(
        [&](const auto& m) {
          if constexpr (requires { m.noise(n, present); }) return m.noise(n, present);
          return 0.0;
        },
        of_);
  }
  // How far differences of impurities may be off in a node of mass n.
  double slack(double impurity, double n) const {
    return std::visit(
        [&](const auto& m) {
          if constexpr (requires { m.slack(n); }) return m.slack(n);
          return 1e-11 * (std::abs(impurity) + 8 * n);
        },
        of_);
  }

  // Makes a table for groups of up to n rows that count one each.
  void look_up(std::size_t n) {
    std::visit(
        [&](const auto& m) {
          if constexpr (requires { m.term(0.0); }) {
            auto terms = std::make_shared<std::vector<double>>(n + 1);
            for (std::size_t i = 0; i <= n; ++i) (*terms)[i] = m.term(static_cast<double>(i));
            terms_ = std::move(terms);
          }
        },
        of_);
  }
  // x log2 x of whole numbers, nullptr where that is not what was looked up.
  const double* logs() const { return is<Entropy>() && terms_ ? terms_->data() : nullptr; }

  // As `impurity`, of n rows that count one each, but for rounding.
  template <class Count>
  double impurity_of_counts(int n_classes, std::int64_t n, const Count& count) const {
    return std::visit(
        [&](const auto& m) {
          if constexpr (requires { m.term(0.0); }) {
            if (terms_) {
              const double* term = terms_->data();
              double classes = 0;
              for (int k = 0; k < n_classes; ++k) classes += term[count(k)];
              return m.from_terms(static_cast<double>(n), term[n], classes);
            }
          }
          return m.impurity(n_classes, [&](int k) { return static_cast<double>(count(k)); });
        },
        of_);
  }

 private:
  template <class... M>
  bool choose(const std::string& name, const std::variant<M...>*) {
    return (choose_one<M>(name) || ...);
  }
  template <class M>
  bool choose_one(const std::string& name) {
    const std::size_t colon = std::min(name.find(':'), name.size());
    if (name.compare(0, colon, M::NAME) != 0) return false;
    if constexpr (std::is_constructible_v<M, double>) {
      if (colon == name.size()) return false;
      double parameter = 0;
      std::from_chars(name.data() + colon + 1, name.data() + name.size(), parameter);
      of_ = M(parameter);
    } else {
      of_ = M{};
    }
    return true;
  }

  ClassMeasures of_;
  std::shared_ptr<const std::vector<double>> terms_;
};

}  // namespace boxwood

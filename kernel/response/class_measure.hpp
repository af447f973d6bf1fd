// The measure of classes of a fit, chosen when the program runs.
// Invariant: `decrease` is what trees are built from; everything else only bounds it.
// Cost: one predictable branch a call; counts are looked up where `look_up` made a table.
#pragma once

#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

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
  template <class Count>
  double many(const Count* left, const std::int64_t* total, int n_classes, const double* factors) const {
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
  // How far differences of impurities may be off in a node of mass n.
  static double slack(double impurity, double n) { return 1e-11 * (std::abs(impurity) + 8 * n); }

  // Makes a table of x log2 x for groups of up to n rows that count one each, where the measure is entropy.
  void look_up(std::size_t n) {
    if (!is<Entropy>()) return;
    auto logs = std::make_shared<std::vector<double>>(n + 1);
    for (std::size_t i = 0; i <= n; ++i) (*logs)[i] = x_log2_x(static_cast<double>(i));
    logs_ = std::move(logs);
  }
  // That table, or nullptr.
  const double* logs() const { return logs_ ? logs_->data() : nullptr; }

  // As `impurity`, of n rows that count one each, but for rounding.
  template <class Count>
  double impurity_of_counts(int n_classes, std::int64_t n, const Count& count) const {
    const double* table = logs();
    if (!table) return impurity(n_classes, [&](int k) { return static_cast<double>(count(k)); });
    double classes = 0;
    for (int k = 0; k < n_classes; ++k) classes += table[count(k)];
    return table[n] - classes;
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
  std::shared_ptr<const std::vector<double>> logs_;
};

}  // namespace boxwood

// The measure of classes of a fit, chosen when the program runs.
// Invariant: `decrease` is what trees are built from; everything else only bounds it.
// Cost: one predictable branch a call; counts are looked up where `look_up` made tables.
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

// Weight times impurity of rows that count one each, by their number and a sum of terms that depend on one count each.
struct CountTerms {
  std::vector<double> term, factor;  // by count; no factor = 1 each
  double unit = 0;  // of the rows' number, where there are factors
  const double* terms() const { return term.data(); }
  double impurity(std::int64_t n, double sum) const {
    if (factor.empty()) return term[n] - sum;
    return unit * static_cast<double>(n) - factor[n] * sum;
  }
  // How much it changes by where the sum is off by one.
  double slope(std::int64_t n) const { return factor.empty() ? 1.0 : std::abs(factor[n]); }
};

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
  // Weight times impurity of two classes less than what they cost where `share` is predicted as that of the second.
  double excess(const double (&mass)[2], double share) const {
    return std::visit(
        [&](const auto& m) {
          return mass[0] * m.cost(1 - share, share) + mass[1] * m.cost(share, 1 - share) -
                 m.impurity(2, [&](int k) { return mass[k]; });
        },
        of_);
  }
  // How far differences of impurities may be off in a node of mass n.
  static double slack(double impurity, double n) { return 1e-11 * (std::abs(impurity) + 8 * n); }

  // Makes tables for groups of up to n rows that count one each, where the measure has such terms.
  void look_up(std::size_t n) {
    constexpr std::size_t LOOKED_UP = std::size_t{1} << 22;
    const auto* tsallis = std::get_if<Tsallis>(&of_);
    if (n > LOOKED_UP || !(is<Entropy>() || (tsallis && tsallis->has_terms(static_cast<double>(n))))) return;
    CountTerms made;
    if (tsallis) made.unit = 1 / (tsallis->q - 1);
    for (std::size_t i = 0; i <= n; ++i) {
      const auto x = static_cast<double>(i);
      made.term.push_back(tsallis ? tsallis->term(x) : x_log2_x(x));
      if (tsallis) made.factor.push_back(tsallis->factor(x));
    }
    counts_ = std::make_shared<const CountTerms>(std::move(made));
  }
  // Those tables, or nullptr.
  const CountTerms* counts() const { return counts_.get(); }
  // x log2 x, where entropy is looked up; or nullptr.
  const double* logs() const { return counts_ && is<Entropy>() ? counts_->terms() : nullptr; }

  // As `impurity`, of n rows that count one each, but for rounding.
  template <class Count>
  double impurity_of_counts(int n_classes, std::int64_t n, const Count& count) const {
    if (!counts_) return impurity(n_classes, [&](int k) { return static_cast<double>(count(k)); });
    double classes = 0;
    for (int k = 0; k < n_classes; ++k) classes += counts_->term[count(k)];
    return counts_->impurity(n, classes);
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
  std::shared_ptr<const CountTerms> counts_;
};

}  // namespace boxwood

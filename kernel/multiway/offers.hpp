// What features may offer at a node, judged from their tables, and which of the offers is taken.
// Invariant: offers are compared in column order with the tie rule, so the result does not depend on who searched what;
// sums are whole, so it does not matter who added them up. Cost: one pass over a table of levels; a few logarithms a
// cut that was found. Source: SPECS 2, 3, 4.1, 4.2, 4.4, 4.5.
#pragma once

#include "multiway/cuts.hpp"
#include "multiway/levels.hpp"

namespace boxwood::multiway {

// What is known of a node before it is split.
struct Facts {
  std::vector<std::int64_t> classes;
  std::int64_t weight = 0;
  std::uint32_t rows = 0;
  std::int32_t depth = 0;

  bool pure() const {
    return std::count_if(classes.begin(), classes.end(), [](std::int64_t w) { return w > 0; }) < 2;
  }
};

// What a feature offers at a node: a cut, one branch a level, or groups of levels.
struct Offer {
  std::int32_t feature = -1;
  std::uint32_t slot = 0;  // of the node's columns
  double gain = 0.0;  // per unit of weight, less the charge
  double intrinsic = 0.0;  // intrinsic value in bits
  double score = 0.0;  // what features are ranked by
  bool is_cut = false;
  std::uint32_t below = 0, above = 0;
  std::vector<std::uint32_t> group;  // branch of each level, where they are grouped
  std::int32_t n_branches = 2;  // without one for missing values
  bool has_own_branch = false;  // missing values have the last one

  std::uint32_t branch_of(std::uint32_t code) const {
    return is_cut ? code > below : group.empty() ? code : group[code];
  }
};

struct Found {
  Offer split;
  std::vector<Offer> competitors;
};

// The samples of a node that have no value of a feature: their class weights and number.
struct Gone {
  const std::int64_t* classes;
  std::uint32_t rows;
};

template <class Measure>
class Offers {
 public:
  // Room for the branches of a table of levels.
  struct Scratch {
    std::vector<std::int64_t> weights, classes;
    std::vector<std::uint32_t> rows;
  };

  // `n`: rows of the whole learning set.
  Offers(const std::vector<Column>& columns, const ResponseColumns& y, const Settings& settings, double unit,
         std::size_t n)
      : columns_(columns), n_classes_(std::max(y.n_classes, 2)), settings_(settings), f_(unit, n) {
    counted_.assign(columns.size(), 1);
    bool any = false;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const bool many = columns[j].kind == Kind::nominal && columns[j].n_codes >= MANY_LEVELS * static_cast<double>(n);
      counted_[j] = !many;
      any = any || !many;
    }
    if (!any || settings.grouping) counted_.assign(columns.size(), 1);  // release 8 counts all of them with groups
  }

  const Settings& settings() const { return settings_; }
  const Measure& measure() const { return f_; }
  int n_classes() const { return n_classes_; }
  void set_root(const Facts& root) {
    root_weight_ = settings_.root_weight < 0 ? f_.true_weight(root.weight) : settings_.root_weight;
  }
  double root_weight() const { return root_weight_; }
  bool is_good_enough(double gain, const Facts& facts) const {
    return gain * f_.true_weight(facts.weight) / root_weight_ + 1e-15 >= settings_.min_impurity_decrease;
  }

  bool is_open(const Facts& node) const {
    return static_cast<std::int64_t>(node.rows) >= settings_.min_samples_split && !node.pure() &&
           (settings_.max_depth < 0 || node.depth < settings_.max_depth) &&
           f_.true_weight(node.weight) >= 2 * settings_.min_branch_weight - SLIGHT;
  }

  bool is_multiway(std::size_t j) const {
    return columns_[j].kind == Kind::nominal || (columns_[j].kind == Kind::ordinal && settings_.ordinal_levels);
  }
  bool is_grouped(std::size_t j) const {
    return settings_.grouping && columns_[j].kind == Kind::nominal && columns_[j].n_codes > 2;
  }

  // The bar for a cut; `own`: missing values have a branch of their own.
  Bar bar_of_cuts(const Facts& facts, const Known& known, const Gone& gone, bool own) const {
    Bar bar{0.0, 0.0, f_.true_weight(facts.weight)};
    if (!own) return bar;
    bar.offset = bits(f_, facts.classes.data(), n_classes_) - bits(f_, known.classes, n_classes_) -
                 bits(f_, gone.classes, n_classes_);
    bar.least = -bar.offset;
    return bar;
  }

  void describe_cut(const Cutting& cut, const Bar& bar, const Facts& facts, const Known& known, Offer& out) const {
    const double total = f_.true_weight(facts.weight);
    const double charge = settings_.charge ? std::log2(static_cast<double>(cut.tries)) : 0.0;
    const std::int64_t unknown = facts.weight - known.weight;
    out.gain = (cut.bits + bar.offset - charge) / total;
    out.intrinsic = (f_(facts.weight) - f_(cut.low) - f_(known.weight - cut.low) - f_(unknown)) / total;
    out.is_cut = true;
    out.below = cut.below;
    out.above = cut.above;
    out.n_branches = 2;
  }

  // One branch a level of the table, or groups of them; false when that is no split.
  bool judge_levels(const LevelTable& table, std::size_t j, const Known& known, const Gone& gone, const Facts& facts,
                    Scratch& scratch, Offer& out) const {
    out.is_cut = false;
    out.n_branches = static_cast<std::int32_t>(columns_[j].n_codes);
    if (is_grouped(j)) {
      Grouping<Measure> grouping(f_, settings_, n_classes_, facts.weight, known.classes);
      out.n_branches = grouping.search(table, columns_[j].n_codes, out.group);
    }
    sum_branches(table, out, scratch);
    const auto& weights = scratch.weights;
    double within = 0.0, split = 0.0;
    std::size_t present = 0, large = 0;
    const auto count_in = [&](std::int64_t weight, std::uint32_t rows, const std::int64_t* classes) {
      if (rows == 0) return true;
      ++present;
      large += f_.true_weight(weight) >= settings_.min_branch_weight - SLIGHT;
      within += bits(f_, classes, n_classes_);
      split += f_(weight);
      return static_cast<std::int64_t>(rows) >= settings_.min_samples_leaf;
    };
    for (std::size_t b = 0; b < weights.size(); ++b)
      if (!count_in(weights[b], scratch.rows[b], scratch.classes.data() + b * static_cast<std::size_t>(n_classes_)))
        return false;
    const std::int64_t unknown = facts.weight - known.weight;
    double whole = bits(f_, known.classes, n_classes_);
    if (out.has_own_branch) {
      count_in(unknown, gone.rows, gone.classes);
      whole = bits(f_, facts.classes.data(), n_classes_);
    } else {
      split += f_(unknown);
    }
    if (present < 2 || large < 2) return false;
    const double total = f_.true_weight(facts.weight);
    out.gain = std::max(whole - within, 0.0) / total;
    out.intrinsic = (f_(facts.weight) - split) / total;
    return true;
  }

  // The offers by rank, the one to take first; `columns`: the feature behind each of them, rising.
  std::vector<Offer*> ranked(const std::vector<std::uint32_t>& columns, std::vector<Offer>& offers) const {
    return settings_.in_order() ? as_asked(columns, offers) : by_score(offers);
  }

 private:
  static constexpr double MANY_LEVELS = 0.3;  // nominal features of so many levels a row do not count in the average

  // Weights, rows and classes of the branches that levels of the table go to; of each level itself where they are not
  // grouped.
  void sum_branches(const LevelTable& table, const Offer& out, Scratch& scratch) const {
    const std::size_t size = out.group.empty() ? table.size() : static_cast<std::size_t>(out.n_branches);
    const auto k_classes = static_cast<std::size_t>(n_classes_);
    scratch.weights.assign(size, 0);
    scratch.rows.assign(size, 0);
    scratch.classes.assign(size * k_classes, 0);
    for (std::size_t v = 0; v < table.size(); ++v) {
      const std::size_t b = out.group.empty() ? v : out.group[table.levels[v]];
      scratch.weights[b] += table.weights[v];
      scratch.rows[b] += table.rows[v];
      for (std::size_t k = 0; k < k_classes; ++k)
        scratch.classes[b * k_classes + k] += table.classes[v * k_classes + k];
    }
  }

  // CLS: the first feature in the given order, then the next ones.
  std::vector<Offer*> as_asked(const std::vector<std::uint32_t>& columns, std::vector<Offer>& offers) const {
    std::vector<Offer*> ranked;
    const std::size_t most = static_cast<std::size_t>(settings_.max_competitors) + 1;
    for (const std::int32_t j : settings_.order) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), static_cast<std::uint32_t>(j));
      if (at == columns.end() || *at != static_cast<std::uint32_t>(j)) continue;
      Offer& offer = offers[static_cast<std::size_t>(at - columns.begin())];
      offer.score = offer.gain;
      if (offer.feature >= 0 && ranked.size() < most) ranked.push_back(&offer);
    }
    return ranked;
  }

  std::vector<Offer*> by_score(std::vector<Offer>& offers) const {
    std::vector<Offer*> ranked;
    const double bar = settings_.above_average ? average(offers) - settings_.slack : 0.0;
    const double least = bar - TIE * std::max(1.0, std::abs(bar));
    const std::size_t most = static_cast<std::size_t>(settings_.max_competitors) + 1;
    for (Offer& offer : offers) {
      if (offer.feature < 0 || (settings_.above_average && !(offer.gain >= least))) continue;
      if (offer.intrinsic <= (settings_.ratio ? std::max(settings_.slack, TIE) : TIE)) continue;
      offer.score = settings_.ratio ? offer.gain / offer.intrinsic : offer.gain;
      auto at = ranked.begin();
      while (at != ranked.end() && !is_better(offer.score, (*at)->score)) ++at;
      if (at == ranked.end() && ranked.size() == most) continue;
      ranked.insert(at, &offer);
      if (ranked.size() > most) ranked.pop_back();
    }
    if (!ranked.empty() && !(ranked[0]->score >= settings_.epsilon - TIE * settings_.epsilon)) ranked.clear();
    return ranked;
  }

  double average(const std::vector<Offer>& offers) const {
    double sum = 0.0;
    int n = 0;
    for (const Offer& offer : offers) {
      if (offer.feature < 0 || !counted_[static_cast<std::size_t>(offer.feature)]) continue;
      sum += offer.gain;
      ++n;
    }
    return n > 0 ? sum / n : std::numeric_limits<double>::infinity();
  }

  const std::vector<Column>& columns_;
  const int n_classes_;
  const Settings settings_;
  const Measure f_;
  std::vector<char> counted_;
  double root_weight_ = 1.0;
};

}  // namespace boxwood::multiway

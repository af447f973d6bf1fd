// Best split of one node: what every feature offers, the filter of above-average gains, the ranking.
// Invariant: offers are compared in column order with the tie rule, so the result does not depend on who searched what.
// Cost: one or two passes over the node's list a feature. Source: SPECS 2, 3, 4.1, 4.2, 4.4, 4.5.
#pragma once

#include <optional>

#include "cuts.hpp"
#include "levels.hpp"

namespace boxwood::multiway {

// What is known of a node before it is split.
struct Facts {
  std::vector<std::int64_t> classes;
  std::int64_t weight = 0;
  std::uint32_t rows = 0;
  std::int32_t depth = 0;

  bool pure() const { return std::count_if(classes.begin(), classes.end(), [](std::int64_t w) { return w > 0; }) < 2; }
};

// What a feature offers at a node: a cut, one branch a level, or groups of levels.
struct Offer {
  std::int32_t feature = -1;
  std::uint32_t slot = 0;      // of the node's columns
  double gain = 0.0;           // per unit of weight, less the charge
  double intrinsic = 0.0;      // intrinsic value in bits
  double score = 0.0;          // what features are ranked by
  bool is_cut = false;
  std::uint32_t below = 0, above = 0;
  std::vector<std::uint32_t> group;  // branch of each level, where they are grouped
  std::int32_t n_branches = 2;       // without one for missing values
  bool has_own_branch = false;       // missing values have the last one

  std::uint32_t branch_of(std::uint32_t code) const { return is_cut ? code > below : group.empty() ? code : group[code]; }
};

struct Found {
  Offer split;
  std::vector<Offer> competitors;
};

template <class Measure>
class Search {
 public:
  Search(const std::vector<Column>& columns, const Response& y, const Settings& settings, double unit, std::size_t n, int members)
      : columns_(columns), n_classes_(std::max(y.n_classes, 2)), settings_(settings), f_(unit, n), scratch_(members) {
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
  void set_root(const Facts& root) { root_weight_ = f_.true_weight(root.weight); }

  bool is_open(const Facts& node) const {
    return static_cast<std::int64_t>(node.rows) >= settings_.min_samples_split && !node.pure() &&
           (settings_.max_depth < 0 || node.depth < settings_.max_depth) &&
           f_.true_weight(node.weight) >= 2 * settings_.min_branch_weight - SLIGHT;
  }

  bool is_multiway(std::size_t j) const {
    return columns_[j].kind == Kind::nominal || (columns_[j].kind == Kind::ordinal && settings_.ordinal_levels);
  }
  bool is_grouped(std::size_t j) const { return settings_.grouping && columns_[j].kind == Kind::nominal && columns_[j].n_codes > 2; }

  // The split of a node, or nothing. `alive`: whether each of its columns may still tell samples apart below.
  std::optional<Found> split(const Block& block, const Facts& facts, std::vector<char>& alive, Team* team, int member) {
    auto& offers = scratch_[member].offers;
    offers.resize(block.columns.size());
    alive.assign(block.columns.size(), 1);
    const auto ask = [&](std::size_t slot, int m) { alive[slot] = look(block, slot, facts, scratch_[m], offers[slot]); };
    if (team) {
      team->run(offers.size(), ask);
    } else {
      for (std::size_t slot = 0; slot < offers.size(); ++slot) ask(slot, member);
    }
    auto ranked = settings_.in_order() ? as_asked(block, offers) : by_score(offers, facts);
    if (ranked.empty()) return std::nullopt;
    Found found;
    found.split = std::move(*ranked[0]);
    for (std::size_t i = 1; i < ranked.size(); ++i) found.competitors.push_back(std::move(*ranked[i]));
    return found;
  }

 private:
  static constexpr double MANY_LEVELS = 0.3;  // nominal features of so many levels a row do not count in the average

  struct Scratch {
    std::vector<Offer> offers;
    std::vector<std::int64_t> known, unknown, left;
    LevelTable table;
    std::vector<std::int64_t> branch_weights;
    std::vector<std::uint32_t> branch_rows;
    std::vector<std::int64_t> branch_classes;
  };

  // Fills what a feature offers (feature -1: nothing); false when it can offer nothing further down either.
  bool look(const Block& block, std::size_t slot, const Facts& facts, Scratch& scratch, Offer& out) {
    out.feature = -1;
    const std::size_t j = block.columns[slot];
    const Entry* entries = block.list(slot);
    const std::uint32_t count = block.known(slot);
    const bool own = settings_.unknown == Unknown::own_branch && count < block.size;
    if (count == 0) return false;
    const bool constant = code_of(entries[0]) == code_of(entries[count - 1]);
    if (constant && !(own && is_multiway(j))) return false;
    scratch.known = facts.classes;
    scratch.unknown.assign(facts.classes.size(), 0);
    for (std::uint32_t i = count; i < block.size; ++i) scratch.unknown[block.class_of(entries[i])] += block.weight_of(entries[i]);
    Known known{entries, count, scratch.known.data(), facts.weight};
    for (int k = 0; k < n_classes_; ++k) {
      scratch.known[k] -= scratch.unknown[k];
      known.weight -= scratch.unknown[k];
    }
    out.slot = static_cast<std::uint32_t>(slot);
    out.has_own_branch = own;
    out.group.clear();
    const bool offers = is_multiway(j) ? offer_levels(block, j, known, facts, scratch, out) : offer_cut(block, j, known, facts, scratch, out);
    if (offers && out.gain * f_.true_weight(facts.weight) / root_weight_ + 1e-15 >= settings_.min_impurity_decrease)
      out.feature = static_cast<std::int32_t>(j);
    return true;
  }

  bool offer_cut(const Block& block, std::size_t j, const Known& known, const Facts& facts, Scratch& scratch, Offer& out) {
    const double total = f_.true_weight(facts.weight);
    const std::int64_t unknown = facts.weight - known.weight;
    Bar bar{0.0, 0.0, total};
    if (out.has_own_branch) {
      bar.offset = bits(f_, facts.classes.data(), n_classes_) - bits(f_, known.classes, n_classes_) -
                   bits(f_, scratch.unknown.data(), n_classes_);
      bar.least = -bar.offset;
    }
    CutScan<Measure> scan(f_, settings_, columns_[j], block, n_classes_, scratch.left);
    const Cutting cut = scan.search(known, bar);
    if (!cut.found) return false;
    const double charge = settings_.charge ? std::log2(static_cast<double>(cut.tries)) : 0.0;
    out.gain = (cut.bits + bar.offset - charge) / total;
    out.intrinsic = (f_(facts.weight) - f_(cut.low) - f_(known.weight - cut.low) - f_(unknown)) / total;
    out.is_cut = true;
    out.below = cut.below;
    out.above = cut.above;
    out.n_branches = 2;
    return true;
  }

  bool offer_levels(const Block& block, std::size_t j, const Known& known, const Facts& facts, Scratch& scratch, Offer& out) {
    auto& table = scratch.table;
    table.collect(block, known.entries, known.count, n_classes_);
    out.is_cut = false;
    out.n_branches = static_cast<std::int32_t>(columns_[j].n_codes);
    if (is_grouped(j)) {
      Grouping<Measure> grouping(f_, settings_, n_classes_, facts.weight, known.classes);
      out.n_branches = grouping.search(table, columns_[j].n_codes, out.group);
    }
    sum_branches(out, scratch);
    const auto& weights = scratch.branch_weights;
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
      if (!count_in(weights[b], scratch.branch_rows[b], scratch.branch_classes.data() + b * static_cast<std::size_t>(n_classes_)))
        return false;
    const std::int64_t unknown = facts.weight - known.weight;
    double whole = bits(f_, known.classes, n_classes_);
    if (out.has_own_branch) {
      count_in(unknown, block.size - known.count, scratch.unknown.data());
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

  // Weights, rows and classes of the branches that levels of the table go to; of each level itself where they are not grouped.
  void sum_branches(const Offer& out, Scratch& scratch) const {
    const auto& table = scratch.table;
    const std::size_t size = out.group.empty() ? table.size() : static_cast<std::size_t>(out.n_branches);
    const auto k_classes = static_cast<std::size_t>(n_classes_);
    scratch.branch_weights.assign(size, 0);
    scratch.branch_rows.assign(size, 0);
    scratch.branch_classes.assign(size * k_classes, 0);
    for (std::size_t v = 0; v < table.size(); ++v) {
      const std::size_t b = out.group.empty() ? v : out.group[table.levels[v]];
      scratch.branch_weights[b] += table.weights[v];
      scratch.branch_rows[b] += table.rows[v];
      for (std::size_t k = 0; k < k_classes; ++k) scratch.branch_classes[b * k_classes + k] += table.classes[v * k_classes + k];
    }
  }

  // CLS: the first feature in the given order, then the next ones.
  std::vector<Offer*> as_asked(const Block& block, std::vector<Offer>& offers) const {
    std::vector<Offer*> ranked;
    const std::size_t most = static_cast<std::size_t>(settings_.max_competitors) + 1;
    for (const std::int32_t j : settings_.order) {
      const auto at = std::lower_bound(block.columns.begin(), block.columns.end(), static_cast<std::uint32_t>(j));
      if (at == block.columns.end() || *at != static_cast<std::uint32_t>(j)) continue;
      Offer& offer = offers[static_cast<std::size_t>(at - block.columns.begin())];
      offer.score = offer.gain;
      if (offer.feature >= 0 && ranked.size() < most) ranked.push_back(&offer);
    }
    return ranked;
  }

  std::vector<Offer*> by_score(std::vector<Offer>& offers, const Facts&) const {
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
  std::vector<Scratch> scratch_;
  std::vector<char> counted_;
  double root_weight_ = 1.0;
};

}  // namespace boxwood::multiway

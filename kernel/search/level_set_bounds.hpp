// About how much a set of levels takes away, kept in a few steps while levels join the set and leave it.
// Invariant: the true decrease lies within `doubt` of `about`; who wants it exactly asks the measure.
// Cost: Gini a step of wide registers for eight sets and one for each level that moves, whatever the classes, by the
// inner products of all pairs of levels; entropy a look into a table for each class of the level that moves, two
// logarithms where many levels have the class.
#pragma once

#include <cmath>
#include <limits>

#include "response/measures.hpp"
#include "search/level_masses.hpp"
#include "search/level_set_simd.hpp"
#include "search/log_simd.hpp"

namespace boxwood {

// What the partition into two sets takes away, more or less.
struct Reach {
  double about = 0, doubt = 0;
  double most() const { return about + doubt; }
  double least() const { return about - doubt; }
};

// Rows on the left of a split, and whether both sides keep enough.
struct RowsLeft {
  std::int64_t left = 0, all = 0, least = 1;
  bool allowed() const { return left >= least && all - left >= least; }
};

// Rounding of a sum of up to 2^10 terms, in shares of the largest.
constexpr double ROUNDING = 1e-12;

class GiniSets {
 public:
  // `whole`: masses are whole numbers, so that sums of their products are exact.
  void ask(const LevelMasses& levels, bool whole) {
    levels_ = &levels;
    whole_ = whole;
    of_all_ = dot(levels.total.data(), levels.total.data(), levels.width);
  }

  // What all groups apart take away: no two sets of them take more.
  Reach apart() const {
    double sum = levels_->n_missing > 0
                     ? dot(levels_->missing.data(), levels_->missing.data(), levels_->width) / levels_->n_missing
                     : 0.0;
    for (std::size_t g = 0; g < levels_->groups; ++g)
      sum += dot(levels_->of(g), levels_->of(g), levels_->width) / levels_->whole[g];
    return {sum - of_all_ / levels_->n, ROUNDING * levels_->n};
  }

  void prepare() {
    const LevelMasses& levels = *levels_;
    const std::size_t groups = levels.groups, width = levels.width;
    stride_ = (groups + 3) / 4 * 4;
    products_.assign(groups * stride_, 0.0);
    with_all_.resize(groups);
    for (std::size_t g = 0; g < groups; ++g) {
      with_all_[g] = dot(levels.of(g), levels.total.data(), width);
      for (std::size_t h = 0; h <= g; ++h)
        products_[g * stride_ + h] = products_[h * stride_ + g] = dot(levels.of(g), levels.of(h), width);
    }
  }

  // What every set takes away at most goes to `most`, where that is more; returns what some set takes away at least.
  double look(const std::vector<std::int64_t>& rows, const RowsLeft& of, bool missing_left, std::vector<double>& most) {
    const LevelMasses& levels = *levels_;
    const double *missing = levels.missing.data(), n = levels.n;
    with_left_.assign(stride_, 0.0);
    set_lanes::Left left{0, 0, 0, static_cast<double>(of.left), with_left_.data()};
    if (missing_left) {
      left.mass = levels.n_missing;
      left.squares = dot(missing, missing, levels.width);
      left.along = dot(missing, levels.total.data(), levels.width);
      for (std::size_t g = 0; g < levels.groups; ++g) with_left_[g] = dot(missing, levels.of(g), levels.width);
    }
    const double doubt = whole_ ? ROUNDING / 100 * n : 0.0, per_share = whole_ ? 0.0 : ROUNDING * n * n;
    const set_lanes::Asked asked{products_.data(),
                                 with_all_.data(),
                                 levels.whole.data(),
                                 stride_,
                                 n,
                                 of_all_,
                                 doubt,
                                 per_share,
                                 rows.data(),
                                 static_cast<double>(of.all),
                                 static_cast<double>(of.least)};
    reaches_.sure.resize(most.size());
    reaches_.most.resize(most.size());
    set_lanes::look(asked, left, reaches_);
    set_lanes::raise_each(reaches_.most.data(), most.size(), most.data());
    return set_lanes::most_of(reaches_.sure);
  }

 private:
  static double dot(const double* a, const double* b, std::size_t width) {
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += a[k] * b[k];
    return sum;
  }

  const LevelMasses* levels_ = nullptr;
  std::vector<double> products_, with_all_, with_left_;
  set_lanes::Reaches reaches_;
  std::size_t stride_ = 0;  // groups, rounded up
  bool whole_ = false;
  double of_all_ = 0;
};

class EntropySets {
 public:
  // `table`: x log2 x of whole numbers, nullptr when masses are not whole or nobody has made one.
  void look_up(const double* table) { table_ = table; }

  void ask(const LevelMasses& levels, bool) {
    levels_ = &levels;
    of_all_ = x(levels.n) - sum_of(levels.total);
    parts_.clear();
    part_masses_.clear();
    begins_.assign(1, 0);
    for (std::size_t g = 0; g < levels.groups; ++g) {
      for (std::size_t k = 0; k < levels.width; ++k) {
        if (levels.of(g)[k] == 0) continue;
        parts_.push_back({k, 0, levels.of(g)[k]});
        part_masses_.push_back(levels.of(g)[k]);
      }
      begins_.push_back(parts_.size());
    }
  }

  Reach apart() const {
    const double missing = levels_->n_missing > 0 ? sum_of(levels_->missing) - x(levels_->n_missing) : 0.0;
    return {of_all_ + sum_of(part_masses_) - sum_of(levels_->whole) + missing, doubt()};
  }

  // Numbers the levels of each class.
  void prepare() {
    lines_.assign(levels_->width, {});
    for (Part& part : parts_) {
      Line& line = lines_[part.k];
      part.bit = line.levels < FEW ? std::size_t{1} << line.levels : 0;
      ++line.levels;
    }
  }

  // As GiniSets::look.
  double look(const std::vector<std::int64_t>& rows_of, RowsLeft rows, bool missing_left, std::vector<double>& most) {
    start(missing_left);
    sides_of_.assign(most.size(), -std::numeric_limits<double>::infinity());
    mass_of_.assign(most.size(), 0.0);
    for (std::uint64_t i = 1; i < most.size(); ++i) {
      const auto [g, sign] = moved_to(i);
      move(g, sign);
      rows.left += sign * rows_of[g];
      if (!rows.allowed()) continue;
      sides_of_[i] = sides_;
      mass_of_[i] = mass_;
    }
    log_lanes::take_sides(mass_of_.data(), levels_->n, of_all_, most.size(), sides_of_.data());
    const double doubted = doubt(), sure = set_lanes::most_of(sides_of_) - doubted;
    for (double& about : sides_of_) about += doubted;
    set_lanes::raise_each(sides_of_.data(), most.size(), most.data());
    return sure;
  }

 private:
  static constexpr std::size_t FEW = 5;  // levels: of a class that no more have, all sets are tabled

  void start(bool missing_left) {
    const LevelMasses& levels = *levels_;
    left_.assign(levels.width, 0.0);
    if (missing_left) left_ = levels.missing;
    mass_ = missing_left ? levels.n_missing : 0.0;
    sides_ = 0;
    of_.resize(levels.width);
    for (std::size_t k = 0; k < levels.width; ++k) sides_ += of_[k] = of_class(k);
    table_all();
  }

  void move(std::size_t g, int sign) {
    mass_ += sign * levels_->whole[g];
    for (std::size_t i = begins_[g]; i < begins_[g + 1]; ++i) {
      const auto& [k, bit, mass] = parts_[i];
      Line& line = lines_[k];
      double now;
      if (line.levels <= FEW) {
        line.set ^= bit;
        now = sums_[line.begin + line.set];
      } else {
        left_[k] += sign * mass;
        now = of_class(k);
      }
      sides_ += now - of_[k];
      of_[k] = now;
    }
  }

  // What a level has of class k; `bit`: the level's number among those that have it.
  struct Part {
    std::size_t k, bit;
    double mass;
  };
  // A class: how many levels have it, which of them are on the left, where its table begins.
  struct Line {
    std::size_t levels = 0, set = 0, begin = 0;
  };

  // What both sides of a class add, for every set of the levels that have it.
  void table_all() {
    std::size_t size = 0;
    for (Line& line : lines_) {
      line.set = 0;
      line.begin = size;
      if (line.levels <= FEW) size += std::size_t{1} << line.levels;
    }
    masses_.resize(size);
    sums_.resize(size);
    totals_.resize(size);
    for (std::size_t k = 0; k < lines_.size(); ++k)
      if (lines_[k].levels <= FEW) masses_[lines_[k].begin] = left_[k];
    for (const auto& [k, bit, mass] : parts_) {
      if (lines_[k].levels > FEW) continue;
      double* of_sets = masses_.data() + lines_[k].begin;
      for (std::size_t set = 0; set < bit; ++set) of_sets[set + bit] = of_sets[set] + mass;
    }
    for (std::size_t k = 0; k < lines_.size(); ++k)
      if (lines_[k].levels <= FEW)
        std::fill_n(totals_.begin() + lines_[k].begin, std::size_t{1} << lines_[k].levels, levels_->total[k]);
    if (!table_) return log_lanes::add_sides(masses_.data(), totals_.data(), size, sums_.data());
    for (std::size_t i = 0; i < size; ++i) sums_[i] = x(masses_[i]) + x(totals_[i] - masses_[i]);
  }

  double sum_of(const std::vector<double>& masses) const {
    if (!table_) return log_lanes::sum(masses.data(), masses.size());
    double sum = 0;
    for (const double mass : masses) sum += x(mass);
    return sum;
  }
  double x(double mass) const { return table_ ? table_[static_cast<std::size_t>(mass)] : x_log2_x(mass); }
  double of_class(std::size_t k) const { return x(left_[k]) + x(levels_->total[k] - left_[k]); }
  double doubt() const { return 1000 * ROUNDING * levels_->n * (1 + std::abs(std::log2(levels_->n))); }

  const double* table_ = nullptr;
  const LevelMasses* levels_ = nullptr;
  std::vector<Part> parts_;
  std::vector<double> part_masses_;
  std::vector<std::size_t> begins_;
  std::vector<Line> lines_;
  std::vector<double> sides_of_, mass_of_;  // of each set: what all classes add, the mass on the left
  std::vector<double> masses_, totals_,
      sums_;  // of sets of levels, class by class: mass on the left, on both sides, what both add
  std::vector<double> left_, of_;  // by class: mass on the left, what both sides of it add
  double of_all_ = 0, sides_ = 0, mass_ = 0;
};

}  // namespace boxwood

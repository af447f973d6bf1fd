// Thresholds of bins: midway between the greatest value of one and the least value of the next, found when they are
// asked for. Invariant: behind the last bin stands its greatest value. Cost: one pass over the codes of the columns
// asked about, 0.6 ns a value, and over the values of the bins about each cut; where there are planes 0.1 ns a value,
// and over those of the cells about each cut. What was found once is kept.
#pragma once

#include <mutex>

#include "encode/coded_columns.hpp"

namespace boxwood::coded {

// As cut_between in columns.hpp, for plain numbers.
inline double cut_between_numbers(double below, double above) {
  const double middle = below + (above - below) / 2;
  return std::isfinite(below) && std::isfinite(above) && middle < above && std::isfinite(middle) ? middle : below;
}

class Thresholds {
 public:
  explicit Thresholds(const CodedColumns& of) : of_(of), ends_(of.p), known_(of.p) {}

  struct Place {
    std::size_t column, bin;
  };

  // The threshold behind each of some bins.
  std::vector<double> behind(const std::vector<Place>& places, Team& team) {
    const std::lock_guard lock(mutex_);
    find(places, team);
    std::vector<double> out;
    for (const auto& [j, bin] : places) {
      const auto& ends = ends_[j];
      out.push_back(bin + 1 < ends.size() ? cut_between_numbers(ends[bin].last, ends[bin + 1].first) : ends[bin].last);
    }
    return out;
  }

 private:
  static constexpr std::size_t TOGETHER = 16;  // columns whose values are fetched at a time
  struct Ends {
    double first = std::numeric_limits<double>::infinity(), last = -first;
    void join(const Ends& o) {
      first = std::min(first, o.first);
      last = std::max(last, o.last);
    }
  };
  struct Wish {
    std::size_t column;
    std::vector<std::uint8_t> wanted;  // ends by code, shifted
  };

  // Bins of 256 codes each need a table of 256.
  int shift(std::size_t j) const { return of_.bins_of(j).stride() == BINS ? 8 : 0; }

  void find(const std::vector<Place>& places, Team& team) {
    const std::vector<Wish> wishes = wishes_for(places);
    if (wishes.empty()) return;
    std::vector<std::vector<std::vector<Ends>>> found(team.size());
    for (auto& of_member : found)
      for (const Wish& wish : wishes) of_member.emplace_back(ends_[wish.column].size());
    each_chunk(of_, team, [&](std::size_t from, std::size_t rows, std::size_t, int member) {
      for (std::size_t first = 0; first < wishes.size(); first += TOGETHER)
        look(&wishes[first], std::min(TOGETHER, wishes.size() - first), from, rows, &found[member][first]);
    });
    for (const auto& of_member : found)
      for (std::size_t k = 0; k < wishes.size(); ++k)
        for (std::size_t bin = 0; bin < of_member[k].size(); ++bin)
          ends_[wishes[k].column][bin].join(of_member[k][bin]);
  }

  // The ends not yet known, by column.
  std::vector<Wish> wishes_for(const std::vector<Place>& places) {
    std::vector<Wish> out;
    std::vector<std::size_t> wish_of(of_.p);  // plus one
    const auto want = [&](std::size_t j, std::size_t bin, std::uint8_t end) {
      if (ends_[j].empty()) {
        ends_[j].resize(of_.bins_of(j).size());
        known_[j].resize(ends_[j].size());
      }
      if (bin >= ends_[j].size() || (known_[j][bin] & end)) return;
      known_[j][bin] |= end;
      if (wish_of[j] == 0) {
        out.push_back({j, std::vector<std::uint8_t>((std::size_t{NOTHING} >> shift(j)) + 1)});
        wish_of[j] = out.size();
      }
      out[wish_of[j] - 1].wanted[of_.bins_of(j).code(bin) >> shift(j)] |= end;
    };
    for (const auto& [j, bin] : places) {
      want(j, bin, LAST);
      want(j, bin + 1, FIRST);
    }
    return out;
  }

  // Some columns at once: while the rows of one are looked for, the values of others are on their way.
  void look(const Wish* wishes, std::size_t n_wishes, std::size_t from, std::size_t rows,
            std::vector<Ends>* found) const {
    std::uint16_t met[TOGETHER][CHUNK];
    std::size_t n_met[TOGETHER];
    for (std::size_t k = 0; k < n_wishes; ++k) {
      const RawColumn& raw = of_.raw[wishes[k].column];
      n_met[k] = meet(wishes[k], from, rows, met[k]);
      for (std::size_t i = 0; i < n_met[k]; ++i) __builtin_prefetch(raw.at(from + met[k][i]));
    }
    for (std::size_t k = 0; k < n_wishes; ++k) {
      const std::size_t j = wishes[k].column;
      const std::uint8_t* plane = of_.plane(j);
      const std::uint32_t stride = of_.bins_of(j).stride();
      for (std::size_t i = 0; i < n_met[k]; ++i) {
        const std::size_t row = from + met[k][i];
        const double x = of_.raw[j][row];
        found[k][plane ? plane[row] : *of_.at(row, j) / stride].join({x, x});
      }
    }
  }

  // The rows among which the wanted ends are, as numbers from 0 on; how many.
  std::size_t meet(const Wish& wish, std::size_t from, std::size_t rows, std::uint16_t* met) const {
    const std::size_t j = wish.column;
    if (const std::uint8_t* plane = of_.plane(j))
      return meet_ends(plane + from, of_.fringe(j, from), rows, wish.wanted.data(), met);
    const Code* codes = of_.at(from, j);
    const int shift = this->shift(j);
    std::size_t n_met = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      met[n_met] = static_cast<std::uint16_t>(r);
      n_met += wish.wanted[codes[r * of_.p] >> shift] != 0;
    }
    return n_met;
  }

  const CodedColumns& of_;
  std::vector<std::vector<Ends>> ends_;  // of each bin of the columns asked about
  std::vector<std::vector<std::uint8_t>> known_;  // which of them are known
  std::mutex mutex_;
};

}  // namespace boxwood::coded

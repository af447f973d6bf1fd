// Thresholds of bins: midway between the greatest value of one and the least value of the next, found when they are asked for.
// Invariant: behind the last bin stands its greatest value. Cost: one pass over the codes of the columns asked about, 0.6 ns a value, and
// over the values of the bins about each cut; what was found once is kept.
#pragma once

#include <mutex>

#include "coded_columns.hpp"

namespace boxwood::coded {

// As cut_between in columns.hpp, for plain numbers.
inline double cut_between_numbers(double below, double above) {
  const double middle = below + (above - below) / 2;
  return std::isfinite(below) && std::isfinite(above) && middle < above && std::isfinite(middle) ? middle : below;
}

class Thresholds {
 public:
  explicit Thresholds(const CodedColumns& of) : of_(of), ends_(of.p) {}

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
  struct Ends {
    double first = std::numeric_limits<double>::infinity(), last = -first;
    bool known = false;
  };

  // Bins of 256 codes each need a table of 256.
  int shift(std::size_t j) const { return of_.bins_of(j).stride() == BINS ? 8 : 0; }

  void find(const std::vector<Place>& places, Team& team) {
    std::vector<std::size_t> columns;
    std::vector<std::vector<std::uint8_t>> wanted(of_.p);  // by code, shifted
    const auto want = [&](std::size_t j, std::size_t bin) {
      if (ends_[j].empty()) ends_[j].resize(of_.bins_of(j).size());
      if (bin >= ends_[j].size() || std::exchange(ends_[j][bin].known, true)) return;
      if (wanted[j].empty()) {
        wanted[j].resize((std::size_t{NOTHING} >> shift(j)) + 1);
        columns.push_back(j);
      }
      wanted[j][of_.bins_of(j).code(bin) >> shift(j)] = 1;
    };
    for (const auto& [j, bin] : places) {
      want(j, bin);
      want(j, bin + 1);
    }
    if (columns.empty()) return;
    std::vector<std::vector<std::vector<Ends>>> found(team.size(), ends_);
    each_chunk(of_, team, [&](std::size_t from, std::size_t rows, std::size_t, int member) {
      for (const std::size_t j : columns) look(j, from, rows, wanted[j].data(), found[member][j]);
    });
    for (const auto& of_member : found)
      for (const std::size_t j : columns)
        for (std::size_t bin = 0; bin < ends_[j].size(); ++bin) {
          ends_[j][bin].first = std::min(ends_[j][bin].first, of_member[j][bin].first);
          ends_[j][bin].last = std::max(ends_[j][bin].last, of_member[j][bin].last);
        }
  }

  void look(std::size_t j, std::size_t from, std::size_t rows, const std::uint8_t* wanted, std::vector<Ends>& ends) const {
    const Code* codes = of_.at(from, j);
    const std::uint8_t* plane = of_.plane(j);
    const int shift = this->shift(j);
    std::uint16_t met[CHUNK];
    std::size_t n_met = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      met[n_met] = static_cast<std::uint16_t>(r);
      n_met += wanted[plane ? plane[from + r] : codes[r * of_.p] >> shift];
    }
    const std::uint32_t stride = of_.bins_of(j).stride();
    for (std::size_t k = 0; k < n_met; ++k) {
      const double x = of_.raw[j][from + met[k]];
      Ends& here = ends[plane ? plane[from + met[k]] : codes[met[k] * of_.p] / stride];
      here.first = std::min(here.first, x);
      here.last = std::max(here.last, x);
    }
  }

  const CodedColumns& of_;
  std::vector<std::vector<Ends>> ends_;  // of each bin of the columns asked about
  std::mutex mutex_;
};

}  // namespace boxwood::coded

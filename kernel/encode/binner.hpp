// Cuts columns of many values into bins and codes them by their bins: values become cells, cells are counted, cells
// become codes. Invariant: as in encode/bin_cuts.hpp and bins.hpp; every row is counted, and nothing depends on who
// counts which. Cost: about 1.5 ns a value. The values are read once, unless a cell holds more rows than a bin should.
#pragma once

#include <unordered_set>

#include "encode/bucket_counts.hpp"
#include "encode/coded_columns.hpp"

namespace boxwood::coded {

class Binner {
 public:
  // At most `most` bins a column.
  Binner(CodedColumns& of, std::uint32_t most, Team& team) : of_(of), most_(most), team_(team) {
    for (std::size_t j = 0; j < of.cuts; ++j)
      if (of.raw[j].kind == Kind::numeric) numeric_.push_back(j);
  }

  // Columns of at most `most` values are left alone.
  void bin() {
    for (std::size_t first = 0; first < numeric_.size(); first += TOGETHER) {
      columns_.assign(numeric_.begin() + static_cast<std::ptrdiff_t>(first),
                      numeric_.begin() + static_cast<std::ptrdiff_t>(std::min(first + TOGETHER, numeric_.size())));
      count();
      found_.assign(columns_.size(), std::nullopt);
      team_.run(columns_.size(), [&](std::size_t c, int) { find(c); });
      while (look_closer()) {
      }
      team_.run(columns_.size(), [&](std::size_t c, int) { settle(c); });
      code();
    }
  }

 private:
  // Rows above which bins stand in planes too: no fewer are parted by a team.
  static constexpr std::size_t IN_PLANES = 1024;
  bool has_planes() const { return most_ < BINS && of_.n > IN_PLANES; }
  // Columns whose cells are counted at a time.
  static constexpr std::size_t TOGETHER = 32;

  void count() {
    if (counts_.empty())
      for (int m = 0; m < team_.size(); ++m) counts_.emplace_back(columns_.size());
    for (CellCounts& counts : counts_) counts.clear();
    each_chunk(of_, team_, [&](std::size_t from, std::size_t rows, std::size_t, int member) {
      Magnitudes met[TOGETHER];
      for (std::size_t c = 0; c < columns_.size();) c += write_cells(c, from, rows, met + c);
      for (std::size_t c = 0; c < columns_.size(); ++c)
        counts_[member].add(c, of_.at(from, columns_[c]), rows, of_.p, met[c]);
    });
  }

  // Cells of a column and of those beside it that go with it, where their codes will be, and which magnitudes they
  // have; how many columns they are.
  std::size_t write_cells(std::size_t c, std::size_t from, std::size_t rows, Magnitudes* met) {
    const std::size_t j = columns_[c];
    std::size_t end = c + 1;
    while (end < columns_.size() && columns_[end] == j + (end - c)) ++end;
    const std::size_t width = of_.side_by_side(j, j + (end - c)), done = width == 16 ? 16 : width >= 4 ? 4 : 1;
    const std::ptrdiff_t step = of_.raw[j].step;
    Code* out = of_.at(from, j);
    of_.typed(j, from, [&](const auto* values) {
      if (done == 16) return cells_16(values, step, rows, out, of_.p);
      if (done == 4) return cells_4(values, step, rows, out, of_.p);
      std::uint16_t cells[CHUNK];
      cells_1(values, step, rows, cells);
      *met = magnitudes_1(cells, rows);
      of_.spread(cells, rows, out);
    });
    if (done > 1) find_magnitudes(j, from, rows, done, met);
    return done;
  }

  // Of at most 16 columns from j on: 16 cells side by side are looked at, whatever those beside these hold.
  void find_magnitudes(std::size_t j, std::size_t from, std::size_t rows, std::size_t columns, Magnitudes* met) const {
    constexpr std::size_t WIDE = 16;
    Magnitudes here[WIDE];
    if (of_.p >= WIDE) {
      const std::size_t first = std::min(j, of_.p - WIDE);
      magnitudes_16(of_.at(from, first), rows, of_.p, here);
      std::copy_n(here + (j - first), columns, met);
      return;
    }
    // In a narrow table 16 cells reach into the rows that follow; the last rows, whose followers another member writes,
    // are copied first.
    const std::size_t safe = rows > WIDE ? rows - WIDE : 0;
    std::uint16_t last[WIDE * WIDE];
    std::fill_n(last, WIDE * WIDE, NO_CELL);
    for (std::size_t r = safe; r < rows; ++r) std::copy_n(of_.at(from + r, j), columns, last + (r - safe) * WIDE);
    magnitudes_16(of_.at(from, j), safe, of_.p, here);
    std::copy_n(here, columns, met);
    magnitudes_16(last, rows - safe, WIDE, here);
    for (std::size_t k = 0; k < columns; ++k) met[k].join(here[k]);
  }

  void find(std::size_t c) {
    auto cells = take_cells(c);
    if (cells.size() > most_ || has_more_values(columns_[c])) found_[c].emplace(std::move(cells), most_);
  }

  // The cells that hold rows.
  std::vector<Stretch> take_cells(std::size_t c) {
    std::vector<Stretch> out;
    out.reserve(4096);
    for (std::uint32_t from = 0; from <= NO_CELL; from += STRETCH) {
      std::uint32_t rows[STRETCH], any = 0;
      for (const CellCounts& counts : counts_) {
        const std::uint32_t* part = counts.stretch(c, from);
        if (!part) continue;
        if (any == 0) std::fill_n(rows, STRETCH, 0u);
        any |= add_stretch(part, rows);
      }
      if (any == 0) continue;
      for (std::uint32_t i = 0; i < STRETCH; ++i) {
        if (rows[i] == 0) continue;
        if (from + i == NO_CELL)
          of_.gaps[columns_[c]] = 1;
        else
          out.push_back({start_of_cell(from + i), last_of_cell(from + i), rows[i], false});
      }
    }
    return out;
  }

  bool has_more_values(std::size_t j) const {
    std::unordered_set<std::uint64_t> met;
    std::vector<std::uint64_t> in_cell(CELLS + 1, 0);  // the value met last
    for (std::size_t i = 0; i < of_.n; ++i) {
      const std::uint16_t cell = *of_.at(i, j);
      if (cell == NO_CELL) continue;
      const std::uint64_t key = ordered_bits(of_.raw[j][i]);
      if (std::exchange(in_cell[cell], key) != key && met.insert(key).second && met.size() > most_) return true;
    }
    return false;
  }

  // One pass over the columns that have a heavy stretch; false when none has.
  bool look_closer() {
    std::vector<std::size_t> heavy;
    std::vector<std::vector<Cuts::Parts>> parts(team_.size(), std::vector<Cuts::Parts>(columns_.size()));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::size_t size = found_[c] ? found_[c]->find_heavy() : 0;
      if (size == 0) continue;
      heavy.push_back(c);
      for (auto& of_member : parts) of_member[c].resize(size);
    }
    if (heavy.empty()) return false;
    each_chunk(of_, team_, [&](std::size_t from, std::size_t rows, std::size_t, int member) {
      for (const std::size_t c : heavy) count_parts(c, from, rows, parts[member][c]);
    });
    team_.run(heavy.size(), [&](std::size_t k, int) {
      const std::size_t c = heavy[k];
      for (std::size_t m = 1; m < parts.size(); ++m)
        for (std::size_t i = 0; i < parts[0][c].size(); ++i) parts[0][c][i].add(parts[m][c][i]);
      found_[c]->look_closer(parts[0][c]);
    });
    return true;
  }

  void count_parts(std::size_t c, std::size_t from, std::size_t rows, Cuts::Parts& parts) const {
    const std::size_t j = columns_[c];
    const Cuts& cuts = *found_[c];
    std::uint16_t met[CHUNK];
    std::size_t n_met = 0;
    const Code* cells = of_.at(from, j);
    for (std::size_t r = 0; r < rows; ++r) {
      met[n_met] = static_cast<std::uint16_t>(r);
      n_met += cuts.is_heavy(cells[r * of_.p]);
    }
    for (std::size_t k = 0; k < n_met; ++k) cuts.count(cells[met[k] * of_.p], of_.raw[j][from + met[k]], parts);
  }

  void settle(std::size_t c) {
    if (!found_[c]) return;
    auto found = found_[c]->found();
    if (found.cuts.empty()) return;
    Magnitudes met;
    for (const CellCounts& counts : counts_) met.join(counts.met(c));
    (*of_.bins)[columns_[c]].emplace(std::move(found), met, has_planes());
    of_.codings[columns_[c]].kind = Coding::Kind::binned;
  }

  void code() {
    if (std::none_of(columns_.begin(), columns_.end(), [&](std::size_t j) { return of_.is_binned(j); })) return;
    if (!of_.planes && has_planes()) of_.make_planes();
    each_chunk(of_, team_, [&](std::size_t from, std::size_t rows, std::size_t, int) {
      for (const std::size_t j : columns_) {
        if (!of_.is_binned(j)) continue;
        Beside beside;
        if (has_planes()) beside = {of_.plane(j) + from, of_.fringe(j, from)};
        of_.bins_of(j).code_cells(
            of_.at(from, j), rows, of_.p, [&](std::size_t r) { return of_.raw[j][from + r]; }, beside);
      }
      // Whole rows: columns that are not binned get their codes later.
      if (has_planes()) unmark(of_.at(from, 0), rows * of_.p);
    });
  }

  CodedColumns& of_;
  const std::uint32_t most_;
  Team& team_;
  std::vector<std::size_t> numeric_, columns_;  // all; those at work
  std::vector<CellCounts> counts_;  // of each member
  std::vector<std::optional<Cuts>> found_;
};

}  // namespace boxwood::coded

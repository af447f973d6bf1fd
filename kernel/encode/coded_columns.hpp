// Columns where they lie, beside the codes of their values: what coders fill and searches read.
// Invariant: columns that are cut stand first; copies share the codes and the bins. Cost: none by itself.
#pragma once

#include <memory>
#include <optional>

#include "encode/bins.hpp"
#include "parallel/arena.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood::coded {

struct CodedColumns {
  std::vector<RawColumn> raw;
  std::size_t n, p, cuts = 0, coded = 0;  // rows, columns, columns that are cut, columns whose levels fit a code too
  std::shared_ptr<Code[]> codes;
  std::vector<Coding> codings;  // of columns that are cut
  std::vector<std::uint8_t> gaps;  // whether a value is missing
  std::shared_ptr<std::vector<std::optional<Bins>>> bins;  // of columns that are binned
  std::shared_ptr<std::uint8_t[]>
      planes;  // large tables in few bins: those of each column once more, one after the other
  std::shared_ptr<Fringe[]> fringes;  // where there are planes: of the rows of each column

  CodedColumns(std::vector<RawColumn> columns, std::size_t rows)
      : raw(std::move(columns)),
        n(rows),
        p(raw.size()),
        gaps(p),
        bins(std::make_shared<std::vector<std::optional<Bins>>>(p)) {
    while (cuts < p && raw[cuts].kind != Kind::nominal) ++cuts;
    coded = cuts;
    while (coded < p && raw[coded].n_levels <= MOST_LEVELS) ++coded;
    codes = room_for<Code>(n * p + SLACK);
    codings.resize(cuts);
  }

  static constexpr std::size_t SLACK = 16;  // codes are read a register at a time
  Code* at(std::size_t row, std::size_t j) const { return codes.get() + row * p + j; }
  bool is_binned(std::size_t j) const { return (*bins)[j].has_value(); }
  const Bins& bins_of(std::size_t j) const { return *(*bins)[j]; }

  // The bins of a column's rows, 255 where a value is missing; nullptr = they stand in the codes alone.
  std::uint8_t* plane(std::size_t j) const {
    return planes && is_binned(j) && bins_of(j).stride() == BINS ? planes.get() + j * n : nullptr;
  }

  // Sets up planes, readable 64 rows at a time, and fringes.
  void make_planes() {
    planes = room_for<std::uint8_t>(n * p + 64);
    fringes = room_for<Fringe>(sixty_fours() * p);
  }
  // Of the rows from one on, whose number 64 divides, where column j has a plane.
  Fringe* fringe(std::size_t j, std::size_t from) const { return fringes.get() + j * sixty_fours() + from / 64; }
  std::size_t sixty_fours() const { return (n + 63) / 64; }

  // How many columns from j on, up to `end` and 16, stand side by side in memory.
  std::size_t side_by_side(std::size_t j, std::size_t end) const {
    std::size_t width = 1;
    while (j + width < end && width < 16 && raw[j].is_beside(raw[j + width], static_cast<std::ptrdiff_t>(width)))
      ++width;
    return width;
  }

  // Calls `then` with the values of column j from a row on, as doubles or floats.
  template <class Then>
  auto typed(std::size_t j, std::size_t from, const Then& then) const {
    const RawColumn& column = raw[j];
    return column.narrow ? then(column.floats() + column.place(from)) : then(column.doubles() + column.place(from));
  }

  void spread(const Code* column, std::size_t rows, Code* out) const {
    for (std::size_t r = 0; r < rows; ++r) out[r * p] = column[r];
  }
};

// Runs task(from, rows, number, member) over chunks of CHUNK rows. A member takes neighbouring ones, about a large page
// of codes: what it writes is then its own, and the processor fetches ahead nothing that another writes.
constexpr std::size_t CHUNK = 512;
template <class Task>
void each_chunk(const CodedColumns& of, Team& team, const Task& task) {
  const std::size_t chunks = (of.n + CHUNK - 1) / CHUNK, even = chunks / (8 * static_cast<std::size_t>(team.size()));
  const std::size_t together = std::clamp<std::size_t>(even, 1, LARGE_PAGE / (CHUNK * sizeof(Code) * of.p) + 1);
  team.run((chunks + together - 1) / together, [&](std::size_t i, int member) {
    for (std::size_t k = i * together; k < std::min(chunks, (i + 1) * together); ++k)
      task(k * CHUNK, std::min(CHUNK, of.n - k * CHUNK), k, member);
  });
}

}  // namespace boxwood::coded

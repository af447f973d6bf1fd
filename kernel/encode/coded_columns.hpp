// Columns where they lie, beside the codes of their values: what coders fill and searches read.
// Invariant: columns that are cut come first; copies share the codes and the bins. Cost: none by itself.
#pragma once

#include <memory>
#include <optional>

#include "encode/bins.hpp"
#include "encode/column_codes.hpp"
#include "parallel/arena.hpp"
#include "parallel/thread_pool.hpp"

namespace boxwood::coded {

// A column whose values are the numbers of its bins.
struct Binned {
  std::vector<double> thresholds;  // behind each bin
};

struct CodedColumns {
  std::vector<RawColumn> raw;
  std::size_t n, p, cuts = 0, coded = 0;  // rows, columns, columns that are cut, columns whose levels fit a code too
  std::shared_ptr<Code[]> codes;
  std::vector<std::uint8_t> missing;  // whether a value is missing
  std::vector<std::uint8_t> single;  // whether equal codes mean equal values
  std::vector<std::vector<std::uint8_t>> one_value;  // of other columns, whether a bin holds one value; empty = none
  std::vector<std::optional<Binned>> bins;  // of columns that are binned

  CodedColumns(std::vector<RawColumn> columns, std::size_t rows)
      : raw(std::move(columns)), n(rows), p(raw.size()), missing(p), single(p), one_value(p), bins(p) {
    while (cuts < p && raw[cuts].kind != Kind::nominal) ++cuts;
    coded = cuts;
    while (coded < p && raw[coded].n_levels <= MOST_LEVELS) ++coded;
    codes = arena_array<Code>(n * p + SLACK);
  }

  static constexpr std::size_t SLACK = 16;  // codes are read a register at a time
  Code* at(std::size_t row, std::size_t j) const { return codes.get() + row * p + j; }
  bool is_binned(std::size_t j) const { return bins[j].has_value(); }

  // Calls `then` with the values of column j from a row on, as doubles or floats.
  template <class Then>
  auto typed(std::size_t j, std::size_t from, const Then& then) const {
    const RawColumn& column = raw[j];
    return column.narrow ? then(column.floats() + column.place(from)) : then(column.doubles() + column.place(from));
  }
};

// Runs task(from, rows, number, worker) over chunks of CHUNK rows. A worker takes neighbouring ones, about a large page
// of codes: what it writes is then its own, and the processor fetches ahead nothing that another writes.
template <class Task>
void each_chunk(const CodedColumns& of, ThreadPool& pool, const Task& task) {
  const std::size_t chunks = (of.n + CHUNK - 1) / CHUNK, even = chunks / (8 * static_cast<std::size_t>(pool.size()));
  const std::size_t together = std::clamp<std::size_t>(even, 1, LARGE_PAGE / (CHUNK * sizeof(Code) * of.p) + 1);
  pool.run((chunks + together - 1) / together, [&](std::size_t i, int worker) {
    for (std::size_t k = i * together; k < std::min(chunks, (i + 1) * together); ++k)
      task(k * CHUNK, std::min(CHUNK, of.n - k * CHUNK), k, worker);
  });
}

}  // namespace boxwood::coded

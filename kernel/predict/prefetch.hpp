// Asks memory early for what rows to come need.
// Invariant: nothing is read; an address beyond a column does no harm.
// Cost: an instruction a line of memory. Columns that lie side by side are asked for in pieces of many lines, some
// hundred rows ahead: memory gives neighbours sooner, and line after line of twenty columns in turn took twice as long.
#pragma once

#include <algorithm>
#include <bit>

#include "predict/plan_nodes.hpp"

namespace boxwood {

constexpr std::size_t BLOCK = 64;

class Ahead {
 public:
  // A feature of which each row has a line of its own: bytes from row to row.
  void add_rows(const std::byte* first, std::ptrdiff_t step) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    if (last_ && begin >= last_ && begin < last_ + LINE) return;  // in the lines of the feature before
    last_ = begin;
    apart_.push_back({begin, static_cast<std::size_t>(step), 1});
  }
  // A feature whose values lie side by side, and the bytes of each.
  void add_column(const std::byte* first, std::size_t size) {
    columns_.push_back({reinterpret_cast<std::uintptr_t>(first), size, 0});
  }
  // `blocks`: how many of them ahead to ask for rows.
  void finish(std::size_t blocks) {
    blocks_ = blocks;
    std::size_t width = 0;
    for (const Piece& column : columns_) width += column.step;
    while (rows_ > BLOCK && rows_ * width > MOST_BYTES) rows_ /= 2;
    shift_ = std::countr_zero(rows_);
    for (const Piece& column : columns_)
      for (std::size_t at = 0, bytes = rows_ * column.step; at < bytes; at += PIECE)
        far_.push_back({column.first + at, bytes, (std::min(PIECE, bytes - at) + LINE - 1) / LINE});
    is_dense() ? ask_in_order() : ask_row_by_row();
  }

  // The rows of a block are next; `rest` rows are there from its first on.
  void begin(std::size_t first, std::size_t rest) {
    is_near_ = rest >= (1 + blocks_) * BLOCK;
    is_far_ = rest >= 2 * rows_;
    next_block_ = first / BLOCK + blocks_;
    next_rows_ = first / rows_ + 1;
    row_ = first % rows_;
  }

  // What some rows of the block are to ask for; all of its rows together for all.
  BOXWOOD_INLINE void prefetch(std::size_t from, std::size_t until) const {
    if (is_near_) part(near_, next_block_, {from, until}, std::countr_zero(BLOCK));
    if (is_far_) part(far_, next_rows_, {row_ + from, row_ + until}, shift_);
  }

 private:
  static constexpr std::size_t LINE = 64, PIECE = 512, FEW = 256, MOST_BYTES = 262'144;
  struct Piece {
    std::uintptr_t first;
    std::size_t step, lines;  // bytes to the same for the next rows
  };

  struct Rows {
    std::size_t from, until;
  };

  // Whether whole rows are read that lie one behind the other.
  bool is_dense() const {
    if (apart_.empty() || apart_.size() * LINE < apart_[0].step) return false;
    return std::all_of(apart_.begin(), apart_.end(), [&](const Piece& one) { return one.step == apart_[0].step; });
  }
  void ask_in_order() {
    const auto before = [](const Piece& a, const Piece& b) { return a.first < b.first; };
    const std::uintptr_t first = std::min_element(apart_.begin(), apart_.end(), before)->first;
    const std::size_t bytes = BLOCK * apart_[0].step;
    for (std::size_t at = 0; at < bytes; at += FEW)
      near_.push_back({first + at, bytes, (std::min(FEW, bytes - at) + LINE - 1) / LINE});
  }
  void ask_row_by_row() {
    for (const Piece& one : apart_)
      for (std::size_t i = 0; i < BLOCK; ++i) near_.push_back({one.first + i * one.step, BLOCK * one.step, 1});
  }

  // The part of the pieces that falls to some of 2^shift rows: a division would take longer than a step down the tree.
  static BOXWOOD_INLINE void part(const std::vector<Piece>& pieces, std::size_t round, Rows rows, int shift) {
    const std::size_t end = pieces.size() * rows.until >> shift;
    for (std::size_t k = pieces.size() * rows.from >> shift; k < end; ++k) {
      const std::uintptr_t at = pieces[k].first + round * pieces[k].step;
      for (std::size_t line = 0; line < pieces[k].lines; ++line)
        BOXWOOD_PREFETCH(reinterpret_cast<const void*>(at + LINE * line));
    }
  }

  std::vector<Piece> near_, far_, columns_,
      apart_;  // for a block; for rows_ rows; columns as they were added, and lines of rows
  std::uintptr_t last_ = 0;
  std::size_t rows_ = 256, blocks_ = 1, next_block_ = 0, next_rows_ = 0, row_ = 0;
  int shift_ = 8;  // 2^shift_ rows_
  bool is_near_ = false, is_far_ = false;
};

}  // namespace boxwood

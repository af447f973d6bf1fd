// Brings a block of rows together for a plan, as doubles, from columns of any type and place; columns of doubles are
// read in place. Invariant: a missing number becomes NaN, a level its word (predict/dictionary_codes.hpp); no value is
// rounded. Cost: one load and one store a value, of the features that the plan reads alone; a look into a table for a
// level.
#pragma once

#include <type_traits>

#include "predict/dictionary_codes.hpp"
#include "predict/lookup.hpp"
#include "predict/transpose.hpp"

namespace boxwood {

class Gatherer {
 public:
  // `which`: the rows wanted, or nullptr for all in their order.
  Gatherer(const Plan& plan, const std::vector<Brought>& brought, const std::uint32_t* which)
      : which_(which), brought_(brought), columns_(plan.readings.size()) {
    lay_out();
    if (plan.masked && plan.crown.depth > 0 && !which && brought.size() <= MOST_TURNED) find_turns();
    if (turner_.is_idle()) {
      find_stride();
      lay_out();
    }
    for (std::size_t u = 0; u < brought.size(); ++u) columns_[brought[u].reading] = room(u);
    if (which) return;
    for (const Brought& one : brought) {
      const Source& from = *one.from;
      if (from.step == static_cast<std::ptrdiff_t>(from.size())) {
        ahead_.add_column(from.data, from.size());
      } else {
        ahead_.add_rows(from.data, from.step);
      }
    }
    ahead_.finish(is_soon_done(plan.crown, plan.lead) ? 2 : 1);
  }

  Gathered block() const { return {columns_.data(), stride_, &ahead_}; }
  bool met_unseen() const { return met_unseen_; }

  // Rows first..first+count-1, `rest` of them follow; false when a whole number does not fit a double.
  bool load(std::size_t first, std::size_t count, std::size_t rest) {
    bool exact = true;
    const bool turns = count == BLOCK && !turner_.is_idle();
    if (turns) turner_.bring(first);
    for (std::size_t u = 0; u < brought_.size(); ++u) {
      const Brought& one = brought_[u];
      const Source& from = *one.from;
      const Part part{first, count, {room(u), stride_}, turns && is_turned_[u]};
      if (is_in_place(one)) {
        columns_[one.reading] = reinterpret_cast<const double*>(from.data) + first * stride_;
        continue;
      }
      switch (from.type) {
        case Source::Type::f64:
          copy<double>(one, part);
          break;
        case Source::Type::f32:
          copy<float>(one, part);
          break;
        case Source::Type::i8:
          copy<std::int8_t>(one, part);
          break;
        case Source::Type::i16:
          copy<std::int16_t>(one, part);
          break;
        case Source::Type::i32:
          copy<std::int32_t>(one, part);
          break;
        case Source::Type::i64:
          exact &= copy<std::int64_t>(one, part);
          break;
        case Source::Type::u8:
          copy<std::uint8_t>(one, part);
          break;
        case Source::Type::u16:
          copy<std::uint16_t>(one, part);
          break;
        case Source::Type::u32:
          copy<std::uint32_t>(one, part);
          break;
        case Source::Type::u64:
          exact &= copy<std::uint64_t>(one, part);
          break;
        case Source::Type::levels:
          levels(one, part);
          break;
        case Source::Type::codes:
          codes(one, part);
          break;
      }
      if (from.by_code && from.may_be_unseen) look_for_unseen(part);
    }
    if (!which_) ahead_.begin(first, rest);
    return exact;
  }

 private:
  static constexpr std::size_t MOST_TURNED = 32;  // readings: a row asks for few of many

  // Where the values of a feature are brought to.
  struct Room {
    double* first;
    std::size_t stride;
    double& operator[](std::size_t i) const { return first[i * stride]; }
  };
  struct Part {
    std::size_t first, count;  // rows
    Room to;
    bool is_there;  // their numbers have been brought
  };
  // Whether a block is done before memory has brought the next one.
  static bool is_soon_done(const Crown& crown, int steps) {
    return crown.depth > 0 && !crown.stops && steps <= crown.depth + 2;
  }
  double* room(std::size_t u) { return values_.data() + room_of_[u] * (stride_ == 1 ? BLOCK : 1); }

  void lay_out() {
    std::size_t rooms = 0;
    room_of_.clear();
    for (const Brought& one : brought_) room_of_.push_back(is_in_place(one) ? rooms : rooms++);
    values_.resize(stride_ == 1 ? BLOCK * rooms : BLOCK * stride_ + rooms);
  }

  // Doubles of a table by rows are turned into columns, which can go through a crown.
  void find_turns() {
    std::vector<Apart> apart;
    for (std::size_t u = 0; u < brought_.size(); ++u) {
      const Source& from = *brought_[u].from;
      if (from.type == Source::Type::f64 && from.step != sizeof(double))
        apart.push_back({from.data, from.step, room(u)});
    }
    turner_ = Turner(std::move(apart));
    for (std::size_t u = 0; u < brought_.size(); ++u)
      is_turned_.push_back(!is_in_place(brought_[u]) && turner_.brings(room(u)));
  }

  // Doubles of a table by rows are read in place when all lie alike; what is brought is then laid out alike.
  void find_stride() {
    std::ptrdiff_t step = 0;
    std::size_t others = 0;
    for (const Brought& one : brought_) {
      const bool is_double = one.from->type == Source::Type::f64 && one.is_number();
      if (is_double) step = step == 0 || step == one.from->step ? one.from->step : -1;
      others += !is_double;
    }
    const auto size = static_cast<std::ptrdiff_t>(sizeof(double));
    if (others > 0 || which_ || step <= 0 || step % size != 0 || step / size > 64) return;
    if (others <= static_cast<std::size_t>(step / size)) stride_ = static_cast<std::size_t>(step / size);
  }
  bool is_in_place(const Brought& one) const {
    const auto step = static_cast<std::ptrdiff_t>(stride_ * sizeof(double));
    return !which_ && one.from->type == Source::Type::f64 && one.is_number() && one.from->step == step;
  }

  // Calls `put(i, value)` for each row.
  template <class T, class Put>
  void each(const Source& from, const Part& part, const Put& put) const {
    const std::size_t first = part.first, count = part.count;
    if (which_) {
      for (std::size_t i = 0; i < count; ++i)
        put(i, *reinterpret_cast<const T*>(from.data + static_cast<std::ptrdiff_t>(which_[first + i]) * from.step));
    } else if (from.step == sizeof(T)) {  // side by side: the compiler takes several at once
      const T* values = reinterpret_cast<const T*>(from.data) + first;
      BOXWOOD_UNROLL
      for (std::size_t i = 0; i < count; ++i) put(i, values[i]);
    } else {
      const std::byte* at = from.data + static_cast<std::ptrdiff_t>(first) * from.step;
      BOXWOOD_UNROLL
      for (std::size_t i = 0; i < count; ++i, at += from.step) put(i, *reinterpret_cast<const T*>(at));
    }
  }

  template <class T>
  bool copy(const Brought& one, const Part& part) {
    const Source& from = *one.from;
    const Room to = part.to;
    if (one.by_value) {
      numbered<T>(from, *one.by_value, part);
      return true;
    }
    if constexpr (std::is_integral_v<T>) {
      if (from.by_code) {
        const double* table = one.table.data();
        const std::uint64_t last = one.table.size() - 1;
        if (one.codes <= looks::MOST && is_for_looks(from, part)) {
          looks::by_code(reinterpret_cast<const T*>(from.data) + part.first, table, one.codes, to.first);
        } else if constexpr (sizeof(T) == 1) {
          each<T>(from, part, [&](std::size_t i, T code) { to[i] = table[static_cast<std::uint8_t>(code)]; });
        } else {
          each<T>(from, part,
                  [&](std::size_t i, T code) { to[i] = table[std::min(static_cast<std::uint64_t>(code), last)]; });
        }
        return true;
      }
    }
    if (part.is_there) return true;
    each<T>(from, part, [&](std::size_t i, T value) { to[i] = static_cast<double>(value); });
    bool exact = true;
    if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
      for (std::size_t i = 0; i < part.count; ++i) exact &= std::fabs(to[i]) < 0x1p53;
    return exact;
  }

  // Whether looks go by eights: into small tables, by codes that lie side by side.
  bool is_for_looks(const Source& from, const Part& part) const {
    const bool beside = !which_ && from.step == static_cast<std::ptrdiff_t>(from.size());
    return beside && part.count == BLOCK && part.to.stride == 1 && looks::are_possible();
  }

  // Numbers that are levels; by the table, and one by one only where it does not know some number of the block.
  template <class T>
  void numbered(const Source& from, const NumberMeanings& meanings, const Part& part) {
    const Room to = part.to;
    bool known = meanings.has_table();
    if (known) {
      const NumberMeanings::Table table = meanings.table();
      if (table.mask < looks::MOST && part.count == BLOCK && to.stride == 1 && looks::are_possible()) {
        if (!part.is_there) each<T>(from, part, [&](std::size_t i, T value) { to[i] = static_cast<double>(value); });
        known = looks::by_number(table, to.first);
      } else {
        std::uint64_t differences = 0;
        each<T>(from, part,
                [&](std::size_t i, T value) { to[i] = table.look(static_cast<double>(value), differences); });
        known = differences == 0;
      }
    }
    if (!known)
      each<T>(from, part, [&](std::size_t i, T value) { to[i] = meanings.meaning(static_cast<double>(value)); });
    if (!known || meanings.some_unseen()) look_for_unseen(part);
  }

  // Codes of levels: -1 missing, below that, or beyond the levels of training, not seen there.
  void levels(const Brought& one, const Part& part) const {
    const double* table = one.table.data();
    const auto known = static_cast<std::uint64_t>(one.table.size());
    each<std::int32_t>(*one.from, part, [&](std::size_t i, std::int32_t code) {
      const auto entry = static_cast<std::uint64_t>(code + LEVEL_SHIFT);
      part.to[i] = table[entry < known ? entry : 0];
    });
  }

  // Codes of a coded table: numbers by rank, or levels.
  void codes(const Brought& one, const Part& part) const {
    const double* table = one.table.data();
    const auto known = static_cast<std::uint32_t>(one.from->asked.levels);
    const Room to = part.to;
    if (one.is_number()) {
      each<std::uint32_t>(*one.from, part, [&](std::size_t i, std::uint32_t code) {
        to[i] = code == MISSING ? std::nan("") : static_cast<double>(code);
      });
    } else {
      each<std::uint32_t>(*one.from, part, [&](std::size_t i, std::uint32_t code) {
        to[i] = table[code == MISSING ? entry_of(-1) : code < known ? entry_of(code) : 0];
      });
    }
  }

  void look_for_unseen(const Part& part) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < part.count; ++i) all |= std::bit_cast<std::uint64_t>(part.to[i]);
    met_unseen_ |= all >> 63 != 0;
  }

  const std::uint32_t* which_;
  const std::vector<Brought>& brought_;
  std::size_t stride_ = 1;  // from row to row of a block
  bool met_unseen_ = false;
  Turner turner_;
  std::vector<bool> is_turned_;  // each that is brought
  std::vector<std::size_t> room_of_;
  std::vector<double> values_;
  std::vector<const double*> columns_;
  Ahead ahead_;
};

}  // namespace boxwood

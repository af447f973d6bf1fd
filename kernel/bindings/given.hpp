// Columns as they came, for prediction: numbers of any type, codes with a table of what they mean, numbers that are
// levels. Invariant: types, lengths and alignment are checked; the sources point into arrays that the caller keeps
// alive.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "bindings/binding.hpp"
#include "predict/gather.hpp"

namespace boxwood {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

inline Source::Type type_of(nb::dlpack::dtype type) {
  using T = Source::Type;
  const bool is_float = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float);
  const bool is_int = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Int);
  const bool is_unsigned = type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt);
  if (is_float && type.bits == 64) return T::f64;
  if (is_float && type.bits == 32) return T::f32;
  if (is_int) return type.bits == 8 ? T::i8 : type.bits == 16 ? T::i16 : type.bits == 32 ? T::i32 : T::i64;
  if (is_unsigned) return type.bits == 8 ? T::u8 : type.bits == 16 ? T::u16 : type.bits == 32 ? T::u32 : T::u64;
  throw std::invalid_argument("rows must hold float64, float32 or whole numbers");
}

// One entry a feature: ("numbers", values); ("codes", codes, level of each code, -1 for missing ones: one more than
// there are codes, the last for all others); ("values", numbers, rising levels, their codes).
class Given {
 public:
  Given(const nb::list& columns, const std::vector<Asked>& asked) {
    if (columns.size() != asked.size()) throw std::invalid_argument("there must be a column for every feature");
    for (nb::handle item : columns) take(nb::cast<nb::tuple>(item), asked[sources_.size()]);
  }

  const std::vector<Source>& sources() const { return sources_; }
  std::size_t count() const { return count_; }

 private:
  void take(const nb::tuple& entry, const Asked& asked) {
    const auto values = nb::cast<AnyArray>(entry[1], false);
    if (values.ndim() != 1) throw std::invalid_argument("a column must have one dimension");
    if (!sources_.empty() && values.shape(0) != count_)
      throw std::invalid_argument("every column must have one value a row");
    if (reinterpret_cast<std::uintptr_t>(values.data()) % values.itemsize() != 0)
      throw std::invalid_argument("a column must be aligned");
    count_ = values.shape(0);
    Source source{type_of(values.dtype()), static_cast<const std::byte*>(values.data()),
                  values.stride(0) * static_cast<std::ptrdiff_t>(values.itemsize()), asked};
    const auto what = nb::cast<std::string>(entry[0]);
    if ((what == "numbers") != (asked.kind == Kind::numeric))
      throw std::invalid_argument("levels and numbers must not be mixed up");
    if (what == "codes") source.by_code = meaning(source.type, array_view<std::int32_t>(entry[2]), asked.levels);
    if (what == "values")
      source.by_value = numbered(array_view<double>(entry[2]), array_view<std::int32_t>(entry[3]), asked.levels);
    source.may_be_unseen =
        what == "values" || (what == "codes" && *std::min_element(source.by_code->begin(), source.by_code->end()) < -1);
    sources_.push_back(source);
  }

  const std::vector<std::int32_t>* meaning(Source::Type type, const In<std::int32_t>& levels, std::int32_t known) {
    if (type == Source::Type::f64 || type == Source::Type::f32)
      throw std::invalid_argument("codes must be whole numbers");
    if (levels.size() == 0) throw std::invalid_argument("codes must have meanings");
    return &meanings_.emplace_back(checked(levels, known));
  }
  const NumberedLevels* numbered(const In<double>& levels, const In<std::int32_t>& codes, std::int32_t known) {
    if (levels.size() != codes.size()) throw std::invalid_argument("every level must have a code");
    return &numbered_.emplace_back(
        NumberedLevels{{levels.data(), levels.data() + levels.size()}, checked(codes, known)});
  }
  static std::vector<std::int32_t> checked(const In<std::int32_t>& levels, std::int32_t known) {
    std::vector<std::int32_t> found(levels.data(), levels.data() + levels.size());
    if (std::any_of(found.begin(), found.end(), [&](std::int32_t v) { return v >= known; }))
      throw std::invalid_argument("there is no such level");
    return found;
  }
  std::vector<Source> sources_;
  std::deque<std::vector<std::int32_t>> meanings_;
  std::deque<NumberedLevels> numbered_;
  std::size_t count_ = 0;
};

}  // namespace boxwood

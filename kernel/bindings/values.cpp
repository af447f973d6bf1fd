// Bindings of what turns values into whole numbers: labels, targets, level codes, coarse codes, and the counts and ends
// from which the bins of a column that is read in parts are found.
#include "bindings/binding.hpp"
#include "encode/bin_cuts.hpp"
#include "encode/coarse_codes.hpp"
#include "encode/value_hash.hpp"

namespace boxwood {
namespace {

void require_ascending(const In<double>& cuts) {
  for (std::size_t i = 1; i < cuts.size(); ++i) require(cuts.data()[i - 1] < cuts.data()[i], "cuts must ascend");
}

// work(pointer, length) on float64 or float32 values, without the GIL.
template <class Work>
auto on_values(nb::handle values, const Work& work) {
  const auto call = [&]<class T>(const In<T>& x) {
    return without_gil(1, [&](ThreadPool&) { return work(x.data(), x.size()); });
  };
  return nb::isinstance<In<float>>(values) ? call(array_view<float>(values)) : call(array_view<double>(values));
}

nb::object coarse_codes(nb::handle values, In<double> cuts) {
  require(cuts.size() <= MOST_CUTS, "a column may have at most 4095 cuts");
  require_ascending(cuts);
  return to_numpy(on_values(values, [&](const auto* x, std::size_t n) {
    std::vector<std::uint16_t> codes(n);
    CoarseCodes(copy_of(cuts)).code(x, n, codes.data());
    return codes;
  }));
}

nb::object look(nb::handle values, std::uint64_t limit) {
  NumberTraits traits = on_values(values, [&](const auto* x, std::size_t n) { return traits_of(x, n, limit); });
  return nb::make_tuple(to_numpy(std::move(traits.hashes)), traits.missing, traits.infinite, traits.is_short);
}

// Rows in each cell that holds some, and the cells.
nb::tuple cells(nb::handle values) {
  std::vector<std::int64_t> cell, rows;
  on_values(values, [&](const auto* x, std::size_t n) {
    coded::CellCounts counts;
    counts.add(x, 1, n);
    counts.each([&](std::uint32_t at, std::uint32_t held) {
      if (at == coded::NO_CELL) return;
      cell.push_back(at);
      rows.push_back(held);
    });
  });
  return arrays(std::move(cell), std::move(rows));
}

nb::tuple ends_of_cells() {
  std::vector<std::uint64_t> start, last;
  for (std::uint32_t cell = 0; cell < coded::CELLS; ++cell)
    start.push_back(coded::start_of_cell(cell)), last.push_back(coded::last_of_cell(cell));
  return arrays(std::move(start), std::move(last));
}

nb::tuple parts(nb::handle values, In<std::uint64_t> start, In<std::uint64_t> last, In<std::int32_t> shift,
                std::size_t width) {
  const std::size_t size = start.size();
  require(last.size() == size && shift.size() == size, "every range must have a start, a last key and a shift");
  for (std::size_t s = 0; s < size; ++s) {
    require(start.data()[s] <= last.data()[s] && start.data()[s] >= coded::start_of_cell(0) &&
                last.data()[s] <= coded::last_of_cell(coded::CELLS - 1) &&
                (s == 0 || start.data()[s] > last.data()[s - 1]),
            "ranges must ascend and must not overlap");
    require(shift.data()[s] >= 0 && shift.data()[s] <= 63, "shifts are 0 to 63");
  }
  const coded::KeyRanges ranges{copy_of(start), copy_of(last), copy_of(shift), width,
                                coded::CutTable(coded::KeyRanges::values_of(copy_of(start)))};
  std::vector<std::uint64_t> least, most;
  std::vector<std::int64_t> rows;
  coded::RangeParts found(size * width);
  on_values(values, [&](const auto* x, std::size_t n) { found.count(x, 1, n, ranges); });
  for (const coded::RangePart& part : found) {
    least.push_back(part.least);
    most.push_back(part.most);
    rows.push_back(static_cast<std::int64_t>(part.rows));
  }
  return arrays(std::move(least), std::move(most), std::move(rows));
}

nb::tuple ends_of_bins(nb::handle values, In<double> cuts) {
  require_ascending(cuts);
  const coded::CutTable table(copy_of(cuts));
  coded::BinEnds ends(cuts.size() + 1);
  on_values(values, [&](const auto* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      if (const double value = static_cast<double>(x[i]) + 0.0; value == value) ends.add(table.bin_of(value), value);
  });
  return arrays(std::move(ends.first), std::move(ends.last));
}

}  // namespace

void bind_values(nb::module_& m) {
  m.def("coarse_codes", &coarse_codes, "values"_a, "cuts"_a);
  m.def("look", &look, "values"_a, "limit"_a);
  m.def("bin_cells", &cells, "values"_a, "Cells of the number line that hold values, and the rows in each.");
  m.def("bin_cell_ends", &ends_of_cells, "Least and greatest key of each cell, uint64.");
  m.def("bin_parts", &parts, "values"_a, "start"_a, "last"_a, "shift"_a, "width"_a,
        "Least key, greatest key and rows of each part of each range of keys.");
  m.def("bin_ends", &ends_of_bins, "values"_a, "cuts"_a, "Least and greatest value of each bin.");
}

}  // namespace boxwood

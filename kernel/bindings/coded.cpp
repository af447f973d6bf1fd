// The door to codes and to growing whole trees from them, without sorting any column.
#include "../coded/grower.hpp"
#include "door.hpp"
#include "doors.hpp"
#include "response.hpp"
#include "settings.hpp"

namespace boxwood {
namespace {

using coded::Codes;


class PyCodes {
 public:
  PyCodes(const nb::list& columns, std::size_t rows, int threads) : kept_(columns) {
    std::vector<coded::RawColumn> raw;
    for (nb::handle item : columns) {
      const auto values = nb::cast<nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>>(item, false);
      if (values.size() != rows) throw std::invalid_argument("every column must have as many values as the table has rows");
      raw.push_back({values.data(), values.stride(0)});
    }
    without_gil(Table::team_size(threads, rows * raw.size()), [&](Team& team) { codes_ = std::make_unique<Codes>(std::move(raw), rows, team); });
  }
  bool has_missing() const { return codes_->has_missing(); }
  const Codes& codes() const { return *codes_; }

 private:
  nb::list kept_;
  std::unique_ptr<Codes> codes_;
};

struct Learned {
  const Codes& codes;
  Response y;
  Settings settings;
  std::vector<std::uint32_t> rows;
  std::size_t n;
  coded::Sizes sizes;
};

template <class R>
GrownNodes grow(const Learned& l, const R& y, Team& team) {
  const coded::Rules rules{&l.settings, &l.y, 0, 0};
  return coded::grow(y, rules, l.codes, l.rows.empty() ? nullptr : l.rows.data(), static_cast<std::uint32_t>(l.n), l.sizes, team);
}

template <class Measure>
GrownNodes grow_classes(const Learned& l, const Measure& measure, const std::vector<std::uint8_t>& code, Team& team) {
  if (l.y.n_classes == 2) return grow(l, coded::TwoClasses<Measure>{code.data(), 2, &measure}, team);
  return grow(l, coded::ManyClasses<Measure>{code.data(), l.y.n_classes, &measure}, team);
}

GrownNodes grow_means(const Learned& l, Team& team) {
  Wide sum = 0;
  for (std::size_t i = 0; i < l.n; ++i) sum += l.y.high[i];
  const auto origin = static_cast<std::int64_t>(sum / static_cast<Wide>(l.n));
  std::vector<std::int64_t> high(l.n);
  for (std::size_t i = 0; i < l.n; ++i) high[i] = l.y.high[i] - origin;
  return grow(l, coded::Quantity{high.data(), l.y.low, origin}, team);
}

// The whole tree, or None when this grower must leave it to the general one.
nb::object grow_coded(const PyCodes& codes, const nb::dict& response, const nb::dict& settings, int threads, std::uint32_t block,
                      std::uint32_t small) {
  if (block < 1 || small < 1 || small > coded::SMALL) throw std::invalid_argument("block and small must be at least 1, small at most 1024");
  std::vector<double> factors;
  const std::size_t n = codes.codes().rows();
  const Learned l{codes.codes(), read_response(response, n, factors), settings_from(settings), {}, n, {block, small}};
  GrownNodes nodes;
  bool fine = false;
  without_gil(Table::team_size(threads, n * l.codes.columns()), [&](Team& team) {
    try {
      if (l.y.kind == Response::Kind::mean) {
        nodes = grow_means(l, team);
        return;
      }
      const std::vector<std::uint8_t> code(l.y.codes, l.y.codes + n);
      if (l.settings.measure == MeasureName::gini) {
        nodes = grow_classes(l, Gini{}, code, team);
      } else {
        Entropy entropy;
        entropy.look_up(n);
        nodes = grow_classes(l, entropy, code, team);
      }
    } catch (const coded::NeedsFine&) {
      fine = true;
    }
  });
  if (fine) return nb::none();
  return grown_nodes(std::move(nodes));
}

}  // namespace

void open_coded(nb::module_& m) {
  nb::class_<PyCodes>(m, "Codes", "Order-preserving 16-bit codes of numeric columns, rows side by side.")
      .def(nb::init<const nb::list&, std::size_t, int>(), "columns"_a, "rows"_a, "threads"_a)
      .def_prop_ro("has_missing", &PyCodes::has_missing);
  m.def("grow_coded", &grow_coded, "codes"_a, "response"_a, "settings"_a, "threads"_a, "block"_a = coded::Sizes{}.block,
        "small"_a = coded::Sizes{}.small);
}

}  // namespace boxwood

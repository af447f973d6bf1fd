// Who walks which rows of opened bins: a feature each, or, where one feature's rows would keep the others waiting, a few of its bins each.
// Invariant: each bin is walked once, whole. Cost: 2 ns a row that is handed to another list.
#pragma once

#include <span>

#include "refine.hpp"

namespace boxwood::coded {

// Rows of one feature's opened bins to walk; `first`: its first aspect.
struct Errand {
  std::size_t first;
  std::vector<Coded>* items;
};

class Errands {
 public:
  // `whole`: one errand a feature.
  const std::vector<Errand>& among(std::size_t members, const std::vector<Errand>& whole) {
    constexpr std::size_t MANY = 4096;
    errands_.clear();
    portions_.resize(std::max(portions_.size(), whole.size() * members));
    for (std::size_t k = 0; k < whole.size(); ++k) {
      if (members == 1 || whole.size() >= 2 * members || whole[k].items->size() < MANY) {
        errands_.push_back(whole[k]);
        continue;
      }
      const std::span portions(&portions_[k * members], members);
      portion_out(*whole[k].items, portions);
      for (auto& portion : portions)
        if (!portion.empty()) errands_.push_back({whole[k].first, &portion});
    }
    return errands_;
  }

 private:
  // Lists of about equal length, whole bins to each, lower ones first.
  static void portion_out(const std::vector<Coded>& items, std::span<std::vector<Coded>> portions) {
    u32 counts[BINS] = {};
    for (const Coded& item : items) ++counts[item.code >> 8];
    std::vector<Coded>* of_bin[BINS];
    std::size_t before = 0;
    for (int b = 0; b < BINS; ++b) {
      of_bin[b] = &portions[std::min(before * portions.size() / items.size(), portions.size() - 1)];
      before += counts[b];
    }
    for (auto& portion : portions) portion.clear();
    for (const Coded& item : items) of_bin[item.code >> 8]->push_back(item);
  }

  std::vector<std::vector<Coded>> portions_;
  std::vector<Errand> errands_;
};

}  // namespace boxwood::coded

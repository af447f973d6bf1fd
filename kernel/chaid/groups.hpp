// The categories of one feature in one node, and the groups they are merged into.
// Invariant: members of a group are rising positions among the present categories; an ordered list is ordered by
// categories, with the group of missing values alone, if there is one, at its end. `place` orders the branches: a
// merged group takes the place of the earlier one, what is cut off a group goes to the end.
#pragma once

#include <cstdint>
#include <vector>

#include "chaid/tests.hpp"
#include "encode/columns.hpp"

namespace boxwood::chaid {

// Present categories in order, missing last, each with its row of the test.
struct Categories {
  std::vector<std::uint32_t> codes;  // level, bin, or MISSING
  std::vector<double> rows;  // width numbers each
  int width = 0;

  std::size_t size() const { return codes.size(); }
  const double* row(std::size_t c) const { return rows.data() + c * width; }
  bool has_missing() const { return !codes.empty() && codes.back() == MISSING; }
};

struct Group {
  std::vector<std::uint32_t> members;
  std::vector<double> row;
  std::size_t place = 0;
};

// A list of groups with the operations that merging needs.
class Groups {
 public:
  Groups(const Categories& categories, Test& test) : categories_(&categories), test_(&test) {}

  void add(std::vector<std::uint32_t> members) {
    std::vector<double> row = row_of(members);
    list_.push_back({std::move(members), std::move(row), next_place_++});
  }

  std::size_t size() const { return list_.size(); }
  const Group& operator[](std::size_t g) const { return list_[g]; }
  double cases(std::size_t g) const { return test_->cases(list_[g].row.data()); }

  // Group b > a joins group a.
  void merge(std::size_t a, std::size_t b) {
    Group& into = list_[a];
    test_->add(into.row.data(), list_[b].row.data());
    std::vector<std::uint32_t> members(into.members.size() + list_[b].members.size());
    std::merge(into.members.begin(), into.members.end(), list_[b].members.begin(), list_[b].members.end(),
               members.begin());
    into.members = std::move(members);
    into.place = std::min(into.place, list_[b].place);
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(b));
  }

  // Group a cut in two: what stays in its place, and the flagged members, which come last.
  std::pair<Group, Group> halves(std::size_t a, const std::vector<char>& leaves) const {
    Group stay, go;
    for (std::size_t m = 0; m < leaves.size(); ++m) (leaves[m] ? go : stay).members.push_back(list_[a].members[m]);
    stay.row = row_of(stay.members);
    go.row = row_of(go.members);
    stay.place = list_[a].place;
    go.place = next_place_;
    return {std::move(stay), std::move(go)};
  }

  // Group a becomes two groups; the new one comes behind it, or at the end of the list.
  void cut(std::size_t a, std::pair<Group, Group>&& halves, bool to_end) {
    list_[a] = std::move(halves.first);
    list_.insert(to_end ? list_.end() : list_.begin() + static_cast<std::ptrdiff_t>(a) + 1, std::move(halves.second));
    ++next_place_;
  }

  bool has_missing(std::size_t g) const { return categories_->codes[list_[g].members.back()] == MISSING; }

  // The groups in the order of branches.
  std::vector<Group> by_place() const {
    std::vector<Group> out = list_;
    std::sort(out.begin(), out.end(), [](const Group& a, const Group& b) { return a.place < b.place; });
    return out;
  }

  void sort_by_category() {
    std::sort(list_.begin(), list_.end(), [](const Group& a, const Group& b) { return a.members[0] < b.members[0]; });
  }

  TestResult test_all() const {
    std::vector<const double*> rows;
    for (const Group& group : list_) rows.push_back(group.row.data());
    return test_->of(rows.data(), rows.size());
  }
  TestResult test_of(std::size_t a, std::size_t b) const { return test_of(list_[a], list_[b]); }
  TestResult test_of(const Group& a, const Group& b) const { return test_->of_two(a.row.data(), b.row.data()); }

 private:
  std::vector<double> row_of(const std::vector<std::uint32_t>& members) const {
    const double* first = categories_->row(members[0]);
    std::vector<double> row(first, first + categories_->width);
    for (std::size_t m = 1; m < members.size(); ++m) test_->add(row.data(), categories_->row(members[m]));
    return row;
  }

  const Categories* categories_;
  Test* test_;
  std::vector<Group> list_;
  std::size_t next_place_ = 0;
};

}  // namespace boxwood::chaid

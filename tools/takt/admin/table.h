// Tables of takt top: numbers, and a name at the end of each row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace takt::command {

// In a narrow terminal, columns of numbers are left out, so that names have room.
class Table {
 public:
  // Columns of the highest rank are left out first. That of rank 0 stays.
  struct Column {
    std::string heading;
    std::size_t width;
    int rank;
  };
  // `columns` of the terminal; 0: no limit.
  Table(std::vector<Column> numbers, std::string names, std::size_t columns)
      : numbers_(std::move(numbers)), names_(std::move(names)) {
    constexpr std::size_t least_for_names = 18;
    while (columns != 0 && width(most_rank_) + least_for_names > columns && most_rank_ > 0) --most_rank_;
  }
  std::string head() const {
    std::vector<std::string> headings;
    for (const Column& each : numbers_) headings.push_back(each.heading);
    return row(headings, names_);
  }
  // A number for each column.
  std::string row(const std::vector<std::string>& numbers, const std::string& name) const {
    std::string text;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (numbers_[i].rank > most_rank_) continue;
      text.append(numbers_[i].width - std::min(numbers_[i].width, numbers[i].size()), ' ');
      text += numbers[i] + " ";
    }
    return text + " " + name;
  }

 private:
  std::size_t width(int most_rank) const {
    std::size_t sum = 1;
    for (const Column& each : numbers_)
      if (each.rank <= most_rank) sum += each.width + 1;
    return sum;
  }

  const std::vector<Column> numbers_;
  const std::string names_;
  int most_rank_ = 9;
};

}  // namespace takt::command

// Named elements of a model, found without regard to case.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mast/syntax.h"

namespace takt::scheduling::mast {

// `T` has a name and a place.
template <class T>
class Names {
 public:
  explicit Names(std::string meaning) : meaning_(std::move(meaning)) {}

  std::size_t add(T element) {
    const auto [known, is_new] = places_.try_emplace(lower(element.name), all_.size());
    if (!is_new)
      throw Wrong{element.at, meaning_ + " '" + element.name + "' is also in line " +
                                  std::to_string(all_[known->second].at.line)};
    all_.push_back(std::move(element));
    return all_.size() - 1;
  }
  // Null if there is none.
  T* find(std::string_view name) {
    const auto found = places_.find(lower(name));
    return found == places_.end() ? nullptr : &all_[found->second];
  }
  T& get(const std::string& name, Place at) {
    if (T* found = find(name)) return *found;
    throw Wrong{at, "there is no " + meaning_ + " '" + name + "'"};
  }
  std::size_t place_of(const T& element) const { return static_cast<std::size_t>(&element - all_.data()); }
  std::vector<T>& all() { return all_; }
  const std::vector<T>& all() const { return all_; }

 private:
  std::string meaning_;
  std::map<std::string, std::size_t> places_;
  std::vector<T> all_;
};

}  // namespace takt::scheduling::mast

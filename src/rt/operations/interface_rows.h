// Row numbers of the interfaces that requests have used, shared by all schedules.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "threads/locks/priority_mutex.h"

namespace takt::rt {

// Any thread. All functions lock and allocate, except reading a row from an object.
class InterfaceRows {
 public:
  using Row = std::uint16_t;
  static constexpr Row unknown = 0, any_interface = 1;
  static constexpr std::size_t most = 4096;  // further interfaces get any_interface

  // Known answers to whether an interface inherits others, by their paths.
  using Ancestors = std::map<std::string, bool, std::less<>>;
  struct Interface {
    Row row = any_interface;
    std::string repository_id;
    Ancestors ancestors;
  };

  // Finds or makes the entry.
  Interface of(const std::string& repository_id) {
    std::lock_guard lock(mutex_);
    if (const auto found = all_.find(repository_id); found != all_.end()) return found->second;
    if (all_.size() + 2 >= most)
      return {.row = any_interface, .repository_id = repository_id, .ancestors = {}};
    const Interface made{
        .row = static_cast<Row>(all_.size() + 2), .repository_id = repository_id, .ancestors = {}};
    return all_.emplace(repository_id, made).first->second;
  }
  void remember(const std::string& repository_id, const Ancestors& answers) {
    std::lock_guard lock(mutex_);
    if (const auto found = all_.find(repository_id); found != all_.end())
      found->second.ancestors.insert(answers.begin(), answers.end());
  }
  std::vector<Interface> all() const {
    std::lock_guard lock(mutex_);
    std::vector<Interface> result;
    for (const auto& [id, each] : all_) result.push_back(each);
    return result;
  }

 private:
  mutable os::PriorityMutex mutex_;
  std::map<std::string, Interface> all_;
};

}  // namespace takt::rt

#include "adapter/counting/operation_counts.h"

#include <mutex>

namespace takt::adapter {

OperationCount* OperationCounts::find(std::uintptr_t key) const noexcept {
  for (std::size_t i = 0, place = home(key); i < entries; ++i, place = (place + 1) % entries) {
    const std::uintptr_t present = keys_[place].load(std::memory_order_acquire);
    if (present == key) return counts_[place].load(std::memory_order_relaxed);
    if (present == empty) break;
  }
  return nullptr;
}

OperationCount& OperationCounts::add(std::uintptr_t key, const std::string& interface,
                                     const std::string& operation) noexcept {
  if (key == 0) return unknown_;
  try {
    const std::lock_guard lock(mutex_);
    if (OperationCount* const present = find(key)) return *present;
    if (operations_.size() == most_operations) return unknown_;
    std::string names[] = {interface, operation};
    Operation& added = operations_.emplace_back();
    added.interface = std::move(names[0]);
    added.operation = std::move(names[1]);
    std::size_t place = home(key);
    while (keys_[place].load(std::memory_order_relaxed) != empty) place = (place + 1) % entries;
    counts_[place].store(&added.count, std::memory_order_relaxed);
    keys_[place].store(key, std::memory_order_release);
    return added.count;
  } catch (...) {  // out of memory
    return unknown_;
  }
}

std::vector<const OperationCounts::Operation*> OperationCounts::all() const {
  std::vector<const Operation*> all;
  const std::lock_guard lock(mutex_);
  for (const Operation& each : operations_) all.push_back(&each);
  return all;
}

}  // namespace takt::adapter

// The records of all operations that an ORB's schedules have had.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rt/operations/operation_record.h"
#include "threads/locks/priority_mutex.h"

namespace takt::rt {

// Any thread.
class OperationRecords {
 public:
  static constexpr std::size_t most = 65'536;  // bounds memory, because clients come and go

  static constexpr std::size_t most_with_responses = 4096;

  // `keep_responses`: the first records keep the distribution of their responses, in 30 KiB each.
  explicit OperationRecords(bool keep_responses) : keep_responses_(keep_responses) {}

  // The record of that name, which is kept. Null if the maximum is reached.
  std::shared_ptr<OperationRecord> of(const std::string& name) {
    std::lock_guard lock(mutex_);
    const auto found = all_.find(name);
    if (found != all_.end()) return found->second;
    if (all_.size() == most) return nullptr;
    return all_.emplace(name, std::make_shared<OperationRecord>(name, keeps_more())).first->second;
  }
  // Sorted by name.
  std::vector<std::shared_ptr<OperationRecord>> all() const {
    std::vector<std::shared_ptr<OperationRecord>> records;
    std::lock_guard lock(mutex_);
    for (const auto& [name, record] : all_) records.push_back(record);
    return records;
  }

 private:
  bool keeps_more() const { return keep_responses_ && all_.size() < most_with_responses; }

  const bool keep_responses_;
  mutable os::PriorityMutex mutex_;
  std::map<std::string, std::shared_ptr<OperationRecord>> all_;
};

}  // namespace takt::rt

// The records of all operations that an ORB's schedules have had.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "os/threads/priority_mutex.h"
#include "rt/operations/operation_record.h"

namespace takt::rt {

// Any thread.
class OperationRecords {
 public:
  static constexpr std::size_t most = 65'536;  // bounds memory, because clients come and go

  // `keep_responses`: each record keeps the distribution of its responses, in 30 KiB.
  explicit OperationRecords(bool keep_responses) : keep_responses_(keep_responses) {}

  // The record of that name, which is kept. Null if the maximum is reached.
  std::shared_ptr<OperationRecord> of(const std::string& name) {
    std::lock_guard lock(mutex_);
    const auto found = all_.find(name);
    if (found != all_.end()) return found->second;
    if (all_.size() == most) return nullptr;
    return all_.emplace(name, std::make_shared<OperationRecord>(name, keep_responses_)).first->second;
  }
  // Sorted by name.
  std::vector<std::shared_ptr<OperationRecord>> all() const {
    std::vector<std::shared_ptr<OperationRecord>> records;
    std::lock_guard lock(mutex_);
    for (const auto& [name, record] : all_) records.push_back(record);
    return records;
  }

 private:
  const bool keep_responses_;
  mutable os::PriorityMutex mutex_;
  std::map<std::string, std::shared_ptr<OperationRecord>> all_;
};

}  // namespace takt::rt

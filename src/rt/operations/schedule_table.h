// Maps requests to their operation's entry in a schedule.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <takt/adapter/servant.h>

#include "rt/operations/interface_rows.h"
#include "rt/operations/operation.h"
#include "rt/operations/operation_records.h"
#include "threads/locks/priority_mutex.h"

namespace takt::rt {

// Has a hash table of operations for each known interface, so that a look-up takes constant time. Any thread.
// Only the first look-up for an interface locks and allocates.
class ScheduleTable {
 public:
  using Row = InterfaceRows::Row;

  // Throws BAD_PARAM as RunTimeScheduler::install() does, NO_RESOURCES for more operations than there are
  // records. Interfaces whose inheritance `rows` knows are known at once. `records` and `rows` must outlive
  // it.
  ScheduleTable(std::vector<ScheduledOperation> operations, OperationRecords& records, InterfaceRows& rows);
  ~ScheduleTable();

  // Whether the interface is known.
  bool knows(Row row) const { return rows_[row].load(std::memory_order_acquire) != nullptr; }
  // Makes the servant's interface known and returns its row. Asks the servant for its type.
  Row meet(PortableServer::Servant& servant);
  // Null if it is not in the schedule. `row`: from meet(), or any_interface.
  Operation* find(Row row, std::string_view name) const;

  // In the order of declaration.
  const std::vector<std::shared_ptr<Operation>>& operations() const { return operations_; }
  // By name in the schedule; null if there is none.
  std::shared_ptr<Operation> named(std::string_view name) const;

  void* place = nullptr;  // used by TablesInUse

 private:
  class ByName;
  using Inherits = std::function<std::optional<bool>(const std::string& path)>;  // empty: unknown
  std::unique_ptr<const ByName> names_of(std::string_view repository_id, const Inherits& inherits) const;
  void add(Row row, std::unique_ptr<const ByName> names);

  InterfaceRows& interfaces_;
  std::vector<std::shared_ptr<Operation>> operations_;
  std::array<std::atomic<const ByName*>, InterfaceRows::most> rows_{};
  os::PriorityMutex mutex_;  // guards the following member
  std::vector<std::unique_ptr<const ByName>> owned_;
};

}  // namespace takt::rt

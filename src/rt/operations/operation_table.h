// From a request to the entry of its operation in a schedule.
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

#include "os/threads/priority_mutex.h"
#include "rt/operations/interface_rows.h"
#include "rt/operations/operation.h"
#include "rt/operations/operation_records.h"

namespace takt::rt {

// For each interface that has been met, its operations by hash, so that finding takes the same work however
// many operations and interfaces there are. Any thread; only meeting an interface locks and allocates.
class OperationTable {
 public:
  using Row = InterfaceRows::Row;

  // BAD_PARAM as RunTimeScheduler::install(), NO_RESOURCES for more operations than have records. Knows the
  // interfaces that `rows` has the answers for at once. Both outlive it.
  OperationTable(std::vector<ScheduledOperation> operations, OperationRecords& records, InterfaceRows& rows);
  ~OperationTable();

  // Whether the interface has been met.
  bool knows(Row row) const { return rows_[row].load(std::memory_order_acquire) != nullptr; }
  // The row of the servant's interface, which is known from then on. Asks the servant what it is.
  Row meet(PortableServer::Servant& servant);
  // Null: it is not in the schedule. `row`: of meet(), or any_interface.
  Operation* find(Row row, std::string_view name) const;

  // As they were declared.
  const std::vector<std::shared_ptr<Operation>>& operations() const { return operations_; }
  // By the name in the schedule; null: there is none.
  std::shared_ptr<Operation> named(std::string_view name) const;

  void* place = nullptr;  // TablesInUse's

 private:
  class ByName;
  using Inherits = std::function<std::optional<bool>(const std::string& path)>;  // nothing: it isn't known
  std::unique_ptr<const ByName> names_of(std::string_view repository_id, const Inherits& inherits) const;
  void add(Row row, std::unique_ptr<const ByName> names);

  InterfaceRows& interfaces_;
  std::vector<std::shared_ptr<Operation>> operations_;
  std::array<std::atomic<const ByName*>, InterfaceRows::most> rows_{};
  os::PriorityMutex mutex_;  // for what follows
  std::vector<std::unique_ptr<const ByName>> owned_;
};

}  // namespace takt::rt

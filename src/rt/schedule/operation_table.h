// From a request to the entry of its operation in the schedule.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <takt/adapter/servant.h>

#include "os/threads/priority_mutex.h"
#include "rt/schedule/operation.h"

namespace takt::rt {

// A row for each interface that has been met, hashed by operation, so that finding takes the same work
// however many operations and interfaces there are. Any thread; only meeting an interface locks and
// allocates.
class OperationTable {
 public:
  using Row = std::uint16_t;
  static constexpr Row unknown = 0, any_interface = 1;
  static constexpr std::size_t max_rows = 4096;  // further interfaces are known by operation alone

  // BAD_PARAM as RunTimeScheduler::install().
  explicit OperationTable(std::vector<ScheduledOperation> operations);
  ~OperationTable();

  // The row of the servant's interface. Asks the servant what it is.
  Row meet(PortableServer::Servant& servant);
  // Null: it is not in the schedule. `row`: of meet(), or any_interface.
  Operation* find(Row row, std::string_view name) const;

  // As they were declared.
  const std::vector<std::shared_ptr<Operation>>& operations() const { return operations_; }

 private:
  class ByName;
  Row add(std::unique_ptr<const ByName> names);
  std::unique_ptr<const ByName> names_of(PortableServer::Servant* servant,
                                         const std::string& repository_id) const;

  std::vector<std::shared_ptr<Operation>> operations_;
  std::array<std::atomic<const ByName*>, max_rows> rows_{};
  os::PriorityMutex mutex_;  // for what follows
  std::vector<std::unique_ptr<const ByName>> owned_;
  std::map<std::string, Row> known_;  // by repository id
};

}  // namespace takt::rt

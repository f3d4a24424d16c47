// What a bridge knows of operations.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/invocation/operation_types.h>

namespace takt::bridge {

// Does not change; any thread.
class OperationTable {
 public:
  struct Entry {
    OperationTypes types;
    bool arguments_refer = false, results_refer = false;  // may hold references; results: exceptions also
    const CORBA::typecode_reference* exception(std::string_view repository_id) const;
  };

  explicit OperationTable(std::vector<OperationTypes> operations);

  bool empty() const { return entries_.empty(); }
  // That of the interface, or, where it is not known or lacks it, the one that all interfaces with such an
  // operation have in common. Those of CORBA::Object are known. Null: unknown, or they differ.
  const Entry* find(std::string_view interface_id, std::string_view name) const;
  // Null: no operation has such a value.
  const CORBA::typecode_reference* value(std::string_view repository_id) const;

 private:
  void add(OperationTypes operation);
  void look_into(Entry& entry);

  std::map<std::string, std::map<std::string, Entry, std::less<>>, std::less<>> entries_;  // by interface
  std::map<std::string, const Entry*, std::less<>> by_name_;  // null: they differ
  std::map<std::string, CORBA::typecode_reference, std::less<>> values_;
};

}  // namespace takt::bridge

// The operations whose types a bridge knows.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/invocation/operation_types.h>

namespace takt::bridge {

// Immutable; any thread.
class KnownOperations {
 public:
  struct Entry {
    OperationTypes types;
    bool arguments_refer = false, results_refer = false;  // may hold references; results include exceptions
    const CORBA::typecode_reference* exception(std::string_view repository_id) const;
  };

  explicit KnownOperations(std::vector<OperationTypes> operations);

  bool empty() const { return entries_.empty(); }
  // The interface's own operation. If the interface is unknown or lacks it, the operation of that name on
  // which all known interfaces agree. Those of CORBA::Object are always known. Null if unknown or ambiguous.
  const Entry* find(std::string_view interface_id, std::string_view name) const;
  // Null if no operation uses such a valuetype.
  const CORBA::typecode_reference* value(std::string_view repository_id) const;

 private:
  void add(OperationTypes operation);
  void look_into(Entry& entry);

  std::map<std::string, std::map<std::string, Entry, std::less<>>, std::less<>> entries_;  // by interface
  std::map<std::string, const Entry*, std::less<>> by_name_;                               // null: ambiguous
  std::map<std::string, CORBA::typecode_reference, std::less<>> values_;
};

}  // namespace takt::bridge

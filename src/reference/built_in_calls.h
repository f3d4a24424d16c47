// The operations of CORBA::Object as calls within the process.
#pragma once

#include <string>
#include <string_view>

#include <takt/cdr/operation.h>
#include <takt/reference/object.h>

namespace takt::reference {

// The arguments and results of LocalCalls::call_local() for the operations in built_in, which every servant
// has.
struct BuiltInCall {
  std::string_view repository_id = {};                 // argument of _is_a
  bool answer = false;                                 // result of _is_a and _non_existent
  std::string text = {};                               // result of _repository_id
  CORBA::object_reference<CORBA::Object> object = {};  // result of _component and _interface
};

namespace built_in {
inline constexpr OperationId is_a{"_is_a"}, non_existent{"_non_existent"}, repository_id{"_repository_id"},
    component{"_component"}, interface{"_interface"};

// By address: an IDL operation has another one, whatever its name.
inline bool has(const OperationId& operation) {
  return &operation == &is_a || &operation == &non_existent || &operation == &repository_id ||
         &operation == &component || &operation == &interface;
}
}  // namespace built_in

}  // namespace takt::reference

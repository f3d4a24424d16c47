// Types of an operation's request and reply bodies, for code that has no stub of it.
#pragma once

#include <string>
#include <vector>

#include <takt/cdr/typecode.h>

namespace takt {

// A value type.
struct OperationTypes {
  std::string interface_id;  // repository id of an interface that has it, possibly by inheritance
  std::string name;          // the name in requests: "_get_x" or "_set_x" for an attribute
  std::vector<CORBA::typecode_reference> arguments;  // in and inout, in order; then its contexts as strings
  std::vector<CORBA::typecode_reference> results;    // the return value unless void, then inout and out
  std::vector<CORBA::typecode_reference> exceptions;
};

}  // namespace takt

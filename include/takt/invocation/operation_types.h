// What the bodies of an operation's requests and replies consist of, for who has no stub of it.
#pragma once

#include <string>
#include <vector>

#include <takt/cdr/typecode.h>

namespace takt {

// A value.
struct OperationTypes {
  std::string interface_id;  // the repository id of an interface that has it, if only by inheritance
  std::string name;          // as requests have it: an attribute's is "_get_x" or "_set_x"
  std::vector<CORBA::typecode_reference> arguments;  // in and inout, in order; its contexts as strings behind
  std::vector<CORBA::typecode_reference> results;  // what it returns unless that is void, then inout and out
  std::vector<CORBA::typecode_reference> exceptions;
};

}  // namespace takt

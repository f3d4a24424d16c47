// The operations that IDL files declare, with their types.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <takt/cdr/typecode.h>

namespace takt::command {

enum class Direction : unsigned char { in, out, inout };

struct Parameter {
  std::string name;
  Direction direction = Direction::in;
  CORBA::typecode_reference type;
};

// An operation, or an attribute's _get_NAME or _set_NAME, whose parameter is called `value`.
struct Operation {
  std::string name;
  bool is_oneway = false, has_contexts = false;
  CORBA::typecode_reference result;
  std::vector<Parameter> parameters;
  std::vector<CORBA::typecode_reference> exceptions;
};

struct Interface {
  std::string id, name;               // "IDL:Hello/Greeter:1.0", "Hello::Greeter"
  std::vector<Operation> operations;  // with inherited ones, bases first

  const Operation* find(std::string_view operation) const;
};

struct Catalogue {
  std::vector<Interface> interfaces;  // in the order of the IDL; local ones are left out
  // Structs, unions, enums, typedefs, exceptions and values, by repository id and by scoped name.
  std::map<std::string, CORBA::typecode_reference, std::less<>> types;

  // By repository id or scoped name; null if there is none.
  const Interface* find(std::string_view interface) const;
  CORBA::typecode_reference type_named(const std::string& name) const;
};

// The error is readable text that ends with a line break. Must be called while the process has only one
// thread.
std::expected<Catalogue, std::string> catalogue_of_idl(const std::vector<std::string>& files,
                                                       const std::vector<std::string>& include_folders);

// The name that a user gives: `_get_x` as `x`, `_set_x` as `x=`.
std::string spoken_name(std::string_view operation);

}  // namespace takt::command

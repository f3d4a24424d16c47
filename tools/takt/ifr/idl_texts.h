// IDL's types and constants in the form of an interface repository.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include <takt/cdr/any.h>

#include "ifr/model/definition.h"
#include "model/model.h"

namespace takt::command {

// A declaration that the standard's repository has no form for.
class NoForm final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The type's text in a store; `number_of` gives the numbers of declarations. Throws NoForm.
std::string type_text_of(const idl::Type& type,
                         const std::function<ifr::Number(const idl::Declaration&)>& number_of);
// The integer type that a bitmask or bitset is sent as.
std::string holder_text_of(const idl::Declaration& declaration);
// The type of a constant. IDL gives a fixed-point constant the digits that its value has.
std::string constant_type_of(const idl::Declaration& constant,
                             const std::function<ifr::Number(const idl::Declaration&)>& number_of);
// `type`: of the constant, with aliases.
CORBA::Any constant_of(const idl::Value& value, const idl::Type& idl_type,
                       const CORBA::typecode_reference& type);
// From the repository id, such as 1.0.
std::string version_in(const std::string& id);

}  // namespace takt::command

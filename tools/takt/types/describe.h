// Operations as text: signatures, and example arguments.
#pragma once

#include <string>

#include "json/context.h"
#include "types/catalogue.h"

namespace takt::command {

// "Hello::NoName" for "IDL:acme.com/Hello/NoName:1.0", otherwise the plain name. A prefix is recognized by
// the dot in it.
std::string scoped_name_of(const std::string& id, const std::string& name);
// The type as IDL writes it, with scoped names where the repository id tells.
std::string type_text(const CORBA::typecode_reference& type);
// "string greet(in string name) raises (Hello::NoName)"
std::string signature_of(const Operation& operation);
// A value of the type, for a user to change: each sequence has one element, except
// where the type would be inside itself.
json::Json example_of(const CORBA::typecode_reference& type);
// Examples of the arguments that a caller gives, by parameter name.
json::Json example_arguments(const Operation& operation);

}  // namespace takt::command

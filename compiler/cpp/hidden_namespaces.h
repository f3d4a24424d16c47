// Code for IDL whose modules hide the namespaces that generated code uses.
#pragma once

#include <string>

#include "model/model.h"

namespace takt::idl::cpp {

// Whether a module inside another is called CORBA, IDL, std or takt.
bool hides_namespaces(const Unit& unit);
// A text that names the first type of the main file that is called so, which no C++ can be generated for;
// empty if there is none.
std::string type_named_like_a_namespace(const Unit& unit);
// `code` with :: before each of these namespaces, except in literals and comments and where a namespace is
// opened. For code whose names of IDL declarations begin with :: already.
std::string with_rooted_namespaces(const std::string& code);

}  // namespace takt::idl::cpp

// TypeCodes as JSON: the name of a basic type, or an object whose `kind` says which members it has.
#pragma once

#include <string_view>

#include "json/context.h"
#include "json/path.h"

namespace takt::json {

// The kind as JSON and messages name it: "unsigned long", "struct", "interface".
std::string_view name_of(CORBA::TCKind kind);

Json json_of_type(const CORBA::typecode_reference& type, Path& at);
// Also takes a text that `context.type_named` knows. Throws a Failure for what is no type.
CORBA::typecode_reference type_of_json(const Json& json, const Context& context, Path& at);

}  // namespace takt::json

// IDL types and values as text, for comparison and display.
#pragma once

#include <functional>
#include <string>

#include "model/model.h"

namespace takt::idl::diff {

// Names a declaration in texts; by default its scoped name.
using NameOf = std::function<std::string(const Declaration&)>;

std::string scoped_name_of(const Declaration& declaration);

// The type as IDL spells it; `name_of` spells declared types.
std::string text_of(const Type& type, const NameOf& name_of = scoped_name_of);
std::string text_of(const Value& value);
// The types of the parameters with their directions, and of the result; no names.
std::string signature_of(const Declaration& operation, const NameOf& name_of);
// A type's structure with the names of its members. Types with equal texts have the same encoding. Empty for
// types without contents.
std::string contents_of(const Declaration& declaration, const NameOf& name_of);
// The same as contents_of(), without the names of members.
std::string shape_of(const Declaration& declaration, const NameOf& name_of);

}  // namespace takt::idl::diff

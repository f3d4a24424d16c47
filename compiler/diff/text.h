// Types and values of IDL as text, to compare and to show.
#pragma once

#include <functional>
#include <string>

#include "model/model.h"

namespace takt::idl::diff {

// What a declaration is called; by default its scoped name.
using NameOf = std::function<std::string(const Declaration&)>;

std::string scoped_name_of(const Declaration& declaration);

// As IDL spells it, with `name_of` for what is declared.
std::string text_of(const Type& type, const NameOf& name_of = scoped_name_of);
std::string text_of(const Value& value);
// The types of parameters and the result, with directions; no names.
std::string signature_of(const Declaration& operation, const NameOf& name_of);
// What a type consists of, with the names of its members; two types with equal texts travel alike.
// Empty where it consists of nothing.
std::string contents_of(const Declaration& declaration, const NameOf& name_of);
// The same without names of members.
std::string shape_of(const Declaration& declaration, const NameOf& name_of);

}  // namespace takt::idl::diff

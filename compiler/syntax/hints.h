// Suggestions for names that are not declared.
#pragma once

#include <string>
#include <string_view>

#include "model/model.h"

namespace takt::idl {

// "; did you mean 'string'?" if the name is nearly that of a type of IDL or of a declaration that can be seen
// in the scope, "; IDL has 'long'" if it is a type of C++. Empty if there is no such name.
std::string hint_for_undeclared(std::string_view name, const Declaration& scope);

}  // namespace takt::idl

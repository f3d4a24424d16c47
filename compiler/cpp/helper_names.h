// Names of helpers in generated code, which IDL's own names may clash with.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace takt::idl::cpp {

// "::M::obv::V" with the prefix "obv": the name in a namespace inside that of the declaration's module.
std::string name_inside(const Declaration& declaration, const char* inner);

// For each declaration of the main file, `helpers_of` returns the helpers' names, "::M::Foo_var". Returns a
// text that names the first declaration with one of those names, or that of a namespace around it, and the
// one that the helper is for; empty if there is none.
std::string taken_helper_name(const Unit& unit,
                              std::vector<std::string> (*helpers_of)(const Declaration& declaration));

// The helpers of the IDL to C++11 mapping: factories and state classes of valuetypes.
std::vector<std::string> helpers_of(const Declaration& declaration);
// Skeletons, which fooS.h has.
std::vector<std::string> skeletons_of(const Declaration& declaration);

}  // namespace takt::idl::cpp

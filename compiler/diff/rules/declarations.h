// Rules for modules, constants, and any kind of declaration.
#pragma once

#include <array>

#include "diff/rules/rule.h"

namespace takt::idl::diff::rules {

inline constexpr auto of_declarations = std::to_array<Rule>({
    {"module-renamed", Wire::both, any | source, Proof::operations,
     "A module has another name and the same contents.",
     "All repository ids in it change: _is_a() and narrowing fail, and exceptions and values are unknown.",
     "Keep the name, or give each declaration its old id with typeid."},
    {"type-removed", Wire::none, source, Proof::octets,  //
     "A type is gone.", "Programs that name it no longer compile.", "Keep the type."},
    {"type-renamed", Wire::none, any | source, Proof::octets, "A type has another name and the same members.",
     "Programs name it, and TypeCodes have its name and repository id; the octets stay the same.",
     "Keep the old name as a typedef of the new one."},
    {"type-kind-changed", Wire::both, everything, Proof::octets, "A name denotes another kind of type.",
     "A struct, a union, an enum, a valuetype and a reference travel differently.",
     "Keep the name for what it was."},
    {"type-repository-id-changed", Wire::none, any, Proof::octets, "A type has another repository id.",
     "TypeCodes with different ids are not equivalent, so values are not extracted from an Any.",
     "Give the type its old id with typeid or #pragma ID."},
    {"constant-removed", Wire::none, source, Proof::octets,  //
     "A constant is gone.", "Programs that name it no longer compile.", "Keep the constant."},
    {"constant-value-changed", Wire::none, source, Proof::octets, "A constant has another value.",
     "Old programs keep the old value until they are compiled, so peers may disagree about it.",
     "Declare another constant."},
    {"constant-type-changed", Wire::none, source, Proof::octets, "A constant has another type.",
     "Overloads and templates in programs may choose differently.", "Keep the type."},
    {"default-changed", Wire::none, cpp11, Proof::octets, "A member has another @default.",
     "Programs that leave the member alone send another value.",
     "Keep the default, and set the value where it matters."},
});

}  // namespace takt::idl::diff::rules

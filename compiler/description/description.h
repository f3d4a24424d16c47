// An interface's description, which its skeleton carries for reflection (-ORBReflection).
#pragma once

#include <string>

#include "model/model.h"

namespace takt::idl::description {

// Little-endian CDR, as src/reflection/descriptions.h reads it: the interface's own operations and
// attributes, and those of abstract bases, which have no skeleton.
std::string describe(const Declaration& interface);

// The same after its length in four octets, as a C++ string literal on several lines.
std::string literal_of_description(const Declaration& interface);

}  // namespace takt::idl::description

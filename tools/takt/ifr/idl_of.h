// Definitions of an interface repository as IDL.
#pragma once

#include <string>

#include "Takt_ReflectionC.h"

namespace takt::command {

// One or several lines, for a reader: types have their scoped names, and what is declared inside an interface
// or value is only named. Makes calls to the repository.
std::string idl_of(const CORBA::object_reference<Takt::Reflection::Contained>& definition);

// Characters that could control a terminal become '?'.
std::string harmless(std::string text);

}  // namespace takt::command

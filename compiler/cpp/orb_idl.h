// The IDL files that describe the ORB itself: no code is generated for what includes them, since the
// runtime's headers have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace takt::idl::cpp {

// For each of the unit's files, whether it is one: by its name without folders, if all that it declares is in
// module CORBA or PortableServer.
std::vector<bool> orb_files(const Unit& unit);
// Whether the main file uses types of such files.
bool uses_orb_types(const Unit& unit);
// What the main file uses of them and no header has; for people.
std::optional<std::string> missing_orb_type(const Unit& unit);

}  // namespace takt::idl::cpp

// The IDL files that describe the ORB itself. No code is generated for files that include them: the runtime's
// headers have these types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace takt::idl::cpp {

// For each file of the unit, whether it is an ORB IDL file: its name is one of theirs or ends in TAO's .pidl,
// and it declares nothing outside modules CORBA and PortableServer.
std::vector<bool> orb_files(const Unit& unit);
// Whether the main file itself describes the ORB: an ORB IDL file, or omniORB's file of module Messaging.
bool describes_orb(const Unit& unit);
// Whether the main file uses types of ORB IDL files.
bool uses_orb_types(const Unit& unit);
// The ORB IDL type that the main file uses but no header defines, as readable text.
std::optional<std::string> missing_orb_type(const Unit& unit);

}  // namespace takt::idl::cpp

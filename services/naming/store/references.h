// Converts object references to octets for storage, and back.
#pragma once

#include <string>
#include <string_view>

#include <takt/orb/orb.h>

namespace takt::naming {

// The IOR as an encapsulation with all its profiles unchanged. MARSHAL (OMG minor 4) for a local object.
std::string octets_of(CORBA::ORB& orb, const CORBA::object_reference<CORBA::Object>& object);
// BAD_PARAM if the octets are no IOR.
CORBA::object_reference<CORBA::Object> object_of(CORBA::ORB& orb, std::string_view octets);

// "0a1b". Text that does not consist of pairs of hexadecimal digits gives an empty string.
std::string to_hex(std::string_view octets);
std::string from_hex(std::string_view digits);

}  // namespace takt::naming
